//! Kept sets: data sets that stay when the program ends, in a directory of
//! their own, with a manifest from which every byte can be computed again.
//!
//! A kept set is made, listed, checked, used by a run, and removed. Each of
//! these holds the directory by its descriptor and a lock on it, so that no set
//! is removed while it is made or measured.

mod cpu_time;
mod directory;
mod error;
mod making;
mod manifest;
mod name;
mod removal;
mod survey;

pub use cpu_time::CpuTime;
pub use error::KeptError;
pub use making::{Figures, Order, make};
pub use manifest::{Manifest, SyncWhen};
pub use name::{InvalidSetName, SetName};
pub use removal::{KeptRemoval, remove};
pub use survey::{State, Surveyed, check_content, survey};

use crate::data::data_set::{DataError, FilesMade, check_size_and_extents, file_seed};
use directory::{KeptDirectory, Lock};
use fathom_catalog::format_size;
use fathom_model::{DataSet, Place};
use std::path::Path;

/// A kept set in use; it cannot be removed meanwhile.
#[derive(Debug)]
pub(crate) struct InUse(#[expect(dead_code, reason = "holds the lock")] KeptDirectory);

/// The files of a kept set, if they are what `data` asks for, whole, and really
/// on the device. Their content is not read: every answer of a driver is.
pub(crate) fn open_for_use(
    place: &Place,
    name: &SetName,
    data: &DataSet,
) -> Result<(FilesMade, Option<InUse>), DataError> {
    let found = match place {
        Place::Directory(in_dir) => files_of(in_dir, name, data),
        Place::Memfd => {
            Err(DataError::Kept("a kept data set lies in a directory, not in memory".to_owned()).into())
        }
    };
    found.map(|(files, in_use)| (files, Some(in_use))).map_err(|error| match error {
        KeptError::Data(error) => error,
        other => DataError::Kept(other.to_string()),
    })
}

/// What a kept set holds, as its manifest says.
pub fn data_of(in_dir: &Path, name: &SetName) -> Result<DataSet, KeptError> {
    let directory = KeptDirectory::open(in_dir, name, Lock::Shared)?;
    let manifest = directory.manifest()?.filter(|manifest| manifest.complete);
    let manifest = manifest.ok_or_else(|| KeptError::Unfinished(directory.path().to_owned()))?;
    Ok(manifest.data())
}

fn files_of(in_dir: &Path, name: &SetName, data: &DataSet) -> Result<(FilesMade, InUse), KeptError> {
    let directory = KeptDirectory::open(in_dir, name, Lock::Shared)?;
    let manifest = directory.manifest()?.filter(|manifest| manifest.complete);
    let manifest = manifest.ok_or_else(|| KeptError::Unfinished(directory.path().to_owned()))?;
    if manifest.data() != *data {
        return Err(KeptError::Mismatch {
            name: name.clone(),
            holds: in_words(&manifest.data()),
            asked: in_words(data),
        });
    }
    let mut paths = Vec::new();
    for number in 0..data.files {
        let file = directory.open_file(number)?;
        let path = directory.path_of(number);
        check_size_and_extents(&file, &path, data.size_bytes)?;
        paths.push(path);
    }
    let seeds = (0..data.files).map(|number| file_seed(manifest.seed, number)).collect();
    Ok((FilesMade { paths, seeds, memory: Vec::new() }, InUse(directory)))
}

/// A data set for people: `3 files of 4 KiB, random`.
pub fn in_words(data: &DataSet) -> String {
    let files = if data.files == 1 { "1 file".to_owned() } else { format!("{} files", data.files) };
    format!("{files} of {}, {}", format_size(data.size_bytes), data.content)
}

#[cfg(test)]
mod tests;
