//! The bytes' way into the files: other threads compute them, this one writes,
//! block by block, and counts its calls.

use super::DataError;
use super::computing::{BUFFER_BYTES, Source, Stretch, deliver};
use fathom_model::DataSet;
use fathom_sys::page_cache;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The device is set to work whenever so many bytes of a file are new.
const WRITEBACK_BYTES: u64 = 8 << 20;

/// Where files are made.
pub(crate) trait Destination {
    /// Makes the file with this number, empty.
    fn create(&mut self, number: u32) -> Result<File, DataError>;
    /// Takes the file back when all its bytes are in.
    fn finish(&mut self, number: u32, file: File) -> Result<(), DataError>;
    /// The path to name in errors.
    fn path(&self, number: u32) -> PathBuf;
}

/// How bytes are written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Manner {
    /// Bytes of one write call; the last of a file may be shorter.
    pub(crate) block_bytes: u64,
    /// Whether the device is set to work before anybody syncs.
    pub(crate) early_writeback: bool,
}

impl Manner {
    /// The fastest: large blocks, the device always busy.
    pub(super) const FAST: Self = Self { block_bytes: BUFFER_BYTES, early_writeback: true };
}

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Written {
    /// Write calls made, those that were cut short and had to be repeated included.
    pub(crate) calls: u64,
    /// Time spent waiting for content to be computed.
    pub(crate) waited: Duration,
}

/// Makes and fills all files of a data set.
pub(crate) fn write_all(
    destination: &mut impl Destination,
    data: &DataSet,
    seeds: &[u64],
    manner: Manner,
    progress: &mut dyn FnMut(u64, u64),
    stop: &AtomicBool,
) -> Result<Written, DataError> {
    let block = manner.block_bytes.max(1);
    // Whole blocks, so that none is cut where one piece ends.
    let source = Source { data, seeds, piece_bytes: (BUFFER_BYTES / block).max(1).saturating_mul(block) };
    let mut writer = Writer { destination, size: data.size_bytes, manner, file: None, calls: 0 };
    let waited = deliver(&source, progress, stop, &mut |stretch| writer.write(&stretch))?;
    Ok(Written { calls: writer.calls, waited })
}

struct Writer<'a, D> {
    destination: &'a mut D,
    size: u64,
    manner: Manner,
    file: Option<File>,
    calls: u64,
}

impl<D: Destination> Writer<'_, D> {
    fn write(&mut self, stretch: &Stretch<'_>) -> Result<(), DataError> {
        let file = match self.file.take() {
            Some(file) => file,
            None => self.destination.create(stretch.file)?,
        };
        let block = usize::try_from(self.manner.block_bytes).unwrap_or(usize::MAX).max(1);
        for bytes in stretch.bytes.chunks(block) {
            self.calls += write_block(&file, bytes).map_err(|error| {
                let path = self.destination.path(stretch.file);
                DataError::io("write", &path, &error)
            })?;
        }
        let end = stretch.offset + stretch.bytes.len() as u64;
        if self.manner.early_writeback {
            start_writeback(&file, stretch.offset, end, self.size);
        }
        if end == self.size {
            self.destination.finish(stretch.file, file)?;
        } else {
            self.file = Some(file);
        }
        Ok(())
    }
}

/// One block: one call, unless the kernel takes less. The number of calls.
fn write_block(mut file: &File, mut bytes: &[u8]) -> std::io::Result<u64> {
    let mut calls = 0;
    while !bytes.is_empty() {
        calls += 1;
        match file.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(calls)
}

/// Lets the device work while bytes are still computed. Only advice: where it
/// is refused the sync at the end does all. Small files are left to that sync, which orders them better.
fn start_writeback(file: &File, offset: u64, end: u64, size: u64) {
    let crossed = end / WRITEBACK_BYTES > offset / WRITEBACK_BYTES;
    let last_of_large = end == size && size >= WRITEBACK_BYTES;
    if crossed || last_of_large {
        let from = (offset / WRITEBACK_BYTES) * WRITEBACK_BYTES;
        let _ = page_cache::start_writeback(file, from, end - from);
    }
}
