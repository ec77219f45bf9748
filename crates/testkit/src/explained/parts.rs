//! Parts of a time, and breakdowns that add up.

use crate::parts::estimate;
use fathom_model::{Bound, Breakdown, Part, PartKind, Reading};

/// A call so often at a price that is 1 % wide.
pub(super) fn called(name: &str, count: f64, price_ns: f64) -> Part {
    priced(PartKind::Call, name, count, price_ns)
}

/// So many of something at a price.
pub(super) fn priced(kind: PartKind, name: &str, count: f64, price_ns: f64) -> Part {
    let ns = count * price_ns;
    Part {
        kind,
        name: name.into(),
        count: Some(count),
        price_ns: Some(price_ns),
        ns,
        error_ns: Some(ns * 0.01),
        note: None,
    }
}

/// A part that is no number of times something.
pub(super) fn timed(kind: PartKind, name: &str, ns: f64, error_ns: f64) -> Part {
    Part { kind, name: name.into(), count: None, price_ns: None, ns, error_ns: Some(error_ns), note: None }
}

/// The parts with the rest that they leave; the larger half of the time decides.
pub(super) fn broken_down(
    total_ns: f64,
    half_ns: f64,
    calls: &[Part],
    others: &[Part],
) -> Reading<Breakdown> {
    let mut parts = [calls, others].concat();
    let errors: f64 = parts.iter().filter_map(|part| part.error_ns).sum();
    let rest = total_ns - parts.iter().map(|part| part.ns).sum::<f64>();
    parts.push(timed(PartKind::Rest, "rest", rest, errors + half_ns));
    let share = |kinds: &[PartKind]| {
        parts.iter().filter(|part| kinds.contains(&part.kind)).map(|part| part.ns).sum::<f64>() / total_ns
    };
    let classes = [
        (Bound::Call, share(&[PartKind::Call])),
        (Bound::Fault, share(&[PartKind::Fault, PartKind::PageCache])),
        (Bound::Device, share(&[PartKind::Wait, PartKind::RunQueue])),
        (Bound::Cpu, share(&[PartKind::Loop, PartKind::Rest])),
    ];
    let largest =
        classes.into_iter().fold(classes[0], |most, each| if each.1 > most.1 { each } else { most });
    let bound = if largest.1 >= 0.5 { largest.0 } else { Bound::Mixed };
    Reading::Value(Breakdown {
        total_ns: estimate(total_ns, Some((total_ns - half_ns, total_ns + half_ns)), 15),
        parts,
        error_ns: Some(errors),
        bound,
        share: largest.1.clamp(0.0, 1.0),
        unpriced: Vec::new(),
    })
}
