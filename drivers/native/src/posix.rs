//! Descriptors and mappings as a C programmer uses them, made safe: thin
//! wrappers that add an owner, a length and the failing call's name.

use super::failure::Failure;
use super::ffi::{self, Iovec, OpenHow, Stat, Statx};
use std::ffi::{CStr, c_int, c_long, c_void};
use std::mem::MaybeUninit;

/// An open descriptor; closed when it goes.
#[derive(Debug)]
pub(crate) struct Fd(c_int);

impl Drop for Fd {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the descriptor is ours and nobody uses it hereafter.
        unsafe { ffi::close(self.0) };
    }
}

/// `open`.
#[inline]
pub(crate) fn open(path: &CStr, flags: c_int) -> Result<Fd, Failure> {
    // SAFETY: the path ends in a null byte.
    owned(unsafe { ffi::open(path.as_ptr(), flags) }, "open")
}

/// `openat`, relative to a directory or else to the working directory.
#[inline]
pub(crate) fn openat(directory: Option<&Fd>, path: &CStr, flags: c_int) -> Result<Fd, Failure> {
    let directory = directory.map_or(ffi::AT_FDCWD, |fd| fd.0);
    // SAFETY: the path ends in a null byte.
    owned(unsafe { ffi::openat(directory, path.as_ptr(), flags) }, "openat")
}

/// openat2 through `syscall`, since the C library has no function for it.
#[inline]
pub(crate) fn openat2(path: &CStr, flags: c_int) -> Result<Fd, Failure> {
    let how = OpenHow { flags: flags.unsigned_abs().into(), ..OpenHow::default() };
    // SAFETY: the path ends in a null byte and the structure has the size given.
    let fd = unsafe {
        ffi::syscall(ffi::SYS_OPENAT2, ffi::AT_FDCWD, path.as_ptr(), &raw const how, size_of::<OpenHow>())
    };
    owned(to_fd(fd), "openat2")
}

/// The kernel's errno for an openat2 that can only fail: EINVAL where it exists.
pub(crate) fn openat2_errno() -> i32 {
    // SAFETY: a structure of size 0 is refused before anything is read.
    unsafe { ffi::syscall(ffi::SYS_OPENAT2, -1, c"".as_ptr(), std::ptr::null::<OpenHow>(), 0_usize) };
    Failure::last("openat2").errno
}

/// `syscall(SYS_open)`, or `SYS_openat` where there is no open, and `syscall(SYS_close)`.
#[inline]
pub(crate) fn open_close_by_syscall_function(path: &CStr) -> Result<(), Failure> {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the path ends in a null byte.
    let fd = unsafe { ffi::syscall(ffi::machine::SYS_OPEN, path.as_ptr(), ffi::O_RDONLY) };
    #[cfg(not(target_arch = "x86_64"))]
    // SAFETY: the path ends in a null byte.
    let fd = unsafe { ffi::syscall(ffi::SYS_OPENAT, ffi::AT_FDCWD, path.as_ptr(), ffi::O_RDONLY) };
    if fd < 0 {
        return Err(Failure::last("syscall"));
    }
    // SAFETY: the descriptor is ours and nobody uses it hereafter.
    unsafe { ffi::syscall(ffi::SYS_CLOSE, fd) };
    Ok(())
}

/// openat and close by the machine's own instruction, past the C library.
#[inline]
pub(crate) fn open_close_by_instruction(path: &CStr) -> Result<(), Failure> {
    let directory = isize::try_from(ffi::AT_FDCWD).expect("an int fits").cast_unsigned();
    // SAFETY: the path ends in a null byte.
    let fd = unsafe { ffi::machine::system_call(ffi::SYS_OPENAT, [directory, path.as_ptr() as usize, 0, 0]) };
    let Ok(fd) = usize::try_from(fd) else {
        return Err(Failure { call: "openat", errno: i32::try_from(-fd).unwrap_or(0) });
    };
    // SAFETY: the descriptor is ours and nobody uses it hereafter.
    unsafe { ffi::machine::system_call(ffi::SYS_CLOSE, [fd, 0, 0, 0]) };
    Ok(())
}

/// `access`: true when the path exists.
pub(crate) fn exists(path: &CStr) -> bool {
    // SAFETY: the path ends in a null byte.
    unsafe { ffi::access(path.as_ptr(), ffi::F_OK) == 0 }
}

impl Fd {
    /// Its number.
    #[inline]
    pub(crate) fn number(&self) -> c_int {
        self.0
    }

    /// `fstat`, for the size.
    #[inline]
    pub(crate) fn size(&self) -> Result<usize, Failure> {
        let mut stat = Stat::default();
        // SAFETY: the structure is no smaller than the C library's.
        if unsafe { ffi::fstat(self.0, &raw mut stat) } < 0 {
            return Err(Failure::last("fstat"));
        }
        Ok(usize::try_from(stat.size).unwrap_or(0))
    }

    /// The alignment that direct I/O asks of offsets: `Some(0)` when the file
    /// cannot have direct I/O, `None` when the kernel does not tell.
    pub(crate) fn direct_alignment_bytes(&self) -> Option<usize> {
        let mut facts = Statx::empty();
        // SAFETY: the path is empty and the structure has the kernel's size.
        let result = unsafe {
            ffi::syscall(
                ffi::SYS_STATX,
                self.0,
                c"".as_ptr(),
                ffi::AT_EMPTY_PATH,
                ffi::STATX_DIOALIGN,
                &raw mut facts,
            )
        };
        let known = result == 0 && facts.mask & ffi::STATX_DIOALIGN != 0;
        known
            .then(|| facts.dio_offset_align.max(facts.dio_memory_align))
            .and_then(|a| usize::try_from(a).ok())
    }

