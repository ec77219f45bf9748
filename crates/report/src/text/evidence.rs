//! Why a comparison may be believed: cache evidence, the A/A control, the
//! loop's cost, what disturbed it, why it stopped.

use crate::page::{Ink, Page};
use crate::quantity::{bytes, grouped, percent, rounded_bytes, things, three_digits};
use crate::standing::summary;
use crate::statement::{Statement, too_few};
use crate::volume::moved_bytes;
use crate::written::{ratio, time, time_phrase};
use fathom_model::{
    CacheEvidence, CacheState, Comparison, Control, DentryState, Estimate, Operation, Proof, Reading,
    Setting, StopReason, Variant,
};
use std::collections::BTreeMap;

/// What is said of the cache where files are new.
const STATELESS: &str = "no state, what is written was not there before";
const MADE_BEFORE: &str = "no state, ranks made what is there just before each batch";

/// What stands for a cache state where files are an operation's own.
pub(super) fn stateless(operation: Operation) -> &'static str {
    if Setting::RankShift.concerns(operation) { MADE_BEFORE } else { STATELESS }
}

/// One line per kind of evidence.
pub(crate) fn render(page: &mut Page, comparison: &Comparison, labels: &[String]) {
    if comparison.stop == StopReason::CountsOnly {
        line(page, Ink::Plain, "not timed: only counts were asked for");
        return;
    }
    let evidence: Vec<_> = comparison.cache.iter().zip(&comparison.variants).collect();
    let drivers: Vec<_> = comparison.variants.iter().map(|variant| variant.method.driver.as_str()).collect();
    for ((state, found), members) in
        grouped_by(labels, &evidence, |(evidence, variant)| state(evidence, variant, page.is_full()))
    {
        line(page, Ink::Plain, &format!("{state}{}: {found}", for_whom(&members, labels, &drivers)));
    }
    for (text, members) in grouped_by(labels, &comparison.cache, void) {
        if !text.is_empty() {
            let whose = for_whom(&members, labels, &drivers);
            line(page, Ink::Plain, &format!("discarded samples per method{whose}: {text}"));
        }
    }
    let (text, ink) = control(&comparison.control);
    line(page, ink, &format!("A/A control: {text}"));
    line(page, Ink::Plain, &format!("harness overhead, included: {}", loops(comparison, page.is_full())));
    line(page, Ink::Plain, &forks(comparison));
}

fn line(page: &mut Page, ink: Ink, text: &str) {
    page.hanging("  ", 4, ink, text);
}

/// Labels that share what is said of them, in the order of their first.
pub(crate) fn grouped_by<T, K: PartialEq>(
    labels: &[String],
    items: &[T],
    key: impl Fn(&T) -> K,
) -> Vec<(K, Vec<String>)> {
    let mut groups: Vec<(K, Vec<String>)> = Vec::new();
    for (label, item) in labels.iter().zip(items) {
        let key = key(item);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, members)) => members.push(label.clone()),
            None => groups.push((key, vec![label.clone()])),
        }
    }
    groups
}

/// Nothing when it holds for all; a driver's name for all of its methods.
fn for_whom(members: &[String], labels: &[String], drivers: &[&str]) -> String {
    if members.len() == labels.len() {
        return String::new();
    }
    let mut names: Vec<String> = Vec::new();
    for (label, driver) in labels.iter().zip(drivers).filter(|(label, _)| members.contains(label)) {
        let mut of_driver = labels.iter().zip(drivers).filter(|(_, other)| *other == driver);
        let is_whole = of_driver.all(|(label, _)| members.contains(label));
        let name = if is_whole { format!("{driver}:*") } else { label.clone() };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    format!(" ({})", names.join(", "))
}

/// The state, and what was found of it.
fn state(evidence: &CacheEvidence, variant: &Variant, full: bool) -> (String, String) {
    let device = device(evidence, variant, full);
    if !variant.operation.takes_files() {
        return ("cache".to_owned(), format!("{}; {device}", stateless(variant.operation)));
    }
    let found = format!("{}; {}; {device}", proof(evidence, full), dentries(evidence));
    (evidence.state.to_string(), found)
}

/// The state of the directory entries.
pub(crate) fn dentries(evidence: &CacheEvidence) -> &'static str {
    match evidence.dentry {
        DentryState::Warm => "dentries warm",
        DentryState::Unknown => "dentries unknown",
        DentryState::Dropped => "dentries dropped",
    }
}

