//! Scratch directories of processes that died before they could clear up.

use super::held::{Location, empty_and_remove, is_ours, refused};
use super::marker::{self, Marker, start_of};
use super::tree::{DIRECTORY, list};
use super::{Patience, Removal, ScratchError};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{FlockOperation, Mode, OFlags, flock, fstat, open, openat};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A directory without a marker this young may be one that is just being made.
const SETTLED: Duration = Duration::from_mins(1);

/// Removes the scratch directories in `in_dir` that dead processes of this user
/// left: those whose marker is ours, whose maker is gone and whose lock is free.
/// Each that was found is told.
pub fn leftovers(in_dir: &Path) -> Result<Vec<Removal>, ScratchError> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let parent = open(in_dir, flags, Mode::empty()).map_err(refused("open", in_dir))?;
    let mut names = list(&parent).map_err(refused("list", in_dir))?;
    names.sort_unstable();
    let of_ours = names.into_iter().filter_map(|name| Some((pid_in(&name)?, name)));
    Ok(of_ours.filter_map(|(pid, name)| remove_leftover(in_dir, &parent, name, pid)).collect())
}

struct Leftover<'a> {
    directory: OwnedFd,
    parent: &'a OwnedFd,
    name: String,
    path: PathBuf,
}

impl Location for Leftover<'_> {
    fn parts(&self) -> (BorrowedFd<'_>, BorrowedFd<'_>, &str, &Path) {
        (self.directory.as_fd(), self.parent.as_fd(), &self.name, &self.path)
    }
}

/// `.fathom-PID-RANDOM`.
fn pid_in(name: &str) -> Option<u32> {
    let (pid, random) = name.strip_prefix(marker::DIRECTORY_PREFIX)?.split_once('-')?;
    let hexadecimal = random.len() == 8 && random.bytes().all(|byte| byte.is_ascii_hexdigit());
    pid.parse().ok().filter(|_| hexadecimal)
}

fn remove_leftover(in_dir: &Path, parent: &OwnedFd, name: String, pid: u32) -> Option<Removal> {
    let directory = openat(parent, &name, DIRECTORY, Mode::empty()).ok()?;
    let stat = fstat(&directory).ok().filter(is_ours)?;
    let leftover = Leftover { directory, parent, path: in_dir.join(&name), name };
    let claims = if let Some((file, found)) = open_marker(&leftover.directory) {
        // The lock is held for the maker's life, also in a process namespace we cannot see.
        let free = flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok();
        (found.pid == pid && !found.is_alive() && free).then_some(found.claims)?
    } else {
        let changed = SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(stat.st_mtime).ok()?);
        let settled = changed.elapsed().is_ok_and(|age| age > SETTLED);
        (start_of(pid).is_none() && settled && is_unused(&leftover.directory)).then(Vec::new)?
    };
    let removal = empty_and_remove(&leftover, &claims, None, &mut Patience::new(&leftover.path));
    Some(Removal { left_by: Some(pid), ..removal })
}

fn open_marker(directory: &OwnedFd) -> Option<(File, Marker)> {
    let (file, text) = read_marker(directory)?;
    Some((file, Marker::parse(&text)?))
}

fn read_marker(directory: &OwnedFd) -> Option<(File, String)> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = File::from(openat(directory, marker::NAME, flags, Mode::empty()).ok()?);
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    Some((file, text))
}

/// True when its maker was killed before it could claim a name: nothing is in it, or a marker
/// alone whose head is not whole.
fn is_unused(directory: &OwnedFd) -> bool {
    let Ok(names) = list(directory) else { return false };
    match names.as_slice() {
        [] => true,
        [only] if only == marker::NAME => {
            read_marker(directory).is_some_and(|(_, text)| marker::is_cut_head(&text))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{DirBuilderExt, symlink};

    /// What a process killed in the middle leaves behind.
    fn abandoned(place: &Path, pid: u32, claims: &str) -> PathBuf {
        let path = place.join(format!(".fathom-{pid}-0123abcd"));
        fs::DirBuilder::new().mode(0o700).create(&path).unwrap();
        let maker = Marker::of_this_process()
            .text()
            .replace(&format!("pid {}\n", std::process::id()), &format!("pid {pid}\n"));
        fs::write(path.join(marker::NAME), maker + claims).unwrap();
        fs::write(path.join("d0-000000"), "data").unwrap();
        path
    }

    /// No process has a number beyond the largest the kernel allows.
    const DEAD: u32 = 1 << 30;

    #[test]
    fn what_a_dead_process_left_goes_and_is_told() {
        let place = tempfile::tempdir().unwrap();
        let path = abandoned(place.path(), DEAD, "series 1 d0-\n");
        let found = leftovers(place.path()).unwrap();
        assert!(!path.exists());
        assert_eq!((found.len(), found[0].files, found[0].left_by), (1, 1, Some(DEAD)));
        assert!(found[0].to_string().contains(&format!("left by process {DEAD}")));
    }

    #[test]
    fn a_name_the_dead_never_claimed_stays() {
        let place = tempfile::tempdir().unwrap();
        let path = abandoned(place.path(), DEAD, "");
        let found = leftovers(place.path()).unwrap();
        assert_eq!(found[0].foreign, ["d0-000000"]);
        assert_eq!(fs::read_to_string(path.join("d0-000000")).unwrap(), "data");
    }

    #[test]
    fn a_living_maker_or_a_held_lock_protects() {
        let place = tempfile::tempdir().unwrap();
        let living = crate::files::scratch::Scratch::create(place.path()).unwrap();
        let mine = abandoned(place.path(), std::process::id(), "series 1 d0-\n");
        let locked = abandoned(place.path(), DEAD, "series 1 d0-\n");
        let lock = File::open(locked.join(marker::NAME)).unwrap();
        flock(&lock, FlockOperation::NonBlockingLockExclusive).unwrap();
        assert_eq!(leftovers(place.path()).unwrap(), []);
        assert!(
            living.path().exists() && mine.join("d0-000000").exists() && locked.join("d0-000000").exists()
        );
    }

    #[test]
    fn links_other_peoples_directories_and_other_names_are_let_be() {
        let place = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let target = abandoned(elsewhere.path(), DEAD, "series 1 d0-\n");
        symlink(&target, place.path().join(format!(".fathom-{DEAD}-0123abcd"))).unwrap();
        let unmarked = place.path().join(format!(".fathom-{DEAD}-00000000"));
        fs::DirBuilder::new().mode(0o700).create(&unmarked).unwrap();
        fs::write(unmarked.join("d0-000000"), "").unwrap();
        fs::create_dir(place.path().join(".fathom-notes")).unwrap();
        assert_eq!(leftovers(place.path()).unwrap(), []);
        assert!(target.join("d0-000000").exists() && unmarked.join("d0-000000").exists());
    }
}
