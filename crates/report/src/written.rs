//! Writes estimates: with their interval, and with no more digits than it
//! supports. Never writes NaN or an infinity.

use crate::columns::Cell;
use crate::quantity::{NONE, TimeUnit, number};
use fathom_model::Estimate;

/// More decimals than these only suggest a precision nobody has.
const DECIMALS_MAX: usize = 4;
/// Save where fewer would write an interval beside 1 as if it held it.
const DECIMALS_BESIDE_ONE: usize = 9;
/// And more significant digits than these no reader takes in.
const SIGNIFICANT_MAX: u8 = 5;
/// Significant digits that are enough in a table, unless the interval needs more.
const SIGNIFICANT_IN_TABLE: u8 = 4;

/// And where a margin says how far it can be trusted.
const SIGNIFICANT_WITH_MARGIN: u8 = 3;

/// An estimate as text: value and both ends with the same decimals.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Written {
    pub(crate) value: String,
    pub(crate) ends: Option<(String, String)>,
    /// What was written, in its own unit: times in ns.
    pub(crate) estimate: Estimate,
    /// Half the interval in percent of the value, rounded up: `±1.2%`; empty
    /// without an interval.
    pub(crate) margin: String,
}

impl Written {
    /// The ends for a table: `2207–2221`.
    pub(crate) fn range(&self) -> String {
        match &self.ends {
            Some((low, high)) => format!("{low}–{high}"),
            None => NONE.to_owned(),
        }
    }

    /// The value as a cell of a table.
    pub(crate) fn value_cell(&self) -> Cell {
        Cell::figure(self.value.clone(), self.estimate.value)
    }

    /// The ends as a cell.
    pub(crate) fn range_cell(&self) -> Cell {
        Cell { text: self.range(), number: self.ends.as_ref().and(self.estimate.low) }
    }

    /// For a sentence: `2214 [2207, 2221]`.
    pub(crate) fn phrase(&self) -> String {
        match &self.ends {
            Some((low, high)) => format!("{} [{low}, {high}]", self.value),
            None => self.value.clone(),
        }
    }
}

/// Writes an estimate divided by `scale`.
pub(crate) fn written(estimate: &Estimate, scale: f64) -> Written {
    written_within(estimate, scale, SIGNIFICANT_MAX)
}

/// Writes a time for a table, divided by `scale`.
pub(crate) fn time_in_table(estimate: &Estimate, scale: f64) -> Written {
    written_within(estimate, scale, SIGNIFICANT_IN_TABLE)
}

/// Writes a ratio: in four significant digits, or in as many as keep the
/// interval from losing its width or its distance to 1.
pub(crate) fn ratio(estimate: &Estimate) -> Written {
    ratio_from(estimate, SIGNIFICANT_IN_TABLE)
}

/// The same in three, for where its margin stands beside it.
pub(crate) fn short_ratio(estimate: &Estimate) -> Written {
    ratio_from(estimate, SIGNIFICANT_WITH_MARGIN)
}

/// A time estimate with its own unit, for a sentence: `2.21 µs`.
pub(crate) fn time(estimate: &Estimate) -> String {
    let unit = TimeUnit::shared(&[estimate.value.abs()]);
    match time_in_table(estimate, unit.ns()).value {
        none if none == NONE => none,
        value => format!("{value} {}", unit.symbol()),
    }
}

/// The same with its interval: `2.40 [2.35, 2.45] ns`.
pub(crate) fn time_phrase(estimate: &Estimate) -> String {
    let unit = TimeUnit::shared(&[estimate.value.abs()]);
    format!("{} {}", written(estimate, unit.ns()).phrase(), unit.symbol())
}

/// The estimate of one over it.
pub(crate) fn inverse(estimate: &Estimate) -> Estimate {
    let over = |end: Option<f64>| end.filter(|end| *end > 0.0).map(|end| 1.0 / end);
    Estimate { value: 1.0 / estimate.value, low: over(estimate.high), high: over(estimate.low), ..*estimate }
}

fn ratio_from(estimate: &Estimate, least: u8) -> Written {
    let mut tried = (least..SIGNIFICANT_MAX).map(|significant| written_within(estimate, 1.0, significant));
    tried
        .find(|written| is_faithful(written, estimate))
        .unwrap_or_else(|| away_from_one(written(estimate, 1.0), estimate))
}

