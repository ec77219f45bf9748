//! The bytes that `write-block` writes: a pool of 1 MiB, out of which each
//! operation takes its block.

use super::buffer::Buffer;
use super::offsets::splitmix64;
use super::writing::{Content, PATTERN};

/// Bytes in the pool; no block may be larger.
pub(crate) const POOL_BYTES: usize = 1 << 20;

/// The pool, page-aligned as direct I/O asks.
pub(crate) struct Pool {
    memory: Buffer,
    block: usize,
}

impl Pool {
    /// Filled with the content that the arguments ask for.
    pub(crate) fn new(content: Content, seed: u64, block: usize) -> Self {
        let mut memory = Buffer::for_direct_io(POOL_BYTES, false);
        let mut none = Vec::new();
        let bytes = memory.lend_zeroed(&mut none);
        match content {
            Content::Random => {
                for (i, word) in (0..).zip(bytes.chunks_exact_mut(size_of::<u64>())) {
                    word.copy_from_slice(&splitmix64(seed.wrapping_add(i)).to_le_bytes());
                }
            }
            Content::Pattern => {
                bytes.chunks_exact_mut(PATTERN.len()).for_each(|piece| piece.copy_from_slice(PATTERN));
            }
        }
        Self { memory, block }
    }

    /// All of it.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.memory.reused_bytes()
    }

    /// How many different blocks it has.
    pub(crate) fn blocks(&self) -> usize {
        POOL_BYTES / self.block
    }

    /// The block of that number, less than `blocks`.
    #[inline]
    pub(crate) fn block(&self, number: usize) -> &[u8] {
        let start = number * self.block;
        &self.bytes()[start..start + self.block]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_words_follow_the_generator_and_the_pattern_repeats() {
        let random = Pool::new(Content::Random, 1, 4096);
        // splitmix64(1) and splitmix64(2), by an independent implementation.
        let words = [10_451_216_379_200_822_465_u64, 10_905_525_725_756_348_110];
        assert_eq!(random.bytes()[..16], words.map(u64::to_le_bytes).concat());
        assert_eq!((random.blocks(), random.block(255).len()), (256, 4096));
        let pattern = Pool::new(Content::Pattern, 1, POOL_BYTES / 2 + 1);
        assert!(pattern.bytes().chunks(16).all(|piece| piece == b"fathom pattern.\n"));
        assert_eq!(pattern.blocks(), 1, "a block larger than half the pool is always the first");
    }
}
