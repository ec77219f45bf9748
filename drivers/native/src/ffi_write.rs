//! The C library's functions and the kernel's constants for writing, making,
//! copying and syncing files. Declarations only; `posix_write` calls them.

use super::ffi::File;
use std::ffi::{c_char, c_int, c_ulong, c_void};

pub(crate) const O_RDWR: c_int = 2;
pub(crate) const O_CREAT: c_int = 0o100;
pub(crate) const O_TRUNC: c_int = 0o1000;
pub(crate) const O_DSYNC: c_int = 0o10_000;
pub(crate) const PROT_WRITE: c_int = 2;
pub(crate) const MAP_SHARED: c_int = 1;
pub(crate) const RLIMIT_NOFILE: c_int = 7;
/// `_IOW(0x94, 9, int)`.
pub(crate) const FICLONE: c_ulong = 0x4004_9409;

/// `struct rlimit`.
#[derive(Default)]
#[repr(C)]
pub(crate) struct Limit {
    pub(crate) current: u64,
    pub(crate) most: u64,
}

unsafe extern "C" {
    pub(crate) fn write(fd: c_int, data: *const c_void, count: usize) -> isize;
    pub(crate) fn pwrite(fd: c_int, data: *const c_void, count: usize, offset: i64) -> isize;
    pub(crate) fn fsync(fd: c_int) -> c_int;
    pub(crate) fn syncfs(fd: c_int) -> c_int;
    pub(crate) fn ftruncate(fd: c_int, length: i64) -> c_int;
    pub(crate) fn sendfile(to: c_int, from: c_int, offset: *mut i64, count: usize) -> isize;
    pub(crate) fn copy_file_range(
        from: c_int,
        from_offset: *mut i64,
        to: c_int,
        to_offset: *mut i64,
        count: usize,
        flags: u32,
    ) -> isize;
    pub(crate) fn ioctl(fd: c_int, request: c_ulong, ...) -> c_int;
    pub(crate) fn getrlimit(resource: c_int, limit: *mut Limit) -> c_int;
    pub(crate) fn setrlimit(resource: c_int, limit: *const Limit) -> c_int;
    pub(crate) fn fwrite(data: *const c_void, size: usize, count: usize, stream: *mut File) -> usize;
    pub(crate) fn fflush(stream: *mut File) -> c_int;
    pub(crate) fn fileno(stream: *mut File) -> c_int;
    pub(crate) fn fclose(stream: *mut File) -> c_int;
    pub(crate) fn fopen(path: *const c_char, mode: *const c_char) -> *mut File;
    pub(crate) fn fseeko(stream: *mut File, offset: i64, whence: c_int) -> c_int;
}
