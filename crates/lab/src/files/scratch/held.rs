//! A scratch directory as it is held: the descriptors, the claimed names, and
//! how it is emptied.

use super::marker::{self, Claim, Marker};
use super::tree::{DIRECTORY, list};
use super::{Patience, Removal, ScratchError, Series, tree};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{
    AtFlags, FlockOperation, Mode, OFlags, Stat, fchmod, flock, fstat, fsync, mkdirat, open, openat, statat,
    syncfs, unlinkat,
};
use rustix::io::Errno;
use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Random names tried before giving up.
const ATTEMPTS: u32 = 16;

/// The descriptors of a directory and of the one it lies in.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) path: PathBuf,
    pub(super) name: String,
    pub(super) parent: OwnedFd,
    pub(super) directory: OwnedFd,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Open and locked for as long as the directory is in use; none once it is removed.
    marker: Option<File>,
    /// The last line of the marker may have been written in part.
    is_torn: bool,
    claims: Vec<Claim>,
    series: u32,
    trees: u32,
    removal: Option<Removal>,
}

impl Held {
    pub(super) fn create(in_dir: &Path) -> Result<Self, ScratchError> {
        let place = std::fs::canonicalize(in_dir).map_err(|error| ScratchError::Refused {
            call: "open",
            path: in_dir.to_owned(),
            errno: Errno::from_io_error(&error).unwrap_or(Errno::IO),
        })?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let parent = open(&place, flags, Mode::empty()).map_err(refused("open", &place))?;
        let name = make_directory(&parent, &place)?;
        let path = place.join(&name);
        let opened = open_made(&parent, &name, &path);
        let directory = opened.inspect_err(|_| {
            // Empty, or not ours: then it stays.
            let _ = unlinkat(&parent, &name, AtFlags::REMOVEDIR);
        })?;
        let marker = create_in(&directory, marker::NAME).and_then(|mut file| {
            flock(&file, FlockOperation::NonBlockingLockExclusive)?;
            file.write_all(Marker::of_this_process().text().as_bytes()).map_err(|error| to_errno(&error))?;
            Ok(file)
        });
        let marker = marker.map_err(|errno| {
            // Nothing else is in there yet; what cannot be removed is found by the next run.
            let _ = unlinkat(&directory, marker::NAME, AtFlags::empty());
            let _ = unlinkat(&parent, &name, AtFlags::REMOVEDIR);
            refused("create", &path.join(marker::NAME))(errno)
        })?;
        let marker = Some(marker);
        let state = State { marker, is_torn: false, claims: Vec::new(), series: 0, trees: 0, removal: None };
        Ok(Self { path, name, parent, directory, state: Mutex::new(state) })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn directory(&self) -> BorrowedFd<'_> {
        self.directory.as_fd()
    }

    pub(super) fn claim_series(&self, count: u32) -> Result<Series, ScratchError> {
        let mut state = self.state()?;
        let series = Series { prefix: format!("d{}-", state.series), count };
        state.series += 1;
        self.claim(&mut state, Claim::Series(series.clone()))?;
        Ok(series)
    }

    pub(super) fn claim_file(&self, name: &str) -> Result<(), ScratchError> {
        if !marker::is_plain(name) || name == marker::NAME {
            return Err(ScratchError::Name(name.to_owned()));
        }
        let mut state = self.state()?;
        self.claim(&mut state, Claim::File(name.to_owned()))
    }

    /// Claims a directory's name and makes it.
    pub(super) fn make_tree(&self) -> Result<String, ScratchError> {
        let mut state = self.state()?;
        let name = format!("t{}", state.trees);
        state.trees += 1;
        self.claim(&mut state, Claim::Tree(name.clone()))?;
        mkdirat(&self.directory, &name, Mode::RWXU).map_err(refused("mkdir", &self.path.join(&name)))?;
        Ok(name)
    }

    /// Their names stay claimed.
    pub(super) fn remove_trees(&self) -> Result<(), String> {
        let state = self.state().map_err(|error| error.to_string())?;
        let names = list(&self.directory).map_err(|errno| format!("{}: {errno}", self.path.display()))?;
        let trees = names.iter().filter(|name| state.claims.iter().any(|claim| claim.is_tree(name)));
        let mut patience = Patience::new(&self.path);
        trees
            .into_iter()
            .try_for_each(|name| tree::remove(self.directory.as_fd(), name, &mut patience).map(|_| ()))
    }

