//! Kept runs by commit, and of each command a series of counts and of times.

use super::{ChangePoint, ClassRow, MetricPoint, TrackedCommit, WhatChanged, is_apart, metric};
use crate::change::sentence;
use crate::quantity::things;
use fathom_audit::{Commit, CountRange, TrackedCount, TrackedRun};
use fathom_stats::{CountPoint, median};
use std::collections::{BTreeMap, BTreeSet};

/// Classes of calls that a change shows.
const CLASSES: usize = 50;

/// Commits in order, with their runs.
pub(super) struct Commits<'a> {
    entries: Vec<(&'a Commit, Vec<&'a TrackedRun>)>,
}

/// What counts are followed by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) metric: String,
    pub(super) owner: String,
}

/// The counts of one command.
pub(super) struct Counts<'a> {
    /// Of each commit the ranges of all classes; `None` where they are not known.
    commits: Vec<Option<BTreeMap<Class<'a>, CountPoint>>>,
    /// All calls.
    pub(super) total: Vec<Option<CountPoint>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Class<'a>(&'a fathom_audit::CallClass);

impl<'a> Commits<'a> {
    pub(super) fn of(order: &[String], runs: &'a [TrackedRun], notes: &mut Vec<String>) -> Self {
        let places: BTreeMap<&str, usize> =
            order.iter().enumerate().map(|(place, id)| (id.as_str(), place)).collect();
        let mut found: BTreeMap<usize, (&Commit, Vec<&TrackedRun>)> = BTreeMap::new();
        let (mut elsewhere, mut changed) = (0, 0);
        for run in runs {
            match places.get(run.facts.commit.id.as_str()) {
                None => elsewhere += 1,
                Some(_) if run.facts.has_changes => changed += 1,
                Some(place) => {
                    let entry = found.entry(*place).or_insert_with(|| (&run.facts.commit, Vec::new()));
                    entry.1.push(run);
                }
            }
        }
        if elsewhere > 0 {
            let runs = things(elsewhere, "run");
            notes
                .push(format!("{runs} of commits that are not on this line of history: --all takes them in"));
        }
        if changed > 0 {
            let runs = things(changed, "run");
            notes.push(format!("{runs} of work trees with changes that were not committed: left out"));
        }
        Self { entries: found.into_values().collect() }
    }

    pub(super) fn runs(&self) -> impl Iterator<Item = &'a TrackedRun> + '_ {
        self.entries.iter().flat_map(|(_, runs)| runs.iter().copied())
    }

    pub(super) fn commit(&self, place: usize) -> &'a Commit {
        self.entries[place].0
    }

    pub(super) fn listed(&self) -> Vec<TrackedCommit> {
        let listed = self.entries.iter().map(|(commit, runs)| TrackedCommit {
            commit: (*commit).clone(),
            runs: u32::try_from(runs.len()).unwrap_or(u32::MAX),
        });
        listed.collect()
    }

    pub(super) fn change(
        &self,
        command: &str,
        index: usize,
        before: usize,
        what: WhatChanged,
    ) -> ChangePoint {
        let (commit, runs) = &self.entries[index];
        let previous = self.commit(before);
        ChangePoint {
            command: command.to_owned(),
            index,
            commit: (*commit).clone(),
            previous: previous.clone(),
            is_adjacent: runs.iter().any(|run| run.facts.parents.contains(&previous.id)),
            what,
        }
    }

    /// The counts of a command, where all of its classes are known and it ended as usual.
    pub(super) fn counts(&self, name: &str, notes: &mut Vec<String>) -> Counts<'a> {
        let of = |run: &&'a TrackedRun| run.facts.commands.iter().find(|command| command.name == name);
        let mut endings: BTreeMap<&str, usize> = BTreeMap::new();
        for command in self.runs().filter_map(|run| of(&run)).filter(|command| command.runs > 0) {
            *endings.entry(command.ended.as_str()).or_default() += 1;
        }
        let usual =
            endings.iter().max_by_key(|(_, runs)| **runs).map(|(ending, _)| *ending).unwrap_or_default();
        let other: usize = endings.iter().filter(|(ending, _)| **ending != usual).map(|(_, runs)| runs).sum();
        if other > 0 {
            let runs = things(other as u64, "run");
            notes
                .push(format!("{name}: {runs} ended otherwise than with {usual}: their counts are left out"));
        }
        let mut counts = Counts { commits: Vec::new(), total: Vec::new() };
        let mut incomplete = 0;
        for (_, runs) in &self.entries {
            let mut merged: Option<BTreeMap<Class<'a>, CountPoint>> = None;
            let mut total: Option<CountPoint> = None;
            for run in runs {
                let Some(command) = of(run).filter(|command| command.runs > 0 && command.ended == usual)
                else {
                    continue;
                };
                if let Some(calls) = command.calls {
                    let point = CountPoint { low: calls.low, high: calls.high };
                    total = Some(total.map_or(point, |total| union(total, point)));
                }
                if run.is_damaged || !command.is_complete {
                    incomplete += 1;
                    continue;
                }
                let rows = run.counts.iter().filter(|count| count.command == name);
                let rows: BTreeMap<Class<'a>, CountPoint> =
                    rows.map(|count| (Class(&count.class), point(count))).collect();
                merged = Some(match merged {
                    None => rows,
                    Some(before) => united(before, rows),
                });
            }
            counts.commits.push(merged);
            counts.total.push(total);
        }
        if incomplete > 0 {
            let runs = things(incomplete, "run");
            notes.push(format!("{name}: {runs} without every class of calls: only their sums are followed"));
        }
        counts
    }

    /// The times of a command, by metric.
    pub(super) fn times(&self, name: &str) -> BTreeMap<String, Vec<Option<MetricPoint>>> {
        let all = self.runs().flat_map(|run| &run.times).filter(|time| time.command == name);
        let metrics: BTreeSet<&str> = all.map(|time| time.metric.as_str()).collect();
        let of_metric = |metric: &str| {
            let point = |(_, runs): &(&Commit, Vec<&TrackedRun>)| {
                let times = runs.iter().flat_map(|run| &run.times);
                let times: Vec<_> =
                    times.filter(|time| time.command == name && time.metric == metric).collect();
                let each = |of: fn(&fathom_audit::TrackedTime) -> f64| -> Vec<f64> {
                    times.iter().map(|time| of(time)).collect()
                };
                Some(MetricPoint {
                    value: median(&each(|time| time.median_ns))?,
                    low: each(|time| time.low_ns).into_iter().fold(f64::INFINITY, f64::min),
                    high: each(|time| time.high_ns).into_iter().fold(f64::NEG_INFINITY, f64::max),
                })
            };
            self.entries.iter().map(point).collect()
        };
        metrics.into_iter().map(|metric| (metric.to_owned(), of_metric(metric))).collect()
    }
}

