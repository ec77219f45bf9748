//! Small calls that rustix makes in another form, or not at all: each function is
//! that one call and nothing else.

use crate::SysError;
use rustix::fd::{AsFd, AsRawFd};
use std::mem::MaybeUninit;

/// The same on every architecture that Fathom knows; musl's headers have it not everywhere.
const TCGETS: libc::c_long = 0x5401;

/// `ioctl` `TCGETS`: whether the descriptor is a terminal. `ENOTTY` when it is none.
pub fn terminal_settings(fd: impl AsFd) -> Result<(), SysError> {
    // More than the structure has on any architecture.
    let mut settings = MaybeUninit::<[u64; 32]>::uninit();
    // SAFETY: the kernel writes its `struct termios` of less than 256 bytes there.
    let result =
        unsafe { libc::syscall(libc::SYS_ioctl, fd.as_fd().as_raw_fd(), TCGETS, settings.as_mut_ptr()) };
    if result == 0 { Ok(()) } else { Err(SysError::last("ioctl")) }
}

/// `getcwd` into a buffer: the bytes of the path, with its final zero.
pub fn current_directory(buffer: &mut [u8]) -> Result<usize, SysError> {
    // SAFETY: the kernel writes at most the length of the buffer.
    let result = unsafe { libc::syscall(libc::SYS_getcwd, buffer.as_mut_ptr(), buffer.len()) };
    usize::try_from(result).map_err(|_| SysError::last("getcwd"))
}

/// `rt_sigprocmask` that only asks which signals are blocked.
pub fn blocked_signals() -> Result<u64, SysError> {
    let mut mask = 0_u64;
    // SAFETY: with no new set nothing changes; the kernel writes the eight bytes that it is told.
    let result = unsafe {
        libc::syscall(
            libc::SYS_rt_sigprocmask,
            libc::SIG_BLOCK,
            std::ptr::null::<u64>(),
            std::ptr::from_mut(&mut mask),
            size_of::<u64>(),
        )
    };
    if result == 0 { Ok(mask) } else { Err(SysError::last("rt_sigprocmask")) }
}

/// `brk` of 0: where the heap's end is.
pub fn program_break() -> u64 {
    // SAFETY: a break below the heap is refused by answering the present one; nothing changes.
    unsafe { libc::syscall(libc::SYS_brk, 0_u64) }.cast_unsigned()
}

/// `close` with its answer, which dropping a descriptor does not tell.
pub fn close(fd: rustix::fd::OwnedFd) -> Result<(), SysError> {
    use rustix::fd::IntoRawFd;
    let raw = fd.into_raw_fd();
    // SAFETY: the descriptor was ours alone, and is gone after the call whatever it answers.
    let result = unsafe { libc::syscall(libc::SYS_close, raw) };
    if result == 0 { Ok(()) } else { Err(SysError::last("close")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::io::Errno;

    #[test]
    fn each_answers_as_its_page_says() {
        let file = tempfile::tempfile().unwrap();
        assert_eq!(terminal_settings(&file).unwrap_err().errno(), Some(Errno::NOTTY));
        let mut buffer = [0; 4096];
        let length = current_directory(&mut buffer).unwrap();
        let here = std::env::current_dir().unwrap();
        assert_eq!(&buffer[..length - 1], here.as_os_str().as_encoded_bytes());
        assert_eq!(current_directory(&mut []).unwrap_err().errno(), Some(Errno::RANGE));
        blocked_signals().unwrap();
        assert!(program_break() > 0);
        close(file.into()).unwrap();
    }
}
