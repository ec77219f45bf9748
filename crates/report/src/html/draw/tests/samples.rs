//! Small charts with something of everything.

use crate::chart::{
    Axis, IntervalChart, IntervalRow, LaneKind, LaneMarks, Line, LineChart, Mark, MarkKind, Point, Rule,
    Scale, ScatterChart, ScatterPoint, Segment, SegmentKind, Sign, SignKind, StackChart, StackRow,
    TimelineChart, TimelineLane, Values,
};
use crate::palette::{Hue, SeriesStyle};

pub(super) fn axis(scale: Scale, values: Values) -> Axis {
    Axis { title: "time per operation".to_owned(), scale, values }
}

pub(super) fn style(hue: Hue, shade: u8, marker: u8) -> SeriesStyle {
    SeriesStyle { hue, shade, marker }
}

pub(super) fn mark(kind: MarkKind, value: f64, ends: Option<(f64, f64)>) -> Mark {
    Mark { kind, value, ends, hint: format!("{kind:?} {value} <ns>, n = 5 & more") }
}

pub(super) fn intervals(scale: Scale) -> IntervalChart {
    let dots = vec![652.0, 655.0, 659.0];
    let row =
        |label: &str, style, marks| IntervalRow { label: label.to_owned(), style, marks, dots: dots.clone() };
    IntervalChart {
        axis: axis(scale, Values::Time),
        rows: vec![
            row(
                "native:openat",
                style(Hue::Native, 0, 1),
                vec![mark(MarkKind::Here, 655.0, Some((650.0, 660.0)))],
            ),
            row(
                "go:os.Open",
                style(Hue::Go, 1, 0),
                vec![
                    mark(MarkKind::Here, 2347.0, Some((1950.0, 2430.0))),
                    mark(MarkKind::Before, 2600.0, Some((2500.0, 2700.0))),
                ],
            ),
            row(
                "java:a_method_with_a_name_of_many_letters",
                style(Hue::Java, 2, 2),
                vec![mark(MarkKind::Here, 12_000.0, None), mark(MarkKind::Reported, 34_000.0, None)],
            ),
        ],
        rules: [("null call 94 ns", 94.0), ("fstat 149 ns", 149.0), ("pread 182 ns", 182.0)]
            .map(|(label, at)| Rule { at, label: label.to_owned() })
            .into(),
        legend: [
            (SignKind::Interval, "median and 95 % interval"),
            (SignKind::Dot, "each process run"),
            (SignKind::Reported, "as published, another machine"),
        ]
        .map(|(kind, word)| Sign { kind, word: word.to_owned() })
        .into(),
    }
}

pub(super) fn scatter() -> ScatterChart {
    let point = |label: &str, style, x, y: f64| ScatterPoint {
        label: label.to_owned(),
        style,
        x,
        y,
        hint: format!("{label}: {x} calls, {y} <ns> & more"),
    };
    ScatterChart {
        x: Axis {
            title: "system calls of one operation".to_owned(),
            scale: Scale::Linear,
            values: Values::Plain,
        },
        y: axis(Scale::Logarithmic, Values::Time),
        points: vec![
            point("native:openat", style(Hue::Native, 0, 1), 2.0, 655.0),
            point("go:os.Open", style(Hue::Go, 1, 0), 8.0, 2347.0),
            point("native:open", style(Hue::Native, 1, 1), 2.0, 660.0),
            point("java:a_method_with_a_name_of_many_letters", style(Hue::Java, 2, 2), 4.0, 12_000.0),
        ],
    }
}