fn proof(evidence: &CacheEvidence, full: bool) -> String {
    let moment = match evidence.state {
        CacheState::Warm => "before and after",
        CacheState::Cold => "before",
    };
    let checks = things(evidence.checks, "check");
    let found = found(evidence);
    match &evidence.proof {
        Proof::Proven if full => format!("proven {moment} each sample by {checks} ({found})"),
        Proof::Proven => format!("proven {moment} by {checks}"),
        Proof::Unknown(reason) => format!("UNKNOWN, {reason} ({found}, {checks})"),
        Proof::NotApplicable(reason) => format!("not applicable, {reason}"),
    }
}

fn found(evidence: &CacheEvidence) -> String {
    let pages = things(evidence.file_pages, "page");
    match (evidence.resident_pages_before_min, evidence.resident_pages_before_max) {
        (Some(low), Some(high)) if low == high => format!("{} of {pages} resident", grouped(low)),
        (Some(low), Some(high)) => format!("{} to {} of {pages} resident", grouped(low), grouped(high)),
        _ => format!("residency of {pages} not told"),
    }
}

/// What was read from a device, which tells whether the state held, and what
/// of it was used.
pub(crate) fn device(evidence: &CacheEvidence, variant: &Variant, full: bool) -> String {
    let operations = evidence.device_read_operations;
    match &evidence.device_read_bytes {
        Reading::Value(_) if operations == 0 => "device reads not counted".to_owned(),
        Reading::Value(0) => "no device reads".to_owned(),
        Reading::Value(read) => {
            let each = rounded_bytes(*read as f64 / operations as f64);
            let warm = evidence.state == CacheState::Warm && !variant.operation.writes();
            let despite = if warm { " although warm" } else { "" };
            let used = used(evidence, variant, *read as f64 / operations as f64);
            let whole = if full {
                format!(" ({} in {})", bytes(*read), things(operations, "operation"))
            } else {
                String::new()
            };
            format!("device reads {each}/op{despite}{used}{whole}")
        }
        Reading::Unavailable(reason) => format!("device reads unknown, {reason}"),
    }
}

/// The bytes that a cold operation delivers against those read for it.
fn used(evidence: &CacheEvidence, variant: &Variant, read: f64) -> String {
    let delivered = moved_bytes(variant).filter(|_| variant.operation.must_read());
    match delivered.filter(|_| evidence.state == CacheState::Cold) {
        Some(delivered) => {
            let ratio = three_digits(delivered as f64 / read);
            format!(" for {} used (used/read {ratio})", rounded_bytes(delivered as f64))
        }
        None => String::new(),
    }
}

/// Samples thrown away, with why.
pub(crate) fn void(evidence: &CacheEvidence) -> String {
    let each = evidence.void.iter().filter(|void| void.samples > 0);
    each.map(|void| format!("{} ({})", grouped(void.samples), void.reason)).collect::<Vec<_>>().join(", ")
}

fn control(control: &Reading<Control>) -> (String, Ink) {
    let control = match control {
        Reading::Value(control) => control,
        Reading::Unavailable(reason) => return (format!("none, {reason}"), Ink::Plain),
    };
    let ratio = ratio(&control.ratio).phrase();
    if control.instrument_fault {
        return (
            format!("INSTRUMENT FAULT, baseline against itself {ratio}: do not use these ratios"),
            Ink::Bad,
        );
    }
    let verdict = match Statement::of_ratio(&control.ratio) {
        Statement::NoDifference => "no difference",
        Statement::Faster | Statement::Slower => {
            "a difference at 95 %, though not at 99 %: doubt ratios this near 1"
        }
        Statement::Baseline | Statement::Alone | Statement::Fault | Statement::Nothing => {
            return (
                format!("baseline against itself {ratio}, no interval yet: {}", too_few(control.ratio.forks)),
                Ink::Plain,
            );
        }
    };
    (format!("baseline against itself {ratio}, {verdict}"), Ink::Plain)
}