/// A figure that excludes 1 never looks like it: it has as many digits as that needs,
/// even where the interval is too wide for them.
fn away_from_one(written: Written, estimate: &Estimate) -> Written {
    let Some((low, high)) = ends(estimate).filter(|_| estimate.excludes(1.0)) else { return written };
    let away = |text: String, figure: f64| {
        let longer = (decimals_of(&text)..=DECIMALS_BESIDE_ONE).map(|decimals| number(figure, decimals));
        longer.into_iter().find(|text| !is_one(text)).unwrap_or(text)
    };
    Written {
        value: away(written.value, estimate.value),
        ends: written.ends.map(|ends| (away(ends.0, low), away(ends.1, high))),
        ..written
    }
}

/// True when the digits show an interval's width, and that it excludes 1 where it does.
fn is_faithful(written: &Written, estimate: &Estimate) -> bool {
    let Some((low, high)) = ends(estimate) else { return true };
    let unit = 0.1_f64.powi(i32::try_from(decimals_of(&written.value)).unwrap_or(0));
    let hides_one = estimate.excludes(1.0)
        && (is_one(&written.value)
            || written.ends.as_ref().is_some_and(|(low, high)| is_one(low) || is_one(high)));
    (high - low) / 2.0 >= unit && !hides_one
}

fn is_one(text: &str) -> bool {
    text.parse() == Ok(1.0)
}

fn written_within(estimate: &Estimate, scale: f64, significant: u8) -> Written {
    let value = estimate.value / scale;
    let ends = ends(estimate);
    let half_width = ends.map(|(low, high)| (high - low) / 2.0 / scale);
    let mut decimals = decimals(value, half_width, significant);
    // An interval must not look as if it had no width.
    while let Some((low, high)) = ends
        && low < high
        && decimals < DECIMALS_MAX
        && number(low / scale, decimals) == number(high / scale, decimals)
    {
        decimals += 1;
    }
    Written {
        estimate: *estimate,
        value: number(value, decimals),
        ends: ends.map(|(low, high)| (number(low / scale, decimals), number(high / scale, decimals))),
        margin: ends.map(|ends| margin(estimate.value, ends)).unwrap_or_default(),
    }
}

fn ends(estimate: &Estimate) -> Option<(f64, f64)> {
    estimate.interval().filter(|(low, high)| low.is_finite() && high.is_finite())
}

/// The farther end's distance, so that the interval it suggests still covers.
fn margin(value: f64, (low, high): (f64, f64)) -> String {
    let percent = (value - low).max(high - value) / value.abs() * 100.0;
    if !percent.is_finite() {
        return String::new();
    }
    let tenths = (percent * 10.0 - 1e-9).ceil();
    if tenths < 100.0 {
        return format!("±{}%", number(tenths / 10.0, 1));
    }
    format!("±{}%", number((percent - 1e-9).ceil(), 0))
}

fn decimals_of(text: &str) -> usize {
    text.split_once('.').map_or(0, |(_, decimals)| decimals.len())
}

