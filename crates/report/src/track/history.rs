//! Kept runs as a history: commits in order, a line for each metric, and where lines change.

mod series;

use fathom_audit::{Commit, CountRange, TrackedCount, TrackedRun};
use fathom_stats::{CountPoint, CountStep, TimeShift, count_history, time_shifts};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use series::Commits;
use std::collections::{BTreeMap, BTreeSet};

/// The version of this form. It rises when a reader of the older form would misread the newer one.
pub const TRACK_REPORT_VERSION: u32 = 1;

/// What tells this kind of file from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TrackReportKind {
    /// Counts and times over commits.
    TrackReport,
}

/// Counts and times over commits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrackReport {
    /// What this file is.
    pub kind: TrackReportKind,
    /// The form of this value.
    pub schema_version: u32,
    /// Version of the Fathom that wrote it.
    pub fathom_version: String,
    /// The store that it is made of.
    pub store: String,
    /// Commits that were run, the oldest first.
    pub commits: Vec<TrackedCommit>,
    /// A line for each metric.
    pub metrics: Vec<MetricLine>,
    /// Where lines change, the newest first.
    pub changes: Vec<ChangePoint>,
    /// What is left out, damaged or to be known.
    pub notes: Vec<String>,
    /// What was replaced in it before it was written, where something was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redacted: Option<String>,
}

/// A commit that was run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TrackedCommit {
    /// The commit.
    pub commit: Commit,
    /// Kept runs of it.
    pub runs: u32,
}

/// One metric over all commits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MetricLine {
    /// The command's name.
    pub command: String,
    /// `calls`, `openat`, `openat=ENOENT`, `wall`.
    pub name: String,
    /// `calls` or `ns`.
    pub unit: String,
    /// True of a count that varies by itself.
    pub varies: bool,
    /// A point for each commit; null where it is not known.
    pub points: Vec<Option<MetricPoint>>,
}

/// A metric at one commit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MetricPoint {
    /// Of a time, the median; of a count, the middle of its range.
    pub value: f64,
    /// The least, or where noise ends below.
    pub low: f64,
    /// The most, or where noise ends above.
    pub high: f64,
}

/// A place at which a line changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangePoint {
    /// The command's name.
    pub command: String,
    /// The place of `commit` among the commits.
    pub index: usize,
    /// The first commit after the change.
    pub commit: Commit,
    /// The last one before that was run.
    pub previous: Commit,
    /// True where `previous` is a parent of `commit`: no other commit lies between.
    pub is_adjacent: bool,
    /// What changed.
    pub what: WhatChanged,
}

/// What changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WhatChanged {
    /// Counts, by their metric, with the classes of calls that differ most.
    Counts {
        /// What changed.
        rows: Vec<CountRow>,
        /// Classes that differ between the two commits.
        classes: Vec<ClassRow>,
    },
    /// A time.
    Time {
        /// `wall`, `cpu`, or a variant.
        metric: String,
        /// The median before, in ns.
        from_ns: f64,
        /// The median after.
        to_ns: f64,
        /// The places of the first and the last commit at which it may have been as well.
        within: (usize, usize),
        /// Whether counts changed there, too.
        work: Work,
    },
}

/// A count that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CountRow {
    /// `openat`, `openat=ENOENT`.
    pub metric: String,
    /// Whose calls, and of which program.
    pub owner: String,
    /// The range before.
    pub from: CountRange,
    /// The range after.
    pub to: CountRange,
}

/// A class of calls that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClassRow {
    /// `openat`.
    pub metric: String,
    /// The path class.
    pub path: String,
    /// Whose calls, and of which program.
    pub owner: String,
    /// The range before.
    pub from: CountRange,
    /// The range after.
    pub to: CountRange,
}

/// Whether the work changed where a time did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// Counts changed there, too.
    Changed,
    /// No count did.
    Same,
    /// It is not known, for this reason.
    NotKnown(String),
}

