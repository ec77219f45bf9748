//! Published figures beside this machine's: which variants a figure is about,
//! what this machine has beside it, and whether it can be true here.

use crate::answer::answer;
use crate::floor::{Bound, bound, of_operation};
use crate::label::{alignment_word, buffer_word, setting_label};
use crate::quantity::{bytes, grouped, published, short_time, three_digits};
use crate::standing::{pass, summary};
use fathom_model::{
    Comparison, EvidencePass, Figure, Floors, Publication, Quantity, Scope, Variant, counter_name,
};

/// Stands behind a figure that cannot be true here.
pub(crate) const IMPOSSIBLE: &str = "†";

/// The published times of a variant's method, each with the number of its publication.
pub(crate) fn times<'a>(publications: &'a [Publication], variant: &Variant) -> Vec<(usize, &'a Figure)> {
    let of = |(number, publication): (usize, &'a Publication)| {
        let figures = publication.figures.iter().filter(|figure| has_a_place(figure, variant));
        figures.map(move |figure| (number, figure))
    };
    publications.iter().enumerate().flat_map(of).collect()
}

/// True of a time that can stand in the table beside its variant's.
pub(crate) fn has_a_place(figure: &Figure, variant: &Variant) -> bool {
    figure.quantity == Quantity::Time && figure.conditions.method.is_some() && figure.is_about(variant)
}

/// The number as it was published: `2520 ns`, `34.8 s/100,000`.
pub(crate) fn value(figure: &Figure) -> String {
    let (number, unit) = number_and_unit(figure);
    format!("{number} {unit}").trim_end().to_owned()
}

/// The same in its two parts: `34.8` and `s/100,000`; a count has no unit.
pub(crate) fn number_and_unit(figure: &Figure) -> (String, String) {
    let unit = match figure.quantity {
        Quantity::Time | Quantity::SystemTime | Quantity::CollectorPause if figure.operations > 1 => {
            format!("{}/{}", figure.unit, grouped(figure.operations))
        }
        Quantity::Time | Quantity::SystemTime | Quantity::CollectorPause => figure.unit.clone(),
        Quantity::AllocatedBytes => "B".to_owned(),
        _ if figure.operations > 1 => format!("in {}", grouped(figure.operations)),
        _ => String::new(),
    };
    (published(figure.value), unit)
}

/// What was measured, in words.
pub(crate) fn noun(figure: &Figure) -> &str {
    match figure.quantity {
        Quantity::Time => "time",
        Quantity::SystemTime => "system time",
        Quantity::Allocations => "allocations",
        Quantity::AllocatedBytes => "allocated",
        Quantity::CollectorPause => "collector's pause",
        Quantity::PageFaults => "page faults",
        Quantity::MajorFaults => "major faults",
        Quantity::ContextSwitches => "context switches",
        Quantity::Calls => "system calls",
        Quantity::Events => "events",
        Quantity::Answer => &figure.unit,
    }
}

/// What this machine has beside a figure: one value, or the least and the most
/// of all variants that it is about.
pub(crate) fn here(comparisons: &[Comparison], figure: &Figure) -> String {
    match measured_here(comparisons, figure) {
        Ok(range) => format!("here {range}"),
        Err(why) => why.to_owned(),
    }
}

/// The same without the word, or why there is nothing.
pub(crate) fn measured_here(comparisons: &[Comparison], figure: &Figure) -> Result<String, &'static str> {
    let mut values: Vec<f64> = subjects(comparisons, figure)
        .filter_map(|(comparison, index)| counterpart(comparison, index, figure))
        .filter(|value| value.is_finite())
        .collect();
    values.sort_by(f64::total_cmp);
    let written = |value: &f64| write(*value, figure);
    match (values.first().map(written), values.last().map(written)) {
        (Some(least), Some(most)) if least == most => Ok(format!("{least}{}", caveat(comparisons, figure))),
        (Some(least), Some(most)) => Ok(format!("{least} to {most}{}", caveat(comparisons, figure))),
        _ if figure.quantity == Quantity::Events => Err("not counted here: --why"),
        _ => Err("not measured here"),
    }
}

