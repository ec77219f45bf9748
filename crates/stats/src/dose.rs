//! What a run takes by how much was added to it: in each block there are runs with nothing added, two
//! of them, and runs with more; the slope of a block is one value, and intervals are drawn over blocks.

use crate::interval::Interval;
use crate::robust::median;
use crate::sequence::combined_sequence;

/// The runs of one block: amounts, and what was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct DoseBlock {
    /// Twice with nothing added, in the order in which they were named.
    pub never: [f64; 2],
    /// Amounts above 0, rising, with what was measured.
    pub with: Vec<(f64, f64)>,
}

/// A median over blocks, with the interval that covers it whenever one looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DoseValue {
    /// Of the blocks.
    pub median: f64,
    /// Unbounded while there are too few.
    pub interval: Interval,
}

/// What blocks say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DoseEffect {
    /// For one unit of the amount.
    pub slope: DoseValue,
    /// The second run with nothing added, less the first.
    pub same: DoseValue,
    /// What the amounts below the largest took, less what lies on the line from nothing to the largest.
    pub bend: DoseValue,
}

/// What blocks say at an error of `alpha`; `None` of none, or where one has no amount above 0.
pub fn dose_effect(blocks: &[DoseBlock], alpha: f64) -> Option<DoseEffect> {
    let value = |of: &dyn Fn(&DoseBlock) -> Option<f64>| {
        let values: Vec<f64> = blocks.iter().map(of).collect::<Option<_>>()?;
        Some(DoseValue { median: median(&values)?, interval: combined_sequence(&values, alpha) })
    };
    Some(DoseEffect {
        slope: value(&slope)?,
        same: value(&|block| Some(block.never[1] - block.never[0]))?,
        bend: value(&bend)?,
    })
}

/// By least squares.
fn slope(block: &DoseBlock) -> Option<f64> {
    let points = || block.never.iter().map(|value| (0.0, *value)).chain(block.with.iter().copied());
    let count = points().count() as f64;
    let mean_amount = points().map(|(amount, _)| amount).sum::<f64>() / count;
    let squares: f64 = points().map(|(amount, _)| (amount - mean_amount).powi(2)).sum();
    let products: f64 = points().map(|(amount, value)| (amount - mean_amount) * value).sum();
    (squares > 0.0).then(|| products / squares)
}

fn bend(block: &DoseBlock) -> Option<f64> {
    let ((largest, most), below) = block.with.split_last()?;
    let nothing = block.never[0].midpoint(block.never[1]);
    let off = below.iter().map(|(amount, value)| value - nothing - (most - nothing) * amount / largest);
    Some(if below.is_empty() { 0.0 } else { off.sum::<f64>() / below.len() as f64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(base: f64, per: f64, noise: [f64; 4]) -> DoseBlock {
        let at = |amount: f64, noise: f64| base + per * amount + noise;
        DoseBlock {
            never: [at(0.0, noise[0]), at(0.0, noise[1])],
            with: vec![(1.0, at(1.0, noise[2])), (3.0, at(3.0, noise[3]))],
        }
    }

    #[test]
    fn a_straight_line_gives_its_slope_and_no_bend() {
        let blocks: Vec<_> =
            (0..12).map(|at| block(f64::from(at), 5.0, [0.0, 0.1, -0.1, f64::from(at % 3) * 0.01])).collect();
        let effect = dose_effect(&blocks, 0.05).unwrap();
        assert!((effect.slope.median - 5.0).abs() < 0.1, "{effect:?}");
        assert!(effect.slope.interval.low > 4.5 && effect.slope.interval.high < 5.5, "{effect:?}");
        // Least squares by numpy.polyfit([0, 0, 1, 3], [1, 2, 4, 9], 1): 2.5.
        let one = DoseBlock { never: [1.0, 2.0], with: vec![(1.0, 4.0), (3.0, 9.0)] };
        assert!((slope(&one).unwrap() - 2.5).abs() < 1e-12);
    }

    #[test]
    fn what_is_absorbed_until_a_point_bends() {
        // Nothing at 1, all of it at 3.
        let blocks: Vec<_> = (0..12)
            .map(|at| {
                let noise = f64::from(at % 4) * 0.01;
                DoseBlock {
                    never: [10.0, 10.0 + noise],
                    with: vec![(1.0, 10.0 - noise), (3.0, 16.0 + noise)],
                }
            })
            .collect();
        let bend = dose_effect(&blocks, 0.05).unwrap().bend;
        assert!((bend.median + 2.0).abs() < 0.1 && bend.interval.high < 0.0, "{bend:?}");
    }

    #[test]
    fn too_few_blocks_leave_it_open() {
        assert_eq!(dose_effect(&[], 0.05), None);
        let few = dose_effect(&[block(1.0, 1.0, [0.0; 4])], 0.05).unwrap();
        assert!(!few.slope.interval.is_bounded());
        let nothing = DoseBlock { never: [1.0, 1.0], with: Vec::new() };
        assert_eq!(dose_effect(&[nothing], 0.05), None);
    }
}
