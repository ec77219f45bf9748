//! A mount namespace of this thread's own: what is mounted in it nobody else
//! sees, and it goes with the last process in it.

use crate::SysError;
use rustix::mount::{MountPropagationFlags, mount_change};
use rustix::process::{getgid, getuid};
use rustix::thread::{UnshareFlags, unshare_unsafe};

/// Moves the calling thread into a new mount namespace from which no mount
/// reaches another. Meant for a process with one thread.
pub fn enter_private() -> Result<(), SysError> {
    // SAFETY: the table of descriptors is not unshared, so every thread sees the same descriptors as before.
    unsafe { unshare_unsafe(UnshareFlags::NEWNS) }.map_err(SysError::of("unshare"))?;
    make_private()
}

/// The same, where that takes a right that this process does not have: in a user namespace of its own too, in
/// which its user and its group are what they are outside, and no others are. Takes a process with one thread.
pub fn enter_private_or_own() -> Result<(), SysError> {
    match enter_private() {
        Err(error) if error.errno() == Some(rustix::io::Errno::PERM) => {}
        done => return done,
    }
    let (user, group) = (getuid().as_raw(), getgid().as_raw());
    // SAFETY: as above.
    unsafe { unshare_unsafe(UnshareFlags::NEWUSER | UnshareFlags::NEWNS) }
        .map_err(SysError::of("unshare"))?;
    let files = [
        ("/proc/self/setgroups", "deny".to_owned()),
        ("/proc/self/uid_map", format!("{user} {user} 1")),
        ("/proc/self/gid_map", format!("{group} {group} 1")),
    ];
    for (file, text) in files {
        std::fs::write(file, text).map_err(|error| {
            let errno =
                error.raw_os_error().map_or(rustix::io::Errno::IO, rustix::io::Errno::from_raw_os_error);
            SysError::of("write of an id map")(errno)
        })?;
    }
    make_private()
}

fn make_private() -> Result<(), SysError> {
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", private).map_err(SysError::of("mount"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::mount::{MountFlags, mount};

    #[test]
    fn a_mount_of_one_thread_is_seen_by_no_other() {
        let directory = tempfile::tempdir().unwrap();
        let inside = directory.path().to_owned();
        let marked = std::thread::spawn(move || {
            enter_private()?;
            mount("fathom", &inside, "tmpfs", MountFlags::NODEV, None).map_err(SysError::of("mount"))?;
            std::fs::write(inside.join("mark"), "x").unwrap();
            Ok::<bool, SysError>(inside.join("mark").exists())
        });
        match marked.join().unwrap() {
            Ok(seen) => assert!(seen),
            Err(error) => {
                // Whoever may not mount is told so.
                assert_eq!(error.errno(), Some(rustix::io::Errno::PERM), "{error}");
            }
        }
        assert!(!directory.path().join("mark").exists());
    }
}
