//! The parts that are system calls: counts times prices, one part per call and outcome.

use super::BreakdownParts;
use super::listed;
use super::recipe::{names_device, of_recipe, reaches_file, usual};
use crate::price_lookup::{Asked, Quote, half_width, quote};
use fathom_model::{CallCount, CountPass, Estimate, Part, PartKind, Variant};

/// What stands behind a call of the runtime's that is not tied to the operations.
pub(super) const OWN: &str = "(runtime's own)";

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
    let add = |called: &mut Called, count: &CallCount, name: String, conditions: &[Asked]| {
        let times = count.per_operation();
        if !times.is_finite() || times <= 0.0 {
            return;
        }
        let prices = &parts.prices.prices;
        let quotes: Vec<_> = conditions.iter().filter_map(|condition| quote(prices, condition)).collect();
        match mean(&quotes, waiting_is_known) {
            Some((price_ns, error_ns, note)) => called.parts.push(Part {
                kind: PartKind::Call,
                name,
                count: Some(times),
                price_ns: Some(price_ns),
                ns: times * price_ns,
                error_ns: error_ns.map(|error| times * error),
                note,
            }),
            None => called.unpriced.push(name),
        }
    };
    let is_device = parts.is_device || names_device(parts.variant);
    for count in &counts.inside {
        let conditions = if is_device && reaches_file(&count.call) {
            Vec::new()
        } else {
            conditions(counts, count, parts.variant, parts.path_depth)
        };
        let unpriced = called.unpriced.len();
        add(&mut called, count, named(count), &conditions);
        if called.unpriced.len() > unpriced {
            called.unpriced_count += count.per_operation();
        }
    }
    for count in &counts.background {
        let bare = Asked::bare(&count.call, count.errno.as_deref());
        add(&mut called, count, format!("{} {OWN}", named(count)), &[bare]);
    }
    called
}

/// The conditions that the recipe shows a call under, or the variant's usual one.
fn conditions(
    counts: &CountPass,
    count: &CallCount,
    variant: &Variant,
    path_depth: Option<u32>,
) -> Vec<Asked> {
    let key = (count.call.as_str(), count.errno.as_deref());
    let shown = of_recipe(counts, key, variant, path_depth);
    if shown.is_empty() { vec![usual(key.0, key.1, variant, path_depth)] } else { shown }
}

/// The mean of the prices and half of what it may be wrong by, in ns; what is to be said of them.
fn mean(quotes: &[Quote<'_>], waiting_is_known: bool) -> Option<(f64, Option<f64>, Option<String>)> {
    let number = quotes.len() as f64;
    let spent: Vec<_> = quotes.iter().map(|quote| spent(quote, waiting_is_known)).collect();
    let ns = spent.iter().map(|(price, _)| price.value).sum::<f64>() / number;
    let error_ns = spent.iter().map(|(price, _)| half_width(price)).sum::<Option<f64>>();
    let remarks = quotes.iter().filter_map(Quote::remark);
    let waits = spent.iter().filter_map(|(_, note)| note.map(str::to_owned));
    (!quotes.is_empty()).then(|| (ns, error_ns.map(|sum| sum / number), listed(remarks.chain(waits))))
}

/// The wall time of a call that keeps its CPU busy: it is what passes, steal and
/// interrupts included, and its interval is the narrower. Of a call that waits
/// (a flush, a cold page) only the CPU time: how long it waits depends on the
/// device's moment, and was observed on the variant itself.
fn spent(quote: &Quote<'_>, waiting_is_known: bool) -> (Estimate, Option<&'static str>) {
    match (quote.waits(), waiting_is_known) {
        (true, true) => (quote.cpu_ns, Some("CPU time, its waiting stands apart")),
        (true, false) => (quote.wall_ns, Some("its waiting is in the price")),
        (false, _) => (quote.wall_ns, None),
    }
}

fn named(count: &CallCount) -> String {
    match &count.errno {
        Some(errno) => format!("{}={errno}", count.call),
        None => count.call.clone(),
    }
}
