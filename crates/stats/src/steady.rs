//! The end of a fork's warm-up: two successive windows of blocks that agree.
//! How long to wait for it is the caller's matter; a fork whose time ran out
//! before is marked as not steady.

use crate::robust::{mad_sigma, median};
use std::collections::VecDeque;

/// Blocks in a window; two windows are compared.
pub const STEADY_WINDOW_BLOCKS: usize = 20;

/// Largest change of the median log time between the windows: 1 %.
const LN_TIME_CHANGE: f64 = 0.01;

/// Fewest turns of the log time over both windows: a trend has none.
const DIRECTION_CHANGES: usize = 4;

/// Watches the blocks of a fork and says when it has become steady.
#[derive(Debug, Clone, Default)]
pub struct SteadyDetector {
    ln_ratios: VecDeque<f64>,
    ln_times: VecDeque<f64>,
    blocks: usize,
    steady: bool,
}

impl SteadyDetector {
    /// A detector that has seen no block.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes one block: its log ratio and its baseline's log time per
    /// operation. Answers whether the fork is steady; once it is, it stays so.
    ///
    /// The windows are compared each time one is full, not after every block,
    /// so that chance agreement gets few tries.
    pub fn push(&mut self, ln_ratio: f64, ln_time: f64) -> bool {
        keep_last(&mut self.ln_ratios, ln_ratio);
        keep_last(&mut self.ln_times, ln_time);
        self.blocks += 1;
        let window_full = self.blocks.is_multiple_of(STEADY_WINDOW_BLOCKS);
        if window_full && self.blocks >= 2 * STEADY_WINDOW_BLOCKS {
            self.steady |= windows_agree(self.ln_ratios.make_contiguous(), self.ln_times.make_contiguous());
        }
        self.steady
    }

    /// Whether two windows have agreed.
    pub fn is_steady(&self) -> bool {
        self.steady
    }

    /// Blocks seen.
    pub fn blocks(&self) -> usize {
        self.blocks
    }
}

fn keep_last(values: &mut VecDeque<f64>, value: f64) {
    if values.len() == 2 * STEADY_WINDOW_BLOCKS {
        values.pop_front();
    }
    values.push_back(value);
}

fn windows_agree(ln_ratios: &[f64], ln_times: &[f64]) -> bool {
    let (ratios_before, ratios_after) = ln_ratios.split_at(STEADY_WINDOW_BLOCKS);
    let (times_before, times_after) = ln_times.split_at(STEADY_WINDOW_BLOCKS);
    let error = standard_error(ratios_before, ratios_after);
    median_change(ratios_before, ratios_after) <= error
        && median_change(times_before, times_after) < LN_TIME_CHANGE
        && direction_changes(ln_times) >= DIRECTION_CHANGES
}

fn median_change(before: &[f64], after: &[f64]) -> f64 {
    match (median(before), median(after)) {
        (Some(before), Some(after)) => (after - before).abs(),
        _ => f64::INFINITY,
    }
}

/// Standard error of the difference of the two windows' medians.
fn standard_error(before: &[f64], after: &[f64]) -> f64 {
    let variance = |window: &[f64]| {
        let sigma = mad_sigma(window).unwrap_or(0.0);
        std::f64::consts::FRAC_PI_2 * sigma * sigma / window.len() as f64
    };
    (variance(before) + variance(after)).sqrt()
}

/// How often rising turns to falling or back. Standing still counts as a turn:
/// it is the opposite of a trend.
fn direction_changes(values: &[f64]) -> usize {
    let steps: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
    steps.windows(2).filter(|pair| pair[0] * pair[1] <= 0.0).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks until steady, of at most 1000, for a series of (ln ratio, ln time).
    fn steady_after(series: impl Fn(usize) -> (f64, f64)) -> Option<usize> {
        let mut detector = SteadyDetector::new();
        (1..=1000).find(|&block| {
            let (ln_ratio, ln_time) = series(block);
            detector.push(ln_ratio, ln_time)
        })
    }

    /// A fixed wobble between −1 and 1.
    fn wobble(block: usize) -> f64 {
        (block as f64 * 2.399_963).sin()
    }

    #[test]
    fn a_flat_noisy_fork_is_steady_after_two_windows() {
        let after = steady_after(|block| (0.1 + 0.01 * wobble(block), 5.0 + 0.01 * wobble(block)));
        assert_eq!(after, Some(40));
        assert_eq!(steady_after(|_| (0.0, 5.0)), Some(40), "a coarse clock shows no noise");
    }

    #[test]
    fn a_falling_time_is_not_steady_until_it_levels() {
        let level = |block: usize| 5.0 + (200.0 - block as f64).max(0.0) * 0.005;
        let after = steady_after(|block| (0.01 * wobble(block), level(block) + 0.002 * wobble(block)));
        assert_eq!(after, Some(240), "the first two windows past block 200");
    }

    #[test]
    fn a_slow_trend_without_turns_is_not_steady() {
        assert_eq!(steady_after(|block| (0.01 * wobble(block), 5.0 - block as f64 * 1e-5)), None);
    }

    #[test]
    fn a_drifting_ratio_is_not_steady() {
        let after =
            steady_after(|block| (block as f64 * 0.001 + 0.002 * wobble(block), 5.0 + 0.002 * wobble(block)));
        assert_eq!(after, None);
    }

    #[test]
    fn once_steady_it_stays_so() {
        let mut detector = SteadyDetector::new();
        for block in 0..40 {
            detector.push(0.01 * wobble(block), 5.0 + 0.01 * wobble(block));
        }
        assert!(detector.is_steady());
        for block in 0..40 {
            assert!(detector.push(f64::from(block), f64::from(block)));
        }
        assert_eq!(detector.blocks(), 80);
    }
}