/// The history of kept runs. `order` names their commits, the oldest first; runs of others are left out,
/// and that is said. Pure.
pub fn track_report(
    order: &[String],
    runs: &[TrackedRun],
    store: &str,
    mut notes: Vec<String>,
) -> TrackReport {
    let commits = Commits::of(order, runs, &mut notes);
    let mut metrics = Vec::new();
    let mut changes = Vec::new();
    let names: BTreeSet<&str> =
        commits.runs().flat_map(|run| &run.facts.commands).map(|command| command.name.as_str()).collect();
    for name in names {
        let counted = commits.counts(name, &mut notes);
        let mut steps: BTreeMap<usize, Vec<(series::Key, CountStep)>> = BTreeMap::new();
        let mut unsure = None;
        let mut lines: BTreeMap<String, (Vec<Option<CountPoint>>, bool)> = BTreeMap::new();
        for (key, points) in counted.by_owner() {
            let history = count_history(&points);
            for step in history.steps {
                steps.entry(step.index).or_default().push((key.clone(), step));
            }
            unsure = unsure.or(history.unsure_from);
            let line = lines.entry(key.metric.clone()).or_insert_with(|| (vec![None; points.len()], false));
            line.1 |= history.varies;
            for (sum, point) in line.0.iter_mut().zip(&points) {
                if let Some(point) = point {
                    let sum = sum.get_or_insert(CountPoint { low: 0, high: 0 });
                    (sum.low, sum.high) = (sum.low + point.low, sum.high + point.high);
                }
            }
        }
        if let Some(index) = unsure {
            let commit = commits.commit(index).short().to_owned();
            notes.push(format!(
                "{name}: from {commit} on a count that varies by itself is outside its range; more commits will tell"
            ));
        }
        if counted.total.iter().any(Option::is_some) {
            metrics.push(line(name, "calls", &counted.total, false));
        }
        metrics.extend(lines.iter().map(|(metric, (points, varies))| line(name, metric, points, *varies)));
        for (index, group) in &steps {
            let before = group.iter().map(|(_, step)| step.before).min().unwrap_or(0);
            let rows = group.iter().map(|(key, step)| CountRow {
                metric: key.metric.clone(),
                owner: key.owner.clone(),
                from: range(step.from),
                to: range(step.to),
            });
            let what = WhatChanged::Counts {
                rows: rows.collect(),
                classes: counted.classes_between(before, *index),
            };
            changes.push(commits.change(name, *index, before, what));
        }
        for (metric, points) in commits.times(name) {
            let medians: Vec<_> = points.iter().map(|point| point.map(|point| point.value)).collect();
            for shift in time_shifts(&medians) {
                let work = work(&counted.total, steps.keys().copied(), unsure, &shift);
                let before = (0..shift.index).rev().find(|place| medians[*place].is_some()).unwrap_or(0);
                let what = WhatChanged::Time {
                    metric: metric.clone(),
                    from_ns: shift.from,
                    to_ns: shift.to,
                    within: shift.within,
                    work,
                };
                changes.push(commits.change(name, shift.index, before, what));
            }
            metrics.push(MetricLine {
                command: name.to_owned(),
                name: metric,
                unit: "ns".to_owned(),
                varies: true,
                points,
            });
        }
    }
    changes.sort_by_key(|change| std::cmp::Reverse(change.index));
    TrackReport {
        kind: TrackReportKind::TrackReport,
        schema_version: TRACK_REPORT_VERSION,
        fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
        store: store.to_owned(),
        commits: commits.listed(),
        metrics,
        changes,
        notes,
        redacted: None,
    }
}

fn line(command: &str, name: &str, points: &[Option<CountPoint>], varies: bool) -> MetricLine {
    let point = |point: &Option<CountPoint>| {
        let (low, high) = point.map(|point| (point.low as f64, point.high as f64))?;
        Some(MetricPoint { value: f64::midpoint(low, high), low, high })
    };
    let points: Vec<_> = points.iter().map(point).collect();
    let varies = varies || points.iter().flatten().any(|point| point.low < point.high);
    MetricLine {
        command: command.to_owned(),
        name: name.to_owned(),
        unit: "calls".to_owned(),
        varies,
        points,
    }
}

fn range(point: CountPoint) -> CountRange {
    CountRange { low: point.low, high: point.high }
}

/// Whether counts changed where a time may have: from the commit before the first place to the last.
fn work(
    counted: &[Option<CountPoint>],
    mut steps: impl Iterator<Item = usize>,
    unsure: Option<usize>,
    shift: &TimeShift,
) -> Work {
    let (first, last) = shift.within;
    let is_known = |places: std::ops::Range<usize>| counted[places].iter().any(Option::is_some);
    if steps.any(|index| (first..=last).contains(&index)) {
        Work::Changed
    } else if !is_known(0..first.min(counted.len())) || !is_known(last.min(counted.len())..counted.len()) {
        Work::NotKnown("its calls were not counted on both sides".to_owned())
    } else if unsure.is_some_and(|index| index <= last) {
        Work::NotKnown("a count that varies by itself left its range there, too".to_owned())
    } else {
        Work::Same
    }
}

/// What two commits' counts differ by: those whose ranges do not touch.
pub(super) fn is_apart(one: CountRange, other: CountRange) -> bool {
    one.high < other.low || other.high < one.low
}

/// The metric of a class: its call and how it ended.
pub(super) fn metric(count: &TrackedCount) -> String {
    use crate::change::sentence;
    let class = &count.class;
    let outcome = sentence::outcome(&class.outcome);
    match class.outcome {
        fathom_audit::OutcomeClass::Succeeded => class.call.clone(),
        _ => format!("{}={outcome}", class.call),
    }
}
