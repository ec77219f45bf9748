//! What a picture shows, as data: rows, lines, marks and axes. How it is drawn
//! stands in `html`; what it is made of, in `document`.

use crate::palette::SeriesStyle;

/// A picture.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Chart {
    Intervals(IntervalChart),
    Stacks(StackChart),
    Lines(LineChart),
    Scatter(ScatterChart),
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
