//! One fork reduced to one value: medians over its blocks of times and of
//! paired log ratios and differences. Intervals over those values, and the
//! choice of arms, live in `summary`.

use crate::robust::median;
use fathom_model::{ArmSamples, Fork, Spread};
use std::collections::BTreeMap;

/// One arm in one fork, as tools take it that draw their own intervals.
#[derive(Debug, Clone, PartialEq)]
pub struct ForkFigures {
    /// The median over the fork's blocks, in ns per operation.
    pub time_ns: f64,
    /// Operations in those blocks.
    pub operations: u64,
    /// The driver's figures per operation: `allocs`, `alloc_bytes`, …
    pub runtime_per_operation: BTreeMap<String, f64>,
}

/// The figures of an arm (index) in a fork; `None` when no sample was kept.
pub fn fork_figures(fork: &Fork, arm: usize) -> Option<ForkFigures> {
    let time_ns = ln_time_ns(fork, arm)?.exp();
    let tally = Tally::of(std::slice::from_ref(fork), arm);
    let operations = tally.operations;
    Some(ForkFigures { time_ns, operations, runtime_per_operation: tally.per_operation() })
}

/// The log ratios ln(ns of `arm` / ns of `reference`) of a fork's blocks in
/// which both arms (indices) have a sample: what warm-up detection, allocation
/// and fork values are made of. Times are per operation.
pub fn block_ln_ratios(fork: &Fork, arm: usize, reference: usize) -> Vec<f64> {
    paired_blocks(fork, arm, reference).map(|(ns, reference_ns)| (ns / reference_ns).ln()).collect()
}

/// The fork's value of the ratio of two arms, as a logarithm; `None` when no
/// block has both.
pub(crate) fn ln_ratio(fork: &Fork, arm: usize, reference: usize) -> Option<f64> {
    median(&block_ln_ratios(fork, arm, reference))
}

/// The median difference of two arms in ns per operation.
pub(crate) fn delta_ns(fork: &Fork, arm: usize, reference: usize) -> Option<f64> {
    let differences: Vec<f64> =
        paired_blocks(fork, arm, reference).map(|(ns, reference_ns)| ns - reference_ns).collect();
    median(&differences)
}

/// The median log of an arm's ns per operation.
pub(crate) fn ln_time_ns(fork: &Fork, arm: usize) -> Option<f64> {
    let times: Vec<f64> = timed_blocks(fork, arm).map(|(_, ns)| ns.ln()).collect();
    median(&times)
}

/// How far an arm's forks and batches lie apart; `None` when it has no time.
pub(crate) fn spread(forks: &[Fork], arm: usize) -> Option<Spread> {
    let mut medians = Vec::new();
    let mut batches = Vec::new();
    for fork in forks {
        medians.extend(ln_time_ns(fork, arm).map(f64::exp));
        batches.extend(timed_blocks(fork, arm).map(|(_, ns)| ns));
    }
    medians.sort_unstable_by(f64::total_cmp);
    Some(Spread {
        fork_least_ns: *medians.first()?,
        fork_most_ns: *medians.last()?,
        batch_median_ns: median(&batches)?,
        batch_p99_ns: p99(&mut batches)?,
        batches: batches.len() as u64,
    })
}

/// The 99th percentile of an arm's batches in one fork, in ns per operation.
pub(crate) fn batch_p99_ns(fork: &Fork, arm: usize) -> Option<f64> {
    p99(&mut timed_blocks(fork, arm).map(|(_, ns)| ns).collect::<Vec<_>>())
}

/// The nearest rank: the smallest value that 99 % of all do not exceed.
fn p99(values: &mut [f64]) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let rank = (values.len() * 99).div_ceil(100);
    values.get(rank.checked_sub(1)?).copied()
}

/// What an arm did in the blocks that count, over all forks.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Blocks with a usable time.
    pub(crate) blocks: u64,
    /// Operations in those blocks.
    pub(crate) operations: u64,
    /// Samples of forks whose driver reported switches.
    switch_samples: u64,
    /// Of those, samples with an involuntary switch.
    preempted: u64,
    /// Sum of each of the driver's figures, and the operations it covers.
    figures: BTreeMap<String, (u64, u64)>,
}

