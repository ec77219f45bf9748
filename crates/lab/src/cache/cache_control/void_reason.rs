//! Why a sample does not count.

use fathom_collect::Residency;
use std::io;
use std::path::{Path, PathBuf};

/// Why a sample does not count: the state asked for was not there, or did not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VoidReason {
    /// Dirty pages stay in the cache though they were synced.
    #[error("{}: {pages} pages stay, not yet written to the device", path.display())]
    Dirty {
        /// The file.
        path: PathBuf,
        /// Pages left.
        pages: u64,
    },
    /// Mapped pages are not evicted.
    #[error("{}: {pages} pages stay, mapped by {}: unmap the file first", path.display(), by.join(", "))]
    Mapped {
        /// The file.
        path: PathBuf,
        /// Pages left.
        pages: u64,
        /// The processes, as `PID (name)`.
        by: Vec<String>,
    },
    /// Pages stay and nothing visible holds them.
    #[error("{}: {pages} pages stay: locked, in use, or part of a large folio", path.display())]
    Resident {
        /// The file.
        path: PathBuf,
        /// Pages left.
        pages: u64,
    },
    /// A warm file is not all in the cache before the sample, though it was just read.
    #[error("{}: {resident} of {total} pages are cached after reading it through", path.display())]
    NotWarm {
        /// The file.
        path: PathBuf,
        /// Pages in the cache.
        resident: u64,
        /// Pages it has.
        total: u64,
    },
    /// Pages of a warm file were gone after the sample.
    #[error("{}: {resident} of {total} pages are cached after the sample", path.display())]
    LeftCache {
        /// The file.
        path: PathBuf,
        /// Pages in the cache.
        resident: u64,
        /// Pages it has.
        total: u64,
    },
    /// The files lie in memory.
    #[error("files of a memory file system are never cold")]
    InMemory,
    /// Nothing was prepared, so nothing is proven.
    #[error("the sample was not prepared")]
    NotPrepared,
    /// A call on a file failed.
    #[error("{call} {}: {error}", path.display())]
    Io {
        /// The call.
        call: &'static str,
        /// The file.
        path: PathBuf,
        /// What the kernel said.
        error: String,
    },
}

impl VoidReason {
    /// The reason without figures, under which void samples are counted.
    pub fn phrase(&self) -> &'static str {
        match self {
            Self::Dirty { .. } => "dirty pages stayed in the cache",
            Self::Mapped { .. } => "pages stayed in the cache, mapped by a process",
            Self::Resident { .. } => "pages stayed in the cache",
            Self::NotWarm { .. } => "pages were missing from the cache before the sample",
            Self::LeftCache { .. } => "pages left the cache during the sample",
            Self::InMemory => "files of a memory file system are never cold",
            Self::NotPrepared => "the sample was not prepared",
            Self::Io { .. } => "a call on a file of the data set failed",
        }
    }

    pub(super) fn io(call: &'static str, path: &Path, error: &io::Error) -> Self {
        Self::Io { call, path: path.to_owned(), error: error.to_string() }
    }

    pub(super) fn not_warm(file: &Path, seen: &Residency) -> Self {
        let path = file.to_owned();
        Self::NotWarm { path, resident: seen.resident_pages, total: seen.total_pages }
    }

    pub(super) fn left_cache(file: &Path, seen: &Residency) -> Self {
        let path = file.to_owned();
        Self::LeftCache { path, resident: seen.resident_pages, total: seen.total_pages }
    }
}
