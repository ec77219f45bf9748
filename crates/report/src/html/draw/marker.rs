//! The shapes of marks. On lines they tell methods apart without their colors, as do the line's
//! dashes, and its name stands beside them; elsewhere each kind of mark has its own.

use super::canvas::Canvas;
use super::ink::Ink;

/// Half a marker, in pixels.
pub(super) const RADIUS: f64 = 4.5;

/// A shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Circle,
    Square,
    Triangle,
    Diamond,
}

impl Shape {
    /// The shape of a method with this marker.
    pub(super) fn of(marker: u8) -> Self {
        [Self::Circle, Self::Square, Self::Triangle, Self::Diamond][usize::from(marker) % 4]
    }

    /// Draws it around a place; every shape looks about as large as a circle.
    pub(super) fn draw(self, canvas: &Canvas, (x, y): (f64, f64), radius: f64) {
        match self {
            Self::Circle => canvas.circle(Ink::Marker, (x, y), radius),
            Self::Square => {
                let half = 0.9 * radius;
                let corners = [(-half, -half), (half, -half), (half, half), (-half, half)];
                canvas.polygon(Ink::Marker, &corners.map(|(right, down)| (x + right, y + down)));
            }
            Self::Triangle => {
                let (half, up, down) = (1.15 * radius, 1.2 * radius, 0.85 * radius);
                canvas.polygon(Ink::Marker, &[(x, y - up), (x + half, y + down), (x - half, y + down)]);
            }
            Self::Diamond => {
                let half = 1.25 * radius;
                canvas.polygon(Ink::Marker, &[(x, y - half), (x + half, y), (x, y + half), (x - half, y)]);
            }
        }
    }
}

/// An arrow whose point is at `x`, to the right where `direction` is 1 and to the left where it is -1.
pub(super) fn draw_arrow(canvas: &Canvas, (x, y): (f64, f64), direction: f64) {
    let back = x - direction * 8.0;
    canvas.polygon(Ink::Arrow, &[(x, y), (back, y - 4.5), (back, y + 4.5)]);
}
