//! The directory in which builds lie, `drivers` of the cache: used only where nobody but the user
//! and root can have put something there. Everything in it is reached from a held descriptor.

use super::{BuildError, BuildStep, BuildWatch, CACHE_VARIABLE};
use crate::files::trust::{Distrust, OpenError, Owner, check, check_above, check_owner, open_directory};
use rustix::fs::{FileType, FlockOperation, Mode, OFlags, flock, fstat, lstat, openat, renameat};
use rustix::io::Errno;
use std::fs::{DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A build takes a minute on a slow machine; who waits longer waits for something that hangs.
const LOCK_LIMIT: Duration = Duration::from_mins(15);
const LOCK_PAUSE: Duration = Duration::from_millis(50);
/// Hexadecimal digits of a SHA-256.
const DIGEST_DIGITS: u64 = 64;

/// The held directory.
#[derive(Debug)]
pub(super) struct Store {
    path: PathBuf,
    directory: OwnedFd,
}

impl Store {
    /// Opens it, and makes it where it is missing.
    pub(super) fn open(cache: &Path) -> Result<Self, BuildError> {
        let failed = |error: io::Error| BuildError::Cache { path: cache.to_owned(), error };
        let is_named = std::env::var_os(CACHE_VARIABLE).is_some_and(|named| Path::new(&named) == cache);
        // A link to a cache elsewhere is fine where it is the user's own.
        if let Ok(found) = lstat(cache)
            && FileType::from_raw_mode(found.st_mode) == FileType::Symlink
        {
            check_owner(cache, &found, Owner::User)?;
        }
        DirBuilder::new().recursive(true).mode(0o755).create(cache).map_err(failed)?;
        let cache = cache.canonicalize().map_err(failed)?;
        // Who names the directory answers for where it lies.
        if !is_named {
            check_above(&cache)?;
        }
        open_directory(&cache).map_err(|error| said(error, &cache))?;
        let path = cache.join("drivers");
        match DirBuilder::new().mode(0o755).create(&path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists && !path.is_dir() => {
                return Err(BuildError::Cache { path, error });
            }
            _ => {}
        }
        let directory = open_directory(&path).map_err(|error| said(error, &path))?;
        Ok(Self { path, directory })
    }

    /// Where a build lies.
    pub(super) fn home(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The directory's own path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// True where there is a build that only we and root can change.
    pub(super) fn has(&self, name: &str) -> Result<bool, BuildError> {
        let home = self.home(name);
        match open_directory(&home) {
            Ok(_) => Ok(true),
            Err(OpenError::Refused(Errno::NOENT)) => Ok(false),
            Err(error) => Err(said(error, &home)),
        }
    }

    /// Waits for the lock of a build, and tells so. It is held until the file is closed; a crashed
    /// holder's goes with it.
    pub(super) fn lock(
        &self,
        name: &str,
        driver: &str,
        watch: &mut BuildWatch<'_>,
    ) -> Result<File, BuildError> {
        let name = format!("{name}.lock");
        let path = self.path.join(&name);
        let failed = |error: io::Error| BuildError::Cache { path: path.clone(), error };
        let flags = OFlags::RDWR | OFlags::CREATE;
        let file = self.open_file(&name, flags)?;
        let begun = Instant::now();
        let mut is_told = false;
        loop {
            if watch.is_stopped() {
                return Err(BuildError::Interrupted);
            }
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(file),
                Err(Errno::WOULDBLOCK) if begun.elapsed() < LOCK_LIMIT => {
                    if !std::mem::replace(&mut is_told, true) {
                        (watch.tell)(BuildStep::Waits(driver));
                    }
                    std::thread::sleep(LOCK_PAUSE);
                }
                Err(Errno::WOULDBLOCK) => {
                    let waited = format!("another fathom has held the lock for {} s", LOCK_LIMIT.as_secs());
                    return Err(failed(io::Error::new(io::ErrorKind::TimedOut, waited)));
                }
                Err(Errno::INTR) => {}
                Err(errno) => return Err(failed(errno.into())),
            }
        }
    }

    /// The digest that was kept when the build was made.
    pub(super) fn digest(&self, name: &str) -> Result<Option<String>, BuildError> {
        let file = match self.open_file(&digest_name(name), OFlags::RDONLY) {
            Ok(file) => file,
            Err(BuildError::Cache { error, .. }) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let mut text = String::new();
        // What is no text is no digest: then it is built again.
        let read = file.take(DIGEST_DIGITS).read_to_string(&mut text);
        Ok(read.is_ok().then_some(text))
    }

    /// Keeps the digest of a build.
    pub(super) fn keep_digest(&self, name: &str, digest: &str) -> Result<(), BuildError> {
        let [new, kept] = [format!(".{name}.new"), digest_name(name)];
        let mut file = self.open_file(&new, OFlags::WRONLY | OFlags::CREATE)?;
        // Under the lock nobody else writes it; what a killed Fathom left is overwritten.
        let written = file
            .set_len(0)
            .and_then(|()| file.write_all(digest.as_bytes()))
            .and_then(|()| Ok(renameat(&self.directory, &new, &self.directory, &kept)?));
        written.map_err(|error| BuildError::Cache { path: self.path.join(kept), error })
    }

    /// Opens a file of the directory: itself, never what a link leads to, and never a pipe.
    fn open_file(&self, name: &str, flags: OFlags) -> Result<File, BuildError> {
        let path = self.path.join(name);
        let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let not_a_file = || Distrust { path: path.clone(), reason: "is not a regular file".to_owned() };
        let file =
            openat(&self.directory, name, flags, Mode::RUSR | Mode::WUSR).map_err(|errno| match errno {
                Errno::LOOP => not_a_file().into(),
                errno => BuildError::Cache { path: path.clone(), error: errno.into() },
            })?;
        let found =
            fstat(&file).map_err(|errno| BuildError::Cache { path: path.clone(), error: errno.into() })?;
        if FileType::from_raw_mode(found.st_mode) != FileType::RegularFile {
            return Err(not_a_file().into());
        }
        check(&path, &found, Owner::User)?;
        Ok(File::from(file))
    }
}

fn digest_name(name: &str) -> String {
    format!("{name}.sha256")
}

fn said(error: OpenError, path: &Path) -> BuildError {
    match error {
        OpenError::Distrust(distrust) => distrust.into(),
        OpenError::Refused(errno) => BuildError::Cache { path: path.to_owned(), error: errno.into() },
    }
}
