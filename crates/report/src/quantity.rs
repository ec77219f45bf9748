//! Writes plain numbers for people: times' units, bytes, counts, shares. Never
//! writes NaN or an infinity. Estimates are written by `written`.

/// What stands where there is no number.
pub(crate) const NONE: &str = "-";

/// A runtime's figure this near to a whole number is that number: what is
/// missing or too much came from outside the timed operations.
const WHOLE_WITHIN: f64 = 0.02;

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimeUnit {
    Nanoseconds,
    Microseconds,
    Milliseconds,
    Seconds,
}

impl TimeUnit {
    const ALL: [Self; 4] = [Self::Nanoseconds, Self::Microseconds, Self::Milliseconds, Self::Seconds];

    /// The one unit in which all these times (in ns) read well: the smallest is
    /// at least 1 where that leaves the largest below 100,000.
    pub(crate) fn shared(times_ns: &[f64]) -> Self {
        let finite = || times_ns.iter().map(|ns| ns.abs()).filter(|ns| ns.is_finite());
        let smallest = finite().fold(f64::INFINITY, f64::min);
        let largest = finite().fold(0.0, f64::max);
        // Up to 99,999 ns stay ns: whole numbers compare best.
        if smallest < 1e4 && largest < 1e5 {
            return Self::Nanoseconds;
        }
        let fits_smallest = Self::ALL.iter().rposition(|unit| smallest.is_finite() && smallest >= unit.ns());
        let fits_largest = Self::ALL.iter().position(|unit| largest < 1e5 * unit.ns());
        Self::ALL[fits_smallest.unwrap_or(0).max(fits_largest.unwrap_or(3))]
    }

    /// The unit's symbol.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Self::Nanoseconds => "ns",
            Self::Microseconds => "µs",
            Self::Milliseconds => "ms",
            Self::Seconds => "s",
        }
    }

    /// Nanoseconds in one.
    pub(crate) fn ns(self) -> f64 {
        match self {
            Self::Nanoseconds => 1.0,
            Self::Microseconds => 1e3,
            Self::Milliseconds => 1e6,
            Self::Seconds => 1e9,
        }
    }
}

/// A number with so many decimals; what is not finite is `-`, and minus zero is zero.
pub(crate) fn number(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|b| matches!(b, b'0' | b'.')) => rest.to_owned(),
        _ => text,
    }
}

/// A number per operation: whole when it is whole, else with `~`.
pub(crate) fn per_operation(value: f64, exact: bool) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    let whole = (value - value.round()).abs() < 1e-9;
    if exact && whole {
        return number(value, 0);
    }
    // Rounded to 0.00 it would read as never.
    if value > 0.0 && value < 0.005 {
        return "<0.01".to_owned();
    }
    format!("~{}", number(value, if value.abs() < 100.0 { 2 } else { 0 }))
}

/// A figure of a runtime per operation: whole when it is nearly so, else with `~`.
pub(crate) fn nearly_whole(value: f64) -> String {
    let nearest = value.round();
    // A little of something is not nothing.
    let stands = nearest.abs() > 0.5 || value.abs() < 1e-9;
    let whole = stands && (value - nearest).abs() <= WHOLE_WITHIN;
    per_operation(if whole { nearest } else { value }, true)
}

/// Bytes, in the largest unit that keeps the number exact: `1 GiB`, `8096 B`.
pub(crate) fn bytes(count: u64) -> String {
    let (mut number, mut unit) = (count, "B");
    for larger in ["KiB", "MiB", "GiB", "TiB"] {
        if number == 0 || !number.is_multiple_of(1024) {
            break;
        }
        (number, unit) = (number / 1024, larger);
    }
    format!("{number} {unit}")
}

/// Bytes that need not be exact: `7.8 GiB`.
pub(crate) fn rounded_bytes(count: f64) -> String {
    let (mut number, mut unit) = (count, "B");
    for larger in ["KiB", "MiB", "GiB", "TiB"] {
        if number < 1024.0 {
            break;
        }
        (number, unit) = (number / 1024.0, larger);
    }
    let places = usize::from(number < 100.0 && number.fract() > 0.04);
    format!("{} {unit}", self::number(number, places))
}

/// A share of 0 to 1 as a percentage: `0.4 %`.
pub(crate) fn percent(share: f64) -> String {
    if !share.is_finite() {
        return NONE.to_owned();
    }
    match share * 100.0 {
        zero if zero <= 0.0 => "0 %".to_owned(),
        _ if is_below_a_tenth(share) => "below 0.1 %".to_owned(),
        percent => format!("{} %", number(percent, usize::from(percent < 99.95))),
    }
}

/// True of a share that is written as below a tenth of a percent.
pub(crate) fn is_below_a_tenth(share: f64) -> bool {
    share > 0.0 && share < 0.0005
}

