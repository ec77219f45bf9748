//! A thread's stack, read in few pieces and not beyond a bound.

use crate::witness::Memory;
use std::ops::Range;

const PAGE_BYTES: u64 = 4096;
/// So much of a stack is read at most; what lies further out is not known.
const MOST_BYTES: usize = 64 << 10;

/// What was read of one stack.
#[derive(Debug)]
pub(super) struct StackMemory {
    bytes: Vec<u8>,
    used: usize,
    /// Where a piece begins in the thread, and where it is in `bytes`.
    pieces: Vec<(u64, Range<usize>)>,
    stack_pointer: u64,
    /// The highest word that was asked for.
    highest: u64,
}

impl Default for StackMemory {
    fn default() -> Self {
        Self { bytes: vec![0; MOST_BYTES], used: 0, pieces: Vec::new(), stack_pointer: 0, highest: 0 }
    }
}

impl StackMemory {
    /// Forgets the last stack.
    pub(super) fn begin(&mut self, stack_pointer: u64) {
        self.pieces.clear();
        self.used = 0;
        self.stack_pointer = stack_pointer;
        self.highest = stack_pointer;
    }

    /// The word at an address.
    pub(super) fn word(&mut self, tracee: &dyn Memory, address: u64) -> Result<u64, ()> {
        if self.find(address).is_none() {
            self.read(tracee, address);
        }
        let word = self.find(address).ok_or(())?;
        // A word of the heap is no part of the stack.
        if address.wrapping_sub(self.stack_pointer) < MOST_BYTES as u64 {
            self.highest = self.highest.max(address);
        }
        Ok(word)
    }

    /// The highest address of the stack at which a word was read.
    pub(super) fn highest(&self) -> u64 {
        self.highest
    }

    fn find(&self, address: u64) -> Option<u64> {
        self.pieces.iter().rev().find_map(|(start, range)| {
            let offset = usize::try_from(address.checked_sub(*start)?).ok()?;
            let word = self.bytes[range.clone()].get(offset..)?.first_chunk::<8>()?;
            Some(u64::from_ne_bytes(*word))
        })
    }

    /// Reads on from an address: from the stack pointer on where it lies not far above it.
    fn read(&mut self, tracee: &dyn Memory, address: u64) {
        let is_first = self.pieces.is_empty() && address.wrapping_sub(self.stack_pointer) < PAGE_BYTES;
        let start = if is_first { self.stack_pointer } else { address };
        // To the end of a page, and one more.
        let wanted = PAGE_BYTES - start % PAGE_BYTES + PAGE_BYTES;
        let wanted = usize::try_from(wanted).unwrap_or(0).min(self.bytes.len() - self.used);
        let copied = tracee.copy(start, &mut self.bytes[self.used..self.used + wanted]);
        if copied > 0 {
            self.pieces.push((start, self.used..self.used + copied));
            self.used += copied;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tracee::StoppedThread;

    #[test]
    fn words_are_read_where_they_are_and_not_beyond_the_bound() {
        let words: Vec<u64> = (0..32 << 10).collect();
        let address = |index: usize| (&raw const words[index]).addr() as u64;
        let me = StoppedThread(rustix::process::getpid());
        let mut memory = StackMemory::default();
        memory.begin(address(0));
        for index in [1, 0, 700, 2000] {
            assert_eq!(memory.word(&me, address(index)), Ok(index as u64));
        }
        assert_eq!(memory.word(&me, 8), Err(()), "nothing is mapped there");
        let read = (0..words.len()).filter(|index| memory.word(&me, address(*index)).is_ok()).count();
        assert!((4000..=MOST_BYTES / 8).contains(&read), "{read}");
        memory.begin(address(20_000));
        assert_eq!(memory.word(&me, address(20_000)), Ok(20_000));
    }
}
