//! How many times as long one variant takes as another: by the paired ratios, which the
//! statements rest on, never by two medians, which can lie further apart than the
//! methods do. Owns the order by those ratios as well.

use crate::quantity::number;
use crate::standing::{by_time, summary};
use crate::written::{inverse, ratio};
use fathom_model::{Comparison, Estimate, VariantSummary};
use fathom_stats::unranked;

/// A factor that is known no better than by so much of itself says nothing.
const WIDEST_SHARE: f64 = 0.5;
/// More decimals than these no reader takes in.
const DECIMALS_MAX: i32 = 3;

/// How many times as long.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Factor {
    pub(super) value: f64,
    /// `1.26 [1.23, 1.30] times as long`, or `about 2.9 times as long`.
    pub(super) phrase: String,
}

impl Factor {
    /// The paired ratio with its interval where one of the two is the baseline; else the
    /// quotient of both ratios, in as many digits as their intervals allow together.
    pub(super) fn between(comparison: &Comparison, fast: usize, slow: usize) -> Option<Self> {
        let paired = |index| ratio_of(comparison, index);
        let (value, text) = if fast == comparison.baseline {
            let found = paired(slow)?;
            (found.value, ratio(&found).phrase())
        } else if slow == comparison.baseline {
            let found = inverse(&paired(fast)?);
            (found.value, ratio(&found).phrase())
        } else {
            quotient(&paired(fast)?, &paired(slow)?)?
        };
        (value.is_finite() && value > 0.0).then(|| Self { value, phrase: format!("{text} times as long") })
    }
}

/// By how much longer one takes, as found in the same blocks; with an interval where one
/// of the two is the baseline.
pub(super) fn delta_ns(comparison: &Comparison, fast: usize, slow: usize) -> Option<Estimate> {
    let of = |index| summary(comparison, index)?.delta_ns;
    if fast == comparison.baseline {
        return of(slow);
    }
    let fast_ns = of(fast)?;
    let minus = |end: Option<f64>| end.map(|end| -end);
    if slow == comparison.baseline {
        let (low, high) = (minus(fast_ns.high), minus(fast_ns.low));
        return Some(Estimate { value: -fast_ns.value, low, high, ..fast_ns });
    }
    let slow_ns = of(slow)?;
    Some(Estimate { value: slow_ns.value - fast_ns.value, low: None, high: None, ..slow_ns })
}

/// The timed variants that are ranked, the fastest first: by their ratios to the baseline, or
/// by their medians where some have none.
pub(crate) fn by_ratio(comparison: &Comparison) -> Vec<(usize, &VariantSummary)> {
    sorted(comparison, by_median(comparison))
}

/// All timed variants by their ratios, those that are not ranked among them.
pub(super) fn all_by_ratio(comparison: &Comparison) -> Vec<(usize, &VariantSummary)> {
    let timed = |index| Some((index, summary(comparison, index)?));
    let mut all: Vec<_> = by_time(comparison).into_iter().filter_map(timed).collect();
    all.sort_by(|a, b| a.1.time_ns.value.total_cmp(&b.1.time_ns.value));
    sorted(comparison, all)
}

fn sorted<'a>(
    comparison: &Comparison,
    mut order: Vec<(usize, &'a VariantSummary)>,
) -> Vec<(usize, &'a VariantSummary)> {
    let place = |index: usize| {
        if index == comparison.baseline { Some(1.0) } else { Some(ratio_of(comparison, index)?.value) }
    };
    let all: Option<Vec<f64>> = order.iter().map(|&(index, _)| place(index)).collect();
    if all.is_some_and(|all| all.iter().all(|ratio| ratio.is_finite())) {
        order.sort_by(|a, b| place(a.0).partial_cmp(&place(b.0)).unwrap_or(std::cmp::Ordering::Equal));
    }
    order
}

/// The timed variants that are ranked, the lowest median first.
pub(crate) fn by_median(comparison: &Comparison) -> Vec<(usize, &VariantSummary)> {
    let beside: Vec<usize> = unranked(comparison).into_iter().map(|(index, _)| index).collect();
    let ranked = by_time(comparison).into_iter().filter(|index| !beside.contains(index));
    ranked.filter_map(|index| Some((index, summary(comparison, index)?))).collect()
}

fn ratio_of(comparison: &Comparison, index: usize) -> Option<Estimate> {
    summary(comparison, index)?.ratio
}

