//! What the runtimes report of themselves per operation: allocations,
//! collections, faults.

use super::times::{by_time, rows, summary};
use crate::columns::{Column, align_at};
use crate::page::{Ink, Page};
use crate::quantity::{NONE, grouped, number, per_operation};
use crate::wrap::clean;
use fathom_model::Comparison;

/// Figures with a column of their own, and its heading; others are bookkeeping
/// (`cpu_ns`, `nivcsw`).
const FIGURES: &[(&str, &str)] = &[
    ("allocs", "allocs"),
    ("alloc_bytes", "bytes"),
    ("gc_count", "GCs"),
    ("gc_ns", "GC ns"),
    ("minflt", "minor faults"),
    ("majflt", "major faults"),
];

/// A table of the variants whose driver reports any of the figures.
pub(super) fn render(page: &mut Page, comparison: &Comparison, labels: &[String]) {
    let reports = |index: &usize| FIGURES.iter().any(|(key, _)| figure(comparison, *index, key).is_some());
    let order: Vec<_> = by_time(comparison).into_iter().filter(reports).collect();
    if order.is_empty() {
        return;
    }
    let told =
        FIGURES.iter().filter(|(key, _)| order.iter().any(|&index| figure(comparison, index, key).is_some()));
    let columns: Vec<_> = told
        .map(|(key, heading)| {
            let cells: Vec<_> =
                order.iter().map(|&index| cell(key, figure(comparison, index, key))).collect();
            Column::right(heading, align_at('.', &cells))
        })
        .collect();
    let names: Vec<_> = order.iter().map(|&index| clean(&labels[index])).collect();
    page.blank();
    page.paragraph(2, Ink::Plain, "told by the runtime, per operation (methods without are left out)");
    rows(page, &names, &columns, &[]);
}

fn figure(comparison: &Comparison, index: usize, key: &str) -> Option<f64> {
    summary(comparison, index)?.runtime_per_operation.get(key).copied()
}

/// Bytes and nanoseconds are rounded to whole ones; the rest shows fractions.
fn cell(key: &str, value: Option<f64>) -> String {
    match value {
        None => NONE.to_owned(),
        Some(value) if matches!(key, "alloc_bytes" | "gc_ns") => match number(value, 0).parse::<u64>() {
            Ok(whole) => grouped(whole),
            Err(_) => number(value, 0),
        },
        Some(value) => per_operation(value, true),
    }
}
