//! Methods of one comparison beside each other: the fastest, and each rival's
//! ratio to it, paired in the blocks. Which methods may stand, and what is
//! advised, is decided elsewhere.

use crate::decision::VERDICT_FROM_FORKS;
use crate::fork_values::{delta_ns, ln_ratio, ln_time_ns};
use crate::robust::median;
use crate::sequence::combined_sequence;
use crate::summary::{estimate_from, variant_arm};
use fathom_model::{Comparison, Estimate, Fork};
use serde::Serialize;
use std::collections::BTreeMap;

/// The error that all ratios of one choice share.
const ALPHA: f64 = 0.05;

/// How a method stands to the fastest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RivalStanding {
    /// Shown to be slower, by more than the comparison can resolve.
    Slower,
    /// Not to be told from the fastest.
    Tied,
    /// Too few forks for an interval.
    Unknown,
}

/// The arms of one comparison that are ranked, and the error each ratio may take.
#[derive(Debug)]
pub(super) struct Ranking<'a> {
    forks: &'a [Fork],
    /// Variants, the fastest first, and their arms.
    order: Vec<(usize, usize)>,
    alpha: f64,
    /// Ratios nearer to 1 than this are within what the baseline differs from itself.
    resolution: f64,
}

impl<'a> Ranking<'a> {
    /// Ranks those of these variants that have a time.
    pub(super) fn of(comparison: &'a Comparison, variants: &[usize]) -> Self {
        let forks = &comparison.forks;
        let timed = |&variant: &usize| {
            let arm = variant_arm(&comparison.arms, variant)?;
            forks.iter().any(|fork| ln_time_ns(fork, arm).is_some()).then_some((variant, arm))
        };
        let mut order: Vec<_> = variants.iter().filter_map(timed).collect();
        let rivals = order.len().saturating_sub(1).max(1);
        if let Some(fastest) = fastest(forks, &order) {
            let place: BTreeMap<usize, f64> = order
                .iter()
                .map(|&(variant, arm)| {
                    let ratio = median(&ln_ratios(forks, arm, order[fastest].1));
                    (variant, ratio.unwrap_or(f64::INFINITY))
                })
                .collect();
            let first = order[fastest].0;
            order.sort_by(|a, b| {
                (a.0 != first).cmp(&(b.0 != first)).then(place[&a.0].total_cmp(&place[&b.0]))
            });
        }
        Self { forks, order, alpha: ALPHA / rivals as f64, resolution: resolution(comparison).unwrap_or(0.0) }
    }

    /// The variants, the fastest first.
    pub(super) fn variants(&self) -> impl Iterator<Item = usize> + '_ {
        self.order.iter().map(|&(variant, _)| variant)
    }

    /// Forks in which the fastest has a time.
    pub(super) fn forks(&self) -> usize {
        let timed = |arm| self.forks.iter().filter(|fork| ln_time_ns(fork, arm).is_some()).count();
        self.order.first().map_or(0, |&(_, arm)| timed(arm))
    }

    /// Nanoseconds per operation.
    pub(super) fn time_ns(&self, variant: usize) -> Option<Estimate> {
        let arm = self.arm(variant)?;
        let values: Vec<f64> = self.forks.iter().filter_map(|fork| ln_time_ns(fork, arm)).collect();
        exponential(&values, ALPHA)
    }

    /// Time of one over time of the other. Ratios of all rivals to one hold together.
    pub(super) fn ratio(&self, variant: usize, reference: usize) -> Option<Estimate> {
        let values = ln_ratios(self.forks, self.arm(variant)?, self.arm(reference)?);
        exponential(&values, self.alpha)
    }

    /// What one takes more than the other, in ns per operation.
    pub(super) fn difference_ns(&self, variant: usize, reference: usize) -> Option<Estimate> {
        let (arm, reference) = (self.arm(variant)?, self.arm(reference)?);
        let values: Vec<f64> = self.forks.iter().filter_map(|fork| delta_ns(fork, arm, reference)).collect();
        let interval = combined_sequence(&values, self.alpha);
        Some(estimate_from(median(&values)?, interval, 1.0 - self.alpha, values.len()))
    }

    /// How a ratio to the fastest is to be read.
    pub(super) fn standing(&self, ratio: Option<&Estimate>) -> RivalStanding {
        let Some((ratio, (low, _))) = ratio.and_then(|ratio| Some((ratio, ratio.interval()?))) else {
            return RivalStanding::Unknown;
        };
        let is_slower = low > 1.0 && ratio.value - 1.0 > self.resolution;
        match ratio.forks as usize {
            forks if forks < VERDICT_FROM_FORKS => RivalStanding::Unknown,
            _ if is_slower => RivalStanding::Slower,
            _ => RivalStanding::Tied,
        }
    }

    fn arm(&self, variant: usize) -> Option<usize> {
        self.order.iter().find(|(found, _)| *found == variant).map(|&(_, arm)| arm)
    }
}

