//! Times of two sessions. Fork values of different sessions have no partner, so
//! each side gets a confidence sequence at half the error and their ends are
//! joined; by the union bound the ratio's interval keeps the error. It holds the
//! drift of the machine between the two sessions as much as any change of the
//! program; the ratio of ratios, each paired inside its session, does not.

use super::change::Change;
use super::matching::{At, Matched};
use super::paired::Drift;
use crate::decision::{VERDICT_FROM_FORKS, Verdict, decide};
use crate::fork_values::{ln_ratio, ln_time_ns};
use crate::interval::Interval;
use crate::robust::median;
use crate::sequence::combined_sequence;
use crate::summary::estimate_from;
use fathom_model::{ArmKind, Comparison, Estimate, Proof, Reading, Record};
use serde::Serialize;

/// The error of an interval, both sides together.
pub(crate) const ALPHA: f64 = 0.05;

/// Both records and the variants they share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sides<'a> {
    pub(super) old: &'a Record,
    pub(super) new: &'a Record,
    pub(super) pairs: &'a [Matched],
}

/// The time of a variant in both records.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimeComparison {
    /// The old record's time in ns per operation, with its part of the error.
    pub old_ns: Estimate,
    /// The new record's.
    pub new_ns: Estimate,
    /// New over old at 95 %: unpaired of two sessions, where `forks` is the smaller number
    /// of the two; paired in the blocks of one.
    pub ratio: Estimate,
    /// The same, so wide that the ratios of all matched variants hold together.
    /// Verdicts and gates are read off here.
    pub ratio_simultaneous: Estimate,
    /// What it says.
    pub change: Change,
    /// The change of level of a paired ratio while it was measured, when there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drift: Option<Drift>,
    /// What weakens it.
    pub caveats: Vec<String>,
}

/// The ratio to the same baseline in both records, each paired in its blocks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RatioChange {
    /// The old record's ratio to the baseline.
    pub old: Estimate,
    /// The new record's.
    pub new: Estimate,
    /// New over old: what became of the ratio, the machine's drift canceled.
    pub ratio: Estimate,
    /// The same for all matched variants together.
    pub ratio_simultaneous: Estimate,
    /// What it says.
    pub change: Change,
}

/// The error of one interval when those of all variants timed in both records
/// are to hold together.
pub(super) fn shared_alpha(sides: Sides<'_>) -> f64 {
    let is_timed = |pair: &&Matched| ln_times(sides, pair).iter().all(|values| !values.is_empty());
    ALPHA / sides.pairs.iter().filter(is_timed).count().max(1) as f64
}

/// The times of a variant; the reason when a side has none.
pub(super) fn compare(sides: Sides<'_>, pair: &Matched, shared_alpha: f64) -> Reading<TimeComparison> {
    let values = ln_times(sides, pair);
    let joined = match Joined::of(&values, "time") {
        Ok(joined) => joined,
        Err(reason) => return Reading::unavailable(reason),
    };
    let [old_ns, new_ns] = joined.sides();
    let (ratio, ratio_simultaneous) = (joined.ratio(ALPHA), joined.ratio(shared_alpha));
    let change = joined.change(shared_alpha, has_fault(sides, pair));
    let caveats = [("old", sides.old, pair.old), ("new", sides.new, pair.new)]
        .into_iter()
        .flat_map(|(side, record, at)| caveats(side, record, at))
        .collect();
    Reading::Value(TimeComparison { old_ns, new_ns, ratio, ratio_simultaneous, change, drift: None, caveats })
}

/// The ratio of ratios; the reason when the two have no baseline in common.
pub(super) fn compare_ratios(sides: Sides<'_>, pair: &Matched, shared_alpha: f64) -> Reading<RatioChange> {
    if pair.name.is_baseline {
        return Reading::unavailable("it is the baseline of the new record");
    }
    let (old_base, new_base) = (pair.old.baseline(sides.old), pair.new.baseline(sides.new));
    let is_shared = |other: &Matched| other.old == old_base && other.new == new_base;
    if !sides.pairs.iter().any(is_shared) {
        return Reading::unavailable("the two records have different baselines");
    }
    let ratios = |record: &Record, at: At, base: At| {
        let comparison = at.comparison(record);
        let (Some(arm), Some(reference)) = (arm(comparison, at), arm(comparison, base)) else {
            return Vec::new();
        };
        comparison.forks.iter().filter_map(|fork| ln_ratio(fork, arm, reference)).collect()
    };
    let values = [ratios(sides.old, pair.old, old_base), ratios(sides.new, pair.new, new_base)];
    let joined = match Joined::of(&values, "ratio") {
        Ok(joined) => joined,
        Err(reason) => return Reading::unavailable(reason),
    };
    let [old, new] = joined.sides();
    Reading::Value(RatioChange {
        old,
        new,
        ratio: joined.ratio(ALPHA),
        ratio_simultaneous: joined.ratio(shared_alpha),
        change: joined.change(shared_alpha, has_fault(sides, pair)),
    })
}

/// Logarithms of both sides' forks, with their medians.
struct Joined<'a> {
    values: [&'a [f64]; 2],
    medians: [f64; 2],
}

impl<'a> Joined<'a> {
    fn of(values: &'a [Vec<f64>; 2], what: &str) -> Result<Self, String> {
        match [median(&values[0]), median(&values[1])] {
            [Some(old), Some(new)] => Ok(Self { values: [&values[0], &values[1]], medians: [old, new] }),
            [None, None] => Err(format!("neither record has a {what} of it")),
            [None, _] => Err(format!("the old record has no {what} of it")),
            [_, None] => Err(format!("the new record has no {what} of it")),
        }
    }

