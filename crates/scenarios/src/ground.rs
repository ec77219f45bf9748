//! Where trials are made: a scratch directory in a place, with a fresh
//! directory for every trial, and the other user who takes part.

use super::performer::{Account, Performer, Trouble};
use fathom_lab::scratch::{Scratch, ScratchError};
use fathom_model::Place;
use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// A place made ready. Everything in it goes when it is dropped.
#[derive(Debug)]
pub(super) struct Ground<'a> {
    scratch: Scratch,
    /// The place for people: `ext4 /home`.
    pub(super) name: String,
    stop: &'a AtomicBool,
}

impl<'a> Ground<'a> {
    /// The scratch directory in a place.
    pub(super) fn in_place(place: &Place, name: &str, stop: &'a AtomicBool) -> Result<Self, Trouble> {
        let Place::Directory(directory) = place else {
            return Err(Trouble::Failed(
                "a memory file has no name and no directory to try this in".to_owned(),
            ));
        };
        let scratch = Scratch::create(directory)?;
        // Another user walks from a directory that it is handed, never through this one.
        Ok(Self { scratch, name: name.to_owned(), stop })
    }

    /// A new, empty directory that every user may walk through.
    pub(super) fn fresh(&self) -> Result<PathBuf, Trouble> {
        let path = self.scratch.make_tree()?;
        fs::set_permissions(&path, Permissions::from_mode(0o755)).map_err(|error| at(&path, &error))?;
        Ok(path)
    }

    /// Starts a part played by us in a directory.
    pub(super) fn start(&self, words: &[&str], directory: &Path) -> Result<Performer<'a>, Trouble> {
        self.start_as(None, words, directory)
    }

    /// Starts another program, which speaks lines as a part does.
    pub(super) fn start_program(
        &self,
        words: &[OsString],
        directory: &Path,
    ) -> Result<Performer<'a>, Trouble> {
        Performer::start_program(words, directory, self.stop)
    }

    /// Starts a part, played by another user where there is one.
    pub(super) fn start_as(
        &self,
        account: Option<Account>,
        words: &[&str],
        directory: &Path,
    ) -> Result<Performer<'a>, Trouble> {
        Performer::start(account, words, directory, self.stop)
    }
}

impl Account {
    /// `nobody`, when we are root; an ordinary user can play no other.
    pub(super) fn nobody() -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            return None;
        }
        let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
        let found = users.lines().find_map(|line| {
            let mut fields = line.split(':');
            (fields.next() == Some("nobody")).then_some(())?;
            Some(Self { user: fields.nth(1)?.parse().ok()?, group: fields.next()?.parse().ok()? })
        });
        // The kernel's own number for a user that it cannot name.
        Some(found.unwrap_or(Self { user: 65_534, group: 65_534 }))
    }

    /// Gives this user a file.
    pub(super) fn own(self, path: &Path) -> Result<(), Trouble> {
        chown(path, Some(self.user), Some(self.group)).map_err(|error| at(path, &error))
    }
}

/// Writes a new file.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Trouble> {
    fs::write(path, bytes).map_err(|error| at(path, &error))
}

/// Makes a directory.
pub(super) fn make_directory(path: &Path) -> Result<(), Trouble> {
    fs::create_dir(path).map_err(|error| at(path, &error))
}

/// Sets who may do what with a file.
pub(super) fn set_mode(path: &Path, mode: u32) -> Result<(), Trouble> {
    fs::set_permissions(path, Permissions::from_mode(mode)).map_err(|error| at(path, &error))
}

/// An error with its file's own name: the scratch directory's tells nothing.
pub(super) fn at(path: &Path, error: &io::Error) -> Trouble {
    let name = path.file_name().unwrap_or(path.as_os_str());
    Trouble::Failed(format!("{}: {error}", name.to_string_lossy()))
}

impl From<ScratchError> for Trouble {
    fn from(error: ScratchError) -> Self {
        Self::Failed(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    #[test]
    fn a_memory_file_is_refused_with_the_reason() {
        let error = Ground::in_place(&Place::Memfd, "memfd", &GO_ON).unwrap_err();
        assert!(error.to_string().contains("no directory"), "{error}");
    }

    #[test]
    fn every_trial_has_a_directory_of_its_own_and_all_go() {
        let place = tempfile::tempdir().unwrap();
        let ground = Ground::in_place(&Place::Directory(place.path().to_owned()), "x", &GO_ON).unwrap();
        let (first, second) = (ground.fresh().unwrap(), ground.fresh().unwrap());
        assert_ne!(first, second);
        write(&first.join("file"), b"x").unwrap();
        set_mode(&first.join("file"), 0).unwrap();
        make_directory(&second.join("inside")).unwrap();
        assert!(make_directory(&second.join("inside")).unwrap_err().to_string().starts_with("inside: "));
        drop(ground);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }
}
