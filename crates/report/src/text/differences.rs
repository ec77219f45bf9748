//! In full only: differences to the baseline in time, ratios without the
//! loop, and how much each figure rests on.

use super::times::{confidence, estimate_columns, rows};
use crate::columns::Column;
use crate::page::{Ink, Page};
use crate::quantity::{NONE, TimeUnit, grouped, percent};
use crate::standing::{by_time, summary};
use crate::visible::visible;
use crate::written::{ratio, written};
use fathom_model::{Comparison, Estimate, VariantSummary};
use fathom_stats::{Parts, net_ratio};

/// The table, and why a net ratio is missing where it is.
pub(crate) fn render(page: &mut Page, comparison: &Comparison, labels: &[String]) {
    let order: Vec<_> =
        by_time(comparison).into_iter().filter(|&i| summary(comparison, i).is_some()).collect();
    if !page.is_full() || order.is_empty() {
        return;
    }
    let summaries: Vec<_> = order.iter().map(|&index| summary(comparison, index)).collect();
    let names: Vec<_> = order.iter().map(|&index| visible(&labels[index])).collect();
    let net: Vec<_> = order.iter().map(|&index| net(comparison, index)).collect();
    page.blank();
    page.paragraph(2, Ink::Plain, "difference to the baseline, and ratio without the loop");
    rows(page, &names, &differences(&summaries, &net), &[]);
    let refused = net.iter().zip(&summaries).zip(&order).any(|((net, summary), &index)| {
        index != comparison.baseline && net.is_none() && summary.is_some_and(|s| s.ratio.is_some())
    });
    if refused {
        let why = "no net ratio (-): the loop was not measured or costs more than a fifth of the baseline";
        page.hanging("  ", 4, Ink::Plain, why);
    }
    page.blank();
    page.paragraph(2, Ink::Plain, "samples kept");
    rows(page, &names, &samples(&summaries), &[]);
}

/// From the samples: records of earlier versions keep a quotient of two medians, which
/// the paired ratio contradicts where medians wander.
fn net(comparison: &Comparison, index: usize) -> Option<Estimate> {
    summary(comparison, index)?.net_ratio?;
    net_ratio(Parts::from(comparison), index)
}

fn differences(summaries: &[Option<&VariantSummary>], net: &[Option<Estimate>]) -> Vec<Column> {
    let present = || summaries.iter().flatten();
    let deltas: Vec<_> = present().filter_map(|s| s.delta_ns.as_ref()).map(|d| d.value.abs()).collect();
    let unit = TimeUnit::shared(&deltas);
    // A range of negative numbers is unreadable with a dash: brackets here.
    let delta =
        |s: &&VariantSummary| s.delta_ns.as_ref().map_or(NONE.into(), |d| written(d, unit.ns()).phrase());
    let delta: Vec<String> = present().map(delta).collect();
    let net: Vec<_> = net.iter().map(|net| net.as_ref().map(ratio)).collect();
    let percentage = confidence(summaries);
    let mut columns =
        vec![Column::right(&format!("{}/op [{percentage}]", unit.symbol()), delta).aligned_at('[')];
    columns.extend(estimate_columns("net", &percentage, &net));
    columns
}

fn samples(summaries: &[Option<&VariantSummary>]) -> Vec<Column> {
    let column = |heading: &str, text: &dyn Fn(&VariantSummary) -> String| {
        Column::right(heading, summaries.iter().flatten().map(|summary| text(summary)).collect())
    };
    vec![
        column("blocks", &|s| grouped(s.blocks)),
        column("operations", &|s| grouped(s.operations)),
        column("preempted", &|s| s.preempted_share.map_or(NONE.to_owned(), percent)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::Reading;

    #[test]
    fn a_net_ratio_is_that_of_the_samples_and_stays_refused_where_it_was() {
        let mut comparison = fathom_testkit::complete().experiments.remove(0).comparisons.remove(0);
        let Reading::Value(summary) = &mut comparison.summaries[1] else { panic!("not timed") };
        let paired = summary.ratio.unwrap().value;
        summary.net_ratio.as_mut().unwrap().value = 9.0;
        let found = net(&comparison, 1).unwrap().value;
        assert!((found - paired).abs() < 0.05 * paired, "{found} {paired}");
        let Reading::Value(summary) = &mut comparison.summaries[1] else { panic!("not timed") };
        summary.net_ratio = None;
        assert_eq!(net(&comparison, 1), None);
    }
}
