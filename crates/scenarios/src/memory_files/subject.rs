//! The file that is tried: a memfd, or a file of the current directory.

use super::BYTES;
use fathom_sys::cachestat::{CacheStat, cachestat};
use rustix::fd::OwnedFd;
use rustix::fs::{MemfdFlags, Mode, OFlags, fstat, memfd_create, open, unlink};
use rustix::io::Errno;

/// The word for a memfd.
pub(crate) const MEMFD: &str = "memfd";
/// The name of a file, and of a memfd.
pub(super) const NAME: &str = "fathom-memory";

/// Where files are made.
#[derive(Debug)]
pub(super) struct Subject {
    /// For people: `memfd`, `tmpfs /dev/shm`.
    pub(super) name: String,
}

impl Subject {
    /// The kind that bears this name.
    pub(super) fn named(name: &str) -> Self {
        Self { name: name.to_owned() }
    }

    /// True of files without a name.
    pub(super) fn is_memfd(&self) -> bool {
        self.name == MEMFD
    }

    /// A new, empty file.
    pub(super) fn make(&self) -> Result<OwnedFd, Errno> {
        if self.is_memfd() {
            return memfd_create(NAME, MemfdFlags::CLOEXEC);
        }
        let _was_never_there = unlink(NAME);
        open(NAME, OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC, Mode::RUSR | Mode::WUSR)
    }
}

/// Pages of the file.
pub(super) fn pages() -> usize {
    BYTES / rustix::param::page_size()
}

/// Bytes that are allocated for the file.
pub(super) fn held(file: &OwnedFd) -> Result<u64, Errno> {
    Ok(fstat(file)?.st_blocks.cast_unsigned() * 512)
}

/// Its pages in the page cache, by state.
pub(super) fn cached(file: &OwnedFd) -> Result<CacheStat, String> {
    cachestat(file, 0, BYTES as u64).map_err(|error| error.to_string())
}