    pub(super) fn let_others_through(&self) -> Result<(), ScratchError> {
        let mode = Mode::RWXU | Mode::XGRP | Mode::XOTH;
        fchmod(&self.directory, mode).map_err(refused("chmod", &self.path))
    }

    /// The marker is written before the file exists: a kill between the two leaves nothing unclaimed.
    fn claim(&self, state: &mut State, claim: Claim) -> Result<(), ScratchError> {
        let line = format!("{}{claim}\n", if state.is_torn { "\n" } else { "" });
        let marker = state.marker.as_mut().expect("it is open until the removal");
        let written = marker.write_all(line.as_bytes()).map_err(|error| to_errno(&error));
        state.is_torn = written.is_err();
        written.map_err(refused("write", &self.path.join(marker::NAME)))?;
        state.claims.push(claim);
        Ok(())
    }

    /// Holds the lock while it creates, so that no file appears behind a removal's back.
    pub(super) fn create_file(&self, name: &str) -> Result<File, ScratchError> {
        let state = self.state()?;
        if !state.claims.iter().any(|claim| claim.covers(name)) {
            return Err(ScratchError::Name(name.to_owned()));
        }
        create_in(&self.directory, name).map_err(refused("create", &self.path.join(name)))
    }

    pub(super) fn open_file(&self, name: &str) -> Result<File, ScratchError> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let opened = openat(&self.directory, name, flags, Mode::empty());
        opened.map(File::from).map_err(refused("open", &self.path.join(name)))
    }

    pub(super) fn remove_file(&self, name: &str) -> Result<(), ScratchError> {
        match unlinkat(&self.directory, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(errno) => Err(refused("unlink", &self.path.join(name))(errno)),
        }
    }

    pub(super) fn sync_directory(&self) -> Result<(), ScratchError> {
        fsync(&self.directory).map_err(refused("fsync", &self.path))
    }

    pub(super) fn sync_file_system(&self) -> Result<(), ScratchError> {
        syncfs(&self.directory).map_err(refused("syncfs", &self.path))
    }

    /// Removes once; asked again it answers the same.
    pub(super) fn remove(&self) -> Removal {
        self.remove_with(&mut Patience::new(&self.path))
    }

    /// The same, for as long as somebody waits.
    pub(super) fn remove_with(&self, patience: &mut Patience<'_>) -> Removal {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.removal.is_none() {
            let marker = state.marker.take();
            state.removal = Some(empty_and_remove(self, &state.claims, marker, patience));
        }
        state.removal.clone().expect("set just above")
    }

    fn state(&self) -> Result<MutexGuard<'_, State>, ScratchError> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.removal.is_some() { Err(ScratchError::Removed(self.path.clone())) } else { Ok(state) }
    }
}

/// Where a directory to be emptied is, by descriptor.
pub(super) trait Location {
    /// The directory, its parent, its name there and its path for people.
    fn parts(&self) -> (BorrowedFd<'_>, BorrowedFd<'_>, &str, &Path);
}

impl Location for Held {
    fn parts(&self) -> (BorrowedFd<'_>, BorrowedFd<'_>, &str, &Path) {
        (self.directory.as_fd(), self.parent.as_fd(), &self.name, &self.path)
    }
}

