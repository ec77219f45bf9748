//! A stretch of memory mapped to be touched, advised and protected: what page
//! faults and the calls about memory are tried on. Nobody gets a reference into it.

use crate::SysError;
use rustix::fd::AsFd;
use rustix::mm::{
    MapFlags, MprotectFlags, MsyncFlags, ProtFlags, madvise, mmap, mmap_anonymous, mprotect, msync, munmap,
};
use std::ffi::c_void;

pub use rustix::mm::Advice;

/// How a file is mapped for writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// `MAP_SHARED`.
    Plain,
    /// `MAP_SHARED`, with its pages at once (`MAP_POPULATE`).
    Populated,
    /// `MAP_SHARED_VALIDATE | MAP_SYNC`.
    Sync,
}

/// Mapped memory; dropping it is one `munmap`.
#[derive(Debug)]
pub struct Region {
    start: *mut c_void,
    length: usize,
    is_file: bool,
    writable: bool,
}

impl Region {
    /// One `mmap` of the first `length` bytes of a file, shared, for reading; 0 bytes are
    /// refused with `EINVAL`.
    pub fn of_file(fd: impl AsFd, length: usize) -> Result<Self, SysError> {
        // SAFETY: a new mapping at an address of the kernel's choice disturbs no other.
        let start =
            unsafe { mmap(std::ptr::null_mut(), length, ProtFlags::READ, MapFlags::SHARED, fd.as_fd(), 0) }
                .map_err(SysError::of("mmap"))?;
        Ok(Self { start, length, is_file: true, writable: false })
    }

    /// One `mmap` of the first `length` bytes of a file, shared, for reading and writing.
    pub fn shared(fd: impl AsFd, length: usize, sharing: Sharing) -> Result<Self, SysError> {
        let flags = match sharing {
            Sharing::Plain => MapFlags::SHARED,
            Sharing::Populated => MapFlags::SHARED | MapFlags::POPULATE,
            // Only the validating form refuses flags that it does not know.
            Sharing::Sync => MapFlags::SHARED_VALIDATE | MapFlags::SYNC,
        };
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping at an address of the kernel's choice disturbs no other.
        let start = unsafe { mmap(std::ptr::null_mut(), length, protection, flags, fd.as_fd(), 0) }
            .map_err(SysError::of("mmap"))?;
        Ok(Self { start, length, is_file: true, writable: true })
    }

    /// One `msync` of all of it that waits.
    pub fn sync(&mut self) -> Result<(), SysError> {
        // SAFETY: the whole of our own mapping, which stays as it is.
        unsafe { msync(self.start, self.length, MsyncFlags::SYNC) }.map_err(SysError::of("msync"))
    }

    /// One `mmap` of memory of no file, for reading and writing.
    pub fn anonymous(length: usize) -> Result<Self, SysError> {
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping at an address of the kernel's choice disturbs no other.
        let start = unsafe { mmap_anonymous(std::ptr::null_mut(), length, protection, MapFlags::PRIVATE) }
            .map_err(SysError::of("mmap"))?;
        Ok(Self { start, length, is_file: false, writable: true })
    }

    /// Bytes.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Reads the byte at an offset. The process dies of `SIGBUS` where a file has
    /// become shorter than its mapping.
    pub fn read(&self, at: usize) -> u8 {
        assert!(at < self.length, "{at} lies beyond the {} bytes mapped", self.length);
        // SAFETY: inside the mapping, which is always readable; volatile, since others may write it.
        unsafe { std::ptr::read_volatile(self.start.cast::<u8>().cast_const().add(at)) }
    }

    /// A copy of what it holds now; of a file that may be shared with writers, at this moment.
    pub fn copy(&self) -> Vec<u8> {
        (0..self.length).map(|at| self.read(at)).collect()
    }

    /// Writes the byte at an offset of memory that may be written.
    pub fn write(&mut self, at: usize, byte: u8) {
        assert!(at < self.length && self.writable, "{at} may not be written");
        // SAFETY: inside the mapping, which is writable now and borrowed mutably; volatile, since a file's
        // memory may be mapped elsewhere too.
        unsafe { std::ptr::write_volatile(self.start.cast::<u8>().add(at), byte) }
    }

    /// One `madvise` of all of it.
    pub fn advise(&mut self, advice: Advice) -> Result<(), SysError> {
        // SAFETY: the whole of our own mapping; advice may empty pages, and no reference into them exists.
        unsafe { madvise(self.start, self.length, advice) }.map_err(SysError::of("madvise"))
    }

    /// One `mprotect` of all of it: whether it may be written. A file's may not.
    pub fn set_writable(&mut self, writable: bool) -> Result<(), SysError> {
        let write = if writable && !self.is_file { MprotectFlags::WRITE } else { MprotectFlags::empty() };
        // SAFETY: the whole of our own mapping; `read` needs no more than reading, `write` asks `writable`.
        unsafe { mprotect(self.start, self.length, MprotectFlags::READ | write) }
            .map_err(SysError::of("mprotect"))?;
        self.writable = !write.is_empty();
        Ok(())
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: the range is exactly the one that was mapped, and no reference into it exists.
        let result = unsafe { munmap(self.start, self.length) };
        debug_assert!(result.is_ok(), "unmapping a mapping of ours: {result:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memfd;
    use std::io::Write;

    #[test]
    fn memory_is_written_protected_and_emptied() {
        let page = rustix::param::page_size();
        let mut region = Region::anonymous(2 * page).unwrap();
        region.write(page, 7);
        region.set_writable(false).unwrap();
        assert_eq!((region.read(page), region.read(0), region.length()), (7, 0, 2 * page));
        region.set_writable(true).unwrap();
        region.advise(Advice::LinuxDontNeed).unwrap();
        assert_eq!(region.read(page), 0);
    }

    #[test]
    #[should_panic(expected = "may not be written")]
    fn what_is_protected_is_not_written() {
        let mut region = Region::anonymous(4096).unwrap();
        region.set_writable(false).unwrap();
        region.write(0, 1);
    }

    #[test]
    fn the_copy_is_what_the_file_holds_at_the_time() {
        let mut file = std::fs::File::from(memfd::create_inheritable("region-test").unwrap());
        file.write_all(b"old content").unwrap();
        let region = Region::of_file(&file, 11).unwrap();
        assert_eq!(region.copy(), b"old content");
        rustix::io::pwrite(&file, b"new", 0).unwrap();
        assert_eq!(region.copy(), b"new content");
        assert_eq!(Region::of_file(&file, 0).unwrap_err().errno(), Some(rustix::io::Errno::INVAL));
    }

    #[test]
    fn a_file_is_read_and_never_written() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"content").unwrap();
        let mut region = Region::of_file(&file, 7).unwrap();
        region.set_writable(true).unwrap();
        assert_eq!((region.read(0), region.writable), (b'c', false));
    }
}
