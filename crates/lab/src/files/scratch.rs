//! Scratch directories: where the files of a run lie, and how they go away
//! again whatever happens, without ever taking a file that is not ours along.
//!
//! A directory is reached by its descriptor only, so that a link put in its
//! place later leads nowhere. Every name is claimed in a marker file before it
//! is made: the next run can clear up after one that was killed.

pub(crate) mod held;
mod leftovers;
mod marker;
#[cfg(test)]
mod model;
mod patience;
mod registry;
pub(crate) mod tree;

pub use leftovers::leftovers;
pub(crate) use patience::Patience;
pub use patience::announce_removals;
pub(crate) use registry::report;
pub use registry::{remove_all, take_reports};
pub(crate) use tree::remove as remove_tree;

use held::Held;
use rustix::io::Errno;
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A directory of our own inside a place; removed when dropped.
#[derive(Debug)]
pub struct Scratch {
    held: Arc<Held>,
}

/// Names of files that belong together: a prefix and a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    prefix: String,
    count: u32,
}

impl Series {
    /// The name of the file with this number.
    pub fn name(&self, number: u32) -> String {
        format!("{}{number:06}", self.prefix)
    }

    /// How many names there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    fn contains(&self, name: &str) -> bool {
        let number = name.strip_prefix(&self.prefix).and_then(|digits| digits.parse::<u32>().ok());
        number.is_some_and(|number| number < self.count && self.name(number) == name)
    }
}

/// Why a scratch directory cannot be made or used.
#[derive(Debug, thiserror::Error)]
pub enum ScratchError {
    /// A call was refused.
    #[error("{call} {}: {errno}", path.display())]
    Refused {
        /// The call.
        call: &'static str,
        /// The path.
        path: PathBuf,
        /// The kernel's error.
        errno: Errno,
    },
    /// What was just made is not what is there.
    #[error("{}: somebody else put something in its place", .0.display())]
    Replaced(PathBuf),
    /// The directory is gone already: the run is being interrupted.
    #[error("{}: the scratch directory has been removed", .0.display())]
    Removed(PathBuf),
    /// The name would lead out of the directory or was never claimed.
    #[error("`{0}` is no name of a file of ours")]
    Name(String),
}

/// What became of a scratch directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    /// The directory.
    pub path: PathBuf,
    /// Files of ours that were removed, the marker aside.
    pub files: u64,
    /// Names inside that are not ours and stay, and with them the directory.
    pub foreign: Vec<String>,
    /// What went wrong, in words.
    pub problem: Option<String>,
    /// The dead process that left it, when it was a leftover.
    pub left_by: Option<u32>,
}

impl Removal {
    /// True when nothing remains.
    pub fn is_complete(&self) -> bool {
        self.foreign.is_empty() && self.problem.is_none()
    }
}

impl fmt::Display for Removal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        if self.is_complete() {
            write!(f, "removed the scratch directory {path} ({} files)", self.files)?;
        } else {
            write!(f, "the scratch directory {path} stays")?;
        }
        if let Some(pid) = self.left_by {
            write!(f, ", left by process {pid}")?;
        }
        if !self.foreign.is_empty() {
            write!(f, ": files that are not ours lie in it: {}", self.foreign.join(", "))?;
        }
        self.problem.iter().try_for_each(|problem| write!(f, ": {problem}"))
    }
}

impl Scratch {
    /// Makes a directory `.fathom-PID-RANDOM`, open to its owner only, in `in_dir`.
    pub fn create(in_dir: &Path) -> Result<Self, ScratchError> {
        let held = Arc::new(Held::create(in_dir)?);
        registry::enter(&held);
        Ok(Self { held })
    }

    /// The directory, without symbolic links.
    pub fn path(&self) -> &Path {
        self.held.path()
    }

    /// Claims `count` names that no other series of this directory has.
    pub fn claim_series(&self, count: u32) -> Result<Series, ScratchError> {
        self.held.claim_series(count)
    }

