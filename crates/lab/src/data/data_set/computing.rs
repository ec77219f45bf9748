//! Content computed ahead by other threads and handed over in order, to whoever
//! writes it or compares it.
//!
//! A file larger than a buffer is cut into pieces, smaller ones share a buffer;
//! so one large file and a hundred thousand small ones take the same path.

use super::DataError;
use fathom_model::{Content, DataSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

/// Bytes computed ahead in one piece, unless a caller's block is larger.
pub(crate) const BUFFER_BYTES: u64 = 1 << 20;
/// Threads that fill buffers, in turn: log lines cost more to make than to write.
const WORKERS: u64 = 2;
/// Buffers of each: one being taken, the others filled meanwhile.
const BUFFERS_EACH: usize = 3;

/// What repeats does so after a divisor of this.
const PERIOD_BYTES: usize = 4096;

/// What is computed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) data: &'a DataSet,
    /// The seed of each file.
    pub(crate) seeds: &'a [u64],
    /// A large file is cut at multiples of this.
    pub(crate) piece_bytes: u64,
}

/// Bytes of one file, the whole of it or a stretch that begins at a multiple of
/// a piece. Stretches of a file come in order, file after file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stretch<'a> {
    pub(crate) file: u32,
    pub(crate) offset: u64,
    pub(crate) bytes: &'a [u8],
}

