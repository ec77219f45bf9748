//! Draws estimates with their intervals, a row each: the name, the marks on a
//! common axis, the figure.

use super::axis::{BELOW, draw_grid, room_across, write_below};
use super::canvas::{Canvas, Frame, Plot, place};
use super::coordinate::Coordinate;
use super::figures::figures;
use super::ink::{Ink, color_classes};
use super::marker::{RADIUS, Shape};
use super::rules::Vertical;
use super::screen::{Rows, Screen};
use crate::chart::{IntervalChart, IntervalRow, Mark, MarkKind};

const ROW_HEIGHT: f64 = 22.0;
/// Half the height of a whisker's cap.
const CAP: f64 = 5.0;
/// What stood here before stands above what stands here now.
const BEFORE_ABOVE: f64 = 5.0;

/// Draws the chart, or nothing where there is nothing to draw.
pub(super) fn draw(chart: &IntervalChart, screen: Screen, id: &str, description: &str) -> Option<String> {
    let labels = chart.rows.iter().map(|row| row.label.as_str()).collect();
    let rows = Rows::new(screen, labels, figures(chart), ROW_HEIGHT);
    let (left, right) = (rows.left, rows.right);
    let axis = Coordinate::new(&chart.axis, values(chart), right - left, room_across)?;
    let rules = Vertical::new(&chart.rules, &axis, (left, right), screen.width());
    let top = 4.0 + rules.height();
    let frame = Frame { left, top, right, bottom: top + chart.rows.len() as f64 * rows.height };
    let canvas = Canvas::new(screen, frame.bottom + BELOW);
    let counted = Coordinate::counted(0.0, chart.rows.len() as f64);
    let plot = canvas.plot(axis.clone(), counted, frame, false);
    draw_zebra(&canvas, chart.rows.len(), top, rows.height);
    draw_grid(&canvas, &plot);
    rules.draw(&canvas, frame);
    for (index, row) in chart.rows.iter().enumerate() {
        let middle = place(&plot, axis.low(), index as f64 + 0.5).1;
        draw_marks(&canvas, &plot, screen, (row, rows.marks(middle)));
        // On top of what is pointed at, so that a shortened name can say all of itself.
        rows.write(&canvas, index, middle);
    }
    write_below(&canvas, &axis, frame, &chart.axis.title);
    Some(canvas.finish("intervals", id, description))
}

fn values(chart: &IntervalChart) -> impl Iterator<Item = f64> {
    let marks = chart.rows.iter().flat_map(|row| &row.marks);
    let marked = marks.flat_map(|mark| {
        let (low, high) = mark.ends.unwrap_or((mark.value, mark.value));
        [mark.value, low, high]
    });
    marked.chain(chart.rules.iter().map(|rule| rule.at))
}

fn draw_zebra(canvas: &Canvas, rows: usize, top: f64, height: f64) {
    for index in (0..rows).step_by(2) {
        let top = top + index as f64 * height;
        canvas.rectangle(Ink::Zebra, Frame { left: 0.0, top, right: canvas.width(), bottom: top + height });
    }
}

fn draw_marks(canvas: &Canvas, plot: &Plot, screen: Screen, (row, middle): (&IntervalRow, f64)) {
    let (top, bottom) = (middle - ROW_HEIGHT / 2.0, middle + ROW_HEIGHT / 2.0);
    let axis = plot.as_coord_spec().x_spec();
    let stands_alone = row.marks.len() == 1;
    let has_earlier = row.marks.iter().any(|mark| mark.kind == MarkKind::Before);
    for mark in row.marks.iter().filter(|mark| axis.has(mark.value)) {
        let classes = format!("{}{}", color_classes(row.style), kind_class(mark.kind));
        canvas.group(&classes, screen.hint(&mark.hint), || {
            let y = match mark.kind {
                MarkKind::Before => middle - BEFORE_ABOVE,
                MarkKind::Here if has_earlier => middle + BEFORE_ABOVE / 2.0,
                _ => middle,
            };
            let (x, _) = place(plot, mark.value, 0.0);
            let (low, high) = whisker(plot, mark).map_or((x, x), |(low, high, _)| (low, high));
            let target = if stands_alone {
                Frame { left: 0.0, top, right: canvas.width(), bottom }
            } else {
                Frame {
                    left: low - 8.0,
                    top: (y - 7.0).max(top),
                    right: high + 8.0,
                    bottom: (y + 7.0).min(bottom),
                }
            };
            if screen == Screen::Wide {
                canvas.rectangle(Ink::Target, target);
            }
            draw_mark(canvas, plot, mark, (x, y), row.style.marker);
        });
    }
}

fn kind_class(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::Here => "",
        MarkKind::Before => " before",
        MarkKind::Reported => " reported",
    }
}

/// Both ends in pixels, and whether each is an end rather than the axis's edge.
fn whisker(plot: &Plot, mark: &Mark) -> Option<(f64, f64, (bool, bool))> {
    let (low, high) = mark.ends.filter(|_| mark.kind != MarkKind::Reported)?;
    let axis = plot.as_coord_spec().x_spec();
    if low.is_nan() || high.is_nan() || low > high {
        return None;
    }
    Some((place(plot, low, 0.0).0, place(plot, high, 0.0).0, (axis.has(low), axis.has(high))))
}

fn draw_mark(canvas: &Canvas, plot: &Plot, mark: &Mark, (x, y): (f64, f64), marker: u8) {
    if let Some((low, high, (has_low, has_high))) = whisker(plot, mark) {
        canvas.line(Ink::Whisker, &[(low, y), (high, y)]);
        // Caps reach beyond the marker, so that an interval narrower than it is seen too.
        let cap = if high - low < 2.0 * RADIUS { RADIUS + 2.5 } else { CAP };
        for (end, _) in [(low, has_low), (high, has_high)].into_iter().filter(|(_, is_end)| *is_end) {
            canvas.line(Ink::Whisker, &[(end, y - cap), (end, y + cap)]);
        }
    }
    match mark.kind {
        MarkKind::Here => Shape::of(marker).draw(canvas, (x, y), RADIUS),
        MarkKind::Before => Shape::of(marker).draw(canvas, (x, y), RADIUS - 1.0),
        MarkKind::Reported => Shape::Diamond.draw(canvas, (x, y), RADIUS),
    }
}
