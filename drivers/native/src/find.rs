//! The C library's search in memory, made safe.

use super::ffi;

/// `memchr`: where the byte first is.
#[inline]
pub(crate) fn find_byte(bytes: &[u8], byte: u8) -> Option<usize> {
    // SAFETY: the C library reads within the slice.
    let found = unsafe { ffi::memchr(bytes.as_ptr().cast(), byte.into(), bytes.len()) };
    (!found.is_null()).then(|| found.addr() - bytes.as_ptr().addr())
}

/// `memmem`: where the word first is.
#[inline]
pub(crate) fn find_word(bytes: &[u8], word: &[u8]) -> Option<usize> {
    // SAFETY: the C library reads within the slices.
    let found = unsafe { ffi::memmem(bytes.as_ptr().cast(), bytes.len(), word.as_ptr().cast(), word.len()) };
    (!found.is_null()).then(|| found.addr() - bytes.as_ptr().addr())
}
