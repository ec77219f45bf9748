//! Where prices come from: whoever asks for an audit gives them.

use crate::call_key::DATA_SYNC;
use fathom_model::{CountedCalls, Estimate, Price};
use fathom_stats::quote_counted;

/// What calls cost, untraced.
pub trait Prices {
    /// The price of one such call, or `None` where there is none.
    fn price(&self, call: &CountedCalls) -> Option<CallPrice>;
}

/// The price of one call.
#[derive(Debug, Clone, PartialEq)]
pub struct CallPrice {
    /// Time that passes in it, in ns.
    pub wall_ns: Estimate,
    /// True of an operation of a ring that has the price of the call which it stands for.
    pub is_of_plain_call: bool,
    /// How the price's condition differs from the call's.
    pub note: Option<String>,
}

/// A list of prices as `fathom prices` keeps it.
#[derive(Debug, Clone, Copy)]
pub struct PriceList<'a>(pub &'a [Price]);

impl Prices for PriceList<'_> {
    fn price(&self, call: &CountedCalls) -> Option<CallPrice> {
        if call.flags == DATA_SYNC {
            return self.price_of_synced_write(call);
        }
        let quote = quote_counted(self.0, call)?;
        let other =
            quote.is_of_another.then(|| format!("{}: the price of {}", call.call, quote.price.condition));
        let notes: Vec<_> =
            other.into_iter().chain(quote.note.map(|at| format!("{}: {at}", call.call))).collect();
        let note = (!notes.is_empty()).then(|| notes.join(", "));
        let is_of_plain_call = is_of_ring(&call.call) && !is_of_ring(&quote.price.condition.call);
        Some(CallPrice { wall_ns: quote.wall_ns, is_of_plain_call, note })
    }
}

impl PriceList<'_> {
    /// A write that waits for the device costs what the write and `fdatasync` after it cost.
    fn price_of_synced_write(&self, call: &CountedCalls) -> Option<CallPrice> {
        let write = self.price(&CountedCalls { flags: String::new(), ..call.clone() })?;
        let sync = CountedCalls {
            call: "fdatasync".to_owned(),
            flags: "dirty".to_owned(),
            path_components: None,
            size_class_bytes: None,
            bytes: 0,
            ..call.clone()
        };
        let sync = self.price(&sync)?.wall_ns;
        let both = |one: Option<f64>, other: Option<f64>| Some(one? + other?);
        let wall_ns = Estimate {
            value: write.wall_ns.value + sync.value,
            low: both(write.wall_ns.low, sync.low),
            high: both(write.wall_ns.high, sync.high),
            confidence: write.wall_ns.confidence.min(sync.confidence),
            forks: write.wall_ns.forks.min(sync.forks),
        };
        let note = format!("{} with O_DSYNC: the price of it and of fdatasync of one dirty page", call.call);
        Some(CallPrice { wall_ns, is_of_plain_call: false, note: Some(note) })
    }
}

/// `io_uring:openat`.
fn is_of_ring(call: &str) -> bool {
    call.starts_with("io_uring:")
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::{CallOutcome, FileKind, call_form};
    use fathom_testkit::price;

    fn write(flags: &str) -> CountedCalls {
        CountedCalls {
            call: "write".to_owned(),
            outcome: CallOutcome::Succeeded,
            flags: flags.to_owned(),
            path_components: None,
            size_class_bytes: Some(4096),
            on: Some(FileKind::Regular),
            bytes: 4096,
            count: 1,
        }
    }

    #[test]
    fn a_write_that_waits_costs_the_write_and_the_wait() {
        let prices = [
            price("write", call_form::OVERWRITING, 700.0),
            price("fdatasync", call_form::CLEAN, 9_000.0),
            price("fdatasync", call_form::ONE_DIRTY_PAGE, 300_000.0),
        ];
        let cost = |prices: &[Price], flags| {
            PriceList(prices).price(&write(flags)).map(|price| price.wall_ns.value.round())
        };
        assert_eq!(cost(&prices, ""), Some(700.0));
        assert_eq!(cost(&prices, "O_DSYNC"), Some(300_700.0));
        assert_eq!(cost(&prices[..1], "O_DSYNC"), None, "the wait has no price");
    }
}
