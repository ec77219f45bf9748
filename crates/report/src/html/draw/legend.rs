//! What the signs of a picture stand for, in rows above it.

use super::canvas::Canvas;
use super::ink::{Ink, color_classes};
use super::marker::{RADIUS, Shape, draw_arrow};
use super::measure::width;
use crate::chart::{Sign, SignKind};
use crate::palette::SeriesStyle;
use plotters_backend::text_anchor::HPos;

/// From one row of the legend to the next.
const ROW_HEIGHT: f64 = 18.0;
/// Room of a sign before its word.
const SIGN_WIDTH: f64 = 24.0;
/// Between a word and the next sign.
const GAP: f64 = 16.0;

/// Signs with their places.
pub(super) struct Legend<'a> {
    entries: Vec<(&'a Sign, f64, f64)>,
}

impl<'a> Legend<'a> {
    /// As many rows as a width asks for.
    pub(super) fn new(signs: &'a [Sign], room: f64) -> Self {
        let (mut left, mut row) = (0.0, 0.0);
        let mut entries = Vec::new();
        for sign in signs {
            let wide = SIGN_WIDTH + width(&sign.word, Ink::Note) + GAP;
            if left > 0.0 && left + wide - GAP > room {
                (left, row) = (0.0, row + 1.0);
            }
            entries.push((sign, left, row));
            left += wide;
        }
        Self { entries }
    }

    /// Height of all rows.
    pub(super) fn height(&self) -> f64 {
        self.entries.last().map_or(0.0, |(_, _, row)| (row + 1.0) * ROW_HEIGHT + 2.0)
    }

    /// Draws them at the top of the picture.
    pub(super) fn draw(&self, canvas: &Canvas) {
        for (sign, left, row) in &self.entries {
            let y = (row + 0.5) * ROW_HEIGHT;
            let x = left + 9.0;
            let class = if sign.kind == SignKind::Reported { " reported" } else { "" };
            canvas.group(&format!("{}{class}", color_classes(SeriesStyle::MACHINE)), "", || {
                draw_sign(canvas, sign.kind, (x, y));
            });
            canvas.text(Ink::Note, HPos::Left, (left + SIGN_WIDTH, y), &sign.word);
        }
    }
}

fn draw_sign(canvas: &Canvas, kind: SignKind, (x, y): (f64, f64)) {
    match kind {
        SignKind::Interval => {
            canvas.line(Ink::Whisker, &[(x - 9.0, y), (x + 9.0, y)]);
            for end in [x - 9.0, x + 9.0] {
                canvas.line(Ink::Whisker, &[(end, y - 4.0), (end, y + 4.0)]);
            }
            Shape::Circle.draw(canvas, (x, y), RADIUS);
        }
        SignKind::Mark => Shape::Circle.draw(canvas, (x, y), RADIUS),
        SignKind::Dot => {
            for at in [x - 5.0, x, x + 6.0] {
                canvas.line(Ink::Dots, &[(at, y), (at, y)]);
            }
        }
        SignKind::Reported => Shape::Diamond.draw(canvas, (x, y), RADIUS),
        SignKind::Beyond => {
            canvas.line(Ink::Whisker, &[(x - 9.0, y), (x + 2.0, y)]);
            draw_arrow(canvas, (x + 9.0, y), 1.0);
        }
    }
}
