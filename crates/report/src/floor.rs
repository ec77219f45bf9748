//! What an operation costs on this machine at least: its system calls, each at
//! the cheapest that such a call was ever seen here.

use crate::quantity::{number, short_time, things};
use crate::standing::summary;
use fathom_model::{
    CallCount, Comparison, CountPass, Floor, Floors, Operation, Reading, Record, Setting, Variant,
};

/// What `Floors` measures `pread` with; fewer bytes may cost less.
const PREAD_BYTES: u64 = 512;

/// A time below which an operation cannot be, and why.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bound {
    pub(crate) ns: f64,
    /// What it is made of: `10 calls cost at least 1390 ns here (10 × null call, 139 ns)`.
    pub(crate) phrase: String,
}

/// The floors, where they were taken.
pub(crate) fn floors(record: &Record) -> Option<&Floors> {
    record.floors.value()
}

/// The bound of a variant: of its exact calls, or of one call where they are
/// not known and it makes one for certain.
pub(crate) fn bound(floors: &Floors, comparison: &Comparison, index: usize) -> Option<Bound> {
    let variant = comparison.variants.get(index)?;
    match comparison.counts.get(index) {
        Some(Reading::Value(pass)) if pass.is_exact() => of_calls(floors, variant, pass),
        _ => of_operation(floors, variant.operation),
    }
}

/// The bound of any way to perform an operation: one call, where each makes one.
pub(crate) fn of_operation(floors: &Floors, operation: Operation) -> Option<Bound> {
    let ns = floors.null_call_ns.least;
    let phrase = format!("this machine's null call ({})", short_time(ns));
    (ns > 0.0 && operation.facts().needs_call).then_some(Bound { ns, phrase })
}

/// The variant's bound where it was measured to take less, which cannot be.
pub(crate) fn undercut(record: &Record, comparison: &Comparison, index: usize) -> Option<Bound> {
    let bound = bound(floors(record)?, comparison, index)?;
    let measured = summary(comparison, index)?.time_ns.value;
    (measured < bound.ns).then_some(bound)
}

fn of_calls(floors: &Floors, variant: &Variant, pass: &CountPass) -> Option<Bound> {
    let all = pass.calls_per_operation();
    let fstats = named(pass, "fstat");
    let preads = if reads_enough(variant) { named(pass, "pread64").min(1.0) } else { 0.0 };
    let kinds = [
        (all - fstats - preads, "null call", floors.null_call_ns),
        (fstats, "fstat", floors.fstat_ns),
        (preads, "pread", floors.pread_ns),
    ];
    // Threads make their calls at the same time.
    let threads = variant.parameters.settings.number(Setting::Threads).max(1);
    let sum: f64 = kinds.iter().map(|(times, _, floor)| times * floor.least).sum();
    let ns = sum / threads as f64;
    let part = |(times, name, floor): &(f64, &str, Floor)| {
        let each = format!("{} × {name}, {}", plain(*times), short_time(floor.least));
        (*times > 1e-9).then_some(each)
    };
    let parts: Vec<_> = kinds.iter().filter_map(part).collect();
    let shared =
        if threads > 1 { format!(", on {} at once", things(threads, "thread")) } else { String::new() };
    let calls = if (all - 1.0).abs() < 1e-9 { "1 call".to_owned() } else { format!("{} calls", plain(all)) };
    let phrase =
        format!("what {calls} cost here at least, {} ({}{shared})", short_time(ns), parts.join("; "));
    (all > 1e-9 && ns > 0.0).then_some(Bound { ns, phrase })
}

fn named(pass: &CountPass, name: &str) -> f64 {
    let calls = pass.inside.iter().filter(|call| call.call == name && call.errno.is_none());
    calls.map(CallCount::per_operation).sum()
}

fn reads_enough(variant: &Variant) -> bool {
    crate::volume::moved_bytes(variant).is_some_and(|bytes| bytes >= PREAD_BYTES)
        && variant.operation.delivers_data()
}

fn plain(times: f64) -> String {
    number(times, if (times - times.round()).abs() < 1e-9 { 0 } else { 2 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::SettingValue;
    use fathom_testkit::{call, complete, floors};

    fn open() -> Comparison {
        complete().experiments.remove(0).comparisons.remove(0)
    }

    fn ns(comparison: &Comparison, index: usize) -> f64 {
        bound(&floors(), comparison, index).unwrap().ns
    }

    #[test]
    fn exact_calls_are_added_up_each_at_its_own_floor() {
        let mut comparison = open();
        let null = floors().null_call_ns.least;
        assert!((ns(&comparison, 0) - 2.0 * null).abs() < 1e-9);
        let Reading::Value(pass) = &mut comparison.counts[0] else { panic!("not counted") };
        pass.inside.push(call("fstat", 1));
        assert!((ns(&comparison, 0) - 2.0 * null - floors().fstat_ns.least).abs() < 1e-9);
    }

    #[test]
    fn a_pread_counts_as_one_only_where_it_reads_enough() {
        let mut comparison = open();
        let null = floors().null_call_ns.least;
        let Reading::Value(pass) = &mut comparison.counts[0] else { panic!("not counted") };
        pass.inside = vec![call("pread64", 2)];
        assert!((ns(&comparison, 0) - 2.0 * null).abs() < 1e-9, "open-close delivers nothing");
        comparison.variants[0].operation = Operation::ReadWhole;
        assert!((ns(&comparison, 0) - null - floors().pread_ns.least).abs() < 1e-9, "the second is the end");
    }

    #[test]
    fn calls_that_varied_are_one_call_and_none_are_none() {
        let mut comparison = open();
        let Reading::Value(pass) = &mut comparison.counts[0] else { panic!("not counted") };
        pass.inside[0].differences[0] += 1;
        assert!((ns(&comparison, 0) - floors().null_call_ns.least).abs() < 1e-9);
        comparison.variants[0].operation = Operation::ReadBlock;
        assert_eq!(bound(&floors(), &comparison, 0), None, "it may be mapped");
        let Reading::Value(pass) = &mut comparison.counts[0] else { panic!("not counted") };
        pass.inside.clear();
        assert_eq!(bound(&floors(), &comparison, 0), None);
    }

    #[test]
    fn threads_share_the_calls() {
        let mut comparison = open();
        let alone = ns(&comparison, 0);
        comparison.variants[0].parameters.settings.set(Setting::Threads, SettingValue::Number(4));
        assert!((ns(&comparison, 0) * 4.0 - alone).abs() < 1e-9);
    }

    #[test]
    fn a_measured_time_below_its_calls_is_found() {
        let mut record = complete();
        record.floors = Reading::Value(floors());
        assert_eq!(undercut(&record, &record.experiments[0].comparisons[0], 0), None);
        let Reading::Value(summary) = &mut record.experiments[0].comparisons[0].summaries[0] else {
            panic!("not timed")
        };
        summary.time_ns.value = 1.9 * floors().null_call_ns.least;
        let found = undercut(&record, &record.experiments[0].comparisons[0], 0).unwrap();
        assert!(found.phrase.starts_with("what 2 calls cost here at least"), "{found:?}");
        record.floors = Floors::not_taken();
        assert_eq!(undercut(&record, &record.experiments[0].comparisons[0], 0), None);
    }
}
