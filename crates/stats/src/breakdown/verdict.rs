//! Names what limits an operation, by the shares of its parts.

use fathom_model::{Bound, Part, PartKind};

/// What takes this share of the time decides: clearly more than half.
const DECIDING: f64 = 0.55;
/// With what it may be wrong by taken off, at least this.
const HALF: f64 = 0.5;

/// The limit, and the share (0 to 1) of the class that decides, or of the largest.
/// Where the rest may hold more than the program's own code (`rest_is_own` is
/// false), a large rest decides nothing.
pub(super) fn verdict(parts: &[Part], total_ns: f64, rest_is_own: bool) -> (Bound, f64) {
    let shares = class_shares(parts, total_ns);
    let largest = shares.into_iter().reduce(|most, class| if class.1 > most.1 { class } else { most });
    let (bound, share) = largest.unwrap_or((Bound::Mixed, 0.0));
    let error = class_error(parts, bound).map_or(0.0, |error_ns| error_ns / total_ns);
    // Beside a negative rest a class can have more than the whole.
    let decided = match bound {
        _ if share < DECIDING || share - error < HALF => Bound::Mixed,
        Bound::Cpu if !rest_is_own => Bound::Unknown,
        bound => bound,
    };
    (decided, share.clamp(0.0, 1.0))
}

/// What a class may be wrong by, in ns: the rest by what all other parts may.
fn class_error(parts: &[Part], bound: Bound) -> Option<f64> {
    let of_class = parts.iter().filter(|part| class(part.kind) == bound);
    of_class.map(|part| part.error_ns).sum()
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
