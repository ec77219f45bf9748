//! Breaks the time of an operation down: calls and faults by their prices, waiting
//! as it was observed, and the rest. Owns what the parts are and that they add up;
//! reading recipes and counters and naming the limit have files of their own.

mod calls;
mod observed;
mod recipe;
mod verdict;

pub use recipe::quote_recipe;
pub use verdict::{Limit, LimitDoubt, limit, rest_share};

use crate::price_lookup::half_width;
use fathom_model::{
    Breakdown, CountPass, Estimate, EvidencePass, Part, PartKind, PriceList, Reading, Variant, VariantSummary,
};
use observed::Observed;

/// More CPU time than this a call without a price hardly takes, unless it does the
/// operation's work.
const UNPRICED_CALL_NS: f64 = 20_000.0;
/// The rest is the program's own while such calls take no more of the time.
const UNPRICED_MAX: f64 = 0.1;

/// What a breakdown is made of.
#[derive(Debug, Clone, Copy)]
pub struct BreakdownParts<'a> {
    /// The variant.
    pub variant: &'a Variant,
    /// Its time.
    pub summary: &'a Reading<VariantSummary>,
    /// Its calls.
    pub counts: &'a Reading<CountPass>,
    /// The kernel's counters.
    pub counters: &'a Reading<EvidencePass>,
    /// The prices of its place.
    pub prices: &'a PriceList,
    /// Components of its file's path, where it is a path.
    pub path_depth: Option<u32>,
    /// True where its place is a device: prices are those of files.
    pub is_device: bool,
}

/// The parts of the time; unavailable without a time or without counts.
///
/// Every price used is of the warm condition: what a cold file costs more is
/// bringing in its pages and waiting for them, which are parts of their own.
pub fn break_down(parts: &BreakdownParts<'_>) -> Reading<Breakdown> {
    let summary = match parts.summary {
        Reading::Value(summary) => summary,
        Reading::Unavailable(reason) => return Reading::unavailable(format!("not timed: {reason}")),
    };
    let counts = match parts.counts {
        Reading::Value(counts) => counts,
        Reading::Unavailable(reason) => return Reading::unavailable(format!("calls not counted: {reason}")),
    };
    let total = summary.time_ns;
    if !(total.value.is_finite() && total.value > 0.0) {
        return Reading::unavailable("the time is not above zero");
    }
    let observed = Observed::of(parts, counts, total.value);
    let called = calls::parts(parts, counts, observed.knows_waiting());
    let mut found: Vec<_> = called.parts;
    found.sort_by(|a, b| b.ns.total_cmp(&a.ns));
    found.extend(observed.parts);
    found.extend(loop_part(summary));
    let unpriced: Vec<_> = [called.unpriced, observed.unpriced].concat();
    let error_ns = sum_of_errors(&found);
    found.push(rest(&total, &found, error_ns, observed.remarks));
    let unpriced_ns = called.unpriced_count * UNPRICED_CALL_NS;
    let rest_is_own = observed.is_whole && unpriced_ns <= UNPRICED_MAX * total.value;
    let (bound, share) = verdict::verdict(&found, &total, rest_is_own);
    Reading::Value(Breakdown { total_ns: total, parts: found, error_ns, bound, share, unpriced })
}

fn loop_part(summary: &VariantSummary) -> Option<Part> {
    let each = summary.loop_ns.filter(|each| each.value.is_finite() && each.value > 0.0)?;
    Some(Part {
        kind: PartKind::Loop,
        name: "driver's loop".to_owned(),
        count: None,
        price_ns: None,
        ns: each.value,
        error_ns: half_width(&each),
        note: None,
    })
}

/// What is left of the total. It carries the errors of everything that was taken off.
fn rest(total: &Estimate, found: &[Part], error_ns: Option<f64>, remarks: Vec<String>) -> Part {
    let taken: f64 = found.iter().map(|part| part.ns).sum();
    let error_ns = error_ns.zip(half_width(total)).map(|(parts, total)| parts + total);
    Part {
        kind: PartKind::Rest,
        name: "rest".to_owned(),
        count: None,
        price_ns: None,
        ns: total.value - taken,
        error_ns,
        note: listed(remarks),
    }
}

/// Added up as they are, not as squares: the prices of one list were taken in one
/// session, so that what raised one of them may have raised all.
fn sum_of_errors(parts: &[Part]) -> Option<f64> {
    parts.iter().map(|part| part.error_ns).sum()
}

/// Distinct remarks in one text; `None` where there are none.
fn listed(remarks: impl IntoIterator<Item = String>) -> Option<String> {
    let mut distinct: Vec<String> = Vec::new();
    for remark in remarks {
        if !distinct.contains(&remark) {
            distinct.push(remark);
        }
    }
    (!distinct.is_empty()).then(|| distinct.join("; "))
}

#[cfg(test)]
mod tests;
