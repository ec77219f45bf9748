//! Where prices come from: whoever asks for an audit gives them.

use fathom_model::{CallCondition, Estimate, Price};
use fathom_stats::quote_counted;

/// What calls cost, untraced.
pub trait Prices {
    /// The price of one such call, or `None` where there is none.
    fn price(&self, call: &CallCondition) -> Option<CallPrice>;
}

/// The price of one call.
#[derive(Debug, Clone, PartialEq)]
pub struct CallPrice {
    /// Time that passes in it, in ns.
    pub wall_ns: Estimate,
    /// How the price's condition differs from the call's.
    pub note: Option<String>,
}

/// A list of prices as `fathom prices` keeps it.
#[derive(Debug, Clone, Copy)]
pub struct PriceList<'a>(pub &'a [Price]);

impl Prices for PriceList<'_> {
    fn price(&self, call: &CallCondition) -> Option<CallPrice> {
        let quote = quote_counted(self.0, call)?;
        let other =
            quote.is_of_another.then(|| format!("{}: the price of {}", call.call, described(quote.price)));
        let notes: Vec<_> =
            other.into_iter().chain(quote.note.map(|at| format!("{}: {at}", call.call))).collect();
        let note = (!notes.is_empty()).then(|| notes.join(", "));
        Some(CallPrice { wall_ns: quote.wall_ns, note })
    }
}

fn described(price: &Price) -> String {
    let errno = price.errno.as_ref().map(|errno| format!("={errno}")).unwrap_or_default();
    let what = if price.what.is_empty() { String::new() } else { format!(" ({})", price.what) };
    format!("{}{errno}{what}", price.call)
}
