//! Requests about a file's pages: start writing them back, drop them.

use crate::SysError;
use rustix::fd::{AsFd, AsRawFd};
use rustix::fs::{Advice, fadvise};

/// Asks the kernel to drop the clean, unmapped pages of a file. It is advice:
/// dirty and mapped pages stay and nothing says so, hence cachestat afterwards.
pub fn drop_clean_pages(fd: impl AsFd) -> Result<(), SysError> {
    fadvise(fd, 0, None, Advice::DontNeed).map_err(SysError::of("fadvise64"))
}

/// Starts writing the dirty pages of a range to the device and returns; waits
/// only where the device's queue is full. It makes nothing durable.
pub fn start_writeback(fd: impl AsFd, offset: u64, length: u64) -> Result<(), SysError> {
    let invalid = |_| SysError::Refused { call: "sync_file_range", errno: rustix::io::Errno::INVAL };
    let offset = i64::try_from(offset).map_err(invalid)?;
    let length = i64::try_from(length).map_err(invalid)?;
    // SAFETY: the call takes no pointer; the descriptor is borrowed for its length.
    let result =
        unsafe { libc::sync_file_range(fd.as_fd().as_raw_fd(), offset, length, libc::SYNC_FILE_RANGE_WRITE) };
    if result == 0 { Ok(()) } else { Err(SysError::last("sync_file_range")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cachestat::cachestat;
    use std::io::Write;

    #[test]
    fn started_writeback_leaves_no_page_dirty_and_clean_pages_can_be_dropped() {
        let mut file = tempfile::tempfile_in(".").unwrap();
        file.write_all(&vec![7; 1 << 20]).unwrap();
        let Ok(before) = cachestat(&file, 0, 1 << 20) else {
            eprintln!("skipped: no cachestat here");
            return;
        };
        let place = crate::file_system::of_file(&file).unwrap();
        if place.is_in_memory() || place.magic == crate::file_system::OVERLAYFS {
            eprintln!("skipped: cachestat tells nothing of a file on this file system");
            return;
        }
        assert!(before.dirty + before.writeback > 0, "{before:?}");
        start_writeback(&file, 0, 1 << 20).unwrap();
        assert_eq!(cachestat(&file, 0, 1 << 20).unwrap().dirty, 0);
        file.sync_all().unwrap();
        drop_clean_pages(&file).unwrap();
        assert_eq!(cachestat(&file, 0, 1 << 20).unwrap().cached, 0);
    }

    #[test]
    fn a_pipe_has_no_pages_to_write() {
        let (_reader, writer) = std::io::pipe().unwrap();
        assert_eq!(start_writeback(&writer, 0, 1).unwrap_err().errno(), Some(rustix::io::Errno::SPIPE));
    }
}
