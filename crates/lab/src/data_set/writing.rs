//! The bytes' way into the files: other threads compute them, this one writes.
//!
//! All files together are one stretch of bytes, cut into buffers; so one large
//! file and a hundred thousand small ones take the same path.

use super::DataError;
use fathom_model::{Content, DataSet};
use fathom_sys::page_cache;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

/// Bytes computed ahead in one piece.
const BUFFER_BYTES: u64 = 1 << 20;
/// Threads that fill buffers, in turn: log lines cost more to make than to write.
const WORKERS: u64 = 2;
/// Buffers of each: one being written, the others filled meanwhile.
const BUFFERS_EACH: usize = 3;
/// The device is set to work whenever so many bytes of a file are new.
const WRITEBACK_BYTES: u64 = 8 << 20;

/// Where files are made.
pub(super) trait Destination {
    /// Makes the file with this number, empty.
    fn create(&mut self, number: u32) -> Result<File, DataError>;
    /// Takes the file back when all its bytes are in.
    fn finish(&mut self, file: File);
    /// The path to name in errors.
    fn path(&self, number: u32) -> PathBuf;
}

/// Makes and fills all files of a data set.
pub(super) fn write_all(
    destination: &mut impl Destination,
    data: &DataSet,
    seeds: &[u64],
    progress: &mut dyn FnMut(u64, u64),
    stop: &AtomicBool,
) -> Result<(), DataError> {
    let total = data.size_bytes.saturating_mul(data.files.into());
    progress(0, total);
    if data.size_bytes == 0 {
        return make_empty(destination, data.files, stop);
    }
    std::thread::scope(|scope| {
        let workers: Vec<Worker> = (0..WORKERS)
            .map(|first| {
                let (worker, spare, filled) = Worker::new();
                let stretch = Stretch { content: data.content, size: data.size_bytes, total, first };
                scope.spawn(move || fill_buffers(&stretch, seeds, &spare, &filled));
                worker
            })
            .collect();
        let mut writer = Writer { destination, size: data.size_bytes, file: None, at: 0 };
        let result = write_buffers(&mut writer, total, &workers, progress, stop);
        // After an error this is what ends the other threads.
        drop(workers);
        result
    })
}

/// This thread's ends of the channels to one that fills buffers.
struct Worker {
    filled: Receiver<Vec<u8>>,
    spare: Sender<Vec<u8>>,
}

impl Worker {
    /// The worker and the other ends: of empty buffers, and of full ones.
    fn new() -> (Self, Receiver<Vec<u8>>, SyncSender<Vec<u8>>) {
        let (filled_in, filled) = sync_channel(BUFFERS_EACH);
        let (spare, spare_out) = channel();
        for _ in 0..BUFFERS_EACH {
            spare.send(Vec::new()).expect("the receiver is in scope");
        }
        (Self { filled, spare }, spare_out, filled_in)
    }
}

/// What one worker fills: every `WORKERS`th buffer of all bytes, from number `first`.
struct Stretch {
    content: Content,
    size: u64,
    total: u64,
    first: u64,
}

fn make_empty(destination: &mut impl Destination, files: u32, stop: &AtomicBool) -> Result<(), DataError> {
    for number in 0..files {
        check_stop(stop)?;
        let file = destination.create(number)?;
        destination.finish(file);
    }
    Ok(())
}

fn fill_buffers(stretch: &Stretch, seeds: &[u64], spare: &Receiver<Vec<u8>>, filled: &SyncSender<Vec<u8>>) {
    let Stretch { content, size, total, first } = *stretch;
    let mut start = first * BUFFER_BYTES;
    while start < total {
        let Ok(mut buffer) = spare.recv() else { return };
        buffer.resize(length_of(BUFFER_BYTES.min(total - start)), 0);
        let mut at = start;
        let mut rest = buffer.as_mut_slice();
        while !rest.is_empty() {
            let offset = at % size;
            let (now, later) = rest.split_at_mut(rest.len().min(length_of(size - offset)));
            content.fill(seeds[length_of(at / size)], offset, now);
            at += now.len() as u64;
            rest = later;
        }
        if filled.send(buffer).is_err() {
            return;
        }
        start += BUFFER_BYTES * WORKERS;
    }
}

fn write_buffers<D: Destination>(
    writer: &mut Writer<'_, D>,
    total: u64,
    workers: &[Worker],
    progress: &mut dyn FnMut(u64, u64),
    stop: &AtomicBool,
) -> Result<(), DataError> {
    for worker in workers.iter().cycle() {
        // A worker that has filled its last buffer is gone: then all bytes are in.
        let Ok(buffer) = worker.filled.recv() else { break };
        check_stop(stop)?;
        writer.write(&buffer)?;
        progress(writer.at, total);
        // The worker may have ended meanwhile.
        let _ = worker.spare.send(buffer);
    }
    Ok(())
}

struct Writer<'a, D> {
    destination: &'a mut D,
    size: u64,
    file: Option<File>,
    /// Bytes written, over all files.
    at: u64,
}

impl<D: Destination> Writer<'_, D> {
    fn write(&mut self, mut bytes: &[u8]) -> Result<(), DataError> {
        while !bytes.is_empty() {
            let number = u32::try_from(self.at / self.size).expect("the number of files is a u32");
            let offset = self.at % self.size;
            let mut file = match self.file.take() {
                Some(file) => file,
                None => self.destination.create(number)?,
            };
            let (now, later) = bytes.split_at(bytes.len().min(length_of(self.size - offset)));
            let written = file.write_all(now);
            written.map_err(|error| DataError::io("write", &self.destination.path(number), &error))?;
            self.at += now.len() as u64;
            let end = offset + now.len() as u64;
            start_writeback(&file, offset, end, self.size);
            if end == self.size {
                self.destination.finish(file);
            } else {
                self.file = Some(file);
            }
            bytes = later;
        }
        Ok(())
    }
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

fn check_stop(stop: &AtomicBool) -> Result<(), DataError> {
    if stop.load(Ordering::Relaxed) { Err(DataError::Interrupted) } else { Ok(()) }
}

fn length_of(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}
