//! Lines of a log, each with a look at the next, in bounded memory.

use super::line::is_frame;
use std::io::{self, BufRead};

/// Longer lines are not kept; `-s` with a large number makes long ones.
const MOST_BYTES: usize = 16 << 20;

/// Reads lines.
#[derive(Debug)]
pub(super) struct Lines<R> {
    reader: R,
    current: Held,
    ahead: Option<Held>,
    begun: bool,
    number: u64,
}

/// A line without its end.
#[derive(Debug, Default)]
struct Held {
    text: Vec<u8>,
    /// Its end was there.
    ended: bool,
    too_long: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, current: Held::default(), ahead: None, begun: false, number: 0 }
    }

    /// Goes to the next line; false when there is none.
    pub(super) fn advance(&mut self) -> io::Result<bool> {
        if !self.begun {
            self.begun = true;
            self.ahead = self.read(Held::default())?;
        }
        let Some(next) = self.ahead.take() else { return Ok(false) };
        let emptied = std::mem::replace(&mut self.current, next);
        self.ahead = self.read(emptied)?;
        self.number += 1;
        Ok(true)
    }

    /// The number of the current line, counted from 1; 0 before the first.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn current(&self) -> &[u8] {
        &self.current.text
    }

    /// Takes the current line's text, to be put back.
    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.current.text)
    }

    pub(super) fn put_back(&mut self, text: Vec<u8>) {
        self.current.text = text;
    }

    /// The log ends in the midst of the current line.
    pub(super) fn is_cut(&self) -> bool {
        !self.current.ended
    }

    /// The current line is longer than what is kept of it.
    pub(super) fn is_too_long(&self) -> bool {
        self.current.too_long
    }

    /// The next line is one of a stack.
    pub(super) fn frame_follows(&self) -> bool {
        self.ahead.as_ref().is_some_and(|next| is_frame(&next.text))
    }

    fn read(&mut self, mut line: Held) -> io::Result<Option<Held>> {
        line.text.clear();
        (line.ended, line.too_long) = (false, false);
        let mut any = false;
        while !line.ended {
            let bytes = match self.reader.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if bytes.is_empty() {
                break;
            }
            any = true;
            let end = memchr::memchr(b'\n', bytes);
            let text = &bytes[..end.unwrap_or(bytes.len())];
            let room = MOST_BYTES - line.text.len();
            line.too_long |= text.len() > room;
            line.text.extend_from_slice(&text[..text.len().min(room)]);
            line.ended = end.is_some();
            let used = text.len() + usize::from(line.ended);
            self.reader.consume(used);
        }
        if line.text.last() == Some(&b'\r') {
            line.text.pop();
        }
        Ok(any.then_some(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    #[test]
    fn lines_and_what_follows_them() {
        let mut lines = Lines::new(BufReader::with_capacity(2, &b"one\r\n > frame\n\ncut"[..]));
        assert!(lines.advance().unwrap());
        assert_eq!((lines.current(), lines.frame_follows(), lines.number()), (&b"one"[..], true, 1));
        assert!(lines.advance().unwrap() && lines.advance().unwrap());
        assert_eq!((lines.current(), lines.is_cut()), (&b""[..], false));
        assert!(lines.advance().unwrap());
        assert_eq!((lines.current(), lines.is_cut(), lines.number()), (&b"cut"[..], true, 4));
        assert!(!lines.advance().unwrap() && !lines.advance().unwrap());
    }

    #[test]
    fn a_line_without_end_takes_no_more_memory_than_allowed() {
        let endless = io::repeat(b'x').take(3 * MOST_BYTES as u64).chain(&b"\nclose(3) = 0\n"[..]);
        let mut lines = Lines::new(BufReader::new(endless));
        assert!(lines.advance().unwrap());
        assert_eq!((lines.current().len(), lines.is_too_long()), (MOST_BYTES, true));
        assert!(lines.advance().unwrap());
        assert_eq!((lines.current(), lines.is_too_long()), (&b"close(3) = 0"[..], false));
    }
}
