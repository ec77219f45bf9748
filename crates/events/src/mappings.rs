//! What is mapped where in a process's memory, as far as its calls tell: whether a range that is given
//! back or advised on is a file's or plain memory decides what the call costs.

use std::collections::BTreeMap;

/// Mappings begin and end at multiples of this; calls round lengths up.
const PAGE_BYTES: u64 = 4096;

/// What a range of memory was mapped from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MappedFrom {
    /// A file.
    File,
    /// Nothing: `MAP_ANONYMOUS`.
    Memory,
}

/// The mappings of a process that its calls made.
#[derive(Debug, Clone, Default)]
pub struct Mappings(BTreeMap<u64, (u64, MappedFrom)>);

impl Mappings {
    /// A mapping was made; what lay there before is gone.
    pub fn map(&mut self, address: u64, bytes: u64, from: MappedFrom) {
        self.unmap(address, bytes);
        let end = end_of(address, bytes);
        if end > address {
            self.0.insert(address, (end, from));
        }
    }

    /// A range was given back.
    pub fn unmap(&mut self, address: u64, bytes: u64) {
        let end = end_of(address, bytes);
        for (begin, (until, from)) in self.overlapping(address, end) {
            self.0.remove(&begin);
            if begin < address {
                self.0.insert(begin, (address, from));
            }
            if until > end {
                self.0.insert(end, (until, from));
            }
        }
    }

    /// What a range is: a file's where any of it is, memory where all that is known of it is. `None` where
    /// no call that was seen made any of it.
    pub fn of(&self, address: u64, bytes: u64) -> Option<MappedFrom> {
        let found = self.overlapping(address, end_of(address, bytes));
        let is_file = |(_, (_, from)): &(u64, (u64, MappedFrom))| *from == MappedFrom::File;
        (!found.is_empty())
            .then(|| if found.iter().any(is_file) { MappedFrom::File } else { MappedFrom::Memory })
    }

    /// A program was executed: nothing is left.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    fn overlapping(&self, begin: u64, end: u64) -> Vec<(u64, (u64, MappedFrom))> {
        let below = self.0.range(..end).rev();
        // They lie side by side, so that the first one that ends before it has all others before it too.
        let found = below.take_while(|(_, (until, _))| *until > begin);
        found.map(|(at, range)| (*at, *range)).collect()
    }
}

fn end_of(address: u64, bytes: u64) -> u64 {
    address.saturating_add(bytes.checked_next_multiple_of(PAGE_BYTES).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::MappedFrom::{File, Memory};
    use super::*;

    #[test]
    fn a_range_is_what_was_mapped_there_last() {
        let mut mappings = Mappings::default();
        mappings.map(0x10_0000, 0x4000, Memory);
        mappings.map(0x10_1000, 100, File);
        assert_eq!(mappings.of(0x10_0000, 0x1000), Some(Memory));
        assert_eq!(mappings.of(0x10_1000, 1), Some(File));
        assert_eq!(mappings.of(0x10_2000, 0x2000), Some(Memory));
        assert_eq!(mappings.of(0x10_0000, 0x4000), Some(File), "some of it is a file's");
        assert_eq!(mappings.of(0x20_0000, 0x1000), None, "nobody saw it made");
        mappings.unmap(0x10_1000, 0x1000);
        assert_eq!(mappings.of(0x10_0000, 0x4000), Some(Memory));
        assert_eq!(mappings.of(0x10_1000, 0x1000), None);
        mappings.clear();
        assert_eq!(mappings.of(0x10_0000, 0x4000), None);
    }

    #[test]
    fn lengths_are_rounded_to_pages_and_odd_ones_harm_nobody() {
        let mut mappings = Mappings::default();
        mappings.map(0x5000, 45_235, File);
        mappings.unmap(0x5000, 45_235);
        assert_eq!(mappings.of(0x5000, 45_235), None);
        mappings.map(0x5000, 0, File);
        mappings.map(u64::MAX - 10, u64::MAX, Memory);
        assert_eq!(mappings.of(0x5000, 0x1000), None);
    }
}
