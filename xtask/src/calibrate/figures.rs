//! How figures are written, and medians with their interval over independent
//! values (sessions or rounds: here they are the unit of inference).

use fathom_model::{Comparison, VariantSummary};
use fathom_stats::{Interval, combined_sequence, median};

/// One minus the coverage of every interval in the table.
const ALPHA: f64 = 0.05;

/// A median and its 95 % confidence sequence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Middle {
    pub(crate) value: f64,
    pub(crate) interval: Interval,
    pub(crate) n: usize,
}

impl Middle {
    /// Of independent values; `None` without any.
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        let interval = combined_sequence(values, ALPHA);
        Some(Self { value: median(values)?, interval, n: values.len() })
    }

    /// Of values that are logarithms of what is meant.
    pub(crate) fn of_logarithms(values: &[f64]) -> Option<Self> {
        let middle = Self::of(values)?;
        Some(Self { value: middle.value.exp(), interval: middle.interval.exp(), ..middle })
    }

    /// As `1.003 [0.991, 1.012]`.
    pub(crate) fn text(self, decimals: usize) -> String {
        let end = |end: f64| if end.is_finite() { format!("{end:.decimals$}") } else { "?".to_owned() };
        format!("{:.decimals$} [{}, {}]", self.value, end(self.interval.low), end(self.interval.high))
    }
}

/// The summary of the variant whose method has this name.
pub(super) fn summary_of<'a>(comparison: &'a Comparison, method: &str) -> Option<&'a VariantSummary> {
    let index = comparison.variants.iter().position(|variant| variant.method.name == method)?;
    comparison.summaries.get(index)?.value()
}

/// The index of the variant whose method has this name.
pub(super) fn index_of(comparison: &Comparison, method: &str) -> Option<usize> {
    comparison.variants.iter().position(|variant| variant.method.name == method)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_enough_values_the_ends_are_unknown() {
        assert_eq!(Middle::of(&[]), None);
        assert_eq!(Middle::of(&[1.0, 2.0]).unwrap().text(1), "1.5 [?, ?]");
        let ten: Vec<f64> = (0..10).map(|i| 1.0 + 0.01 * f64::from(i)).collect();
        let middle = Middle::of(&ten).unwrap();
        assert!(middle.interval.is_bounded() && middle.interval.contains(middle.value));
    }

    #[test]
    fn logarithms_are_turned_back() {
        let values: Vec<f64> = (1..=9).map(|i| f64::from(i).ln()).collect();
        let middle = Middle::of_logarithms(&values).unwrap();
        assert!((middle.value - 5.0).abs() < 1e-12);
        assert!(middle.interval.low >= 1.0 - 1e-12);
    }

    #[test]
    fn a_summary_is_found_by_its_method() {
        let record = fathom_testkit::complete();
        let comparison = &record.experiments[0].comparisons[0];
        let method = &comparison.variants[1].method.name;
        assert_eq!(index_of(comparison, method), Some(1));
        assert_eq!(summary_of(comparison, method), comparison.summaries[1].value());
        assert_eq!(summary_of(comparison, "no such"), None);
    }
}
