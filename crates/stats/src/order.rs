//! Intervals of quantiles between two of the values themselves: right whatever
//! the distribution, as long as the values are independent.

use crate::robust::sorted;

/// The ends between which the `share` quantile lies with at least `confidence`;
/// an end is `None` when there are too few values for it.
pub fn quantile_interval(values: &[f64], share: f64, confidence: f64) -> (Option<f64>, Option<f64>) {
    let sorted = sorted(values);
    let tail = (1.0 - confidence) / 2.0;
    // below[k]: how likely fewer than k + 1 values lie below the quantile.
    let below = binomial_cumulated(sorted.len(), share);
    let low = below.iter().position(|&probability| probability > tail).and_then(|k| k.checked_sub(1));
    let high = below.iter().position(|&probability| 1.0 - probability <= tail);
    let low = low.and_then(|index| sorted.get(index)).copied();
    (low, high.and_then(|index| sorted.get(index)).copied())
}

/// The probabilities of at most 0, 1, … n of n.
fn binomial_cumulated(n: usize, share: f64) -> Vec<f64> {
    let ln_gamma = |x: usize| libm::lgamma(x as f64);
    let mut sum = 0.0;
    (0..=n)
        .map(|k| {
            let ln_choose = ln_gamma(n + 1) - ln_gamma(k + 1) - ln_gamma(n - k + 1);
            sum += (ln_choose + k as f64 * share.ln() + (n - k) as f64 * (1.0 - share).ln()).exp();
            sum
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(n: u32, share: f64) -> (Option<f64>, Option<f64>) {
        let values: Vec<f64> = (1..=n).map(f64::from).collect();
        quantile_interval(&values, share, 0.95)
    }

    #[test]
    fn the_median_of_six_lies_among_them_and_of_five_it_may_not() {
        // 2 / 2^6 is 3.1 %, 2 / 2^5 is 6.3 %.
        assert_eq!(ends(6, 0.5), (Some(1.0), Some(6.0)));
        assert_eq!(ends(5, 0.5), (None, None));
        assert_eq!(ends(0, 0.5), (None, None));
    }

    #[test]
    fn the_median_of_a_hundred_has_the_ends_of_the_textbook() {
        // Conover, Practical Nonparametric Statistics: the 40th and the 61st.
        assert_eq!(ends(100, 0.5), (Some(40.0), Some(61.0)));
    }

    #[test]
    fn a_p99_has_no_upper_end_before_368_values() {
        assert!(ends(367, 0.99).1.is_none() && ends(367, 0.99).0.is_some());
        assert_eq!(ends(368, 0.99).1, Some(368.0));
    }
}
