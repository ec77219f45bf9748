//! Properties of the sequences, for any values.

use fathom_stats::{Interval, SignPrior, combined_sequence, median, quantile, sign_sequence, t_sequence};
use proptest::prelude::*;

fn values() -> impl Strategy<Value = Vec<f64>> {
    let wide = -1e3..1e3_f64;
    let tied = prop::sample::select(vec![-1.0, 0.0, 0.25, 2.0]);
    prop_oneof![prop::collection::vec(wide, 0..80), prop::collection::vec(tied, 0..80)]
}

fn near(left: f64, right: f64, scale: f64) -> bool {
    (left.is_infinite() && left.total_cmp(&right).is_eq()) || (left - right).abs() <= 1e-9 * scale
}

fn mirrored(interval: Interval) -> Interval {
    Interval { low: -interval.high, high: -interval.low }
}

fn sequences(values: &[f64], alpha: f64) -> [Interval; 4] {
    [
        sign_sequence(values, SignPrior::Forks, alpha),
        sign_sequence(values, SignPrior::Blocks, alpha),
        t_sequence(values, alpha),
        combined_sequence(values, alpha),
    ]
}

proptest! {
    #[test]
    fn a_series_never_differs_from_itself(values in values(), alpha in 0.001..0.5_f64) {
        let differences: Vec<f64> = values.iter().map(|value| value - value).collect();
        for interval in sequences(&differences, alpha) {
            prop_assert!(interval.contains(0.0));
        }
    }

    // Not so for the combination: at a smaller alpha its t part may cease to abstain.
    #[test]
    fn smaller_alpha_never_narrows_a_part(values in values(), alpha in 0.001..0.5_f64, share in 0.01..1.0_f64) {
        for (wide, narrow) in sequences(&values, alpha * share).iter().zip(sequences(&values, alpha)).take(3) {
            prop_assert!(narrow.is_within(*wide), "{narrow:?} in {wide:?}");
        }
    }

    #[test]
    fn the_scale_does_not_matter(values in values(), scale in 1e-6..1e6_f64) {
        let scaled: Vec<f64> = values.iter().map(|value| value * scale).collect();
        for (plain, scaled) in sequences(&values, 0.05).iter().zip(sequences(&scaled, 0.05)) {
            prop_assert!(near(plain.low * scale, scaled.low, 1e4 * scale), "{plain:?} {scaled:?}");
            prop_assert!(near(plain.high * scale, scaled.high, 1e4 * scale), "{plain:?} {scaled:?}");
        }
    }

    #[test]
    fn swapping_the_labels_mirrors_the_interval(values in values()) {
        let negated: Vec<f64> = values.iter().map(|value| -value).collect();
        for (plain, swapped) in sequences(&values, 0.05).iter().zip(sequences(&negated, 0.05)) {
            let expected = mirrored(*plain);
            prop_assert!(near(expected.low, swapped.low, 1e3), "{expected:?} {swapped:?}");
            prop_assert!(near(expected.high, swapped.high, 1e3), "{expected:?} {swapped:?}");
        }
    }

    #[test]
    fn the_combination_holds_the_median_and_lies_in_the_sign_interval(values in values(), alpha in 0.001..0.99_f64) {
        let combined = combined_sequence(&values, alpha);
        prop_assert!(median(&values).is_none_or(|median| combined.contains(median)));
        prop_assert!(combined.is_within(sign_sequence(&values, SignPrior::Forks, alpha / 2.0)));
    }

    #[test]
    fn quantiles_rise_and_stay_inside(values in values(), q in 0.0..1.0_f64) {
        prop_assume!(!values.is_empty());
        let (low, at, high) = (quantile(&values, q * 0.9), quantile(&values, q), quantile(&values, 1.0));
        prop_assert!(low <= at && at <= high && quantile(&values, 0.0) <= low);
        let middle = quantile(&values, 0.5).zip(median(&values));
        prop_assert!(middle.is_some_and(|(quantile, median)| near(quantile, median, 1e3)));
    }
}
