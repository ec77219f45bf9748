//! The gap between two methods, by the parts that make it. What is named adds up
//! to the gap.

use crate::quantity::{number, short_time, signed_time};
use fathom_model::{Breakdown, Estimate, Part, PartKind};

/// A part that makes less of the gap is summed up with others.
const NAMED_FROM: f64 = 0.03;
/// More parts than these are summed up.
const NAMED_MAX: usize = 5;

/// How much longer the other takes than the base, part by part.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Gap {
    /// Negative where the other takes less.
    total_ns: f64,
    /// Its interval, where the two were timed in the same blocks.
    interval_ns: Option<(f64, f64)>,
    /// The parts that differ, those that make most of the gap first; without the rest.
    parts: Vec<Difference>,
    rest_ns: f64,
}

#[derive(Debug, Clone, PartialEq)]
struct Difference {
    kind: PartKind,
    name: String,
    count: Option<f64>,
    ns: f64,
}

impl Gap {
    /// The gap from one breakdown to another.
    pub(crate) fn between(base: &Breakdown, other: &Breakdown) -> Self {
        let only_base = base.parts.iter().filter(|part| find(other, part).is_none());
        let each = other.parts.iter().map(|part| (find(base, part), Some(part)));
        let each = each.chain(only_base.map(|part| (Some(part), None)));
        let mut parts: Vec<_> = each.filter_map(|(base, other)| difference(base, other)).collect();
        let rest_ns = parts.iter().filter(|part| part.kind == PartKind::Rest).map(|part| part.ns).sum();
        parts.retain(|part| part.kind != PartKind::Rest);
        parts.sort_by(|a, b| b.ns.abs().total_cmp(&a.ns.abs()));
        let total_ns = other.total_ns.value - base.total_ns.value;
        Self { total_ns, interval_ns: None, parts, rest_ns }
    }

    /// The same with the difference as it was found in the same blocks: medians of two
    /// methods can lie further apart than the methods do. The rest takes the change.
    pub(crate) fn paired(self, delta_ns: Option<Estimate>) -> Self {
        let Some(delta) = delta_ns.filter(|delta| delta.value.is_finite()) else { return self };
        let rest_ns = self.rest_ns + delta.value - self.total_ns;
        Self { total_ns: delta.value, interval_ns: delta.interval(), rest_ns, ..self }
    }

    /// What the rest makes of it, and all of it.
    pub(crate) fn rest_and_total_ns(&self) -> (f64, f64) {
        (self.rest_ns, self.total_ns)
    }

    /// `takes 412 ns more than`.
    pub(crate) fn lead(&self) -> String {
        let word = if self.total_ns < 0.0 { "less" } else { "more" };
        let interval = self.interval_ns.map_or_else(String::new, |(low, high)| {
            let (low, high) = if self.total_ns < 0.0 { (-high, -low) } else { (low, high) };
            format!(" [{}, {}]", plain(low), plain(high))
        });
        format!("takes {}{interval} {word} than", short_time(self.total_ns.abs()))
    }

    /// `fcntl +634 ns (4 calls more), unattributed +586 ns`.
    pub(crate) fn phrase(&self) -> String {
        let is_named = |part: &Difference| part.ns.abs() >= NAMED_FROM * self.total_ns.abs();
        let count = self.parts.iter().take_while(|part| is_named(part)).count().min(NAMED_MAX);
        let (named, small) = self.parts.split_at(count);
        let mut texts: Vec<_> = named.iter().map(Difference::phrase).collect();
        let others: f64 = small.iter().map(|part| part.ns).sum();
        if others.abs() >= NAMED_FROM * self.total_ns.abs() {
            texts.push(format!("others {}", signed_time(others)));
        }
        texts.push(format!("unattributed {}", signed_time(self.rest_ns)));
        texts.join(", ")
    }
}

/// A time that may be below zero.
fn plain(ns: f64) -> String {
    if ns < 0.0 { format!("-{}", short_time(-ns)) } else { short_time(ns) }
}

impl Difference {
    fn phrase(&self) -> String {
        let time = format!("{} {}", self.name, signed_time(self.ns));
        let Some(count) = self.count.filter(|count| count.abs() > 1e-9) else { return time };
        let whole = (count - count.round()).abs() < 1e-9;
        let times = number(count.abs(), if whole { 0 } else { 2 });
        let more = if count > 0.0 { "more" } else { "fewer" };
        let noun = match (self.kind, times.as_str()) {
            (PartKind::Call, "1") => " call",
            (PartKind::Call, _) => " calls",
            _ => "",
        };
        format!("{time} ({times}{noun} {more})")
    }
}

fn find<'a>(of: &'a Breakdown, like: &Part) -> Option<&'a Part> {
    of.parts.iter().find(|part| (part.kind, &part.name) == (like.kind, &like.name))
}

fn difference(base: Option<&Part>, other: Option<&Part>) -> Option<Difference> {
    let like = other.or(base)?;
    let (kind, name) = (like.kind, like.name.clone());
    let ns = |part: Option<&Part>| part.map_or(0.0, |part| part.ns);
    let count = |part: Option<&Part>| part.map_or(Some(0.0), |part| part.count);
    let count = count(other).zip(count(base)).map(|(other, base)| other - base);
    Some(Difference { kind, name, count, ns: ns(other) - ns(base) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::breakdown::breakdown;
    use fathom_testkit::explained;

    fn gap(experiment: usize, base: usize, other: usize) -> Gap {
        let record = explained();
        let comparison = &record.experiments[experiment].comparisons[0];
        Gap::between(breakdown(comparison, base).unwrap(), breakdown(comparison, other).unwrap())
    }

    #[test]
    fn parts_of_either_make_the_gap_and_add_up_to_it() {
        let faults = gap(1, 0, 1);
        let sum: f64 = faults.parts.iter().map(|part| part.ns).sum();
        assert!((sum + faults.rest_ns - faults.total_ns).abs() < 1e-6);
        assert_eq!(faults.lead(), "takes 5700 ns more than");
        let phrase = faults.phrase();
        assert!(phrase.starts_with("pages brought in +11.1 µs (27.02 more), waiting -9900 ns, "), "{phrase}");
        assert!(phrase.contains("pread64 -171 ns") || phrase.contains("others"), "{phrase}");
    }

    #[test]
    fn the_other_way_round_it_is_less() {
        let less = gap(0, 1, 0);
        assert_eq!(less.lead(), "takes 1407 ns less than");
        assert_eq!(
            less.phrase(),
            "fcntl -634 ns (4 calls fewer), epoll_ctl=EPERM -187 ns (1 call fewer), unattributed -586 ns"
        );
    }

    #[test]
    fn equal_parts_leave_the_rest() {
        assert_eq!(gap(0, 0, 4).phrase(), "unattributed -107 ns");
    }
}
