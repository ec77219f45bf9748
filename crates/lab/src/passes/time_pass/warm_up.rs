//! The warm-up of a fork: blocks run and thrown away until two windows of them
//! agree in every driver process, or the time allowed is over.

use super::TimePassSetting;
use super::fork::{ForkError, RunningFork};
use super::layout::Layout;
use super::schedule::draw_blocks;
use crate::drivers::runtime;
use crate::processes::protocol::Done;
use fathom_model::{Arm, ArmKind, WarmUp};
use fathom_stats::{STEADY_WINDOW_BLOCKS, SteadyDetector};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::{Duration, Instant};

/// Runs blocks until the fork is steady or its time is over.
pub(crate) fn warm_up(
    setting: &TimePassSetting<'_>,
    running: &mut RunningFork<'_>,
    random: &mut Xoshiro256PlusPlus,
    operations: u32,
) -> Result<WarmUp, ForkError> {
    let layout = setting.fork.layout;
    let arms = &layout.arms;
    let cap = warm_up_cap(layout);
    let watched = watched_pairs(arms);
    let mut detectors = vec![SteadyDetector::new(); watched.len()];
    let window = u32::try_from(STEADY_WINDOW_BLOCKS).expect("a small number");
    let begun = Instant::now();
    let mut blocks_run = 0;
    while begun.elapsed() < cap && !detectors.iter().all(SteadyDetector::is_steady) {
        // Slow blocks go out one at a time, so that the cap is kept.
        let chunk = if operations == 1 { 1 } else { window };
        // Processes that are steady already need not wait for the others' sake.
        let unsteady: Vec<(usize, usize)> = watched
            .iter()
            .zip(&detectors)
            .filter(|(_, detector)| !detector.is_steady())
            .map(|(&pair, _)| pair)
            .collect();
        let takes_part = |arm: usize| {
            unsteady.iter().any(|&(watched, partner)| arm == partner || arms[arm].seat == arms[watched].seat)
        };
        let blocks = draw_blocks(random, arms, operations, (blocks_run, chunk), takes_part);
        let rows = running.run_blocks(&blocks)?;
        for row in &rows {
            for (&(arm, partner), detector) in watched.iter().zip(&mut detectors) {
                let time = |arm: usize| ln_time(row, arm);
                if let (Some(one), Some(other)) = (time(arm), time(partner)) {
                    detector.push(one - other, one);
                }
            }
        }
        blocks_run += chunk;
    }
    Ok(WarmUp {
        blocks: blocks_run,
        ms: begun.elapsed().as_secs_f64() * 1000.0,
        steady: detectors.iter().all(SteadyDetector::is_steady),
    })
}

/// Time for the slowest runtime and for the number of arms: what a runtime that
/// compiles beforehand needs grows with the arms, since all share the block.
pub(crate) fn warm_up_cap(layout: &Layout) -> Duration {
    let slowest = layout.seats.iter().map(|seat| runtime::of(&seat.driver).warm_up_cap).max();
    let pairs = u32::try_from(layout.arms.len().div_ceil(2)).unwrap_or(u32::MAX);
    slowest.unwrap_or_default().max(runtime::of("").warm_up_cap * pairs)
}

fn ln_time(row: &[Option<Done>], arm: usize) -> Option<f64> {
    let done = row[arm].as_ref().filter(|done| done.ns > 0 && done.operations > 0)?;
    Some((done.ns as f64 / done.operations as f64).ln())
}

/// For each driver process one arm to watch, with the arm it is compared to:
/// another that runs in every block, of the same process where there is one.
fn watched_pairs(arms: &[Arm]) -> Vec<(usize, usize)> {
    let in_every_block = |arm: &Arm| !matches!(arm.kind, ArmKind::Loop(_));
    let seats = arms.iter().map(|arm| arm.seat).max().map_or(0, |last| last + 1);
    (0..seats)
        .filter_map(|seat| {
            let watched = arms.iter().position(|arm| arm.seat == seat && in_every_block(arm))?;
            let others = || (0..arms.len()).filter(|&arm| arm != watched && in_every_block(&arms[arm]));
            let partner = others().find(|&arm| arms[arm].seat == seat).or_else(|| others().next())?;
            Some((watched, partner))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_process_is_watched_against_an_arm_of_its_own_if_it_can() {
        let arm = |kind, seat| Arm { kind, seat };
        let arms = [
            arm(ArmKind::Variant(0), 0),
            arm(ArmKind::Variant(1), 1),
            arm(ArmKind::Control, 0),
            arm(ArmKind::Loop(0), 0),
        ];
        assert_eq!(watched_pairs(&arms), [(0, 2), (1, 0)]);
    }
}
