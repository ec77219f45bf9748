//! A history as a document: a picture and a table for each command, and every change.

use super::history::{ChangePoint, MetricLine, TrackReport, WhatChanged};
use super::sentence;
use crate::chart::{Axis, Chart, Line, LineChart, Point, Rule, Scale, Values};
use crate::document::{
    Block, Cell, Column, ColumnKind, Document, Figure, Item, Prose, Row, Section, Span, Table, Tone,
};
use crate::palette::{Hue, SeriesStyle};
use crate::quantity::{capitalized, nearly_whole, short_time, things};
use std::collections::BTreeSet;

/// More lines than these cannot be told apart in one picture.
const LINES_MAX: usize = 10;
/// More changes than these are not marked in a picture.
const RULES_MAX: usize = 8;
/// Path classes of a change that its row shows; all are in its hint.
const CLASSES: usize = 3;
/// Colors of lines, one after the other.
const HUES: [Hue; 8] =
    [Hue::Native, Hue::Go, Hue::Python, Hue::Java, Hue::Zig, Hue::Node, Hue::Cpp, Hue::Other];

/// The document, with at most so many rows of each table.
pub(super) fn document(report: &TrackReport, rows: usize) -> Document {
    let mut sections = Vec::new();
    if !report.changes.is_empty() {
        sections.push(changes(report, rows));
    }
    let commands: BTreeSet<&str> = report.metrics.iter().map(|metric| metric.command.as_str()).collect();
    for (number, command) in commands.into_iter().enumerate() {
        sections.push(of_command(report, command, number + 1, rows));
    }
    if !report.notes.is_empty() {
        let item = |note: &String| Item { depth: 0, tone: Tone::Plain, prose: note.as_str().into() };
        sections.push(Section {
            id: "notes".to_owned(),
            title: "To be known".to_owned(),
            blocks: vec![Block::List(report.notes.iter().map(item).collect())],
            ..Section::default()
        });
    }
    sections.push(about());
    Document {
        title: "Counts and times over commits".to_owned(),
        subtitle: format!("{}, Fathom {}", sentence::store(report), report.fathom_version),
        answer: vec![
            Prose(vec![Span::Strong(capitalized(&sentence::verdict(report)))]),
            Prose::from(format!("Next: {}", sentence::next(report))),
        ],
        lead: None,
        sections,
    }
}

/// Every change with its commit and who wrote it.
fn changes(report: &TrackReport, rows: usize) -> Section {
    let row = |change: &ChangePoint| {
        let details = sentence::details(change, usize::MAX);
        let commit = Cell {
            hint: (!details.is_empty()).then(|| details.join("\n")),
            ..Cell::words(Prose::code(change.commit.short()))
        };
        let alone = matches!(change.what, WhatChanged::Time { work: super::Work::Same, .. });
        let what = Cell {
            tone: if alone { Tone::Faint } else { Tone::Plain },
            ..Cell::words(sentence::change(change))
        };
        Row {
            cells: vec![
                commit,
                Cell::words(change.commit.author.as_str()),
                Cell::words(change.commit.committed.split('T').next().unwrap_or_default()),
                Cell::words(change.commit.subject.as_str()),
                what,
                Cell::words(sentence::details(change, CLASSES).join("; ")),
            ],
            ..Row::default()
        }
    };
    let mut blocks = vec![Block::Table(Table {
        caption: "Changes, the newest first: exact steps of counts, and shifts of times".into(),
        columns: vec![
            Column::new("commit", ColumnKind::Name),
            Column::new("author", ColumnKind::Words),
            Column::new("committed", ColumnKind::Words),
            Column::new("subject", ColumnKind::Words),
            Column::new("what changed", ColumnKind::Words),
            Column::new("where", ColumnKind::Words),
        ],
        rows: report.changes.iter().take(rows).map(row).collect(),
        interactive: report.changes.len() > 4,
    })];
    if rows < report.changes.len() {
        let more = things((report.changes.len() - rows) as u64, "older change");
        blocks.push(Block::Prose(format!("{more} in the page.").into()));
    }
    Section { id: "changes".to_owned(), title: "Changes".to_owned(), blocks, ..Section::default() }
}