fn quotient(fast: &Estimate, slow: &Estimate) -> Option<(f64, String)> {
    let ((fast_low, fast_high), (slow_low, slow_high)) = fast.interval().zip(slow.interval())?;
    let value = slow.value / fast.value;
    let half = (slow_high / fast_low - slow_low / fast_high) / 2.0;
    let is_known = fast_low > 0.0 && half.is_finite() && half <= WIDEST_SHARE * value;
    is_known.then(|| (value, format!("about {}", rounded(value, half))))
}

/// To the largest power of ten that the interval is wide, so that rounding loses nothing.
fn rounded(value: f64, half: f64) -> String {
    let fits = |power: &i32| 10_f64.powi(*power) <= 2.0 * half;
    let power = (-DECIMALS_MAX..=9).rev().find(fits).unwrap_or(-DECIMALS_MAX);
    match usize::try_from(-power) {
        Ok(decimals) => number(value, decimals),
        Err(_) => number((value / 10_f64.powi(power)).round() * 10_f64.powi(power), 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::Reading;
    use fathom_testkit::{complete, estimate};

    fn open() -> Comparison {
        complete().experiments.remove(0).comparisons.remove(0)
    }

    fn set(comparison: &mut Comparison, index: usize, (value, half): (f64, f64)) {
        let Reading::Value(summary) = &mut comparison.summaries[index] else { panic!("not timed") };
        summary.ratio = Some(estimate(value, Some((value - half, value + half)), 9));
    }

    fn phrase(comparison: &Comparison, fast: usize, slow: usize) -> Option<String> {
        Factor::between(comparison, fast, slow).map(|factor| factor.phrase)
    }

    #[test]
    fn beside_the_baseline_it_is_the_paired_ratio_whatever_the_medians_say() {
        let mut comparison = open();
        set(&mut comparison, 1, (1.26, 0.04));
        let Reading::Value(summary) = &mut comparison.summaries[1] else { panic!("not timed") };
        summary.time_ns.value *= 3.0;
        assert_eq!(phrase(&comparison, 0, 1).unwrap(), "1.26 [1.22, 1.30] times as long");
        set(&mut comparison, 1, (0.5, 0.1));
        assert_eq!(phrase(&comparison, 1, 0).unwrap(), "2.0 [1.7, 2.5] times as long");
    }

    #[test]
    fn of_two_others_it_is_a_quotient_in_the_digits_that_both_allow() {
        let mut comparison = open();
        set(&mut comparison, 1, (0.839, 0.009));
        set(&mut comparison, 2, (2.430, 0.023));
        assert_eq!(phrase(&comparison, 1, 2).unwrap(), "about 2.9 times as long");
        set(&mut comparison, 1, (0.079, 0.005));
        assert_eq!(phrase(&comparison, 1, 2).unwrap(), "about 31 times as long");
        set(&mut comparison, 2, (16.0, 4.0));
        assert_eq!(phrase(&comparison, 1, 2).unwrap(), "about 200 times as long");
        set(&mut comparison, 2, (16.0, 9.0));
        assert_eq!(phrase(&comparison, 1, 2), None, "known to less than half of itself");
        let Reading::Value(summary) = &mut comparison.summaries[2] else { panic!("not timed") };
        summary.ratio = Some(estimate(16.0, None, 2));
        assert_eq!(phrase(&comparison, 1, 2), None, "no interval");
    }

    #[test]
    fn the_order_is_that_of_the_ratios() {
        let mut comparison = open();
        let first = by_ratio(&comparison)[0].0;
        let Reading::Value(summary) = &mut comparison.summaries[first] else { panic!("not timed") };
        summary.time_ns.value *= 10.0;
        assert_eq!(by_ratio(&comparison)[0].0, first, "a median between two modes changes no order");
        let Reading::Value(summary) = &mut comparison.summaries[first] else { panic!("not timed") };
        summary.ratio = None;
        assert_ne!(by_ratio(&comparison)[0].0, first);
    }

    #[test]
    fn a_difference_is_paired_too() {
        let mut comparison = open();
        let set = |comparison: &mut Comparison, index: usize, ns: f64| {
            let Reading::Value(summary) = &mut comparison.summaries[index] else { panic!("not timed") };
            summary.delta_ns = Some(estimate(ns, Some((ns - 1.0, ns + 2.0)), 9));
        };
        set(&mut comparison, 1, 50.0);
        set(&mut comparison, 2, -7.0);
        let of = |fast, slow| delta_ns(&comparison, fast, slow).map(|delta| (delta.value, delta.interval()));
        assert_eq!(of(0, 1), Some((50.0, Some((49.0, 52.0)))));
        assert_eq!(of(2, 0), Some((7.0, Some((5.0, 8.0)))));
        assert_eq!(of(2, 1), Some((57.0, None)));
    }
}
