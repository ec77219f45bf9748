//! The parts that are system calls: counts times prices, one part per call and outcome.

use super::BreakdownParts;
use super::condition::{Condition, of_recipe};
use super::curve::Amount;
use super::listed;
use super::price_lookup::{Quote, quote};
use fathom_model::{CallCount, CountPass, Part, PartKind, Variant};

/// What stands behind a call of the runtime's that is not tied to the operations.
const OWN: &str = "(runtime's own)";

/// Calls with a price, and the names of those without.
#[derive(Debug, Default)]
pub(super) struct Called {
    pub(super) parts: Vec<Part>,
    pub(super) unpriced: Vec<String>,
    /// Calls per operation that are tied to it and have no price.
    pub(super) unpriced_count: f64,
}

/// Every call inside the clock. Where waiting was observed it is a part of its
/// own: a call that waits then counts with its CPU time, else with all its time.
pub(super) fn parts(parts: &BreakdownParts<'_>, counts: &CountPass, waiting_is_known: bool) -> Called {
    let mut called = Called::default();
    let add = |called: &mut Called, count: &CallCount, name: String, conditions: &[Condition<'_>]| {
        let times = count.per_operation();
        if !times.is_finite() || times <= 0.0 {
            return;
        }
        let prices = &parts.prices.prices;
        let quotes: Vec<_> = conditions.iter().filter_map(|condition| quote(prices, condition)).collect();
        match mean(&quotes, waiting_is_known) {
            Some((price, note)) => called.parts.push(Part {
                kind: PartKind::Call,
                name,
                count: Some(times),
                price_ns: Some(price.ns),
                ns: times * price.ns,
                error_ns: price.error_ns.map(|error| times * error),
                note,
            }),
            None => called.unpriced.push(name),
        }
    };
    for count in &counts.inside {
        let conditions = conditions(counts, count, parts.variant, parts.path_depth);
        let unpriced = called.unpriced.len();
        add(&mut called, count, named(count), &conditions);
        if called.unpriced.len() > unpriced {
            called.unpriced_count += count.per_operation();
        }
    }
    for count in &counts.background {
        let bare = Condition::bare(&count.call, count.errno.as_deref());
        add(&mut called, count, format!("{} {OWN}", named(count)), &[bare]);
    }
    called
}

/// The conditions that the recipe shows a call under, or the variant's usual one.
fn conditions<'a>(
    counts: &'a CountPass,
    count: &'a CallCount,
    variant: &Variant,
    path_depth: Option<u32>,
) -> Vec<Condition<'a>> {
    let key = (count.call.as_str(), count.errno.as_deref());
    let shown = of_recipe(counts, key, variant, path_depth);
    if shown.is_empty() { vec![Condition::usual(key.0, key.1, variant, path_depth)] } else { shown }
}

fn mean(quotes: &[Quote], waiting_is_known: bool) -> Option<(Amount, Option<String>)> {
    let number = quotes.len() as f64;
    let spent: Vec<_> = quotes.iter().map(|quote| spent(quote, waiting_is_known)).collect();
    let ns = spent.iter().map(|(amount, _)| amount.ns).sum::<f64>() / number;
    let error_ns = spent.iter().map(|(amount, _)| amount.error_ns).sum::<Option<f64>>();
    let notes = quotes.iter().filter_map(|quote| quote.note.clone());
    let waits = spent.iter().filter_map(|(_, note)| note.map(str::to_owned));
    let amount = Amount { ns, error_ns: error_ns.map(|sum| sum / number) };
    (!quotes.is_empty()).then(|| (amount, listed(notes.chain(waits))))
}

/// The wall time of a call that keeps its CPU busy: it is what passes, steal and
/// interrupts included, and its interval is the narrower. Of a call that waits
/// (a flush, a cold page) only the CPU time: how long it waits depends on the
/// device's moment, and was observed on the variant itself.
fn spent(quote: &Quote, waiting_is_known: bool) -> (Amount, Option<&'static str>) {
    match (quote.waits(), waiting_is_known) {
        (true, true) => (quote.cpu, Some("CPU time, its waiting stands apart")),
        (true, false) => (quote.wall, Some("its waiting is in the price")),
        (false, _) => (quote.wall, None),
    }
}

fn named(count: &CallCount) -> String {
    match &count.errno {
        Some(errno) => format!("{}={errno}", count.call),
        None => count.call.clone(),
    }
}