/// Why a time cannot be true here: it lies below the least bound of everything
/// that it may be about.
pub(crate) fn impossible(floors: &Floors, comparisons: &[Comparison], figure: &Figure) -> Option<Bound> {
    let reported = figure.ns_per_operation().filter(|_| figure.quantity == Quantity::Time)?;
    let mut least: Option<Bound> = None;
    for (comparison, index) in subjects(comparisons, figure) {
        let bound = match figure.conditions.method {
            Some(_) => bound(floors, comparison, index),
            None => of_operation(floors, comparison.variants[index].operation),
        }?;
        if least.as_ref().is_none_or(|least| bound.ns < least.ns) {
            least = Some(bound);
        }
    }
    least.filter(|bound| reported < bound.ns)
}

/// The sentence that says so, behind what it is about.
pub(crate) fn refutation(figure: &Figure, bound: &Bound) -> String {
    let each = match figure.ns_per_operation() {
        Some(ns) if figure.operations > 1 => format!("{}, {} each,", value(figure), short_time(ns)),
        _ => value(figure),
    };
    format!("{each} is below {}: cannot be true here", bound.phrase)
}

/// What a figure is about: its method, or what it is called there, and for
/// which parameters it holds.
pub(crate) fn subject(figure: &Figure) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(figure.conditions.method.as_ref().map(ToString::to_string));
    // The label of an event is the event's.
    parts.extend(figure.label.clone().filter(|_| figure.quantity != Quantity::Events));
    parts.extend(figure.conditions.size_bytes.map(bytes));
    parts.extend(figure.conditions.block_bytes.map(|block| format!("blocks of {}", bytes(block))));
    parts.extend(figure.conditions.buffer.map(|buffer| format!("buffer {}", buffer_word(buffer))));
    parts.extend(figure.conditions.alignment.map(|alignment| alignment_word(alignment).to_owned()));
    parts.extend(figure.conditions.settings.iter().map(|(setting, value)| setting_label(*setting, value)));
    parts.join(", ")
}

/// A figure in words: `allocations 1 (here 5)`.
pub(crate) fn phrase(comparisons: &[Comparison], figure: &Figure) -> String {
    let name = match (&figure.quantity, &figure.label) {
        (Quantity::Events, Some(label)) => label.clone(),
        _ => noun(figure).to_owned(),
    };
    let device = on_the_device(comparisons, figure)
        .map_or_else(String::new, |value| format!(", {} by all on its device", write(value, figure)));
    format!("{name} {} ({}{device})", value(figure), here(comparisons, figure))
}

/// The machine and the date of a publication, as far as they are stated.
pub(crate) fn origin(publication: &Publication) -> String {
    match (&publication.hardware, &publication.date) {
        (Some(hardware), Some(date)) => format!("on {hardware}; {date}"),
        (Some(hardware), None) => format!("on {hardware}; no date"),
        (None, Some(date)) => format!("on a machine that is not stated; {date}"),
        (None, None) => "on a machine that is not stated; no date".to_owned(),
    }
}

fn subjects<'a>(
    comparisons: &'a [Comparison],
    figure: &'a Figure,
) -> impl Iterator<Item = (&'a Comparison, usize)> {
    let of = move |comparison: &'a Comparison| {
        let about = move |&index: &usize| figure.is_about(&comparison.variants[index]);
        (0..comparison.variants.len()).filter(about).map(move |index| (comparison, index))
    };
    comparisons.iter().flat_map(of)
}

