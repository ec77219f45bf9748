//! Memory that this process shares with others which write it meanwhile: words are atomic, bytes
//! are copied. Nobody gets a reference into it.

use crate::SysError;
use rustix::fd::AsFd;
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};

/// A file mapped shared, for reading and writing; dropping it is one `munmap`.
#[derive(Debug)]
pub struct SharedMemory {
    start: *mut c_void,
    bytes: usize,
}

// SAFETY: the mapping belongs to this value alone and is no thread's own.
unsafe impl Send for SharedMemory {}

impl SharedMemory {
    /// Maps the first `bytes` bytes of a file, which must stay as long. 0 bytes are refused with
    /// `EINVAL`.
    pub fn of_file(file: impl AsFd, bytes: usize) -> Result<Self, SysError> {
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping at an address of the kernel's choice disturbs no other.
        let start = unsafe { mmap(std::ptr::null_mut(), bytes, protection, MapFlags::SHARED, file, 0) }
            .map_err(SysError::of("mmap"))?;
        Ok(Self { start, bytes })
    }

    /// The word at an offset, which is a multiple of 8; what its writer wrote before it is seen.
    pub fn load(&self, at: usize) -> u64 {
        self.word(at).load(Ordering::Acquire)
    }

    /// Writes the word at an offset, which is a multiple of 8, after all that was written before.
    pub fn store(&self, at: usize, value: u64) {
        self.word(at).store(value, Ordering::Release);
    }

    /// Copies bytes out. Whoever writes them must have said by a word that it is done.
    pub fn read(&self, at: usize, into: &mut [u8]) {
        assert!(at <= self.bytes && into.len() <= self.bytes - at, "{at} lies beyond the mapping");
        // SAFETY: inside the mapping, and `into` is none of it: nobody has a reference into it.
        unsafe {
            std::ptr::copy_nonoverlapping(
                self.start.cast::<u8>().cast_const().add(at),
                into.as_mut_ptr(),
                into.len(),
            );
        }
    }

    /// Copies `bytes` bytes from an offset on to the end of `into`, as [`read`](Self::read) does.
    pub fn append_to(&self, (at, bytes): (usize, usize), into: &mut Vec<u8>) {
        assert!(at <= self.bytes && bytes <= self.bytes - at, "{at} lies beyond the mapping");
        into.reserve(bytes);
        // SAFETY: inside the mapping; what was reserved holds as many bytes, which are all written before
        // they are counted.
        unsafe {
            let end = into.as_mut_ptr().add(into.len());
            std::ptr::copy_nonoverlapping(self.start.cast::<u8>().cast_const().add(at), end, bytes);
            into.set_len(into.len() + bytes);
        }
    }

    /// Copies bytes in, which nobody may read meanwhile.
    pub fn write(&self, at: usize, from: &[u8]) {
        assert!(at <= self.bytes && from.len() <= self.bytes - at, "{at} lies beyond the mapping");
        // SAFETY: as in `read`.
        unsafe {
            std::ptr::copy_nonoverlapping(from.as_ptr(), self.start.cast::<u8>().add(at), from.len());
        }
    }

    fn word(&self, at: usize) -> &AtomicU64 {
        assert!(at.is_multiple_of(8) && at < self.bytes, "no word stands at {at}");
        // SAFETY: an aligned word inside the mapping, which lives as long as `self`.
        unsafe { &*self.start.cast::<AtomicU64>().cast_const().add(at / 8) }
    }
}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        // SAFETY: our own mapping, into which no reference is left.
        let _ = unsafe { munmap(self.start, self.bytes) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{MemfdFlags, ftruncate, memfd_create};

    #[test]
    fn two_mappings_of_a_file_are_one_memory() {
        let file = memfd_create("shared-memory-test", MemfdFlags::CLOEXEC).unwrap();
        ftruncate(&file, 8192).unwrap();
        let one = SharedMemory::of_file(&file, 8192).unwrap();
        let other = SharedMemory::of_file(&file, 8192).unwrap();
        one.write(4093, b"seven");
        one.store(8, 23);
        let mut read = [0; 5];
        other.read(4093, &mut read);
        let mut appended = vec![7];
        other.append_to((4094, 3), &mut appended);
        assert_eq!(appended, b"\x07eve");
        assert_eq!((&read, other.load(8), other.load(16)), (b"seven", 23, 0));
    }
}
