//! The published programs that read lines: one Scanner over the file, and one
//! for each piece of 4 KiB.

use super::scanner::{Scanner, without_return};
use crate::data::file_bytes::FileBytes;
use crate::data::truth::Answer;
use std::io;

/// What the published program reads at once.
const PIECE_BYTES: usize = 4096;

/// One Scanner as it comes. `None` when it gives up at a long line, which the
/// program treats as an error.
pub(super) fn scanned(file: &FileBytes) -> io::Result<Option<Answer>> {
    let mut scanner = Scanner::new(file);
    let mut answer = Answer::default();
    while let Some(line) = scanner.next()? {
        add_record(&mut answer, line.len() as u64, line.first().copied());
    }
    Ok((!scanner.is_too_long()).then_some(answer))
}

/// A Scanner for each piece: a line that lies in two pieces comes as two.
pub(super) fn pieces(file: &FileBytes) -> io::Result<Answer> {
    let mut answer = Answer::default();
    for_each_scanned(file, |line| {
        if let Some(line) = line {
            add_record(&mut answer, line.len() as u64, line.first().copied());
        }
    })?;
    Ok(answer)
}

/// The same, and what the program does with a line: its test for a newline holds
/// for every line that is not empty, since a Scanner strips newlines. So lines
/// gather, with a newline after each piece, until an empty one is met.
pub(super) fn gathered(file: &FileBytes) -> io::Result<Answer> {
    let mut answer = Answer::default();
    let mut held = 0_u64;
    let mut first = None;
    for_each_scanned(file, |line| match line {
        Some([]) => {
            answer.largest = answer.largest.max(held);
            add_record(&mut answer, held, first.take());
            held = 0;
        }
        Some(line) => {
            first = first.or(line.first().copied());
            held += line.len() as u64;
        }
        None => held += u64::from(held > 0),
    })?;
    answer.left = held;
    Ok(answer)
}

/// Every line of every piece, as a Scanner of the piece delivers it, and `None`
/// after each piece. A Scanner's buffer grows past a piece: no line is too long.
fn for_each_scanned(file: &FileBytes, mut take: impl FnMut(Option<&[u8]>)) -> io::Result<()> {
    file.for_each_piece(file.length(), |part| {
        for piece in part.chunks(PIECE_BYTES) {
            let mut rest = piece;
            while !rest.is_empty() {
                let end = memchr::memchr(b'\n', rest);
                take(Some(without_return(&rest[..end.unwrap_or(rest.len())])));
                rest = &rest[end.map_or(rest.len(), |end| end + 1)..];
            }
            take(None);
        }
    })
}

fn add_record(answer: &mut Answer, bytes: u64, first: Option<u8>) {
    answer.count += 1;
    answer.bytes += bytes;
    answer.digest += first.map_or(0, u64::from);
}
