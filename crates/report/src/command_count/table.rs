//! The table of calls, with what they cost untraced where prices are known.

use crate::columns::{Column, lines};
use crate::page::{Ink, Page};
use crate::quantity::{NONE, number, short_time, things};
use fathom_model::{CallSum, CommandCount, PricedCalls};
use std::collections::BTreeMap;

/// What the priced calls of one name cost together.
#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    calls: u64,
    wall_ns: f64,
    cpu_ns: f64,
}

/// Draws the table, the most frequent call first; the most costly where prices are known.
pub(super) fn render(page: &mut Page, count: &CommandCount) {
    let sums = count.sums();
    let priced = count.prices.value().map(|prices| prices.calls.as_slice());
    let costs = costs(priced.unwrap_or_default());
    let mut names: Vec<&str> = sums.keys().copied().collect();
    let cost = |name: &str| costs.get(name).map_or(0.0, |cost| cost.wall_ns);
    names.sort_by(|a, b| {
        let costly = cost(b).total_cmp(&cost(a));
        costly.then_with(|| sums[b].calls.cmp(&sums[a].calls)).then_with(|| a.cmp(b))
    });
    let total = total(sums.values());
    let cells = |of: &dyn Fn(&CallSum) -> String| {
        names.iter().map(|name| of(&sums[name])).chain([of(&total)]).collect::<Vec<_>>()
    };
    let mut columns = vec![
        Column::right("calls", cells(&|sum| sum.calls.to_string())),
        Column::right("errors", cells(&|sum| count_or_none(sum.errors))),
    ];
    if priced.is_some() {
        let all = costs.values().fold(Cost::default(), |all, cost| Cost {
            calls: all.calls + cost.calls,
            wall_ns: all.wall_ns + cost.wall_ns,
            cpu_ns: all.cpu_ns + cost.cpu_ns,
        });
        let each = |of: &dyn Fn(&Cost) -> String| {
            let rows = names.iter().map(|name| costs.get(name).map_or_else(|| NONE.to_owned(), of));
            rows.chain([of(&all)]).collect::<Vec<_>>()
        };
        columns.push(Column::right("ns each", each(&|cost| number(cost.wall_ns / cost.calls as f64, 0))));
        columns.push(Column::right("on CPU", each(&|cost| number(cost.cpu_ns / cost.calls as f64, 0))));
        columns.push(Column::right("in all", each(&|cost| short_time(cost.wall_ns))));
    }
    let named = names.iter().map(|name| (*name).to_owned()).chain(["all".to_owned()]).collect();
    columns.push(Column { gap: 2, ..Column::beside("call", named) });
    columns.push(Column { gap: 2, ..Column::beside("", cells(&|sum| failures(sum))) });
    for line in lines(&columns) {
        page.row(&line, "", Ink::Plain);
    }
    page.blank();
    never_returned(page, &sums);
    if let Some(priced) = priced {
        unpriced(page, &sums, &costs);
        let limits = "Prices are of regular files that are cached: calls on pipes, terminals and devices have \
                      none, and what calls wait for is not in them.";
        page.paragraph(0, Ink::Plain, limits);
        used(page, priced);
    }
}

/// The failures by errno, on a line of its own for the calls of one process or thread.
pub(super) fn in_words(sums: &BTreeMap<&str, CallSum>) -> Vec<String> {
    let mut sums: Vec<_> = sums.iter().collect();
    sums.sort_by_key(|(name, sum)| (std::cmp::Reverse(sum.calls), **name));
    let word = |(name, sum): (&&str, &CallSum)| match failures(sum) {
        none if none.is_empty() => format!("{name} {}", sum.calls),
        failures => format!("{name} {} ({failures})", sum.calls),
    };
    sums.into_iter().map(word).collect()
}

fn failures(sum: &CallSum) -> String {
    let mut by_errno: Vec<_> = sum.by_errno.iter().collect();
    by_errno.sort_by_key(|(errno, count)| (std::cmp::Reverse(**count), *errno));
    by_errno.iter().map(|(errno, count)| format!("{errno} {count}")).collect::<Vec<_>>().join(", ")
}

fn total<'a>(sums: impl Iterator<Item = &'a CallSum>) -> CallSum {
    sums.fold(CallSum::default(), |total, sum| CallSum {
        calls: total.calls + sum.calls,
        errors: total.errors + sum.errors,
        ..total
    })
}

fn count_or_none(count: u64) -> String {
    if count == 0 { NONE.to_owned() } else { count.to_string() }
}

fn costs(priced: &[PricedCalls]) -> BTreeMap<&str, Cost> {
    let mut costs: BTreeMap<&str, Cost> = BTreeMap::new();
    for calls in priced {
        let cost = costs.entry(&calls.call).or_default();
        cost.calls += calls.count;
        cost.wall_ns += calls.count as f64 * calls.wall_ns.value;
        cost.cpu_ns += calls.count as f64 * calls.cpu_ns.value;
    }
    costs
}

fn never_returned(page: &mut Page, sums: &BTreeMap<&str, CallSum>) {
    let words = named_counts(sums.iter().map(|(name, sum)| (*name, sum.never_returned)));
    if !words.is_empty() {
        let text = format!("Never returned, which `strace -c` leaves out: {words}.");
        page.paragraph(0, Ink::Plain, &text);
    }
}

fn unpriced(page: &mut Page, sums: &BTreeMap<&str, CallSum>, costs: &BTreeMap<&str, Cost>) {
    let priced = |name: &str| costs.get(name).map_or(0, |cost| cost.calls);
    let words = named_counts(sums.iter().map(|(name, sum)| (*name, sum.calls - priced(name).min(sum.calls))));
    if !words.is_empty() {
        page.paragraph(0, Ink::Plain, &format!("Without a price, hence not in \"in all\": {words}."));
    }
}

/// Which price each call was given, the most frequent conditions first.
fn used(page: &mut Page, priced: &[PricedCalls]) {
    page.blank();
    page.paragraph(0, Ink::Plain, "Prices used:");
    let mut by_price: BTreeMap<(&str, String), u64> = BTreeMap::new();
    for calls in priced {
        let note = calls.note.as_ref().map(|note| format!(" [{note}]")).unwrap_or_default();
        *by_price.entry((&calls.call, format!("{}{note}", calls.price))).or_default() += calls.count;
    }
    let mut shown: Vec<_> = by_price.into_iter().collect();
    shown.sort_by(|a, b| (a.0.0, b.1).cmp(&(b.0.0, a.1)));
    for ((call, price), count) in shown {
        let price = if price.is_empty() { "its one price" } else { &price };
        let text = format!("{price}: {}", things(count, "call"));
        page.hanging(&format!("  {call:<15} "), 18, Ink::Plain, &text);
    }
}

fn named_counts<'a>(counts: impl Iterator<Item = (&'a str, u64)>) -> String {
    let mut counts: Vec<_> = counts.filter(|(_, count)| *count > 0).collect();
    counts.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
    counts.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
}