pub(super) fn stacks() -> StackChart {
    let segment = |kind, label: &str, value: f64| Segment {
        kind,
        label: label.to_owned(),
        value,
        hint: format!("{label}: {value} ns & <more>"),
    };
    let [call, fault, device, queue, idle, runtime] = SegmentKind::ALL;
    StackChart {
        axis: axis(Scale::Linear, Values::Time),
        rows: vec![
            StackRow {
                label: "native:File+read_to_end".to_owned(),
                style: style(Hue::Native, 0, 0),
                segments: vec![
                    segment(call, "openat", 800.0),
                    segment(call, "close", 20.0),
                    segment(fault, "page faults", 25.0),
                    segment(device, "device", 700.0),
                    segment(runtime, "rest", -12.0),
                ],
                ends: Some((1500.0, 1580.0)),
            },
            StackRow {
                label: "go:os.ReadFile".to_owned(),
                style: style(Hue::Go, 0, 0),
                segments: vec![
                    segment(call, "openat", 820.0),
                    segment(queue, "waiting", 500.0),
                    segment(idle, "loop", 400.0),
                    segment(runtime, "rest of it", 900.0),
                ],
                ends: None,
            },
        ],
    }
}

pub(super) fn lines() -> LineChart {
    let line = |label: &str, style, start: f64| Line {
        label: label.to_owned(),
        style,
        points: [1024.0, 8192.0, 65_536.0, 1_048_576.0]
            .into_iter()
            .map(|x: f64| {
                let y = start + x * 0.1;
                let hint = format!("{label} at {x}: {y} ns");
                Point { x, y, ends: Some((y * 0.95, y * 1.1)), hint }
            })
            .collect(),
    };
    LineChart {
        x: Axis { title: "size".to_owned(), scale: Scale::Logarithmic, values: Values::Bytes },
        y: axis(Scale::Logarithmic, Values::Time),
        lines: vec![
            line("go:os.ReadFile", style(Hue::Go, 0, 0), 900.0),
            line("native:File+read_to_end", style(Hue::Native, 1, 1), 700.0),
            line("python:open_and_read_and_close_it", style(Hue::Python, 2, 3), 3000.0),
        ],
        rules: vec![Rule { at: 94.0, label: "null call".to_owned() }],
        stepped: false,
    }
}

pub(super) fn distribution() -> LineChart {
    let line = |label: &str, style, start: f64| Line {
        label: label.to_owned(),
        style,
        points: (1..=4_u8)
            .map(|step| {
                let x = start * 1.5_f64.powi(i32::from(step));
                Point { x, y: f64::from(step) / 4.0, ends: None, hint: format!("{label}: {step} of 4") }
            })
            .collect(),
    };
    LineChart {
        x: axis(Scale::Logarithmic, Values::Time),
        y: Axis { title: "share of operations".to_owned(), scale: Scale::Linear, values: Values::Share },
        lines: vec![
            line("python:os.open", style(Hue::Python, 0, 0), 2000.0),
            line("go:os.Open", style(Hue::Go, 0, 1), 700.0),
        ],
        rules: vec![Rule { at: 1000.0, label: "a floor".to_owned() }],
        stepped: true,
    }
}

pub(super) fn timeline() -> TimelineChart {
    let lane = |kind, label: &str, marks| TimelineLane { kind, label: label.to_owned(), marks };
    TimelineChart {
        slice_ns: 2e6,
        length_ns: 7e6,
        slices: vec![(30, 10), (0, 0), (7, 0), (0, 1200)],
        lanes: vec![
            lane(LaneKind::Program, "bash (3 processes)", LaneMarks::Calls(vec![40, 0, 1, 0])),
            lane(LaneKind::Program, "node <&>", LaneMarks::Calls(vec![0, 0, 6, 1200])),
            lane(
                LaneKind::Purpose,
                "a_package_with_a_name_of_very_many_letters",
                LaneMarks::Calls(vec![40, 0, 7, 1200]),
            ),
            lane(LaneKind::Wait, "in calls", LaneMarks::Time(vec![1_000_000, 900, 0, 5_000_000])),
            lane(LaneKind::Wait, "elsewhere", LaneMarks::Unknown("nobody knows".to_owned())),
        ],
    }
}
