//! When a run asked for what: slices of equal length from its first call to its last.

use super::CallTreeSlice;
use super::about::About;
use super::attribution::Unit;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// A run has at most so many slices, and at least half as many if it is long enough.
const MOST_SLICES: usize = 24;
/// How long slices are at first, in ns: they become twice as long whenever there are too many.
const FIRST_LENGTH_NS: u64 = 50_000;

/// What was counted so far, slice by slice.
#[derive(Debug)]
pub(super) struct Timeline {
    length_ns: u64,
    slices: Vec<Slice>,
    last_ns: u64,
}

#[derive(Debug, Default)]
struct Slice {
    failed: u64,
    /// How long calls took, and of how many calls that is known.
    took_ns: u64,
    timed: u64,
    calls: FxHashMap<About, u64>,
}

impl Default for Timeline {
    fn default() -> Self {
        Self { length_ns: FIRST_LENGTH_NS, slices: Vec::new(), last_ns: 0 }
    }
}

impl Timeline {
    /// Takes in a call that returned so long after the first.
    pub(super) fn observe(&mut self, since_ns: u64, about: About, has_failed: bool, took_ns: Option<u64>) {
        self.last_ns = self.last_ns.max(since_ns);
        while since_ns / self.length_ns >= MOST_SLICES as u64 {
            self.halve();
        }
        let index = usize::try_from(since_ns / self.length_ns).unwrap_or(0);
        if self.slices.len() <= index {
            self.slices.resize_with(index + 1, Slice::default);
        }
        let slice = &mut self.slices[index];
        slice.failed += u64::from(has_failed);
        *slice.calls.entry(about).or_default() += 1;
        if let Some(took_ns) = took_ns {
            slice.took_ns += took_ns;
            slice.timed += 1;
        }
    }

    /// Makes one slice of two.
    fn halve(&mut self) {
        self.length_ns *= 2;
        let mut before = std::mem::take(&mut self.slices).into_iter();
        while let Some(mut one) = before.next() {
            if let Some(other) = before.next() {
                one.failed += other.failed;
                one.took_ns += other.took_ns;
                one.timed += other.timed;
                #[expect(clippy::iter_over_hash_type, reason = "sums do not depend on the order")]
                for (about, calls) in other.calls {
                    *one.calls.entry(about).or_default() += calls;
                }
            }
            self.slices.push(one);
        }
    }

    /// What came of it; nothing where all happened at once, or nobody had a clock.
    pub(super) fn conclude(&self, units: &FxHashMap<About, Unit>) -> Vec<CallTreeSlice> {
        if self.last_ns == 0 {
            return Vec::new();
        }
        let of = |(number, slice): (u64, &Slice)| {
            let mut by_item: FxHashMap<(&str, &str), u64> = FxHashMap::default();
            #[expect(clippy::iter_over_hash_type, reason = "sums do not depend on the order")]
            for (about, calls) in &slice.calls {
                let unit = &units[about];
                *by_item.entry((&unit.group, &unit.item)).or_default() += calls;
            }
            let calls = by_item.values().sum();
            let most = by_item.into_iter().max_by_key(|(item, calls)| (*calls, Reverse(*item)));
            CallTreeSlice {
                from_ns: number * self.length_ns,
                to_ns: ((number + 1) * self.length_ns).min(self.last_ns),
                calls,
                failed: slice.failed,
                took_ns: (slice.timed > 0).then_some(slice.took_ns),
                most_group: most.map(|((group, _), _)| group.to_owned()),
                most_item: most.map(|((_, item), _)| item.to_owned()),
                most_calls: most.map_or(0, |(_, calls)| calls),
            }
        };
        (0..).zip(&self.slices).map(of).collect()
    }
}
