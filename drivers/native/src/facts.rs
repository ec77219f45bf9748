//! What the file system says of a file by which a changed one can be told.

use super::failure::Failure;
use super::ffi::{self, Stat, Statx};
use super::open_close::as_path;
use std::ffi::CStr;
use std::os::unix::fs::MetadataExt;

/// As long as these are the same, so is the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Facts {
    inode: u64,
    size: u64,
    modified_seconds: i64,
    modified_nanoseconds: i64,
}

/// `stat`.
#[inline]
pub(crate) fn stat(path: &CStr) -> Result<Facts, Failure> {
    let mut stat = Stat::default();
    // SAFETY: the path ends in a null byte, and the structure is no smaller than the C library's.
    if unsafe { ffi::stat(path.as_ptr(), &raw mut stat) } < 0 {
        return Err(Failure::last("stat"));
    }
    Ok(Facts {
        inode: stat.inode,
        size: stat.size.cast_unsigned(),
        modified_seconds: stat.modified.seconds,
        modified_nanoseconds: stat.modified.nanoseconds,
    })
}

/// statx through `syscall`, asking for no more than it needs.
#[inline]
pub(crate) fn statx(path: &CStr) -> Result<Facts, Failure> {
    let mut facts = Statx::empty();
    let mask = ffi::STATX_MTIME | ffi::STATX_INO | ffi::STATX_SIZE;
    // SAFETY: the path ends in a null byte, and the structure has the kernel's size.
    let result =
        unsafe { ffi::syscall(ffi::SYS_STATX, ffi::AT_FDCWD, path.as_ptr(), 0, mask, &raw mut facts) };
    if result < 0 {
        return Err(Failure::last("statx"));
    }
    Ok(Facts {
        inode: facts.inode,
        size: facts.size,
        modified_seconds: facts.modified_seconds,
        modified_nanoseconds: facts.modified_nanoseconds.into(),
    })
}

/// `std::fs::metadata`.
#[inline]
pub(crate) fn metadata(path: &CStr) -> Result<Facts, Failure> {
    let metadata = std::fs::metadata(as_path(path));
    let metadata = metadata.map_err(|error| Failure::of("std::fs::metadata", &error))?;
    Ok(Facts {
        inode: metadata.ino(),
        size: metadata.len(),
        modified_seconds: metadata.mtime(),
        modified_nanoseconds: metadata.mtime_nsec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CString;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn every_way_gives_the_same_facts() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "five.").unwrap();
        let path = CString::new(file.path().as_os_str().as_bytes()).unwrap();
        let facts = metadata(&path).unwrap();
        assert!(facts.size == 5 && facts.inode > 0 && facts.modified_seconds > 1_000_000_000, "{facts:?}");
        assert_eq!((stat(&path).unwrap(), statx(&path).unwrap()), (facts, facts));
    }
}
