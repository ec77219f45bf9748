//! The quantities that are shown over a run, and how each is had from its points.

use crate::quantity::{grouped, number, rounded_bytes, three_digits};
use fathom_model::{LongRun, TimelinePoint};

/// A quantity over the run.
pub(crate) struct Series {
    /// In full, beside its picture.
    pub(crate) name: &'static str,
    /// At the head of its column.
    pub(crate) heading: &'static str,
    /// Its value from one point to a later one, given all points between.
    pub(crate) value: fn(&LongRun, &[TimelinePoint]) -> Option<f64>,
    pub(crate) written: fn(f64) -> String,
    /// When it is shown.
    pub(crate) when: When,
}

/// When a series is shown in brief; in full all are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    Always,
    /// In pictures, and in the table where operations move no bytes.
    Operations,
    /// In the table only: its picture would be that of the operations.
    Bytes,
    OfWriting,
    OfReading,
}

/// In the order in which they are shown.
pub(crate) const SERIES: [Series; 9] = [
    Series {
        name: "operations/s",
        heading: "ops/s",
        value: |_, points| rate(points, |point| Some(point.operations)),
        written: whole,
        when: When::Operations,
    },
    Series {
        name: "bytes/s",
        heading: "bytes/s",
        value: |run, points| {
            let each = (run.bytes > 0).then(|| run.bytes as f64 / run.operations.max(1) as f64)?;
            Some(rate(points, |point| Some(point.operations))? * each)
        },
        written: rounded_bytes,
        when: When::Bytes,
    },
    Series {
        name: "dirty, machine-wide",
        heading: "dirty",
        value: |_, points| most(points, |point| point.dirty_bytes),
        written: rounded_bytes,
        when: When::OfWriting,
    },
    Series {
        name: "in writeback, ditto",
        heading: "writeback",
        value: |_, points| most(points, |point| point.writeback_bytes),
        written: rounded_bytes,
        when: When::OfWriting,
    },
    Series {
        name: "device writes/s",
        heading: "dev. wr/s",
        value: |_, points| rate(points, |point| point.device_written_bytes),
        written: rounded_bytes,
        when: When::OfWriting,
    },
    Series {
        name: "device reads/s",
        heading: "dev. rd/s",
        value: |_, points| rate(points, |point| point.device_read_bytes),
        written: rounded_bytes,
        when: When::OfReading,
    },
    Series {
        name: "pressure: CPU",
        heading: "cpu",
        value: |_, points| share(points, |point| point.cpu_pressure),
        written: share_in_words,
        when: When::Always,
    },
    Series {
        name: "pressure: I/O",
        heading: "io",
        value: |_, points| share(points, |point| point.io_pressure),
        written: share_in_words,
        when: When::Always,
    },
    Series {
        name: "pressure: memory",
        heading: "mem",
        value: |_, points| share(points, |point| point.memory_pressure),
        written: share_in_words,
        when: When::Always,
    },
];

impl When {
    /// Whether a run that writes, or one that does not, shows it.
    pub(crate) fn is_of(self, writes: bool) -> bool {
        match self {
            Self::Always | Self::Operations | Self::Bytes => true,
            Self::OfWriting => writes,
            Self::OfReading => !writes,
        }
    }
}

/// What a running total gained per second.
fn rate(points: &[TimelinePoint], total: fn(&TimelinePoint) -> Option<u64>) -> Option<f64> {
    let (first, last) = (points.first()?, points.last()?);
    let seconds = (last.at_ms - first.at_ms).max(1.0) / 1000.0;
    Some(total(last)?.saturating_sub(total(first)?) as f64 / seconds)
}

/// The most of a state, the first point's belonging to the row before.
fn most(points: &[TimelinePoint], state: fn(&TimelinePoint) -> Option<u64>) -> Option<f64> {
    points.iter().skip(1).filter_map(state).max().map(|bytes| bytes as f64)
}

/// The mean of shares of intervals, by their lengths.
fn share(points: &[TimelinePoint], of_interval: fn(&TimelinePoint) -> Option<f64>) -> Option<f64> {
    let (mut stalled_ms, mut known_ms) = (0.0, 0.0);
    for pair in points.windows(2) {
        if let Some(share) = of_interval(&pair[1]) {
            let length_ms = pair[1].at_ms - pair[0].at_ms;
            (stalled_ms, known_ms) = (stalled_ms + share * length_ms, known_ms + length_ms);
        }
    }
    (known_ms > 0.0).then(|| stalled_ms / known_ms)
}

fn whole(rate: f64) -> String {
    if rate < 100.0 {
        return three_digits(rate);
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rate is not negative")]
    grouped(rate.round() as u64)
}

/// One decimal: pressure is known no better.
fn share_in_words(share: f64) -> String {
    format!("{} %", number(share * 100.0, 1))
}
