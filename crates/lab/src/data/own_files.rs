//! The user's own files: named, or drawn from a tree. They are opened for reading
//! only; nothing here or anywhere else in Fathom writes, truncates, moves or removes them.

mod tree;

use fathom_model::{Content, DataSet, OwnFileFacts, OwnFilesFacts};
use rustix::fs::{FileType, Mode, OFlags, Stat, open, stat};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One file, as it was when the run began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnFile {
    /// Its absolute path, symbolic links left in it.
    pub path: PathBuf,
    /// Its size.
    pub size_bytes: u64,
    modified: (i64, i64),
    inode: (u64, u64),
}

/// Files of the user's that an operation reads in turn.
#[derive(Debug, Clone)]
pub struct OwnFiles {
    files: Vec<Arc<OwnFile>>,
    drawn: Option<String>,
}

/// Why files cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OwnFileError {
    /// A call was refused.
    #[error("{call} {}: {errno}", path.display())]
    Refused {
        /// The call.
        call: &'static str,
        /// The file.
        path: PathBuf,
        /// The kernel's error.
        errno: rustix::io::Errno,
    },
    /// It is no regular file.
    #[error("{} is a {kind}: {why}", path.display())]
    NotRegular {
        /// The path.
        path: PathBuf,
        /// What it is.
        kind: &'static str,
        /// Why it cannot be read here.
        why: &'static str,
    },
    /// The same file twice.
    #[error("{} is named twice", .0.display())]
    Twice(PathBuf),
    /// Cache states and prices are those of one file system.
    #[error(
        "{} and {} lie on different file systems: measure them one after the other",
        .0.display(), .1.display()
    )]
    Apart(PathBuf, PathBuf),
    /// A driver protocol is text.
    #[error("{} is not UTF-8, and drivers are given paths as text", .0.display())]
    NotText(PathBuf),
    /// A tree without a file that fits.
    #[error("no regular file of {least_bytes} bytes or more below {} can be read", tree.display())]
    Empty {
        /// The tree.
        tree: PathBuf,
        /// What a file had to hold.
        least_bytes: u64,
    },
}

impl OwnFiles {
    /// The files at these paths.
    pub fn named(paths: &[PathBuf]) -> Result<Self, OwnFileError> {
        let mut files: Vec<Arc<OwnFile>> = Vec::new();
        for path in paths {
            let file = OwnFile::at(path)?;
            if let Some(other) = files.iter().find(|other| other.path == file.path) {
                return Err(OwnFileError::Twice(other.path.clone()));
            }
            if let Some(first) = files.first().filter(|first| first.inode.0 != file.inode.0) {
                return Err(OwnFileError::Apart(first.path.clone(), file.path));
            }
            files.push(Arc::new(file));
        }
        Ok(Self { files, drawn: None })
    }

    /// At most `count` files of at least `least_bytes` below a directory, drawn with `seed`.
    pub fn drawn(tree: &Path, count: usize, least_bytes: u64, seed: u64) -> Result<Self, OwnFileError> {
        let refused = |errno| OwnFileError::Refused { call: "open", path: tree.to_owned(), errno };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        open(tree, flags, Mode::empty()).map_err(refused)?;
        let found =
            tree::draw(&std::path::absolute(tree).unwrap_or(tree.to_owned()), count, least_bytes, seed);
        if found.files.is_empty() {
            return Err(OwnFileError::Empty { tree: tree.to_owned(), least_bytes });
        }
        let skipped = if found.skipped == 0 {
            String::new()
        } else {
            format!("; {} could not be opened, or their names are not UTF-8", found.skipped)
        };
        let drawn = format!(
            "{} of the {} regular files of {least_bytes} B or more below {}, drawn with seed {seed}{skipped}",
            found.files.len(),
            found.seen,
            tree.display(),
        );
        Ok(Self { files: found.files.into_iter().map(Arc::new).collect(), drawn: Some(drawn) })
    }

    /// The directory that stands for the place of all of them.
    pub fn directory(&self) -> PathBuf {
        let of_first = self.files.first().and_then(|file| file.path.parent());
        of_first.map_or_else(|| PathBuf::from("/"), Path::to_owned)
    }

    /// What they are as a data set; of files that differ in size the mean.
    pub fn data(&self) -> DataSet {
        let files = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        let total: u64 = self.files.iter().map(|file| file.size_bytes).sum();
        let size_bytes = total.div_ceil(u64::from(files.max(1)));
        DataSet { files, size_bytes, content: Content::Own }
    }

    /// The smallest of them.
    pub fn smallest(&self) -> Option<&OwnFile> {
        self.files.iter().min_by_key(|file| file.size_bytes).map(AsRef::as_ref)
    }

    /// The files, in the order in which operations take them.
    pub(crate) fn files(&self) -> &[Arc<OwnFile>] {
        &self.files
    }

    /// True when they are not all of one size.
    pub(crate) fn differ_in_size(&self) -> bool {
        self.files.iter().any(|file| file.size_bytes != self.files[0].size_bytes)
    }

