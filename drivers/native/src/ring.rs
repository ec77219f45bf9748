//! One `io_uring`, by raw system calls: its two queues and what is registered
//! with it. Which reads are in flight, and into what memory, its user knows.

use super::failure::Failure;
use super::ffi::{self, Iovec};
use super::ffi_ring::{
    Completion, IORING_ENTER_GETEVENTS, IORING_FEAT_SINGLE_MMAP, IORING_OFF_SQ_RING, IORING_OFF_SQES,
    IORING_REGISTER_BUFFERS, IORING_REGISTER_FILES, IORING_UNREGISTER_FILES, RingParameters,
    SYS_IO_URING_ENTER, SYS_IO_URING_REGISTER, SYS_IO_URING_SETUP, Submission,
};
use super::posix::{self, Fd};
use super::posix_write::SharedMapping;
use std::ffi::{c_int, c_long, c_uint, c_void};
use std::sync::atomic::{AtomicU32, Ordering};

const EINTR: i32 = 4;
const ENOSYS: i32 = 38;

/// A ring of the kernel.
#[derive(Debug)]
pub(crate) struct Ring {
    queues: SharedMapping,
    submissions: SharedMapping,
    parameters: RingParameters,
    /// Entries written so far and those the kernel has taken, counted without end.
    written: u32,
    taken: u32,
    fd: Fd,
}

impl Ring {
    /// A ring for so many reads in flight at once.
    pub(crate) fn new(entries: usize) -> Result<Self, Failure> {
        let mut parameters = RingParameters::default();
        let entries = c_uint::try_from(entries).unwrap_or(c_uint::MAX);
        // SAFETY: the kernel fills the structure, which has its size.
        let fd = unsafe { ffi::syscall(SYS_IO_URING_SETUP, entries, &raw mut parameters) };
        let fd = posix::owned(c_int::try_from(fd).unwrap_or(-1), "io_uring_setup")?;
        if parameters.features & IORING_FEAT_SINGLE_MMAP == 0 {
            // Kernels before 5.4, which have no plain reads either.
            return Err(Failure { call: "io_uring_setup", errno: ENOSYS });
        }
        let (submission, completion) = (&parameters.submission, &parameters.completion);
        let array_end = submission.array as usize + parameters.submission_entries as usize * size_of::<u32>();
        let entries_end =
            completion.entries as usize + parameters.completion_entries as usize * size_of::<Completion>();
        let queues = SharedMapping::at(&fd, array_end.max(entries_end), IORING_OFF_SQ_RING)?;
        let length = parameters.submission_entries as usize * size_of::<Submission>();
        let submissions = SharedMapping::at(&fd, length, IORING_OFF_SQES)?;
        let mut ring = Self { queues, submissions, parameters, written: 0, taken: 0, fd };
        ring.order_entries();
        Ok(ring)
    }

    /// Entries are taken in the order of their places, now and for good.
    fn order_entries(&mut self) {
        let array = self.parameters.submission.array as usize;
        let indices = self.queues.bytes()[array..].chunks_exact_mut(size_of::<u32>());
        for (index, place) in (0..self.parameters.submission_entries).zip(indices) {
            place.copy_from_slice(&index.to_ne_bytes());
        }
    }

    /// Writes an entry, which the next `enter` hands over.
    ///
    /// # Safety
    /// The memory it names must be the kernel's alone until its completion is
    /// taken, and no more entries may be in flight than the ring was made for.
    #[inline]
    pub(crate) unsafe fn push(&mut self, submission: Submission) {
        let index = (self.written & (self.parameters.submission_entries - 1)) as usize;
        let places = self.submissions.start().cast::<Submission>();
        // SAFETY: the index is within the mapping, whose entries have this layout.
        unsafe { places.add(index).write(submission) };
        self.written = self.written.wrapping_add(1);
        self.counter(self.parameters.submission.tail).store(self.written, Ordering::Release);
    }

    /// `io_uring_enter`: hands over what was written and waits for one completion.
    #[inline]
    pub(crate) fn enter(&mut self) -> Result<(), Failure> {
        loop {
            let new = self.written.wrapping_sub(self.taken);
            let no_signals = std::ptr::null::<c_void>();
            // SAFETY: no memory is passed but what `push` was promised.
            let taken = unsafe {
                ffi::syscall(
                    SYS_IO_URING_ENTER,
                    self.fd.number(),
                    new,
                    1_u32,
                    IORING_ENTER_GETEVENTS,
                    no_signals,
                    0_usize,
                )
            };
            if let Ok(taken) = u32::try_from(taken) {
                self.taken = self.taken.wrapping_add(taken);
                return Ok(());
            }
            let failure = Failure::last("io_uring_enter");
            if failure.errno != EINTR {
                return Err(failure);
            }
        }
    }

    /// The next completion that has come.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Completion> {
        let offsets = &self.parameters.completion;
        let head = self.counter(offsets.head).load(Ordering::Relaxed);
        if head == self.counter(offsets.tail).load(Ordering::Acquire) {
            return None;
        }
        let index = (head & (self.parameters.completion_entries - 1)) as usize;
        let place = offsets.entries as usize + index * size_of::<Completion>();
        // SAFETY: the entry is within the mapping and aligned, and the kernel has written it.
        let completion = unsafe { self.queues.start().byte_add(place).cast::<Completion>().read() };
        self.counter(offsets.head).store(head.wrapping_add(1), Ordering::Release);
        Some(completion)
    }

    /// `IORING_REGISTER_BUFFERS`.
    ///
    /// # Safety
    /// The memory must last as long as the ring.
    pub(crate) unsafe fn register_buffers(&self, buffers: &[Iovec]) -> Result<(), Failure> {
        self.register(IORING_REGISTER_BUFFERS, buffers.as_ptr().cast(), buffers.len())
    }

    /// `IORING_REGISTER_FILES`; each is known by its index thereafter.
    pub(crate) fn register_files(&self, files: &[Fd]) -> Result<(), Failure> {
        let numbers: Vec<c_int> = files.iter().map(Fd::number).collect();
        self.register(IORING_REGISTER_FILES, numbers.as_ptr().cast(), numbers.len())
    }

    /// `IORING_UNREGISTER_FILES`.
    pub(crate) fn unregister_files(&self) -> Result<(), Failure> {
        self.register(IORING_UNREGISTER_FILES, std::ptr::null(), 0)
    }

    fn register(&self, what: c_uint, arguments: *const c_void, count: usize) -> Result<(), Failure> {
        // SAFETY: as many arguments as said, of the kind that the caller names.
        let result: c_long =
            unsafe { ffi::syscall(SYS_IO_URING_REGISTER, self.fd.number(), what, arguments, count) };
        if result < 0 { Err(Failure::last("io_uring_register")) } else { Ok(()) }
    }

    /// A counter that the kernel shares.
    #[inline]
    fn counter(&self, offset: u32) -> &AtomicU32 {
        // SAFETY: the kernel says that an aligned counter stands there in the mapping.
        unsafe { AtomicU32::from_ptr(self.queues.start().byte_add(offset as usize).cast()) }
    }
}