impl Tally {
    /// The sums of one arm over all forks.
    pub(crate) fn of(forks: &[Fork], arm: usize) -> Self {
        let mut tally = Self::default();
        for fork in forks {
            tally.add(fork, arm);
        }
        tally
    }

    /// Share of samples with an involuntary switch; `None` when no driver said.
    pub(crate) fn preempted_share(&self) -> Option<f64> {
        (self.switch_samples > 0).then(|| self.preempted as f64 / self.switch_samples as f64)
    }

    /// The driver's figures per operation, each over the forks that report it:
    /// of the timed samples where it could be read there, else of the fork's
    /// further, untimed batch.
    pub(crate) fn per_operation(self) -> BTreeMap<String, f64> {
        let covered = self.figures.into_iter().filter(|(_, (_, operations))| *operations > 0);
        covered.map(|(name, (sum, operations))| (name, sum as f64 / operations as f64)).collect()
    }

    fn add(&mut self, fork: &Fork, arm: usize) {
        for (_, _, operations) in timed_block_counts(fork, arm) {
            self.blocks += 1;
            self.operations += u64::from(operations);
        }
        let Some(samples) = fork.arms.get(arm) else { return };
        // The driver's sums are over all kept samples, a time of 0 included.
        let covered = kept_blocks(fork, samples).map(|(_, _, operations)| u64::from(operations)).sum::<u64>();
        self.add_figures(&samples.totals, covered);
        let untimed = samples.figures.iter().filter(|(name, _)| !samples.totals.contains_key(*name));
        self.add_figures(untimed, samples.figure_operations);
        self.add_switches(fork, samples);
    }

    fn add_figures<'a>(&mut self, figures: impl IntoIterator<Item = (&'a String, &'a u64)>, covered: u64) {
        for (name, sum) in figures {
            let (total, operations) = self.figures.entry(name.clone()).or_default();
            *total += sum;
            *operations += covered;
        }
    }

    fn add_switches(&mut self, fork: &Fork, samples: &ArmSamples) {
        if samples.totals.contains_key("nivcsw") {
            self.switch_samples += kept_blocks(fork, samples).count() as u64;
            self.preempted += kept_blocks(fork, samples)
                .filter(|(block, _, _)| {
                    samples.preempted_blocks.iter().any(|&index| index as usize == *block)
                })
                .count() as u64;
        }
    }
}

/// Times per operation of both arms, of blocks in which both have one.
fn paired_blocks(fork: &Fork, arm: usize, reference: usize) -> impl Iterator<Item = (f64, f64)> {
    let reference_ns: BTreeMap<usize, f64> = timed_blocks(fork, reference).collect();
    timed_blocks(fork, arm)
        .filter_map(move |(block, ns)| reference_ns.get(&block).map(|&reference_ns| (ns, reference_ns)))
}

/// Block and ns per operation of an arm's usable samples.
fn timed_blocks(fork: &Fork, arm: usize) -> impl Iterator<Item = (usize, f64)> {
    timed_block_counts(fork, arm).map(|(block, ns, operations)| (block, ns as f64 / f64::from(operations)))
}

/// Samples with a time: a time of 0 has no logarithm and is passed over.
fn timed_block_counts(fork: &Fork, arm: usize) -> impl Iterator<Item = (usize, u64, u32)> {
    let samples = fork.arms.get(arm).into_iter();
    samples.flat_map(|samples| kept_blocks(fork, samples)).filter(|&(_, ns, _)| ns > 0)
}