    /// What became of the first file that is no longer what it was when the run began.
    pub(crate) fn changed(&self) -> Option<String> {
        self.files.iter().find_map(|file| file.changed())
    }

    /// What a record says of them; `file_system` is that of their place.
    pub fn facts(&self, file_system: &str, evicted: bool) -> OwnFilesFacts {
        let of = |file: &Arc<OwnFile>| {
            let real = std::fs::canonicalize(&file.path).ok();
            OwnFileFacts {
                path: file.path.clone(),
                leads_to: real.filter(|real| *real != file.path),
                size_bytes: file.size_bytes,
                modified: moment(file.modified),
                not_written: not_written(&file.path),
            }
        };
        OwnFilesFacts {
            files: self.files.iter().map(of).collect(),
            file_system: file_system.to_owned(),
            drawn: self.drawn.clone(),
            evicted,
        }
    }
}

impl OwnFile {
    fn at(path: &Path) -> Result<Self, OwnFileError> {
        let refused = |call, errno| OwnFileError::Refused { call, path: path.to_owned(), errno };
        let found = stat(path).map_err(|errno| refused("stat", errno))?;
        let (kind, why) = match FileType::from_raw_mode(found.st_mode) {
            FileType::RegularFile => {
                // Only what is known to be a regular file is opened: a FIFO would wait, a device may act.
                let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
                open(path, flags, Mode::empty()).map_err(|errno| refused("open", errno))?;
                let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
                if std::str::from_utf8(absolute.as_os_str().as_bytes()).is_err() {
                    return Err(OwnFileError::NotText(absolute));
                }
                return Ok(Self::new(absolute, &found));
            }
            FileType::Directory => ("directory", "--tree draws from the files below one"),
            FileType::Fifo => ("FIFO", "opening it waits for a writer, and what was read is gone"),
            FileType::Socket => ("socket", "it cannot be opened"),
            FileType::BlockDevice => ("block device", "it is no file; name a file on it"),
            FileType::CharacterDevice => ("character device", "name it alone, to be opened and closed"),
            _ => ("thing of unknown kind", "only regular files are read"),
        };
        Err(OwnFileError::NotRegular { path: path.to_owned(), kind, why })
    }

    fn new(path: PathBuf, found: &Stat) -> Self {
        Self {
            path,
            size_bytes: u64::try_from(found.st_size).unwrap_or(0),
            modified: modified(found),
            inode: (found.st_dev, found.st_ino),
        }
    }

    fn changed(&self) -> Option<String> {
        let name = self.path.display();
        let now = match stat(&self.path) {
            Ok(now) => now,
            Err(errno) => return Some(format!("{name} changed during the run: it is gone ({errno})")),
        };
        let size = u64::try_from(now.st_size).unwrap_or(0);
        let what = if (now.st_dev, now.st_ino) != self.inode {
            "another file stands in its place".to_owned()
        } else if size != self.size_bytes {
            format!("{} bytes became {size}", self.size_bytes)
        } else if modified(&now) != self.modified {
            "it was written to".to_owned()
        } else {
            return None;
        };
        Some(format!("{name} changed during the run: {what}"))
    }
}

fn modified(found: &Stat) -> (i64, i64) {
    (found.st_mtime, i64::try_from(found.st_mtime_nsec).unwrap_or(0))
}

fn moment((seconds, nanoseconds): (i64, i64)) -> String {
    let moment = jiff::Timestamp::new(seconds, i32::try_from(nanoseconds).unwrap_or(0));
    moment.map_or_else(|_| format!("@{seconds}"), |moment| moment.to_string())
}

/// Why reading the file need not touch a device: a hole in it, or bytes still in memory.
fn not_written(path: &Path) -> Option<String> {
    let file = std::fs::File::open(path).ok()?;
    match crate::data::data_set::check_written(&file, path) {
        // What is still in memory is written before it is evicted.
        Err(crate::data::data_set::DataError::NotWritten { what, offset, .. })
            if !what.contains("memory") =>
        {
            Some(format!("{what} at byte {offset}"))
        }
        _ => None,
    }
}

/// The devices that may be opened: memory's own, which do nothing when opened. Others act (a
/// watchdog starts, a tape rewinds).
pub fn is_harmless_device(path: &Path) -> bool {
    const MEMORY: u32 = 1;
    const NULL_ZERO_FULL_RANDOM: [u32; 5] = [3, 5, 7, 8, 9];
    stat(path).is_ok_and(|found| {
        FileType::from_raw_mode(found.st_mode) == FileType::CharacterDevice
            && rustix::fs::major(found.st_rdev) == MEMORY
            && NULL_ZERO_FULL_RANDOM.contains(&rustix::fs::minor(found.st_rdev))
    })
}

/// True of a path at which a character device stands.
pub fn is_device(path: &Path) -> bool {
    stat(path).is_ok_and(|found| FileType::from_raw_mode(found.st_mode) == FileType::CharacterDevice)
}

#[cfg(test)]
mod tests;
