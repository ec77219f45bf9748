//! What the runtimes report of themselves per operation: allocations,
//! collections, faults. Only what happened: a column of nothing is left out.

use super::batches::COUNTERS;
use super::figure::Figure;
use super::times::rows;
use crate::columns::Column;
use crate::page::{Ink, Page};
use crate::standing::by_time;
use crate::visible::visible;
use crate::volume::is_fixed;
use fathom_model::Comparison;

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
