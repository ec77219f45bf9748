//! Functions of the user's that make equal calls and take unequal times: what else was counted tells
//! them apart, or that nothing does.

use crate::quantity::{nearly_whole, rounded_bytes, short_time, signed_time};
use crate::standing::{is_apart, pass};
use crate::summary::factor::by_ratio;
use crate::text::recipe::steps;
use fathom_model::{Comparison, ValidityProblem, VariantSummary};
use fathom_stats::is_own_function;

/// What differs by less than this share of it, or by less than half of one, is as much.
const AS_MUCH: f64 = 0.05;
/// CPU time of this share of a difference explains it; less than the second leaves most of it to waiting.
const EXPLAINS: f64 = 0.8;
const WAITS: f64 = 0.5;

/// A figure of the runtime, and how a difference of it is written.
type Figure = (&'static str, fn(f64) -> String);

const FIGURES: [Figure; 5] = [
    ("allocs", |more| format!("{} allocations", plain(more))),
    ("alloc_bytes", |more| format!("{} allocated", rounded_bytes(more))),
    ("minflt", |more| format!("{} page faults", plain(more))),
    ("majflt", |more| format!("{} page faults that read", plain(more))),
    ("gc_ns", |more| format!("{} of garbage collection", short_time(more))),
];

/// A sentence for each function that takes longer than another with the same calls: than the user's own
/// fastest of them, which itself is held against a shipped way that is faster.
pub(crate) fn sentences(comparison: &Comparison, labels: &[String]) -> Vec<String> {
    let order = by_ratio(comparison);
    let is_own = |index: usize| is_own_function(&comparison.variants[index]);
    let mut said = Vec::new();
    for flag in comparison.validity.iter().filter(|flag| flag.problem == ValidityProblem::SameCalls) {
        let members = || order.iter().filter(|(index, _)| flag.sides.contains(index));
        let own: Vec<_> = members().filter(|(index, _)| is_own(*index)).collect();
        let shipped = members().take(1).filter(|(index, _)| !is_own(*index));
        let pairs = shipped.zip(own.first().copied());
        let pairs = pairs.chain(own.iter().skip(1).map(|slow| (own[0], *slow)));
        for (quick, slow) in pairs.filter(|(quick, slow)| is_apart(comparison, quick.0, slow.0)) {
            said.extend(sentence(comparison, labels, *quick, *slow));
        }
    }
    said
}

type Timed<'a> = (usize, &'a VariantSummary);

/// `None` where the medians do not show which is slower.
fn sentence(
    comparison: &Comparison,
    labels: &[String],
    (quick, of_quick): Timed<'_>,
    (slow, of_slow): Timed<'_>,
) -> Option<String> {
    let longer = of_slow.time_ns.value - of_quick.time_ns.value;
    let steps = |index| pass(comparison, index).map(steps);
    let arguments = if steps(quick) == steps(slow) { "" } else { " (with other arguments: --full)" };
    let head = format!("{}: {} beside {}{arguments}", labels[slow], signed_time(longer), labels[quick]);
    let told = |key: &str| {
        let of = |summary: &VariantSummary| summary.runtime_per_operation.get(key).copied();
        of(of_slow).zip(of(of_quick))
    };
    let differing: Vec<String> =
        FIGURES.iter().filter_map(|figure| difference(*figure, told(figure.0)?)).collect();
    let known = [("allocs", "allocations"), ("minflt", "page faults")];
    let known: Vec<&str> =
        known.iter().filter(|(key, _)| told(key).is_some()).map(|(_, name)| *name).collect();
    let mut parts = Vec::new();
    if differing.is_empty() && !known.is_empty() {
        parts.push(format!("as many {}", known.join(" and ")));
    }
    let is_alike = differing.is_empty() && arguments.is_empty();
    parts.extend(differing);
    let on_cpu = told("cpu_ns").map(|(slow, quick)| slow - quick);
    match on_cpu.map(|ns| (ns, ns / longer)) {
        Some((ns, share)) if share < WAITS => {
            parts.push(format!("CPU time only {}: the rest is waiting", signed_time(ns.max(0.0))));
        }
        Some((ns, share)) => {
            let own = if is_alike && share >= EXPLAINS { ": most likely its own code" } else { "" };
            parts.push(format!("CPU time {}{own}", signed_time(ns)));
        }
        None => {}
    }
    (longer > 0.0).then(|| format!("{head}: {}", parts.join(", ")))
}

/// A difference is what it is: without the `~` of what is not whole.
fn plain(more: f64) -> String {
    nearly_whole(more).trim_start_matches('~').to_owned()
}

