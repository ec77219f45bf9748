//! The warm-up of a fork: blocks run and thrown away until two windows of them
//! agree in every driver process, or the time allowed is over.

use crate::fork::{ForkError, RunningFork};
use crate::protocol::Done;
use crate::schedule::draw_blocks;
use crate::time_pass::TimePassSetting;
use fathom_model::{Arm, ArmKind, WarmUp};
use fathom_stats::{STEADY_WINDOW_BLOCKS, SteadyDetector};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::{Duration, Instant};

/// Time allowed to two arms of a runtime that compiles beforehand.
const CAP_COMPILED: Duration = Duration::from_millis(50);

/// Runs blocks until the fork is steady or its time is over.
pub(crate) fn warm_up(
    setting: &TimePassSetting<'_>,
    running: &mut RunningFork<'_>,
    random: &mut Xoshiro256PlusPlus,
    operations: u32,
) -> Result<WarmUp, ForkError> {
    let arms = &setting.fork.layout.arms;
    let cap = CAP_COMPILED * u32::try_from(arms.len().div_ceil(2)).unwrap_or(u32::MAX);
    let watched = watched_pairs(arms);
    let mut detectors = vec![SteadyDetector::new(); watched.len()];
    let window = u32::try_from(STEADY_WINDOW_BLOCKS).expect("a small number");
    let begun = Instant::now();
    let mut blocks_run = 0;
    while begun.elapsed() < cap && !detectors.iter().all(SteadyDetector::is_steady) {
        // Slow blocks go out one at a time, so that the cap is kept.
        let chunk = if operations == 1 { 1 } else { window };
        let blocks = draw_blocks(random, arms, operations, blocks_run, chunk);
        let rows = running.run_blocks(&blocks, operations == 1)?;
        for (block, row) in blocks.iter().zip(&rows) {
            for (&(arm, partner), detector) in watched.iter().zip(&mut detectors) {
                if let (Some(one), Some(other)) =
                    (ln_time(row, arm, block.operations), ln_time(row, partner, block.operations))
                {
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

fn ln_time(row: &[Option<Done>], arm: usize, operations: u32) -> Option<f64> {
    let ns = row[arm].as_ref()?.ns;
    (ns > 0).then(|| (ns as f64 / f64::from(operations)).ln())
}

/// For each driver process one arm to watch, with the arm it is compared to:
/// another of the same block that runs in every block.
fn watched_pairs(arms: &[Arm]) -> Vec<(usize, usize)> {
    let in_every_block = |arm: &Arm| !matches!(arm.kind, ArmKind::Loop(_));
    let seats = arms.iter().map(|arm| arm.seat).max().map_or(0, |last| last + 1);
    (0..seats)
        .filter_map(|seat| {
            let watched = arms.iter().position(|arm| arm.seat == seat && in_every_block(arm))?;
            let partner = (0..arms.len()).find(|&arm| arm != watched && in_every_block(&arms[arm]))?;
            Some((watched, partner))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_process_is_watched_against_another_arm() {
        let arm = |kind, seat| Arm { kind, seat };
        let arms = [
            arm(ArmKind::Variant(0), 0),
            arm(ArmKind::Variant(1), 1),
            arm(ArmKind::Control, 0),
            arm(ArmKind::Loop(0), 0),
        ];
        assert_eq!(watched_pairs(&arms), [(0, 1), (1, 0)]);
    }
}
