//! Which values of an axis get a tick, and how each is written. The densest
//! choice is taken whose texts do not touch each other.

use crate::chart::{Axis, Scale, Values};
use crate::quantity::{TimeUnit, grouped, number};
use plotters::coord::ranged1d::Ranged;
use plotters::coord::types::RangedCoordf64;

/// More ticks than these are clutter.
const TICKS_MAX: usize = 8;
/// On a logarithmic axis whose ends are nearer to each other than this, equal steps read better.
const EQUAL_STEPS_BELOW: f64 = 5.0;

/// A tick.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub(super) at: f64,
    pub(super) text: String,
}

/// The ticks of an axis between two values: `place` is where a value lies in
/// pixels, `room` how many pixels a text takes there.
pub(super) fn choose(
    axis: &Axis,
    ends: (f64, f64),
    place: impl Fn(f64) -> f64,
    room: impl Fn(&str) -> f64,
) -> Vec<Tick> {
    let mut sparsest = Vec::new();
    for candidate in candidates(axis, ends) {
        if candidate.is_empty() || candidate.len() > TICKS_MAX + 3 {
            continue;
        }
        let texts = texts(axis, &candidate);
        let ticks: Vec<_> = candidate.into_iter().zip(texts).map(|(at, text)| Tick { at, text }).collect();
        let fits = |pair: &[Tick]| {
            let apart = (place(pair[1].at) - place(pair[0].at)).abs();
            apart >= f64::midpoint(room(&pair[0].text), room(&pair[1].text))
        };
        if ticks.len() <= TICKS_MAX && ticks.windows(2).all(fits) {
            return ticks;
        }
        sparsest = ticks;
    }
    // One alone never touches another.
    sparsest.truncate(1);
    sparsest
}

/// Sets of ticks, from the densest to the sparsest.
fn candidates(axis: &Axis, (low, high): (f64, f64)) -> Vec<Vec<f64>> {
    let is_binary = axis.values == Values::Bytes;
    match axis.scale {
        Scale::Linear if is_binary => equal_binary_steps(low, high),
        Scale::Linear => equal_steps(low, high),
        Scale::Logarithmic if is_binary && high / low >= 8.0 => {
            [1, 2, 4, 5, 10, 20].map(|step| powers(2.0, step, &[1.0], low, high)).into()
        }
        Scale::Logarithmic => {
            let within: &[&[f64]] = &[&[1.0, 2.0, 5.0], &[1.0, 3.0], &[1.0]];
            let within = within.iter().map(|multiples| powers(10.0, 1, multiples, low, high));
            let decades = [2, 3, 6, 12, 24, 48].map(|step| powers(10.0, step, &[1.0], low, high));
            let mut sets: Vec<_> = within.chain(decades).collect();
            if high / low < EQUAL_STEPS_BELOW {
                sets.splice(0..0, equal_steps(low, high));
            }
            sets
        }
    }
}

fn equal_steps(low: f64, high: f64) -> Vec<Vec<f64>> {
    let axis = RangedCoordf64::from(low..high);
    let set = |count: usize| axis.key_points(count).into_iter().map(|at| snapped(at, high - low));
    let inside = |at: &f64| *at >= low && *at <= high;
    (2..=TICKS_MAX).rev().map(|count| set(count).filter(inside).collect()).collect()
}

/// What is 0 but for the rounding of steps is 0.
fn snapped(at: f64, width: f64) -> f64 {
    if at.abs() < width * 1e-9 { 0.0 } else { at }
}

fn equal_binary_steps(low: f64, high: f64) -> Vec<Vec<f64>> {
    let finest = ((high - low) / TICKS_MAX as f64).log2().ceil();
    let set = |step: f64| {
        let first = (low / step).ceil();
        (0..=TICKS_MAX).map(|index| (first + index as f64) * step).filter(|at| *at <= high).collect()
    };
    (0..4).map(|coarser| set((finest + f64::from(coarser)).exp2())).collect()
}

/// Multiples of every `step`-th power of `base`, between two values.
fn powers(base: f64, step: i32, multiples: &[f64], low: f64, high: f64) -> Vec<f64> {
    let exponent = |value: f64| value.ln() / base.ln() / f64::from(step);
    let (first, last) = (exponent(low).floor(), exponent(high).ceil());
    if last - first > 100.0 {
        return Vec::new();
    }
    let mut exponents = Vec::new();
    let mut next = first;
    while next <= last {
        exponents.push(next * f64::from(step));
        next += 1.0;
    }
    let power = |exponent: f64| base.powf(exponent);
    let all = exponents.into_iter().flat_map(|e| multiples.iter().map(move |m| m * power(e)));
    all.filter(|at| *at >= low && *at <= high).collect()
}

