//! What a picture shows, as data: rows, lines, marks and axes. How it is drawn
//! stands in `html`; what it is made of, in `document`.

use crate::palette::SeriesStyle;
use crate::quantity::{grouped, short_time};

/// A picture.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Chart {
    Intervals(IntervalChart),
    Stacks(StackChart),
    Lines(LineChart),
    Scatter(ScatterChart),
    Timeline(TimelineChart),
    /// A flame graph, drawn by its own library: an SVG element.
    Flame(String),
}

/// An axis. Values are plain numbers in its unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Axis {
    /// With its unit: `time per operation (ns)`.
    pub(crate) title: String,
    pub(crate) scale: Scale,
    /// How values of the axis are written.
    pub(crate) values: Values,
}

/// How values lie on an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    /// From 0 on, or from the smallest value where that is below.
    Linear,
    /// Equal ratios are equally wide. Values of 0 and less are not drawn.
    Logarithmic,
}

/// How a value at a tick is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Values {
    /// `1000`, `0.5`.
    Plain,
    /// Nanoseconds, with their own unit: `2 µs`.
    Time,
    /// Bytes, in powers of two: `64 KiB`.
    Bytes,
    /// A share of 1, in percent.
    Share,
    /// A ratio: `1.5×`.
    Ratio,
}

/// Estimates with their intervals below each other on one axis.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct IntervalChart {
    pub(crate) axis: Axis,
    /// In the order in which they are drawn, from above.
    pub(crate) rows: Vec<IntervalRow>,
    /// Drawn across all rows: the machine's floors, or 1 of a ratio.
    pub(crate) rules: Vec<Rule>,
    /// What the signs stand for, above the rows. Whiskers that leave the picture are explained by
    /// the drawing, which alone knows of them.
    pub(crate) legend: Vec<Sign>,
}

/// A sign of a picture and what it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sign {
    pub(crate) kind: SignKind,
    pub(crate) word: String,
}

/// What a legend explains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignKind {
    /// A mark with its whisker.
    Interval,
    /// A mark alone.
    Mark,
    /// A small dot below a mark.
    Dot,
    /// A mark that was published.
    Reported,
    /// An arrow where a whisker leaves the picture.
    Beyond,
}

/// One line of marks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct IntervalRow {
    pub(crate) label: String,
    pub(crate) style: SeriesStyle,
    pub(crate) marks: Vec<Mark>,
    /// What the first mark is made of, each drawn small below it: the medians of process runs.
    pub(crate) dots: Vec<f64>,
}

/// An estimate on an axis.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mark {
    pub(crate) kind: MarkKind,
    pub(crate) value: f64,
    pub(crate) ends: Option<(f64, f64)>,
    /// What it is, with value, interval and n: read on hover.
    pub(crate) hint: String,
}

/// Whose estimate a mark is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MarkKind {
    /// Measured here.
    Here,
    /// Measured here earlier: the record that stands beside it.
    Before,
    /// Published by somebody, of another machine.
    Reported,
}

/// A line across a picture.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rule {
    pub(crate) at: f64,
    pub(crate) label: String,
}

/// Sums of parts beside each other.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StackChart {
    pub(crate) axis: Axis,
    pub(crate) rows: Vec<StackRow>,
}

/// A sum and its parts, in the order in which they are laid.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StackRow {
    pub(crate) label: String,
    pub(crate) style: SeriesStyle,
    pub(crate) segments: Vec<Segment>,
    /// The interval of the whole.
    pub(crate) ends: Option<(f64, f64)>,
}

/// A part of a sum. Parts below 0 are not drawn; they are said.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Segment {
    pub(crate) kind: SegmentKind,
    /// `openat`; set inside where it fits.
    pub(crate) label: String,
    pub(crate) value: f64,
    pub(crate) hint: String,
}

/// What a part of a time is; each has a color and, for those who cannot tell
/// colors, a pattern or a border of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SegmentKind {
    Call,
    Fault,
    Device,
    RunQueue,
    Loop,
    Runtime,
}

impl SegmentKind {
    /// Every kind, in the order of a legend.
    pub(crate) const ALL: [Self; 6] =
        [Self::Call, Self::Fault, Self::Device, Self::RunQueue, Self::Loop, Self::Runtime];

    /// Its name in a legend.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Call => "system calls",
            Self::Fault => "page faults and page cache",
            Self::Device => "waiting for the device",
            Self::RunQueue => "waiting for a CPU",
            Self::Loop => "the driver's loop",
            Self::Runtime => "unattributed: runtime, or no unit cost",
        }
    }
}

