//! Why runs bear no answer, in words.

use super::meant::Meant;
use super::trial::Trial;
use super::{DoseEffect, time};
use fathom_audit::{CallTime, CostQuestion, CostReach};
use fathom_model::Reading;
use std::collections::BTreeSet;

/// Calls that are treated may differ in number by this share from run to run.
const MOST_VARIATION: f64 = 0.01;

/// What the command did differently with calls made again or delayed, or by itself.
pub(super) fn of_behavior(meant: &Meant, trials: &[Trial]) -> Vec<String> {
    let mut reasons = of_ends(meant, trials);
    reasons.extend(of_counts(trials));
    reasons
}

/// Of that, what a single run shows.
pub(super) fn of_ends(meant: &Meant, trials: &[Trial]) -> Vec<String> {
    let mut reasons = Vec::new();
    let all = || trials.iter().map(|trial| trial.behavior).chain([meant.behavior]);
    let ends: BTreeSet<_> = all().map(|behavior| (behavior.exit_code, behavior.signal)).collect();
    if ends.len() > 1 {
        reasons.push("the command did not end alike in all runs".to_owned());
    }
    if all().map(|behavior| behavior.output).collect::<BTreeSet<_>>().len() > 1 {
        reasons.push("its standard output was not the same in all runs".to_owned());
    }
    if all().map(|behavior| behavior.errors).collect::<BTreeSet<_>>().len() > 1 {
        reasons.push("its standard error was not the same in all runs".to_owned());
    }
    let other = trials.iter().find_map(|trial| meant.written.differing(&meant.left, &trial.written));
    if let Some(other) = other {
        reasons.push(format!("{}, which it writes, was not the same after each run", other.display()));
    }
    let differing: u64 = trials.iter().map(|trial| trial.differing).sum();
    if differing > 0 {
        let known: u64 = trials.iter().map(Trial::known).max().unwrap_or(0);
        reasons.push(format!(
            "{differing} of {known} answers that were known from a call before turned out to be others: something changed \
             that no call of the program tells"
        ));
    }
    let left_open: u64 = trials.iter().map(|trial| trial.left_open).sum();
    if left_open > 0 {
        reasons.push(format!(
            "signals kept {left_open} files that were opened again from being closed: numbers of descriptors are others"
        ));
    }
    reasons
}

/// A program that counts time makes other calls when calls take longer. Of few runs that may be chance:
/// of 16 that have something added and 16 that have not, one in a hundred million times.
fn of_counts(trials: &[Trial]) -> Vec<String> {
    let watched = |more: bool| {
        trials.iter().filter(move |trial| trial.amount.is_some_and(|amount| (amount > 0) == more))
    };
    let range = |more: bool, name: &str| {
        let counts = watched(more).map(|trial| trial.calls.get(name).copied().unwrap_or(0));
        counts.fold((u64::MAX, 0), |(low, high), count| (low.min(count), high.max(count)))
    };
    let names: BTreeSet<_> = trials.iter().flat_map(|trial| trial.calls.keys().copied()).collect();
    let differing = names.into_iter().filter_map(|name| {
        let ((low, high), (low_with, high_with)) = (range(false, name), range(true, name));
        let is_apart = low_with > high || high_with < low;
        is_apart.then(|| format!("{name} {} instead of {}", span(low_with, high_with), span(low, high)))
    });
    let differing: Vec<_> = differing.collect();
    if !differing.is_empty() && watched(true).next().is_some() {
        return vec![format!(
            "it made other calls of its own when these took longer: {}",
            differing.join(", ")
        )];
    }
    if is_order_another(trials) {
        return vec![
            "in runs with these made again, delayed or left out its first thread made other calls, or in another order, \
             and never in the others"
                .to_owned(),
        ];
    }
    let treated = || trials.iter().filter(|trial| trial.amount.is_some()).map(|trial| trial.run.treated);
    let (low, high) = (treated().min().unwrap_or(0), treated().max().unwrap_or(0));
    if (high - low) as f64 > MOST_VARIATION * high as f64 {
        return vec![format!("it made {low} to {high} of these calls from run to run, by itself")];
    }
    Vec::new()
}

/// Whether the first thread's calls are always the same with nothing added, and others with it.
pub(super) fn is_order_another(trials: &[Trial]) -> bool {
    let orders = |more: bool| -> BTreeSet<u64> {
        let of = trials.iter().filter(|trial| trial.amount.is_some_and(|amount| (amount > 0) == more));
        of.map(|trial| trial.order).collect()
    };
    let (never, with) = (orders(false), orders(true));
    never.len() == 1 && with.iter().any(|order| !never.contains(order))
}

pub(super) fn span(low: u64, high: u64) -> String {
    if low == high { low.to_string() } else { format!("{low} to {high}") }
}

/// Before anything was measured.
pub(super) fn why_none_fits(question: CostQuestion, elide: bool, meant: &Meant) -> String {
    let names: Vec<_> = meant.by_name.iter().map(|(name, (all, _))| format!("{name} {all}")).collect();
    if names.is_empty() && meant.chosen.unknown == 0 {
        return "no call that is meant was made".to_owned();
    }
    let what = match question {
        CostQuestion::Slower => "the hook does not know how to tell them from others",
        _ if elide => "their answers cannot be known from a call before",
        _ => "to make them again would change something, or it is not known that it does not",
    };
    format!("none of the calls that are meant ({}) can be treated: {what}", names.join(", "))
}

/// After it.
pub(super) fn why_none_was_reached(reach: &CostReach) -> String {
    let reasons = if reach.refusals.is_empty() {
        "each was made where a program makes its first call, in code that is not a file's, or while threads ran".to_owned()
    } else {
        reach.refusals.join(", ")
    };
    format!("none of the {} calls was reached by the hook: {reasons}", reach.meant())
}

/// After it, where they were to be left out.
pub(super) fn why_none_was_known(reach: &CostReach) -> String {
    format!(
        "of {} calls that were reached none had an answer that was known from a call before: each asked something else, \
         or something was changed between",
        reach.treated()
    )
}

/// The slope, unless runs with nothing added differ from each other, or what was added is absorbed at
/// first.
pub(super) fn unless_bent(effect: &DoseEffect) -> Reading<CallTime> {
    let Some(slope) = time(effect.slope) else {
        return Reading::Unavailable("too few blocks of runs for an interval at 95 %".to_owned());
    };
    if !effect.same.interval.contains(0.0) {
        return Reading::Unavailable("runs with nothing added differ from each other (A/A)".to_owned());
    }
    if !effect.bend.interval.contains(0.0) {
        return Reading::Unavailable(
            "time does not grow in proportion to what was added (some of it is absorbed, or costs more): what \
             removing gains does not follow"
                .to_owned(),
        );
    }
    Reading::Value(slope)
}
