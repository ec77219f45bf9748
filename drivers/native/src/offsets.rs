//! Which path and which offset each operation has: pure, and computed before
//! the clock starts.

/// What one operation works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    /// Index of the path.
    pub(crate) path: usize,
    /// Where the block starts; 0 but for `read-block` and `write-block`.
    pub(crate) offset: usize,
}

/// Where the blocks of `read-block` and `write-block` start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// Always 0: no blocks.
    Start,
    /// A random multiple of the block.
    RandomAligned,
    /// Any byte at which a whole block begins.
    RandomUnaligned,
    /// One block after the other.
    SequentialAligned,
    /// One block after the other, each one byte past a multiple.
    SequentialUnaligned,
}

/// The rule that gives every operation its step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Steps {
    pub(crate) pattern: Pattern,
    pub(crate) paths: usize,
    pub(crate) size: usize,
    pub(crate) block: usize,
    pub(crate) seed: u64,
}

impl Steps {
    /// The fewest bytes a file can have for the pattern to have a block.
    pub(crate) fn size_min(&self) -> usize {
        match self.pattern {
            Pattern::Start => 0,
            Pattern::SequentialUnaligned => self.block.saturating_add(1),
            _ => self.block,
        }
    }

    /// The step of operation number `k`.
    pub(crate) fn step(&self, k: u64) -> Step {
        let path = if self.paths == 0 { 0 } else { remainder(k, self.paths) };
        Step { path, offset: self.offset(k) }
    }

    fn offset(&self, k: u64) -> usize {
        let Self { size, block, .. } = *self;
        let random = || splitmix64(self.seed.wrapping_add(k));
        match self.pattern {
            Pattern::Start => 0,
            Pattern::RandomAligned => remainder(random(), size / block) * block,
            Pattern::RandomUnaligned => remainder(random(), size - block + 1),
            Pattern::SequentialAligned => remainder(k, size / block) * block,
            Pattern::SequentialUnaligned => remainder(k, (size - 1) / block) * block + 1,
        }
    }
}

fn remainder(number: u64, divisor: usize) -> usize {
    usize::try_from(number % divisor as u64).expect("less than the divisor, a usize")
}

/// The protocol's generator.
pub(crate) fn splitmix64(x: u64) -> u64 {
    let z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(pattern: Pattern) -> Steps {
        Steps { pattern, paths: 3, size: 10_000, block: 4096, seed: 1 }
    }

    #[test]
    fn every_block_lies_within_the_smallest_file_allowed() {
        for pattern in [
            Pattern::RandomAligned,
            Pattern::RandomUnaligned,
            Pattern::SequentialAligned,
            Pattern::SequentialUnaligned,
        ] {
            let mut rule = steps(pattern);
            rule.size = rule.size_min();
            assert!((0..100).all(|k| rule.step(k).offset + rule.block <= rule.size), "{pattern:?}");
        }
    }
}