fn of_command(report: &TrackReport, command: &str, number: usize, rows: usize) -> Section {
    let metrics: Vec<&MetricLine> =
        report.metrics.iter().filter(|metric| metric.command == command).collect();
    let mut blocks = Vec::new();
    for (unit, title, values) in
        [("calls", "calls per run", Values::Plain), ("ns", "time of a run", Values::Time)]
    {
        let of_unit: Vec<&MetricLine> =
            metrics.iter().copied().filter(|metric| metric.unit == unit).collect();
        let is_counts = unit == "calls";
        if let Some(chart) = chart(report, command, &of_unit, title, values, is_counts) {
            blocks.push(Block::Figure(Figure {
                id: format!("lines-{number}-{unit}"),
                caption: format!("{title} of {command}, commit by commit").into(),
                description: format!(
                    "{title} of {command} over {}",
                    things(report.commits.len() as u64, "commit")
                ),
                chart,
            }));
        }
    }
    let row = |metric: &&MetricLine| {
        let known: Vec<_> = metric.points.iter().flatten().collect();
        let written = |value: f64| if metric.unit == "ns" { short_time(value) } else { nearly_whole(value) };
        let cell = |point: Option<&&super::MetricPoint>| match point {
            Some(point) if (point.low - point.high).abs() < 1e-9 => {
                Cell::figure(written(point.value), Some(point.value))
            }
            Some(point) => {
                let text = format!("{} to {}", written(point.low), written(point.high));
                Cell::figure(text, Some(point.value))
            }
            None => Cell::words("not known"),
        };
        Row {
            cells: vec![
                Cell::words(Prose::code(&metric.name)),
                cell(known.first()),
                cell(known.last()),
                Cell::words(if metric.varies { "varies by itself" } else { "exact" }),
                Cell::figure(known.len().to_string(), Some(known.len() as f64)),
            ],
            ..Row::default()
        }
    };
    blocks.push(Block::Table(Table {
        caption: format!("Every metric of {command}, at the first and at the last commit").into(),
        columns: vec![
            Column::new("metric", ColumnKind::Name),
            Column::new("first", ColumnKind::Figure),
            Column::new("last", ColumnKind::Figure),
            Column::new("kind", ColumnKind::Words),
            Column::new("commits", ColumnKind::Figure),
        ],
        rows: metrics.iter().take(rows).map(row).collect(),
        interactive: metrics.len() > 4,
    }));
    Section { id: format!("command-{number}"), title: command.to_owned(), blocks, ..Section::default() }
}

/// The lines that change most; those that never do have their row in the table.
fn chart(
    report: &TrackReport,
    command: &str,
    metrics: &[&MetricLine],
    title: &str,
    values: Values,
    stepped: bool,
) -> Option<Chart> {
    let mut shown: Vec<&MetricLine> = metrics.to_vec();
    let moved = |metric: &MetricLine| {
        let known = || metric.points.iter().flatten().map(|point| point.value);
        let (low, high) = (known().fold(f64::INFINITY, f64::min), known().fold(0.0, f64::max));
        (high - low).max(0.0)
    };
    // The sum of all calls comes first by its name.
    shown.sort_by(|one, other| {
        let is_sum = |metric: &MetricLine| metric.name == "calls";
        is_sum(other).cmp(&is_sum(one)).then(moved(other).total_cmp(&moved(one)))
    });
    shown.truncate(LINES_MAX);
    let line = |(number, metric): (usize, &&MetricLine)| {
        let point = |(place, point): (usize, &Option<super::MetricPoint>)| {
            let point = (*point)?;
            let commit = &report.commits[place].commit;
            let hint = format!(
                "{} {} ({}): {} {}",
                commit.short(),
                commit.subject,
                commit.author,
                metric.name,
                if metric.unit == "ns" { short_time(point.value) } else { nearly_whole(point.value) }
            );
            let ends = (point.low < point.high).then_some((point.low, point.high));
            Some(Point { x: place as f64 + 1.0, y: point.value, ends, hint })
        };
        let marker = u8::try_from(number % 4).unwrap_or(0);
        Line {
            label: metric.name.clone(),
            style: SeriesStyle { hue: HUES[number % HUES.len()], shade: 0, marker },
            points: metric.points.iter().enumerate().filter_map(point).collect(),
        }
    };
    let lines: Vec<Line> = shown.iter().enumerate().map(line).filter(|line| line.points.len() > 1).collect();
    if lines.is_empty() {
        return None;
    }
    let is_of_unit = |change: &&ChangePoint| {
        change.command == command && matches!(change.what, WhatChanged::Counts { .. }) == stepped
    };
    let rule = |change: &ChangePoint| Rule {
        at: change.index as f64 + 1.0,
        label: change.commit.short().to_owned(),
    };
    let rules = report.changes.iter().filter(is_of_unit).take(RULES_MAX).map(rule).collect();
    Some(Chart::Lines(LineChart {
        x: Axis { title: "commit, from the oldest".to_owned(), scale: Scale::Linear, values: Values::Plain },
        y: Axis { title: title.to_owned(), scale: Scale::Linear, values },
        lines,
        rules: if stepped { rules } else { Vec::new() },
        stepped,
    }))
}

fn about() -> Section {
    let item = |text: &str| Item { depth: 0, tone: Tone::Plain, prose: text.into() };
    Section {
        id: "about".to_owned(),
        title: "What counts as a change".to_owned(),
        blocks: vec![Block::List(vec![
            item(
                "A count that is the same in all runs of every commit changes where it is another one. One that varies \
                 by itself changes where more commits leave the range of all before than chance explains.",
            ),
            item(
                "A time changes where the commits before and after differ by more than the order of equal commits \
                 explains (E-divisive on ranks; of 10,000 histories without a change, one has a false alarm).",
            ),
            item(
                "Calls are followed by call, outcome, owner and program: one that went to another path is no change.",
            ),
        ])],
        ..Section::default()
    }
}