    fn sides(&self) -> [Estimate; 2] {
        let side = |at: usize| {
            let interval = combined_sequence(self.values[at], ALPHA / 2.0).exp();
            estimate_from(self.medians[at].exp(), interval, 1.0 - ALPHA / 2.0, self.values[at].len())
        };
        [side(0), side(1)]
    }

    fn ratio(&self, alpha: f64) -> Estimate {
        let value = (self.medians[1] - self.medians[0]).exp();
        estimate_from(value, self.interval(alpha).exp(), 1.0 - alpha, self.forks())
    }

    /// New less old, each side at half of `alpha`.
    fn interval(&self, alpha: f64) -> Interval {
        let [old, new] = self.values.map(|values| combined_sequence(values, alpha / 2.0));
        Interval::new(new.low - old.high, new.high - old.low)
    }

    fn change(&self, alpha: f64, fault: bool) -> Change {
        let interval = self.interval(alpha);
        if fault {
            return Change::ControlFault;
        }
        if !interval.is_bounded() || self.forks() < VERDICT_FROM_FORKS {
            return Change::TooFewForks;
        }
        match decide(interval, Interval::new(0.0, 0.0), self.forks()) {
            Verdict::Refuted if interval.low > 0.0 => Change::Higher,
            Verdict::Refuted => Change::Lower,
            Verdict::Supported | Verdict::Undecided => Change::NotShown,
        }
    }

    fn forks(&self) -> usize {
        self.values[0].len().min(self.values[1].len())
    }
}

fn ln_times(sides: Sides<'_>, pair: &Matched) -> [Vec<f64>; 2] {
    [(sides.old, pair.old), (sides.new, pair.new)].map(|(record, at)| {
        let comparison = at.comparison(record);
        let Some(arm) = arm(comparison, at) else { return Vec::new() };
        comparison.forks.iter().filter_map(|fork| ln_time_ns(fork, arm)).collect()
    })
}

fn arm(comparison: &Comparison, at: At) -> Option<usize> {
    comparison.arms.iter().position(|arm| arm.kind == ArmKind::Variant(at.variant))
}

fn has_fault(sides: Sides<'_>, pair: &Matched) -> bool {
    [(sides.old, pair.old), (sides.new, pair.new)].into_iter().any(|(record, at)| {
        at.comparison(record).control.value().is_some_and(|control| control.instrument_fault)
    })
}

fn caveats(side: &str, record: &Record, at: At) -> Vec<String> {
    caveats_of(&format!("the {side} record"), at.comparison(record), at.variant)
}

/// What weakens the times of a variant, said of `whose` comparison.
pub(super) fn caveats_of(whose: &str, comparison: &Comparison, variant: usize) -> Vec<String> {
    let mut found = Vec::new();
    match &comparison.control {
        Reading::Value(control) if control.instrument_fault => {
            found.push(format!("{whose}'s A/A control is at fault"));
        }
        Reading::Value(_) => {}
        Reading::Unavailable(reason) => found.push(format!("{whose} has no A/A control: {reason}")),
    }
    if let Some(Proof::Unknown(reason)) = comparison.cache.get(variant).map(|evidence| &evidence.proof) {
        found.push(format!("{whose}'s cache state is not proven: {reason}"));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::splitmix64;

    /// About Gaussian: the sum of twelve uniform numbers.
    fn gaussian(state: &mut u64) -> f64 {
        let uniform = |state: &mut u64| {
            *state = state.wrapping_add(1);
            (splitmix64(*state) >> 11) as f64 / (1_u64 << 53) as f64
        };
        (0..12).map(|_| uniform(state)).sum::<f64>() - 6.0
    }

    /// Of so many scripted pairs, those whose interval misses the true ratio, and
    /// those that are called a difference.
    fn scripted(forks: [usize; 2], ln_ratio: f64) -> (usize, usize) {
        let mut state = 20_261_120;
        let (mut missed, mut shown) = (0, 0);
        for _ in 0..1000 {
            let values: [Vec<f64>; 2] =
                [(forks[0], 0.0, 0.01), (forks[1], ln_ratio, 0.02)].map(|(forks, shift, sigma)| {
                    (0..forks).map(|_| shift + sigma * gaussian(&mut state)).collect()
                });
            let joined = Joined::of(&values, "time").unwrap();
            missed += usize::from(!joined.interval(ALPHA).contains(ln_ratio));
            shown += usize::from(matches!(joined.change(ALPHA, false), Change::Higher | Change::Lower));
        }
        (missed, shown)
    }

    #[test]
    fn the_joined_interval_covers_and_equal_sides_raise_no_alarm() {
        for forks in [[6, 6], [15, 15], [40, 10]] {
            let (missed, shown) = scripted(forks, 0.0);
            assert!(missed <= 50 && shown == missed, "{forks:?}: {missed} of 1000 missed, {shown} shown");
        }
        let (missed, shown) = scripted([20, 20], 0.05);
        assert!(missed <= 50 && shown >= 900, "{missed} of 1000 missed, {shown} shown");
    }

    #[test]
    fn a_side_without_values_is_named() {
        let reason = |values: [Vec<f64>; 2]| Joined::of(&values, "time").err().unwrap();
        assert_eq!(reason([vec![], vec![1.0]]), "the old record has no time of it");
        assert_eq!(reason([vec![1.0], vec![]]), "the new record has no time of it");
        assert_eq!(reason([vec![], vec![]]), "neither record has a time of it");
    }
}
