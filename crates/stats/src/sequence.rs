//! Confidence sequences: intervals that hold at all sample sizes together, so
//! that one may look after every fork and stop whenever one likes.
//!
//! The sign sequence covers the median of any distribution; the t sequence the
//! mean of Gaussian values, and needs fewer of them. `combined_sequence` is
//! what results are read from. Values must be finite. What is concluded from
//! an interval lives in `decision`.

use crate::interval::Interval;
use crate::robust::{mean, median_of_sorted, sorted, squared_deviations};

/// Precision of the t sequence's prior on the standardized mean: the mixture
/// is over N(0, 1/c²).
const PRIOR_PRECISION: f64 = 0.1;

/// Of Gaussian values the mean lies more than this many standard errors from the
/// median in one sample of twenty. In simulations of 400 forks, one in ten
/// delayed by ten spreads, the intersection alone misses the median in half of
/// the runs, and with this bound in one of fifty.
const LOPSIDED_ERRORS: f64 = 1.5;

/// The prior of the sign sequence, Beta(a, a): where it is narrowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignPrior {
    /// a = 1, tight from few values: forks.
    Forks,
    /// a = 20, tight at hundreds of values: blocks.
    Blocks,
}

impl SignPrior {
    fn shape(self) -> f64 {
        match self {
            Self::Forks => 1.0,
            Self::Blocks => 20.0,
        }
    }
}

/// The sequence that covers the median with probability 1 − `alpha`, whatever
/// the distribution (Howard and Ramdas 2022, beta-binomial mixture). Unbounded
/// until there are enough values: 8 for forks at 0.05.
pub fn sign_sequence(values: &[f64], prior: SignPrior, alpha: f64) -> Interval {
    check_alpha(alpha);
    sign_of_sorted(&sorted(values), prior, alpha)
}

/// The sequence that covers the mean of Gaussian values with probability
/// 1 − `alpha` (right-Haar mixture, Wang and Ramdas 2024). Unbounded until
/// there are enough values: 3 at 0.05. Values that are all equal leave it
/// unbounded too: they say nothing of a spread, and Gaussian values never tie.
pub fn t_sequence(values: &[f64], alpha: f64) -> Interval {
    check_alpha(alpha);
    let Some(mean) = mean(values) else { return Interval::UNBOUNDED };
    match t_half_width(values, mean, alpha) {
        Some(half) => Interval::new(mean - half, mean + half),
        None => Interval::UNBOUNDED,
    }
}

/// The sequence that results are read from: the sign and the t sequence, each
/// at half of `alpha`, intersected; by the union bound it keeps `alpha`.
///
/// While one of them is unbounded the other stands alone. The t part speaks of
/// the mean, and wild forks that all lie to one side draw the mean away from
/// the median: so it abstains, and the sign interval stands alone, where the
/// sample's mean and median are further apart than Gaussian values put them
/// (which includes every empty intersection, since the sign interval always
/// holds the sample median, and the t interval reaches at least two errors from
/// the mean). Leaving the t part out only widens the result, so this choice
/// costs no coverage.
pub fn combined_sequence(values: &[f64], alpha: f64) -> Interval {
    check_alpha(alpha);
    let sorted = sorted(values);
    let sign = sign_of_sorted(&sorted, SignPrior::Forks, alpha / 2.0);
    let t = t_sequence(values, alpha / 2.0);
    match median_of_sorted(&sorted) {
        Some(median) if !is_lopsided(values, median) => sign.intersection(t).unwrap_or(sign),
        _ => sign,
    }
}

/// True when the mean lies more than `LOPSIDED_ERRORS` of its standard errors
/// from the median.
fn is_lopsided(values: &[f64], median: f64) -> bool {
    let Some(mean) = mean(values) else { return false };
    let n = values.len() as f64;
    let squared_error = squared_deviations(values, mean) / (n - 1.0) / n;
    (mean - median).powi(2) > LOPSIDED_ERRORS.powi(2) * squared_error
}

fn check_alpha(alpha: f64) {
    assert!(alpha > 0.0 && alpha < 1.0, "alpha lies between 0 and 1, not at {alpha}");
}

