//! Where the operations that write have their files: a new directory for each
//! batch, made before the clock starts, and what the batch before left behind.

use super::arguments::Plan;
use super::failure::Failure;
use super::methods::FailureAt;
use super::writing::Existing;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The directories of a run. All methods share it, since batches are numbered
/// over all of them.
#[derive(Debug, Default)]
pub(crate) struct Stage {
    /// Batches so far, the pre-rolls too; the name of the next directory.
    batches: u64,
    /// Files that the next batch removes.
    left: Vec<PathBuf>,
    /// The one file that is overwritten again and again, which moves from batch to batch.
    overwritten: Option<PathBuf>,
    /// Why the run cannot go on at all.
    pub(crate) refusal: Option<String>,
}

impl Stage {
    /// Counts a batch that makes no file.
    pub(crate) fn skip_directory(&mut self) {
        self.batches += 1;
    }

    /// The new directory of a batch.
    pub(crate) fn make_directory(&mut self, plan: &Plan) -> Result<PathBuf, Failure> {
        let above = plan.writing.directory.as_deref().unwrap_or(Path::new("."));
        let directory = above.join(self.batches.to_string());
        fs::create_dir(&directory).map_err(|error| Failure::of("mkdir", &error))?;
        self.batches += 1;
        Ok(directory)
    }

    /// The directory of a batch where whoever asked for the batch has made it, with the files
    /// that the batch is to find.
    pub(crate) fn prepared_directory(plan: &Plan, existing: Existing) -> Option<PathBuf> {
        let directory = plan.writing.directory.as_deref()?.join("prepared");
        (existing != Existing::Fresh && directory.is_dir()).then_some(directory)
    }

    /// Leaves a file to the next batch, which removes it.
    pub(crate) fn leave(&mut self, path: PathBuf) {
        self.left.push(path);
    }

    /// Removes what the batch before left; what is gone already is no failure.
    pub(crate) fn remove_left(&mut self) -> Result<(), Failure> {
        for path in self.left.drain(..) {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(Failure::of("unlink", &error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Puts a file of `size` bytes there, which is written and synced the first
    /// time and moved from the batch before thereafter.
    pub(crate) fn place_overwritten(&mut self, path: &Path, size: usize, pool: &[u8]) -> Result<(), Failure> {
        let moved = match self.overwritten.take() {
            Some(before) => fs::rename(before, path),
            None => Err(io::ErrorKind::NotFound.into()),
        };
        match moved {
            Ok(()) => {}
            // The first time, or it was removed together with its directory.
            Err(error) if error.kind() == io::ErrorKind::NotFound => write_synced(path, size, pool)?,
            Err(error) => return Err(Failure::of("rename", &error)),
        }
        self.overwritten = Some(path.to_owned());
        Ok(())
    }
}

/// Writes a file of repeated bytes and has it on the device.
fn write_synced(path: &Path, size: usize, bytes: &[u8]) -> Result<(), Failure> {
    let write = || {
        let mut file = fs::File::create(path)?;
        let mut left = size;
        while left > 0 {
            let piece = &bytes[..left.min(bytes.len())];
            file.write_all(piece)?;
            left -= piece.len();
        }
        file.sync_all()
    };
    write().map_err(|error| Failure::of("write", &error))
}

/// A failure that has to do with no path of the plan.
pub(crate) fn beside_paths(failure: Failure) -> FailureAt {
    FailureAt { failure, path: 0 }
}
