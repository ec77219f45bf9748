//! A file mapped for reading, by somebody who may share it with writers.

use crate::SysError;
use rustix::fd::AsFd;
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use std::ffi::c_void;

/// A mapping of the beginning of a file; unmapped when dropped.
#[derive(Debug)]
pub struct Mapping {
    start: *mut c_void,
    length: usize,
}

impl Mapping {
    /// Maps the first `length` bytes of a file; 0 bytes are refused with `EINVAL`.
    pub fn new(fd: impl AsFd, length: usize) -> Result<Self, SysError> {
        // SAFETY: a new mapping at an address of the kernel's choice disturbs no other.
        let start =
            unsafe { mmap(std::ptr::null_mut(), length, ProtFlags::READ, MapFlags::SHARED, fd.as_fd(), 0) }
                .map_err(SysError::of("mmap"))?;
        Ok(Self { start, length })
    }

    /// A copy of what the file holds now. The process dies of `SIGBUS` when the
    /// file has become shorter than the mapping: that is what a mapping means.
    pub fn copy(&self) -> Vec<u8> {
        let start = self.start.cast::<u8>().cast_const();
        let byte = |at| {
            // SAFETY: `at` is below `length`, so the address lies inside the mapping; a volatile read of a
            // byte assumes nothing of what others write meanwhile.
            unsafe { std::ptr::read_volatile(start.add(at)) }
        };
        (0..self.length).map(byte).collect()
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the range is exactly the one that `new` mapped, and no reference into it exists.
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
    fn the_copy_is_what_the_file_holds_at_the_time() {
        let mut file = std::fs::File::from(memfd::create_inheritable("mapping-test").unwrap());
        file.write_all(b"old content").unwrap();
        let mapping = Mapping::new(&file, 11).unwrap();
        assert_eq!(mapping.copy(), b"old content");
        rustix::io::pwrite(&file, b"new", 0).unwrap();
        assert_eq!(mapping.copy(), b"new content");
        assert_eq!(Mapping::new(&file, 0).unwrap_err().errno(), Some(rustix::io::Errno::INVAL));
    }
}
