//! The kernel's constants and structures of `io_uring`, for which the C library
//! has no functions. Declarations only; `ring` uses them.

use std::ffi::{c_long, c_uint};

pub(crate) const SYS_IO_URING_SETUP: c_long = 425;
pub(crate) const SYS_IO_URING_ENTER: c_long = 426;
pub(crate) const SYS_IO_URING_REGISTER: c_long = 427;

pub(crate) const IORING_OFF_SQ_RING: i64 = 0;
pub(crate) const IORING_OFF_SQES: i64 = 0x1000_0000;
pub(crate) const IORING_FEAT_SINGLE_MMAP: u32 = 1;
pub(crate) const IORING_ENTER_GETEVENTS: c_uint = 1;
pub(crate) const IORING_REGISTER_BUFFERS: c_uint = 0;
pub(crate) const IORING_REGISTER_FILES: c_uint = 2;
pub(crate) const IORING_UNREGISTER_FILES: c_uint = 3;
pub(crate) const IORING_OP_READ_FIXED: u8 = 4;
pub(crate) const IORING_OP_READ: u8 = 22;
pub(crate) const IOSQE_FIXED_FILE: u8 = 1;

/// `struct io_sqring_offsets`.
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct SubmissionOffsets {
    pub(crate) head: u32,
    pub(crate) tail: u32,
    pub(crate) ring_mask: u32,
    pub(crate) ring_entries: u32,
    flags: u32,
    dropped: u32,
    pub(crate) array: u32,
    reserved: u32,
    user_address: u64,
}

/// `struct io_cqring_offsets`.
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct CompletionOffsets {
    pub(crate) head: u32,
    pub(crate) tail: u32,
    pub(crate) ring_mask: u32,
    pub(crate) ring_entries: u32,
    overflow: u32,
    pub(crate) entries: u32,
    flags: u32,
    reserved: u32,
    user_address: u64,
}

/// `struct io_uring_params`.
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct RingParameters {
    pub(crate) submission_entries: u32,
    pub(crate) completion_entries: u32,
    flags: u32,
    thread_cpu: u32,
    thread_idle: u32,
    pub(crate) features: u32,
    workers_fd: u32,
    reserved: [u32; 3],
    pub(crate) submission: SubmissionOffsets,
    pub(crate) completion: CompletionOffsets,
}

/// `struct io_uring_sqe`, as a read uses it.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub(crate) struct Submission {
    pub(crate) opcode: u8,
    pub(crate) flags: u8,
    pub(crate) priority: u16,
    /// A descriptor, or the index of a registered one.
    pub(crate) fd: i32,
    pub(crate) offset: u64,
    pub(crate) address: u64,
    pub(crate) length: u32,
    pub(crate) read_flags: u32,
    pub(crate) user_data: u64,
    /// Which registered buffer.
    pub(crate) buffer_index: u16,
    pub(crate) personality: u16,
    pub(crate) file_index: i32,
    pub(crate) reserved: [u64; 2],
}

/// `struct io_uring_cqe`.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub(crate) struct Completion {
    pub(crate) user_data: u64,
    /// What the call would have answered; an error number less than 0.
    pub(crate) result: i32,
    flags: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_have_the_kernel_s_size() {
        assert_eq!((size_of::<Submission>(), size_of::<Completion>()), (64, 16));
        assert_eq!((size_of::<RingParameters>(), size_of::<SubmissionOffsets>()), (120, 40));
        assert_eq!(std::mem::offset_of!(Submission, buffer_index), 40);
        assert_eq!(std::mem::offset_of!(RingParameters, completion), 80);
    }
}
