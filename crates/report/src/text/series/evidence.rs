//! Why a series may be believed: what holds everywhere is said once, and what
//! does not is said with where.

use super::Series;
use crate::page::{Ink, Page};
use crate::quantity::{TimeUnit, is_below_a_tenth, number, percent, things};
use crate::standing::{is_faulty, summary};
use crate::statement::Statement;
use crate::text::evidence::{dentries, device, preempted_share, stateless, stop, unsteady, void};
use crate::text::warnings;
use crate::written::ratio;
use fathom_model::{CacheEvidence, Comparison, Control, Proof, Variant, Warning};
use std::collections::BTreeMap;

type Condition<'a> = &'a dyn Fn(&Comparison) -> bool;

/// One line per kind of evidence.
pub(crate) fn render(page: &mut Page, series: &Series<'_>) {
    for (text, at) in placed(series, |comparison| unique(states(comparison))) {
        page.hanging("  ", 4, Ink::Plain, &format!("{text}{at}"));
    }
    for (text, at) in placed(series, |comparison| unique(comparison.cache.iter().map(void))) {
        page.hanging("  ", 4, Ink::Plain, &format!("discarded samples per method{at}: {text}"));
    }
    control(page, series);
    page.hanging("  ", 4, Ink::Plain, &format!("loop per operation, included: {}", loops(series)));
    page.hanging("  ", 4, Ink::Plain, &forks(series));
}

/// Warnings of the comparisons, each kind once with where.
pub(crate) fn warnings(page: &mut Page, series: &Series<'_>) {
    let mut kinds: Vec<Warning> = Vec::new();
    for warning in series.comparisons.iter().flat_map(|comparison| &comparison.warnings) {
        if !kinds.iter().any(|kind| kind.code == warning.code && kind.severity == warning.severity) {
            kinds.push(warning.clone());
        }
    }
    for kind in &mut kinds {
        let same = |warning: &Warning| warning.code == kind.code && warning.severity == kind.severity;
        let has = |comparison: &Comparison| comparison.warnings.iter().any(same);
        let verbatim =
            |c: &Comparison| c.warnings.iter().filter(|w| same(w)).all(|w| w.message == kind.message);
        let like = if series.comparisons.iter().all(|c| verbatim(c)) { "" } else { ", or the like," };
        kind.message = format!("{}{like}{}", kind.message, series.at(has));
    }
    warnings::render(page, 2, &kinds);
}

/// Each text that some comparison has, with where.
fn placed(series: &Series<'_>, texts: impl Fn(&Comparison) -> Vec<String>) -> Vec<(String, String)> {
    let every = unique(series.comparisons.iter().flat_map(|comparison| texts(comparison)));
    every
        .into_iter()
        .map(|text| (text.clone(), series.at(|comparison| texts(comparison).contains(&text))))
        .collect()
}

fn unique(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for text in texts {
        if !text.is_empty() && !kept.contains(&text) {
            kept.push(text);
        }
    }
    kept
}

fn states(comparison: &Comparison) -> impl Iterator<Item = String> {
    comparison.cache.iter().zip(&comparison.variants).map(|(evidence, variant)| state(evidence, variant))
}

fn state(evidence: &CacheEvidence, variant: &Variant) -> String {
    let device = device(evidence, variant, false);
    if !variant.operation.takes_files() {
        return format!("cache: {}; {device}", stateless(variant.operation));
    }
    let proof = match &evidence.proof {
        Proof::Proven => "proven by a check around each sample".to_owned(),
        Proof::Unknown(reason) => format!("UNKNOWN, {reason}"),
        Proof::NotApplicable(reason) => format!("not applicable, {reason}"),
    };
    format!("{}: {proof}; {}; {}", evidence.state, dentries(evidence), device)
}

