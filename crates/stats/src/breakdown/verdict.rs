//! Names what limits an operation, by the shares of its parts: over all that those
//! shares may be, by what the prices and the time they are taken of may be wrong by.

use super::calls::OWN;
use super::observed::{NOTHING_OBSERVED, WAITING_UNKNOWN};
use fathom_model::{Bound, Breakdown, Estimate, Part, PartKind};

/// What takes this share of the time decides: clearly more than half.
const DECIDING: f64 = 0.55;
/// However wrong the prices and the time are, at least this.
const HALF: f64 = 0.5;

/// What limits an operation, and why nothing is said to where a class has clearly more
/// than half only by the values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limit {
    /// What limits it.
    pub bound: Bound,
    /// Present where the share of one class would decide if it were known better.
    pub doubt: Option<LimitDoubt>,
}

/// The share that would decide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LimitDoubt {
    /// Whose share it is.
    pub class: Bound,
    /// What it may be, 0 to 1; `None` while the time has no interval.
    pub share: Option<(f64, f64)>,
}

/// The limit by the parts that a record keeps: those of earlier versions were judged by
/// the prices' errors alone.
pub fn limit(breakdown: &Breakdown) -> Limit {
    let rest_is_own = match breakdown.bound {
        Bound::Cpu => true,
        Bound::Unknown => false,
        // Not kept for the others; a few cheap calls without a price would do no harm.
        _ => breakdown.unpriced.iter().all(|name| name.ends_with(OWN)) && knows_waiting(&breakdown.parts),
    };
    decide(&breakdown.parts, &breakdown.total_ns, rest_is_own).0
}

/// All that the share of the rest may be; below 0 where prices may be above what was
/// paid. `None` while the time has no interval.
pub fn rest_share(breakdown: &Breakdown) -> Option<(f64, f64)> {
    let (low_ns, high_ns) = positive(&breakdown.total_ns)?;
    let (least, most) = range(breakdown.parts.iter().filter(|part| part.kind != PartKind::Rest));
    Some((1.0 - most / low_ns, 1.0 - least / high_ns))
}

fn positive(total: &Estimate) -> Option<(f64, f64)> {
    total.interval().filter(|(low, high)| *low > 0.0 && high.is_finite())
}

fn knows_waiting(parts: &[Part]) -> bool {
    let notes = parts.iter().filter(|part| part.kind == PartKind::Rest).filter_map(|part| part.note.as_ref());
    notes.into_iter().all(|note| !note.contains(WAITING_UNKNOWN) && !note.contains(NOTHING_OBSERVED))
}

/// The limit, and the share (0 to 1) of the class that decides, or of the largest.
/// Where the rest may hold more than the program's own code (`rest_is_own` is
/// false), a large rest decides nothing.
pub(super) fn verdict(parts: &[Part], total: &Estimate, rest_is_own: bool) -> (Bound, f64) {
    let (limit, share) = decide(parts, total, rest_is_own);
    (limit.bound, share)
}

fn decide(parts: &[Part], total: &Estimate, rest_is_own: bool) -> (Limit, f64) {
    let shares = class_shares(parts, total.value);
    let largest = shares.into_iter().reduce(|most, class| if class.1 > most.1 { class } else { most });
    let (class, value) = largest.unwrap_or((Bound::Mixed, 0.0));
    let share = share_interval(parts, total, class);
    let is_clear = share.is_some_and(|(low, _)| low >= HALF);
    let (bound, doubt) = match class {
        // Beside a negative rest a class can have more than the whole.
        _ if value.is_nan() || value < DECIDING => (Bound::Mixed, None),
        _ if !is_clear => (Bound::Mixed, Some(LimitDoubt { class, share })),
        Bound::Cpu if !rest_is_own => (Bound::Unknown, None),
        bound => (bound, None),
    };
    (Limit { bound, doubt }, value.clamp(0.0, 1.0))
}

/// All that the share of a class may be. The rest is what the others leave of the time.
fn share_interval(parts: &[Part], total: &Estimate, bound: Bound) -> Option<(f64, f64)> {
    let (low_ns, high_ns) = positive(total)?;
    let of_class = |part: &&Part| class(part.kind) == bound;
    let (least, most) = if bound == Bound::Cpu {
        let (least, most) = range(parts.iter().filter(|part| !of_class(part)));
        (1.0 - most / low_ns, 1.0 - least / high_ns)
    } else {
        let (least, most) = range(parts.iter().filter(of_class));
        (least / high_ns, most / low_ns)
    };
    Some((least.clamp(0.0, 1.0), most.clamp(0.0, 1.0)))
}

/// What parts may be together, in ns. One of which it is not known may be nothing, or
/// twice as much.
fn range<'a>(parts: impl Iterator<Item = &'a Part>) -> (f64, f64) {
    parts.fold((0.0, 0.0), |(least, most), part| {
        let error_ns = part.error_ns.filter(|error| error.is_finite()).unwrap_or(part.ns.abs());
        (least + part.ns - error_ns, most + part.ns + error_ns)
    })
}

/// The share of each class; together 1.
pub(super) fn class_shares(parts: &[Part], total_ns: f64) -> [(Bound, f64); 4] {
    [Bound::Call, Bound::Fault, Bound::Device, Bound::Cpu].map(|bound| {
        let of_class = parts.iter().filter(|part| class(part.kind) == bound);
        (bound, of_class.map(|part| part.ns).sum::<f64>() / total_ns)
    })
}

fn class(kind: PartKind) -> Bound {
    match kind {
        PartKind::Call => Bound::Call,
        PartKind::Fault | PartKind::PageCache => Bound::Fault,
        PartKind::Wait | PartKind::RunQueue => Bound::Device,
        PartKind::Loop | PartKind::Rest => Bound::Cpu,
    }
}
