//! Why a comparison may be believed: cache evidence, the A/A control, the
//! loop's cost, what disturbed it, why it stopped.

use super::times::summary;
use crate::page::{Ink, Page};
use crate::quantity::{bytes, grouped, percent, rounded_bytes, things, time_phrase, written};
use crate::statement::{Statement, too_few};
use fathom_model::{
    CacheEvidence, CacheState, Comparison, Control, DentryState, Estimate, Proof, Reading, StopReason,
};
use std::collections::BTreeMap;

/// One line per kind of evidence.
pub(super) fn render(page: &mut Page, comparison: &Comparison, labels: &[String]) {
    for (text, members) in grouped_by(labels, &comparison.cache, state) {
        let (state, rest) = text.split_once(':').unwrap_or((&text, ""));
        line(page, Ink::Plain, &format!("{state}{}:{rest}", for_whom(&members, labels)));
    }
    for (text, members) in grouped_by(labels, &comparison.cache, void) {
        if !text.is_empty() {
            line(page, Ink::Plain, &format!("void samples per method{}: {text}", for_whom(&members, labels)));
        }
    }
    let (text, ink) = control(&comparison.control);
    line(page, ink, &format!("A/A control: {text}"));
    line(page, Ink::Plain, &format!("loop cost: {}", loops(comparison)));
    line(page, Ink::Plain, &disturbance(comparison));
    line(page, Ink::Plain, &stop(comparison));
}

fn line(page: &mut Page, ink: Ink, text: &str) {
    page.hanging("  ", 4, ink, text);
}

/// Labels that share a text, in the order of their first.
pub(super) fn grouped_by<T>(
    labels: &[String],
    items: &[T],
    text: impl Fn(&T) -> String,
) -> Vec<(String, Vec<String>)> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for (label, item) in labels.iter().zip(items) {
        let text = text(item);
        match groups.iter_mut().find(|(known, _)| *known == text) {
            Some((_, members)) => members.push(label.clone()),
            None => groups.push((text, vec![label.clone()])),
        }
    }
    groups
}

/// Nothing when it holds for all.
fn for_whom(members: &[String], labels: &[String]) -> String {
    if members.len() == labels.len() { String::new() } else { format!(" ({})", members.join(", ")) }
}

fn state(evidence: &CacheEvidence) -> String {
    let dentry = match evidence.dentry {
        DentryState::Warm => "dentries warm",
        DentryState::Dropped => "dentries dropped",
    };
    format!("{}: {}; {dentry}; {}", evidence.state, proof(evidence), device(evidence))
}

fn proof(evidence: &CacheEvidence) -> String {
    let moment = match evidence.state {
        CacheState::Warm => "resident before and after",
        CacheState::Cold => "absent before",
    };
    let pages = things(evidence.file_pages, "page");
    let found = match (evidence.resident_pages_before_min, evidence.resident_pages_before_max) {
        (Some(low), Some(high)) if low == high && low == evidence.file_pages => format!("all of {pages}"),
        (Some(low), Some(high)) if low == high => format!("{} of {pages}", grouped(low)),
        (Some(low), Some(high)) => format!("{} to {} of {pages}", grouped(low), grouped(high)),
        _ => format!("residency of {pages} not told"),
    };
    let checks = format!("{found} in {}", things(evidence.checks, "check"));
    match &evidence.proof {
        Proof::Proven => format!("page cache proven, {moment} every kept sample ({checks})"),
        Proof::Unknown(reason) => format!("page cache UNKNOWN, {reason} ({checks})"),
        Proof::NotApplicable(reason) => format!("page cache not applicable, {reason}"),
    }
}

fn device(evidence: &CacheEvidence) -> String {
    let operations = evidence.device_read_operations;
    match &evidence.device_read_bytes {
        Reading::Value(_) if operations == 0 => "device reads not counted".to_owned(),
        Reading::Value(0) => format!("no device read in {}", things(operations, "operation")),
        Reading::Value(read) => {
            let each = rounded_bytes(*read as f64 / operations as f64);
            let despite = if evidence.state == CacheState::Warm { " although warm" } else { "" };
            format!(
                "device reads {each}/op{despite} ({} in {})",
                bytes(*read),
                things(operations, "operation")
            )
        }
        Reading::Unavailable(reason) => format!("device reads unknown, {reason}"),
    }
}

