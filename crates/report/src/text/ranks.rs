//! What several ranks did together, and each of them: rates, spread, who came last, whose calls differ.

use super::times::rows;
use crate::columns::Column;
use crate::page::{Ink, Page};
use crate::quantity::{grouped, per_operation, short_time, things};
use crate::visible::visible;
use crate::written::{ratio, time};
use fathom_model::{
    Comparison, CountPass, Estimate, Fork, RankEstimate, RankFacts, RankRun, RankSummary, Reading,
};
use std::collections::{BTreeMap, BTreeSet};

/// More ranks are shown in full only: else the slowest of them.
const SHOWN_MAX: usize = 8;

/// Nothing where drivers ran as one process.
pub(crate) fn render(page: &mut Page, comparison: &Comparison, labels: &[String]) {
    let Some(run) = &comparison.ranks else { return };
    page.blank();
    page.paragraph(2, Ink::Plain, &who(comparison, run));
    page.paragraph(
        2,
        Ink::Plain,
        "time per operation is that of the last rank; rates are of all ranks together",
    );
    for (variant, summary) in run.summaries.iter().enumerate() {
        let label = labels.get(variant).map_or("", String::as_str);
        page.blank();
        match summary {
            Reading::Unavailable(reason) => {
                page.paragraph(2, Ink::Plain, &format!("{}: {reason}", visible(label)));
            }
            Reading::Value(summary) => of_variant(page, label, summary),
        }
        if let Some(counts) = run.counts.get(variant).filter(|counts| !counts.is_empty()) {
            page.paragraph(4, Ink::Plain, &calls(counts));
        }
    }
}

fn of_variant(page: &mut Page, label: &str, summary: &RankSummary) {
    let RankSummary { whole_rate, sum_of_rates, spread, start_spread_ns, ranks } = summary;
    let sentence = format!(
        "{}: {} from the first start to the last end; the ranks' own rates sum to {}; the slowest takes {} times \
         as long as the fastest; starts lie {} apart",
        visible(label),
        rate(whole_rate),
        rate(sum_of_rates),
        ratio(spread).phrase(),
        time(start_spread_ns),
    );
    page.paragraph(2, Ink::Plain, &sentence);
    each(page, ranks, ["time/op", "ops/s"]);
}

