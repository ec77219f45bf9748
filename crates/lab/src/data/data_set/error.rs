//! Why a data set was not made, or a file is not fit to be one.

use crate::files::scratch::ScratchError;
use fathom_sys::SysError;
use rustix::io::Errno;
use std::path::{Path, PathBuf};

/// Why a data set was not made, or a file is not fit to be one.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The scratch directory refused.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    /// No thread can be made to compute the bytes.
    #[error("no thread to compute the bytes: {0}")]
    Thread(std::io::Error),
    /// A call on a file was refused.
    #[error("{call} {}: {errno}", path.display())]
    Refused {
        /// The call.
        call: &'static str,
        /// The file.
        path: PathBuf,
        /// The kernel's error.
        errno: Errno,
    },
    /// A memory file could not be made.
    #[error("memory file: {0}")]
    Memory(SysError),
    /// The bytes do not fit.
    #[error("no space for the data set in {}: it needs {need_bytes} bytes, {free_bytes} are free", path.display())]
    NoSpace {
        /// The directory, or `memory`.
        path: PathBuf,
        /// Bytes of all files, each rounded up to blocks.
        need_bytes: u64,
        /// Bytes that may still be written there.
        free_bytes: u64,
    },
    /// The number of files does not fit.
    #[error("too many files for {}: the data set has {need}, {free} more can be made", path.display())]
    NoFiles {
        /// The directory, or `memory`.
        path: PathBuf,
        /// Files of the data set.
        need: u64,
        /// Files that may still be made there.
        free: u64,
    },
    /// The path is no regular file.
    #[error("{} is a {kind}, not a regular file: it would not measure what files cost", path.display())]
    NotRegular {
        /// The path.
        path: PathBuf,
        /// What it is, in words.
        kind: &'static str,
    },
    /// Bytes that were never written: reads of them touch no device.
    #[error(
        "{}: {what} at byte {offset}: never written to the device, so reading it is not reading a file",
        path.display()
    )]
    NotWritten {
        /// The file.
        path: PathBuf,
        /// A hole, an unwritten extent, or one still in memory.
        what: &'static str,
        /// Where the first of them begins.
        offset: u64,
    },
    /// Fewer bytes are allocated than the file has, and no map tells why.
    #[error("{}: {allocated} bytes are allocated of {size}: sparse or compressed", path.display())]
    Sparse {
        /// The file.
        path: PathBuf,
        /// Bytes allocated.
        allocated: u64,
        /// Bytes it has.
        size: u64,
    },
    /// The file has another size than was written.
    #[error("{}: {found} bytes instead of {expected}", path.display())]
    Size {
        /// The file.
        path: PathBuf,
        /// Its size.
        found: u64,
        /// What it must be.
        expected: u64,
    },
    /// The file holds something else than was written.
    #[error("{}: the byte at offset {offset} is not the one that was written", path.display())]
    Differs {
        /// The file.
        path: PathBuf,
        /// The first byte that differs.
        offset: u64,
    },
    /// A kept set cannot be used.
    #[error("{0}")]
    Kept(String),
    /// The user interrupted it.
    #[error("interrupted while the data set was made")]
    Interrupted,
}

impl DataError {
    pub(crate) fn io(call: &'static str, path: &Path, error: &std::io::Error) -> Self {
        Self::refused(call, path, Errno::from_io_error(error).unwrap_or(Errno::IO))
    }

    pub(crate) fn refused(call: &'static str, path: &Path, errno: Errno) -> Self {
        Self::Refused { call, path: path.to_owned(), errno }
    }

    /// True when the device, a quota or the file system's own count ran out.
    pub(crate) fn is_full(&self) -> bool {
        let errno = match self {
            Self::Refused { errno, .. } | Self::Scratch(ScratchError::Refused { errno, .. }) => *errno,
            _ => return false,
        };
        matches!(errno, Errno::NOSPC | Errno::DQUOT)
    }
}
