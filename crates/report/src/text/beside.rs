//! The columns that stand beside the times where a record has something for
//! them: all operations of a batch together, throughput, answers, published times.

use super::context::Context;
use crate::answer::{answer, is_wrong};
use crate::columns::{Cell, Column};
use crate::floor::floors;
use crate::published::{IMPOSSIBLE, impossible, number_and_unit, times};
use crate::quantity::{NONE, TimeUnit, grouped, three_digits};
use crate::standing::summary;
use crate::volume::{RateUnit, bytes_per_second, fixed_operations};
use fathom_model::{Comparison, Figure};

/// What stands behind an answer that is not true.
const WRONG: &str = "WRONG";

/// The columns of a comparison, rows in `order`; `unit` is that of its times.
pub(crate) fn columns(
    context: &Context<'_>,
    comparison: &Comparison,
    order: &[usize],
    unit: TimeUnit,
) -> Vec<Column> {
    let mut columns = Vec::new();
    columns.extend(in_all(comparison, order));
    columns.extend(throughput(comparison, order));
    columns.extend(answers(comparison, order));
    columns.extend(published(context, comparison, order, unit));
    columns
}

/// The time of all operations of a batch together.
fn in_all(comparison: &Comparison, order: &[usize]) -> Option<Column> {
    let total = |&index: &usize| {
        let operations = fixed_operations(&comparison.variants[index])?;
        Some(summary(comparison, index)?.time_ns.value * operations as f64)
    };
    let totals: Vec<_> = order.iter().map(total).collect();
    let known: Vec<_> = totals.iter().flatten().copied().collect();
    let unit = TimeUnit::shared(&known);
    let cells = totals.iter().map(|total| scaled(*total, unit.ns())).collect();
    let heading = format!("{} in all", unit.symbol());
    (!known.is_empty()).then(|| Column::right(&heading, cells).aligned_at('.'))
}

/// Bytes per second, where the operation moves enough of them to tell.
fn throughput(comparison: &Comparison, order: &[usize]) -> Option<Column> {
    let rates: Vec<_> = order.iter().map(|&index| bytes_per_second(comparison, index)).collect();
    let known: Vec<_> = rates.iter().flatten().copied().collect();
    let unit = RateUnit::shared(&known);
    let cells = rates.iter().map(|rate| scaled(*rate, unit.bytes())).collect();
    (!known.is_empty()).then(|| Column::right(unit.symbol(), cells).aligned_at('.'))
}

fn scaled(value: Option<f64>, unit: f64) -> Cell {
    value.map_or(NONE.to_owned().into(), |value| Cell::figure(three_digits(value / unit), value))
}

/// What each answered, and which answers are wrong.
fn answers(comparison: &Comparison, order: &[usize]) -> Vec<Column> {
    let Some(first) = comparison.answers.first() else { return Vec::new() };
    let counts = first.what != "digest";
    let found = |&index: &usize| match answer(comparison, index) {
        Some(answered) if counts => Cell::figure(grouped(answered.found), answered.found as f64),
        Some(answered) => if answered.is_right() { "right" } else { WRONG }.to_owned().into(),
        None => NONE.to_owned().into(),
    };
    let mut columns = vec![Column::right(&first.what, order.iter().map(found).collect())];
    if counts && order.iter().any(|&index| is_wrong(comparison, index)) {
        let mark = |&index: &usize| if is_wrong(comparison, index) { WRONG } else { "" }.to_owned();
        columns.push(Column::beside("", order.iter().map(mark).collect()));
    }
    columns
}

/// Published times as they were published and, where that is another unit or
/// of several operations, in the table's.
fn published(context: &Context<'_>, comparison: &Comparison, order: &[usize], unit: TimeUnit) -> Vec<Column> {
    let of = |&index: &usize| times(context.reported, &comparison.variants[index]);
    let figures: Vec<_> = order.iter().map(of).collect();
    let mut all = figures.iter().flatten().map(|(_, figure)| figure).peekable();
    if all.peek().is_none() {
        return Vec::new();
    }
    let as_is = all.all(|figure| figure.operations == 1 && figure.unit == unit.symbol());
    let cells: Vec<_> = figures.iter().map(|figures| cell(context, figures)).collect();
    let mut columns = vec![Column::right("reported", cells).aligned_at(' ')];
    if !as_is {
        let each = |figures: &Vec<(usize, &Figure)>| {
            let text =
                range(figures, |figure| Some((three_digits(figure.ns_per_operation()? / unit.ns()), "")));
            Cell { text, number: least_ns(figures) }
        };
        let cells = figures.iter().map(each).collect();
        columns.push(Column::right(&format!("as {}/op", unit.symbol()), cells).aligned_at('.'));
    }
    columns
}

/// The published times of one variant: the numbers, the publications where
/// there are several, and a mark behind what cannot be true.
fn cell(context: &Context<'_>, figures: &[(usize, &Figure)]) -> Cell {
    let mut text = range(figures, |figure| Some(number_and_unit(figure)));
    if context.reported.len() > 1 {
        let mut numbers: Vec<_> = figures.iter().map(|(number, _)| (number + 1).to_string()).collect();
        numbers.dedup();
        if !numbers.is_empty() {
            text = format!("{text} [{}]", numbers.join(","));
        }
    }
    let cannot_be = |figure: &Figure| {
        floors(context.record).is_some_and(|floors| impossible(floors, context.comparisons, figure).is_some())
    };
    if figures.iter().any(|(_, figure)| cannot_be(figure)) {
        text = format!("{text} {IMPOSSIBLE}");
    }
    Cell { text, number: least_ns(figures) }
}

fn least_ns(figures: &[(usize, &Figure)]) -> Option<f64> {
    figures.iter().filter_map(|(_, figure)| figure.ns_per_operation()).min_by(f64::total_cmp)
}

/// One figure, or the least and the most: each a number and its unit, which is said once where
/// both share it.
fn range<U: AsRef<str>>(
    figures: &[(usize, &Figure)],
    parts: impl Fn(&Figure) -> Option<(String, U)>,
) -> String {
    let mut sorted: Vec<_> = figures.iter().map(|(_, figure)| *figure).collect();
    let ns = |figure: &Figure| figure.ns_per_operation().unwrap_or(f64::NAN);
    sorted.sort_by(|a, b| ns(a).total_cmp(&ns(b)));
    let ends = [sorted.first(), sorted.last()].map(|figure| figure.and_then(|figure| parts(figure)));
    let [Some((low, of_low)), Some((high, of_high))] = ends else { return NONE.to_owned() };
    let (of_low, of_high) = (of_low.as_ref(), of_high.as_ref());
    let text = match (low == high, of_low == of_high) {
        (true, true) => format!("{low} {of_low}"),
        (false, true) => format!("{low} to {high} {of_high}"),
        (_, false) => format!("{low} {of_low} to {high} {of_high}"),
    };
    text.trim_end().to_owned()
}