fn texts(axis: &Axis, ticks: &[f64]) -> Vec<String> {
    // Equal steps read best in one unit; on a logarithmic axis each has its own.
    let largest = ticks.iter().copied().fold(0.0, |largest: f64, at| largest.max(at.abs()));
    let write = |at: &f64| match axis.scale {
        Scale::Linear => text(*at, axis.values, largest),
        Scale::Logarithmic => text(*at, axis.values, *at),
    };
    ticks.iter().map(write).collect()
}

/// A value of a tick, in the unit that suits `like`.
fn text(at: f64, values: Values, like: f64) -> String {
    let at = if at == 0.0 { 0.0 } else { at };
    match values {
        Values::Plain => plain(at),
        Values::Ratio => format!("{}×", plain(at)),
        Values::Share => format!("{} %", plain(at * 100.0)),
        Values::Time => {
            let units = [TimeUnit::Seconds, TimeUnit::Milliseconds, TimeUnit::Microseconds];
            let fits = |unit: &TimeUnit| like.abs() >= 0.999_999 * unit.ns();
            let unit = units.into_iter().find(fits).unwrap_or(TimeUnit::Nanoseconds);
            with_unit(at, unit.ns(), unit.symbol())
        }
        Values::Bytes => {
            let units = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)]
                .map(|(name, power)| (name, f64::from(power).exp2()));
            let (unit, size) = units.into_iter().find(|(_, size)| like.abs() >= *size).unwrap_or(("B", 1.0));
            with_unit(at, size, unit)
        }
    }
}

fn with_unit(at: f64, size: f64, unit: &str) -> String {
    if at == 0.0 { "0".to_owned() } else { format!("{} {unit}", plain(at / size)) }
}

/// As few digits as say it.
fn plain(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e9).contains(&size) {
        return format!("{value:.0e}");
    }
    if size >= 10_000.0 {
        let sign = if value < 0.0 { "−" } else { "" };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below a billion")]
        return format!("{sign}{}", grouped(size.round() as u64));
    }
    // Seven digits are more than any step has.
    let decimals = (0..=7).find(|&d| {
        let rounded: f64 = number(value, d).parse().unwrap_or(value);
        (rounded - value).abs() <= size * 1e-6
    });
    number(value, decimals.unwrap_or(7)).replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(scale: Scale, values: Values, low: f64, high: f64) -> Vec<String> {
        let axis = Axis { title: String::new(), scale, values };
        let place = |at: f64| match scale {
            Scale::Linear => (at - low) / (high - low) * 450.0,
            Scale::Logarithmic => (at / low).ln() / (high / low).ln() * 450.0,
        };
        let room = |text: &str| text.chars().count() as f64 * 8.0 + 16.0;
        choose(&axis, (low, high), place, room).into_iter().map(|tick| tick.text).collect()
    }

    #[test]
    fn equal_steps_are_in_one_unit() {
        assert_eq!(ticks(Scale::Linear, Values::Time, 0.0, 1730.0)[..3], ["0", "0.5 µs", "1 µs"]);
        assert_eq!(
            ticks(Scale::Linear, Values::Share, 0.0, 1.0),
            ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]
        );
        assert_eq!(
            ticks(Scale::Linear, Values::Bytes, 0.0, 3e6),
            ["0", "0.5 MiB", "1 MiB", "1.5 MiB", "2 MiB", "2.5 MiB"]
        );
        assert_eq!(ticks(Scale::Linear, Values::Plain, -2.0, 2.0), ["−2", "−1", "0", "1", "2"]);
    }

    #[test]
    fn equal_ratios_go_by_one_two_five_or_by_decades() {
        assert_eq!(
            ticks(Scale::Logarithmic, Values::Time, 80.0, 6000.0),
            ["100 ns", "200 ns", "500 ns", "1 µs", "2 µs", "5 µs"]
        );
        assert_eq!(ticks(Scale::Logarithmic, Values::Time, 80.0, 2.5e6).len(), 5);
        assert_eq!(
            ticks(Scale::Logarithmic, Values::Bytes, 900.0, 3e6),
            ["1 KiB", "4 KiB", "16 KiB", "64 KiB", "256 KiB", "1 MiB"]
        );
        assert!(ticks(Scale::Logarithmic, Values::Ratio, 0.8, 1.3).contains(&"1×".to_owned()));
        assert!(ticks(Scale::Logarithmic, Values::Plain, 1e-30, 1e30).len() > 1);
    }

    #[test]
    fn values_are_written_short() {
        assert_eq!([0.0, 0.25, 1e4, 2.5e6, -1.5].map(plain), ["0", "0.25", "10,000", "2,500,000", "−1.5"]);
        assert_eq!(plain(1e12), "1e12");
        assert_eq!(text(1.5, Values::Ratio, 1.5), "1.5×");
    }
}
