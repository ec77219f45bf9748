//! The data of an SVG path from coordinates in tenths of a pixel: relative
//! steps, written short. Steps add up exactly, as they are whole tenths.

use plotters_backend::BackendCoord;
use std::fmt::Write;

/// A path being written.
#[derive(Debug, Default)]
pub(super) struct Path {
    data: String,
}

impl Path {
    /// Adds an open line through these points.
    pub(super) fn line(&mut self, points: impl IntoIterator<Item = BackendCoord>) {
        let mut points = points.into_iter();
        let Some(mut last) = points.next() else { return };
        let _ = write!(self.data, "M{} {}", tenths_text(last.0), tenths_text(last.1));
        let start = self.data.len();
        for point in points {
            self.step((point.0 - last.0, point.1 - last.1));
            last = point;
        }
        // A line without length would not be drawn.
        if self.data.len() == start {
            self.data.push_str("h0");
        }
    }

    /// Adds a closed shape with these corners.
    pub(super) fn polygon(&mut self, corners: impl IntoIterator<Item = BackendCoord>) {
        let before = self.data.len();
        self.line(corners);
        if self.data.len() > before {
            self.data.push('z');
        }
    }

    /// Adds a circle.
    pub(super) fn circle(&mut self, center: BackendCoord, radius: i32) {
        let (left, y) = (tenths_text(center.0 - radius), tenths_text(center.1));
        let (r, d) = (tenths_text(radius), tenths_text(2 * radius));
        let _ = write!(self.data, "M{left} {y}a{r} {r} 0 1 1 {d} 0a{r} {r} 0 1 1-{d} 0z");
    }

    /// The value of the attribute `d`.
    pub(super) fn finish(self) -> String {
        self.data
    }

    fn step(&mut self, (right, down): (i32, i32)) {
        let (x, y) = (tenths_text(right), tenths_text(down));
        let blank = if y.starts_with('-') { "" } else { " " };
        let _ = match (right, down) {
            (0, 0) => Ok(()),
            (_, 0) => write!(self.data, "h{x}"),
            (0, _) => write!(self.data, "v{y}"),
            _ => write!(self.data, "l{x}{blank}{y}"),
        };
    }
}

/// Tenths of a pixel as pixels: `12.5`, `7`.
pub(super) fn tenths_text(tenths: i32) -> String {
    let sign = if tenths < 0 { "-" } else { "" };
    let (whole, tenth) = (tenths.abs() / 10, tenths.abs() % 10);
    match (whole, tenth) {
        (whole, 0) => format!("{sign}{whole}"),
        (0, tenth) => format!("{sign}.{tenth}"),
        (whole, tenth) => format!("{sign}{whole}.{tenth}"),
    }
}

/// Pixels as tenths.
#[expect(clippy::cast_possible_truncation, reason = "bounded; a cast of a float saturates")]
pub(super) fn tenths(pixels: f64) -> i32 {
    (pixels * 10.0).round().clamp(-1e6, 1e6) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_short_and_exact() {
        let mut path = Path::default();
        path.line([(0, 5), (105, 5), (105, 0), (95, 30)]);
        path.polygon([(10, 10), (20, 10), (20, 20)]);
        path.line([(10, 10), (10, 10)]);
        assert_eq!(path.finish(), "M0 .5h10.5v-.5l-1 3M1 1h1v1zM1 1h0");
    }

    #[test]
    fn tenths_lose_nothing_and_take_anything() {
        assert_eq!([0, 5, -5, 10, -105].map(tenths_text), ["0", ".5", "-.5", "1", "-10.5"]);
        assert_eq!([1.25, f64::NAN, f64::INFINITY].map(tenths), [13, 0, 1_000_000]);
    }
}
