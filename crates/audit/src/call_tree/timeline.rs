//! When a run asked for what: slices of equal length from its first call to its last.

use super::about::About;
use super::attribution::Unit;
use super::courses::{ByItem, courses};
use super::{CallTreeCourse, CallTreeSlice};
use crate::world::PlaceId;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A run has at most so many slices, and at least half as many if it is long enough.
const MOST_SLICES: usize = 48;
/// How long slices are at first, in ns: they become twice as long whenever there are too many.
const FIRST_LENGTH_NS: u64 = 50_000;

/// What was counted so far, slice by slice.
#[derive(Debug)]
pub(super) struct Timeline {
    length_ns: u64,
    slices: Vec<Slice>,
    last_ns: u64,
    /// Of how many calls it is known how long they took, and how long their threads waited.
    timed: u64,
    with_waits: u64,
}

/// A call, as far as it matters when it was made.
#[derive(Debug, Clone, Copy)]
pub(super) struct TimedCall {
    /// When it returned, in ns since the first call of the run did.
    pub(super) since_ns: u64,
    pub(super) about: About,
    pub(super) program: Option<PlaceId>,
    pub(super) has_failed: bool,
    pub(super) took_ns: Option<u64>,
    pub(super) waited_ns: Option<u64>,
}

#[derive(Debug, Default)]
struct Slice {
    failed: u64,
    /// How long calls took in it, and how long threads waited.
    took_ns: u64,
    waited_ns: u64,
    calls: FxHashMap<About, u64>,
    programs: BTreeMap<Option<PlaceId>, u64>,
}

/// What came of a timeline; all empty where everything happened at once, or nobody had a clock.
#[derive(Debug, Default)]
pub(super) struct Concluded {
    pub(super) slices: Vec<CallTreeSlice>,
    pub(super) courses: Vec<CallTreeCourse>,
    /// By program, its calls slice by slice.
    pub(super) programs: BTreeMap<Option<PlaceId>, Vec<u64>>,
}

impl Default for Timeline {
    fn default() -> Self {
        Self { length_ns: FIRST_LENGTH_NS, slices: Vec::new(), last_ns: 0, timed: 0, with_waits: 0 }
    }
}

impl Timeline {
    /// Takes in a call.
    pub(super) fn observe(&mut self, call: &TimedCall) {
        let since_ns = call.since_ns;
        self.last_ns = self.last_ns.max(since_ns);
        while since_ns / self.length_ns >= MOST_SLICES as u64 {
            self.halve();
        }
        let index = self.index(since_ns);
        if self.slices.len() <= index {
            self.slices.resize_with(index + 1, Slice::default);
        }
        let slice = &mut self.slices[index];
        slice.failed += u64::from(call.has_failed);
        *slice.calls.entry(call.about).or_default() += 1;
        *slice.programs.entry(call.program).or_default() += 1;
        let Some(took_ns) = call.took_ns else { return };
        self.timed += 1;
        self.spread(since_ns, took_ns, took_ns, |slice| &mut slice.took_ns);
        if let Some(waited_ns) = call.waited_ns {
            self.with_waits += 1;
            self.spread(since_ns, took_ns, waited_ns, |slice| &mut slice.waited_ns);
        }
    }

    fn index(&self, at_ns: u64) -> usize {
        usize::try_from(at_ns / self.length_ns).unwrap_or(0)
    }

    /// Shares an amount out among the slices in which a call lasted, by how much of it lies in each: when in it a
    /// thread waited, no call tells. What lies before the run's first call is the first slice's.
    fn spread(&mut self, end_ns: u64, took_ns: u64, amount: u64, of: impl Fn(&mut Slice) -> &mut u64) {
        let begin_ns = end_ns.saturating_sub(took_ns);
        let (first, last) = (self.index(begin_ns), self.index(end_ns));
        let mut rest = amount;
        for index in (first + 1..=last).rev() {
            let from_ns = (index as u64 * self.length_ns).max(begin_ns);
            let within = end_ns.min((index as u64 + 1) * self.length_ns) - from_ns;
            let part = u128::from(amount) * u128::from(within) / u128::from(took_ns.max(1));
            let part = u64::try_from(part).unwrap_or(rest).min(rest);
            *of(&mut self.slices[index]) += part;
            rest -= part;
        }
        *of(&mut self.slices[first]) += rest;
    }

    /// Makes one slice of two.
    fn halve(&mut self) {
        self.length_ns *= 2;
        let mut before = std::mem::take(&mut self.slices).into_iter();
        while let Some(mut one) = before.next() {
            if let Some(other) = before.next() {
                one.failed += other.failed;
                one.took_ns += other.took_ns;
                one.waited_ns += other.waited_ns;
                #[expect(clippy::iter_over_hash_type, reason = "sums do not depend on the order")]
                for (about, calls) in other.calls {
                    *one.calls.entry(about).or_default() += calls;
                }
                for (program, calls) in other.programs {
                    *one.programs.entry(program).or_default() += calls;
                }
            }
            self.slices.push(one);
        }
    }

    /// What came of it.
    pub(super) fn conclude(&self, units: &FxHashMap<About, Unit>) -> Concluded {
        if self.last_ns == 0 {
            return Concluded::default();
        }
        let by_item: Vec<_> = self.slices.iter().map(|slice| slice.by_item(units)).collect();
        let slice = |((number, slice), by_item): ((u64, &Slice), &ByItem<'_>)| {
            let most = by_item.iter().max_by_key(|(item, calls)| (**calls, Reverse(**item)));
            CallTreeSlice {
                from_ns: number * self.length_ns,
                to_ns: ((number + 1) * self.length_ns).min(self.last_ns),
                calls: by_item.values().sum(),
                failed: slice.failed,
                took_ns: (self.timed > 0).then_some(slice.took_ns),
                waited_ns: (self.with_waits > 0).then_some(slice.waited_ns),
                most_group: most.map(|((group, _), _)| (*group).to_owned()),
                most_item: most.map(|((_, item), _)| (*item).to_owned()),
                most_calls: most.map_or(0, |(_, calls)| *calls),
            }
        };
        let mut programs: BTreeMap<Option<PlaceId>, Vec<u64>> = BTreeMap::new();
        for (number, slice) in self.slices.iter().enumerate() {
            for (program, calls) in &slice.programs {
                let course = programs.entry(*program).or_insert_with(|| vec![0; self.slices.len()]);
                course[number] = *calls;
            }
        }
        Concluded {
            slices: (0..).zip(&self.slices).zip(&by_item).map(slice).collect(),
            courses: courses(&by_item),
            programs,
        }
    }
}

impl Slice {
    fn by_item<'a>(&self, units: &'a FxHashMap<About, Unit>) -> ByItem<'a> {
        let mut by_item = ByItem::new();
        #[expect(clippy::iter_over_hash_type, reason = "sums do not depend on the order")]
        for (about, calls) in &self.calls {
            let unit = &units[about];
            *by_item.entry((&unit.group, &unit.item)).or_default() += calls;
        }
        by_item
    }
}
