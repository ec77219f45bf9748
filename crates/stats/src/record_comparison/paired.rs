//! Two builds measured in the same blocks: one value of ln(new/old) per fork (or
//! per block of whole processes), whatever the machine did to both.

use super::change::Change;
use crate::decision::{VERDICT_FROM_FORKS, Verdict, decide};
use crate::interval::Interval;
use crate::regime::find_split;
use crate::robust::median;
use crate::sequence::combined_sequence;
use crate::summary::estimate_from;
use fathom_model::Estimate;
use serde::Serialize;

/// The search for a change of level takes the square of the number of points.
const SERIES_MAX: usize = 300;

/// A ratio that changed its level once while it was measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Drift {
    /// New over old until then.
    pub before: f64,
    /// New over old from then on.
    pub after: f64,
    /// How much of the session was over, 0 to 1.
    pub at_share: f64,
}

/// Logarithms of new over old, in order of time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paired<'a> {
    values: &'a [f64],
}

impl<'a> Paired<'a> {
    /// `None` where there is no value.
    pub(crate) fn of(values: &'a [f64]) -> Option<Self> {
        (!values.is_empty()).then_some(Self { values })
    }

    /// New over old, with its confidence sequence at this error.
    pub(crate) fn ratio(self, alpha: f64) -> Estimate {
        let value = median(self.values).unwrap_or_default().exp();
        estimate_from(value, self.interval(alpha).exp(), 1.0 - alpha, self.values.len())
    }

    /// What it says at this error.
    pub(crate) fn change(self, alpha: f64, fault: bool) -> Change {
        let interval = self.interval(alpha);
        if fault {
            return Change::ControlFault;
        }
        if !interval.is_bounded() || self.values.len() < VERDICT_FROM_FORKS {
            return Change::TooFewForks;
        }
        match decide(interval, Interval::new(0.0, 0.0), self.values.len()) {
            Verdict::Refuted if interval.low > 0.0 => Change::Higher,
            Verdict::Refuted => Change::Lower,
            Verdict::Supported | Verdict::Undecided => Change::NotShown,
        }
    }

    /// Whether the ratio changed its level on the way.
    pub(crate) fn drift(self) -> Option<Drift> {
        let together = self.values.len().div_ceil(SERIES_MAX);
        let series: Vec<f64> = self.values.chunks(together.max(1)).filter_map(median).collect();
        let split = find_split(&series)?;
        let at_share = split.index as f64 / series.len() as f64;
        Some(Drift { before: split.before.exp(), after: split.after.exp(), at_share })
    }

    fn interval(self, alpha: f64) -> Interval {
        combined_sequence(self.values, alpha)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fixed wobble of one percent around `level`.
    fn series(level: f64, count: usize) -> Vec<f64> {
        (0..count).map(|index| level + 0.01 * (index as f64 * 2.399_963).sin()).collect()
    }

    #[test]
    fn a_paired_difference_is_shown_and_equality_is_not() {
        let change = |level, fault| Paired::of(&series(level, 20)).unwrap().change(0.05, fault);
        assert_eq!(change(0.05, false), Change::Higher);
        assert_eq!(change(-0.05, false), Change::Lower);
        assert_eq!(change(0.0, false), Change::NotShown);
        assert_eq!(change(0.05, true), Change::ControlFault);
        assert_eq!(Paired::of(&[0.1; 4]).unwrap().change(0.05, false), Change::TooFewForks);
        assert!(Paired::of(&[]).is_none());
    }

    #[test]
    fn a_stricter_error_makes_a_wider_interval() {
        let values = series(0.05, 20);
        let width = |alpha| {
            let (low, high) = Paired::of(&values).unwrap().ratio(alpha).interval().unwrap();
            high - low
        };
        assert!(width(0.05 / 20.0) > width(0.05));
    }

    #[test]
    fn a_change_of_level_is_found_in_short_and_long_series() {
        for count in [40, 2000] {
            let values = [series(0.0, count / 4), series(0.2, count - count / 4)].concat();
            let drift = Paired::of(&values).unwrap().drift().unwrap();
            assert!((drift.before - 1.0).abs() < 0.02 && (drift.after - 0.2_f64.exp()).abs() < 0.02);
            assert!((drift.at_share - 0.25).abs() < 0.03, "{drift:?}");
            assert_eq!(Paired::of(&series(0.1, count)).unwrap().drift(), None);
        }
    }
}
