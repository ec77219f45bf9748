//! Draws sums of parts as bars, a row each. What a part is, its color and its
//! pattern say, and a legend above them.

use super::axis::{BELOW, draw_grid, room_across, write_below};
use super::canvas::{Canvas, Frame, Plot, place};
use super::coordinate::Coordinate;
use super::figures::totals;
use super::ink::Ink;
use super::measure::width;
use super::pattern::{class, draw_patterns, fill};
use super::rows::Rows;
use super::screen::Screen;
use crate::chart::{Segment, SegmentKind, StackChart, StackRow};
use plotters_backend::text_anchor::HPos;

const ROW_HEIGHT: f64 = 32.0;
const BAR_HEIGHT: f64 = 18.0;
/// The whole's interval stands so far below the bar, where it is in no word's way.
const INTERVAL_BELOW: f64 = 5.0;
/// Half the height of its caps.
const CAP: f64 = 3.5;
const LEGEND_HEIGHT: f64 = 20.0;
const SWATCH_WIDTH: f64 = 18.0;
/// Left and right of the words inside a segment.
const INSIDE_MARGIN: f64 = 5.0;
/// What is narrower is pointed at as if it were as wide.
const TARGET_WIDTH: f64 = 12.0;

/// Draws the chart, or nothing where there is nothing to draw.
pub(super) fn draw(chart: &StackChart, screen: Screen, id: &str, description: &str) -> Option<String> {
    let labels = chart.rows.iter().map(|row| row.label.as_str()).collect();
    let rows = Rows::new(screen, labels, totals(chart), ROW_HEIGHT);
    let (left, right) = (rows.left, rows.right);
    if chart.rows.iter().all(|row| drawn(row).next().is_none()) {
        return None;
    }
    let axis = Coordinate::new(&chart.axis, values(chart), right - left, room_across)?;
    let present = SegmentKind::ALL
        .into_iter()
        .filter(|kind| chart.rows.iter().any(|row| drawn(row).any(|segment| segment.kind == *kind)));
    let legend = legend(&present.collect::<Vec<_>>(), screen.width());
    let legend_rows = legend.last().map_or(0.0, |entry| entry.row + 1.0);
    let top = legend_rows * LEGEND_HEIGHT + 6.0;
    let frame = Frame { left, top, right, bottom: top + chart.rows.len() as f64 * rows.height };
    let canvas = Canvas::new(screen, frame.bottom + BELOW);
    let kinds: Vec<_> = legend.iter().map(|entry| entry.kind).collect();
    // What is not shown lends no patterns: each picture has its own.
    let patterns = match screen {
        Screen::Wide => id.to_owned(),
        Screen::Narrow => format!("{id}-narrow"),
    };
    draw_patterns(&canvas, &patterns, &kinds);
    draw_legend(&canvas, &patterns, &legend);
    let counted = Coordinate::counted(0.0, chart.rows.len() as f64);
    let plot = canvas.plot(axis.clone(), counted, frame, false);
    draw_grid(&canvas, &plot);
    for (index, row) in chart.rows.iter().enumerate() {
        let middle = place(&plot, axis.low(), index as f64 + 0.5).1;
        rows.write(&canvas, index, middle);
        draw_bar(&canvas, &plot, screen, &patterns, (row, rows.marks(middle)));
    }
    write_below(&canvas, &axis, frame, &chart.axis.title);
    Some(canvas.finish("stacks", id, description))
}

/// The parts that have a length.
fn drawn(row: &StackRow) -> impl Iterator<Item = &Segment> {
    row.segments.iter().filter(|segment| segment.value > 0.0 && segment.value.is_finite())
}

fn values(chart: &StackChart) -> impl Iterator<Item = f64> {
    let sums = chart.rows.iter().map(|row| drawn(row).map(|segment| segment.value).sum());
    let ends = chart.rows.iter().filter_map(|row| row.ends).flat_map(|(low, high)| [low, high]);
    sums.chain(ends)
}

struct LegendEntry {
    kind: SegmentKind,
    left: f64,
    row: f64,
}

fn legend(kinds: &[SegmentKind], room: f64) -> Vec<LegendEntry> {
    let (mut left, mut row) = (0.0, 0.0);
    let mut entries = Vec::new();
    for &kind in kinds {
        let wide = SWATCH_WIDTH + 6.0 + width(kind.word(), Ink::Note) + 14.0;
        if left > 0.0 && left + wide > room {
            (left, row) = (0.0, row + 1.0);
        }
        entries.push(LegendEntry { kind, left, row });
        left += wide;
    }
    entries
}

fn draw_legend(canvas: &Canvas, id: &str, legend: &[LegendEntry]) {
    for entry in legend {
        let (left, middle) = (entry.left, (entry.row + 0.5) * LEGEND_HEIGHT);
        let frame = Frame { left, top: middle - 6.0, right: left + SWATCH_WIDTH, bottom: middle + 6.0 };
        canvas.single_rectangle(&segment_classes(entry.kind), frame, &fill(id, entry.kind), "");
        canvas.text(Ink::Note, HPos::Left, (frame.right + 6.0, middle), entry.kind.word());
    }
}

fn segment_classes(kind: SegmentKind) -> String {
    format!("{} {}", Ink::Segment.class(), class(kind))
}

fn draw_bar(canvas: &Canvas, plot: &Plot, screen: Screen, id: &str, (row, middle): (&StackRow, f64)) {
    let (top, bottom) = (middle - BAR_HEIGHT / 2.0, middle + BAR_HEIGHT / 2.0);
    let mut narrow = Vec::new();
    let mut sum = 0.0;
    for segment in drawn(row) {
        let left = place(plot, sum, 0.0).0;
        sum += segment.value;
        let right = place(plot, sum, 0.0).0;
        let frame = Frame { left, top, right, bottom };
        canvas.single_rectangle(
            &segment_classes(segment.kind),
            frame,
            &fill(id, segment.kind),
            screen.hint(&segment.hint),
        );
        if width(&segment.label, Ink::Inside) + 2.0 * INSIDE_MARGIN <= frame.width() {
            canvas.group(class(segment.kind), "", || {
                canvas.text(Ink::Inside, HPos::Left, (left + INSIDE_MARGIN, middle), &segment.label);
            });
        }
        if frame.width() < TARGET_WIDTH && !screen.hint(&segment.hint).is_empty() {
            narrow.push((f64::midpoint(left, right), &segment.hint));
        }
    }
    // On top of their wide neighbors, and none on top of another.
    let mut taken = f64::NEG_INFINITY;
    for (center, hint) in narrow {
        let (left, right) = ((center - TARGET_WIDTH / 2.0).max(taken), center + TARGET_WIDTH / 2.0);
        canvas.single_rectangle(Ink::Target.class(), Frame { left, top, right, bottom }, "", hint);
        taken = right;
    }
    if let Some((low, high)) =
        row.ends.filter(|(low, high)| low <= high && low.is_finite() && high.is_finite())
    {
        let (low, high) = (place(plot, low, 0.0).0, place(plot, high, 0.0).0);
        let y = bottom + INTERVAL_BELOW;
        canvas.line(Ink::Whisker, &[(low, y), (high, y)]);
        for end in [low, high] {
            canvas.line(Ink::Whisker, &[(end, y - CAP), (end, y + CAP)]);
        }
    }
}
