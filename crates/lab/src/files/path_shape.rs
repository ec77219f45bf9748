//! How a file is reached: by how many components and symbolic links, in how
//! full a directory, under which access control list. Made beside the data set,
//! of links to its files, so that the data are the same whatever the shape.

use crate::files::access_list::{AccessList, grant};
use crate::files::scratch::{Scratch, ScratchError};
use fathom_model::{Operation, Parameters, Setting, WorksOn};
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Hard links that every file system allows to one file.
const LINKS_MAX: u64 = 30_000;
/// The user numbers that access control lists name, from here on.
const LISTED_USERS: u32 = 61_000;

/// The way to the files of a data set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct PathShape {
    /// Components of a relative path; 0 for an absolute one.
    depth: u64,
    symlinks: u64,
    entries: u64,
    listed_users: u64,
    /// The driver's user when it is another than ours.
    user: Option<u32>,
    /// The paths lead nowhere.
    missing: bool,
    /// All paths are this device's.
    device: Option<PathBuf>,
}

/// What a driver is given.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct View {
    /// The paths, relative to `directory` where there is one.
    pub(crate) paths: Vec<PathBuf>,
    /// The directory in which the driver has to run.
    pub(crate) directory: Option<PathBuf>,
    /// A file of the paths, where they do not fit on a command line.
    pub(crate) list: Option<PathBuf>,
}

/// Why a shape cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum ShapeError {
    /// The scratch directory.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    /// A call failed.
    #[error("{call} {}: {error}", path.display())]
    Call {
        /// The call.
        call: &'static str,
        /// The path.
        path: PathBuf,
        /// The kernel's error.
        error: io::Error,
    },
}

impl PathShape {
    /// The shape that a variant asks for; `user` is the driver's when it is not ours.
    pub(crate) fn of(operation: Operation, parameters: &Parameters, user: Option<u32>) -> Self {
        let settings = &parameters.settings;
        Self {
            depth: settings.number(Setting::PathDepth),
            symlinks: settings.number(Setting::Symlinks),
            entries: settings.number(Setting::Entries),
            listed_users: settings.number(Setting::Acl),
            user,
            missing: operation.facts().works_on == WorksOn::MissingFiles,
            device: device(&settings.text(Setting::NamedDevice)),
        }
    }

    /// True when the files are reached where they lie.
    pub(crate) fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// Makes the way to `files`, which lie in `scratch`.
    pub(crate) fn make(&self, scratch: &Scratch, files: &[PathBuf]) -> Result<View, ShapeError> {
        if let Some(device) = &self.device {
            return Ok(View { paths: vec![device.clone(); files.len()], ..View::default() });
        }
        let tree = scratch.make_tree()?;
        let mut directory = tree.clone();
        for level in 1..self.depth {
            directory.push(format!("n{level}"));
            fs::create_dir(&directory).map_err(|error| call("mkdir", &directory, error))?;
        }
        self.fill(&directory)?;
        let mut paths = Vec::new();
        for (number, file) in files.iter().enumerate() {
            let link = directory.join(format!("file{number}"));
            fs::hard_link(file, &link).map_err(|error| call("link", &link, error))?;
            let end = self.add_symlinks(&directory, number)?;
            let end = if self.missing { directory.join(format!("absent{number}")) } else { end };
            self.open_to_users(&link)?;
            let relative = self.depth > 0;
            paths.push(if relative { end.strip_prefix(&tree).unwrap_or(&end).to_owned() } else { end });
        }
        self.open_to_users(&directory)?;
        if self.user.is_some() {
            scratch.let_others_through()?;
            // The way down to the directory; the list itself stands on the last one.
            for above in directory.ancestors().skip(1).take_while(|path| path.starts_with(&tree)) {
                let mode = std::os::unix::fs::PermissionsExt::from_mode(0o711);
                fs::set_permissions(above, mode).map_err(|error| call("chmod", above, error))?;
            }
        }
        Ok(View { paths, directory: (self.depth > 0).then_some(tree), list: None })
    }

