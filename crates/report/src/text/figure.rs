//! A figure that kernel or runtime report of a method, as a cell of a table.

use crate::quantity::{NONE, grouped, nearly_whole, number, rounded_bytes, short_time};
use crate::standing::summary;
use fathom_model::Comparison;

/// A figure with a column of its own; others are bookkeeping (`cpu_ns`, `nivcsw`).
#[derive(Debug)]
pub(crate) struct Figure {
    pub(super) key: &'static str,
    pub(super) heading: &'static str,
    /// What some method must reach per operation to be shown.
    pub(super) least: f64,
}

impl Figure {
    /// A figure that is shown wherever it happened at all.
    pub(super) const fn new(key: &'static str, heading: &'static str) -> Self {
        Self { key, heading, least: 0.0 }
    }

    /// True of the same figure, however it is shown.
    pub(super) fn is_same(&self, other: &Figure) -> bool {
        self.key == other.key
    }

    /// The column's heading.
    pub(super) fn heading(&self) -> &'static str {
        self.heading
    }

    /// True when any variant of the comparisons reaches the least.
    pub(super) fn is_shown(&self, comparisons: &[&Comparison]) -> bool {
        let mut values = comparisons
            .iter()
            .flat_map(|&comparison| (0..comparison.variants.len()).filter_map(|i| self.of(comparison, i)));
        values.any(|value| self.counts(value))
    }

    /// True of a value that is worth showing.
    pub(super) fn counts(&self, value: f64) -> bool {
        value > 0.0 && value >= self.least
    }

    /// The value of a variant, where its driver reports it.
    pub(super) fn of(&self, comparison: &Comparison, index: usize) -> Option<f64> {
        summary(comparison, index)?.runtime_per_operation.get(self.key).copied()
    }

    /// The same as text. Bytes and nanoseconds are rounded to whole ones.
    pub(super) fn cell(&self, comparison: &Comparison, index: usize) -> String {
        match self.of(comparison, index) {
            None => NONE.to_owned(),
            Some(value) if matches!(self.key, "alloc_bytes" | "gc_ns") => {
                let whole = number(value, 0);
                whole.parse::<u64>().map_or(whole, grouped)
            }
            Some(value) => self.write(value).unwrap_or_else(|| nearly_whole(value)),
        }
    }

    /// What all operations of a batch come to.
    pub(super) fn cell_in_all(&self, comparison: &Comparison, index: usize, operations: u64) -> String {
        let Some(value) = self.of(comparison, index) else { return NONE.to_owned() };
        let total = value * operations as f64;
        self.write(total).unwrap_or_else(|| {
            let whole = number(total, 0);
            whole.parse::<u64>().map_or(whole, grouped)
        })
    }

    /// Times and bytes with their own units; nothing for counts.
    fn write(&self, value: f64) -> Option<String> {
        let finite = value.is_finite();
        match self.key {
            key if key.ends_with("_bytes") => {
                Some(if finite { rounded_bytes(value) } else { NONE.to_owned() })
            }
            key if key.ends_with("_ns") => Some(short_time(value)),
            _ => None,
        }
    }
}