/// How the slower one's figure differs from the quicker one's, where it does.
fn difference((key, write): Figure, (slow, quick): (f64, f64)) -> Option<String> {
    let more = slow - quick;
    let least = if key == "gc_ns" { 100.0 } else { 0.5 };
    let differs = more.abs() >= least && more.abs() >= AS_MUCH * slow.max(quick);
    let sign = if more < 0.0 { '-' } else { '+' };
    differs.then(|| format!("{sign}{}", write(more.abs())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::{MethodId, Reading, ValidityFlag};
    use fathom_testkit::{duel, estimate, step};

    /// The second takes three times as long as the first, by the same calls: figures of both.
    fn two(quick: &[(&str, f64)], slow: &[(&str, f64)]) -> Comparison {
        let mut comparison = duel(&[3.0; 9]).experiments.remove(0).comparisons.remove(0);
        let flag = ValidityFlag {
            problem: ValidityProblem::SameCalls,
            sides: vec![0, 1],
            feature: None,
            errno: None,
            path: None,
            bytes: Vec::new(),
        };
        comparison.validity = vec![flag];
        comparison.answers.clear();
        for (index, figures) in [quick, slow].into_iter().enumerate() {
            comparison.variants[index].method =
                MethodId::new("ways.go", if index == 0 { "Quick" } else { "Slow" });
            let Reading::Value(summary) = &mut comparison.summaries[index] else { panic!("not timed") };
            let ns = if index == 0 { 10_000.0 } else { 30_000.0 };
            let ratio = (index == 1).then(|| estimate(3.0, Some((2.9, 3.1)), 9));
            (summary.ratio, summary.ratio_simultaneous) = (ratio, ratio);
            summary.time_ns = estimate(ns, Some((ns * 0.99, ns * 1.01)), 9);
            summary.runtime_per_operation =
                figures.iter().map(|(key, value)| ((*key).to_owned(), *value)).collect();
        }
        comparison
    }

    fn said(comparison: &Comparison) -> Vec<String> {
        let labels: Vec<_> = comparison.variants.iter().map(|variant| variant.method.to_string()).collect();
        sentences(comparison, &labels)
    }

    fn figures(allocs: f64, minflt: f64, cpu_ns: f64) -> [(&'static str, f64); 3] {
        [("allocs", allocs), ("minflt", minflt), ("cpu_ns", cpu_ns)]
    }

    const HEAD: &str = "ways.go:Slow: +20.0 µs beside ways.go:Quick: ";

    #[test]
    fn what_else_is_alike_leaves_its_own_code() {
        let alike = two(&figures(5.0, 0.7, 9e3), &figures(5.0, 0.9, 29e3));
        let why = "as many allocations and page faults, CPU time +20.0 µs: most likely its own code";
        assert_eq!(said(&alike), [format!("{HEAD}{why}")]);
    }

    #[test]
    fn what_differs_is_named_and_own_code_is_not_blamed() {
        let more = two(&figures(5.0, 9.0, 9e3), &figures(764.0, 2.0, 29e3));
        let why = "+759 allocations, -7 page faults, CPU time +20.0 µs";
        assert_eq!(said(&more), [format!("{HEAD}{why}")]);
    }

    #[test]
    fn time_without_cpu_time_is_waiting() {
        let waits = said(&two(&figures(5.0, 0.0, 9e3), &figures(5.0, 0.0, 10e3)));
        assert!(waits[0].contains("CPU time only +1000 ns: the rest is waiting"), "{waits:?}");
        assert!(!waits[0].contains("own code"), "{waits:?}");
    }

    #[test]
    fn what_is_not_counted_is_not_called_alike() {
        let unknown = said(&two(&[("minflt", 0.0)], &[("allocs", 4.0), ("minflt", 0.0)]));
        assert!(unknown[0].ends_with("as many page faults"), "{unknown:?}");
    }

    #[test]
    fn other_arguments_of_equal_calls_may_be_the_reason() {
        let mut other = two(&figures(5.0, 0.0, 9e3), &figures(5.0, 0.0, 29e3));
        let Reading::Value(pass) = &mut other.counts[1] else { panic!("not counted") };
        pass.recipe = vec![step("openat", "FILE, O_RDONLY|O_DIRECT", "3")];
        let why = said(&other);
        assert!(why[0].contains("(with other arguments: --full)") && !why[0].contains("own code"), "{why:?}");
    }

    #[test]
    fn nothing_is_said_of_times_that_are_not_apart_of_other_calls_or_of_shipped_ways() {
        let alike = figures(5.0, 0.0, 9e3);
        let of = |change: &dyn Fn(&mut Comparison)| {
            let mut comparison = two(&alike, &alike);
            change(&mut comparison);
            said(&comparison)
        };
        assert_eq!(of(&|_| ()).len(), 1);
        let equal = estimate(1.0, Some((0.9, 1.1)), 9);
        let not_apart = |comparison: &mut Comparison| {
            let Reading::Value(summary) = &mut comparison.summaries[1] else { panic!("not timed") };
            (summary.ratio, summary.ratio_simultaneous) = (Some(equal), Some(equal));
        };
        assert_eq!(of(&not_apart), [""; 0]);
        assert_eq!(of(&|comparison| comparison.validity.clear()), [""; 0]);
        let ship = |comparison: &mut Comparison| {
            comparison.variants.iter_mut().for_each(|variant| variant.method.driver = "go".to_owned());
        };
        assert_eq!(of(&ship), [""; 0]);
    }
}