fn sign_of_sorted(sorted: &[f64], prior: SignPrior, alpha: f64) -> Interval {
    match values_outside(sorted.len(), prior, alpha) {
        Some(outside) => Interval::new(sorted[outside], sorted[sorted.len() - 1 - outside]),
        None => Interval::UNBOUNDED,
    }
}

/// How many of `n` values may be left outside on each side: the largest
/// k < n/2 at which the test of "k below, n − k above" rejects.
fn values_outside(n: usize, prior: SignPrior, alpha: f64) -> Option<usize> {
    let rejects = |k: usize| ln_sign_mixture(k, n, prior.shape()) >= -alpha.ln();
    if !rejects(0) {
        return None;
    }
    // The mixture falls as k rises to n/2, so the edge is found by bisection.
    let (mut inside, mut beyond) = (0, n.div_ceil(2));
    while beyond - inside > 1 {
        let middle = usize::midpoint(inside, beyond);
        if rejects(middle) {
            inside = middle;
        } else {
            beyond = middle;
        }
    }
    Some(inside)
}

/// Logarithm of the beta-binomial test martingale after `k` of `n` signs:
/// lnB(a+k, a+n−k) − lnB(a, a) + n·ln 2.
fn ln_sign_mixture(k: usize, n: usize, a: f64) -> f64 {
    let (k, n) = (k as f64, n as f64);
    ln_beta(a + k, a + n - k) - ln_beta(a, a) + n * std::f64::consts::LN_2
}

fn ln_beta(x: f64, y: f64) -> f64 {
    libm::lgamma(x) + libm::lgamma(y) - libm::lgamma(x + y)
}

fn t_half_width(values: &[f64], mean: f64, alpha: f64) -> Option<f64> {
    let n = values.len() as f64;
    let squares = squared_deviations(values, mean);
    if is_rounding_only(values, squares) {
        return None;
    }
    let ln_threshold = ((n + PRIOR_PRECISION) / PRIOR_PRECISION).sqrt().ln() - alpha.ln();
    let w = -(-2.0 / n * ln_threshold).exp_m1();
    let reach = w * (n + PRIOR_PRECISION);
    (n > reach).then(|| (reach * squares / (n * (n - reach))).sqrt())
}

