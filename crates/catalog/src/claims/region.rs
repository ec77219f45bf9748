//! Regions as a claim writes them: `>= 10 %`, `17 % ± 3 %`, `about 0.1 ms`, `= 1`.

use crate::error::{CatalogError, Located, Problem};
use fathom_model::Region;

/// The least of the usual margin on a share or a ratio: tracers of others and
/// builds of the kernel move effects by so much (docs/METHODOLOGY.md).
const LEAST_MARGIN: f64 = 0.02;
/// The usual margin as a share of the claimed effect.
const MARGIN_SHARE: f64 = 0.15;

/// What a region's numbers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// A share: `17 %` or `0.17`.
    Share,
    /// A ratio: `1.2`, or in percent.
    Ratio,
    /// A time, with its unit.
    Ns,
    /// A number.
    Bare,
}

/// The region, and whether its width is the usual margin.
pub(super) fn read_region(written: &Located<String>, scale: Scale) -> Result<(Region, bool), CatalogError> {
    parse(written.value.trim(), scale).ok_or_else(|| {
        let example = match scale {
            Scale::Share => "`>= 10 %`, `17 % ± 3 %`, `14 % to 20 %` or `about 17 %`",
            Scale::Ratio => "`<= 1.05`, `0.95 to 1.05` or `about 2.4`",
            Scale::Ns => "`<= 300 ns`, `1 µs to 2 µs` or `about 0.1 ms`",
            Scale::Bare => "`= 1`, `>= 2` or `4 to 6`",
        };
        let problem = Problem::UnknownWord("region", written.value.clone());
        written.error(problem, Some(format!("write it like {example}")))
    })
}

fn parse(text: &str, scale: Scale) -> Option<(Region, bool)> {
    let exact = |region| Some((region, false));
    if let Some(rest) = text.strip_prefix(">=") {
        return exact(Region::at_least(number(rest, scale)?));
    }
    if let Some(rest) = text.strip_prefix("<=") {
        return exact(Region::at_most(number(rest, scale)?));
    }
    if let Some(rest) = text.strip_prefix('=') {
        let value = number(rest, scale)?;
        return exact(Region::between(value, value));
    }
    if let Some(rest) = text.strip_prefix("about ") {
        let value = number(rest, scale)?;
        let margin = usual_margin(value, scale);
        return Some((Region::between(value - margin, value + margin), true));
    }
    if let Some((center, margin)) = text.split_once('±') {
        let (center, margin) = (number(center, scale)?, number(margin, scale)?);
        return (margin >= 0.0).then(|| (Region::between(center - margin, center + margin), false));
    }
    let (low, high) = text.split_once(" to ")?;
    let (low, high) = (number(low, scale)?, number(high, scale)?);
    (low <= high).then(|| (Region::between(low, high), false))
}

/// 15 % of the claimed effect, and at least two points of a share or a ratio.
fn usual_margin(value: f64, scale: Scale) -> f64 {
    match scale {
        Scale::Share => (MARGIN_SHARE * value.abs()).max(LEAST_MARGIN),
        Scale::Ratio => (MARGIN_SHARE * (value - 1.0).abs()).max(LEAST_MARGIN),
        Scale::Ns | Scale::Bare => MARGIN_SHARE * value.abs(),
    }
}

/// A number in the scale's unit: ns for times, shares of 1 for percentages.
fn number(text: &str, scale: Scale) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-')).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let number: f64 = digits.parse().ok().filter(|number: &f64| number.is_finite())?;
    let factor = match (scale, unit.trim()) {
        (Scale::Share | Scale::Ratio, "%") => 0.01,
        (Scale::Share | Scale::Ratio | Scale::Bare, "") | (Scale::Ns, "ns") => 1.0,
        (Scale::Ns, "µs") => 1e3,
        (Scale::Ns, "ms") => 1e6,
        (Scale::Ns, "s") => 1e9,
        _ => return None,
    };
    Some(number * factor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Origin;

    fn read(text: &str, scale: Scale) -> Option<(f64, f64)> {
        let written = Located::new(text.to_owned(), &Origin::Unstated);
        let (region, _) = read_region(&written, scale).ok()?;
        Some((region.low.unwrap_or(f64::NEG_INFINITY), region.high.unwrap_or(f64::INFINITY)))
    }

    fn close(read: Option<(f64, f64)>, low: f64, high: f64) {
        let (l, h) = read.unwrap();
        let near = |a: f64, b: f64| {
            (a.is_infinite() && a.signum() * b > f64::MAX) || (a - b).abs() < 1e-9 * b.abs().max(1.0)
        };
        assert!(near(l, low) && near(h, high), "[{l}, {h}] against [{low}, {high}]");
    }

    #[test]
    fn each_way_of_writing_a_region() {
        close(read(">= 10 %", Scale::Share), 0.10, f64::INFINITY);
        close(read("<= 1.05", Scale::Ratio), f64::NEG_INFINITY, 1.05);
        close(read("= 1", Scale::Bare), 1.0, 1.0);
        close(read("17 % ± 3 %", Scale::Share), 0.14, 0.20);
        close(read("-2 % to 2%", Scale::Share), -0.02, 0.02);
        close(read("1 µs to 2 ms", Scale::Ns), 1e3, 2e6);
    }

    #[test]
    fn the_usual_margin_is_a_share_of_the_effect_and_two_points_at_least() {
        close(read("about 38 %", Scale::Share), 0.323, 0.437);
        close(read("about 3 %", Scale::Share), 0.01, 0.05);
        close(read("about 1.2", Scale::Ratio), 1.17, 1.23);
        close(read("about 100 ns", Scale::Ns), 85.0, 115.0);
    }

    #[test]
    fn what_is_no_region_is_refused() {
        for (text, scale) in [
            ("17 %", Scale::Share),
            ("faster", Scale::Share),
            (">= 10", Scale::Ns),
            ("20 % to 10 %", Scale::Share),
            ("5 % ± -1 %", Scale::Share),
            (">= 10 %", Scale::Bare),
            (">=", Scale::Bare),
        ] {
            assert_eq!(read(text, scale), None, "{text}");
        }
    }
}