    /// Claims one name: a file that we, or a program we start, will make.
    pub fn claim_file(&self, name: &str) -> Result<PathBuf, ScratchError> {
        self.held.claim_file(name)?;
        Ok(self.path().join(name))
    }

    /// Claims and makes a directory: everything below it is ours, whoever of the
    /// programs that we start makes it, and goes with it.
    pub fn make_tree(&self) -> Result<PathBuf, ScratchError> {
        let name = self.held.make_tree()?;
        Ok(self.path().join(name))
    }

    /// Removes every tree that was made so far, with everything below it.
    pub(crate) fn remove_trees(&self) -> Result<(), String> {
        self.held.remove_trees()
    }

    /// Lets other users walk through the directory, and see nothing in it.
    pub fn let_others_through(&self) -> Result<(), ScratchError> {
        self.held.let_others_through()
    }

    /// Makes a new file under a claimed name, open for reading and writing.
    pub fn create_file(&self, name: &str) -> Result<File, ScratchError> {
        self.held.create_file(name)
    }

    /// Opens a file of ours for reading.
    pub fn open_file(&self, name: &str) -> Result<File, ScratchError> {
        self.held.open_file(name)
    }

    /// Removes the files of a series, those that exist.
    pub fn remove_series(&self, series: &Series) -> Result<(), ScratchError> {
        (0..series.count).try_for_each(|number| self.held.remove_file(&series.name(number)))
    }

    /// Makes the names in the directory durable.
    pub fn sync_directory(&self) -> Result<(), ScratchError> {
        self.held.sync_directory()
    }

    /// Makes everything on its file system durable.
    pub fn sync_file_system(&self) -> Result<(), ScratchError> {
        self.held.sync_file_system()
    }