/// A time with its own unit, in three significant digits where it has decimals.
pub(crate) fn short_time(ns: f64) -> String {
    let unit = TimeUnit::shared(&[ns]);
    match three_digits(ns / unit.ns()) {
        none if none == NONE => none,
        value => format!("{value} {}", unit.symbol()),
    }
}

/// The same of a difference: with its sign.
pub(crate) fn signed_time(ns: f64) -> String {
    format!("{}{}", if ns < 0.0 { "" } else { "+" }, short_time(ns))
}

/// A number in three significant digits, or in all of its whole ones.
pub(crate) fn three_digits(value: f64) -> String {
    let decimals = match value.abs() {
        size if size >= 99.95 || size == 0.0 => 0,
        size if size >= 9.995 => 1,
        size if size >= 0.9995 => 2,
        _ => 3,
    };
    number(value, decimals)
}

/// A number as it was published: its own digits, with a comma between thousands.
pub(crate) fn published(value: f64) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    let text = value.to_string();
    let (whole, rest) = text.split_once('.').map_or((text.as_str(), ""), |(whole, rest)| (whole, rest));
    let whole = whole.parse::<u64>().ok().filter(|&whole| whole >= 10_000).map_or(whole.to_owned(), grouped);
    if rest.is_empty() { whole } else { format!("{whole}.{rest}") }
}

/// With its first letter large.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A number of things with its noun: `1 fork`, `15 forks`.
pub(crate) fn things(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(count))
}

/// A whole number with a comma between thousands.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_is_absent() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(number(value, 2), "-");
            assert_eq!(per_operation(value, true), "-");
            assert_eq!(percent(value), "-");
            assert_eq!(nearly_whole(value), "-");
        }
        assert_eq!(number(-0.001, 2), "0.00");
    }

    #[test]
    fn one_unit_serves_a_table() {
        assert_eq!(TimeUnit::shared(&[345.0, 18_210.0]), TimeUnit::Nanoseconds);
        assert_eq!(TimeUnit::shared(&[345.0, 5e6]), TimeUnit::Microseconds);
        assert_eq!(TimeUnit::shared(&[640_000.0, 1_240_000.0]), TimeUnit::Microseconds);
        assert_eq!(TimeUnit::shared(&[24e9, 39e9]), TimeUnit::Seconds);
        assert_eq!(TimeUnit::shared(&[]), TimeUnit::Nanoseconds);
        assert_eq!(TimeUnit::shared(&[f64::NAN, 5e6]), TimeUnit::Milliseconds);
    }

    #[test]
    fn bytes_are_exact_or_said_to_be_rounded() {
        let exact = [0, 1, 512, 1024, 8096, 65_536, 1 << 30].map(bytes);
        assert_eq!(exact, ["0 B", "1 B", "512 B", "1 KiB", "8096 B", "64 KiB", "1 GiB"]);
        assert_eq!(rounded_bytes(8_323_596_288.0), "7.8 GiB");
        assert_eq!(rounded_bytes(4096.0), "4 KiB");
    }

    #[test]
    fn counts_show_when_they_are_not_whole() {
        assert_eq!(per_operation(7.0, true), "7");
        assert_eq!(per_operation(7.0, false), "~7.00");
        assert_eq!(per_operation(2.005, true), "~2.00");
        assert_eq!(per_operation(0.000_05, true), "<0.01");
        assert_eq!(per_operation(0.0, true), "0");
        assert_eq!([3.004, 2.99, 3.03, 0.013, 0.0].map(nearly_whole), ["3", "3", "~3.03", "~0.01", "0"]);
        assert_eq!(things(1, "fork"), "1 fork");
        assert_eq!(things(1_234_567, "operation"), "1,234,567 operations");
    }

    #[test]
    fn short_numbers_keep_three_digits_and_published_ones_their_own() {
        assert_eq!(
            [139.4, 1390.2, 24_300_000.0, 34.8e9].map(short_time),
            ["139 ns", "1390 ns", "24.3 ms", "34.8 s"]
        );
        assert_eq!([0.0, 0.071, 1.5, 99.97, 1234.5].map(three_digits), ["0", "0.071", "1.50", "100", "1234"]);
        assert_eq!([321.0, 34.8, 83_056.0, 1.2].map(published), ["321", "34.8", "83,056", "1.2"]);
        assert_eq!([short_time(f64::NAN), published(f64::INFINITY)], ["-", "-"]);
    }

    #[test]
    fn percentages_do_not_call_a_little_nothing() {
        assert_eq!(
            [0.0, 0.0002, 0.004, 0.113, 1.0].map(percent),
            ["0 %", "below 0.1 %", "0.4 %", "11.3 %", "100 %"]
        );
    }
}
