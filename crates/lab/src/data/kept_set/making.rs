//! Making a kept set: the manifest first and unfinished, the files block by
//! block, the check, and then the manifest that says it is complete.

use super::directory::KeptDirectory;
use super::{CpuTime, KeptError, Manifest, SetName, SyncWhen, removal};
use crate::data::data_set::writing::{Destination, Manner, Written, write_all};
use crate::data::data_set::{DataError, SYNC_EACH_FILES, check_size_and_extents, file_seed, room};
use fathom_model::{DataSet, Reading};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Its name.
    pub name: SetName,
    /// The files.
    pub data: DataSet,
    /// Bytes of one write call, at least 1.
    pub block_bytes: u64,
    /// When it is made durable.
    pub sync: SyncWhen,
    /// From which its content follows.
    pub seed: u64,
    /// Now, as RFC 3339.
    pub created: String,
}

/// What making it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figures {
    /// The directory.
    pub path: PathBuf,
    /// Write calls made.
    pub writes: u64,
    /// Bytes written.
    pub bytes: u64,
    /// From the first file's creation to the last file's close, fsync included
    /// where it was asked for.
    pub wall: Duration,
    /// Processor time of the thread that wrote.
    pub writer: Reading<CpuTime>,
    /// Processor time of the threads that computed content.
    pub computing: Reading<CpuTime>,
    /// Of the wall time, spent waiting for content.
    pub waited: Duration,
    /// Where the clock had stopped before: what it then took until all was on the device.
    pub synced_after: Option<Duration>,
}

/// Makes a kept set. `progress` hears bytes done and bytes in all. When `stop`
/// turns true, or anything fails, all that was made is removed again.
pub fn make(
    in_dir: &Path,
    order: &Order,
    progress: &mut dyn FnMut(u64, u64),
    stop: &AtomicBool,
) -> Result<Figures, KeptError> {
    let directory = KeptDirectory::create(in_dir, &order.name)?;
    let data = &order.data;
    let mut manifest =
        Manifest::begun(data, order.created.clone(), order.seed, order.block_bytes, order.sync);
    let made = room::check_directory(directory.path(), directory.directory(), data)
        .map_err(KeptError::from)
        .and_then(|()| directory.write_manifest(&manifest))
        .and_then(|()| make_files(&directory, order, progress, stop))
        .and_then(|figures| {
            manifest.complete = true;
            directory.write_manifest(&manifest)?;
            Ok(figures)
        });
    made.map_err(|error| {
        // What cannot be removed now is marked as unfinished, and found by `list`.
        let _ = removal::empty(&directory, data.files);
        match error {
            KeptError::Data(error) => {
                room::with_figures(error, directory.path(), directory.directory(), data).into()
            }
            KeptError::Directory(error) => {
                room::with_figures(error.into(), directory.path(), directory.directory(), data).into()
            }
            other => other,
        }
    })
}

fn make_files(
    directory: &KeptDirectory,
    order: &Order,
    progress: &mut dyn FnMut(u64, u64),
    stop: &AtomicBool,
) -> Result<Figures, KeptError> {
    let data = &order.data;
    let seeds: Vec<u64> = (0..data.files).map(|number| file_seed(order.seed, number)).collect();
    let each = data.files <= SYNC_EACH_FILES;
    let mut destination = InKept { directory, sync: order.sync, keep: each, kept: Vec::new() };
    // Without fsync the kernel writes back when it likes, as for any program.
    let manner = Manner { block_bytes: order.block_bytes, early_writeback: order.sync == SyncWhen::Fsync };
    let before = (CpuTime::of_thread(), CpuTime::of_process());
    let begun = Instant::now();
    let Written { calls, waited } = write_all(&mut destination, data, &seeds, manner, progress, stop)?;
    if order.sync == SyncWhen::Fsync {
        directory.sync()?;
    }
    let wall = begun.elapsed();
    let writer = between(&before.0, &CpuTime::of_thread());
    let process = between(&before.1, &CpuTime::of_process());
    let computing = match (&writer, &process) {
        (Reading::Value(writer), Reading::Value(process)) => Reading::Value(process.since(*writer)),
        (Reading::Unavailable(reason), _) | (_, Reading::Unavailable(reason)) => {
            Reading::unavailable(reason.clone())
        }
    };
    let synced_after = sync_after(directory, &destination, order.sync, stop)?;
    for number in 0..data.files {
        let file = directory.open_file(number)?;
        check_size_and_extents(&file, &directory.path_of(number), data.size_bytes)?;
    }
    check_stop(stop)?;
    let bytes = data.size_bytes.saturating_mul(data.files.into());
    let path = directory.path().to_owned();
    Ok(Figures { path, writes: calls, bytes, wall, writer, computing, waited, synced_after })
}

/// Makes durable what was not yet; how long that took.
fn sync_after(
    directory: &KeptDirectory,
    destination: &InKept<'_>,
    sync: SyncWhen,
    stop: &AtomicBool,
) -> Result<Option<Duration>, KeptError> {
    if sync == SyncWhen::Fsync {
        return Ok(None);
    }
    let begun = Instant::now();
    for file in &destination.kept {
        check_stop(stop)?;
        file.sync_all().map_err(|error| DataError::io("fsync", directory.path(), &error))?;
    }
    if !destination.keep {
        check_stop(stop)?;
        rustix::fs::syncfs(directory.directory())
            .map_err(|errno| DataError::refused("syncfs", directory.path(), errno))?;
    }
    directory.sync()?;
    Ok(Some(begun.elapsed()))
}

fn between(before: &Reading<CpuTime>, after: &Reading<CpuTime>) -> Reading<CpuTime> {
    match (before, after) {
        (Reading::Value(before), Reading::Value(after)) => Reading::Value(after.since(*before)),
        (Reading::Unavailable(reason), _) | (_, Reading::Unavailable(reason)) => {
            Reading::unavailable(reason.clone())
        }
    }
}

fn check_stop(stop: &AtomicBool) -> Result<(), DataError> {
    if stop.load(Ordering::Relaxed) { Err(DataError::Interrupted) } else { Ok(()) }
}

struct InKept<'a> {
    directory: &'a KeptDirectory,
    sync: SyncWhen,
    /// Whether files are kept open until they are synced, each by itself.
    keep: bool,
    kept: Vec<File>,
}

impl Destination for InKept<'_> {
    fn create(&mut self, number: u32) -> Result<File, DataError> {
        self.directory.create_file(number).map_err(|error| match error {
            KeptError::Directory(error) => error.into(),
            other => DataError::Kept(other.to_string()),
        })
    }

    fn finish(&mut self, number: u32, file: File) -> Result<(), DataError> {
        match self.sync {
            SyncWhen::Fsync => {
                file.sync_all().map_err(|error| DataError::io("fsync", &self.path(number), &error))?;
            }
            SyncWhen::None if self.keep => self.kept.push(file),
            SyncWhen::None => {}
        }
        Ok(())
    }

    fn path(&self, number: u32) -> PathBuf {
        self.directory.path_of(number)
    }
}
