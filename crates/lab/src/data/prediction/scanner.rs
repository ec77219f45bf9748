//! Go's `bufio.Scanner` with `bufio.ScanLines` over a file: which lines it
//! delivers, when it reads, and how far the file has been read by then.

use crate::data::file_bytes::FileBytes;
use std::io;

/// The buffer that a Scanner begins with when it is given none.
const START_BYTES: usize = 4096;
/// The longest buffer of a Scanner that is not told otherwise.
const MOST_BYTES: usize = 64 << 10;

/// A Scanner over a regular file, whose reads fill what room there is.
pub(super) struct Scanner<'a> {
    file: &'a FileBytes,
    /// Where the file stands: behind all that was read.
    position: u64,
    buffer: Vec<u8>,
    /// What is held and not yet delivered: `start..end` of the buffer.
    start: usize,
    end: usize,
    /// The buffer grows to this.
    most: usize,
    at_end: bool,
    /// A line did not fit into the largest buffer.
    too_long: bool,
}

impl<'a> Scanner<'a> {
    /// A Scanner as it comes.
    pub(super) fn new(file: &'a FileBytes) -> Self {
        Self::with_buffer(file, 0, 0)
    }

    /// A Scanner with a buffer of 64 KiB from the start, over the file from `position` on.
    pub(super) fn with_full_buffer(file: &'a FileBytes, position: u64) -> Self {
        Self::with_buffer(file, position, MOST_BYTES)
    }

    fn with_buffer(file: &'a FileBytes, position: u64, bytes: usize) -> Self {
        let buffer = vec![0; bytes];
        Self { file, position, buffer, start: 0, end: 0, most: MOST_BYTES, at_end: false, too_long: false }
    }

    /// Where the file stands.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// True when the Scanner gave up at a line longer than its buffer.
    pub(super) fn is_too_long(&self) -> bool {
        self.too_long
    }

    /// The next line, without its newline and a carriage return before it.
    pub(super) fn next(&mut self) -> io::Result<Option<&[u8]>> {
        loop {
            let held = &self.buffer[self.start..self.end];
            if let Some(length) = memchr::memchr(b'\n', held) {
                let from = self.start;
                self.start += length + 1;
                return Ok(Some(without_return(&self.buffer[from..from + length])));
            }
            if self.at_end {
                let from = std::mem::replace(&mut self.start, self.end);
                let last = &self.buffer[from..self.end];
                return Ok((!last.is_empty()).then(|| without_return(last)));
            }
            if !self.make_room() {
                self.too_long = true;
                return Ok(None);
            }
            self.read()?;
        }
    }

    /// Moves what is held to the front where that is due, and lets a full buffer
    /// grow. False when it may not grow any more.
    fn make_room(&mut self) -> bool {
        let full = |s: &Self| s.end == s.buffer.len();
        if self.start > 0 && (full(self) || self.start > self.buffer.len() / 2) {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        if full(self) {
            if self.buffer.len() >= self.most {
                return false;
            }
            let doubled = if self.buffer.is_empty() { START_BYTES } else { self.buffer.len() * 2 };
            self.buffer.resize(doubled.min(self.most), 0);
        }
        true
    }

    fn read(&mut self) -> io::Result<()> {
        let room = (self.buffer.len() - self.end) as u64;
        let left = self.file.length().saturating_sub(self.position);
        let count = usize::try_from(room.min(left)).expect("no more than the buffer");
        self.file.fill(self.position, &mut self.buffer[self.end..self.end + count])?;
        self.position += count as u64;
        self.end += count;
        self.at_end = count == 0;
        Ok(())
    }
}

/// A line as `bufio.ScanLines` delivers it.
pub(super) fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
