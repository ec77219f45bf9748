//! Descriptors, streams and mappings that are written to, made safe: what
//! `posix` and `stdio` are to reading.

use super::failure::Failure;
use super::ffi::{self, PROT_READ, SEEK_SET};
use super::ffi_write::{self, FICLONE, Limit, MAP_SHARED, PROT_WRITE, RLIMIT_NOFILE};
use super::posix::{self, Fd};
use std::ffi::{CStr, c_int, c_void};
use std::ptr::NonNull;

/// Who may do what with a new file.
const MODE: c_int = 0o644;

/// `open` with the mode that `O_CREAT` asks for.
#[inline]
pub(crate) fn create(path: &CStr, flags: c_int) -> Result<Fd, Failure> {
    // SAFETY: the path ends in a null byte, and the mode is an int.
    posix::owned(unsafe { ffi::open(path.as_ptr(), flags, MODE) }, "open")
}

/// `openat` with the mode that `O_CREAT` asks for.
#[inline]
pub(crate) fn create_at(directory: &Fd, name: &CStr, flags: c_int) -> Result<Fd, Failure> {
    // SAFETY: the name ends in a null byte, and the mode is an int.
    posix::owned(unsafe { ffi::openat(directory.number(), name.as_ptr(), flags, MODE) }, "openat")
}

/// Raises the limit on descriptors as far as this process may, and tells it.
pub(crate) fn raise_descriptor_limit() -> u64 {
    let mut limit = Limit::default();
    // SAFETY: the structure has the C library's size.
    if unsafe { ffi_write::getrlimit(RLIMIT_NOFILE, &raw mut limit) } != 0 {
        return u64::MAX;
    }
    let raised = Limit { current: limit.most, most: limit.most };
    // SAFETY: as above.
    let result = unsafe { ffi_write::setrlimit(RLIMIT_NOFILE, &raw const raised) };
    if result == 0 { limit.most } else { limit.current }
}

impl Fd {
    /// `write` of all the data; once, unless the kernel takes less.
    #[inline]
    pub(crate) fn write(&self, data: &[u8]) -> Result<(), Failure> {
        // SAFETY: the kernel reads within the data.
        let write =
            |left: &[u8]| unsafe { ffi_write::write(self.number(), left.as_ptr().cast(), left.len()) };
        let mut left = data;
        loop {
            left = &left[counted(write(left), "write")?..];
            if left.is_empty() {
                return Ok(());
            }
        }
    }

    /// `pwrite` of all the data; once, unless the kernel takes less.
    #[inline]
    pub(crate) fn pwrite(&self, data: &[u8], offset: usize) -> Result<(), Failure> {
        let mut done = 0;
        loop {
            let left = &data[done..];
            let offset = posix::to_offset(offset + done);
            // SAFETY: the kernel reads within the data.
            let count = unsafe { ffi_write::pwrite(self.number(), left.as_ptr().cast(), left.len(), offset) };
            done += counted(count, "pwrite")?;
            if done == data.len() {
                return Ok(());
            }
        }
    }

    /// `fsync`.
    #[inline]
    pub(crate) fn sync(&self) -> Result<(), Failure> {
        // SAFETY: no memory is passed.
        zero(unsafe { ffi_write::fsync(self.number()) }, "fsync")
    }

    /// `syncfs`, of the file system that the file is on.
    #[inline]
    pub(crate) fn sync_file_system(&self) -> Result<(), Failure> {
        // SAFETY: no memory is passed.
        zero(unsafe { ffi_write::syncfs(self.number()) }, "syncfs")
    }

    /// `ftruncate`.
    pub(crate) fn truncate(&self, length: usize) -> Result<(), Failure> {
        // SAFETY: no memory is passed.
        zero(unsafe { ffi_write::ftruncate(self.number(), posix::to_offset(length)) }, "ftruncate")
    }

    /// `sendfile` of up to `count` bytes from where the other file stands.
    #[inline]
    pub(crate) fn send_from(&self, from: &Fd, count: usize) -> Result<usize, Failure> {
        // SAFETY: without an offset no memory is passed.
        let sent = unsafe { ffi_write::sendfile(self.number(), from.number(), std::ptr::null_mut(), count) };
        counted(sent, "sendfile")
    }

    /// `copy_file_range` of up to `count` bytes from where both files stand.
    #[inline]
    pub(crate) fn copy_range_from(&self, from: &Fd, count: usize) -> Result<usize, Failure> {
        let here = std::ptr::null_mut;
        // SAFETY: without offsets no memory is passed.
        let copied =
            unsafe { ffi_write::copy_file_range(from.number(), here(), self.number(), here(), count, 0) };
        counted(copied, "copy_file_range")
    }

