//! The C library's streams, made safe.

use super::failure::Failure;
use super::ffi;
use std::ffi::CStr;
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

impl Stream {
    /// `fopen(path, "r")`.
    #[inline]
    pub(crate) fn open(path: &CStr) -> Result<Self, Failure> {
        // SAFETY: both strings end in a null byte.
        let stream = unsafe { ffi::fopen(path.as_ptr(), c"r".as_ptr()) };
        NonNull::new(stream).map(Self).ok_or_else(|| Failure::last("fopen"))
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
