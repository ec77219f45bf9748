//! What a client remembers of one path. Times are the model's, in ns: those of the trace, and what the
//! round trips before added to them.

use rangemap::RangeSet;
use std::ops::Range;

/// What is remembered of a path.
#[derive(Debug, Clone, Default)]
pub(super) struct Remembered {
    pub(super) entry: Entry,
    /// Until when its attributes are.
    pub(super) attributes_until_ns: u64,
    /// Until when it is that it may be gone through; a change of what is in a directory leaves that.
    pub(super) permission_until_ns: u64,
    /// Its size was asked for, where that is a question of its own.
    pub(super) has_size: bool,
    /// Data was read from the server since the attributes came: its time of access is not known.
    pub(super) was_read: bool,
    /// Where it leads, of a link.
    pub(super) link_until_ns: u64,
    /// What is in it, of a directory.
    pub(super) listing_until_ns: u64,
    /// When its entries came with a listing.
    pub(super) filled_until_ns: u64,
    /// A listing is under way: the first call that says that it is over ends it.
    pub(super) is_listing: bool,
    /// Units of its data that are in the client's memory.
    pub(super) units: RangeSet<u64>,
    /// Units of it that were written and are not on the server yet.
    pub(super) dirty: RangeSet<u64>,
}

/// What is remembered of a name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Entry {
    #[default]
    Unknown,
    /// It is there.
    Present { until_ns: u64 },
    /// It is not there.
    Absent { until_ns: u64 },
}

impl Remembered {
    /// Units of a range that are not in memory; they are from now on.
    pub(super) fn fetch(&mut self, offset: u64, bytes: u64, unit: u64) -> u64 {
        let wanted = units(offset, bytes, unit);
        let missing = self.units.gaps(&wanted).map(|gap| gap.end - gap.start).sum();
        insert(&mut self.units, wanted);
        missing
    }

    /// A range was written into memory alone.
    pub(super) fn soil(&mut self, offset: u64, bytes: u64, unit: u64) {
        insert(&mut self.dirty, units(offset, bytes, unit));
    }

    /// How many units go to the server now.
    pub(super) fn flush(&mut self) -> u64 {
        std::mem::take(&mut self.dirty).iter().map(|units| units.end - units.start).sum()
    }
}

fn insert(set: &mut RangeSet<u64>, units: Range<u64>) {
    if !units.is_empty() {
        set.insert(units);
    }
}

fn units(offset: u64, bytes: u64, unit: u64) -> Range<u64> {
    let first = offset / unit;
    first..first.max(offset.saturating_add(bytes).div_ceil(unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_fetched_once_however_many_a_hostile_trace_names() {
        let mut known = Remembered::default();
        assert_eq!((known.fetch(0, 300, 100), known.fetch(250, 100, 100), known.fetch(0, 0, 100)), (3, 1, 0));
        assert_eq!(known.fetch(1000, u64::MAX, 1), u64::MAX - 1000);
        known.soil(50, 100, 100);
        known.soil(0, u64::MAX, 100);
        assert_eq!((known.flush(), known.flush()), (u64::MAX.div_ceil(100), 0));
    }
}
