//! What may be said of a variant against the baseline: read off the interval,
//! never off the value alone.

use crate::page::Ink;
use crate::quantity::things;
use fathom_model::Estimate;

/// Forks from which an interval at 95 % is possible: the t half of the combined
/// sequence, at half of the error, is finite from here on.
const FORKS_FOR_INTERVAL: u32 = 4;
/// Forks from which there always is one: the sign half is finite from here on,
/// and it stands alone where the forks are too lopsided for the t half.
const FORKS_FOR_ANY_INTERVAL: u32 = 9;

/// Why there is no interval after so many forks, and how many are needed.
pub(crate) fn too_few(forks: u32) -> String {
    let have = things(u64::from(forks), "fork");
    if forks < FORKS_FOR_INTERVAL {
        return format!("{have}, too few for a 95 % interval; at least {FORKS_FOR_INTERVAL} needed");
    }
    format!("{have}, too uneven for a 95 % interval; at most {FORKS_FOR_ANY_INTERVAL} needed")
}

/// A statement about a ratio to the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Statement {
    Baseline,
    Faster,
    Slower,
    /// The interval contains 1.
    NoDifference,
    /// By itself it differs, but not when all of the table are to hold together.
    Alone,
    /// The A/A control failed: nothing may be said.
    Fault,
    /// There is no interval, or nothing to compare.
    Nothing,
}

impl Statement {
    /// The statement that a ratio's interval allows.
    pub(crate) fn of_ratio(ratio: &Estimate) -> Self {
        match ratio.interval().filter(|(low, high)| low.is_finite() && high.is_finite()) {
            Some((low, _)) if low > 1.0 => Self::Slower,
            Some((_, high)) if high < 1.0 => Self::Faster,
            Some(_) => Self::NoDifference,
            None => Self::Nothing,
        }
    }

    /// Every statement that has a mark, in the order of a legend.
    pub(crate) const MARKED: [Self; 6] =
        [Self::Baseline, Self::Faster, Self::Slower, Self::NoDifference, Self::Alone, Self::Fault];

    /// The mark in a table.
    pub(crate) fn mark(self) -> &'static str {
        match self {
            Self::Baseline => "*",
            Self::Faster => "-",
            Self::Slower => "+",
            Self::NoDifference => "=",
            Self::Alone => "?",
            Self::Fault => "!",
            Self::Nothing => " ",
        }
    }

    /// The mark in words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::NoDifference => "no difference shown",
            Self::Alone => "significant only without multiple-comparison correction",
            Self::Fault => "FAULT, do not use",
            Self::Nothing => "",
        }
    }

    /// Its ink.
    pub(crate) fn ink(self) -> Ink {
        match self {
            Self::Faster => Ink::Good,
            Self::Slower | Self::Fault => Ink::Bad,
            Self::NoDifference | Self::Alone => Ink::Faint,
            Self::Baseline | Self::Nothing => Ink::Plain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_stats::{SignPrior, combined_sequence, sign_sequence};
    use fathom_testkit::estimate;

    #[test]
    fn the_interval_decides_not_the_value() {
        let of = |low, high| Statement::of_ratio(&estimate(1.5, Some((low, high)), 9));
        assert_eq!(of(1.001, 2.0), Statement::Slower);
        assert_eq!(of(0.5, 0.999), Statement::Faster);
        assert_eq!(of(0.9, 2.0), Statement::NoDifference);
        assert_eq!(of(1.0, 2.0), Statement::NoDifference);
        assert_eq!(of(f64::NAN, 2.0), Statement::Nothing);
        assert_eq!(Statement::of_ratio(&estimate(1.5, None, 2)), Statement::Nothing);
    }

    #[test]
    fn intervals_begin_with_the_forks_that_the_statistics_need() {
        let first = |forks: &dyn Fn(u32) -> Vec<f64>| {
            (1..20).find(|&n| combined_sequence(&forks(n), 0.05).is_bounded())
        };
        let even = |n| (0..n).map(f64::from).collect();
        let one_wild = |n| (0..n).map(|fork| f64::from(fork) + if fork == 0 { 1e6 } else { 0.0 }).collect();
        assert_eq!(first(&even), Some(FORKS_FOR_INTERVAL));
        assert!(first(&one_wild) <= Some(FORKS_FOR_ANY_INTERVAL));
        let sign = |n| sign_sequence(&vec![1.0; n], SignPrior::Forks, 0.025).is_bounded();
        let nine = usize::try_from(FORKS_FOR_ANY_INTERVAL).unwrap();
        assert!(sign(nine) && !sign(nine - 1));
    }

    #[test]
    fn the_forks_asked_for_are_more_than_there_are() {
        assert_eq!(too_few(2), "2 forks, too few for a 95 % interval; at least 4 needed");
        assert_eq!(too_few(6), "6 forks, too uneven for a 95 % interval; at most 9 needed");
    }
}
