//! The bytes of one file: computed from the rule of its content, or, where the
//! file is the user's, read from it. Nothing here writes.

use crate::data::own_files::OwnFile;
use fathom_model::Content;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// Files are looked at in pieces of this many bytes.
const PIECE_BYTES: usize = 1 << 20;
/// A digest takes one byte of every so many.
const DIGEST_STEP: u64 = 4096;

/// A file whose bytes can be asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FileBytes {
    /// Made by Fathom: any byte follows from its offset.
    Made {
        /// The rule.
        content: Content,
        /// The file's seed.
        seed: u64,
        /// Bytes in it.
        length: u64,
    },
    /// The user's.
    Own(Arc<OwnFile>),
}

impl FileBytes {
    /// Bytes in the file.
    pub(crate) fn length(&self) -> u64 {
        match self {
            Self::Made { length, .. } => *length,
            Self::Own(file) => file.size_bytes,
        }
    }

    /// Fills `buffer` with what stands at `offset`; all of it must be there.
    pub(crate) fn fill(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        match self {
            Self::Made { content, seed, .. } => {
                content.fill(*seed, offset, buffer);
                Ok(())
            }
            Self::Own(file) => File::open(&file.path)?.read_exact_at(buffer, offset),
        }
    }

    /// The protocol's digest of `length` bytes from `offset`.
    pub(crate) fn digest(&self, offset: u64, length: u64) -> io::Result<u64> {
        let file = match self {
            Self::Made { content, seed, .. } => return Ok(content.digest(*seed, offset, length)),
            Self::Own(file) => File::open(&file.path)?,
        };
        let mut sum = 0;
        for page in 0..length.div_ceil(DIGEST_STEP) {
            let mut byte = [0];
            file.read_exact_at(&mut byte, offset + page * DIGEST_STEP)?;
            sum += u64::from(byte[0]);
        }
        Ok(sum)
    }

    /// Hands on the first `length` bytes, in pieces whose lengths are multiples
    /// of 4096 but for the last.
    pub(crate) fn for_each_piece(&self, length: u64, mut take: impl FnMut(&[u8])) -> io::Result<()> {
        let open = match self {
            Self::Made { .. } => None,
            Self::Own(file) => Some(File::open(&file.path)?),
        };
        let mut buffer = vec![0; PIECE_BYTES];
        let mut done = 0;
        while done < length {
            let size = usize::try_from(length - done).map_or(PIECE_BYTES, |left| left.min(PIECE_BYTES));
            match (self, &open) {
                (_, Some(file)) => file.read_exact_at(&mut buffer[..size], done)?,
                (Self::Made { content, seed, .. }, None) => content.fill(*seed, done, &mut buffer[..size]),
                (Self::Own(_), None) => unreachable!("a user's file was opened"),
            }
            take(&buffer[..size]);
            done += size as u64;
        }
        Ok(())
    }

    /// Tells where the word begins, in the order of the file. A word that does not
    /// overlap itself can be counted in one way only.
    pub(crate) fn for_each_occurrence(&self, word: &[u8], mut tell: impl FnMut(u64)) -> io::Result<()> {
        let finder = memchr::memmem::Finder::new(word);
        let mut held: Vec<u8> = Vec::new();
        let mut from = 0_u64;
        self.for_each_piece(self.length(), |piece| {
            held.extend_from_slice(piece);
            let mut next = 0;
            while let Some(found) = finder.find(&held[next..]) {
                tell(from + (next + found) as u64);
                next += found + word.len();
            }
            // What can still become the beginning of an occurrence.
            let keep = next.max(held.len().saturating_sub(word.len() - 1));
            held.drain(..keep);
            from += keep as u64;
        })
    }

    /// The sum of the numbers of a configuration; 0 for other content.
    pub(crate) fn config_sum(&self) -> u64 {
        match self {
            Self::Made { content, seed, .. } => content.config_sum(*seed),
            Self::Own(_) => 0,
        }
    }
}
