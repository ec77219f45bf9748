//! Inputs made of seeds: bytes flipped, pieces removed, repeated, moved between seeds, numbers
//! and words replaced by the ones that break readers. The same seed number gives the same inputs.

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// No input is larger, so that what takes long is the reader's fault.
const MOST_BYTES: usize = 1 << 18;

/// What readers of numbers and names have to be ready for.
const WORDS: &[&[u8]] = &[
    b"0",
    b"-1",
    b"1",
    b"255",
    b"65536",
    b"4294967295",
    b"18446744073709551615",
    b"18446744073709551616",
    b"-9223372036854775808",
    b"1e308",
    b"1e-320",
    b"0.1",
    b"NaN",
    b"null",
    b"true",
    b"[]",
    b"{}",
    b"\"\"",
    b"\xff",
    b"\0",
    b"\n",
    b"/",
    b"..",
    b"*",
    b"\xf0\x9f\x92\xa9",
    b"\xe2\x80\xae",
];

/// Makes inputs.
#[derive(Debug)]
pub struct Mutator {
    seeds: Vec<Vec<u8>>,
    random: Xoshiro256PlusPlus,
}

impl Mutator {
    /// From seeds, of which there has to be one.
    pub fn new(seeds: Vec<Vec<u8>>, seed: u64) -> Self {
        Self { seeds, random: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// The next input.
    pub fn next_input(&mut self) -> Vec<u8> {
        const MOST_CHANGES: u32 = 6;
        let mut input = self.any_seed();
        for _ in 0..self.random.random_range(1..=MOST_CHANGES) {
            self.change(&mut input);
        }
        input.truncate(MOST_BYTES);
        input
    }

    fn any_seed(&mut self) -> Vec<u8> {
        let which = self.random.random_range(0..self.seeds.len().max(1));
        self.seeds.get(which).cloned().unwrap_or_default()
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        const KINDS: u32 = 9;
        const MOST_REPEATS: usize = 64;
        let piece = choose_piece(input.len(), &mut self.random);
        match self.random.random_range(0..KINDS) {
            0 if !input.is_empty() => {
                let at = self.random.random_range(0..input.len());
                input[at] ^= 1 << self.random.random_range(0..8);
            }
            1 if !input.is_empty() => {
                let at = self.random.random_range(0..input.len());
                input[at] = self.random.random();
            }
            2 => drop(input.drain(piece)),
            3 => {
                let copy = input[piece].repeat(self.random.random_range(1..MOST_REPEATS));
                let at = self.random.random_range(0..=input.len());
                input.splice(at..at, copy.into_iter().take(MOST_BYTES));
            }
            4 => {
                let other = self.any_seed();
                let taken = other[choose_piece(other.len(), &mut self.random)].to_vec();
                input.splice(piece, taken);
            }
            5 => input.truncate(piece.start),
            6 | 7 => {
                if let Some(number) = number(input, piece.start) {
                    input.splice(number, self.word().iter().copied());
                }
            }
            _ => {
                let at = piece.start;
                input.splice(at..at, self.word().iter().copied());
            }
        }
    }

    fn word(&mut self) -> &'static [u8] {
        WORDS[self.random.random_range(0..WORDS.len())]
    }
}

/// A piece of so many bytes, mostly a short one.
fn choose_piece(length: usize, random: &mut impl Rng) -> std::ops::Range<usize> {
    const SHORT: usize = 32;
    let start = random.random_range(0..=length);
    let most = if random.random_ratio(3, 4) { SHORT.min(length - start) } else { length - start };
    start..start + random.random_range(0..=most)
}

/// The first number in digits at or behind a place.
fn number(input: &[u8], from: usize) -> Option<std::ops::Range<usize>> {
    let start = from + input[from..].iter().position(u8::is_ascii_digit)?;
    let length = input[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    Some(start..start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_inputs_and_most_differ() {
        let inputs = |seed| {
            let mut mutator = Mutator::new(vec![b"a = 12, b = 7".to_vec(), b"x".to_vec()], seed);
            (0..100).map(|_| mutator.next_input()).collect::<Vec<_>>()
        };
        assert_eq!(inputs(1), inputs(1));
        assert_ne!(inputs(1), inputs(2));
        let unlike: std::collections::BTreeSet<_> = inputs(1).into_iter().collect();
        assert!(unlike.len() > 60, "{}", unlike.len());
    }

    #[test]
    fn numbers_are_found() {
        assert_eq!(number(b"a = 12, b = 7", 5), Some(5..6));
        assert_eq!(number(b"a = 12, b = 7", 0), Some(4..6));
        assert_eq!(number(b"a", 1), None);
    }
}
