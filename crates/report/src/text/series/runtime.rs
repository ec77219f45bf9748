//! What the runtimes report over a series: a row per comparison, and for each
//! method its allocations, collections and faults; the throughput; and what the
//! kernel tells of batches of a fixed length.

use super::Series;
use crate::columns::Column;
use crate::page::{Ink, Page};
use crate::quantity::{NONE, three_digits};
use crate::text::batches::COUNTERS;
use crate::text::figure::Figure;
use crate::text::runtime::FIGURES;
use crate::text::side_by_side::{self, Block};
use crate::volume::{RateUnit, bytes_per_second, is_fixed};

/// Figures stand in pairs: how many, and how much.
const PAIR: usize = 2;

/// A table per pair of figures, of the methods and comparisons that have any.
pub(crate) fn render(page: &mut Page, series: &Series<'_>) {
    throughput(page, series);
    let counters = if series.comparisons.iter().any(|c| is_fixed(c)) { COUNTERS } else { &[] };
    let repeated = |figure: &Figure| FIGURES.iter().any(|known| known.is_same(figure));
    for counter in counters.iter().filter(|counter| !repeated(counter)) {
        if counter.is_shown(&series.comparisons) {
            table(page, series, &[counter]);
        }
    }
    for pair in FIGURES.chunks(PAIR) {
        let shown: Vec<_> = pair.iter().filter(|figure| figure.is_shown(&series.comparisons)).collect();
        if !shown.is_empty() {
            table(page, series, &shown);
        }
    }
}

fn table(page: &mut Page, series: &Series<'_>, figures: &[&Figure]) {
    let has = |method: usize, row: usize| {
        let of =
            |figure: &&Figure| figure.of(series.comparisons[row], method).is_some_and(|v| figure.counts(v));
        figures.iter().any(of)
    };
    let all = 0..series.comparisons.len();
    let methods: Vec<_> =
        series.order.iter().copied().filter(|&method| all.clone().any(|row| has(method, row))).collect();
    let cells = |row: usize| -> Vec<String> {
        let of =
            |&method: &usize| figures.iter().map(move |figure| figure.cell(series.comparisons[row], method));
        methods.iter().flat_map(of).collect()
    };
    let shown = all.clone().filter(|&row| methods.iter().any(|&method| has(method, row)));
    let runs = runs(shown, |row, last| row == last + 1 && cells(row) == cells(last));
    let block = |&method: &usize| {
        let column = |figure: &&Figure| {
            let cell = |&(row, _): &(usize, usize)| figure.cell(series.comparisons[row], method);
            Column::right("", runs.iter().map(cell).collect()).aligned_at('.')
        };
        Block { title: series.labels[method].clone(), columns: figures.iter().map(column).collect() }
    };
    let blocks: Vec<_> = methods.iter().map(block).collect();
    let names: Vec<_> = runs.iter().map(|&run| series.run(run)).collect();
    let headings: Vec<_> = figures.iter().map(|figure| figure.heading()).collect();
    let shown: usize = runs.iter().map(|(from, to)| to - from + 1).sum();
    let others = if shown < all.len() { "; elsewhere none or hardly any" } else { "" };
    page.blank();
    let what = headings.join(" and ");
    let by = if FIGURES.iter().any(|figure| figure.is_same(figures[0])) { "runtime" } else { "kernel" };
    page.paragraph(2, Ink::Plain, &format!("{what} per operation, reported by the {by}{others}"));
    side_by_side::render(page, "", &names, &blocks);
}

/// Bytes per second of every method, of the comparisons that move enough.
fn throughput(page: &mut Page, series: &Series<'_>) {
    let rate = |row: usize, method: usize| bytes_per_second(series.comparisons[row], method);
    let methods = &series.order;
    let rows: Vec<_> = (0..series.comparisons.len())
        .filter(|&row| methods.iter().any(|&method| rate(row, method).is_some()))
        .collect();
    let all: Vec<_> =
        rows.iter().flat_map(|&row| methods.iter().filter_map(move |&method| rate(row, method))).collect();
    if all.is_empty() {
        return;
    }
    let unit = RateUnit::shared(&all);
    let block = |&row: &usize| {
        let cell =
            |&method: &usize| rate(row, method).map_or(NONE.to_owned(), |r| three_digits(r / unit.bytes()));
        let column = Column::right("", methods.iter().map(cell).collect()).aligned_at('.');
        Block { title: series.places[row].clone(), columns: vec![column] }
    };
    let names: Vec<_> = methods.iter().map(|&method| series.labels[method].clone()).collect();
    page.blank();
    page.paragraph(2, Ink::Plain, &format!("throughput in {}", unit.symbol()));
    side_by_side::render(page, "method", &names, &rows.iter().map(block).collect::<Vec<_>>());
}

/// Neighbors that go together, as first and last.
fn runs(rows: impl Iterator<Item = usize>, joins: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for row in rows {
        match runs.last_mut() {
            Some((_, last)) if joins(row, *last) => *last = row,
            _ => runs.push((row, row)),
        }
    }
    runs
}
