//! Calls by path in their oldest form, without a directory descriptor: what the C
//! library makes of `unlink`, `rename` and their kin where the architecture still
//! has them. rustix makes the newer form of each.
//!
//! Architectures younger than the newer form (aarch64, riscv64) have none of
//! these: there each answers `ENOSYS`.

use crate::SysError;
use std::ffi::CStr;

/// `access`: whether the file may be read by the real user.
pub fn access_for_reading(path: &CStr) -> Result<(), SysError> {
    call::access_for_reading(path)
}

/// `readlink` into a buffer: the bytes of the target that were put there.
pub fn readlink(path: &CStr, buffer: &mut [u8]) -> Result<usize, SysError> {
    call::readlink(path, buffer)
}

/// `unlink`.
pub fn unlink(path: &CStr) -> Result<(), SysError> {
    call::unlink(path)
}

/// `rename`.
pub fn rename(from: &CStr, to: &CStr) -> Result<(), SysError> {
    call::rename(from, to)
}

/// `mkdir` with mode 0700.
pub fn mkdir(path: &CStr) -> Result<(), SysError> {
    call::mkdir(path)
}

/// `rmdir`.
pub fn rmdir(path: &CStr) -> Result<(), SysError> {
    call::rmdir(path)
}

/// `symlink`: a link to `target`, as it is, under `path`.
pub fn symlink(target: &CStr, path: &CStr) -> Result<(), SysError> {
    call::symlink(target, path)
}

#[cfg(target_arch = "x86_64")]
mod call {
    use crate::SysError;
    use std::ffi::CStr;

    fn check(call: &'static str, result: libc::c_long) -> Result<(), SysError> {
        if result == 0 { Ok(()) } else { Err(SysError::last(call)) }
    }

    pub(super) fn access_for_reading(path: &CStr) -> Result<(), SysError> {
        // SAFETY: the path is a C string that outlives the call.
        check("access", unsafe { libc::syscall(libc::SYS_access, path.as_ptr(), libc::R_OK) })
    }

    pub(super) fn readlink(path: &CStr, buffer: &mut [u8]) -> Result<usize, SysError> {
        // SAFETY: the kernel writes at most the length of the buffer, and both outlive the call.
        let result =
            unsafe { libc::syscall(libc::SYS_readlink, path.as_ptr(), buffer.as_mut_ptr(), buffer.len()) };
        usize::try_from(result).map_err(|_| SysError::last("readlink"))
    }

    pub(super) fn unlink(path: &CStr) -> Result<(), SysError> {
        // SAFETY: the path is a C string that outlives the call.
        check("unlink", unsafe { libc::syscall(libc::SYS_unlink, path.as_ptr()) })
    }

    pub(super) fn rename(from: &CStr, to: &CStr) -> Result<(), SysError> {
        // SAFETY: both paths are C strings that outlive the call.
        check("rename", unsafe { libc::syscall(libc::SYS_rename, from.as_ptr(), to.as_ptr()) })
    }

    pub(super) fn mkdir(path: &CStr) -> Result<(), SysError> {
        // SAFETY: the path is a C string that outlives the call.
        check("mkdir", unsafe { libc::syscall(libc::SYS_mkdir, path.as_ptr(), 0o700) })
    }

    pub(super) fn rmdir(path: &CStr) -> Result<(), SysError> {
        // SAFETY: the path is a C string that outlives the call.
        check("rmdir", unsafe { libc::syscall(libc::SYS_rmdir, path.as_ptr()) })
    }

    pub(super) fn symlink(target: &CStr, path: &CStr) -> Result<(), SysError> {
        // SAFETY: both are C strings that outlive the call.
        check("symlink", unsafe { libc::syscall(libc::SYS_symlink, target.as_ptr(), path.as_ptr()) })
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod call {
    use crate::SysError;
    use rustix::io::Errno;
    use std::ffi::CStr;

    fn missing<T>(call: &'static str) -> Result<T, SysError> {
        Err(SysError::Refused { call, errno: Errno::NOSYS })
    }

    pub(super) fn access_for_reading(_: &CStr) -> Result<(), SysError> {
        missing("access")
    }

    pub(super) fn readlink(_: &CStr, _: &mut [u8]) -> Result<usize, SysError> {
        missing("readlink")
    }

    pub(super) fn unlink(_: &CStr) -> Result<(), SysError> {
        missing("unlink")
    }

    pub(super) fn rename(_: &CStr, _: &CStr) -> Result<(), SysError> {
        missing("rename")
    }

    pub(super) fn mkdir(_: &CStr) -> Result<(), SysError> {
        missing("mkdir")
    }

    pub(super) fn rmdir(_: &CStr) -> Result<(), SysError> {
        missing("rmdir")
    }

    pub(super) fn symlink(_: &CStr, _: &CStr) -> Result<(), SysError> {
        missing("symlink")
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use rustix::io::Errno;
    use std::ffi::CString;

    #[test]
    fn each_does_what_its_name_says() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| CString::new(format!("{}/{name}", folder.path().display())).unwrap();
        mkdir(&path("a")).unwrap();
        rename(&path("a"), &path("b")).unwrap();
        access_for_reading(&path("b")).unwrap();
        rmdir(&path("b")).unwrap();
        symlink(c"nowhere", &path("link")).unwrap();
        let mut buffer = [0; 32];
        assert_eq!(readlink(&path("link"), &mut buffer).unwrap(), 7);
        assert_eq!(&buffer[..7], b"nowhere");
        assert_eq!(access_for_reading(&path("link")).unwrap_err().errno(), Some(Errno::NOENT));
        unlink(&path("link")).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        assert_eq!(
            unlink(&path("link")).unwrap_err().to_string(),
            "unlink: No such file or directory (os error 2)"
        );
    }
}
