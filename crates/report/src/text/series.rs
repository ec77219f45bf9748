//! An experiment of many comparisons of the same variants, in brief: tables
//! side by side, and everything said once that holds for many.

pub(crate) mod answers;
pub(crate) mod evidence;
pub(crate) mod recipes;
pub(crate) mod runtime;
mod tables;

use super::context::Context;
use super::setting;
use crate::label;
use crate::page::{Ink, Page};
use crate::standing::{by_size, is_sweep_of_settings, summary};
use fathom_model::{Comparison, Record};

/// From so many comparisons on, one table after the other is too long to read.
const SERIES_FROM: usize = 7;
/// And from so many on a curve is wanted, where a number is set to several values.
const SWEEP_FROM: usize = 4;

/// Comparisons that differ in something beside their variants' methods.
#[derive(Debug)]
pub(crate) struct Series<'a> {
    pub(crate) comparisons: Vec<&'a Comparison>,
    /// What sets each comparison apart: `12 B`.
    pub(crate) places: Vec<String>,
    /// The variants' names, the same in each comparison.
    pub(crate) labels: Vec<String>,
    /// The variants, the fastest over all comparisons first.
    pub(crate) order: Vec<usize>,
}

/// The series, where comparisons are one.
pub(crate) fn of<'a>(record: &Record, compared: &'a [Comparison]) -> Option<Series<'a>> {
    let from = if is_sweep_of_settings(compared) { SWEEP_FROM } else { SERIES_FROM };
    of_at_least(from, record, compared)
}

/// The series of at least `from` comparisons, where they are one.
pub(crate) fn of_at_least<'a>(
    from: usize,
    record: &Record,
    compared: &'a [Comparison],
) -> Option<Series<'a>> {
    let comparisons = by_size(compared);
    let first = comparisons.first().filter(|_| comparisons.len() >= from)?;
    let labels = label::labels(record, first);
    let same = |c: &&&Comparison| c.baseline == first.baseline && label::labels(record, c) == labels;
    if comparisons.iter().filter(same).count() < comparisons.len() {
        return None;
    }
    let order = by_mean_time(&comparisons, labels.len());
    Some(Series { places: label::short(&comparisons), comparisons, labels, order })
}

/// The whole section of the series.
pub(crate) fn render(page: &mut Page, context: &Context<'_>, series: &Series<'_>) {
    let record = context.record;
    let (first, last) = (series.comparisons[0], series.comparisons[series.comparisons.len() - 1]);
    page.blank();
    let count = series.comparisons.len();
    let ends = match label::part(first) {
        (Some(part), from) => format!("{part}, {count} comparisons: {from} to {}", label::part(last).1),
        (None, from) => format!("{count} comparisons: {from} to {}", last.label),
    };
    page.paragraph(0, Ink::Heading, &ends);
    setting::first(page, record, &series.comparisons, &series.places[0]);
    page.blank();
    tables::render(page, series);
    answers::render(page, context, series);
    page.blank();
    setting::differing(page, record, first, &series.labels);
    evidence::render(page, series);
    runtime::render(page, series);
    recipes::render(page, series);
    evidence::warnings(page, series);
}

impl Series<'_> {
    /// Where something holds: `12 B to 1 KiB, 64 KiB`; nothing when everywhere.
    fn scope(&self, holds: impl Fn(&Comparison) -> bool) -> String {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for index in (0..self.comparisons.len()).filter(|&index| holds(self.comparisons[index])) {
            match runs.last_mut() {
                Some((_, to)) if *to + 1 == index => *to = index,
                _ => runs.push((index, index)),
            }
        }
        if runs == [(0, self.comparisons.len() - 1)] {
            return String::new();
        }
        runs.iter().map(|&run| self.run(run)).collect::<Vec<_>>().join(", ")
    }

    /// The places from one to another: `12 B to 1 KiB`.
    fn run(&self, (from, to): (usize, usize)) -> String {
        if from == to {
            self.places[from].clone()
        } else {
            format!("{} to {}", self.places[from], self.places[to])
        }
    }

    /// The same for a sentence: ` at 64 KiB`, or nothing.
    fn at(&self, holds: impl Fn(&Comparison) -> bool) -> String {
        match self.scope(holds) {
            everywhere if everywhere.is_empty() => everywhere,
            scope => format!(" at {scope}"),
        }
    }
}

/// By the mean logarithm of the times that there are.
fn by_mean_time(comparisons: &[&Comparison], variants: usize) -> Vec<usize> {
    let mean = |index: usize| {
        let logarithms: Vec<_> =
            comparisons.iter().filter_map(|c| Some(summary(c, index)?.time_ns.value.ln())).collect();
        let sum: f64 = logarithms.iter().sum();
        if logarithms.is_empty() { f64::INFINITY } else { sum / logarithms.len() as f64 }
    };
    let mut order: Vec<_> = (0..variants).collect();
    order.sort_by(|&a, &b| mean(a).total_cmp(&mean(b)));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::{complete, sweep};

    #[test]
    fn a_series_has_many_comparisons_of_the_same_variants() {
        let record = complete();
        assert!(record.experiments.iter().all(|experiment| of(&record, &experiment.comparisons).is_none()));
        let mut record = sweep();
        assert!(of(&record, &record.experiments[0].comparisons).is_some());
        record.experiments[0].comparisons[3].variants[0].method.name = "another".into();
        assert!(of(&record, &record.experiments[0].comparisons).is_none());
    }

    #[test]
    fn scopes_are_runs_and_everywhere_is_not_said() {
        let record = sweep();
        let series = of(&record, &record.experiments[0].comparisons).unwrap();
        let last = series.comparisons[series.comparisons.len() - 1].label.clone();
        let at =
            |places: &[&str]| series.scope(|c| places.iter().any(|p| c.label.starts_with(&format!("{p} ·"))));
        assert_eq!(at(&["12 B", "100 B", "128 B", "1 KiB"]), "12 B to 128 B, 1 KiB");
        assert_eq!(series.scope(|_| true), "");
        assert_eq!(series.at(|c| c.label == last), " at 1 MiB");
    }
}
