//! Which price of a list each counted call gets, in words. The look-up itself is
//! that of `fathom-stats`, which breakdowns use too.

use fathom_model::{CommandPrices, CountedCalls, Price, PriceList, PricedCalls};
use fathom_stats::{Quote, quote_counted};
use std::path::PathBuf;

/// Prices for the calls that have one.
pub(super) fn priced(file: PathBuf, list: &PriceList, conditions: &[CountedCalls]) -> CommandPrices {
    let calls = conditions.iter().filter_map(|condition| priced_calls(&list.prices, condition)).collect();
    CommandPrices { file, created: list.created.clone(), place: list.place.clone(), calls }
}

fn priced_calls(prices: &[Price], condition: &CountedCalls) -> Option<PricedCalls> {
    let quote = quote_counted(prices, condition)?;
    Some(PricedCalls {
        call: condition.call.clone(),
        outcome: condition.outcome.clone(),
        count: condition.count,
        price: described(quote.price),
        at: place(condition, quote.price),
        note: note(&quote, condition),
        wall_ns: quote.wall_ns,
        cpu_ns: quote.cpu_ns,
    })
}

fn described(price: &Price) -> String {
    let parts = [price.condition.errno().unwrap_or_default().to_owned(), price.condition.form.to_string()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// The depth or mean size of the calls, whichever the price has.
fn place(condition: &CountedCalls, price: &Price) -> Option<String> {
    let mean_bytes = condition.bytes as f64 / condition.count.max(1) as f64;
    let depth = condition.path_components.filter(|_| price.condition.path_components.is_some());
    let size = condition.size_class_bytes.filter(|_| price.condition.size_bytes.is_some());
    depth.map(|depth| format!("depth {depth}")).or_else(|| size.map(|_| format!("{mean_bytes:.0} B")))
}

fn note(quote: &Quote<'_>, condition: &CountedCalls) -> Option<String> {
    let flags = if condition.flags.is_empty() { "a call without flags" } else { &condition.flags };
    let other = quote.is_of_another.then(|| format!("for {flags}"));
    let notes: Vec<_> = other.into_iter().chain(quote.note.clone()).collect();
    (!notes.is_empty()).then(|| notes.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::{CallCondition, CallForm, CallOutcome, Estimate, call_form as what};

    fn price(call: &str, form: CallForm, (depth, size_bytes): (Option<u32>, Option<u64>), ns: f64) -> Price {
        let around =
            |ns: f64| Estimate { value: ns, low: Some(ns), high: Some(ns), confidence: 0.95, forks: 8 };
        let condition =
            CallCondition { path_components: depth, size_bytes, ..CallCondition::new(call, form) };
        Price { condition, wall_ns: around(ns), cpu_ns: around(ns / 2.0) }
    }

    fn list() -> Vec<Price> {
        let missing = price("openat", what::READ_ONLY, (Some(1), None), 500.0);
        vec![
            price("openat", what::READ_ONLY, (Some(1), None), 1000.0),
            price("openat", what::READ_ONLY, (Some(4), None), 1300.0),
            Price { condition: missing.condition.failing("ENOENT"), ..missing },
            price("read", what::IN_ORDER, (None, Some(512)), 150.0),
            price("read", what::IN_ORDER, (None, Some(4096)), 500.0),
            price("futex", what::WAKE_NOBODY, (None, None), 90.0),
        ]
    }

    /// Two calls of 1152 bytes each, or by a path of 2.
    fn condition(call: &str, outcome: CallOutcome, flags: &str) -> CountedCalls {
        let is_read = call == "read";
        CountedCalls {
            call: call.to_owned(),
            outcome,
            flags: flags.to_owned(),
            path_components: (call == "openat").then_some(2),
            size_class_bytes: is_read.then_some(2048),
            on: None,
            bytes: if is_read { 2304 } else { 0 },
            count: 2,
        }
    }

    /// The price in words, where it was read off, the note, and both times in whole ns.
    fn told(condition: &CountedCalls) -> [String; 4] {
        let calls = priced_calls(&list(), condition).unwrap();
        let times = format!("{:.0} {:.0}", calls.wall_ns.value, calls.cpu_ns.value);
        [calls.price, calls.at.unwrap_or_default(), calls.note.unwrap_or_default(), times]
    }

    #[test]
    fn the_price_its_place_and_what_differs_are_told() {
        let done = |call, flags| told(&condition(call, CallOutcome::Succeeded, flags));
        assert_eq!(done("openat", "O_RDONLY"), ["O_RDONLY", "depth 2", "", "1100 550"]);
        assert_eq!(
            done("openat", "O_RDONLY|O_DIRECT"),
            ["O_RDONLY", "depth 2", "for O_RDONLY|O_DIRECT", "1100 550"]
        );
        assert_eq!(done("read", ""), ["in order, reused buffer", "1152 B", "", "212 106"]);
        assert_eq!(done("futex", "FUTEX_WAKE"), ["FUTEX_WAKE of nobody", "", "", "90 45"]);
        let missing = CallOutcome::Failed("ENOENT".to_owned());
        let walked = "priced at a path of 1, the rest of it as openat walks it";
        assert_eq!(
            told(&condition("openat", missing.clone(), "O_RDONLY")),
            ["ENOENT, O_RDONLY", "depth 2", walked, "600 300"]
        );
        let note = told(&condition("openat", missing, "O_RDONLY|O_DIRECTORY"))[2].clone();
        assert_eq!(note, format!("for O_RDONLY|O_DIRECTORY, {walked}"));
    }

    #[test]
    fn what_has_no_price_gets_none() {
        let none =
            |call: &str, outcome| priced_calls(&list(), &condition(call, outcome, "O_RDONLY")).is_none();
        assert!(none("mmap", CallOutcome::Succeeded));
        assert!(none("openat", CallOutcome::Failed("EPERM".to_owned())));
        assert!(none("read", CallOutcome::NeverReturned));
    }
}
