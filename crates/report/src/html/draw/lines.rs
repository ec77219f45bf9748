//! Draws lines over a common axis, each named at its end; a distribution's
//! lines all end in one place, so they are named in a column. On a narrow screen
//! all are named below.

use super::axis::{BELOW, draw_grid, room_across, room_upward, write_below, write_left};
use super::canvas::{Canvas, Frame, Plot, place};
use super::coordinate::Coordinate;
use super::ink::Ink;
use super::line::{classes, has_marks, runs};
use super::line_names::{LEADER_WIDTH, NAME_HEIGHT, SAMPLE_WIDTH, name_at_ends, name_below, name_in_column};
use super::marker::Shape;
use super::measure::{elided, letters_within, widest};
use super::rules::{Vertical, draw_horizontal};
use super::screen::Screen;
use super::thin::{Edge, Pixels, thin, thin_band};
use crate::chart::{Line, LineChart, Point};

const HEIGHT: f64 = 260.0;
/// On a phone, where the names of the lines stand below.
const NARROW_HEIGHT: f64 = 210.0;
/// Right of a narrow plot: half of a tick's text.
const NARROW_EDGE: f64 = 16.0;
/// The title of the vertical axis.
const TITLE_HEIGHT: f64 = 28.0;
/// Longer names lose their middle.
const NAME_LETTERS: usize = 32;
const MARKER_RADIUS: f64 = 3.2;
/// Half of what is pointed at around a point.
const TARGET: f64 = 7.0;

/// Draws the chart, or nothing where there is nothing to draw.
pub(super) fn draw(chart: &LineChart, screen: Screen, id: &str, description: &str) -> Option<String> {
    let names_height = chart.lines.len() as f64 * NAME_HEIGHT;
    let (height, below, letters) = match screen {
        Screen::Wide => (HEIGHT.max(names_height), BELOW, NAME_LETTERS),
        Screen::Narrow => {
            (NARROW_HEIGHT, BELOW + names_height, letters_within(screen.width() - SAMPLE_WIDTH))
        }
    };
    let y = Coordinate::new(&chart.y, upward(chart), height, room_upward)?;
    let left = widest(y.ticks.iter().map(|tick| tick.text.as_str()), Ink::Tick) + 10.0;
    let names: Vec<_> = chart.lines.iter().map(|line| elided(&line.label, letters)).collect();
    let beside = match screen {
        Screen::Wide => widest(names.iter().map(String::as_str), Ink::Name) + LEADER_WIDTH,
        Screen::Narrow => NARROW_EDGE,
    };
    let right = screen.width() - beside;
    let x = Coordinate::new(&chart.x, across(chart), right - left, room_across)?;
    // A rule lies on the axis of what is measured, which is the lower one of a distribution.
    let (vertical, horizontal) =
        if chart.stepped { (&chart.rules[..], &[][..]) } else { (&[][..], &chart.rules[..]) };
    let vertical = Vertical::new(vertical, &x, (left, right), screen.width());
    let top = TITLE_HEIGHT + vertical.height();
    let frame = Frame { left, top, right, bottom: top + height };
    let canvas = Canvas::new(screen, frame.bottom + below);
    let plot = canvas.plot(x.clone(), y.clone(), frame, true);
    draw_grid(&canvas, &plot);
    for line in &chart.lines {
        draw_bands(&canvas, &plot, line, chart.stepped);
    }
    for line in &chart.lines {
        draw_line(&canvas, &plot, screen, line, chart.stepped);
    }
    vertical.draw(&canvas, frame);
    draw_horizontal(&canvas, &y, horizontal, frame);
    match screen {
        Screen::Narrow => name_below(&canvas, &chart.lines, &names, frame.bottom + BELOW),
        Screen::Wide if chart.stepped => name_in_column(&canvas, &chart.lines, &names, frame),
        Screen::Wide => name_at_ends(&canvas, &plot, &chart.lines, &names, frame),
    }
    for line in chart.lines.iter().filter(|_| screen == Screen::Wide) {
        draw_targets(&canvas, &plot, line);
    }
    write_below(&canvas, &x, frame, &chart.x.title);
    write_left(&canvas, &y, frame, &chart.y.title);
    Some(canvas.finish("lines", id, description))
}