/// Decimals that show the half-width of an interval with one significant digit,
/// or two where the first is 1, 2 or 3 (so that rounding loses little); without
/// an interval, three significant digits of the value.
fn decimals(value: f64, half_width: Option<f64>, significant: u8) -> usize {
    let wanted = match half_width.filter(|half| *half > 0.0) {
        Some(half) => {
            let exponent = half.log10().floor();
            let two_digits = half / 10_f64.powf(exponent) < 3.55;
            f64::from(u8::from(two_digits)) - exponent
        }
        None if value == 0.0 => 0.0,
        None => 2.0 - value.abs().log10().floor(),
    };
    let most = f64::from(significant) - 1.0;
    let enough = if value == 0.0 { most } else { most - value.abs().log10().floor() };
    (0..=DECIMALS_MAX).rev().find(|&d| d as f64 <= wanted.min(enough)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::estimate;

    fn shown(value: f64, low: f64, high: f64) -> String {
        written(&estimate(value, Some((low, high)), 9), 1.0).phrase()
    }

    fn shown_ratio(value: f64, low: f64, high: f64) -> String {
        ratio(&estimate(value, Some((low, high)), 9)).phrase()
    }

    #[test]
    fn digits_follow_the_interval() {
        assert_eq!(shown(2214.37, 2207.2, 2221.1), "2214 [2207, 2221]");
        assert_eq!(shown(1.0004, 0.9983, 1.0025), "1.0004 [0.9983, 1.0025]");
        assert_eq!(shown(1.6358, 1.6293, 1.6413), "1.636 [1.629, 1.641]");
        assert_eq!(shown(0.79, 0.68, 0.90), "0.79 [0.68, 0.90]");
        assert_eq!(shown(1.53, 0.81, 2.25), "1.5 [0.8, 2.2]");
        assert_eq!(shown(123_456.7, 123_456.6, 123_456.8), "123456.7 [123456.6, 123456.8]");
    }

    #[test]
    fn without_an_interval_three_digits_stand() {
        let text = written(&estimate(1.63553, None, 2), 1.0);
        assert_eq!((text.value.as_str(), text.range().as_str()), ("1.64", "-"));
        assert_eq!(written(&estimate(3621.4, None, 2), 1.0).phrase(), "3621");
    }

    #[test]
    fn a_ratio_has_four_digits_unless_its_interval_needs_more() {
        assert_eq!(shown_ratio(2.3871, 2.3851, 2.3889), "2.387 [2.385, 2.389]");
        assert_eq!(shown_ratio(1.000_15, 0.9979, 1.0012), "1.000 [0.998, 1.001]");
        assert_eq!(shown_ratio(1.0016, 1.0006, 1.0018), "1.0016 [1.0006, 1.0018]", "half a unit wide");
        assert_eq!(shown_ratio(1.0024, 1.0001, 1.0046), "1.0024 [1.0001, 1.0046]", "1.000 would hold 1");
        assert_eq!(shown_ratio(0.455, 0.421, 0.491), "0.455 [0.421, 0.491]");
        assert_eq!(shown_ratio(12.34, 11.9, 12.8), "12.3 [11.9, 12.8]");
    }

    #[test]
    fn an_end_that_excludes_1_is_never_written_as_1() {
        assert_eq!(shown_ratio(1.02, 1.0009, 1.14), "1.02 [1.001, 1.14]");
        assert_eq!(shown_ratio(0.91, 0.80, 0.9994), "0.91 [0.80, 0.999]");
        assert_eq!(shown_ratio(1.004, 1.000_03, 1.14), "1.004 [1.00003, 1.14]");
        assert_eq!(shown_ratio(1.02, 0.9991, 1.14), "1.02 [1.00, 1.14]", "it holds 1");
        assert_eq!(short_ratio(&estimate(1.02, Some((1.0009, 1.14)), 9)).range(), "1.001–1.14");
    }

    #[test]
    fn beside_its_margin_a_ratio_has_three_digits_unless_it_needs_more() {
        let short = |value, low, high| short_ratio(&estimate(value, Some((low, high)), 9)).value;
        assert_eq!(short(0.3587, 0.3577, 0.3597), "0.359");
        assert_eq!(short(1.0016, 1.0006, 1.0018), "1.0016");
        assert_eq!(short(1.118, 1.117, 1.119), "1.118");
    }

    #[test]
    fn a_margin_reaches_the_farther_end() {
        let margin = |low, high| written(&estimate(1000.0, Some((low, high)), 9), 1.0).margin;
        assert_eq!(margin(990.0, 1004.0), "±1.0%");
        assert_eq!(margin(990.0, 1010.1), "±1.1%");
        assert_eq!(margin(999.99, 1000.0), "±0.1%");
        assert_eq!(margin(700.0, 1100.5), "±30%");
        assert_eq!(written(&estimate(1000.0, None, 2), 1.0).margin, "");
    }

    #[test]
    fn an_inverse_swaps_the_ends() {
        let inverse = inverse(&estimate(0.5, Some((0.4, 0.8)), 9));
        assert_eq!((inverse.value, inverse.interval()), (2.0, Some((1.25, 2.5))));
        assert_eq!(super::inverse(&estimate(0.5, None, 2)).interval(), None);
    }

    #[test]
    fn what_is_not_finite_is_absent() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let estimate = estimate(value, Some((value, value)), 9);
            assert_eq!(written(&estimate, 1.0).phrase(), "-");
            assert_eq!(ratio(&estimate).phrase(), "-");
            assert_eq!((time(&estimate).as_str(), ratio(&estimate).margin.as_str()), ("-", ""));
        }
    }
}
