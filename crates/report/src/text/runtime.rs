//! What the runtimes report of themselves per operation: allocations,
//! collections, faults. Only what happened: a column of nothing is left out.

use super::batches::COUNTERS;
use super::times::rows;
use crate::columns::Column;
use crate::page::{Ink, Page};
use crate::quantity::{NONE, grouped, nearly_whole, number, rounded_bytes, short_time};
use crate::standing::{by_time, summary};
use crate::visible::visible;
use crate::volume::is_fixed;
use fathom_model::Comparison;

/// A figure with a column of its own; others are bookkeeping (`cpu_ns`, `nivcsw`).
#[derive(Debug)]
pub(crate) struct Figure {
    key: &'static str,
    heading: &'static str,
    /// What some method must reach per operation to be shown.
    least: f64,
}

/// Every such figure. A stray page fault now and then is no property of a method.
pub(super) const FIGURES: &[Figure] = &[
    Figure { key: "allocs", heading: "allocs", least: 0.0 },
    Figure { key: "alloc_bytes", heading: "bytes", least: 0.0 },
    Figure { key: "gc_count", heading: "GCs", least: 0.0 },
    Figure { key: "gc_ns", heading: "GC ns", least: 0.0 },
    Figure { key: "minflt", heading: "minor faults", least: 0.05 },
    Figure { key: "majflt", heading: "major faults", least: 0.05 },
];

/// A table of the variants that have something to show.
pub(crate) fn render(page: &mut Page, comparison: &Comparison, labels: &[String]) {
    // Of a batch of fixed length faults are told with everything else of it.
    let elsewhere =
        |figure: &Figure| is_fixed(comparison) && COUNTERS.iter().any(|counter| counter.is_same(figure));
    let shown: Vec<_> =
        FIGURES.iter().filter(|figure| figure.is_shown(&[comparison]) && !elsewhere(figure)).collect();
    let reports = |&index: &usize| {
        shown.iter().any(|figure| figure.of(comparison, index).is_some_and(|value| figure.counts(value)))
    };
    let order: Vec<_> = by_time(comparison).into_iter().filter(reports).collect();
    if order.is_empty() {
        return;
    }
    let column = |figure: &&Figure| {
        let cells = order.iter().map(|&index| figure.cell(comparison, index)).collect();
        Column::right(figure.heading, cells).aligned_at('.')
    };
    let columns: Vec<_> = shown.iter().map(column).collect();
    let names: Vec<_> = order.iter().map(|&index| visible(&labels[index])).collect();
    page.blank();
    page.paragraph(2, Ink::Plain, "reported by the runtime, per operation");
    rows(page, &names, &columns, &[]);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::TextOptions;
    use fathom_model::Reading;
    use fathom_testkit::complete;

    fn shown(change: impl Fn(usize, &mut std::collections::BTreeMap<String, f64>)) -> String {
        let mut comparison = complete().experiments.remove(0).comparisons.remove(0);
        for (index, summary) in comparison.summaries.iter_mut().enumerate() {
            let Reading::Value(summary) = summary else { panic!("not timed") };
            change(index, &mut summary.runtime_per_operation);
        }
        let labels: Vec<_> = comparison.variants.iter().map(|v| v.method.to_string()).collect();
        let mut page = Page::new(&TextOptions::default());
        render(&mut page, &comparison, &labels);
        page.finish()
    }

    #[test]
    fn columns_of_nothing_and_methods_without_figures_are_left_out() {
        let text = shown(|_, figures| {
            figures.insert("gc_count".into(), 0.0);
            figures.insert("minflt".into(), 0.049);
        });
        assert!(!text.contains("GCs") && !text.contains("faults"), "{text}");
        assert!(text.contains("go:os.Open ") && !text.contains("native:"), "{text}");
        assert_eq!(shown(|_, figures| figures.values_mut().for_each(|value| *value = 0.0)), "");
    }

    #[test]
    fn faults_are_shown_of_the_methods_that_have_them() {
        let text = shown(|index, figures| {
            figures.insert("minflt".into(), if index == 0 { 0.05 } else { 0.0 });
        });
        assert!(text.contains("minor faults") && !text.contains("native:openat"), "{text}");
        assert!(!text.contains("major"), "{text}");
    }
}
