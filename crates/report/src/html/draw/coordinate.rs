//! An axis as coordinates: its range from what is drawn on it, where a value
//! lies, and its ticks. How a tick is written stands in `tick`.

use super::tick::{Tick, choose};
use crate::chart::{Axis, Scale};
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged};
use std::ops::Range;

/// Room beside the outermost values, as a share of the axis.
const MARGIN: f64 = 0.03;

/// Values of an axis along a line of pixels.
#[derive(Debug, Clone)]
pub(super) struct Coordinate {
    scale: Scale,
    low: f64,
    high: f64,
    pub(super) ticks: Vec<Tick>,
}

impl Coordinate {
    /// An axis over all of `values` that can be drawn on it, `length` pixels
    /// long, with as many ticks as `room` says have room: of a tick's text, how
    /// many pixels of the axis it takes. `None` without such a value.
    pub(super) fn new(
        axis: &Axis,
        values: impl Iterator<Item = f64>,
        length: f64,
        room: impl Fn(&str) -> f64,
    ) -> Option<Self> {
        let drawable = values.filter(|&value| is_drawable(axis.scale, value));
        let ends = drawable.fold(None, |ends: Option<(f64, f64)>, value| {
            Some(ends.map_or((value, value), |(low, high)| (low.min(value), high.max(value))))
        });
        let (low, high) = range(axis.scale, ends?);
        let mut coordinate = Self { scale: axis.scale, low, high, ticks: Vec::new() };
        coordinate.ticks = choose(axis, (low, high), |value| coordinate.share(value) * length, room);
        Some(coordinate)
    }

    /// Exactly these ends, without ticks: places that are counted, not measured.
    pub(super) fn counted(low: f64, high: f64) -> Self {
        Self { scale: Scale::Linear, low, high, ticks: Vec::new() }
    }

    /// True where a value has a place: it is finite, and above 0 on a logarithmic axis.
    pub(super) fn has(&self, value: f64) -> bool {
        is_drawable(self.scale, value)
    }

    /// True where a value lies between the ends of the axis.
    pub(super) fn covers(&self, value: f64) -> bool {
        self.has(value) && value >= self.low && value <= self.high
    }

    /// The lowest value.
    pub(super) fn low(&self) -> f64 {
        self.low
    }

    /// How far along the axis, from 0 to 1; what lies outside lies at its end.
    pub(super) fn share(&self, value: f64) -> f64 {
        let share = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Logarithmic => {
                (value.max(f64::MIN_POSITIVE) / self.low).ln() / (self.high / self.low).ln()
            }
        };
        if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) }
    }
}

impl Ranged for Coordinate {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    #[expect(clippy::cast_possible_truncation, reason = "lies between two whole numbers of this size")]
    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        start + (self.share(*value) * f64::from(end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _hint: Hint) -> Vec<f64> {
        self.ticks.iter().map(|tick| tick.at).collect()
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

/// True of values that some axis of this scale has a place for.
pub(super) fn is_drawable(scale: Scale, value: f64) -> bool {
    // Farther out, differences of values are no longer finite.
    value.abs() < 1e150
        && match scale {
            Scale::Linear => true,
            Scale::Logarithmic => value > 1e-150,
        }
}

fn range(scale: Scale, (low, high): (f64, f64)) -> (f64, f64) {
    match scale {
        Scale::Linear => {
            let (low, high) = (low.min(0.0), high.max(0.0));
            let width = if high > low { high - low } else { 1.0 };
            let below = if low < 0.0 { MARGIN * width } else { 0.0 };
            let above = if high > 0.0 || low >= 0.0 { MARGIN * width } else { 0.0 };
            (low - below, high.max(if low < 0.0 { high } else { low + width }) + above)
        }
        Scale::Logarithmic => {
            // One value alone still wants an axis.
            let (low, high) = if high > low * 1.2 { (low, high) } else { (low / 1.5, high * 1.5) };
            let margin = (high / low).powf(MARGIN);
            (low / margin, high * margin)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Values;

    fn axis(scale: Scale) -> Axis {
        Axis { title: String::new(), scale, values: Values::Plain }
    }

    #[test]
    fn values_lie_where_they_belong() {
        let of =
            |scale, values: &[f64]| Coordinate::new(&axis(scale), values.iter().copied(), 500.0, |_| 40.0);
        let linear = of(Scale::Linear, &[50.0, 100.0]).unwrap();
        assert!((linear.share(0.0)).abs() < 1e-9, "from 0 on");
        assert!((linear.share(50.0) * 2.0 - linear.share(100.0)).abs() < 1e-9);
        let below = of(Scale::Linear, &[-50.0, 100.0]).unwrap();
        assert!(below.share(-50.0) > 0.0 && below.share(0.0) > below.share(-50.0));
        let log = of(Scale::Logarithmic, &[1.0, 10.0, 100.0]).unwrap();
        assert!((log.share(10.0) - 0.5).abs() < 1e-9);
        assert!(log.share(-3.0).abs() < 1e-9, "ends at the axis");
        assert!(!log.has(0.0) && !log.has(f64::NAN) && linear.has(0.0) && !linear.has(f64::INFINITY));
    }

    #[test]
    fn any_values_make_an_axis_or_none() {
        let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, 1.0, 1e308, 5e-324];
        for scale in [Scale::Linear, Scale::Logarithmic] {
            assert!(Coordinate::new(&axis(scale), std::iter::empty(), 500.0, |_| 40.0).is_none());
            for (first, second) in odd.iter().flat_map(|a| odd.iter().map(move |b| (*a, *b))) {
                let Some(made) = Coordinate::new(&axis(scale), [first, second].into_iter(), 500.0, |_| 40.0)
                else {
                    continue;
                };
                assert!(made.low < made.high && made.low.is_finite() && made.high.is_finite());
                assert!(odd.iter().all(|value| (0.0..=1.0).contains(&made.share(*value))));
                assert!(made.ticks.iter().all(|tick| tick.at >= made.low && tick.at <= made.high));
            }
        }
    }
}
