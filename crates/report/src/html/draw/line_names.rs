//! Names the lines of a chart beside it: each at its line's end, pushed apart,
//! or all in a column where the ends are one place or
//! have no room beside them.

use super::apart::push_apart;
use super::canvas::{Canvas, Frame, Plot, place};
use super::ink::Ink;
use super::line::{classes, has_marks, runs};
use super::marker::Shape;
use crate::chart::{Line, Point};
use plotters_backend::text_anchor::HPos;

/// From the plot to the names of its lines.
pub(super) const LEADER_WIDTH: f64 = 42.0;
/// From one line's name to the next.
pub(super) const NAME_HEIGHT: f64 = 17.0;
/// A piece of a line before its name, and what is between them.
pub(super) const SAMPLE_WIDTH: f64 = 34.0;
const SAMPLE_RADIUS: f64 = 3.2;

/// A name at each line's end, and what leads to it.
pub(super) fn name_at_ends(canvas: &Canvas, plot: &Plot, lines: &[Line], names: &[String], frame: Frame) {
    let end = |line: &Line| {
        runs(plot, line).last().and_then(|run| run.last()).map(|last| place(plot, last.x, last.y))
    };
    let mut ends: Vec<_> =
        lines.iter().zip(names).filter_map(|(line, name)| Some((end(line)?, line, name))).collect();
    ends.sort_by(|((_, a), ..), ((_, b), ..)| a.total_cmp(b));
    let wanted: Vec<_> = ends.iter().map(|((_, y), ..)| *y).collect();
    let places = push_apart(&wanted, NAME_HEIGHT, (frame.top, frame.bottom));
    for (((x, y), line, name), at) in ends.into_iter().zip(places) {
        let start = frame.right + LEADER_WIDTH - 4.0;
        canvas.group(&classes(line), "", || {
            let bend = (frame.right + 8.0, y);
            // Whose marks have a shape ends in it, before the name: so much of a legend.
            let sign = if has_marks(line) { 10.0 } else { 0.0 };
            let path = [(x + 6.0, y), bend, (start - 6.0 - sign, at), (start - 3.0 - sign, at)];
            // What ends at the plot's edge has no way to its bend.
            let skipped = usize::from(bend.0 <= x + 6.0);
            canvas.line(Ink::Leader, &path[skipped..]);
            if has_marks(line) {
                Shape::of(line.style.marker).draw(canvas, (start - 8.0, at), SAMPLE_RADIUS);
            }
        });
        canvas.shortened_text(Ink::Name, HPos::Left, (start, at), name, &line.label);
    }
}

/// A column of names, each behind a piece of its line, in the order of the
/// lines' middles.
pub(super) fn name_in_column(canvas: &Canvas, lines: &[Line], names: &[String], frame: Frame) {
    let mut named: Vec<_> = lines.iter().zip(names).filter(|(line, _)| !line.points.is_empty()).collect();
    named.sort_by(|(a, _), (b, _)| middle(a).total_cmp(&middle(b)));
    for (index, (line, name)) in named.into_iter().enumerate() {
        let y = frame.top + (index as f64 + 0.5) * NAME_HEIGHT;
        let start = canvas.width().min(frame.right + LEADER_WIDTH) - 4.0;
        canvas.group(&classes(line), "", || {
            canvas.line(Ink::Line, &[(start - 24.0, y), (start - 5.0, y)]);
        });
        canvas.shortened_text(Ink::Name, HPos::Left, (start, y), name, &line.label);
    }
}

/// A row for each name from `top` on, behind a piece of its line.
pub(super) fn name_below(canvas: &Canvas, lines: &[Line], names: &[String], top: f64) {
    for (index, (line, name)) in lines.iter().zip(names).enumerate() {
        let y = top + (index as f64 + 0.5) * NAME_HEIGHT;
        canvas.group(&classes(line), "", || {
            canvas.line(Ink::Line, &[(0.0, y), (SAMPLE_WIDTH - 8.0, y)]);
            if has_marks(line) {
                Shape::of(line.style.marker).draw(canvas, ((SAMPLE_WIDTH - 8.0) / 2.0, y), SAMPLE_RADIUS);
            }
        });
        canvas.text(Ink::Name, HPos::Left, (SAMPLE_WIDTH, y), name);
    }
}

/// Where a distribution's line reaches half of its height.
fn middle(line: &Line) -> f64 {
    let half = line.points.iter().map(|point| point.y).fold(0.0, f64::max) / 2.0;
    let reaches = |point: &&Point| point.y >= half;
    line.points.iter().find(reaches).map_or(f64::INFINITY, |point| point.x)
}
