//! Removing a kept set: the files that its manifest names, the manifest, the
//! directory; nothing else, never through a symbolic link.

use super::directory::{KeptDirectory, Lock};
use super::manifest::{self, is_file_name};
use super::{KeptError, SetName};
use crate::files::scratch::held::{refused, remove_directory};
use crate::files::scratch::tree::list;
use rustix::io::Errno;
use std::path::{Path, PathBuf};

/// What became of a kept set that was to be removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptRemoval {
    /// Its directory.
    pub path: PathBuf,
    /// Data files that were removed.
    pub files: u64,
    /// Names inside that are not of the set and stay, and with them the directory.
    pub foreign: Vec<String>,
    /// What went wrong, in words; then the manifest stays too.
    pub problems: Vec<String>,
}

impl KeptRemoval {
    /// True when nothing remains.
    pub fn is_complete(&self) -> bool {
        self.foreign.is_empty() && self.problems.is_empty()
    }
}

/// Removes a kept set, finished or not, that nobody makes or uses.
pub fn remove(in_dir: &Path, name: &SetName) -> Result<KeptRemoval, KeptError> {
    let directory = KeptDirectory::open(in_dir, name, Lock::Exclusive)?;
    // One that was killed before it had a manifest has no files either.
    let files = directory.manifest()?.map_or(0, |manifest| manifest.files);
    empty(&directory, files)
}

/// Empties and removes a directory that is held and locked, of a set with so many files.
pub(super) fn empty(directory: &KeptDirectory, files: u32) -> Result<KeptRemoval, KeptError> {
    let mut removal = KeptRemoval {
        path: directory.path().to_owned(),
        files: 0,
        foreign: Vec::new(),
        problems: Vec::new(),
    };
    let names = list(directory.directory()).map_err(refused("list", directory.path()))?;
    for name in names.iter().filter(|name| *name != manifest::FILE) {
        if !is_file_name(name, files) && name != manifest::NEW_FILE {
            removal.foreign.push(name.clone());
            continue;
        }
        match directory.remove_regular(name) {
            Ok(true) => removal.files += u64::from(name != manifest::NEW_FILE),
            Ok(false) => removal.foreign.push(format!("{name} (no regular file)")),
            Err(Errno::NOENT) => {}
            Err(errno) => removal.problems.push(format!("{name}: {errno}")),
        }
    }
    removal.foreign.sort_unstable();
    if !removal.problems.is_empty() {
        return Ok(removal);
    }
    match directory.remove_regular(manifest::FILE) {
        Ok(true) | Err(Errno::NOENT) if removal.foreign.is_empty() => {
            let gone = remove_directory(directory.directory(), directory.parent(), directory.folder());
            removal.problems.extend(gone.err());
        }
        Ok(true) | Err(Errno::NOENT) => {}
        Ok(false) => removal.foreign.push(format!("{} (no regular file)", manifest::FILE)),
        Err(errno) => removal.problems.push(format!("{}: {errno}", manifest::FILE)),
    }
    Ok(removal)
}
