//! The right answer of one operation on one file: one pass over its content,
//! made anew from its rule, or read from it where the file is the user's.

use crate::data::file_bytes::FileBytes;
use fathom_model::AnswerKind;
use md5::{Digest, Md5};
use std::io;
use xxhash_rust::xxh64::Xxh64;

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
    /// The longest record, of a program that gathers lines into some.
    pub(crate) largest: u64,
    /// Bytes that such a program still holds at the end and never hands on.
    pub(crate) left: u64,
    /// True of a function of the user's that returned a number: it stands in `digest`.
    pub(crate) is_count: bool,
}

impl Answer {
    /// Adds another operation's answer; checksums do not add.
    pub(crate) fn add(&mut self, other: &Self) {
        self.bytes += other.bytes;
        self.digest = self.digest.wrapping_add(other.digest);
        self.count += other.count;
        self.largest += other.largest;
        self.left += other.left;
        self.is_count |= other.is_count;
    }
}

/// What an operation is asked beside its file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question<'a> {
    /// What `hash` computes.
    pub(crate) algorithm: Algorithm,
    /// What `search` counts.
    pub(crate) word: &'a str,
}

/// The answer of a kind on the first `length` bytes of a file. Of
/// operations that write, and of a whole configuration, others speak.
pub(crate) fn answer(
    kind: AnswerKind,
    file: &FileBytes,
    length: u64,
    question: Question<'_>,
) -> io::Result<Answer> {
    match kind {
        AnswerKind::Nothing | AnswerKind::Written => Ok(Answer::default()),
        AnswerKind::Values => Ok(Answer { bytes: length, digest: file.config_sum(), ..Answer::default() }),
        AnswerKind::Page => page(file, length),
        AnswerKind::Copied => Ok(Answer { digest: 0, ..data(file, length)? }),
        AnswerKind::Data | AnswerKind::HeldData => data(file, length),
        AnswerKind::Lines => lines(file, length),
        AnswerKind::Matches => search(file, question.word.as_bytes()),
        AnswerKind::Digest => hash(file, length, question.algorithm),
    }
}

/// Length, digest and checksum of the data itself.
fn data(file: &FileBytes, length: u64) -> io::Result<Answer> {
    let mut answer = Answer { bytes: length, ..Answer::default() };
    let mut crc32 = crc32fast::Hasher::new();
    file.for_each_piece(length, |piece| {
        crc32.update(piece);
        answer.digest += piece.iter().step_by(4096).map(|&byte| u64::from(byte)).sum::<u64>();
    })?;
    Ok(Answer { crc32: crc32.finalize(), ..answer })
}

fn hash(file: &FileBytes, length: u64, algorithm: Algorithm) -> io::Result<Answer> {
    let hash = match algorithm {
        Algorithm::Md5 => {
            let mut md5 = Md5::new();
            file.for_each_piece(length, |piece| md5.update(piece))?;
            md5.finalize().to_vec()
        }
        Algorithm::Xxh64 => {
            let mut xxh64 = Xxh64::new(0);
            file.for_each_piece(length, |piece| xxh64.update(piece))?;
            xxh64.digest().to_be_bytes().to_vec()
        }
    };
    let first = hash.first_chunk().expect("a hash has 8 bytes or more");
    let digest = u64::from_be_bytes(*first);
    Ok(Answer { bytes: length, digest, crc32: crc32fast::hash(&hash), ..Answer::default() })
}

/// The rendered page: `{{.Name}}` and `{{.Number}}` replaced.
fn page(file: &FileBytes, length: u64) -> io::Result<Answer> {
    let mut template = Vec::new();
    file.for_each_piece(length, |piece| template.extend_from_slice(piece))?;
    let text = String::from_utf8_lossy(&template);
    let rendered = text.replace("{{.Name}}", "fathom").replace("{{.Number}}", "42").into_bytes();
    Ok(Answer {
        bytes: rendered.len() as u64,
        digest: rendered.iter().step_by(4096).map(|&byte| u64::from(byte)).sum(),
        crc32: crc32fast::hash(&rendered),
        ..Answer::default()
    })
}

fn lines(file: &FileBytes, length: u64) -> io::Result<Answer> {
    let mut answer = Answer::default();
    let mut crc32 = crc32fast::Hasher::new();
    let mut at_start = true;
    file.for_each_piece(length, |piece| {
        crc32.update(piece);
        let mut rest = piece;
        while let Some(&first) = rest.first() {
            let end = memchr::memchr(b'\n', rest);
            let bytes = end.unwrap_or(rest.len());
            answer.bytes += bytes as u64;
            answer.digest += if at_start && bytes > 0 { u64::from(first) } else { 0 };
            answer.count += u64::from(end.is_some());
            at_start = end.is_some();
            rest = &rest[end.map_or(bytes, |end| end + 1)..];
        }
    })?;
    if !at_start {
        answer.count += 1;
        crc32.update(b"\n");
    }
    Ok(Answer { crc32: crc32.finalize(), ..answer })
}

/// Occurrences of the word. It does not overlap itself, so there is one way of counting.
fn search(file: &FileBytes, word: &[u8]) -> io::Result<Answer> {
    let mut count = 0_u64;
    file.for_each_occurrence(word, |_| count += 1)?;
    let crc32 = crc32fast::hash(count.to_string().as_bytes());
    Ok(Answer { bytes: file.length(), digest: count, count, crc32, ..Answer::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::Content;

    const PIECE_BYTES: usize = 1 << 20;

    fn found(kind: AnswerKind, content: Content, length: usize, algorithm: Algorithm) -> Answer {
        let file = FileBytes::Made { content, seed: 5, length: length as u64 };
        answer(kind, &file, length as u64, Question { algorithm, word: "ERROR" }).unwrap()
    }

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
            let found = found(AnswerKind::Lines, Content::LogLines, length, Algorithm::Md5);
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
        let found = found(AnswerKind::Matches, Content::LogLines, length, Algorithm::Md5);
        assert!(expected > 1000);
        assert_eq!((found.count, found.bytes), (expected, length as u64));
    }

    #[test]
    fn a_hash_is_the_published_one() {
        // RFC 1321: MD5 of the empty string is d41d8cd98f00b204e9800998ecf8427e.
        let of_nothing = |algorithm| found(AnswerKind::Digest, Content::Random, 0, algorithm).digest;
        assert_eq!(of_nothing(Algorithm::Md5), 0xd41d_8cd9_8f00_b204);
        // The specification of xxHash: XXH64 of nothing, seed 0, is ef46db3751d8e999.
        assert_eq!(of_nothing(Algorithm::Xxh64), 0xef46_db37_51d8_e999);
    }
}