/// This machine's value of what a figure reports, of as many operations.
fn counterpart(comparison: &Comparison, index: usize, figure: &Figure) -> Option<f64> {
    let summary = summary(comparison, index);
    let told = |key: &str| summary?.runtime_per_operation.get(key).copied();
    let sum = |keys: &[&str]| keys.iter().filter_map(|key| told(key)).reduce(|a, b| a + b);
    let operations = figure.operations as f64;
    let counted = |name: &str| Some(evidence(comparison, index)?.per_operation(name)? * operations);
    match figure.quantity {
        Quantity::Time => Some(summary?.time_ns.value * operations),
        Quantity::SystemTime => {
            counted(counter_name::SYSTEM_TIME).or_else(|| Some(told("cpu_ns")? * operations))
        }
        Quantity::Allocations => told("allocs").map(|each| each * operations),
        Quantity::AllocatedBytes => told("alloc_bytes").map(|each| each * operations),
        Quantity::CollectorPause => Some(told("gc_ns")? / told("gc_count").filter(|&count| count > 0.0)?),
        Quantity::PageFaults => sum(&["minflt", "majflt"]).map(|each| each * operations),
        Quantity::MajorFaults => told("majflt").map(|each| each * operations),
        Quantity::ContextSwitches => counted(counter_name::CONTEXT_SWITCHES)
            .or_else(|| sum(&["nvcsw", "nivcsw"]).map(|each| each * operations)),
        Quantity::Calls => Some(pass(comparison, index)?.calls_per_operation() * operations),
        Quantity::Events => counted(tracepoint(figure.label.as_deref()?)),
        Quantity::Answer => {
            let answered = answer(comparison, index).filter(|answered| answered.what == figure.unit)?;
            Some(answered.found as f64)
        }
    }
}

/// What the kernel counted of a variant.
fn evidence(comparison: &Comparison, index: usize) -> Option<&EvidencePass> {
    comparison.explanations.get(index)?.counters.as_ref()?.value()
}

/// The tracepoint that a label names before its first comma: `block_rq_issue, with write`.
fn tracepoint(label: &str) -> &str {
    label.split(',').next().unwrap_or(label).trim()
}

/// The same event counted for everybody on the device: what kernel threads did
/// later on the task's behalf is in it.
fn on_the_device(comparisons: &[Comparison], figure: &Figure) -> Option<f64> {
    let name = tracepoint(figure.label.as_deref().filter(|_| figure.quantity == Quantity::Events)?);
    let of = |(comparison, index): (&Comparison, usize)| {
        let evidence = evidence(comparison, index)?;
        let each = evidence.counter(name, Scope::Device)?.median()? / evidence.operations() as f64;
        Some(each * figure.operations as f64)
    };
    subjects(comparisons, figure).find_map(of)
}

fn write(value: f64, figure: &Figure) -> String {
    match figure.quantity {
        Quantity::Time | Quantity::SystemTime | Quantity::CollectorPause => short_time(value),
        Quantity::AllocatedBytes => format!("{} B", count(value)),
        _ => count(value),
    }
}

/// A count, with decimals only where it is small and not whole.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be in range")]
fn count(value: f64) -> String {
    let whole = value.round();
    if (value - whole).abs() < 0.02 * whole.max(f64::EPSILON) || value >= 100.0 {
        return grouped(whole as u64);
    }
    three_digits(value)
}