/// True when the spread is no more than what rounding gives equal values.
fn is_rounding_only(values: &[f64], squares: f64) -> bool {
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    squares <= values.len() as f64 * (4.0 * f64::EPSILON * largest).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mixture_equals_its_integral() {
        // ln of the integral over p of 2^n p^k (1−p)^(n−k) under Beta(a, a), by mpmath.quad over 40 pieces at 30 digits.
        for (k, n, prior, expected) in [
            (1, 10, SignPrior::Forks, 2.230_991_439_807_037),
            (35, 100, SignPrior::Blocks, 2.632_120_575_418_962),
        ] {
            assert!((ln_sign_mixture(k, n, prior.shape()) - expected).abs() < 1e-9, "k = {k}, n = {n}");
        }
    }

    #[test]
    fn values_left_outside_equal_the_reference() {
        // The largest k below n/2 at which the integral, by mpmath.quad, reaches 1/alpha; none is −1.
        let sizes = [7, 8, 9, 10, 11, 20, 30, 50, 100, 200];
        for (prior, alpha, expected) in [
            (SignPrior::Forks, 0.05, [-1, 0, 0, 0, 0, 3, 6, 14, 34, 76]),
            (SignPrior::Forks, 0.025, [-1, -1, 0, 0, 0, 3, 6, 13, 33, 75]),
            (SignPrior::Forks, 0.01, [-1, -1, -1, -1, 0, 2, 5, 12, 31, 73]),
            (SignPrior::Blocks, 0.05, [-1, -1, -1, -1, -1, 0, 4, 12, 34, 78]),
            (SignPrior::Blocks, 0.025, [-1, -1, -1, -1, -1, -1, 3, 11, 32, 76]),
            (SignPrior::Blocks, 0.01, [-1, -1, -1, -1, -1, -1, 2, 10, 31, 74]),
        ] {
            for (n, outside) in sizes.into_iter().zip(expected) {
                let expected = usize::try_from(outside).ok();
                assert_eq!(values_outside(n, prior, alpha), expected, "{prior:?} {alpha} n = {n}");
            }
        }
    }

    #[test]
    fn the_sign_interval_ends_on_order_statistics() {
        let values: Vec<f64> = (1..=20).rev().map(f64::from).collect();
        assert_eq!(sign_sequence(&values, SignPrior::Forks, 0.05), Interval::new(4.0, 17.0));
        assert_eq!(sign_sequence(&values[..7], SignPrior::Forks, 0.05), Interval::UNBOUNDED);
        assert_eq!(sign_sequence(&[], SignPrior::Forks, 0.05), Interval::UNBOUNDED);
        assert_eq!(sign_sequence(&[3.0; 8], SignPrior::Forks, 0.05), Interval::new(3.0, 3.0));
    }

    #[test]
    fn the_t_interval_equals_the_integral() {
        // Half widths at which the right-Haar mixture of likelihood ratios, integrated on a grid over
        // sigma and the standardized mean (NumPy) and solved for the mean (brentq), reaches 1/alpha.
        let four = [0.3, -0.1, 0.2, 0.05];
        let ten = [0.011, 0.013, 0.008, 0.012, 0.010, 0.015, 0.009, 0.011, 0.014, 0.010];
        for (values, mean, alpha, expected) in [
            (&four[..], 0.1125, 0.05, 0.572_095_306_271_453_6),
            (&four[..], 0.1125, 0.025, 0.751_842_157_825_945_7),
            (&ten[..], 0.0113, 0.05, 0.002_927_870_285_323_136_6),
            (&ten[..], 0.0113, 0.025, 0.003_250_916_384_439_974),
        ] {
            let interval = t_sequence(values, alpha);
            assert!((interval.half_width() / expected - 1.0).abs() < 1e-9, "{interval:?}");
            assert!((f64::midpoint(interval.low, interval.high) - mean).abs() < 1e-12);
        }
    }

    #[test]
    fn the_t_interval_begins_at_three_values_and_wants_a_spread() {
        assert!(t_sequence(&[1.0, 2.0, 3.0], 0.05).is_bounded());
        assert_eq!(t_sequence(&[1.0, 2.0, 3.0], 0.025), Interval::UNBOUNDED);
        assert_eq!(t_sequence(&[1.0, 2.0], 0.05), Interval::UNBOUNDED);
        assert_eq!(t_sequence(&[], 0.05), Interval::UNBOUNDED);
        assert_eq!(t_sequence(&[0.1 + 0.2, 0.3, 0.3, 0.3], 0.05), Interval::UNBOUNDED);
    }

    #[test]
    fn the_combination_is_the_common_part_at_half_alpha() {
        let values: Vec<f64> = (0..30).map(|i| (f64::from(i) * 2.399_963).sin()).collect();
        let sign = sign_sequence(&values, SignPrior::Forks, 0.025);
        let t = t_sequence(&values, 0.025);
        assert_eq!(Some(combined_sequence(&values, 0.05)), sign.intersection(t));
        let few = &values[..6];
        assert_eq!(combined_sequence(few, 0.05), t_sequence(few, 0.025), "the sign part is unbounded");
        assert_eq!(combined_sequence(&[2.0; 9], 0.05), Interval::new(2.0, 2.0), "the t part is");
        assert_eq!(combined_sequence(&[2.0; 8], 0.05), Interval::UNBOUNDED);
    }

    #[test]
    fn the_t_part_abstains_where_mean_and_median_part() {
        // A fifth of the values lie far to one side and draw the mean away.
        let values: Vec<f64> = (0..200)
            .map(|i| f64::from(i % 7) * 0.1 + if i % 5 == 0 { 100.0 + f64::from(i % 3) } else { 0.0 })
            .collect();
        let sign = sign_sequence(&values, SignPrior::Forks, 0.025);
        assert!(sign.is_disjoint(t_sequence(&values, 0.025)), "the intersection is empty");
        assert_eq!(combined_sequence(&values, 0.05), sign);
    }
}