/// Lines over a common axis: sizes, threads, time, or a distribution.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LineChart {
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) lines: Vec<Line>,
    /// Values of y; of a distribution, of x.
    pub(crate) rules: Vec<Rule>,
    /// True where a value holds until the next: a distribution.
    pub(crate) stepped: bool,
}

/// One line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    pub(crate) label: String,
    pub(crate) style: SeriesStyle,
    pub(crate) points: Vec<Point>,
}

/// A point of a line, with its interval where there is one: drawn as a band.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) ends: Option<(f64, f64)>,
    /// Read on hover; empty for none.
    pub(crate) hint: String,
}

/// Points in a plane, such as times against numbers of calls.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ScatterChart {
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    /// Those that are to be named first come first: where names have no room, later ones have none.
    pub(crate) points: Vec<ScatterPoint>,
}

/// A point of a scatter.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ScatterPoint {
    pub(crate) label: String,
    pub(crate) style: SeriesStyle,
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// Read on hover.
    pub(crate) hint: String,
}

/// A run in slices of equal length: how many calls each has, and below that, on the same axis, by whom and for
/// what they were, and how long threads waited.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TimelineChart {
    /// How long a slice is, and the whole run, in ns.
    pub(crate) slice_ns: f64,
    pub(crate) length_ns: f64,
    /// Of each slice, its calls that worked and those that failed.
    pub(crate) slices: Vec<(u64, u64)>,
    /// Lanes of one kind follow each other.
    pub(crate) lanes: Vec<TimelineLane>,
}

/// A line of a timeline.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TimelineLane {
    pub(crate) kind: LaneKind,
    pub(crate) label: String,
    pub(crate) marks: LaneMarks,
}

/// What a lane says of each slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LaneKind {
    /// Who made its calls.
    Program,
    /// What its calls were for.
    Purpose,
    /// How long threads waited in calls.
    Wait,
}

/// What is known of each slice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LaneMarks {
    /// Some of its calls.
    Calls(Vec<u64>),
    /// A time in ns.
    Time(Vec<u64>),
    /// Nothing, for this reason.
    Unknown(String),
}

impl TimelineChart {
    /// Calls of a slice.
    pub(crate) fn calls(&self, slice: usize) -> u64 {
        self.slices.get(slice).map_or(0, |(worked, failed)| worked + failed)
    }

    /// The most calls of a slice.
    pub(crate) fn most_calls(&self) -> u64 {
        (0..self.slices.len()).map(|slice| self.calls(slice)).max().unwrap_or(0)
    }

    /// How much of a slice a lane has, from 0 to 1: of its calls, or of its time, of which several threads may have
    /// more than all.
    pub(crate) fn part(&self, lane: &TimelineLane, slice: usize) -> f64 {
        let (value, whole) = match &lane.marks {
            LaneMarks::Calls(calls) => (calls.get(slice), self.calls(slice) as f64),
            LaneMarks::Time(ns) => (ns.get(slice), self.slice_length(slice)),
            LaneMarks::Unknown(_) => (None, 0.0),
        };
        let part = value.map_or(0.0, |value| *value as f64) / whole;
        if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// The same in quarters, from 1 for what is at most one to 4; 0 for no call, and for a time too short to show.
    pub(crate) fn level(&self, lane: &TimelineLane, slice: usize) -> usize {
        const SHOWN_TIME: f64 = 0.01;
        let part = self.part(lane, slice);
        let is_shown = match lane.marks {
            LaneMarks::Calls(_) => part > 0.0,
            LaneMarks::Time(_) => part >= SHOWN_TIME,
            LaneMarks::Unknown(_) => false,
        };
        if is_shown { [0.25, 0.5, 0.75].into_iter().filter(|quarter| part > *quarter).count() + 1 } else { 0 }
    }

    /// How long a slice is, of which the last may be shorter, in ns.
    fn slice_length(&self, slice: usize) -> f64 {
        (self.length_ns - slice as f64 * self.slice_ns).min(self.slice_ns)
    }
}

impl TimelineLane {
    /// What stands at its end: its calls or its time.
    pub(crate) fn figure(&self) -> String {
        match &self.marks {
            LaneMarks::Calls(calls) => grouped(calls.iter().sum()),
            LaneMarks::Time(ns) => short_time(ns.iter().sum::<u64>() as f64),
            LaneMarks::Unknown(_) => String::new(),
        }
    }
}
