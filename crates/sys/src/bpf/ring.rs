//! The reader's side of a ring of records.

use super::Map;
use crate::SysError;
use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap, munmap};
use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Reads a ring. There may be one reader of each.
#[derive(Debug)]
pub struct RingReader {
    /// A page that says how far we have read.
    consumer: *mut c_void,
    /// A page that says how far the kernel has written, and the records, twice in a row, so
    /// that one which wraps is whole.
    producer: *mut c_void,
    ring_bytes: usize,
    page_bytes: usize,
}

// SAFETY: the mappings belong to this reader alone, and reading needs `&mut`.
unsafe impl Send for RingReader {}

/// Of a record's header: it is still being written.
const BUSY: u32 = 1 << 31;
/// Of a record's header: it was given up.
const DISCARDED: u32 = 1 << 30;
const HEADER_BYTES: usize = 8;

impl RingReader {
    /// Maps a ring.
    pub fn new(ring: &Map) -> Result<Self, SysError> {
        let page_bytes = rustix::param::page_size();
        let ring_bytes = ring.entries() as usize;
        let writable = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping at an address of the kernel's choice disturbs no other.
        let consumer = unsafe { mmap(std::ptr::null_mut(), page_bytes, writable, MapFlags::SHARED, ring, 0) }
            .map_err(SysError::of("mmap"))?;
        let length = page_bytes + 2 * ring_bytes;
        let from = page_bytes as u64;
        // SAFETY: as above.
        let producer =
            unsafe { mmap(std::ptr::null_mut(), length, ProtFlags::READ, MapFlags::SHARED, ring, from) };
        match producer {
            Ok(producer) => {
                // A fork would copy where each page lies; a child that has nothing of it is well, too.
                // SAFETY: our own mapping; a child that lacks it gets no reader either.
                let _ = unsafe { madvise(producer, length, Advice::LinuxDontFork) };
                Ok(Self { consumer, producer, ring_bytes, page_bytes })
            }
            Err(errno) => {
                // SAFETY: mapped above, known to nobody else.
                let _ = unsafe { munmap(consumer, page_bytes) };
                Err(SysError::of("mmap")(errno))
            }
        }
    }

    /// Hands over every record that is there, in order, and frees its room. Returns how many
    /// bytes of the ring that were.
    pub fn drain(&mut self, take: &mut dyn FnMut(&[u8])) -> u64 {
        let begun = self.consumed().load(Ordering::Relaxed);
        let mut at = begun;
        let end = self.produced().load(Ordering::Acquire);
        while at < end {
            let start = usize::try_from(at).unwrap_or(usize::MAX) & (self.ring_bytes - 1);
            // SAFETY: `start` is below the ring's size and aligned to 8, so the header lies in the mapping.
            let header = unsafe { &*self.records().add(start / HEADER_BYTES).cast::<AtomicU32>() };
            let header = header.load(Ordering::Acquire);
            if header & BUSY != 0 {
                break;
            }
            let length = header & !(BUSY | DISCARDED);
            if header & DISCARDED == 0 {
                // SAFETY: the kernel gives no record more room than the ring's size, so that it lies
                // in the doubled mapping; it does not change before its room is freed below.
                let record = unsafe {
                    std::slice::from_raw_parts(
                        self.records().cast::<u8>().add(start + HEADER_BYTES),
                        length as usize,
                    )
                };
                take(record);
            }
            at += (u64::from(length) + HEADER_BYTES as u64).next_multiple_of(8);
            self.consumed().store(at, Ordering::Release);
        }
        at - begun
    }

    /// The records, in the units to which they are aligned.
    fn records(&self) -> *const u64 {
        // SAFETY: one page into a mapping that is longer.
        unsafe { self.producer.cast::<u64>().cast_const().add(self.page_bytes / HEADER_BYTES) }
    }

    fn consumed(&self) -> &AtomicU64 {
        // SAFETY: the first word of a page that is mapped as long as `self` lives.
        unsafe { &*self.consumer.cast::<AtomicU64>() }
    }

    fn produced(&self) -> &AtomicU64 {
        // SAFETY: as above.
        unsafe { &*self.producer.cast::<AtomicU64>() }
    }
}

impl Drop for RingReader {
    fn drop(&mut self) {
        // SAFETY: our own mappings, into which no reference is left.
        let _ = unsafe { munmap(self.consumer, self.page_bytes) };
        // SAFETY: as above.
        let _ = unsafe { munmap(self.producer, self.page_bytes + 2 * self.ring_bytes) };
    }
}
