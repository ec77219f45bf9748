//! Listing a directory, and removing one of ours with everything below it: by descriptors,
//! never through a symbolic link, never onto another file system.

use super::Patience;
use rustix::fd::BorrowedFd;
use rustix::fs::{AtFlags, Dir, Mode, OFlags, fstat, openat, unlinkat};
use rustix::io::Errno;
use std::os::fd::AsFd;

/// How a directory is opened: itself, never what a link leads to.
pub(crate) const DIRECTORY: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
/// Deeper than any tree that Fathom or a driver makes.
const DEPTH_MAX: u32 = 300;

/// The names in a directory, other than `.` and `..`, each as it is (names that are
/// no UTF-8 are never ours, so an approximation in the report does).
pub(crate) fn list(directory: impl AsFd) -> Result<Vec<String>, Errno> {
    let mut names = Vec::new();
    for entry in Dir::read_from(directory)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name != "." && name != ".." {
            names.push(name);
        }
    }
    Ok(names)
}

/// Removes the directory `name` in `parent`. The number of files removed, or
/// what stayed and why.
pub(crate) fn remove(parent: BorrowedFd<'_>, name: &str, patience: &mut Patience<'_>) -> Result<u64, String> {
    remove_below(parent, name, patience, DEPTH_MAX)
}

fn remove_below(
    parent: BorrowedFd<'_>,
    name: &str,
    patience: &mut Patience<'_>,
    depth: u32,
) -> Result<u64, String> {
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
            Ok(()) => {
                files += 1;
                patience.removed_one().map_err(|given_up| given_up.to_string())?;
            }
            Err(Errno::NOENT) => {}
            Err(Errno::ISDIR | Errno::PERM) => {
                let below = remove_below(directory.as_fd(), &entry, patience, depth - 1);
                files += below.map_err(|problem| format!("{name}/{problem}"))?;
            }
            Err(errno) => return Err(format!("{name}/{entry}: {errno}")),
        }
    }
    unlinkat(parent, name, AtFlags::REMOVEDIR).map_err(failed)?;
    Ok(files)
}
