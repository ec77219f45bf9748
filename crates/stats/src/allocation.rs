//! Blocks per fork: how long a fork should live before the next one begins,
//! given what starting a fork costs and where the variance is (the optimum of
//! Kalibera and Jones). When to stop taking forks lives in `decision`.

use crate::robust::{mad_sigma, median};
use std::ops::RangeInclusive;

/// The number of blocks is kept in this range whatever the estimates say.
pub const BLOCKS_PER_FORK: RangeInclusive<u32> = 25..=600;

/// Variance of a Gaussian sample's median is π/2 times σ²/m.
const MEDIAN_VARIANCE_FACTOR: f64 = std::f64::consts::FRAC_PI_2;

/// Fewer forks than this say nothing of the variance between forks.
const FORKS_FOR_VARIANCE: usize = 3;

/// What one more fork and one more block take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForkCost {
    /// Seconds to start a fork and warm it up.
    pub fork_s: f64,
    /// Seconds of one block.
    pub block_s: f64,
}

/// Where the variance of a log ratio lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForkVariances {
    /// Of blocks inside a fork.
    pub within: f64,
    /// Of the forks' true values; 0 when blocks explain everything.
    pub between: f64,
}

/// Estimates both variances from the log ratios of the blocks of each fork, by
/// median absolute deviations, so that one wild fork does not decide. `None`
/// with fewer than three forks of two blocks.
pub fn fork_variances(forks: &[Vec<f64>]) -> Option<ForkVariances> {
    let usable: Vec<&Vec<f64>> = forks.iter().filter(|blocks| blocks.len() >= 2).collect();
    if usable.len() < FORKS_FOR_VARIANCE {
        return None;
    }
    let variances: Vec<f64> = usable.iter().filter_map(|blocks| mad_sigma(blocks)).map(|s| s * s).collect();
    let medians: Vec<f64> = usable.iter().filter_map(|blocks| median(blocks)).collect();
    let within = median(&variances)?;
    let inverse_blocks = usable.iter().map(|blocks| 1.0 / blocks.len() as f64).sum::<f64>();
    let from_blocks = within * MEDIAN_VARIANCE_FACTOR * inverse_blocks / usable.len() as f64;
    let between = (mad_sigma(&medians)?.powi(2) - from_blocks).max(0.0);
    Some(ForkVariances { within, between })
}

/// The number of blocks per fork that gives the narrowest interval for a given
/// time: sqrt(fork cost / block cost · variance within / variance between).
pub fn blocks_per_fork(cost: ForkCost, variances: ForkVariances) -> u32 {
    let (least, most) = (*BLOCKS_PER_FORK.start(), *BLOCKS_PER_FORK.end());
    let best = (cost.fork_s / cost.block_s * variances.within / variances.between).sqrt();
    // 0/0: nothing varies, or nothing costs; a longer fork cannot help.
    if best.is_nan() { least } else { round_blocks(best.clamp(f64::from(least), f64::from(most))) }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the range of blocks per fork"
)]
fn round_blocks(blocks: f64) -> u32 {
    blocks.round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    const COST: ForkCost = ForkCost { fork_s: 0.1, block_s: 0.0002 };

    #[test]
    fn the_optimum_is_a_square_root() {
        // sqrt(0.1/0.0002 · 4) = sqrt(2000) = 44.72.
        assert_eq!(blocks_per_fork(COST, ForkVariances { within: 4e-6, between: 1e-6 }), 45);
        // A fork that costs four times as much lives twice as long.
        let dear = ForkCost { fork_s: 0.4, ..COST };
        assert_eq!(blocks_per_fork(dear, ForkVariances { within: 4e-6, between: 1e-6 }), 89);
    }

    #[test]
    fn the_range_is_kept() {
        assert_eq!(blocks_per_fork(COST, ForkVariances { within: 1e-9, between: 1e-6 }), 25);
        assert_eq!(blocks_per_fork(COST, ForkVariances { within: 1e-6, between: 0.0 }), 600);
        assert_eq!(blocks_per_fork(COST, ForkVariances { within: 0.0, between: 0.0 }), 25);
    }

    /// Blocks −spread, 0, spread around a center, m of them.
    fn fork(center: f64, spread: f64, m: usize) -> Vec<f64> {
        [-spread, 0.0, spread].iter().cycle().take(m).map(|d| center + d).collect()
    }

    #[test]
    fn variances_are_told_apart() {
        let sigma_per_mad: f64 = 1.482_602_218_505_602;
        let forks: Vec<_> = [-0.02, -0.01, 0.0, 0.01, 0.02].iter().map(|&c| fork(c, 0.003, 30)).collect();
        let got = fork_variances(&forks).unwrap();
        let within = (0.003 * sigma_per_mad).powi(2);
        assert!((got.within / within - 1.0).abs() < 1e-9);
        let between = (0.01 * sigma_per_mad).powi(2) - within * 1.57 / 30.0;
        assert!((got.between / between - 1.0).abs() < 1e-4);
    }

    #[test]
    fn variance_between_is_never_negative_and_needs_three_forks() {
        let same = vec![fork(0.0, 0.01, 30); 4];
        assert!(fork_variances(&same).unwrap().between.abs() < 1e-15);
        assert_eq!(fork_variances(&same[..2]), None);
        assert_eq!(fork_variances(&[vec![0.1], vec![0.1], vec![0.1]]), None);
    }

    #[test]
    fn one_wild_fork_does_not_decide() {
        let mut forks: Vec<_> =
            [-0.02, -0.01, 0.0, 0.005, 0.01, 0.02].iter().map(|&c| fork(c, 0.003, 30)).collect();
        forks.push(fork(5.0, 0.003, 30));
        assert!(fork_variances(&forks).unwrap().between < 0.03 * 0.03);
    }
}
