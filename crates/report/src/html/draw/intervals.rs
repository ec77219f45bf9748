//! Draws estimates with their intervals, a row each: the name, the marks on a
//! common axis, the figure.

use super::axis::{BELOW, draw_grid, room_across, write_below};
use super::canvas::{Canvas, Frame, Plot, place};
use super::coordinate::{Coordinate, is_drawable};
use super::figures::figures;
use super::ink::{Ink, color_classes};
use super::legend::Legend;
use super::marker::{RADIUS, Shape, draw_arrow};
use super::rows::Rows;
use super::rules::Vertical;
use super::screen::Screen;
use crate::chart::{IntervalChart, IntervalRow, Mark, MarkKind, Scale, Sign, SignKind};

const ROW_HEIGHT: f64 = 22.0;
/// Half the height of a whisker's cap.
const CAP: f64 = 5.0;
/// Dots lie so far below the middle of their mark.
const DOTS_BELOW: f64 = 7.5;
/// An axis grows by at most so much of its length on each side for whiskers.
const BEYOND_SHARE: f64 = 0.5;
/// Whiskers of marks that are all the same reach so many times farther, at most.
const WIDEST_ALONE: f64 = 1e3;
const BEYOND: &str = "reaches beyond the picture";
/// What stood here before stands above what stands here now.
const BEFORE_ABOVE: f64 = 5.0;

/// Draws the chart, or nothing where there is nothing to draw.
pub(super) fn draw(chart: &IntervalChart, screen: Screen, id: &str, description: &str) -> Option<String> {
    let labels = chart.rows.iter().map(|row| row.label.as_str()).collect();
    let rows = Rows::new(screen, labels, figures(chart), ROW_HEIGHT);
    let (left, right) = (rows.left, rows.right);
    let axis = Coordinate::new(&chart.axis, values(chart).into_iter(), right - left, room_across)?;
    let rules = Vertical::new(&chart.rules, &axis, (left, right), screen.width());
    let mut signs = chart.legend.clone();
    if chart.rows.iter().any(|row| beyond(&axis, row) != (false, false)) {
        signs.push(Sign { kind: SignKind::Beyond, word: BEYOND.to_owned() });
    }
    let legend = Legend::new(&signs, screen.width());
    let top = 4.0 + legend.height() + rules.height();
    let frame = Frame { left, top, right, bottom: top + chart.rows.len() as f64 * rows.height };
    let canvas = Canvas::new(screen, frame.bottom + BELOW);
    let counted = Coordinate::counted(0.0, chart.rows.len() as f64);
    let plot = canvas.plot(axis.clone(), counted, frame, false);
    legend.draw(&canvas);
    draw_zebra(&canvas, chart.rows.len(), top, rows.height);
    draw_grid(&canvas, &plot);
    rules.draw(&canvas, frame);
    for (index, row) in chart.rows.iter().enumerate() {
        let middle = place(&plot, axis.low(), index as f64 + 0.5).1;
        draw_dots(&canvas, &plot, row, rows.marks(middle));
        draw_marks(&canvas, &plot, screen, (row, rows.marks(middle)));
        draw_arrows(&canvas, &axis, frame, (row, rows.marks(middle)));
        // On top of what is pointed at, so that a shortened name can say all of itself.
        rows.write(&canvas, index, middle);
    }
    write_below(&canvas, &axis, frame, &chart.axis.title);
    Some(canvas.finish("intervals", id, description))
}

/// What the axis has to hold: all that was estimated, and of whiskers and dots as much as does not
/// push it aside. What reaches farther is clipped, with an arrow.
fn values(chart: &IntervalChart) -> Vec<f64> {
    let scale = chart.axis.scale;
    let marks = || chart.rows.iter().flat_map(|row| &row.marks);
    let estimated = marks().map(|mark| mark.value).chain(chart.rules.iter().map(|rule| rule.at));
    let mut held: Vec<f64> = estimated.filter(|value| is_drawable(scale, *value)).collect();
    let (low, high) = limits(scale, &held);
    let ends = marks().filter(|mark| mark.kind != MarkKind::Reported).filter_map(|mark| mark.ends);
    let ends = ends.flat_map(|(low, high)| [low, high]);
    let dots = chart.rows.iter().flat_map(|row| row.dots.iter().copied());
    held.extend(ends.chain(dots).map(|value| value.clamp(low, high)));
    held
}