    /// Other names in the directory: links to a few empty files, which is the
    /// fastest way to make a million of them.
    fn fill(&self, directory: &Path) -> Result<(), ShapeError> {
        let mut filler = PathBuf::new();
        for number in 0..self.entries {
            let name = directory.join(format!("entry-{number:08}"));
            if number % LINKS_MAX == 0 {
                fs::File::create_new(&name).map_err(|error| call("create", &name, error))?;
                filler = name;
            } else {
                fs::hard_link(&filler, &name).map_err(|error| call("link", &name, error))?;
            }
        }
        Ok(())
    }

    /// A chain of links, each to the next; the path at which it begins.
    fn add_symlinks(&self, directory: &Path, number: usize) -> Result<PathBuf, ShapeError> {
        let mut target = format!("file{number}");
        for step in 0..self.symlinks {
            let name = format!("link{number}-{step}");
            let path = directory.join(&name);
            symlink(&target, &path).map_err(|error| call("symlink", &path, error))?;
            target = name;
        }
        Ok(directory.join(target))
    }

    fn open_to_users(&self, path: &Path) -> Result<(), ShapeError> {
        let listed = (0..u32::try_from(self.listed_users).unwrap_or(0)).map(|n| LISTED_USERS + n);
        let users: Vec<u32> = listed.chain(self.user).collect();
        if users.is_empty() {
            return Ok(());
        }
        let list = AccessList { users, directory: path.is_dir() };
        grant(path, &list).map_err(|error| call("set the access control list of", path, error))
    }
}

/// The device of the setting; `none` stands for a file.
fn device(named: &str) -> Option<PathBuf> {
    (named != "none").then(|| PathBuf::from(named))
}

fn call(call: &'static str, path: &Path, error: io::Error) -> ShapeError {
    ShapeError::Call { call, path: path.to_owned(), error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt;

    fn scratch_with_file() -> (tempfile::TempDir, Scratch, PathBuf) {
        let place = tempfile::tempdir().unwrap();
        let scratch = Scratch::create(place.path()).unwrap();
        let series = scratch.claim_series(1).unwrap();
        scratch.create_file(&series.name(0)).unwrap();
        let file = scratch.path().join(series.name(0));
        (place, scratch, file)
    }

    #[test]
    fn a_path_has_the_components_and_links_asked_for() {
        let (_place, scratch, file) = scratch_with_file();
        let shape = PathShape { depth: 5, symlinks: 3, entries: 40, ..PathShape::default() };
        let view = shape.make(&scratch, std::slice::from_ref(&file)).unwrap();
        assert_eq!(view.paths[0].components().count(), 5);
        let full = view.directory.unwrap().join(&view.paths[0]);
        assert_eq!(fs::metadata(&full).unwrap().ino(), fs::metadata(&file).unwrap().ino());
        let mut links = 0;
        let mut at = full.clone();
        while let Ok(target) = fs::read_link(&at) {
            links += 1;
            at = at.parent().unwrap().join(target);
        }
        assert_eq!(links, 3);
        assert_eq!(fs::read_dir(full.parent().unwrap()).unwrap().count(), 40 + 1 + 3);
        assert!(scratch.remove().is_complete());
    }

    #[test]
    fn a_named_device_stands_for_every_file() {
        let (_place, scratch, file) = scratch_with_file();
        let shape = PathShape { device: device("/dev/null"), ..PathShape::default() };
        assert!(!shape.is_plain() && device("none").is_none());
        let view = shape.make(&scratch, &[file.clone(), file]).unwrap();
        assert_eq!(view.paths, [Path::new("/dev/null"), Path::new("/dev/null")]);
    }

    #[test]
    fn a_missing_path_leads_nowhere_and_a_list_is_there() {
        let (_place, scratch, file) = scratch_with_file();
        let shape = PathShape { missing: true, listed_users: 2, ..PathShape::default() };
        let view = shape.make(&scratch, &[file]).unwrap();
        assert!(!view.paths[0].exists() && view.paths[0].parent().unwrap().is_dir());
        assert_eq!(view.directory, None);
    }
}
