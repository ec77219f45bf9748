//! Looking at a comparison after every fork: the interval of a ratio from the
//! first forks alone, as the instrument itself would have drawn it then, and what
//! `decide` says of claims on it. Pure.

use fathom_model::Comparison;
use fathom_stats::{Interval, Parts, VERDICT_FROM_FORKS, Verdict, decide, summarize};

/// A method is no faster and no slower than another by more than this.
const MARGIN: f64 = 0.01;

/// "No difference within 1 %", as a ratio of times.
pub(super) fn within() -> Interval {
    Interval::new(1.0 - MARGIN, 1.0 + MARGIN)
}

/// "At least 1 % faster".
pub(super) fn faster() -> Interval {
    Interval::at_most(1.0 - MARGIN)
}

/// "At least 1 % slower".
pub(super) fn slower() -> Interval {
    Interval::at_least(1.0 + MARGIN)
}

/// "No difference at all": refuted wherever the interval excludes 1.
pub(super) fn equal() -> Interval {
    Interval::new(1.0, 1.0)
}

/// What one saw after so many forks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Look {
    pub(super) forks: usize,
    pub(super) interval: Interval,
    /// The A/A control was at fault.
    pub(super) fault: bool,
}

/// The looks at the ratio of a variant (index), from the first number of forks
/// at which a verdict may be given.
pub(super) fn looks(comparison: &Comparison, variant: usize) -> Vec<Look> {
    let look = |taken: usize| {
        let parts = Parts { forks: &comparison.forks[..taken], ..Parts::from(comparison) };
        let (summaries, control) = summarize(parts);
        let ratio = summaries.get(variant)?.value()?.ratio?;
        let interval = match ratio.interval() {
            Some((low, high)) => Interval::new(low, high),
            None => Interval::UNBOUNDED,
        };
        let fault = control.value().is_some_and(|control| control.instrument_fault);
        Some(Look { forks: ratio.forks as usize, interval, fault })
    };
    (VERDICT_FROM_FORKS..=comparison.forks.len()).filter_map(look).collect()
}

/// Forks at the first look that gave this verdict on a claimed region.
pub(super) fn first(looks: &[Look], region: Interval, verdict: Verdict) -> Option<usize> {
    let found = looks.iter().find(|look| decide(look.interval, region, look.forks) == verdict);
    found.map(|look| look.forks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(forks: usize, low: f64, high: f64) -> Look {
        Look { forks, interval: Interval::new(low, high), fault: false }
    }

    #[test]
    fn a_verdict_counts_that_a_later_look_would_take_back() {
        let looks = [look(5, 0.98, 1.02), look(6, 1.011, 1.03), look(7, 0.999, 1.009)];
        assert_eq!(first(&looks, within(), Verdict::Refuted), Some(6));
        assert_eq!(first(&looks, within(), Verdict::Supported), Some(7));
        assert_eq!(first(&looks, equal(), Verdict::Refuted), Some(6));
        assert_eq!(first(&looks, slower(), Verdict::Supported), Some(6));
        assert_eq!(first(&looks, faster(), Verdict::Supported), None);
        assert_eq!(first(&looks, faster(), Verdict::Refuted), Some(6));
    }

    #[test]
    fn four_forks_are_no_look() {
        assert_eq!(first(&[look(4, 1.1, 1.2)], equal(), Verdict::Refuted), None);
    }

    #[test]
    fn the_last_look_is_what_the_record_says() {
        for (name, record) in fathom_testkit::all() {
            let comparisons = record.experiments.iter().flat_map(|experiment| &experiment.comparisons);
            for comparison in comparisons.filter(|comparison| comparison.forks.len() >= VERDICT_FROM_FORKS) {
                let (summaries, _) = summarize(Parts::from(comparison));
                for (variant, summary) in summaries.iter().enumerate() {
                    let ratio = summary.value().and_then(|summary| summary.ratio);
                    let looks = looks(comparison, variant);
                    let last = looks.last().map(|look| look.interval);
                    let interval = ratio.map(|ratio| match ratio.interval() {
                        Some((low, high)) => Interval::new(low, high),
                        None => Interval::UNBOUNDED,
                    });
                    assert_eq!(last, interval, "{name}");
                }
            }
        }
    }

    #[test]
    fn every_number_of_forks_from_the_fifth_is_looked_at() {
        let mut comparison = fathom_testkit::complete().experiments.remove(0).comparisons.remove(0);
        let fork = comparison.forks[0].clone();
        comparison.forks = vec![fork; 9];
        let forks: Vec<_> = looks(&comparison, 1).iter().map(|look| look.forks).collect();
        assert_eq!(forks, [5, 6, 7, 8, 9]);
        assert_eq!(looks(&comparison, comparison.baseline), [], "it has no ratio");
    }
}
