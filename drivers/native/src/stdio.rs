//! The C library's streams, made safe.

use super::failure::Failure;
use super::ffi;
use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// An open stream; closed when it goes.
#[derive(Debug)]
pub(crate) struct Stream(NonNull<ffi::File>);

impl Drop for Stream {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the stream is ours and nobody uses it hereafter.
        unsafe { ffi::fclose(self.0.as_ptr()) };
    }
}

/// What `getline` reads into, and enlarges where a line needs it.
#[derive(Debug)]
pub(crate) struct LineBuffer {
    start: *mut c_char,
    capacity: usize,
}

impl LineBuffer {
    /// No memory yet.
    pub(crate) fn new() -> Self {
        Self { start: std::ptr::null_mut(), capacity: 0 }
    }
}

impl Drop for LineBuffer {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: null or of the C library's malloc, and nobody uses it hereafter.
        unsafe { ffi::free(self.start.cast()) };
    }
}

impl Stream {
    /// `fopen(path, "r")`.
    #[inline]
    pub(crate) fn open(path: &CStr) -> Result<Self, Failure> {
        Self::open_as(path, c"r")
    }

    /// `fopen(path, "r+")`: the mode for writing that neither creates nor truncates.
    #[inline]
    pub(crate) fn open_for_update(path: &CStr) -> Result<Self, Failure> {
        Self::open_as(path, c"r+")
    }

    #[inline]
    fn open_as(path: &CStr, mode: &CStr) -> Result<Self, Failure> {
        // SAFETY: both strings end in a null byte.
        let stream = unsafe { ffi::fopen(path.as_ptr(), mode.as_ptr()) };
        NonNull::new(stream).map(Self).ok_or_else(|| Failure::last("fopen"))
    }

    /// `getline`: the next line with its newline, or `None` at the end of the file.
    #[inline]
    pub(crate) fn read_line<'b>(&mut self, line: &'b mut LineBuffer) -> Result<Option<&'b [u8]>, Failure> {
        let stream = self.0.as_ptr();
        // SAFETY: the buffer is null or of the C library's malloc, and has that capacity.
        let count = unsafe { ffi::getline(&raw mut line.start, &raw mut line.capacity, stream) };
        let Ok(count) = usize::try_from(count) else {
            // SAFETY: the stream is open.
            let at_end = unsafe { ffi::feof(stream) } != 0;
            return if at_end { Ok(None) } else { Err(Failure::last("getline")) };
        };
        // SAFETY: the C library has written that many bytes.
        Ok(Some(unsafe { std::slice::from_raw_parts(line.start.cast(), count) }))
    }

    /// `fseeko` to an offset from the start.
    #[inline]
    pub(crate) fn seek(&mut self, offset: usize) -> Result<(), Failure> {
        let offset = i64::try_from(offset).unwrap_or(i64::MAX);
        // SAFETY: the stream is open.
        let result = unsafe { ffi::fseeko(self.0.as_ptr(), offset, ffi::SEEK_SET) };
        if result == 0 { Ok(()) } else { Err(Failure::last("fseeko")) }
    }

    /// `fread` of as many bytes as the buffer holds; fewer at the end of the
    /// file, where `ferror` tells the end from a failure.
    #[inline]
    pub(crate) fn read<'b>(&mut self, buffer: &'b mut [MaybeUninit<u8>]) -> Result<&'b [u8], Failure> {
        let stream = self.0.as_ptr();
        // SAFETY: the C library writes within the buffer.
        let count = unsafe { ffi::fread(buffer.as_mut_ptr().cast(), 1, buffer.len(), stream) };
        // SAFETY: the stream is open.
        if count < buffer.len() && unsafe { ffi::ferror(stream) } != 0 {
            return Err(Failure::last("fread"));
        }
        // SAFETY: the C library has written the first `count` bytes.
        Ok(unsafe { buffer[..count].assume_init_ref() })
    }
}
