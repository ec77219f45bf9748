//! Regimes: whether a series in order of time (fork values, log times, the
//! canary) changed its level once on the way. What follows from a change is
//! the caller's decision.
//!
//! The place is the split with the largest E-divisive statistic (Matteson and
//! James 2014); whether it is a change is decided by Welch's test, so there
//! are no permutations and the answer is deterministic.

use crate::robust::median;
use crate::student::welch_p_value;

/// A regime has at least this many points.
const SMALLEST_REGIME: usize = 5;

/// Welch's test must fall below this for a split to count.
const P_VALUE: f64 = 0.001;

/// One change of level in a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Split {
    /// The first point of the later regime.
    pub index: usize,
    /// Median of the points before.
    pub before: f64,
    /// Median of the points from `index` on.
    pub after: f64,
    /// Two-sided p-value of Welch's test between the two.
    pub p_value: f64,
}

impl Split {
    /// The size of the change.
    pub fn shift(&self) -> f64 {
        self.after - self.before
    }
}

/// The change of level in `series`, if there is one. Meant for up to some 300
/// points: the time taken grows with the square of their number.
pub fn find_split(series: &[f64]) -> Option<Split> {
    let index = most_divisive(series)?;
    let (before, after) = series.split_at(index);
    let p_value = welch_p_value(before, after)?;
    let split = Split { index, before: median(before)?, after: median(after)?, p_value };
    (p_value < P_VALUE).then_some(split)
}

/// The split, with a whole regime on either side, that divides the series most.
fn most_divisive(series: &[f64]) -> Option<usize> {
    let statistics = divergences(series);
    let last = series.len().checked_sub(SMALLEST_REGIME)?;
    (SMALLEST_REGIME..=last).max_by(|&a, &b| statistics[a].total_cmp(&statistics[b]))
}

/// The E-divisive statistic of each split: with m points before and n after,
/// mn/(m+n) times (twice the mean distance across, less the mean distances
/// within). Moving one point at a time keeps the three sums up to date.
fn divergences(series: &[f64]) -> Vec<f64> {
    let distances_to = |x: f64, points: &[f64]| points.iter().map(|point| (x - point).abs()).sum::<f64>();
    let mut within_after: f64 = (0..series.len()).map(|i| distances_to(series[i], &series[i..])).sum();
    let (mut within_before, mut across) = (0.0, 0.0);
    let mut statistics = vec![f64::NEG_INFINITY];
    for index in 0..series.len() {
        let to_before = distances_to(series[index], &series[..index]);
        let to_after = distances_to(series[index], &series[index..]);
        within_before += to_before;
        within_after -= to_after;
        across += to_after - to_before;
        let (m, n) = ((index + 1) as f64, (series.len() - index - 1) as f64);
        let mean_across = across / (m * n);
        let mean_within = mean_distance(within_before, m) + mean_distance(within_after, n);
        statistics.push(m * n / (m + n) * (2.0 * mean_across - mean_within));
    }
    statistics
}

fn mean_distance(sum: f64, points: f64) -> f64 {
    if points < 2.0 { 0.0 } else { sum / (points * (points - 1.0) / 2.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fixed wobble between −1 and 1.
    fn wobble(index: usize) -> f64 {
        (index as f64 * 2.399_963).sin()
    }

    /// The statistic by its definition.
    fn divergence(before: &[f64], after: &[f64]) -> f64 {
        let (m, n) = (before.len() as f64, after.len() as f64);
        let sum = |left: &[f64], right: &[f64]| -> f64 {
            left.iter().flat_map(|x| right.iter().map(move |y| (x - y).abs())).sum()
        };
        let within = |points: &[f64]| sum(points, points) / (points.len() * (points.len() - 1)) as f64;
        m * n / (m + n) * (2.0 / (m * n) * sum(before, after) - within(before) - within(after))
    }

    #[test]
    fn running_sums_equal_the_definition() {
        let series: Vec<f64> = (0..40).map(|i| wobble(i) + f64::from(u8::from(i > 25))).collect();
        let statistics = divergences(&series);
        for index in 2..=38 {
            let expected = divergence(&series[..index], &series[index..]);
            assert!((statistics[index] - expected).abs() < 1e-9, "{index}");
        }
    }

    #[test]
    fn a_step_is_found_where_it_is() {
        for (length, at) in [(20, 7), (60, 45), (300, 150)] {
            let series: Vec<f64> =
                (0..length).map(|i| 0.2 + 0.01 * wobble(i) - if i < at { 0.0 } else { 0.05 }).collect();
            let split = find_split(&series).unwrap();
            assert_eq!(split.index, at);
            assert!((split.shift() + 0.05).abs() < 0.01 && split.p_value < 1e-6, "{split:?}");
            assert!((split.before - 0.2).abs() < 0.01);
        }
    }

    #[test]
    fn noise_and_wild_points_are_not_regimes() {
        let mut series: Vec<f64> = (0..100).map(wobble).collect();
        assert_eq!(find_split(&series), None);
        series[50] = 40.0;
        series[99] = 90.0;
        assert_eq!(find_split(&series), None);
        assert_eq!(find_split(&[1.0; 50]), None);
    }

    #[test]
    fn a_regime_needs_five_points() {
        let step: Vec<f64> = (0..10).map(|i| if i < 5 { 0.0 } else { 1.0 }).collect();
        assert_eq!(find_split(&step).unwrap().index, 5);
        assert_eq!(find_split(&step[..9]), None);
        assert_eq!(find_split(&[]), None);
    }
}