/// How far an axis goes for the sake of whiskers.
fn limits(scale: Scale, estimated: &[f64]) -> (f64, f64) {
    let start = if scale == Scale::Linear { Some(0.0) } else { None };
    let all = || estimated.iter().copied().chain(start);
    let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    // Where all are the same, whiskers are what the picture is about.
    if estimated.is_empty() || most <= least {
        return match scale {
            Scale::Logarithmic if most > 0.0 => (least / WIDEST_ALONE, most * WIDEST_ALONE),
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        };
    }
    match scale {
        Scale::Linear => {
            let room = (most - least) * BEYOND_SHARE;
            (least - room, most + room)
        }
        Scale::Logarithmic => {
            let room = (most / least).powf(BEYOND_SHARE / 2.0).max(2.0);
            (least / room, most * room)
        }
    }
}

/// Whether something of a row lies left and right of the axis.
fn beyond(axis: &Coordinate, row: &IntervalRow) -> (bool, bool) {
    let ends = row.marks.iter().filter(|mark| axis.has(mark.value)).filter_map(whisker_ends);
    let all = || ends.clone().flat_map(|(low, high)| [low, high]).chain(row.dots.iter().copied());
    let outside = |value: f64| !value.is_nan() && !axis.covers(value);
    let low = all().any(|value| outside(value) && axis.share(value) <= 0.0);
    let high = all().any(|value| outside(value) && axis.share(value) >= 1.0);
    (low, high)
}

fn whisker_ends(mark: &Mark) -> Option<(f64, f64)> {
    mark.ends.filter(|(low, high)| mark.kind != MarkKind::Reported && low <= high)
}

fn draw_arrows(canvas: &Canvas, axis: &Coordinate, frame: Frame, (row, middle): (&IntervalRow, f64)) {
    let (low, high) = beyond(axis, row);
    if low || high {
        canvas.group(&color_classes(row.style), "", || {
            if low {
                draw_arrow(canvas, (frame.left, middle), -1.0);
            }
            if high {
                draw_arrow(canvas, (frame.right, middle), 1.0);
            }
        });
    }
}

/// What a mark is made of, below it.
fn draw_dots(canvas: &Canvas, plot: &Plot, row: &IntervalRow, middle: f64) {
    let axis = plot.as_coord_spec().x_spec();
    let shown: Vec<f64> = row.dots.iter().copied().filter(|dot| axis.covers(*dot)).collect();
    if !shown.is_empty() {
        canvas.group(&color_classes(row.style), "", || {
            for dot in shown {
                let at = (place(plot, dot, 0.0).0, middle + DOTS_BELOW);
                canvas.line(Ink::Dots, &[at, at]);
            }
        });
    }
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
            draw_mark(canvas, plot, mark, (x, y));
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
    let (low, high) = whisker_ends(mark)?;
    let axis = plot.as_coord_spec().x_spec();
    Some((place(plot, low, 0.0).0, place(plot, high, 0.0).0, (axis.covers(low), axis.covers(high))))
}

fn draw_mark(canvas: &Canvas, plot: &Plot, mark: &Mark, (x, y): (f64, f64)) {
    if let Some((low, high, (has_low, has_high))) = whisker(plot, mark) {
        canvas.line(Ink::Whisker, &[(low, y), (high, y)]);
        // Caps reach beyond the marker, so that an interval narrower than it is seen too.
        let cap = if high - low < 2.0 * RADIUS { RADIUS + 2.5 } else { CAP };
        for (end, _) in [(low, has_low), (high, has_high)].into_iter().filter(|(_, is_end)| *is_end) {
            canvas.line(Ink::Whisker, &[(end, y - cap), (end, y + cap)]);
        }
    }
    match mark.kind {
        MarkKind::Here => Shape::Circle.draw(canvas, (x, y), RADIUS),
        MarkKind::Before => Shape::Circle.draw(canvas, (x, y), RADIUS - 1.0),
        MarkKind::Reported => Shape::Diamond.draw(canvas, (x, y), RADIUS),
    }
}