fn void(evidence: &CacheEvidence) -> String {
    let each = evidence.void.iter().filter(|void| void.samples > 0);
    each.map(|void| format!("{} ({})", grouped(void.samples), void.reason)).collect::<Vec<_>>().join(", ")
}

fn control(control: &Reading<Control>) -> (String, Ink) {
    let control = match control {
        Reading::Value(control) => control,
        Reading::Unavailable(reason) => return (format!("none, {reason}"), Ink::Plain),
    };
    let ratio = written(&control.ratio, 1.0).phrase();
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
        Statement::Baseline | Statement::Fault | Statement::Nothing => {
            return (
                format!("baseline against itself {ratio}, no interval yet: {}", too_few(control.ratio.forks)),
                Ink::Plain,
            );
        }
    };
    (format!("baseline against itself {ratio} - {verdict}"), Ink::Plain)
}

/// The loop's cost per driver, against the fastest variant that contains it.
fn loops(comparison: &Comparison) -> String {
    let mut drivers: BTreeMap<&str, Vec<(f64, Option<Estimate>)>> = BTreeMap::new();
    for (index, variant) in comparison.variants.iter().enumerate() {
        if let Some(summary) = summary(comparison, index) {
            let entry = drivers.entry(&variant.method.driver).or_default();
            entry.push((summary.time_ns.value, summary.loop_ns));
        }
    }
    let each = drivers.iter().map(|(driver, times)| {
        let fastest = times.iter().map(|(ns, _)| *ns).fold(f64::INFINITY, f64::min);
        match times.iter().find_map(|(_, loop_ns)| loop_ns.as_ref()) {
            Some(loop_ns) => {
                let share = percent(loop_ns.value / fastest);
                format!("{driver} {}/op ({share} of its fastest)", time_phrase(loop_ns))
            }
            None => format!("{driver} not measured"),
        }
    });
    let each: Vec<_> = each.collect();
    if each.is_empty() {
        "not measured".to_owned()
    } else {
        format!("{}; included in the times", each.join(", "))
    }
}

fn disturbance(comparison: &Comparison) -> String {
    let shares = comparison.summaries.iter().filter_map(|s| s.value()?.preempted_share);
    let preempted =
        match shares.fold(None, |most: Option<f64>, share| Some(most.map_or(share, |m| m.max(share)))) {
            Some(most) => format!("preempted samples: at most {} of any method's", percent(most)),
            None => "preempted samples: not told by the drivers".to_owned(),
        };
    let unsteady = comparison.forks.iter().filter(|fork| !fork.warm_up.steady).count();
    let steady = match unsteady {
        0 => "all forks steady after warm-up".to_owned(),
        some => {
            format!("{some} of {} NOT steady after warm-up", things(comparison.forks.len() as u64, "fork"))
        }
    };
    let unpinned = comparison.forks.iter().find_map(|fork| match &fork.cpu {
        Reading::Unavailable(reason) => Some(format!("; not pinned to one CPU: {reason}")),
        Reading::Value(_) => None,
    });
    format!("{preempted}; {steady}{}", unpinned.unwrap_or_default())
}

fn stop(comparison: &Comparison) -> String {
    let why = match &comparison.stop {
        StopReason::Precise => "every ratio is as precise as asked".to_owned(),
        StopReason::TimeBudget => "the time budget is used up".to_owned(),
        StopReason::ForkLimit => "the fork limit is reached".to_owned(),
        StopReason::Interrupted => "INTERRUPTED by the user".to_owned(),
        StopReason::Failed(reason) => format!("FAILED, {reason}"),
    };
    format!("stopped after {}: {why}", things(comparison.forks.len() as u64, "fork"))
}
