//! The samples of a record, one by one, each with its arm: what a row says,
//! but not how it is stored.

use crate::measurement::{Measurement, measurements};
use fathom_model::{Arm, ArmKind, ArmSamples, Fork, Record};
use std::collections::BTreeSet;

/// An arm of a comparison.
#[derive(Debug, Clone)]
pub(super) struct TimedArm<'a> {
    pub(super) record: &'a Record,
    /// What names the record.
    pub(super) record_id: String,
    /// The variant that it times, or beside which it runs.
    pub(super) measurement: Measurement<'a>,
    pub(super) kind: ArmKind,
    /// Its place among the comparison's arms.
    index: usize,
}

/// One batch of one arm.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample<'a> {
    /// Index into the arms.
    pub(super) arm: usize,
    pub(super) fork: &'a Fork,
    /// Which fork and which block of it, counted from 0.
    pub(super) fork_number: usize,
    pub(super) block: usize,
    pub(super) operations: u32,
    /// The batch's time; `None` when the sample is void.
    pub(super) ns: Option<u64>,
    /// Whether its driver was preempted; `None` when it did not say.
    pub(super) preempted: Option<bool>,
}

/// Every arm, by experiment, comparison and variant: the variant's own, then
/// the control beside the baseline, then a loop named after the variant.
pub(super) fn arms<'a>(record: &'a Record, id: &str) -> Vec<TimedArm<'a>> {
    let mut found = Vec::new();
    for measurement in measurements(record) {
        let own = ArmKind::Variant(measurement.index);
        let is_baseline = measurement.index == measurement.comparison.baseline;
        let control = is_baseline.then_some(ArmKind::Control);
        let kinds = [Some(own), control, Some(ArmKind::Loop(measurement.index))];
        for kind in kinds.into_iter().flatten() {
            let fits = |(_, arm): &(usize, &Arm)| arm.kind == kind;
            let arms = measurement.comparison.arms.iter().enumerate().filter(fits);
            found.extend(arms.map(|(index, _)| TimedArm {
                record,
                record_id: id.to_owned(),
                measurement: measurement.clone(),
                kind,
                index,
            }));
        }
    }
    found
}

/// The samples of these arms, arm by arm, in order of time.
pub(super) fn samples<'a>(arms: &[TimedArm<'a>]) -> Vec<Sample<'a>> {
    let mut found = Vec::new();
    for (number, arm) in arms.iter().enumerate() {
        for (fork_number, fork) in arm.measurement.comparison.forks.iter().enumerate() {
            let Some(taken) = fork.arms.get(arm.index) else { continue };
            found.extend(of_fork(arm, fork, taken).map(|(block, operations, ns, preempted)| Sample {
                arm: number,
                fork,
                fork_number,
                block,
                operations,
                ns,
                preempted,
            }));
        }
    }
    found
}

/// Block, operations, time and preemption. A loop runs in some blocks only, and
/// what it did not run in is no sample.
fn of_fork<'a>(
    arm: &TimedArm<'_>,
    fork: &'a Fork,
    taken: &'a ArmSamples,
) -> impl Iterator<Item = (usize, u32, Option<u64>, Option<bool>)> + use<'a> {
    let is_loop = matches!(arm.kind, ArmKind::Loop(_));
    let says_switches = taken.totals.contains_key("nivcsw");
    let preempted: BTreeSet<usize> = taken.preempted_blocks.iter().map(|&block| block as usize).collect();
    let blocks = taken.ns.iter().zip(&fork.operations).enumerate();
    blocks.filter(move |(_, (ns, _))| ns.is_some() || !is_loop).map(move |(block, (&ns, &operations))| {
        let was_preempted = (says_switches && ns.is_some()).then(|| preempted.contains(&block));
        (block, taken.operations(operations), ns, was_preempted)
    })
}
