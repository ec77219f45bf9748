//! Draws a run over its time: bars of calls, and below them lanes whose color is the stronger, the larger their part
//! of a slice is. What is pointed at says its figures.

use super::axis::{BELOW, draw_grid, room_across, room_upward, write_below, write_left};
use super::canvas::{Canvas, Frame, Plot, place};
use super::coordinate::Coordinate;
use super::ink::Ink;
use super::measure::{COLUMN_GAP, fitted, widest, width};
use super::pattern::{class, draw_patterns, fill};
use super::rows::Rows;
use super::screen::Screen;
use crate::chart::{Axis, LaneKind, LaneMarks, Scale, SegmentKind, TimelineChart, TimelineLane, Values};
use crate::quantity::{grouped, percent, short_time, things};
use plotters_backend::text_anchor::HPos;

/// The signs of the bars.
const LEGEND_HEIGHT: f64 = 20.0;
/// Between these and the bars.
const TITLE_HEIGHT: f64 = 8.0;
const BARS_HEIGHT: f64 = 96.0;
const HEADING_HEIGHT: f64 = 24.0;
const LANE_HEIGHT: f64 = 19.0;
/// Of that, what a mark fills.
const MARK_HEIGHT: f64 = 13.0;
/// Between neighboring slices.
const GAP: f64 = 0.6;
/// A call alone is still to be seen.
const LEAST_HEIGHT: f64 = 1.0;
const LEAST_WIDTH: f64 = 0.5;
const SWATCH_WIDTH: f64 = 18.0;
/// What bars are made of, in the order in which they are laid.
const KINDS: [(SegmentKind, &str); 2] = [(SegmentKind::Call, "worked"), (SegmentKind::Fault, "failed")];

/// Draws the chart, or nothing where there is nothing to draw.
pub(super) fn draw(chart: &TimelineChart, screen: Screen, id: &str, description: &str) -> Option<String> {
    if chart.most_calls() == 0 {
        return None;
    }
    let labels = chart.lanes.iter().map(|lane| lane.label.as_str()).collect();
    let figures = chart.lanes.iter().map(TimelineLane::figure).collect();
    let rows = Rows::new(screen, labels, figures, LANE_HEIGHT);
    let calls = Axis {
        title: format!("calls in each {}", short_time(chart.slice_ns)),
        scale: Scale::Linear,
        values: Values::Plain,
    };
    let most = chart.most_calls() as f64;
    let upward = Coordinate::new(&calls, [0.0, most].into_iter(), BARS_HEIGHT, room_upward)?;
    let ticks = widest(upward.ticks.iter().map(|tick| tick.text.as_str()), Ink::Tick) + COLUMN_GAP;
    let (left, right) = (rows.left.max(ticks), rows.right);
    let time = Axis {
        title: "time since the first call of the run".to_owned(),
        scale: Scale::Linear,
        values: Values::Time,
    };
    let across = Coordinate::new(&time, [0.0, chart.length_ns].into_iter(), right - left, room_across)?;
    let top = LEGEND_HEIGHT + TITLE_HEIGHT;
    let bars = Frame { left, top, right, bottom: top + BARS_HEIGHT };
    let mut lanes = Frame { top: bars.bottom + 6.0, bottom: bars.bottom + 6.0, ..bars };
    let mut last = None;
    // The middle of each lane, and the heading above it, if it has one.
    let places: Vec<_> = chart
        .lanes
        .iter()
        .map(|lane| {
            let heading = (last != Some(lane.kind)).then(|| {
                lanes.bottom += HEADING_HEIGHT;
                (heading(lane.kind), lanes.bottom - HEADING_HEIGHT / 2.0 + 2.0)
            });
            last = Some(lane.kind);
            lanes.bottom += rows.height;
            (lanes.bottom - rows.height / 2.0, heading)
        })
        .collect();
    lanes.bottom += 4.0;
    let canvas = Canvas::new(screen, lanes.bottom + BELOW);
    let patterns = match screen {
        Screen::Wide => id.to_owned(),
        Screen::Narrow => format!("{id}-narrow"),
    };
    draw_patterns(&canvas, &patterns, &KINDS.map(|(kind, _)| kind));
    draw_legend(&canvas, &patterns, right);
    let plot = canvas.plot(across.clone(), upward.clone(), bars, true);
    draw_grid(&canvas, &plot);
    let drawing = Drawing { chart, screen, canvas: &canvas, plot: &plot, bars, patterns: &patterns };
    for (middle, _) in &places {
        canvas.rectangle(Ink::Zebra, drawing.lane_frame(rows.marks(*middle)));
    }
    draw_grid(&canvas, &canvas.plot(across.clone(), Coordinate::counted(0.0, 1.0), lanes, false));
    drawing.draw_bars(most);
    for (index, (lane, (middle, heading))) in chart.lanes.iter().zip(&places).enumerate() {
        if let Some((words, y)) = heading {
            canvas.text(Ink::Note, HPos::Left, (0.0, *y), &fitted(words, Ink::Note, screen.width()));
        }
        rows.write(&canvas, index, *middle);
        drawing.draw_lane(lane, rows.marks(*middle));
    }
    write_below(&canvas, &across, lanes, &time.title);
    write_left(&canvas, &upward, bars, "");
    canvas.text(Ink::Note, HPos::Left, (0.0, LEGEND_HEIGHT / 2.0), &calls.title);
    Some(canvas.finish("timeline", id, description))
}