/// The loop's cost per driver, against the fastest variant that contains it.
fn loops(comparison: &Comparison, full: bool) -> String {
    let mut drivers: BTreeMap<&str, Vec<(f64, Option<Estimate>)>> = BTreeMap::new();
    for (index, variant) in comparison.variants.iter().enumerate() {
        if let Some(summary) = summary(comparison, index) {
            let entry = drivers.entry(&variant.method.driver).or_default();
            entry.push((summary.time_ns.value, summary.loop_ns));
        }
    }
    let mut of_what = " of its fastest";
    let each = drivers.iter().map(|(driver, times)| {
        let fastest = times.iter().map(|(ns, _)| *ns).fold(f64::INFINITY, f64::min);
        match times.iter().find_map(|(_, loop_ns)| loop_ns.as_ref()) {
            Some(loop_ns) => {
                let share = percent(loop_ns.value / fastest);
                let cost = if full { time_phrase(loop_ns) } else { time(loop_ns) };
                format!("{driver} {cost} ({share}{})", std::mem::take(&mut of_what))
            }
            None => format!("{driver} not measured"),
        }
    });
    let each: Vec<_> = each.collect();
    if each.is_empty() { "not measured".to_owned() } else { each.join(", ") }
}

/// How many forks, and what disturbed them.
fn forks(comparison: &Comparison) -> String {
    let all = comparison.forks.len();
    let steady = match unsteady(comparison) {
        0 => "all steady".to_owned(),
        some => format!("{some} NOT steady"),
    };
    let preempted = match preempted_share(comparison) {
        Some(most) => format!("≤ {} of samples preempted", percent(most)),
        None => "preempted samples not told".to_owned(),
    };
    let unpinned = comparison.forks.iter().find_map(|fork| match &fork.cpu {
        Reading::Unavailable(reason) => Some(format!(", some NOT pinned to a CPU ({reason})")),
        Reading::Value(_) => None,
    });
    format!(
        "{} ({}), {steady}{}, {preempted}",
        things(all as u64, "fork"),
        stop(&comparison.stop),
        unpinned.unwrap_or_default()
    )
}

/// The largest share of preempted samples of any variant.
pub(crate) fn preempted_share(comparison: &Comparison) -> Option<f64> {
    let shares = comparison.summaries.iter().filter_map(|summary| summary.value()?.preempted_share);
    shares.fold(None, |most: Option<f64>, share| Some(most.map_or(share, |most| most.max(share))))
}

/// Forks that did not settle in their warm-up.
pub(crate) fn unsteady(comparison: &Comparison) -> usize {
    comparison.forks.iter().filter(|fork| !fork.warm_up.steady).count()
}

/// Why no more forks were taken.
pub(crate) fn stop(reason: &StopReason) -> String {
    match reason {
        StopReason::Precise => "as precise as asked".to_owned(),
        StopReason::TimeBudget => "time used up".to_owned(),
        StopReason::Decided => "every claim decided".to_owned(),
        StopReason::Futile => "more of the same time would decide nothing".to_owned(),
        StopReason::CountsOnly => "only counts were asked for".to_owned(),
        StopReason::ForkLimit => "fork limit reached".to_owned(),
        StopReason::Interrupted => "INTERRUPTED by the user".to_owned(),
        StopReason::Failed(reason) => format!("FAILED: {reason}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_methods_of_a_driver_are_named_by_it() {
        let labels = ["go:a", "go:b", "native:a", "native:b"].map(str::to_owned);
        let drivers = ["go", "go", "native", "native"];
        assert_eq!(for_whom(&labels[..2], &labels, &drivers), " (go:*)");
        assert_eq!(for_whom(&labels[1..], &labels, &drivers), " (go:b, native:*)");
        assert_eq!(for_whom(&labels, &labels, &drivers), "");
        let of_one_method = ["512 B: a", "512 B: b", "1 KiB"].map(str::to_owned);
        let whose = for_whom(&of_one_method[..2], &of_one_method, &["go"; 3]);
        assert_eq!(whose, " (512 B: a, 512 B: b)", "what stands before a colon is no driver");
    }
}