fn across(chart: &LineChart) -> impl Iterator<Item = f64> {
    let points = chart.lines.iter().flat_map(|line| &line.points).map(|point| point.x);
    points.chain(chart.rules.iter().filter(|_| chart.stepped).map(|rule| rule.at))
}

fn upward(chart: &LineChart) -> impl Iterator<Item = f64> {
    let points = chart.lines.iter().flat_map(|line| &line.points).flat_map(|point| {
        let (low, high) = point.ends.unwrap_or((point.y, point.y));
        [point.y, low, high]
    });
    points.chain(chart.rules.iter().filter(|_| !chart.stepped).map(|rule| rule.at))
}

fn pixels(plot: &Plot, points: impl Iterator<Item = (f64, f64)>, stepped: bool) -> Vec<Pixels> {
    let mut pixels: Vec<Pixels> = Vec::new();
    for (x, y) in points.map(|(x, y)| place(plot, x, y)) {
        // A value holds until the next.
        if let Some(last) =
            pixels.last().filter(|last| stepped && (last.1 - y).abs() > 0.01 && (last.0 - x).abs() > 0.01)
        {
            pixels.push((x, last.1));
        }
        if pixels.last() != Some(&(x, y)) {
            pixels.push((x, y));
        }
    }
    pixels
}

fn draw_bands(canvas: &Canvas, plot: &Plot, line: &Line, stepped: bool) {
    let has_ends = |point: &Point| point.ends.is_some_and(|(low, high)| low <= high);
    let bands = runs(plot, line).flat_map(|run| run.split(|point| !has_ends(point)));
    let bands: Vec<_> = bands.filter(|band| band.len() > 1).collect();
    if bands.is_empty() {
        return;
    }
    canvas.group(&classes(line), "", || {
        for band in bands {
            let edge = |end: fn((f64, f64)) -> f64| {
                let ends = band.iter().filter_map(move |point| Some((point.x, end(point.ends?))));
                pixels(plot, ends, stepped)
            };
            let (lower, mut upper) =
                if stepped { (edge(|ends| ends.0), edge(|ends| ends.1)) } else { unstepped_band(plot, band) };
            upper.reverse();
            canvas.polygon(Ink::Band, &[lower, upper].concat());
        }
    });
}

fn unstepped_band(plot: &Plot, band: &[Point]) -> (Vec<Pixels>, Vec<Pixels>) {
    let edges = band.iter().filter_map(|point| {
        let (low, high) = point.ends?;
        let (x, low) = place(plot, point.x, low);
        Some(Edge { x, low, high: place(plot, point.x, high).1 })
    });
    // Upward is less, in pixels.
    let edges = thin_band(&edges.collect::<Vec<_>>());
    (
        edges.iter().map(|edge| (edge.x, edge.low)).collect(),
        edges.iter().map(|edge| (edge.x, edge.high)).collect(),
    )
}

fn draw_line(canvas: &Canvas, plot: &Plot, screen: Screen, line: &Line, stepped: bool) {
    let is_dense = !has_marks(line);
    let marked = !stepped && !is_dense;
    let classes = if is_dense && !stepped { format!("{} dense", classes(line)) } else { classes(line) };
    canvas.group(&classes, screen.hint(&line.label), || {
        for run in runs(plot, line) {
            let whole = pixels(plot, run.iter().map(|point| (point.x, point.y)), stepped);
            canvas.line(Ink::Line, &thin(&whole));
        }
        for point in runs(plot, line).flatten().filter(|_| marked) {
            Shape::of(line.style.marker).draw(canvas, place(plot, point.x, point.y), MARKER_RADIUS);
        }
    });
}

/// Points that have words; where they are dense, one in so many pixels.
fn draw_targets(canvas: &Canvas, plot: &Plot, line: &Line) {
    let is_dense = !has_marks(line);
    let mut last = f64::NEG_INFINITY;
    for point in runs(plot, line).flatten().filter(|point| !point.hint.is_empty()) {
        let (x, y) = place(plot, point.x, point.y);
        if is_dense && x < last + 2.0 * TARGET {
            continue;
        }
        last = x;
        canvas.target((x, y), TARGET, &point.hint);
    }
}