/// What is drawn, and where.
struct Drawing<'a> {
    chart: &'a TimelineChart,
    screen: Screen,
    canvas: &'a Canvas,
    plot: &'a Plot,
    bars: Frame,
    patterns: &'a str,
}

impl Drawing<'_> {
    /// The left and the right end of a slice.
    fn ends(&self, slice: usize) -> (f64, f64) {
        let at = |ns: f64| place(self.plot, ns.min(self.chart.length_ns), 0.0).0;
        let begin = slice as f64 * self.chart.slice_ns;
        let (left, right) = (at(begin) + GAP / 2.0, at(begin + self.chart.slice_ns) - GAP / 2.0);
        (left, right.max(left + LEAST_WIDTH))
    }

    fn lane_frame(&self, middle: f64) -> Frame {
        Frame { top: middle - MARK_HEIGHT / 2.0, bottom: middle + MARK_HEIGHT / 2.0, ..self.bars }
    }

    /// The calls of each slice, those that failed on top; the axis ends above `most`.
    fn draw_bars(&self, most: f64) {
        let most_height = self.bars.bottom - place(self.plot, 0.0, most).1;
        let calls = self.chart.slices.iter().enumerate().filter(|(_, calls)| **calls != (0, 0));
        for (slice, (worked, failed)) in calls {
            let (left, right) = self.ends(slice);
            let mut bottom = self.bars.bottom;
            for ((kind, _), count) in
                KINDS.into_iter().zip([*worked, *failed]).filter(|(_, count)| *count > 0)
            {
                let height = (count as f64 / most * most_height).max(LEAST_HEIGHT);
                let frame = Frame { left, top: bottom - height, right, bottom };
                let classes = format!("{} {}", Ink::Segment.class(), class(kind));
                self.canvas.single_rectangle(&classes, frame, &fill(self.patterns, kind), "");
                bottom -= height;
            }
            let calls = things(worked + failed, "call");
            let hint = format!("{}: {calls}, {} failed", span(self.chart, slice), grouped(*failed));
            if !self.screen.hint(&hint).is_empty() {
                let frame = Frame { left, right, ..self.bars };
                self.canvas.single_rectangle(Ink::Target.class(), frame, "", &hint);
            }
        }
    }

    fn draw_lane(&self, lane: &TimelineLane, middle: f64) {
        let frame = self.lane_frame(middle);
        if let LaneMarks::Unknown(reason) = &lane.marks {
            let words = fitted(reason, Ink::Note, frame.width() - 8.0);
            self.canvas.text(Ink::Note, HPos::Left, (frame.left + 4.0, middle), &words);
        }
        for slice in (0..self.chart.slices.len()).filter(|slice| self.chart.level(lane, *slice) > 0) {
            let (left, right) = self.ends(slice);
            let classes = cell_classes(lane.kind, self.chart.level(lane, slice));
            let hint = hint(self.chart, lane, slice);
            let frame = Frame { left, right, ..frame };
            self.canvas.single_rectangle(&classes, frame, "", self.screen.hint(&hint));
        }
    }
}

/// At the right, above the bars.
fn draw_legend(canvas: &Canvas, id: &str, right: f64) {
    let middle = LEGEND_HEIGHT / 2.0;
    let mut right = right;
    for (kind, word) in KINDS.into_iter().rev() {
        canvas.text(Ink::Note, HPos::Right, (right, middle), word);
        right -= width(word, Ink::Note) + 6.0;
        let frame = Frame { left: right - SWATCH_WIDTH, right, top: middle - 6.0, bottom: middle + 6.0 };
        let classes = format!("{} {}", Ink::Segment.class(), class(kind));
        canvas.single_rectangle(&classes, frame, &fill(id, kind), "");
        right -= SWATCH_WIDTH + 14.0;
    }
}

fn heading(kind: LaneKind) -> &'static str {
    match kind {
        LaneKind::Program => "made by (strong: most of a slice's calls)",
        LaneKind::Purpose => "what for (strong: most of a slice's calls)",
        LaneKind::Wait => "threads waited (strong: most of a slice's time)",
    }
}

fn cell_classes(kind: LaneKind, level: usize) -> String {
    let of = if kind == LaneKind::Wait { SegmentKind::Device } else { SegmentKind::Call };
    format!("c-cell {} level-{level}", class(of))
}

fn span(chart: &TimelineChart, slice: usize) -> String {
    let begin = slice as f64 * chart.slice_ns;
    let end = (begin + chart.slice_ns).min(chart.length_ns);
    format!("{} to {}", short_time(begin), short_time(end))
}

fn hint(chart: &TimelineChart, lane: &TimelineLane, slice: usize) -> String {
    let what = match &lane.marks {
        LaneMarks::Calls(calls) => {
            format!("{} of {}", grouped(calls[slice]), things(chart.calls(slice), "call"))
        }
        LaneMarks::Time(ns) => {
            format!("{}, {}", short_time(ns[slice] as f64), percent(chart.part(lane, slice)))
        }
        LaneMarks::Unknown(reason) => reason.clone(),
    };
    format!("{}, {}: {what}", lane.label, span(chart, slice))
}