    /// `ioctl(FICLONE)`: shares the other file's blocks.
    #[inline]
    pub(crate) fn clone_from(&self, from: &Fd) -> Result<(), Failure> {
        // SAFETY: the request takes a descriptor.
        zero(unsafe { ffi_write::ioctl(self.number(), FICLONE, from.number()) }, "ioctl")
    }
}

/// An open stream that is written to. `fclose` may fail where it has to write
/// what is left, so it is called by hand; a stream that is dropped was not needed.
#[derive(Debug)]
pub(crate) struct OutStream(NonNull<ffi::File>);

impl Drop for OutStream {
    fn drop(&mut self) {
        // SAFETY: the stream is ours and nobody uses it hereafter.
        unsafe { ffi_write::fclose(self.0.as_ptr()) };
    }
}

impl OutStream {
    /// `fopen` with a mode for writing.
    #[inline]
    pub(crate) fn open(path: &CStr, mode: &CStr) -> Result<Self, Failure> {
        // SAFETY: both strings end in a null byte.
        let stream = unsafe { ffi_write::fopen(path.as_ptr(), mode.as_ptr()) };
        NonNull::new(stream).map(Self).ok_or_else(|| Failure::last("fopen"))
    }

    /// `fwrite` of all the data.
    #[inline]
    pub(crate) fn write(&mut self, data: &[u8]) -> Result<(), Failure> {
        // SAFETY: the C library reads within the data.
        let count = unsafe { ffi_write::fwrite(data.as_ptr().cast(), 1, data.len(), self.0.as_ptr()) };
        if count == data.len() { Ok(()) } else { Err(Failure::last("fwrite")) }
    }

    /// `fseeko` to an offset from the start.
    pub(crate) fn seek(&mut self, offset: usize) -> Result<(), Failure> {
        // SAFETY: the stream is open.
        zero(unsafe { ffi_write::fseeko(self.0.as_ptr(), posix::to_offset(offset), SEEK_SET) }, "fseeko")
    }

    /// `fflush`.
    #[inline]
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        // SAFETY: the stream is open.
        zero(unsafe { ffi_write::fflush(self.0.as_ptr()) }, "fflush")
    }

    /// `fflush` and `fsync(fileno)`.
    #[inline]
    pub(crate) fn sync(&mut self) -> Result<(), Failure> {
        self.flush()?;
        // SAFETY: the stream is open.
        zero(unsafe { ffi_write::fsync(ffi_write::fileno(self.0.as_ptr())) }, "fsync")
    }

    /// `fclose`.
    #[inline]
    pub(crate) fn close(self) -> Result<(), Failure> {
        let stream = self.0.as_ptr();
        std::mem::forget(self);
        // SAFETY: the stream was ours and is forgotten.
        zero(unsafe { ffi_write::fclose(stream) }, "fclose")
    }
}

/// A shared mapping for writing; unmapped when it goes.
#[derive(Debug)]
pub(crate) struct SharedMapping {
    address: *mut c_void,
    length: usize,
}

// SAFETY: whoever has the mapping may use it and unmap it, whatever the thread.
unsafe impl Send for SharedMapping {}

impl Drop for SharedMapping {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and slices of it borrow from `self`.
        unsafe { ffi::munmap(self.address, self.length) };
    }
}

impl SharedMapping {
    /// `mmap` of `length` bytes (at least 1) with `MAP_SHARED`.
    pub(crate) fn new(fd: &Fd, length: usize) -> Result<Self, Failure> {
        Self::at(fd, length, 0)
    }

    /// The same from an offset on.
    pub(crate) fn at(fd: &Fd, length: usize, offset: i64) -> Result<Self, Failure> {
        let protection = PROT_READ | PROT_WRITE;
        // SAFETY: a new mapping where the kernel likes replaces nothing.
        let address =
            unsafe { ffi::mmap(std::ptr::null_mut(), length, protection, MAP_SHARED, fd.number(), offset) };
        if address.addr() == usize::MAX { Err(Failure::last("mmap")) } else { Ok(Self { address, length }) }
    }

    /// Where it begins.
    #[inline]
    pub(crate) fn start(&self) -> *mut c_void {
        self.address
    }

    /// The mapped bytes.
    #[inline]
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: mapped readable and writable for `length` bytes while `self` lives.
        unsafe { std::slice::from_raw_parts_mut(self.address.cast(), self.length) }
    }
}

#[inline]
fn counted(count: isize, call: &'static str) -> Result<usize, Failure> {
    usize::try_from(count).map_err(|_| Failure::last(call))
}

#[inline]
fn zero(result: c_int, call: &'static str) -> Result<(), Failure> {
    if result == 0 { Ok(()) } else { Err(Failure::last(call)) }
}
