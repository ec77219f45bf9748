//! The right answer of one operation on one file: one pass over its content,
//! made anew from its rule.

use fathom_model::{Content, Operation};
use md5::{Digest, Md5};
use xxhash_rust::xxh64::Xxh64;

/// What `search` counts unless told otherwise.
const WORD: &[u8] = b"ERROR";
/// Content is made in pieces of this many bytes.
const PIECE_BYTES: usize = 1 << 20;

/// What `hash` computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Algorithm {
    Md5,
    Xxh64,
}

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

/// The answer of `operation` on the first `length` bytes of the file with this
/// content. Of operations that write, and of a whole configuration, others speak.
pub(crate) fn answer(
    operation: Operation,
    content: Content,
    seed: u64,
    length: u64,
    algorithm: Algorithm,
) -> Answer {
    match operation {
        Operation::Null
        | Operation::OpenClose
        | Operation::OpenMissing
        | Operation::OpenWriteClose
        | Operation::Create
        | Operation::WriteBlock => Answer::default(),
        Operation::ConfigLoad => {
            Answer { bytes: length, digest: content.config_sum(seed), count: 0, crc32: 0 }
        }
        Operation::Template => page(content, seed, length),
        Operation::Copy => Answer { bytes: length, digest: 0, count: 0, crc32: crc32(content, seed, length) },
        Operation::OpenReadClose | Operation::ReadWhole | Operation::ReadBlock | Operation::Reload => {
            let digest = content.digest(seed, 0, length);
            Answer { bytes: length, digest, count: 0, crc32: crc32(content, seed, length) }
        }
        Operation::Lines => lines(content, seed, length),
        Operation::Search => search(content, seed, length),
        Operation::Hash => {
            let hash = match algorithm {
                Algorithm::Md5 => {
                    let mut md5 = Md5::new();
                    for_each_piece(content, seed, length, |piece| md5.update(piece));
                    md5.finalize().to_vec()
                }
                Algorithm::Xxh64 => {
                    let mut xxh64 = Xxh64::new(0);
                    for_each_piece(content, seed, length, |piece| xxh64.update(piece));
                    xxh64.digest().to_be_bytes().to_vec()
                }
            };
            let first = hash.first_chunk().expect("a hash has 8 bytes or more");
            Answer {
                bytes: length,
                digest: u64::from_be_bytes(*first),
                count: 0,
                crc32: crc32fast::hash(&hash),
            }
        }
    }
}

/// The rendered page: `{{.Name}}` and `{{.Number}}` replaced.
fn page(content: Content, seed: u64, length: u64) -> Answer {
    let mut template = Vec::new();
    for_each_piece(content, seed, length, |piece| template.extend_from_slice(piece));
    let text = String::from_utf8_lossy(&template);
    let rendered = text.replace("{{.Name}}", "fathom").replace("{{.Number}}", "42").into_bytes();
    Answer {
        bytes: rendered.len() as u64,
        digest: rendered.iter().step_by(4096).map(|&byte| u64::from(byte)).sum(),
        count: 0,
        crc32: crc32fast::hash(&rendered),
    }
}

fn crc32(content: Content, seed: u64, length: u64) -> u32 {
    let mut crc32 = crc32fast::Hasher::new();
    for_each_piece(content, seed, length, |piece| crc32.update(piece));
    crc32.finalize()
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
            let found = answer(Operation::Lines, Content::LogLines, 5, length as u64, Algorithm::Md5);
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
        let found = answer(Operation::Search, Content::LogLines, 5, length as u64, Algorithm::Md5);
        assert!(expected > 1000);
        assert_eq!((found.count, found.bytes), (expected, length as u64));
    }

    #[test]
    fn a_hash_is_the_published_one() {
        // RFC 1321: MD5 of the empty string is d41d8cd98f00b204e9800998ecf8427e.
        let of_nothing = |algorithm| answer(Operation::Hash, Content::Random, 5, 0, algorithm).digest;
        assert_eq!(of_nothing(Algorithm::Md5), 0xd41d_8cd9_8f00_b204);
        // The specification of xxHash: XXH64 of nothing, seed 0, is ef46db3751d8e999.
        assert_eq!(of_nothing(Algorithm::Xxh64), 0xef46_db37_51d8_e999);
    }
}