fn control(page: &mut Page, series: &Series<'_>) {
    let control = |comparison: &Comparison| comparison.control.value().cloned();
    let is = |wanted: Statement| {
        move |c: &Comparison| {
            !is_faulty(c) && control(c).is_some_and(|c| Statement::of_ratio(&c.ratio) == wanted)
        }
    };
    let is_at = |c: &Comparison| is(Statement::Faster)(c) || is(Statement::Slower)(c);
    let count = |holds: Condition<'_>| series.comparisons.iter().filter(|c| holds(c)).count();
    let mut parts = Vec::new();
    let kinds: [(Condition<'_>, &str); 5] = [
        (&is_faulty, "INSTRUMENT FAULT (ratios not to be used)"),
        (&is_at, "a difference at 95 %, though not at 99 %"),
        (&is(Statement::NoDifference), "no difference"),
        (&is(Statement::Nothing), "no interval yet"),
        (&|c| control(c).is_none(), "none"),
    ];
    for (holds, words) in kinds {
        match count(holds) {
            0 => {}
            every if every == series.comparisons.len() => parts.push(format!("{words} in all")),
            some => parts.push(format!("{words} in {some} ({})", series.scope(holds))),
        }
    }
    let wide = |control: &Control| control.ratio.interval().map(|(low, high)| (high - 1.0).max(1.0 - low));
    let controls = series.comparisons.iter().filter_map(|comparison| control(comparison));
    let widest = controls
        .filter(|c| wide(c).is_some())
        .max_by(|a, b| wide(a).partial_cmp(&wide(b)).unwrap_or(std::cmp::Ordering::Equal));
    if let Some(widest) = widest {
        parts.push(format!("farthest {}", ratio(&widest.ratio).phrase()));
    }
    let ink = if series.comparisons.iter().any(|c| is_faulty(c)) { Ink::Bad } else { Ink::Plain };
    page.hanging("  ", 4, ink, &format!("A/A control: {}", parts.join("; ")));
}

/// The range of each driver's loop, and its largest share of a time.
fn loops(series: &Series<'_>) -> String {
    let mut drivers: BTreeMap<&str, (f64, f64, f64)> = BTreeMap::new();
    for comparison in &series.comparisons {
        for (index, variant) in comparison.variants.iter().enumerate() {
            let Some(summary) = summary(comparison, index) else { continue };
            let Some(loop_ns) = &summary.loop_ns else { continue };
            let none = (f64::INFINITY, 0.0, 0.0);
            let (low, high, share) = drivers.entry(&variant.method.driver).or_insert(none);
            *low = low.min(loop_ns.value);
            *high = high.max(loop_ns.value);
            *share = share.max(loop_ns.value / summary.time_ns.value);
        }
    }
    let range = |(driver, (low, high, share)): (&&str, &(f64, f64, f64))| {
        let unit = TimeUnit::shared(&[*low, *high]);
        let [low, high] = [low, high].map(|ns| number(ns / unit.ns(), usize::from(*ns < 100.0 * unit.ns())));
        let range = if low == high { low } else { format!("{low} to {high}") };
        let at_most = if is_below_a_tenth(*share) { "" } else { "at most " };
        let share = format!("{at_most}{}", percent(*share));
        format!("{driver} {range} {} ({share} of a time)", unit.symbol())
    };
    let each: Vec<_> = drivers.iter().map(range).collect();
    if each.is_empty() { "not measured".to_owned() } else { each.join(", ") }
}

fn forks(series: &Series<'_>) -> String {
    let counts = || series.comparisons.iter().map(|comparison| comparison.forks.len() as u64);
    let (fewest, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    let mut parts = vec![if fewest == most {
        things(most, "fork")
    } else {
        format!("{fewest} to {}", things(most, "fork"))
    }];
    let restless = series.comparisons.iter().map(|comparison| unsteady(comparison)).sum::<usize>();
    let stops = placed(series, |comparison| vec![stop(&comparison.stop)]);
    let stops: Vec<_> = stops.into_iter().map(|(text, at)| format!("{text}{at}")).collect();
    parts[0] = format!("{} ({})", parts[0], stops.join("; "));
    parts.push(match restless {
        0 => "all steady".to_owned(),
        some => format!("{some} NOT steady{}", series.at(|c| unsteady(c) > 0)),
    });
    let preempted = series.comparisons.iter().filter_map(|comparison| preempted_share(comparison));
    if let Some(most) = preempted.reduce(f64::max) {
        parts.push(format!("≤ {} of samples preempted", percent(most)));
    }
    parts.join(", ")
}
