//! One file whose cache state is watched.

use super::VoidReason;
use fathom_collect::{Residency, residency};
use fathom_model::Reading;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

const READ_BYTES: usize = 1 << 20;

/// A file, kept open between checks or opened for each.
#[derive(Debug)]
pub(super) struct Watched {
    path: PathBuf,
    kept: Option<File>,
    pages: u64,
}

/// A kept descriptor, or one for the moment.
pub(super) enum Handle<'a> {
    Kept(&'a File),
    Momentary(File),
}

impl Handle<'_> {
    pub(super) fn file(&self) -> &File {
        match self {
            Self::Kept(file) => file,
            Self::Momentary(file) => file,
        }
    }
}

impl Watched {
    pub(super) fn new(path: &Path, keep: bool) -> io::Result<Self> {
        let file = File::open(path)?;
        let pages = file.metadata()?.len().div_ceil(rustix::param::page_size() as u64);
        Ok(Self { path: path.to_owned(), kept: keep.then_some(file), pages })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Pages it had when it was first seen.
    pub(super) fn pages(&self) -> u64 {
        self.pages
    }

    pub(super) fn open(&self) -> Result<Handle<'_>, VoidReason> {
        match &self.kept {
            Some(file) => Ok(Handle::Kept(file)),
            None => File::open(&self.path)
                .map(Handle::Momentary)
                .map_err(|error| VoidReason::io("open", &self.path, &error)),
        }
    }

    pub(super) fn residency(&self) -> Result<Reading<Residency>, VoidReason> {
        Ok(residency(self.open()?.file()))
    }

    /// Reads all of it once, so that its pages are cached. By a descriptor of its
    /// own: the position and the read-ahead state of a kept one stay as they were.
    pub(super) fn read_through(&self) -> Result<(), VoidReason> {
        let failed = |error: io::Error| VoidReason::io("read", &self.path, &error);
        let mut file = File::open(&self.path).map_err(failed)?;
        let mut buffer = vec![0; READ_BYTES];
        loop {
            match file.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(failed(error)),
            }
        }
    }
}
