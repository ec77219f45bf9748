//! Sequential decisions: what an interval says of a claimed region, whether it
//! is precise enough, and whether going on can pay. The confidence levels are
//! the caller's: whatever interval comes in is believed.

use crate::interval::Interval;
use fathom_model::Estimate;

/// No verdict is given on fewer forks.
pub const VERDICT_FROM_FORKS: usize = 5;

/// No run is called futile on fewer forks.
pub const FUTILITY_FROM_FORKS: usize = 10;

/// A run is futile when it needs more than this many times the budget left.
const FUTILITY_FACTOR: f64 = 2.0;

/// What a confidence sequence says of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The whole interval lies in the claimed region.
    Supported,
    /// No part of the interval lies in the claimed region.
    Refuted,
    /// Part of it does: more forks are needed.
    Undecided,
}

/// What ends a time pass before its time is used up, and how far it has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aim {
    /// Half widths of intervals, as shares of what is estimated.
    Precision {
        /// The widest that is wanted.
        wanted: f64,
        /// The widest there is; `None` while something has no interval.
        reached: Option<f64>,
    },
    /// Verdicts.
    Verdicts {
        /// Those not sure yet.
        open: usize,
        /// All that are asked for.
        of: usize,
    },
}

/// The verdict of an `interval` over `forks` forks on a claimed `region`, both
/// on the same scale. Since the sequence covers at all sizes together, asking
/// after every fork, and for any number of regions, costs nothing.
pub fn decide(interval: Interval, region: Interval, forks: usize) -> Verdict {
    if forks < VERDICT_FROM_FORKS {
        Verdict::Undecided
    } else if interval.is_within(region) {
        Verdict::Supported
    } else if interval.is_disjoint(region) {
        Verdict::Refuted
    } else {
        Verdict::Undecided
    }
}

/// True when a ratio is known to a half width of `target` or less, as a share
/// of the ratio itself: at 0.01, a ratio of 3 is known to 0.03. Without an
/// interval nothing is precise.
pub fn is_precise(ratio: &Estimate, target: f64) -> bool {
    relative_half_width(ratio).is_some_and(|half| half <= target)
}

/// Half the interval, as a share of the estimate; `None` without an interval.
pub fn relative_half_width(estimate: &Estimate) -> Option<f64> {
    let (low, high) = estimate.interval()?;
    (estimate.value > 0.0).then(|| (high - low) / 2.0 / estimate.value)
}

/// Forks needed in all, at the present spread, for a ratio's relative half
/// width to shrink to `target`; `None` while there is no interval.
pub fn forks_for_precision(ratio: &Estimate, target: f64) -> Option<f64> {
    let half = relative_half_width(ratio)?;
    Some(f64::from(ratio.forks) * (half / target).powi(2))
}

/// Forks needed in all, at the present estimate and spread, until the interval
/// clears the nearest edge of `region`: n·(half width / distance)². Infinite
/// when the estimate lies on an edge; `None` while the interval is unbounded
/// or when the region has no edge.
pub fn forks_for_verdict(estimate: f64, interval: Interval, region: Interval, forks: usize) -> Option<f64> {
    if !interval.is_bounded() {
        return None;
    }
    let edges = [region.finite_low(), region.finite_high()];
    let distance = edges.into_iter().flatten().map(|edge| (edge - estimate).abs()).reduce(f64::min)?;
    let needed = forks as f64 * (interval.half_width() / distance).powi(2);
    Some(if needed.is_nan() { f64::INFINITY } else { needed })
}

/// True when going on is not worth it: after `FUTILITY_FROM_FORKS` forks, the
/// forks still missing from `needed` would take more than twice the budget
/// left. It ends a run as inconclusive and is never evidence.
pub fn is_futile(needed: f64, forks: usize, fork_s: f64, budget_left_s: f64) -> bool {
    let missing_s = (needed - forks as f64).max(0.0) * fork_s;
    forks >= FUTILITY_FROM_FORKS && missing_s > FUTILITY_FACTOR * budget_left_s.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(value: f64, low: f64, high: f64) -> Estimate {
        Estimate { value, low: Some(low), high: Some(high), confidence: 0.95, forks: 20 }
    }

    #[test]
    fn the_three_verdicts() {
        let region = Interval::new(0.80, 0.86);
        for (low, high, expected) in [
            (0.81, 0.85, Verdict::Supported),
            (0.80, 0.86, Verdict::Supported),
            (0.87, 0.90, Verdict::Refuted),
            (0.70, 0.79, Verdict::Refuted),
            (0.85, 0.87, Verdict::Undecided),
            (0.70, 0.90, Verdict::Undecided),
        ] {
            assert_eq!(decide(Interval::new(low, high), region, 5), expected, "[{low}, {high}]");
        }
        assert_eq!(decide(Interval::UNBOUNDED, region, 100), Verdict::Undecided);
        assert_eq!(decide(Interval::new(0.7, 0.85), Interval::at_most(0.9), 5), Verdict::Supported);
    }

    #[test]
    fn four_forks_decide_nothing() {
        let (interval, region) = (Interval::new(1.0, 1.1), Interval::new(0.0, 2.0));
        assert_eq!(decide(interval, region, 4), Verdict::Undecided);
        assert_eq!(decide(interval, region, 5), Verdict::Supported);
    }

    #[test]
    fn precision_is_relative_to_the_ratio() {
        assert!(is_precise(&ratio(3.0, 2.97, 3.03), 0.0101));
        assert!(!is_precise(&ratio(1.0, 0.97, 1.03), 0.0101));
        let unknown = Estimate { high: None, ..ratio(1.0, 1.0, 1.0) };
        assert!(!is_precise(&unknown, 1.0));
        assert_eq!(forks_for_precision(&unknown, 1.0), None);
        assert!((forks_for_precision(&ratio(2.0, 1.9, 2.1), 0.025).unwrap() - 80.0).abs() < 1e-9);
    }

    #[test]
    fn a_verdict_needs_forks_by_the_square_of_the_distance() {
        let interval = Interval::new(0.9, 1.1);
        let forks = |region| forks_for_verdict(1.0, interval, region, 10);
        assert!((forks(Interval::at_least(1.05)).unwrap() - 40.0).abs() < 1e-9);
        assert!((forks(Interval::new(0.8, 1.2)).unwrap() - 2.5).abs() < 1e-9);
        assert!((forks(Interval::new(0.8, 1.05)).unwrap() - 40.0).abs() < 1e-9, "the nearest edge counts");
        assert_eq!(forks(Interval::at_most(1.0)), Some(f64::INFINITY));
        assert_eq!(forks(Interval::UNBOUNDED), None);
        assert_eq!(forks_for_verdict(1.0, Interval::UNBOUNDED, interval, 10), None);
        let point = Interval::new(1.0, 1.0);
        assert_eq!(forks_for_verdict(1.0, point, Interval::at_most(1.0), 10), Some(f64::INFINITY));
    }

    #[test]
    fn futility_weighs_the_missing_forks_against_the_budget() {
        assert!(is_futile(41.0, 20, 1.0, 10.0));
        assert!(!is_futile(40.0, 20, 1.0, 10.0));
        assert!(!is_futile(1e9, 9, 1.0, 10.0), "too early to say");
        assert!(!is_futile(15.0, 20, 1.0, 0.0), "nothing is missing");
        assert!(is_futile(f64::INFINITY, 20, 1.0, 1e6));
    }
}