/// Samples that were kept, of blocks that performed operations.
fn kept_blocks<'a>(fork: &'a Fork, samples: &'a ArmSamples) -> impl Iterator<Item = (usize, u64, u32)> + 'a {
    let blocks = samples.ns.iter().zip(&fork.operations).enumerate();
    blocks.filter_map(|(block, (ns, &operations))| {
        ns.filter(|_| operations > 0).map(|ns| (block, ns, samples.operations(operations)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::{Reading, WarmUp};

    fn fork(operations: &[u32], arms: &[&[Option<u64>]]) -> Fork {
        let samples = |ns: &&[Option<u64>]| ArmSamples {
            divisor: 1,
            ns: ns.to_vec(),
            preempted_blocks: Vec::new(),
            totals: BTreeMap::new(),
            figures: BTreeMap::new(),
            figure_operations: 0,
        };
        Fork {
            cpu: Reading::Value(0),
            started_s: 0.0,
            warm_up: WarmUp { blocks: 0, ms: 0.0, steady: true },
            operations: operations.to_vec(),
            arms: arms.iter().map(samples).collect(),
            ranks: None,
        }
    }

    #[test]
    fn only_blocks_with_both_samples_are_paired() {
        let fork = fork(
            &[10, 10, 20, 10, 0],
            &[
                &[Some(100), None, Some(400), Some(0), Some(7)],
                &[Some(200), Some(150), Some(500), Some(100), Some(7)],
            ],
        );
        let ratios = block_ln_ratios(&fork, 1, 0);
        assert_eq!(ratios, [2.0_f64.ln(), 1.25_f64.ln()]);
        assert!((delta_ns(&fork, 1, 0).unwrap() - 7.5).abs() < 1e-12);
        // ns per operation of arm 1: 20, 15, 25, 10.
        assert!((ln_time_ns(&fork, 1).unwrap() - f64::midpoint(20.0_f64.ln(), 15.0_f64.ln())).abs() < 1e-12);
    }

    #[test]
    fn an_arm_with_fewer_operations_is_compared_per_operation() {
        let mut fork = fork(&[10, 20], &[&[Some(1000), Some(2000)], &[Some(500), Some(1000)]]);
        fork.arms[1].divisor = 4;
        // 100 ns against 500/2 and 1000/5.
        assert_eq!(block_ln_ratios(&fork, 1, 0), [2.5_f64.ln(), 2.0_f64.ln()]);
        assert!((delta_ns(&fork, 1, 0).unwrap() - 125.0).abs() < 1e-12);
        assert_eq!(Tally::of(&[fork], 1).operations, 7);
    }

    #[test]
    fn a_fork_s_figures_are_its_median_and_its_driver_s_per_operation() {
        let mut fork = fork(&[10, 10, 10], &[&[Some(200), Some(400), Some(100)], &[None, None, None]]);
        fork.arms[0].figures.insert("allocs".to_owned(), 21);
        fork.arms[0].figure_operations = 7;
        let figures = fork_figures(&fork, 0).unwrap();
        assert!((figures.time_ns - 20.0).abs() < 1e-9);
        assert_eq!(figures.operations, 30);
        assert_eq!(figures.runtime_per_operation, BTreeMap::from([("allocs".to_owned(), 3.0)]));
        assert_eq!(fork_figures(&fork, 1), None);
    }

    #[test]
    fn an_arm_without_samples_has_no_value() {
        let fork = fork(&[10], &[&[Some(100)], &[None]]);
        assert_eq!(ln_ratio(&fork, 1, 0), None);
        assert_eq!(delta_ns(&fork, 0, 1), None);
        assert_eq!(ln_time_ns(&fork, 1), None);
        assert_eq!(ln_time_ns(&fork, 9), None);
    }

    #[test]
    fn figures_are_divided_by_the_operations_they_cover() {
        let mut with = fork(&[10, 30, 60], &[&[Some(100), Some(0), None]]);
        with.arms[0].totals = [("allocs".to_owned(), 80), ("nivcsw".to_owned(), 3)].into();
        with.arms[0].preempted_blocks = vec![1, 2];
        with.arms[0].figures = [("gc_count".to_owned(), 5), ("allocs".to_owned(), 999)].into();
        with.arms[0].figure_operations = 50;
        let without = fork(&[10], &[&[Some(100)]]);
        let tally = Tally::of(&[with, without.clone()], 0);
        assert_eq!((tally.blocks, tally.operations), (2, 20));
        assert_eq!(tally.preempted_share(), Some(0.5), "the void block 2 does not count");
        let figures = tally.per_operation();
        assert!((figures["allocs"] - 2.0).abs() < 1e-12, "80 over the 40 operations of the first fork");
        assert!((figures["gc_count"] - 0.1).abs() < 1e-12, "5 over the 50 of the untimed batch");
        assert_eq!(Tally::of(&[without], 0).preempted_share(), None);
    }
}