/// A row for each rank, or for the slowest of many, and who is a straggler.
pub(crate) fn each(page: &mut Page, ranks: &[RankEstimate], [time_name, rate_name]: [&'static str; 2]) {
    let mut shown: Vec<&RankEstimate> = ranks.iter().collect();
    if shown.len() > SHOWN_MAX && !page.is_full() {
        shown.sort_by(|a, b| b.against_median.value.total_cmp(&a.against_median.value));
        shown.truncate(SHOWN_MAX);
    }
    let names: Vec<_> =
        shown.iter().map(|rank| format!("rank {} {}", rank.rank, visible(&rank.hosts.join(", ")))).collect();
    let cells = |cell: &dyn Fn(&RankEstimate) -> String| shown.iter().map(|rank| cell(rank)).collect();
    let columns = [
        Column::right(time_name, cells(&|rank| short_time(rank.time_ns.value))),
        Column::beside("95 %", cells(&|rank| range(&rank.time_ns, short_time))),
        Column::right(rate_name, cells(&|rank| whole(rank.rate.value))),
        Column::right("\u{d7} median", cells(&|rank| format!("{:.2}", rank.against_median.value))),
        Column::right("last in", cells(&|rank| format!("{} of {}", rank.last, rank.batches))),
    ];
    rows(page, &names, &columns, &[]);
    if shown.len() < ranks.len() {
        let text = format!("the slowest {} of {} ranks; all: --full", shown.len(), ranks.len());
        page.paragraph(4, Ink::Faint, &text);
    }
    page.paragraph(4, Ink::Plain, &stragglers(ranks));
}

/// Hosts by name whose ranks are surely slower, or that none is, or that it is not known.
fn stragglers(ranks: &[RankEstimate]) -> String {
    if ranks.iter().any(|rank| rank.against_median.interval().is_none()) {
        return "stragglers: not known, too few runs for intervals".to_owned();
    }
    let named: Vec<_> = ranks
        .iter()
        .filter(|rank| rank.is_straggler)
        .map(|rank| {
            let low = rank.against_median.low.unwrap_or(rank.against_median.value);
            format!(
                "rank {} on {} (at least {low:.2} times the median rank)",
                rank.rank,
                visible(&rank.hosts.join(", "))
            )
        })
        .collect();
    if named.is_empty() {
        return "stragglers: no rank is surely slower than the median rank by more than 10 %".to_owned();
    }
    format!("stragglers: {}", named.join("; "))
}

/// How many, by what, where, on which clocks.
fn who(comparison: &Comparison, run: &RankRun) -> String {
    let facts: Vec<&RankFacts> = comparison.forks.iter().flat_map(ranks_of).collect();
    let by = format!("{} by `{}`", things(run.ranks.into(), "rank"), visible(&run.launcher.join(" ")));
    where_they_ran(by, &facts)
}

/// The hosts of ranks and their clocks, behind what started them.
pub(crate) fn where_they_ran(by: String, facts: &[&RankFacts]) -> String {
    let hosts: BTreeSet<_> = facts.iter().map(|rank| rank.host.as_str()).collect();
    let boots: BTreeSet<_> = facts.iter().map(|rank| rank.boot.as_str()).collect();
    let hosts: Vec<_> = hosts.into_iter().map(visible).collect();
    if facts.is_empty() {
        return by;
    }
    let offset = facts.iter().map(|rank| rank.clock_offset_ns.unsigned_abs()).max().unwrap_or(0);
    let error = facts.iter().map(|rank| rank.clock_error_ns).max().unwrap_or(0);
    let measured = format!(
        "measured offsets up to {}, each known to {} or better",
        short_time(offset as f64),
        short_time(error as f64)
    );
    // A time namespace of its own gives a rank another clock of the same kernel.
    let differs = |rank: &&RankFacts| rank.clock_offset_ns.unsigned_abs() > rank.clock_error_ns;
    let clocks = if boots.len() == 1 && !boots.contains("unknown") && !facts.iter().any(differs) {
        format!("one running kernel, hence one clock ({measured})")
    } else {
        format!("clocks that differ, brought together by messages: {measured}")
    };
    format!("{by} on {}; {clocks}", hosts.join(", "))
}

fn ranks_of(fork: &Fork) -> impl Iterator<Item = &RankFacts> {
    fork.ranks.iter().flat_map(|ranks| &ranks.seats).flatten()
}

/// Whether every rank makes the same calls, and which.
fn calls(counts: &[Reading<CountPass>]) -> String {
    let mut alike: BTreeMap<Option<String>, Vec<usize>> = BTreeMap::new();
    let mut reason = "";
    for (rank, count) in counts.iter().enumerate() {
        if let Reading::Unavailable(text) = count {
            reason = text;
        }
        alike.entry(count.value().map(sentence)).or_default().push(rank);
    }
    let ranks = |numbers: &[usize]| -> String {
        let words: Vec<_> = numbers.iter().map(ToString::to_string).collect();
        format!("rank {}", words.join(", "))
    };
    if let (1, Some((Some(calls), _))) = (alike.len(), alike.first_key_value()) {
        return format!("calls per operation, the same on all {} ranks: {calls}", counts.len());
    }
    let parts = alike.iter().map(|(calls, numbers)| match calls {
        Some(calls) => format!("{}: {calls}", ranks(numbers)),
        None => format!("{}: not counted ({})", ranks(numbers), visible(reason)),
    });
    format!("calls per operation: {}", parts.collect::<Vec<_>>().join("; "))
}

fn sentence(count: &CountPass) -> String {
    let calls = count.inside.iter().map(|call| {
        let errno = call.errno.as_ref().map(|errno| format!(" ({errno})")).unwrap_or_default();
        format!("{}{errno} {}", call.call, per_operation(call.per_operation(), call.is_exact()))
    });
    let calls: Vec<_> = calls.collect();
    if calls.is_empty() { "none".to_owned() } else { calls.join(", ") }
}

pub(crate) fn rate(estimate: &Estimate) -> String {
    format!("{}/s ({})", whole(estimate.value), range(estimate, whole))
}

fn range(estimate: &Estimate, written: impl Fn(f64) -> String) -> String {
    let ends = estimate.interval().map(|(low, high)| format!("{} to {}", written(low), written(high)));
    ends.unwrap_or_else(|| "too few runs for an interval".to_owned())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a rate is positive and far smaller"
)]
fn whole(value: f64) -> String {
    if value < 99.95 {
        return format!("{value:.1}");
    }
    grouped(value.round().max(0.0) as u64)
}