/// How far the baseline may lie from itself, as a share: the farther end of its
/// A/A control; `None` without a control or without its interval.
pub(super) fn resolution(comparison: &Comparison) -> Option<f64> {
    let (low, high) = comparison.control.value()?.ratio.interval()?;
    Some((1.0 - low).abs().max((high - 1.0).abs()))
}

/// Index of the one that no other is faster than when both are paired: from the
/// smallest median on, as long as another beats it.
fn fastest(forks: &[Fork], order: &[(usize, usize)]) -> Option<usize> {
    let time = |arm| {
        let values: Vec<f64> = forks.iter().filter_map(|fork| ln_time_ns(fork, arm)).collect();
        median(&values).unwrap_or(f64::INFINITY)
    };
    let times: Vec<f64> = order.iter().map(|&(_, arm)| time(arm)).collect();
    let mut best = (0..order.len()).min_by(|&a, &b| times[a].total_cmp(&times[b]))?;
    // Medians of pairs need not be transitive: each may lead once.
    for _ in 0..order.len() {
        let beats = |&index: &usize| {
            median(&ln_ratios(forks, order[index].1, order[best].1)).is_some_and(|ratio| ratio < 0.0)
        };
        match (0..order.len()).find(beats) {
            Some(better) => best = better,
            None => break,
        }
    }
    Some(best)
}

fn ln_ratios(forks: &[Fork], arm: usize, reference: usize) -> Vec<f64> {
    forks.iter().filter_map(|fork| ln_ratio(fork, arm, reference)).collect()
}

fn exponential(logarithms: &[f64], alpha: f64) -> Option<Estimate> {
    let interval = combined_sequence(logarithms, alpha).exp();
    Some(estimate_from(median(logarithms)?.exp(), interval, 1.0 - alpha, logarithms.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::{complete, keep_forks, slow_down};

    fn open() -> Comparison {
        complete().experiments.remove(0).comparisons.remove(0)
    }

    #[test]
    fn ratios_are_to_the_fastest_and_not_to_the_baseline() {
        // go:syscall.Open 2214, os.Open 3621, O_DIRECT 3630, unix.Open 2213, native 2105.3.
        let comparison = open();
        let ranking = Ranking::of(&comparison, &[0, 1, 2, 3]);
        assert_eq!(ranking.variants().collect::<Vec<_>>(), [3, 0, 1, 2]);
        let ratio = ranking.ratio(1, 3).unwrap();
        assert!((ratio.value - 3621.0 / 2213.0).abs() < 1e-4, "{ratio:?}");
        assert!((ratio.confidence - (1.0 - 0.05 / 3.0)).abs() < 1e-12, "three rivals share the error");
        assert_eq!(ranking.standing(Some(&ratio)), RivalStanding::Slower);
        let saving = ranking.difference_ns(1, 3).unwrap();
        assert!((saving.value - 1408.0).abs() < 0.5, "{saving:?}");
        assert_eq!(ranking.forks(), 15);
        assert!((ranking.time_ns(1).unwrap().value - 3621.0).abs() < 0.5);
    }

    #[test]
    fn what_the_control_does_not_resolve_is_a_tie() {
        let comparison = open();
        let ranking = Ranking::of(&comparison, &[0, 1, 2, 3]);
        let close = ranking.ratio(0, 3).unwrap();
        assert!((close.value - 1.000_45).abs() < 1e-4, "{close:?}");
        assert_eq!(ranking.standing(Some(&close)), RivalStanding::Tied);
        let mut wide = open();
        if let fathom_model::Reading::Value(control) = &mut wide.control {
            control.ratio.high = Some(1.9);
        }
        let ranking = Ranking::of(&wide, &[0, 1, 2, 3]);
        assert_eq!(ranking.standing(ranking.ratio(1, 3).as_ref()), RivalStanding::Tied);
    }

    #[test]
    fn few_forks_show_nothing() {
        let mut record = complete();
        keep_forks(&mut record, 4);
        let comparison = &record.experiments[0].comparisons[0];
        let ranking = Ranking::of(comparison, &[0, 1, 3]);
        assert_eq!(ranking.standing(ranking.ratio(1, 3).as_ref()), RivalStanding::Unknown);
        assert_eq!(ranking.standing(None), RivalStanding::Unknown);
        assert_eq!(Ranking::of(comparison, &[]).forks(), 0);
    }

    #[test]
    fn the_order_follows_the_samples() {
        let mut record = complete();
        slow_down(&mut record, "go:unix.Open", 2.0);
        let comparison = &record.experiments[0].comparisons[0];
        assert_eq!(Ranking::of(comparison, &[0, 1, 2, 3]).variants().collect::<Vec<_>>(), [0, 1, 2, 3]);
    }
}
