//! Commands that were started several times at once: who started them, how long one takes and how long the
//! last, each rank, and the worst start.

use crate::page::{Ink, Page};
use crate::quantity::{grouped, short_time, things};
use crate::text::ranks::{each, rate, where_they_ran};
use crate::visible::visible;
use crate::written::{ratio, time};
use fathom_model::{CommandComparison, RunCounts};
use fathom_stats::{CommandsRanked, StartsSummary};

/// Nothing where commands were started one by one.
pub(super) fn render(page: &mut Page, measured: &CommandComparison, found: &CommandsRanked) {
    let Some(ranks) = &measured.ranks else { return };
    let count = things(ranks.ranks.len() as u64, "rank");
    let who = if ranks.launcher.is_empty() {
        let host = ranks.ranks.first().map_or("", |rank| &rank.host);
        format!("{count}, started by Fathom itself on {}", visible(host))
    } else {
        let by = format!("{count} by `{}`", visible(&ranks.launcher.join(" ")));
        where_they_ran(by, &ranks.ranks.iter().collect::<Vec<_>>())
    };
    page.blank();
    page.paragraph(0, Ink::Plain, &who);
    for (number, (command, (_, given))) in found.commands.iter().zip(measured.commands()).enumerate() {
        if let Some(together) = &command.together {
            page.blank();
            of_command(page, number + 1, together);
        }
        if let Some(counts) = given.counts.value().filter(|_| given.starts > 1) {
            page.paragraph(2, Ink::Plain, &calls(counts, given.starts as usize));
        }
    }
}

fn of_command(page: &mut Page, number: usize, together: &StartsSummary) {
    let StartsSummary { starts, summary, one_ns, slowest_ns, worst } = together;
    let sentence = format!(
        "{number}. {starts} starts at once: {} from the first start to the last end; the median start of a round takes {}, \
         the slowest {}; the slowest takes {} times as long as the fastest; starts lie {} apart",
        rate(&summary.whole_rate),
        time(one_ns),
        time(slowest_ns),
        ratio(&summary.spread).phrase(),
        time(&summary.start_spread_ns),
    );
    page.paragraph(0, Ink::Plain, &sentence);
    each(page, &summary.ranks, ["time", "starts/s"]);
    let worst = format!(
        "worst start: {} on rank {} ({}), in block {}",
        short_time(worst.ns as f64),
        worst.rank,
        visible(&worst.host),
        worst.round + 1
    );
    page.paragraph(4, Ink::Plain, &worst);
}

/// Calls of each start: the same on all, or who makes most and who least.
fn calls(counts: &RunCounts, starts: usize) -> String {
    let sums = |rank: usize| -> Vec<u64> {
        let runs = (rank..counts.ends.len()).step_by(starts);
        runs.map(|run| counts.calls.iter().filter_map(|call| call.per_run.get(run)).sum()).collect()
    };
    let of_rank = |rank| (sums(rank).into_iter().max().unwrap_or(0), rank);
    let most = (0..starts).map(of_rank).max().unwrap_or_default();
    let least =
        (0..starts).map(|rank| (sums(rank).into_iter().min().unwrap_or(0), rank)).min().unwrap_or_default();
    if counts.is_exact() {
        return format!("calls per start: {}, the same on all {starts} ranks", grouped(most.0));
    }
    format!(
        "calls per start: {} (rank {}) to {} (rank {}), in {}",
        grouped(least.0),
        least.1,
        grouped(most.0),
        most.1,
        things((counts.ends.len() / starts) as u64, "counted round")
    )
}
