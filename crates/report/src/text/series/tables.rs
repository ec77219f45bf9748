//! The tables of a series, side by side: time and ratio of each variant with
//! their margins and marks.

use super::Series;
use crate::columns::Column;
use crate::page::{Ink, Page};
use crate::quantity::{NONE, TimeUnit};
use crate::standing::{statement, summary};
use crate::statement::too_few;
use crate::text::legend;
use crate::text::side_by_side::{self, Block};
use crate::written::{Written, short_ratio, time_in_table};
use fathom_model::{Comparison, Reading};

/// The tables, what their parts mean, and what is missing from them.
pub(super) fn render(page: &mut Page, series: &Series<'_>) {
    let names: Vec<_> = series.order.iter().map(|&index| series.labels[index].clone()).collect();
    let blocks: Vec<_> = series
        .comparisons
        .iter()
        .zip(&series.places)
        .map(|(c, place)| block(c, place, &series.order))
        .collect();
    side_by_side::render(page, "method", &names, &blocks);
    page.hanging(
        "  ",
        4,
        Ink::Faint,
        "each: time/op ± the farther end of its 95 % interval, mark, ratio ± the same",
    );
    legend::marks(page, &series.comparisons);
    missing(page, series);
}

fn block(comparison: &Comparison, place: &str, order: &[usize]) -> Block {
    let summaries: Vec<_> = order.iter().map(|&index| summary(comparison, index)).collect();
    let values: Vec<_> = summaries.iter().flatten().map(|summary| summary.time_ns.value).collect();
    let unit = TimeUnit::shared(&values);
    let times: Vec<_> = summaries.iter().map(|s| s.map(|s| time_in_table(&s.time_ns, unit.ns()))).collect();
    let ratios: Vec<_> =
        summaries.iter().map(|s| s.and_then(|s| s.ratio.as_ref()).map(short_ratio)).collect();
    let marks: Vec<_> = order.iter().map(|&index| statement(comparison, index).mark().to_owned()).collect();
    let forks = summaries.iter().flatten().map(|summary| summary.time_ns.forks).max();
    let n = forks.map_or(NONE.to_owned(), |forks| forks.to_string());
    let mut columns = with_margin(2, &times, true);
    columns.push(Column::beside("", marks));
    columns.extend(with_margin(1, &ratios, false));
    Block { title: format!("{place}: {}, n {n}", unit.symbol()), columns }
}

fn with_margin(gap: u16, estimates: &[Option<Written>], dash: bool) -> Vec<Column> {
    let none = if dash { NONE } else { "" };
    let value = |estimate: &Option<Written>| estimate.as_ref().map_or(none.to_owned(), |e| e.value.clone());
    let margin = |estimate: &Option<Written>| estimate.as_ref().map_or(String::new(), |e| e.margin.clone());
    let values = Column::right("", estimates.iter().map(value).collect()).aligned_at('.');
    let margins = Column::beside("", estimates.iter().map(margin).collect());
    vec![Column { gap, ..values }, Column { gap: 0, ..margins }]
}

fn missing(page: &mut Page, series: &Series<'_>) {
    let open = |comparison: &Comparison| {
        let timed = comparison.summaries.iter().filter_map(Reading::value);
        timed.filter(|summary| summary.time_ns.interval().is_none()).map(|s| s.time_ns.forks).max()
    };
    if let Some(forks) = series.comparisons.iter().filter_map(|comparison| open(comparison)).max() {
        let at = series.at(|comparison| open(comparison).is_some());
        page.hanging("  ", 4, Ink::Plain, &format!("no interval yet (no ±){at}: {}", too_few(forks)));
    }
    for (index, label) in series.labels.iter().enumerate() {
        let mut said: Vec<&str> = Vec::new();
        for comparison in &series.comparisons {
            let Reading::Unavailable(reason) = &comparison.summaries[index] else { continue };
            if said.contains(&reason.as_str()) {
                continue;
            }
            said.push(reason);
            let same = |c: &Comparison| matches!(&c.summaries[index], Reading::Unavailable(r) if r == reason);
            page.hanging("  ", 4, Ink::Plain, &format!("no time for {label}{}: {reason}", series.at(same)));
        }
    }
}
