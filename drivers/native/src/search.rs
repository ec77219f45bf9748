//! `search`: count a word in the file, by one thread or by several, each of
//! which takes the occurrences that begin in its part of the file.

use super::arguments::Plan;
use super::buffer::Buffer;
use super::crew::Crew;
use super::failure::{Failure, Refusal};
use super::ffi::O_RDONLY;
use super::find::find_word;
use super::methods::{Method, not_here, per_path};
use super::open_close::as_path;
use super::posix::{self, Fd, Mapping};
use super::sink::Sink;
use std::ffi::CStr;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The method of that name.
pub(crate) fn method<'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    let team = Team::gather(plan)?;
    Ok(match name {
        "std::fs::read" => per_path(plan, move |path, sink| fs_read(path, &team, sink)),
        "mmap" => per_path(plan, move |path, sink| map(path, &team, sink)),
        "pread" => {
            // A piece, and before it what may be the beginning of a word.
            let length = plan.block + plan.word.len() - 1;
            let buffer = || Mutex::new(Buffer::new(length, plan.fresh_buffer));
            let buffers: Vec<_> = (0..plan.threads).map(|_| buffer()).collect();
            per_path(plan, move |path, sink| pread(path, plan.block, &buffers, &team, sink))
        }
        _ => return Err(not_here(name)),
    })
}

fn fs_read(path: &CStr, team: &Team, sink: &mut Sink) -> Result<(), Failure> {
    let data = std::fs::read(as_path(path)).map_err(|error| Failure::of("std::fs::read", &error))?;
    conclude(data.len(), team.count_in_memory(&data)?, sink);
    Ok(())
}

/// An empty file cannot be mapped and has no words.
fn map(path: &CStr, team: &Team, sink: &mut Sink) -> Result<(), Failure> {
    let fd = posix::open(path, O_RDONLY)?;
    let size = fd.size()?;
    let count = if size > 0 { team.count_in_memory(Mapping::new(&fd, size, 0)?.bytes())? } else { 0 };
    conclude(size, count, sink);
    Ok(())
}

fn pread(
    path: &CStr,
    block: usize,
    buffers: &[Mutex<Buffer>],
    team: &Team,
    sink: &mut Sink,
) -> Result<(), Failure> {
    let fd = posix::open(path, O_RDONLY)?;
    let size = fd.size()?;
    let count = team.count(size, |number, range| {
        let mut buffer = buffers[number].lock().unwrap_or_else(PoisonError::into_inner);
        count_by_pieces(&fd, range, block, &mut buffer, team.word)
    })?;
    conclude(size, count, sink);
    Ok(())
}

/// Reads the range in pieces; the last bytes of each, too few for a word, stay
/// in the buffer and come before the next.
fn count_by_pieces(
    fd: &Fd,
    range: Range<usize>,
    block: usize,
    buffer: &mut Buffer,
    word: &[u8],
) -> Result<u64, Failure> {
    let mut own = None;
    let buffer = buffer.lend(&mut own);
    let (mut count, mut kept, mut offset) = (0, 0, range.start);
    while offset < range.end {
        let wanted = block.min(range.end - offset);
        let piece = fd.pread(&mut buffer[kept..kept + wanted], offset)?.len();
        if piece == 0 {
            return Err(Failure::short("pread"));
        }
        offset += piece;
        // SAFETY: what was kept has come from the file, as has the piece after it.
        let data = unsafe { buffer[..kept + piece].assume_init_ref() };
        count += occurrences(data, word);
        let length = data.len();
        kept = length.min(word.len() - 1);
        buffer.copy_within(length - kept..length, 0);
    }
    Ok(count)
}

/// Every place at which the word begins, even within another.
fn occurrences(mut data: &[u8], word: &[u8]) -> u64 {
    let mut count = 0;
    while let Some(place) = find_word(data, word) {
        count += 1;
        data = &data[place + 1..];
    }
    count
}

fn conclude(size: usize, count: u64, sink: &mut Sink) {
    sink.conclude(size as u64, count, || count.to_string());
    sink.count = count;
}

/// The threads of a search: a crew, or else the caller's own.
struct Team<'a> {
    word: &'a [u8],
    threads: usize,
    crew: Option<Crew>,
}

impl<'a> Team<'a> {
    fn gather(plan: &'a Plan) -> Result<Self, Refusal> {
        let threads = plan.threads;
        let crew = (threads > 1).then(|| Crew::start(threads)).transpose();
        let refuse = |error| Refusal::Unsupported(format!("failed to start {threads} threads: {error}"));
        Ok(Self { word: &plan.word, threads, crew: crew.map_err(refuse)? })
    }

    fn count_in_memory(&self, data: &[u8]) -> Result<u64, Failure> {
        self.count(data.len(), |_, range| Ok(occurrences(&data[range], self.word)))
    }

    /// The sum of what `count_part` finds in the range of each thread.
    fn count(
        &self,
        size: usize,
        count_part: impl Fn(usize, Range<usize>) -> Result<u64, Failure> + Sync,
    ) -> Result<u64, Failure> {
        let Some(crew) = &self.crew else { return count_part(0, 0..size) };
        let (sum, failed) = (AtomicU64::new(0), Mutex::new(None));
        crew.share(&|number| {
            let range = part(size, self.word.len(), number, self.threads);
            match count_part(number, range) {
                Ok(count) => _ = sum.fetch_add(count, Ordering::Relaxed),
                Err(failure) => *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure),
            }
        });
        let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.map_or(Ok(sum.into_inner()), Err)
    }
}

/// The bytes of the words that begin in part `number` of `parts`: all parts
/// are equally long, and each reads on into the next as far as a word can.
fn part(size: usize, word: usize, number: usize, parts: usize) -> Range<usize> {
    let length = size.div_ceil(parts);
    let start = size.min(number * length);
    let end = size.min(start + length);
    if start == end { start..end } else { start..size.min(end + word - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_overlap_count_each() {
        assert_eq!(occurrences(b"aaaa", b"aa"), 3);
        assert_eq!(occurrences(b"ERRORERROR ERRO", b"ERROR"), 2);
        assert_eq!((occurrences(b"", b"a"), occurrences(b"a", b"ab")), (0, 0));
    }

    #[test]
    fn parts_together_find_each_word_once() {
        let data = b"abababaabbababababa";
        for word in [&b"a"[..], b"ab", b"aba", b"abababaab", b"abababaabbababababax"] {
            let all = occurrences(data, word);
            for parts in 1..=25 {
                let found =
                    (0..parts).map(|t| occurrences(&data[part(data.len(), word.len(), t, parts)], word));
                assert_eq!(found.sum::<u64>(), all, "{word:?} in {parts}");
            }
        }
    }
}
