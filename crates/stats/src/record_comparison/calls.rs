//! System calls per operation, old beside new. Exact counts have no noise: any
//! difference of them is one. Where a side varied between repetitions, what it
//! was seen to range over stands instead.

use crate::robust::median;
use fathom_model::{CallCount, CountPass, Reading};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Calls per operation of one side: one number where every repetition agreed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CallRange {
    /// The fewest.
    pub least: f64,
    /// The median.
    pub median: f64,
    /// The most.
    pub most: f64,
}

impl CallRange {
    pub(crate) const NONE: Self = Self { least: 0.0, median: 0.0, most: 0.0 };

    /// True when every repetition gave the same.
    pub fn is_exact(&self) -> bool {
        self.least.total_cmp(&self.most).is_eq()
    }

    /// What several counts of the same range over; nothing where none was made.
    pub(crate) fn over(counts: &[u64]) -> Self {
        let counts: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
        let least = counts.iter().copied().reduce(f64::min).unwrap_or(0.0);
        let most = counts.iter().copied().reduce(f64::max).unwrap_or(0.0);
        Self { least, median: median(&counts).unwrap_or(0.0), most }
    }

    fn of(count: &CallCount) -> Self {
        // Quotients of equal fractions round alike: equality of floats is exact.
        let each = |difference: i64| difference as f64 / count.operations as f64;
        let least = count.differences.iter().min().map_or(0.0, |&least| each(least));
        let most = count.differences.iter().max().map_or(0.0, |&most| each(most));
        if count.operations == 0 {
            return Self::NONE;
        }
        Self { least, median: count.per_operation(), most }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            least: self.least + other.least,
            median: self.median + other.median,
            most: self.most + other.most,
        }
    }

    pub(crate) fn is_disjoint(self, other: Self) -> bool {
        self.most < other.least || other.most < self.least
    }
}

/// One call with one result in both records.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallDifference {
    /// The kernel's name of the call.
    pub call: String,
    /// The errno's name when it failed.
    pub errno: Option<String>,
    /// Per operation in the old record; 0 where it was not made.
    pub old: CallRange,
    /// Per operation in the new record.
    pub new: CallRange,
    /// True when the two surely differ: their ranges have nothing in common.
    pub differs: bool,
}

impl CallDifference {
    /// New less old: the least and the most it can be.
    pub(super) fn change(&self) -> (f64, f64) {
        (self.new.least - self.old.most, self.new.most - self.old.least)
    }
}

/// The calls of a variant in both records.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallsComparison {
    /// All calls per operation in the old record.
    pub old: CallRange,
    /// All calls per operation in the new record.
    pub new: CallRange,
    /// Every call that either record has inside the clock, by name and errno.
    pub by_call: Vec<CallDifference>,
}

/// What each call with each errno ranges over.
pub(crate) type CallRanges = BTreeMap<(String, Option<String>), CallRange>;

impl CallsComparison {
    /// Puts two sides beside each other.
    pub(crate) fn of(old: &CallRanges, new: &CallRanges) -> Self {
        let keys: BTreeSet<_> = old.keys().chain(new.keys()).cloned().collect();
        let by_call: Vec<_> = keys
            .into_iter()
            .map(|key| {
                let [old, new] = [old, new].map(|side| side.get(&key).copied().unwrap_or(CallRange::NONE));
                let (call, errno) = key;
                CallDifference { call, errno, old, new, differs: old.is_disjoint(new) }
            })
            .collect();
        let all = |side: fn(&CallDifference) -> CallRange| {
            by_call.iter().map(side).fold(CallRange::NONE, CallRange::plus)
        };
        Self { old: all(|call| call.old), new: all(|call| call.new), by_call }
    }

    /// True when some call surely differs.
    pub fn differs(&self) -> bool {
        self.by_call.iter().any(|call| call.differs)
    }
}

pub(super) fn compare(
    old: Option<&Reading<CountPass>>,
    new: Option<&Reading<CountPass>>,
) -> Reading<CallsComparison> {
    match (counted(old), counted(new)) {
        (Ok(old), Ok(new)) => Reading::Value(both(old, new)),
        (Err(reason), Err(other)) if reason == other => Reading::unavailable(reason),
        (Err(reason), _) => Reading::unavailable(format!("the old side: {reason}")),
        (_, Err(reason)) => Reading::unavailable(format!("the new side: {reason}")),
    }
}

fn counted(counts: Option<&Reading<CountPass>>) -> Result<&CountPass, &str> {
    match counts {
        Some(Reading::Value(pass)) => Ok(pass),
        Some(Reading::Unavailable(reason)) => Err(reason),
        None => Err("no count pass"),
    }
}

fn both(old: &CountPass, new: &CountPass) -> CallsComparison {
    CallsComparison::of(&ranges(old), &ranges(new))
}

fn ranges(pass: &CountPass) -> CallRanges {
    let mut ranges = CallRanges::new();
    for count in &pass.inside {
        let range = ranges.entry((count.call.clone(), count.errno.clone())).or_insert(CallRange::NONE);
        *range = range.plus(CallRange::of(count));
    }
    ranges
}
