//! What kernel and driver tell of batches of a fixed length: per operation,
//! and of all operations of a batch together. Only what happened.

use super::figure::Figure;
use super::side_by_side::{self, Block};
use crate::columns::Column;
use crate::page::{Ink, Page};
use crate::standing::{by_time, summary};
use crate::volume::{fixed_operations, is_fixed};
use fathom_model::Comparison;

/// Every figure of a fixed batch, in the order of rows. What the task did is
/// the driver's, what a device did the whole device's: the legend says so.
pub(super) const COUNTERS: &[Figure] = &[
    Figure::new("cpu_ns", "CPU time"),
    Figure::new("task_read_bytes", "task: read"),
    Figure::new("task_write_bytes", "task: dirtied"),
    Figure::new("task_cancelled_write_bytes", "task: cancelled"),
    Figure::new("minflt", "minor faults"),
    Figure::new("majflt", "major faults"),
    Figure::new("nivcsw", "preemptions"),
    Figure::new("device_reads", "device: reads"),
    Figure::new("device_read_bytes", "device: read"),
    Figure::new("device_writes", "device: writes"),
    Figure::new("device_written_bytes", "device: written"),
    Figure::new("device_merges", "device: merges"),
    Figure::new("device_discards", "device: discards"),
    Figure::new("device_flushes", "device: flushes"),
];

/// A row per figure; for each variant a column per operation and one in all.
pub(crate) fn render(page: &mut Page, comparison: &Comparison, labels: &[String]) {
    let shown: Vec<_> = COUNTERS.iter().filter(|figure| figure.is_shown(&[comparison])).collect();
    if !is_fixed(comparison) || shown.is_empty() {
        return;
    }
    let order: Vec<_> =
        by_time(comparison).into_iter().filter(|&index| summary(comparison, index).is_some()).collect();
    let block = |&index: &usize| {
        let operations = fixed_operations(&comparison.variants[index]).unwrap_or(1);
        let each: Vec<_> = shown.iter().map(|figure| figure.cell(comparison, index)).collect();
        let in_all: Vec<_> =
            shown.iter().map(|figure| figure.cell_in_all(comparison, index, operations)).collect();
        // Right-aligned as they are: every cell has its own unit.
        let columns = vec![Column::right("", each), Column::right("", in_all)];
        Block { title: labels[index].clone(), columns }
    };
    let names: Vec<_> = shown.iter().map(|figure| figure.heading().to_owned()).collect();
    page.blank();
    page.paragraph(2, Ink::Plain, "reported by the kernel, per operation and of a batch in all");
    side_by_side::render(page, "", &names, &order.iter().map(block).collect::<Vec<_>>());
}