impl Counts<'_> {
    /// By call, outcome, owner and program: sums over paths. A class that a commit lacks was not called.
    pub(super) fn by_owner(&self) -> BTreeMap<Key, Vec<Option<CountPoint>>> {
        let nothing = || -> Vec<Option<CountPoint>> {
            self.commits
                .iter()
                .map(|commit| commit.as_ref().map(|_| CountPoint { low: 0, high: 0 }))
                .collect()
        };
        let mut series: BTreeMap<Key, Vec<Option<CountPoint>>> = BTreeMap::new();
        for (place, commit) in self.commits.iter().enumerate() {
            for (class, point) in commit.iter().flatten() {
                let points = series.entry(key(class.0)).or_insert_with(nothing);
                if let Some(sum) = &mut points[place] {
                    (sum.low, sum.high) = (sum.low + point.low, sum.high + point.high);
                }
            }
        }
        series
    }

    /// The classes whose ranges at two commits do not touch, the largest difference first.
    pub(super) fn classes_between(&self, before: usize, after: usize) -> Vec<ClassRow> {
        let (Some(old), Some(new)) = (&self.commits[before], &self.commits[after]) else { return Vec::new() };
        let classes: BTreeSet<Class<'_>> = old.keys().chain(new.keys()).copied().collect();
        let of = |commit: &BTreeMap<Class<'_>, CountPoint>, class: &Class<'_>| {
            commit.get(class).map_or(CountRange { low: 0, high: 0 }, |point| super::range(*point))
        };
        let mut rows: Vec<ClassRow> = classes
            .iter()
            .map(|class| {
                let Key { metric, owner } = key(class.0);
                ClassRow {
                    metric,
                    path: class.0.path.clone(),
                    owner,
                    from: of(old, class),
                    to: of(new, class),
                }
            })
            .filter(|row| is_apart(row.from, row.to))
            .collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.to.high.abs_diff(row.from.high)));
        rows.truncate(CLASSES);
        rows
    }
}

fn key(class: &fathom_audit::CallClass) -> Key {
    let count = TrackedCount { command: String::new(), class: class.clone(), low: 0, high: 0 };
    let word = sentence::owner_word(class.owner);
    let owner = if class.program.is_empty() { word.to_owned() } else { format!("{word}, {}", class.program) };
    Key { metric: metric(&count), owner }
}

fn point(count: &TrackedCount) -> CountPoint {
    CountPoint { low: count.low, high: count.high }
}

fn union(one: CountPoint, other: CountPoint) -> CountPoint {
    CountPoint { low: one.low.min(other.low), high: one.high.max(other.high) }
}

/// Several runs of one commit: what one of them lacks was not called there.
fn united<'a>(
    mut before: BTreeMap<Class<'a>, CountPoint>,
    mut more: BTreeMap<Class<'a>, CountPoint>,
) -> BTreeMap<Class<'a>, CountPoint> {
    for (class, point) in &mut before {
        let other = more.remove(class).unwrap_or(CountPoint { low: 0, high: 0 });
        *point = union(*point, other);
    }
    before.extend(more.into_iter().map(|(class, point)| (class, CountPoint { low: 0, ..point })));
    before
}