/// Hands every byte of a data set to `take`; an empty file is an empty stretch.
/// `progress` hears bytes taken and bytes in all. Returns how long `take` had to
/// wait for content.
pub(crate) fn deliver(
    source: &Source<'_>,
    progress: &mut dyn FnMut(u64, u64),
    stop: &AtomicBool,
    take: &mut dyn FnMut(Stretch<'_>) -> Result<(), DataError>,
) -> Result<Duration, DataError> {
    let cut = Cut::of(source);
    let total = source.data.size_bytes.saturating_mul(source.data.files.into());
    progress(0, total);
    std::thread::scope(|scope| {
        let workers: Vec<Worker> = (0..WORKERS)
            .map(|first| {
                let (worker, spare, filled) = Worker::new();
                let fill = move || fill_buffers(&cut, source, first, &spare, &filled);
                std::thread::Builder::new().spawn_scoped(scope, fill).map_err(DataError::Thread)?;
                Ok(worker)
            })
            .collect::<Result<_, DataError>>()?;
        let mut waited = Duration::ZERO;
        let mut done = 0;
        for (buffer, worker) in (0..cut.buffers).zip(workers.iter().cycle()) {
            let asked = Instant::now();
            let Ok(bytes) = worker.filled.recv() else { break };
            waited += asked.elapsed();
            for stretch in cut.stretches(buffer) {
                check_stop(stop)?;
                let bytes = &bytes[stretch.within.clone()];
                take(Stretch { file: stretch.file, offset: stretch.offset, bytes })?;
            }
            done += bytes.len() as u64;
            progress(done, total);
            // The worker may have ended meanwhile.
            let _ = worker.spare.send(bytes);
        }
        // Dropping the workers' channels is what ends the other threads after an error.
        Ok(waited)
    })
}

/// How the bytes of all files are divided among buffers.
#[derive(Debug, Clone, Copy)]
struct Cut {
    size: u64,
    files: u64,
    piece: u64,
    /// Buffers that one file needs; 1 where files share them.
    buffers_each: u64,
    /// Files in one buffer; 1 where files are cut.
    files_each: u64,
    buffers: u64,
}

/// One stretch, by its place in a buffer.
struct Placed {
    file: u32,
    offset: u64,
    within: std::ops::Range<usize>,
}

impl Cut {
    fn of(source: &Source<'_>) -> Self {
        let (size, files, piece) =
            (source.data.size_bytes, u64::from(source.data.files), source.piece_bytes.max(1));
        let buffers_each = size.div_ceil(piece).max(1);
        let files_each = piece.checked_div(size).unwrap_or(files).max(1);
        let buffers = if buffers_each > 1 { files * buffers_each } else { files.div_ceil(files_each) };
        Self { size, files, piece, buffers_each, files_each, buffers }
    }

    /// The stretches in a buffer, one behind the other from its start.
    fn stretches(self, buffer: u64) -> impl Iterator<Item = Placed> {
        let first = buffer / self.buffers_each * self.files_each;
        let offset = buffer % self.buffers_each * self.piece;
        let length = length_of(self.piece.min(self.size - offset));
        (first..self.files.min(first + self.files_each)).enumerate().map(move |(number, file)| Placed {
            file: u32::try_from(file).expect("the number of files is a u32"),
            offset,
            within: number * length..(number + 1) * length,
        })
    }
}

/// The taking thread's ends of the channels to one that fills buffers.
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

/// Fills every `WORKERS`th buffer, from number `first`.
fn fill_buffers(
    cut: &Cut,
    source: &Source<'_>,
    first: u64,
    spare: &Receiver<Vec<u8>>,
    filled: &SyncSender<Vec<u8>>,
) {
    let content: Content = source.data.content;
    let mut buffer = first;
    while buffer < cut.buffers {
        let Ok(mut bytes) = spare.recv() else { return };
        let length = cut.stretches(buffer).last().map_or(0, |stretch| stretch.within.end);
        bytes.resize(length, 0);
        for stretch in cut.stretches(buffer) {
            let seed = source.seeds[stretch.file as usize];
            fill(content, seed, stretch.offset, &mut bytes[stretch.within.clone()]);
        }
        if filled.send(bytes).is_err() {
            return;
        }
        buffer += WORKERS;
    }
}

/// As `Content::fill`, and faster for what repeats: one period is computed, the rest copied.
fn fill(content: Content, seed: u64, offset: u64, bytes: &mut [u8]) {
    let mut done = match content {
        Content::Random | Content::LogLines | Content::LogBorders | Content::Own => bytes.len(),
        Content::Pattern
        | Content::ConfigJson
        | Content::ConfigYaml
        | Content::ConfigToml
        | Content::Template => bytes.len().min(PERIOD_BYTES),
    };
    content.fill(seed, offset, &mut bytes[..done]);
    while done < bytes.len() {
        let more = done.min(bytes.len() - done);
        bytes.copy_within(..more, done);
        done += more;
    }
}

fn check_stop(stop: &AtomicBool) -> Result<(), DataError> {
    if stop.load(Ordering::Relaxed) { Err(DataError::Interrupted) } else { Ok(()) }
}

fn length_of(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_that_is_copied_is_the_content_that_is_computed() {
        for content in Content::ALL {
            for (offset, length) in [(0, 100_000), (12_345, 20_001), (7, 4097), (1 << 40, 4096), (3, 0)] {
                let (mut copied, mut computed) = (vec![1; length], vec![2; length]);
                fill(content, 9, offset, &mut copied);
                content.fill(9, offset, &mut computed);
                assert!(copied == computed, "{content} at {offset}");
            }
        }
    }

    #[test]
    fn stretches_cover_every_byte_once_and_begin_at_pieces() {
        for (files, size_bytes, piece_bytes) in [
            (1, 100_000, 4096),
            (3, 8192, 8192),
            (3, 8193, 8192),
            (500, 17, 4096),
            (7, 0, 4096),
            (0, 9, 4096),
        ] {
            let data = DataSet { files, size_bytes, content: Content::Random };
            let seeds: Vec<u64> = (0..u64::from(files)).map(|number| number * 31).collect();
            let source = Source { data: &data, seeds: &seeds, piece_bytes };
            let mut found = vec![Vec::new(); files as usize];
            let mut heard = 0;
            let mut take = |stretch: Stretch<'_>| {
                assert_eq!(stretch.offset, found[stretch.file as usize].len() as u64);
                assert_eq!(stretch.offset % piece_bytes, 0);
                found[stretch.file as usize].extend_from_slice(stretch.bytes);
                heard += 1;
                Ok(())
            };
            deliver(&source, &mut |_, _| {}, &AtomicBool::new(false), &mut take).unwrap();
            assert!(heard >= files, "an empty file is heard of too");
            for (bytes, seed) in found.iter().zip(&seeds) {
                let mut expected = vec![0; usize::try_from(size_bytes).unwrap()];
                data.content.fill(*seed, 0, &mut expected);
                assert!(*bytes == expected);
            }
        }
    }
}
