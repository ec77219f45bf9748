//! The right answer of one operation on one file: one pass over its content,
//! made anew from its rule.

use fathom_model::{Content, Operation};
use md5::{Digest, Md5};

/// What `search` counts unless told otherwise.
const WORD: &[u8] = b"ERROR";
/// Content is made in pieces of this many bytes.
const PIECE_BYTES: usize = 1 << 20;

/// What an operation must deliver.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) bytes: u64,
    pub(crate) digest: u64,
    /// Lines or matches; 0 for operations that count nothing.
    pub(crate) count: u64,
    /// CRC-32 of what `verify` speaks of.
    pub(crate) crc32: u32,
}

impl Answer {
    /// Adds another operation's answer; checksums do not add.
    pub(crate) fn add(&mut self, other: &Self) {
        self.bytes += other.bytes;
        self.digest = self.digest.wrapping_add(other.digest);
        self.count += other.count;
    }
}

/// The answer of `operation` on the first `length` bytes of the file with this content.
pub(crate) fn answer(operation: Operation, content: Content, seed: u64, length: u64) -> Answer {
    match operation {
        Operation::Null | Operation::OpenClose | Operation::OpenWriteClose => Answer::default(),
        Operation::OpenReadClose | Operation::ReadWhole | Operation::ReadBlock => {
            let mut crc32 = crc32fast::Hasher::new();
            for_each_piece(content, seed, length, |piece| crc32.update(piece));
            let digest = content.digest(seed, 0, length);
            Answer { bytes: length, digest, count: 0, crc32: crc32.finalize() }
        }
        Operation::Lines => lines(content, seed, length),
        Operation::Search => search(content, seed, length),
        Operation::Hash => {
            let mut md5 = Md5::new();
            for_each_piece(content, seed, length, |piece| md5.update(piece));
            let hash = md5.finalize();
            let first = hash.first_chunk().expect("an MD5 has 16 bytes");
            Answer {
                bytes: length,
                digest: u64::from_be_bytes(*first),
                count: 0,
                crc32: crc32fast::hash(&hash),
            }
        }
    }
}

fn for_each_piece(content: Content, seed: u64, length: u64, mut take: impl FnMut(&[u8])) {
    let mut buffer = vec![0; PIECE_BYTES];
    let mut done = 0;
    while done < length {
        let size = usize::try_from(length - done).map_or(PIECE_BYTES, |left| left.min(PIECE_BYTES));
        content.fill(seed, done, &mut buffer[..size]);
        take(&buffer[..size]);
        done += size as u64;
    }
}

fn lines(content: Content, seed: u64, length: u64) -> Answer {
    let mut answer = Answer::default();
    let mut crc32 = crc32fast::Hasher::new();
    let mut at_start = true;
    for_each_piece(content, seed, length, |piece| {
        crc32.update(piece);
        for &byte in piece {
            let ends = byte == b'\n';
            if ends {
                answer.count += 1;
            } else {
                answer.bytes += 1;
                answer.digest += if at_start { u64::from(byte) } else { 0 };
            }
            at_start = ends;
        }
    });
    if !at_start {
        answer.count += 1;
        crc32.update(b"\n");
    }
    Answer { crc32: crc32.finalize(), ..answer }
}

/// Occurrences of the word, those across two pieces included. The word does
/// not overlap itself, so there is one way of counting.
fn search(content: Content, seed: u64, length: u64) -> Answer {
    let mut count = 0_u64;
    let mut tail = Vec::new();
    for_each_piece(content, seed, length, |piece| {
        tail.extend_from_slice(&piece[..piece.len().min(WORD.len() - 1)]);
        count += occurrences(&tail) + occurrences(piece);
        let keep = piece.len().min(WORD.len() - 1);
        tail = piece[piece.len() - keep..].to_vec();
    });
    Answer { bytes: length, digest: count, count, crc32: crc32fast::hash(count.to_string().as_bytes()) }
}

fn occurrences(text: &[u8]) -> u64 {
    text.windows(WORD.len()).filter(|window| *window == WORD).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(content: Content, length: usize) -> Vec<u8> {
        let mut text = vec![0; length];
        content.fill(5, 0, &mut text);
        text
    }

    #[test]
    fn lines_are_those_of_the_text() {
        for length in [0, 1, 100, 4096, 10_000, 3 * PIECE_BYTES + 17] {
            let text = whole(Content::LogLines, length);
            let mut lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
            if lines.last().is_some_and(|last| last.is_empty()) {
                lines.pop();
            }
            let found = answer(Operation::Lines, Content::LogLines, 5, length as u64);
            assert_eq!(found.count, lines.len() as u64, "{length}");
            assert_eq!(found.bytes, lines.iter().map(|line| line.len() as u64).sum::<u64>());
            let firsts: u64 = lines.iter().filter_map(|line| line.first()).map(|&byte| u64::from(byte)).sum();
            assert_eq!(found.digest, firsts);
        }
    }

    #[test]
    fn matches_across_pieces_count_once() {
        let length = 3 * PIECE_BYTES + 11;
        let text = whole(Content::LogLines, length);
        let expected = text.windows(5).filter(|window| window == b"ERROR").count() as u64;
        let found = answer(Operation::Search, Content::LogLines, 5, length as u64);
        assert!(expected > 1000);
        assert_eq!((found.count, found.bytes), (expected, length as u64));
    }

    #[test]
    fn a_hash_is_the_published_one() {
        // RFC 1321: MD5 of the empty string is d41d8cd98f00b204e9800998ecf8427e.
        let found = answer(Operation::Hash, Content::Random, 5, 0);
        assert_eq!(found.digest, 0xd41d_8cd9_8f00_b204);
    }
}
