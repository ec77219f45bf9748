//! mincore(2): which pages of a file are in memory.
//!
//! The kernel answers "all" for a file that the caller may not write, so a
//! caller must know that it may before it believes the figure.

use crate::SysError;
use rustix::fd::AsFd;
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use std::ffi::c_void;

/// How many pages of the first `length` bytes of a file are in memory. The file is
/// mapped for the question, not touched.
pub fn resident_pages(fd: impl AsFd, length: u64) -> Result<u64, SysError> {
    if length == 0 {
        return Ok(0);
    }
    let mapping = Mapping::new(fd, length)?;
    let mut states = vec![0_u8; mapping.length.div_ceil(rustix::param::page_size())];
    // SAFETY: the mapping covers `length` bytes and `states` has one byte for each of its pages.
    let result = unsafe { libc::mincore(mapping.start, mapping.length, states.as_mut_ptr()) };
    if result != 0 {
        return Err(SysError::last("mincore"));
    }
    Ok(states.iter().filter(|&&state| state & 1 == 1).count() as u64)
}

struct Mapping {
    start: *mut c_void,
    length: usize,
}

impl Mapping {
    fn new(fd: impl AsFd, length: u64) -> Result<Self, SysError> {
        let too_long = |_| SysError::Refused { call: "mmap", errno: rustix::io::Errno::OVERFLOW };
        let length = usize::try_from(length).map_err(too_long)?;
        // SAFETY: a new mapping at an address of the kernel's choice disturbs no other.
        let start =
            unsafe { mmap(std::ptr::null_mut(), length, ProtFlags::READ, MapFlags::SHARED, fd.as_fd(), 0) }
                .map_err(SysError::of("mmap"))?;
        Ok(Self { start, length })
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
    use std::io::{Seek, SeekFrom, Write};

    #[test]
    fn pages_written_are_resident_and_holes_are_not() {
        let page = rustix::param::page_size() as u64;
        let mut file = std::fs::File::from(memfd::create_inheritable("mincore-test").unwrap());
        file.set_len(8 * page).unwrap();
        assert_eq!(resident_pages(&file, 8 * page).unwrap(), 0);
        file.seek(SeekFrom::Start(2 * page)).unwrap();
        file.write_all(&vec![1; usize::try_from(3 * page).unwrap()]).unwrap();
        assert_eq!(resident_pages(&file, 8 * page).unwrap(), 3);
        assert_eq!(resident_pages(&file, 0).unwrap(), 0);
    }
}
