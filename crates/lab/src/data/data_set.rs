//! Data sets: files of known content, really written, really on the device.
//!
//! A file of holes or of extents never written reads many times faster than a
//! true one, so every file is checked after it was made, and so is a file that a user names.

pub(crate) mod computing;
mod error;
pub(crate) mod room;
pub(crate) mod writing;
mod written;

pub use error::DataError;
pub use written::{check_regular, check_written};

use crate::files::scratch::{Scratch, Series};
use fathom_model::{DataSet, splitmix64};
use fathom_sys::memfd;
use rustix::fd::{AsRawFd, OwnedFd};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use writing::{Destination, Manner};

/// Above so many files the file system is synced as a whole instead of each file.
pub(crate) const SYNC_EACH_FILES: u32 = 64;

/// Where a data set is made.
#[derive(Debug, Clone, Copy)]
pub enum Target<'a> {
    /// Files in a scratch directory.
    Scratch(&'a Scratch),
    /// Anonymous memory files, inherited by the drivers.
    Memory,
}

/// The files that were made.
#[derive(Debug)]
pub struct FilesMade {
    /// One path per file; of memory files `/proc/self/fd/N`, valid in this
    /// process and in those it starts.
    pub paths: Vec<PathBuf>,
    /// The seed of each file's content, as `Content::fill` takes it.
    pub seeds: Vec<u64>,
    /// What keeps memory files alive; empty for files in a directory.
    pub memory: Vec<OwnedFd>,
}

/// The content seed of the file with this number: files differ from each other.
pub fn file_seed(seed: u64, number: u32) -> u64 {
    splitmix64(seed ^ u64::from(number).wrapping_mul(0x9E6C_63D0_876A_3F6B))
}

/// Makes the files of a data set, durable and checked. `progress` hears bytes
/// done and bytes in all; when `stop` turns true, or anything fails, what was
/// made is removed again.
pub fn make(
    target: Target<'_>,
    data: &DataSet,
    seed: u64,
    progress: &mut dyn FnMut(u64, u64),
    stop: &AtomicBool,
) -> Result<FilesMade, DataError> {
    let seeds: Vec<u64> = (0..data.files).map(|number| file_seed(seed, number)).collect();
    match target {
        Target::Memory => make_memory_files(data, seeds, progress, stop),
        Target::Scratch(scratch) => {
            room::check_directory(scratch.path(), scratch.directory(), data)?;
            let series = scratch.claim_series(data.files)?;
            let made = make_files(scratch, &series, data, &seeds, progress, stop);
            if let Err(error) = made {
                scratch.remove_series(&series)?;
                return Err(room::with_figures(error, scratch.path(), scratch.directory(), data));
            }
            let paths = (0..data.files).map(|number| scratch.path().join(series.name(number))).collect();
            Ok(FilesMade { paths, seeds, memory: Vec::new() })
        }
    }
}

fn make_files(
    scratch: &Scratch,
    series: &Series,
    data: &DataSet,
    seeds: &[u64],
    progress: &mut dyn FnMut(u64, u64),
    stop: &AtomicBool,
) -> Result<(), DataError> {
    let sync_each = data.files <= SYNC_EACH_FILES;
    let mut destination = InScratch { scratch, series, keep: sync_each, kept: Vec::new() };
    writing::write_all(&mut destination, data, seeds, Manner::FAST, progress, stop)?;
    for file in &destination.kept {
        file.sync_all().map_err(|error| DataError::io("fsync", scratch.path(), &error))?;
    }
    if !sync_each {
        scratch.sync_file_system()?;
    }
    scratch.sync_directory()?;
    (0..data.files).try_for_each(|number| {
        let name = series.name(number);
        check_size_and_extents(&scratch.open_file(&name)?, &scratch.path().join(&name), data.size_bytes)
    })
}

fn make_memory_files(
    data: &DataSet,
    seeds: Vec<u64>,
    progress: &mut dyn FnMut(u64, u64),
    stop: &AtomicBool,
) -> Result<FilesMade, DataError> {
    room::check_memory(data)?;
    let mut destination = InMemory { made: Vec::new() };
    writing::write_all(&mut destination, data, &seeds, Manner::FAST, progress, stop)?;
    let memory: Vec<OwnedFd> = destination.made;
    let paths: Vec<_> =
        memory.iter().map(|fd| PathBuf::from(format!("/proc/self/fd/{}", fd.as_raw_fd()))).collect();
    memory.iter().zip(&paths).try_for_each(|(fd, path)| check_size_and_extents(fd, path, data.size_bytes))?;
    Ok(FilesMade { paths, seeds, memory })
}

/// Refuses a file of another size, or of which some byte was never written to the device.
pub(crate) fn check_size_and_extents(
    fd: impl rustix::fd::AsFd,
    path: &Path,
    size: u64,
) -> Result<(), DataError> {
    let found = written::size_of(fd.as_fd(), path)?;
    if found != size {
        return Err(DataError::Size { path: path.to_owned(), found, expected: size });
    }
    check_written(fd, path)
}

struct InScratch<'a> {
    scratch: &'a Scratch,
    series: &'a Series,
    keep: bool,
    kept: Vec<File>,
}

impl Destination for InScratch<'_> {
    fn create(&mut self, number: u32) -> Result<File, DataError> {
        Ok(self.scratch.create_file(&self.series.name(number))?)
    }

    fn finish(&mut self, _number: u32, file: File) -> Result<(), DataError> {
        if self.keep {
            self.kept.push(file);
        }
        Ok(())
    }

    fn path(&self, number: u32) -> PathBuf {
        self.scratch.path().join(self.series.name(number))
    }
}

struct InMemory {
    made: Vec<OwnedFd>,
}

impl Destination for InMemory {
    fn create(&mut self, number: u32) -> Result<File, DataError> {
        let fd = memfd::create_inheritable(&format!("fathom-{number}")).map_err(DataError::Memory)?;
        Ok(File::from(fd))
    }

    fn finish(&mut self, _number: u32, file: File) -> Result<(), DataError> {
        self.made.push(file.into());
        Ok(())
    }

    fn path(&self, number: u32) -> PathBuf {
        PathBuf::from(format!("memfd fathom-{number}"))
    }
}

#[cfg(test)]
mod tests;
