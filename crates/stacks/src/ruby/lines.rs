//! Lines of a code: entries of which each holds from one instruction on, and an index of where they begin,
//! one bit for each word of instructions (`succ_index_table`).

use super::layout::Layout;
use crate::process_memory::{ProcessMemory, word, word_of};
use crate::remembered::Reader;

/// The first words have the number of their entry in seven bits each, nine in a word of the index.
const FIRST_WORDS: u64 = 54;
const FIRST_PER_WORD: u64 = 9;
const FIRST_BITS: u64 = 7;
/// The others stand in blocks: a number of entries before it, those before each but the first of its
/// eight parts in nine bits each, and a bit for each word.
const BLOCKS_AT: u64 = 48;
const BLOCK_BYTES: u64 = 80;
const BLOCK_WORDS: u64 = 512;
const PART_WORDS: u64 = 64;
const PART_BITS: u64 = 9;
const PARTS_AT: u64 = 8;
const BITS_AT: u64 = 16;
/// Of what holds both: where it has the number of entries, and the index.
const COUNT: u64 = 16;
const INDEX: u64 = 24;
const TABLE_BYTES: usize = 32;

/// Where they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineTable {
    entries: u64,
    count: u64,
    index: u64,
}

impl LineTable {
    pub(super) fn read(address: u64, reader: &mut Reader<'_>) -> Option<Self> {
        let bytes = reader.bytes(address, TABLE_BYTES)?;
        let count = word_of(bytes, COUNT)? & u64::from(u32::MAX);
        Some(Self { entries: word_of(bytes, 0)?, count, index: word_of(bytes, INDEX)? })
    }

    /// The line of a word of the instructions.
    pub(super) fn line(&self, at: u64, layout: &Layout, memory: &dyn ProcessMemory) -> Option<u32> {
        let entry = match self.count {
            0 => return None,
            1 => 0,
            _ => self.entry(at, memory)?.checked_sub(1).filter(|entry| *entry < self.count)?,
        };
        let entry = self.entries.checked_add(entry * layout.line_bytes)?;
        let line = word(memory, entry)? & u64::from(u32::MAX);
        u32::try_from(line).ok().filter(|line| line.cast_signed() > 0)
    }

    /// How many entries begin up to a word.
    fn entry(&self, at: u64, memory: &dyn ProcessMemory) -> Option<u64> {
        if at < FIRST_WORDS {
            let numbers = word(memory, self.index.checked_add(at / FIRST_PER_WORD * 8)?)?;
            return Some(numbers >> (at % FIRST_PER_WORD * FIRST_BITS) & ((1 << FIRST_BITS) - 1));
        }
        let at = at - FIRST_WORDS;
        let block = self.index.checked_add(BLOCKS_AT + at / BLOCK_WORDS * BLOCK_BYTES)?;
        let mut bytes = Vec::new();
        memory.read_pieces(&[(block, usize::try_from(BLOCK_BYTES).ok()?)], &mut bytes).then_some(())?;
        let part = at % BLOCK_WORDS / PART_WORDS;
        let before = word_of(&bytes, 0)? & u64::from(u32::MAX);
        let before_part = match part {
            0 => 0,
            _ => word_of(&bytes, PARTS_AT)? >> ((part - 1) * PART_BITS) & ((1 << PART_BITS) - 1),
        };
        let bits = word_of(&bytes, BITS_AT + part * 8)? << (PART_WORDS - 1 - at % PART_WORDS);
        Some(before + before_part + u64::from(bits.count_ones()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process_memory::tests::Bytes;
    use std::cell::RefCell;

    const INDEX_AT: usize = 1 << 12;

    /// A table whose entries begin at these words, each a line further; entries and index lie in memory.
    fn table(starts: &[u64], words: u64) -> (LineTable, Bytes) {
        let mut memory: Vec<u8> =
            (0..starts.len()).flat_map(|entry| [10 + u8::try_from(entry).unwrap(), 0, 0, 0]).collect();
        memory.resize(INDEX_AT, 0);
        let entries_up_to = |word: u64| starts.iter().filter(|start| **start <= word).count() as u64;
        let first = (0..FIRST_WORDS).fold([0_u64; 6], |mut numbers, word| {
            let shift = word % FIRST_PER_WORD * FIRST_BITS;
            numbers[usize::try_from(word / FIRST_PER_WORD).unwrap()] |= entries_up_to(word) << shift;
            numbers
        });
        memory.extend(first.iter().flat_map(|word| word.to_ne_bytes()));
        for block in (FIRST_WORDS..words.max(FIRST_WORDS + 1)).step_by(512) {
            let before = entries_up_to(block - 1);
            let parts = (1..8_u64).map(|part| {
                (entries_up_to(block + part * PART_WORDS - 1) - before) << ((part - 1) * PART_BITS)
            });
            let bits = (0..8).map(|part| {
                let word = block + part * PART_WORDS;
                starts
                    .iter()
                    .filter(|start| (word..word + 64).contains(*start))
                    .map(|start| 1 << (start - word))
                    .sum()
            });
            let all = [before, parts.sum()].into_iter().chain(bits);
            memory.extend(all.flat_map(|word: u64| word.to_ne_bytes()));
        }
        let table = LineTable { entries: 0, count: starts.len() as u64, index: INDEX_AT as u64 };
        (table, Bytes(RefCell::new(memory)))
    }

    #[test]
    fn a_line_holds_from_its_first_word_to_the_next() {
        let layout = Layout { line_bytes: 4, ..*Layout::of("3.1.2").unwrap() };
        let starts = [0, 3, 8, 9, 53, 54, 55, 117, 118, 119, 565, 566, 567, 640, 1100];
        let (table, memory) = table(&starts, 1200);
        for at in 0..1200 {
            let entry = starts.iter().rposition(|start| *start <= at).unwrap();
            assert_eq!(table.line(at, &layout, &memory), Some(10 + u32::try_from(entry).unwrap()), "{at}");
        }
        assert_eq!(table.line(5000, &layout, &memory), None, "beyond the end");
    }

    #[test]
    fn one_entry_needs_no_index_and_none_has_no_line() {
        let layout = Layout::of("3.1.2").unwrap();
        let memory = Bytes(RefCell::new(vec![7, 0, 0, 0, 0, 0, 0, 0]));
        let of = |count: u64| LineTable { entries: 0, count, index: u64::MAX };
        assert_eq!(of(1).line(600, layout, &memory), Some(7));
        assert_eq!(of(0).line(0, layout, &memory), None);
        assert_eq!(of(2).line(0, layout, &memory), None, "its index cannot be read");
    }
}
