//! Removing a directory of ours with everything below it: by descriptors, never
//! through a symbolic link, never onto another file system.

use super::held::{DIRECTORY, list};
use rustix::fd::BorrowedFd;
use rustix::fs::{AtFlags, Mode, fstat, openat, unlinkat};
use rustix::io::Errno;
use std::os::fd::AsFd;

/// Deeper than any tree that Fathom or a driver makes.
const DEPTH_MAX: u32 = 300;

/// Removes the directory `name` in `parent`. The number of files removed, or
/// what stayed and why.
pub(crate) fn remove(parent: BorrowedFd<'_>, name: &str) -> Result<u64, String> {
    remove_below(parent, name, DEPTH_MAX)
}

fn remove_below(parent: BorrowedFd<'_>, name: &str, depth: u32) -> Result<u64, String> {
    let failed = |errno: Errno| format!("{name}: {errno}");
    if depth == 0 {
        return Err(format!("{name}: nested too deeply"));
    }
    let directory = openat(parent, name, DIRECTORY, Mode::empty()).map_err(failed)?;
    let device = |fd: BorrowedFd<'_>| fstat(fd).map(|stat| stat.st_dev).map_err(failed);
    if device(directory.as_fd())? != device(parent)? {
        return Err(format!("{name}: another file system is mounted there"));
    }
    let mut files = 0;
    for entry in list(&directory).map_err(failed)? {
        match unlinkat(&directory, entry.as_str(), AtFlags::empty()) {
            Ok(()) => files += 1,
            Err(Errno::NOENT) => {}
            Err(Errno::ISDIR | Errno::PERM) => {
                let below = remove_below(directory.as_fd(), &entry, depth - 1);
                files += below.map_err(|problem| format!("{name}/{problem}"))?;
            }
            Err(errno) => return Err(format!("{name}/{entry}: {errno}")),
        }
    }
    unlinkat(parent, name, AtFlags::REMOVEDIR).map_err(failed)?;
    Ok(files)
}
