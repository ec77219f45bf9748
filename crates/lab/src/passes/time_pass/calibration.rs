//! Batch lengths: what each arm's operation costs, learnt from the first fork.

use super::batch_size::{BatchCosts, BatchPlan, plan_batches};
use super::fork::{ForkError, RunningFork};
use super::{Learnt, TimePassSetting};
use crate::drivers::runtime;
use fathom_model::ArmKind;
use std::time::{Duration, Instant};

/// Costs of the arms and of an empty batch decide the batch lengths.
pub(super) fn calibrate(
    setting: &TimePassSetting<'_>,
    running: &mut RunningFork<'_>,
    learnt: &mut Learnt,
) -> Result<BatchPlan, ForkError> {
    /// A batch this long measures an operation well enough.
    const ENOUGH_NS: u64 = 30_000;
    let mut arms_ns = Vec::new();
    let mut empty_ns = f64::MAX;
    for arm in 0..setting.fork.layout.arms.len() {
        let mut cost_ns = 0.0;
        settle(setting, running, arm)?;
        // Twice: the first time the code is cold.
        for _ in 0..2 {
            let mut operations = 1;
            loop {
                let done = running.run_batch(arm, operations, 1)?;
                cost_ns = done.ns as f64 / f64::from(operations);
                if done.ns >= ENOUGH_NS || operations >= 1 << 16 {
                    break;
                }
                operations *= 4;
            }
        }
        if matches!(setting.fork.layout.arms[arm].kind, ArmKind::Loop(_)) {
            empty_ns = empty_ns.min(running.run_batch(arm, 1, 1)?.ns as f64);
            arms_ns.push(None);
        } else {
            arms_ns.push(Some(cost_ns));
        }
    }
    let costs = BatchCosts {
        slowest_ns: 0.0,
        empty_ns: if empty_ns < f64::MAX { empty_ns } else { 0.0 },
        resolution_ns: setting.clock_resolution_ns,
        jit: setting.fork.layout.seats.iter().any(|seat| runtime::of(&seat.driver).jit),
    };
    let baseline_ns = arms_ns[setting.baseline].unwrap_or(0.0);
    let plan = plan_batches(&arms_ns, baseline_ns, costs);
    let batch_ns = arms_ns
        .iter()
        .zip(&plan.divisors)
        .map(|(ns, divisor)| ns.unwrap_or(0.0) * f64::from((plan.operations / divisor).max(1)));
    learnt.block_s = Some(batch_ns.sum::<f64>() / 1e9);
    Ok(plan)
}

/// A runtime that compiles as it goes is asked for its costs after it has compiled.
fn settle(setting: &TimePassSetting<'_>, running: &mut RunningFork<'_>, arm: usize) -> Result<(), ForkError> {
    /// What compiles is compiled after so many calls, or so much time.
    const OPERATIONS: u32 = 500;
    const SETTLED: Duration = Duration::from_millis(150);
    let seat = &setting.fork.layout.seats[setting.fork.layout.arms[arm].seat];
    if !runtime::of(&seat.driver).jit {
        return Ok(());
    }
    // An operation may take a second: one shows.
    let one_ns = running.run_batch(arm, 1, 0)?.ns;
    if u128::from(one_ns) > SETTLED.as_nanos() / 10 {
        return Ok(());
    }
    let begun = Instant::now();
    while begun.elapsed() < SETTLED {
        let affordable = (SETTLED.as_nanos() / u128::from(one_ns.max(1))).clamp(1, u128::from(OPERATIONS));
        running.run_batch(arm, u32::try_from(affordable).unwrap_or(1), 0)?;
    }
    Ok(())
}
