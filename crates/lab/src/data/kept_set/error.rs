//! Why a kept set cannot be made, used or removed.

use super::name::{InvalidSetName, SetName};
use crate::data::data_set::DataError;
use crate::files::scratch::ScratchError;
use std::path::PathBuf;

/// Why a kept set cannot be made, used or removed.
#[derive(Debug, thiserror::Error)]
pub enum KeptError {
    /// No name of a set.
    #[error(transparent)]
    Name(#[from] InvalidSetName),
    /// A call on a directory was refused.
    #[error(transparent)]
    Directory(#[from] ScratchError),
    /// The name is taken.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// There is none of this name.
    #[error("there is no data set `{name}` in {}", dir.display())]
    Absent {
        /// The name.
        name: SetName,
        /// Where it was looked for.
        dir: PathBuf,
    },
    /// What is there was not made by this user's Fathom.
    #[error("{}: {what}", path.display())]
    NotOurs {
        /// The directory.
        path: PathBuf,
        /// What is wrong with it.
        what: &'static str,
    },
    /// Another process makes, checks or measures it.
    #[error("{} is in use by another process", .0.display())]
    InUse(PathBuf),
    /// It was never finished.
    #[error("{} was never finished", .0.display())]
    Unfinished(PathBuf),
    /// The manifest says nothing that can be relied on.
    #[error("{}: {why}", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// It is another data set than the one asked for.
    #[error("the data set `{name}` is {holds}, and {asked} is asked for")]
    Mismatch {
        /// Its name.
        name: SetName,
        /// What it holds.
        holds: String,
        /// What was asked for.
        asked: String,
    },
    /// Its files.
    #[error(transparent)]
    Data(#[from] DataError),
}

impl KeptError {
    /// True when the user interrupted it.
    pub fn is_interruption(&self) -> bool {
        matches!(self, Self::Data(DataError::Interrupted))
    }
}
