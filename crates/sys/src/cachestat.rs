//! cachestat(2): what the page cache holds of a file.

use crate::SysError;
use rustix::fd::{AsFd, AsRawFd};

/// The number of the call, the same on every architecture (since Linux 6.5).
const CACHESTAT: libc::c_long = 451;

/// Pages of a range of a file, by state.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CacheStat {
    /// In the page cache.
    pub cached: u64,
    /// Cached and not yet written.
    pub dirty: u64,
    /// Being written now.
    pub writeback: u64,
    /// Once cached, since evicted.
    pub evicted: u64,
    /// Evicted so lately that reading them again counts as thrashing.
    pub recently_evicted: u64,
}

/// The state of the pages of `length` bytes from `offset`; length 0 means to
/// the end. Pages past the end that a large folio brings along count too when
/// the range reaches them.
///
/// `ENOSYS` before Linux 6.5; `EPERM` when the file is neither ours nor open
/// for writing nor writable; `EOPNOTSUPP` on hugetlbfs. On overlayfs every
/// figure is 0, whatever is cached.
pub fn cachestat(fd: impl AsFd, offset: u64, length: u64) -> Result<CacheStat, SysError> {
    let range = [offset, length];
    let mut stat = CacheStat::default();
    // SAFETY: the kernel reads two u64 from `range` and writes five to `stat`; both outlive the call.
    let result = unsafe {
        libc::syscall(CACHESTAT, fd.as_fd().as_raw_fd(), range.as_ptr(), std::ptr::from_mut(&mut stat), 0_u32)
    };
    if result == 0 { Ok(stat) } else { Err(SysError::last("cachestat")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memfd;
    use std::io::Write;

    #[test]
    fn the_written_pages_of_a_memory_file_are_counted() {
        let mut file = std::fs::File::from(memfd::create_inheritable("cachestat-test").unwrap());
        file.write_all(&vec![1; 5 * 4096]).unwrap();
        let all = cachestat(&file, 0, 0).unwrap();
        assert_eq!(all.cached * rustix::param::page_size() as u64, 5 * 4096);
        let part = cachestat(&file, 4096, 4096).unwrap();
        assert_eq!(part.cached, 1);
    }
}