/// What is to be known of the counterpart.
fn caveat(comparisons: &[Comparison], figure: &Figure) -> &'static str {
    let counted = subjects(comparisons, figure).any(|(comparison, index)| {
        evidence(comparison, index)
            .is_some_and(|pass| pass.per_operation(counter_name::SYSTEM_TIME).is_some())
    });
    match figure.quantity {
        Quantity::SystemTime if !counted => " of CPU time, user's too",
        Quantity::SystemTime => ", counted in ticks",
        Quantity::Events => " by the task",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::{Conditions, CounterUnit, Explanation, KernelCounter, MethodId, Reading};
    use fathom_testkit::{complete, floors};

    fn figure(quantity: Quantity, value: f64, unit: &str) -> Figure {
        let conditions = Conditions::of_method(Some(MethodId::new("go", "os.Open")));
        Figure { conditions, ..Figure::new(quantity, value, unit) }
    }

    fn compared() -> Vec<Comparison> {
        complete().experiments.remove(0).comparisons
    }

    #[test]
    fn a_figure_stands_beside_what_this_machine_has() {
        let comparisons = compared();
        let shown = |quantity, value, unit| phrase(&comparisons, &figure(quantity, value, unit));
        assert_eq!(shown(Quantity::Time, 2520.0, "ns"), "time 2520 ns (here 3621 ns)");
        assert_eq!(shown(Quantity::Allocations, 1.2, "allocs/op"), "allocations 1.2 (here 3)");
        assert_eq!(shown(Quantity::AllocatedBytes, 128.0, "B/op"), "allocated 128 B (here 200 B)");
        assert_eq!(shown(Quantity::Calls, 4.0, "calls"), "system calls 4 (here 7)");
        assert_eq!(shown(Quantity::MajorFaults, 4.0, "faults"), "major faults 4 (not measured here)");
        let many = Figure { operations: 100_000, ..figure(Quantity::Time, 34.8, "s") };
        assert_eq!(phrase(&comparisons, &many), "time 34.8 s/100,000 (here 362 ms)");
    }

    #[test]
    fn events_stand_beside_the_counters_of_their_name() {
        let mut comparisons = compared();
        let reported = Figure {
            label: Some("block_bio_queue, with write".into()),
            operations: 1000,
            ..figure(Quantity::Events, 1000.0, "events")
        };
        let without = phrase(&comparisons, &reported);
        assert_eq!(without, "block_bio_queue, with write 1000 in 1,000 (not counted here: --why)");
        let counter = |scope, difference: i64| KernelCounter {
            name: "block_bio_queue".into(),
            source: "perf_event block:block_bio_queue".into(),
            scope,
            unit: CounterUnit::Events,
            differences: Reading::Value(vec![difference; 3]),
        };
        let pass = EvidencePass {
            run_lengths: [0, 1000],
            repetitions: 3,
            counters: vec![counter(Scope::Task, 7), counter(Scope::Device, 1020)],
            requests: Vec::new(),
            predictions: Vec::new(),
        };
        for comparison in &mut comparisons {
            let explanation =
                Explanation { counters: Some(Reading::Value(pass.clone())), ..Explanation::default() };
            comparison.explanations = vec![explanation; comparison.variants.len()];
        }
        let with = phrase(&comparisons, &reported);
        assert!(with.ends_with("(here 7 by the task, 1,020 by all on its device)"), "{with}");
    }

    #[test]
    fn a_figure_without_a_method_stands_beside_the_range_of_all() {
        let mut unnamed = figure(Quantity::Time, 2.5, "µs");
        (unnamed.conditions.method, unnamed.label) = (None, Some("open".into()));
        assert_eq!(here(&compared(), &unnamed), "here 2105 ns to 3630 ns");
        assert_eq!(subject(&unnamed), "open");
        assert!(times(&[], &compared()[0].variants[0]).is_empty());
        assert!(!has_a_place(&unnamed, &compared()[0].variants[0]), "of no method in particular");
    }

    #[test]
    fn a_time_below_its_calls_cannot_be_true_and_one_of_no_method_is_below_one_call() {
        let (comparisons, floors) = (compared(), floors());
        let impossible = |figure: &Figure| impossible(&floors, &comparisons, figure);
        // Seven calls cost at least 7 × 139 ns.
        let bound = impossible(&figure(Quantity::Time, 972.0, "ns")).unwrap();
        assert!((bound.ns - 973.0).abs() < 1e-9, "{bound:?}");
        assert_eq!(impossible(&figure(Quantity::Time, 974.0, "ns")), None);
        assert_eq!(impossible(&figure(Quantity::CollectorPause, 1.0, "ns")), None);
        let mut unnamed = figure(Quantity::Time, 972.0, "ns");
        unnamed.conditions.method = None;
        assert_eq!(impossible(&unnamed), None);
        unnamed.value = 138.0;
        let text = refutation(&unnamed, &impossible(&unnamed).unwrap());
        assert_eq!(text, "138 ns is below this machine's null call (139 ns): cannot be true here");
        let many = Figure { operations: 10, ..figure(Quantity::Time, 9.0, "µs") };
        let text = refutation(&many, &impossible(&many).unwrap());
        assert!(text.starts_with("9 µs/10, 900 ns each, is below what 7 calls cost"), "{text}");
    }
}
