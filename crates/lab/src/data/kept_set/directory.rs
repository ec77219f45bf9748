//! The directory of a kept set as it is held: by descriptors, under a lock.

use super::manifest::{self, BYTES_MAX, Manifest, file_name};
use super::{KeptError, SetName};
use crate::files::scratch::ScratchError;
use crate::files::scratch::held::{create_in, is_ours, refused};
use crate::files::scratch::tree::DIRECTORY;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{
    AtFlags, FileType, FlockOperation, Mode, OFlags, flock, fstat, fsync, mkdirat, open, openat, renameat,
    statat, unlinkat,
};
use rustix::io::Errno;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A lock is tried so often, so far apart.
const LOCK_ATTEMPTS: u32 = 5;
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// How a directory is locked while it is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lock {
    /// By whoever makes or removes it.
    Exclusive,
    /// By whoever reads its files.
    Shared,
    /// Not at all, to look at it.
    None,
}

/// The descriptors of a kept set's directory and of the one it lies in.
#[derive(Debug)]
pub(super) struct KeptDirectory {
    path: PathBuf,
    folder: String,
    parent: OwnedFd,
    directory: OwnedFd,
}

impl KeptDirectory {
    /// Makes the directory; the name must be free.
    pub(super) fn create(in_dir: &Path, name: &SetName) -> Result<Self, KeptError> {
        let (place, parent) = open_parent(in_dir)?;
        let folder = name.folder();
        let path = place.join(&folder);
        match mkdirat(&parent, &folder, Mode::RWXU) {
            Ok(()) => {}
            Err(Errno::EXIST) => return Err(KeptError::Exists(path)),
            Err(errno) => return Err(refused("mkdir", &path)(errno).into()),
        }
        Self::hold(parent, folder, path, Lock::Exclusive)
    }

    /// Opens the directory of a set.
    pub(super) fn open(in_dir: &Path, name: &SetName, lock: Lock) -> Result<Self, KeptError> {
        let (place, parent) = open_parent(in_dir)?;
        let folder = name.folder();
        let path = place.join(&folder);
        match Self::hold(parent, folder, path, lock) {
            Err(KeptError::Directory(ScratchError::Refused { errno: Errno::NOENT, .. })) => {
                Err(KeptError::Absent { name: name.clone(), dir: in_dir.to_owned() })
            }
            other => other,
        }
    }

    fn hold(parent: OwnedFd, folder: String, path: PathBuf, lock: Lock) -> Result<Self, KeptError> {
        let directory = match openat(&parent, &folder, DIRECTORY, Mode::empty()) {
            Ok(directory) => directory,
            Err(Errno::LOOP | Errno::NOTDIR) => {
                return Err(KeptError::NotOurs { path, what: "no directory, so no data set" });
            }
            Err(errno) => return Err(refused("open", &path)(errno).into()),
        };
        if !is_ours(&fstat(&directory).map_err(refused("fstat", &path))?) {
            let what = "it belongs to another user, or others may write in it";
            return Err(KeptError::NotOurs { path, what });
        }
        let held = Self { path, folder, parent, directory };
        held.lock(lock)?;
        Ok(held)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn path_of(&self, number: u32) -> PathBuf {
        self.path.join(file_name(number))
    }

    pub(super) fn directory(&self) -> BorrowedFd<'_> {
        self.directory.as_fd()
    }

