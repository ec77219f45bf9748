//! How far the times of each variant lie apart: between processes and between
//! batches. Where the method of measuring is what is varied, and in full.

use super::times::rows;
use crate::columns::Column;
use crate::page::{Ink, Page};
use crate::quantity::{percent, short_time};
use crate::standing::{by_time, summary};
use fathom_model::{Comparison, Setting};

/// Settings that change how something is measured, not what.
const OF_THE_METHOD: [Setting; 2] = [Setting::Environment, Setting::WarmUp];

/// A row per variant: the range of forks' medians, and the slowest hundredth of batches.
pub(crate) fn render(page: &mut Page, comparison: &Comparison, labels: &[String]) {
    let varies = |setting: &Setting| {
        let usual = setting.default_value();
        comparison.variants.iter().any(|variant| variant.parameters.settings.value(*setting) != usual)
    };
    if !page.is_full() && !OF_THE_METHOD.iter().any(varies) {
        return;
    }
    let shown: Vec<_> = by_time(comparison)
        .into_iter()
        .filter_map(|index| Some((index, summary(comparison, index)?.spread?)))
        .collect();
    if shown.is_empty() {
        return;
    }
    let names: Vec<_> = shown.iter().map(|(index, _)| labels[*index].clone()).collect();
    let cells = |cell: &dyn Fn(&fathom_model::Spread) -> String| shown.iter().map(|(_, s)| cell(s)).collect();
    let columns = [
        Column::right("forks from", cells(&|spread| short_time(spread.fork_least_ns))),
        Column::right("to", cells(&|spread| short_time(spread.fork_most_ns))),
        Column::right("apart", cells(&|spread| percent(spread.fork_most_ns / spread.fork_least_ns - 1.0))),
        Column::right("batches' p50", cells(&|spread| short_time(spread.batch_median_ns))),
        Column::right("p99", cells(&|spread| short_time(spread.batch_p99_ns))),
        Column::right("above", cells(&|spread| percent(spread.batch_p99_ns / spread.batch_median_ns - 1.0))),
    ];
    page.blank();
    page.paragraph(2, Ink::Plain, "how far times lie apart: medians of forks, and batches of all forks");
    rows(page, &names, &columns, &[]);
}