    /// The descriptor of the directory.
    pub fn directory(&self) -> rustix::fd::BorrowedFd<'_> {
        self.held.directory()
    }

    /// Removes the files of ours and the directory, and says what became of it.
    pub fn remove(self) -> Removal {
        self.held.remove()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let removal = self.held.remove();
        report(removal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn a_directory_of_our_own_comes_and_goes() {
        let place = tempfile::tempdir().unwrap();
        let scratch = Scratch::create(place.path()).unwrap();
        let path = scratch.path().to_owned();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        let series = scratch.claim_series(3).unwrap();
        scratch.create_file(&series.name(2)).unwrap();
        assert!(path.join(series.name(2)).is_file());
        let removal = scratch.remove();
        assert!(removal.is_complete() && removal.files == 1, "{removal}");
        assert!(!path.exists());
    }

    #[test]
    fn nothing_in_the_directory_is_open_once_it_is_removed() {
        let place = tempfile::tempdir().unwrap();
        let scratch = Scratch::create(place.path()).unwrap();
        let marker = scratch.path().join(marker::NAME).display().to_string();
        let is_open = || {
            let links = fs::read_dir("/proc/self/fd").unwrap().flatten();
            let files = links.filter_map(|link| fs::read_link(link.path()).ok());
            files.into_iter().any(|file| file.display().to_string().starts_with(&marker))
        };
        assert!(is_open());
        assert!(scratch.held.remove().is_complete());
        assert!(!is_open(), "an NFS client would keep it, and the directory with it");
        drop(scratch);
    }

    #[test]
    fn a_foreign_file_survives_and_is_reported() {
        let place = tempfile::tempdir().unwrap();
        let scratch = Scratch::create(place.path()).unwrap();
        let series = scratch.claim_series(2).unwrap();
        scratch.create_file(&series.name(0)).unwrap();
        let foreign = scratch.path().join("thesis.txt");
        fs::write(&foreign, "years of work").unwrap();
        // Beyond the series, though it looks like a name of it.
        let near = scratch.path().join(series.name(2));
        fs::write(&near, "").unwrap();
        let ours = scratch.path().join(series.name(0));
        let removal = scratch.remove();
        assert_eq!(fs::read_to_string(&foreign).unwrap(), "years of work");
        assert!(near.exists() && !ours.exists());
        assert_eq!(removal.foreign.len(), 2);
        assert!(removal.to_string().contains("thesis.txt"), "{removal}");
    }

    #[test]
    fn a_link_swapped_in_for_the_directory_leads_nowhere() {
        let place = tempfile::tempdir().unwrap();
        let scratch = Scratch::create(place.path()).unwrap();
        let series = scratch.claim_series(1).unwrap();
        scratch.create_file(&series.name(0)).unwrap();
        let path = scratch.path().to_owned();
        let victim = place.path().join("victim");
        fs::create_dir(&victim).unwrap();
        fs::write(victim.join(series.name(0)), "not ours").unwrap();
        let moved = place.path().join("moved");
        fs::rename(&path, &moved).unwrap();
        symlink(&victim, &path).unwrap();
        let removal = scratch.remove();
        assert_eq!(fs::read_to_string(victim.join(series.name(0))).unwrap(), "not ours");
        assert!(path.is_symlink(), "the link is not ours to remove");
        assert_eq!(fs::read_dir(&moved).unwrap().count(), 0, "our own files are gone wherever they went");
        assert!(removal.problem.is_some() && !removal.is_complete(), "{removal}");
    }

    #[test]
    fn a_link_under_a_name_of_ours_is_neither_followed_nor_written_through() {
        let place = tempfile::tempdir().unwrap();
        let victim = place.path().join("victim");
        fs::write(&victim, "not ours").unwrap();
        let scratch = Scratch::create(place.path()).unwrap();
        let series = scratch.claim_series(1).unwrap();
        symlink(&victim, scratch.path().join(series.name(0))).unwrap();
        assert!(scratch.create_file(&series.name(0)).is_err());
        assert!(scratch.open_file(&series.name(0)).is_err());
        drop(scratch);
        assert_eq!(fs::read_to_string(&victim).unwrap(), "not ours");
    }

    #[test]
    fn a_tree_goes_with_all_below_it_and_its_links_lead_nowhere() {
        let place = tempfile::tempdir().unwrap();
        let victim = place.path().join("victim");
        fs::create_dir(&victim).unwrap();
        fs::write(victim.join("thesis.txt"), "years of work").unwrap();
        let scratch = Scratch::create(place.path()).unwrap();
        let tree = scratch.make_tree().unwrap();
        fs::create_dir_all(tree.join("a/b/c")).unwrap();
        fs::write(tree.join("a/b/c/file"), "x").unwrap();
        symlink(&victim, tree.join("a/link")).unwrap();
        let removal = scratch.remove();
        assert!(removal.is_complete(), "{removal}");
        assert!(!tree.exists());
        assert_eq!(fs::read_to_string(victim.join("thesis.txt")).unwrap(), "years of work");
    }

    #[test]
    fn a_file_system_mounted_or_linked_in_a_trees_place_is_not_entered() {
        let place = tempfile::tempdir().unwrap();
        let victim = place.path().join("victim");
        fs::create_dir(&victim).unwrap();
        fs::write(victim.join("thesis.txt"), "years of work").unwrap();
        let scratch = Scratch::create(place.path()).unwrap();
        let tree = scratch.make_tree().unwrap();
        fs::remove_dir(&tree).unwrap();
        symlink(&victim, &tree).unwrap();
        drop(scratch);
        assert_eq!(fs::read_to_string(victim.join("thesis.txt")).unwrap(), "years of work");
    }

    #[test]
    fn names_that_were_not_claimed_or_lead_out_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let scratch = Scratch::create(place.path()).unwrap();
        for name in ["../x", "..", ".", "", "a/b", "two\nlines"] {
            assert!(matches!(scratch.claim_file(name), Err(ScratchError::Name(_))), "{name:?}");
        }
        assert!(matches!(scratch.create_file("unclaimed"), Err(ScratchError::Name(_))));
        scratch.claim_file("claimed").unwrap();
        scratch.create_file("claimed").unwrap();
    }
}