    pub(super) fn parent(&self) -> BorrowedFd<'_> {
        self.parent.as_fd()
    }

    pub(super) fn folder(&self) -> &str {
        &self.folder
    }

    /// True while somebody makes or removes it.
    pub(super) fn is_busy(&self) -> bool {
        let busy = matches!(self.lock(Lock::Shared), Err(KeptError::InUse(_)));
        if !busy {
            // Unlocking what we locked ourselves cannot fail in a way that matters: closing does it too.
            let _ = flock(&self.directory, FlockOperation::Unlock);
        }
        busy
    }

    /// Makes the file with this number, empty.
    pub(super) fn create_file(&self, number: u32) -> Result<File, KeptError> {
        let made = create_in(&self.directory, &file_name(number));
        Ok(made.map_err(refused("create", &self.path_of(number)))?)
    }

    /// Opens the file with this number for reading: itself, never what a link leads to.
    pub(super) fn open_file(&self, number: u32) -> Result<File, KeptError> {
        let path = self.path_of(number);
        let file = self.open_regular(&file_name(number)).map_err(refused("open", &path))?;
        file.ok_or(KeptError::NotOurs { path, what: "no regular file" })
    }

    /// `None` where there is none yet.
    pub(super) fn manifest(&self) -> Result<Option<Manifest>, KeptError> {
        let path = self.path.join(manifest::FILE);
        let wrong = |why: String| KeptError::Manifest { path: path.clone(), why };
        let file = match self.open_regular(manifest::FILE) {
            Ok(file) => file.ok_or_else(|| wrong("no regular file".to_owned()))?,
            Err(Errno::NOENT) => return Ok(None),
            Err(errno) => return Err(refused("open", &path)(errno).into()),
        };
        let mut text = String::new();
        file.take(BYTES_MAX).read_to_string(&mut text).map_err(|error| wrong(error.to_string()))?;
        Manifest::parse(&text).map(Some).map_err(wrong)
    }

    /// Writes the manifest, durable, whole or not at all.
    pub(super) fn write_manifest(&self, manifest: &Manifest) -> Result<(), KeptError> {
        let path = self.path.join(manifest::NEW_FILE);
        let write = || -> Result<(), Errno> {
            let to_errno = |error: std::io::Error| Errno::from_io_error(&error).unwrap_or(Errno::IO);
            let mut file = create_in(&self.directory, manifest::NEW_FILE)?;
            file.write_all(manifest.text().as_bytes()).map_err(to_errno)?;
            file.sync_all().map_err(to_errno)?;
            renameat(&self.directory, manifest::NEW_FILE, &self.directory, manifest::FILE)
        };
        write().map_err(refused("write", &path))?;
        self.sync()
    }

    /// Makes the names in the directory durable.
    pub(super) fn sync(&self) -> Result<(), KeptError> {
        Ok(fsync(&self.directory).map_err(refused("fsync", &self.path))?)
    }

    /// Removes a regular file of the directory. False when it is something else, and stays.
    pub(super) fn remove_regular(&self, name: &str) -> Result<bool, Errno> {
        let found = statat(&self.directory, name, AtFlags::SYMLINK_NOFOLLOW)?;
        if FileType::from_raw_mode(found.st_mode) != FileType::RegularFile {
            return Ok(false);
        }
        unlinkat(&self.directory, name, AtFlags::empty())?;
        Ok(true)
    }

    /// `None` for what is no regular file.
    fn open_regular(&self, name: &str) -> Result<Option<File>, Errno> {
        // Without O_NONBLOCK a pipe put there would hold us up for ever.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let fd = match openat(&self.directory, name, flags, Mode::empty()) {
            Ok(fd) => fd,
            Err(Errno::LOOP) => return Ok(None),
            Err(errno) => return Err(errno),
        };
        let regular = FileType::from_raw_mode(fstat(&fd)?.st_mode) == FileType::RegularFile;
        Ok(regular.then(|| File::from(fd)))
    }

    fn lock(&self, lock: Lock) -> Result<(), KeptError> {
        let operation = match lock {
            Lock::Exclusive => FlockOperation::NonBlockingLockExclusive,
            Lock::Shared => FlockOperation::NonBlockingLockShared,
            Lock::None => return Ok(()),
        };
        for attempt in 0..LOCK_ATTEMPTS {
            match flock(&self.directory, operation) {
                // Who only looks holds it for a moment.
                Err(Errno::WOULDBLOCK) if attempt + 1 < LOCK_ATTEMPTS => std::thread::sleep(LOCK_PAUSE),
                Err(Errno::WOULDBLOCK) => return Err(KeptError::InUse(self.path.clone())),
                // Some network file systems lock no directories: there the user has to see to it.
                _ => break,
            }
        }
        Ok(())
    }
}

/// The directory in which sets lie, without symbolic links, and its descriptor.
pub(super) fn open_parent(in_dir: &Path) -> Result<(PathBuf, OwnedFd), KeptError> {
    let place = std::fs::canonicalize(in_dir)
        .map_err(|error| refused("open", in_dir)(Errno::from_io_error(&error).unwrap_or(Errno::IO)))?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let parent = open(&place, flags, Mode::empty()).map_err(refused("open", &place))?;
    Ok((place, parent))
}