/// Unlinks the claimed names, each relative to the directory's descriptor, then the
/// marker, which is closed then, then the directory, if it is empty and still where it was. Where
/// nobody waits for the end, the marker stays for the next run.
pub(super) fn empty_and_remove(
    location: &impl Location,
    claims: &[Claim],
    marker: Option<File>,
    patience: &mut Patience<'_>,
) -> Removal {
    let (directory, parent, name, path) = location.parts();
    let mut removal =
        Removal { path: path.to_owned(), files: 0, foreign: Vec::new(), problem: None, left_by: None };
    let names = match list(directory) {
        Ok(names) => names,
        Err(errno) => {
            removal.problem = Some(format!("it cannot be listed: {errno}"));
            return removal;
        }
    };
    for entry in names.iter().filter(|entry| *entry != marker::NAME) {
        if !claims.iter().any(|claim| claim.covers(entry)) {
            removal.foreign.push(entry.clone());
            continue;
        }
        match unlinkat(directory, entry.as_str(), AtFlags::empty()) {
            Ok(()) => {
                removal.files += 1;
                if let Err(given_up) = patience.removed_one() {
                    removal.problem = Some(given_up.to_string());
                    return removal;
                }
            }
            Err(Errno::NOENT) => {}
            // Some file systems say EPERM of a directory.
            Err(Errno::ISDIR | Errno::PERM) if claims.iter().any(|claim| claim.is_tree(entry)) => {
                match tree::remove(directory, entry, patience) {
                    Ok(files) => removal.files += files,
                    Err(problem) if patience.is_over() => {
                        removal.problem = Some(problem);
                        return removal;
                    }
                    Err(problem) => removal.foreign.push(format!("{entry} ({problem})")),
                }
            }
            Err(errno) => removal.foreign.push(format!("{entry} ({errno})")),
        }
    }
    removal.foreign.sort_unstable();
    let unlinked = unlinkat(directory, marker::NAME, AtFlags::empty());
    // An NFS client only renames what is removed while it is open, and the directory is not empty.
    drop(marker);
    if let Err(errno) = unlinked
        && errno != Errno::NOENT
    {
        removal.problem = Some(format!("unlink {}: {errno}", marker::NAME));
    } else if removal.foreign.is_empty() {
        removal.problem = remove_directory(directory, parent, name).err();
    }
    removal
}

/// Removes a directory that is held, if it is empty and still where it was.
pub(crate) fn remove_directory(
    directory: BorrowedFd<'_>,
    parent: BorrowedFd<'_>,
    name: &str,
) -> Result<(), String> {
    let ours = fstat(directory).map_err(|errno| format!("fstat: {errno}"))?;
    match statat(parent, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(there) if (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino) => {
            unlinkat(parent, name, AtFlags::REMOVEDIR).map_err(|errno| format!("rmdir: {errno}"))
        }
        Ok(_) => Err("it was moved away and something else is in its place".to_owned()),
        Err(Errno::NOENT) => Err("it was moved away".to_owned()),
        Err(errno) => Err(format!("stat: {errno}")),
    }
}

/// True for a directory that we own and nobody else may write to.
pub(crate) fn is_ours(stat: &Stat) -> bool {
    stat.st_uid == rustix::process::geteuid().as_raw()
        && Mode::from_raw_mode(stat.st_mode).intersection(Mode::WGRP | Mode::WOTH).is_empty()
}

/// Opens the directory that was just made.
fn open_made(parent: &OwnedFd, name: &str, path: &Path) -> Result<OwnedFd, ScratchError> {
    let directory = openat(parent, name, DIRECTORY, Mode::empty()).map_err(refused("open", path))?;
    check_ours(&fstat(&directory).map_err(refused("fstat", path))?, path)?;
    Ok(directory)
}

fn check_ours(stat: &Stat, path: &Path) -> Result<(), ScratchError> {
    if is_ours(stat) { Ok(()) } else { Err(ScratchError::Replaced(path.to_owned())) }
}

fn make_directory(parent: &OwnedFd, place: &Path) -> Result<String, ScratchError> {
    let mut last = Errno::EXIST;
    for _ in 0..ATTEMPTS {
        let random = RandomState::new().build_hasher().finish();
        let name = format!("{}{}-{:08x}", marker::DIRECTORY_PREFIX, std::process::id(), random >> 32);
        match mkdirat(parent, &name, Mode::RWXU) {
            Ok(()) => return Ok(name),
            Err(Errno::EXIST) => {}
            Err(errno) => {
                last = errno;
                break;
            }
        }
    }
    Err(refused("mkdir in", place)(last))
}

/// Makes a new file in a held directory, open for reading and writing.
pub(crate) fn create_in(directory: &OwnedFd, name: &str) -> Result<File, Errno> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(directory, name, flags, Mode::RUSR | Mode::WUSR).map(File::from)
}

fn to_errno(error: &std::io::Error) -> Errno {
    Errno::from_io_error(error).unwrap_or(Errno::IO)
}

pub(crate) fn refused(call: &'static str, path: &Path) -> impl Fn(Errno) -> ScratchError {
    let path = path.to_owned();
    move |errno| ScratchError::Refused { call, path: path.clone(), errno }
}
