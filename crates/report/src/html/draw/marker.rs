//! The shapes of markers, so that methods are told apart without their colors.

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
