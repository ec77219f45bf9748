//! Location and spread that a few wild values cannot move: median, quantiles,
//! and the standard deviation estimated from the median absolute deviation.
//! Values are finite; an empty slice has no estimate.

/// For Gaussian data the standard deviation is this many times the median
/// absolute deviation: 1 / Φ⁻¹(3/4).
const SIGMA_PER_MAD: f64 = 1.482_602_218_505_602;

/// The middle value; between the two middle ones when their number is even.
pub fn median(values: &[f64]) -> Option<f64> {
    median_of_sorted(&sorted(values))
}

/// The `q` quantile (0 to 1), linear between order statistics (Hyndman and
/// Fan's type 7, the default of R and `NumPy`).
pub fn quantile(values: &[f64], q: f64) -> Option<f64> {
    assert!((0.0..=1.0).contains(&q), "a quantile lies between 0 and 1, not at {q}");
    let sorted = sorted(values);
    let last = sorted.len().checked_sub(1)?;
    let position = q * last as f64;
    let below = floor_index(position).min(last);
    let above = (below + 1).min(last);
    let weight = position - below as f64;
    Some(sorted[below] + weight * (sorted[above] - sorted[below]))
}

/// The standard deviation that Gaussian data with the same median absolute
/// deviation would have; 0 for a single value.
pub fn mad_sigma(values: &[f64]) -> Option<f64> {
    let center = median(values)?;
    let deviations: Vec<f64> = values.iter().map(|value| (value - center).abs()).collect();
    median(&deviations).map(|deviation| deviation * SIGMA_PER_MAD)
}

/// The values in rising order.
pub(crate) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

/// The median of values already in rising order.
pub(crate) fn median_of_sorted(sorted: &[f64]) -> Option<f64> {
    let upper = *sorted.get(sorted.len() / 2)?;
    let lower = sorted[(sorted.len() - 1) / 2];
    Some(f64::midpoint(lower, upper))
}

/// The arithmetic mean.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Sum of squared deviations from `center`.
pub(crate) fn squared_deviations(values: &[f64], center: f64) -> f64 {
    values.iter().map(|value| (value - center).powi(2)).sum()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a position in a slice: not negative and below its length"
)]
fn floor_index(position: f64) -> usize {
    position.floor() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGITS: [f64; 10] = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.0];

    #[test]
    fn nothing_comes_of_nothing() {
        assert_eq!(median(&[]), None);
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(mad_sigma(&[]), None);
        assert_eq!(mean(&[]), None);
    }

    #[test]
    fn the_median_of_an_even_number_lies_between_the_middle_two() {
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), Some(2.5));
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[7.0]), Some(7.0));
        assert_eq!(median(&[1.0, 2.0, 2.0, 2.0, 9.0]), Some(2.0));
    }

    #[test]
    fn quantiles_equal_those_of_numpy() {
        // numpy.quantile(x, [.1, .25, .5, .9]) of NumPy 2.
        for (q, expected) in [(0.0, 1.0), (0.1, 1.0), (0.25, 2.25), (0.5, 3.5), (0.9, 6.3), (1.0, 9.0)] {
            assert!((quantile(&DIGITS, q).unwrap() - expected).abs() < 1e-12, "{q}");
        }
    }

    #[test]
    fn sigma_is_the_scaled_median_absolute_deviation() {
        // scipy.stats.median_abs_deviation(x) = 1.5.
        assert!((mad_sigma(&DIGITS).unwrap() - 1.5 * 1.482_602_218_505_602).abs() < 1e-12);
        assert_eq!(mad_sigma(&[5.0]), Some(0.0));
    }

    #[test]
    fn one_wild_value_moves_neither() {
        let mut wild = DIGITS;
        wild[5] = 1e9;
        assert_eq!(median(&wild), median(&DIGITS));
        assert!(mad_sigma(&wild).unwrap() < 3.0);
    }
}