    /// `lseek` to an offset from the start.
    #[inline]
    pub(crate) fn seek(&self, offset: usize) -> Result<(), Failure> {
        // SAFETY: no memory is passed.
        let position = unsafe { ffi::lseek(self.0, to_offset(offset), ffi::SEEK_SET) };
        if position < 0 { Err(Failure::last("lseek")) } else { Ok(()) }
    }

    /// `read`.
    #[inline]
    pub(crate) fn read<'b>(&self, buffer: &'b mut [MaybeUninit<u8>]) -> Result<&'b [u8], Failure> {
        // SAFETY: the kernel writes within the buffer.
        let count = unsafe { ffi::read(self.0, buffer.as_mut_ptr().cast(), buffer.len()) };
        filled(buffer, count, "read")
    }

    /// `pread`.
    #[inline]
    pub(crate) fn pread<'b>(
        &self,
        buffer: &'b mut [MaybeUninit<u8>],
        offset: usize,
    ) -> Result<&'b [u8], Failure> {
        // SAFETY: the kernel writes within the buffer.
        let count =
            unsafe { ffi::pread(self.0, buffer.as_mut_ptr().cast(), buffer.len(), to_offset(offset)) };
        filled(buffer, count, "pread")
    }

    /// `readv` into one buffer.
    #[inline]
    pub(crate) fn readv<'b>(&self, buffer: &'b mut [MaybeUninit<u8>]) -> Result<&'b [u8], Failure> {
        let piece = Iovec { base: buffer.as_mut_ptr().cast(), length: buffer.len() };
        // SAFETY: the one piece is the buffer.
        let count = unsafe { ffi::readv(self.0, &raw const piece, 1) };
        filled(buffer, count, "readv")
    }

    /// `preadv2` into one buffer, without flags.
    #[inline]
    pub(crate) fn preadv2<'b>(
        &self,
        buffer: &'b mut [MaybeUninit<u8>],
        offset: usize,
    ) -> Result<&'b [u8], Failure> {
        let piece = Iovec { base: buffer.as_mut_ptr().cast(), length: buffer.len() };
        // SAFETY: the one piece is the buffer.
        let count = unsafe { ffi::preadv2(self.0, &raw const piece, 1, to_offset(offset), 0) };
        filled(buffer, count, "preadv2")
    }

    /// `posix_fadvise` for the whole file.
    pub(crate) fn advise(&self, advice: c_int) -> Result<(), Failure> {
        // SAFETY: no memory is passed.
        let errno = unsafe { ffi::posix_fadvise(self.0, 0, 0, advice) };
        if errno == 0 { Ok(()) } else { Err(Failure { call: "posix_fadvise", errno }) }
    }
}

/// A private mapping of a file's first bytes; unmapped when it goes.
#[derive(Debug)]
pub(crate) struct Mapping {
    address: *mut c_void,
    length: usize,
}

// SAFETY: memory that is only read may be read and unmapped by any thread.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Drop for Mapping {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and slices of it borrow from `self`.
        unsafe { ffi::munmap(self.address, self.length) };
    }
}

impl Mapping {
    /// `mmap` of `length` bytes (at least 1), with `MAP_PRIVATE` and more flags.
    #[inline]
    pub(crate) fn new(fd: &Fd, length: usize, more_flags: c_int) -> Result<Self, Failure> {
        let flags = ffi::MAP_PRIVATE | more_flags;
        // SAFETY: a new mapping where the kernel likes replaces nothing.
        let address = unsafe { ffi::mmap(std::ptr::null_mut(), length, ffi::PROT_READ, flags, fd.0, 0) };
        if address.addr() == usize::MAX { Err(Failure::last("mmap")) } else { Ok(Self { address, length }) }
    }

    /// `madvise` for all of it.
    #[inline]
    pub(crate) fn advise(&self, advice: c_int) -> Result<(), Failure> {
        // SAFETY: the range is this mapping.
        let result = unsafe { ffi::madvise(self.address, self.length, advice) };
        if result == 0 { Ok(()) } else { Err(Failure::last("madvise")) }
    }

    /// The mapped bytes. The file must not shrink meanwhile (SIGBUS).
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: mapped readable for `length` bytes while `self` lives.
        unsafe { std::slice::from_raw_parts(self.address.cast(), self.length) }
    }
}

/// A descriptor that a call has just answered.
#[inline]
pub(crate) fn owned(fd: c_int, call: &'static str) -> Result<Fd, Failure> {
    if fd < 0 { Err(Failure::last(call)) } else { Ok(Fd(fd)) }
}

#[inline]
fn to_fd(result: c_long) -> c_int {
    c_int::try_from(result).unwrap_or(-1)
}

/// An offset as the C library takes it.
#[inline]
pub(crate) fn to_offset(offset: usize) -> i64 {
    i64::try_from(offset).unwrap_or(i64::MAX)
}

#[inline]
fn filled<'b>(
    buffer: &'b mut [MaybeUninit<u8>],
    count: isize,
    call: &'static str,
) -> Result<&'b [u8], Failure> {
    let Ok(count) = usize::try_from(count) else { return Err(Failure::last(call)) };
    // SAFETY: the kernel has written the first `count` bytes.
    Ok(unsafe { buffer[..count].assume_init_ref() })
}
