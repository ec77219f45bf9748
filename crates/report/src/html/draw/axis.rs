//! Draws an axis: grid lines, the texts at its ticks, its title. Only what is
//! needed to read a value; no frame.

use super::canvas::{Canvas, Frame, Plot};
use super::coordinate::Coordinate;
use super::ink::Ink;
use super::measure::{fitted, width};
use plotters::coord::cartesian::MeshLine;
use plotters_backend::BackendCoord;
use plotters_backend::text_anchor::HPos;

/// Below a plot: the texts at the ticks, and the title.
pub(super) const BELOW: f64 = 42.0;
/// Room between the texts of neighboring ticks, at least.
const TICK_GAP: f64 = 22.0;
/// Ticks of a vertical axis are this far apart, at least.
const TICK_HEIGHT: f64 = 36.0;

/// How much of a horizontal axis a tick's text takes.
pub(super) fn room_across(text: &str) -> f64 {
    width(text, Ink::Tick) + TICK_GAP
}

/// How much of a vertical axis a tick's text takes.
pub(super) fn room_upward(_text: &str) -> f64 {
    TICK_HEIGHT
}

/// Draws the lines of both axes' ticks; those of an axis without ticks are none.
pub(super) fn draw_grid(canvas: &Canvas, plot: &Plot) {
    for wants_zero in [false, true] {
        let ink = if wants_zero { Ink::Zero } else { Ink::Grid };
        let pixels = |(x, y): BackendCoord| (f64::from(x) / 10.0, f64::from(y) / 10.0);
        let drawn: Result<(), std::convert::Infallible> =
            plot.as_coord_spec().draw_mesh(0, 0, |line: MeshLine<'_, Coordinate, Coordinate>| {
                let (MeshLine::XMesh(from, to, at) | MeshLine::YMesh(from, to, at)) = line;
                if (*at == 0.0) == wants_zero {
                    canvas.line(ink, &[pixels(from), pixels(to)]);
                }
                Ok(())
            });
        drawn.unwrap_or_else(|never| match never {});
    }
}

/// Writes the ticks of a horizontal axis below a frame, and its title.
pub(super) fn write_below(canvas: &Canvas, axis: &Coordinate, frame: Frame, title: &str) {
    for tick in &axis.ticks {
        let x = frame.left + axis.share(tick.at) * frame.width();
        canvas.text(Ink::Tick, HPos::Center, (x, frame.bottom + 12.0), &tick.text);
    }
    // A long title may begin left of the plot, but not leave the picture.
    let title = fitted(title, Ink::Note, canvas.width());
    let half = width(&title, Ink::Note) / 2.0;
    let middle = f64::midpoint(frame.left, frame.right).max(half);
    canvas.text(Ink::Note, HPos::Center, (middle, frame.bottom + 32.0), &title);
}

/// Writes the ticks of a vertical axis left of a frame, and its title above.
pub(super) fn write_left(canvas: &Canvas, axis: &Coordinate, frame: Frame, title: &str) {
    for tick in &axis.ticks {
        let y = frame.bottom - axis.share(tick.at) * frame.height();
        canvas.text(Ink::Tick, HPos::Right, (frame.left - 8.0, y), &tick.text);
    }
    canvas.text(Ink::Note, HPos::Left, (0.0, 9.0), &fitted(title, Ink::Note, canvas.width()));
}
