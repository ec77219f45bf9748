//! The two published programs that count a word with several workers.

use super::scanner::Scanner;
use crate::data::file_bytes::FileBytes;
use std::io;

/// A single read gives no more than this on Linux.
const READ_BYTES_MAX: u64 = 0x7fff_f000;

/// One pread of each worker's part: what crosses two parts, what stands in the
/// last `length mod workers` bytes and what one read cannot give is not counted.
pub(super) fn quarters(file: &FileBytes, word: &[u8], workers: u64) -> io::Result<u64> {
    let part = file.length() / workers;
    let length = word.len() as u64;
    let read = part.min(READ_BYTES_MAX);
    let mut count = 0;
    file.for_each_occurrence(word, |at| {
        // Short parts may begin at the same byte: then they hold nothing.
        let begins = at.checked_div(part).unwrap_or(0);
        count += u64::from(begins < workers && at - begins * part + length <= read);
    })?;
    Ok(count)
}

/// A Scanner over each worker's part, which ends when the *file* has been read
/// past the part's end: what the Scanner still holds then is not counted.
pub(super) fn scanners(file: &FileBytes, word: &[u8], workers: u64) -> io::Result<u64> {
    let part = file.length() / workers;
    let finder = memchr::memmem::Finder::new(word);
    let mut count = 0;
    for worker in 0..workers {
        let end = (worker + 1) * part;
        let mut scanner = Scanner::with_full_buffer(file, worker * part);
        while let Some(line) = scanner.next()? {
            count += u64::from(finder.find(line).is_some());
            if scanner.position() >= end {
                break;
            }
        }
    }
    Ok(count)
}
