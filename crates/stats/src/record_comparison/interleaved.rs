//! Two builds inside one record: comparisons whose two variants are one method of
//! two builds (`java@17:…`, `java@25:…`). They share their blocks, so times are
//! paired, and nothing but the build differs.

#[cfg(test)]
mod tests;

use super::change::Change;
use super::matching::{At, VariantName, name_of};
use super::paired::Paired;
use super::times::{ALPHA, TimeComparison, caveats_of};
use super::{
    Design, Gate, GateVerdict, RECORD_COMPARISON_VERSION, RecordComparison, RecordName, Unmatched,
    VariantComparison, VariantGate, allocations, calls, conditions, gate,
};
use crate::fork_values::ln_ratio;
use fathom_model::{
    ArmKind, Comparison, DriverFacts, Estimate, MethodId, Reading, Record, StopReason, Unmeasured, Variant,
};

/// A record that holds no two builds of one driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("holds no method of two builds measured in one comparison")]
pub struct NotInterleaved;

/// Two builds of a driver: `java@17` and `java@25`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Builds<'a> {
    old: &'a str,
    new: &'a str,
}

impl<'a> Builds<'a> {
    /// Those that the record names, else those of its first pair.
    fn of(record: &'a Record) -> Option<Self> {
        if let Some([old, new]) = &record.builds {
            return Some(Self { old, new });
        }
        let mut comparisons = record.experiments.iter().flat_map(|experiment| &experiment.comparisons);
        comparisons.find_map(|comparison| {
            let (old, new) = sides(comparison)?;
            Some(Self { old: &old.method.driver, new: &new.method.driver })
        })
    }
}

/// One pair that was measured.
struct Pair<'a> {
    at: At,
    comparison: &'a Comparison,
    old: usize,
    new: usize,
    values: Vec<f64>,
}

/// Compares the two builds that one record holds. Pure.
pub fn compare_builds(
    record: &Record,
    name: &str,
    gates: &[Gate],
) -> Result<RecordComparison, NotInterleaved> {
    let builds = Builds::of(record).ok_or(NotInterleaved)?;
    let pairs = pairs(record, &builds);
    let timed = pairs.iter().filter(|pair| !pair.values.is_empty()).count();
    let alpha = ALPHA / timed.max(1) as f64;
    let variants: Vec<_> = pairs.iter().map(|pair| compared(record, pair, alpha)).collect();
    let [only_old, only_new] = [builds.old, builds.new].map(|build| alone(record, build));
    let mut gates: Vec<_> = gates.iter().map(|gate| gate::judge(gate, &variants)).collect();
    for gate in &mut gates {
        // What the new build cannot do any more is no success of it.
        gate.variants.extend(only_old.iter().map(unjudged));
        if !only_old.is_empty() && gate.verdict == GateVerdict::Holds {
            gate.verdict = GateVerdict::Inconclusive;
        }
    }
    Ok(RecordComparison {
        compare_version: RECORD_COMPARISON_VERSION,
        design: Design::Interleaved,
        old: side(record, builds.old, name),
        new: side(record, builds.new, name),
        conditions: facts(record, builds.old)
            .zip(facts(record, builds.new))
            .map_or_else(Vec::new, |both| conditions::builds(both.0, both.1)),
        times_withheld: None,
        variants,
        unmeasured: unmeasured(record, &builds, &only_old, &only_new),
        only_old,
        only_new,
        gates,
    })
}

fn base(driver: &str) -> &str {
    driver.split('@').next().unwrap_or(driver)
}

/// The old and the new variant of a comparison of two builds.
fn sides(comparison: &Comparison) -> Option<(&Variant, &Variant)> {
    let (old, new) = (comparison.variants.get(comparison.baseline)?, other(comparison)?);
    let is_pair = comparison.variants.len() == 2
        && old.method.name == new.method.name
        && old.method.driver != new.method.driver
        && base(&old.method.driver) == base(&new.method.driver);
    let like_new = Variant { method: new.method.clone(), ..old.clone() };
    (is_pair && like_new == *new).then_some((old, new))
}

fn other(comparison: &Comparison) -> Option<&Variant> {
    comparison.variants.get(1_usize.checked_sub(comparison.baseline)?)
}

fn pairs<'a>(record: &'a Record, builds: &Builds<'_>) -> Vec<Pair<'a>> {
    let mut found = Vec::new();
    for (experiment, one) in record.experiments.iter().enumerate() {
        for (number, comparison) in one.comparisons.iter().enumerate() {
            let Some((old, new)) = sides(comparison) else { continue };
            if old.method.driver != builds.old || new.method.driver != builds.new {
                continue;
            }
            let (old, new) = (comparison.baseline, 1 - comparison.baseline);
            let arm = |variant| comparison.arms.iter().position(|arm| arm.kind == ArmKind::Variant(variant));
            let values = arm(new).zip(arm(old)).map_or_else(Vec::new, |(new, old)| {
                comparison.forks.iter().filter_map(|fork| ln_ratio(fork, new, old)).collect()
            });
            let at = At { experiment, comparison: number, variant: new };
            found.push(Pair { at, comparison, old, new, values });
        }
    }
    found
}

fn compared(record: &Record, pair: &Pair<'_>, alpha: f64) -> VariantComparison {
    let Pair { at, comparison, old, new, .. } = pair;
    let name = pair_name(record, *at);
    let counts = [old, new].map(|variant| comparison.counts.get(*variant));
    let summaries = [old, new].map(|variant| comparison.summaries.get(*variant).and_then(Reading::value));
    VariantComparison {
        name,
        calls: calls::compare(counts[0], counts[1]),
        time: time(pair, alpha),
        ratio: Reading::unavailable("measured interleaved: the time itself is paired in the blocks"),
        allocations: allocations::compare(summaries[0], summaries[1]),
    }
}

/// What both builds have in common; the method is not told twice.
fn pair_name(record: &Record, at: At) -> VariantName {
    let name = name_of(record, at);
    let label = name.label.strip_prefix(&format!("{} · ", name.method.name)).unwrap_or(&name.label);
    VariantName {
        label: label.to_owned(),
        method: MethodId::new(base(&name.method.driver), &name.method.name),
        is_baseline: false,
        ..name
    }
}

fn time(pair: &Pair<'_>, alpha: f64) -> Reading<TimeComparison> {
    let comparison = pair.comparison;
    let Some(paired) = Paired::of(&pair.values) else {
        if comparison.stop == StopReason::CountsOnly {
            return Reading::unavailable("only calls were counted");
        }
        return Reading::unavailable("no block holds a time of both builds");
    };
    let own = |variant: usize| -> Option<Estimate> {
        comparison.summaries.get(variant).and_then(Reading::value).map(|summary| summary.time_ns)
    };
    let (Some(old_ns), Some(new_ns)) = (own(pair.old), own(pair.new)) else {
        return Reading::unavailable("a build has no time of it");
    };
    let fault = comparison.control.value().is_some_and(|control| control.instrument_fault);
    let change = paired.change(alpha, fault);
    let mut caveats = caveats(comparison, [pair.old, pair.new]);
    if change == Change::TooFewForks {
        caveats.push("too few forks for an interval: give it more time with --time".to_owned());
    }
    Reading::Value(TimeComparison {
        old_ns,
        new_ns,
        ratio: paired.ratio(ALPHA),
        ratio_simultaneous: paired.ratio(alpha),
        change,
        drift: paired.drift(),
        caveats,
    })
}

/// What weakens the pair's ratio: the control, unproven cache states, and what the
/// lab noticed.
fn caveats(comparison: &Comparison, sides: [usize; 2]) -> Vec<String> {
    let mut found = Vec::new();
    for variant in sides {
        for caveat in caveats_of("this comparison", comparison, variant) {
            if !found.contains(&caveat) {
                found.push(caveat);
            }
        }
    }
    // The control stands among them already.
    let told = comparison.warnings.iter().filter(|warning| warning.code != "instrument-fault");
    found.extend(told.map(|warning| warning.message.clone()));
    found
}

/// Comparisons of which one build alone is left.
fn alone(record: &Record, build: &str) -> Vec<Unmatched> {
    let mut found = Vec::new();
    for (experiment, one) in record.experiments.iter().enumerate() {
        for (number, comparison) in one.comparisons.iter().enumerate() {
            let [variant] = comparison.variants.as_slice() else { continue };
            if variant.method.driver != build {
                continue;
            }
            let name = pair_name(record, At { experiment, comparison: number, variant: 0 });
            let other = one.unmeasured.iter().find(|unmeasured| {
                unmeasured.method.name == variant.method.name && unmeasured.method.driver != build
            });
            found.push(Unmatched { name, reason: other.map(|other| other.reason.clone()) });
        }
    }
    found
}

/// What neither build has a result of, or one does not know; nothing twice.
fn unmeasured(
    record: &Record,
    builds: &Builds<'_>,
    only_old: &[Unmatched],
    only_new: &[Unmatched],
) -> Vec<Unmeasured> {
    let told = |item: &Unmeasured| {
        let (other, build) = (only_old.iter().chain(only_new), &item.method.driver);
        let reasons: Vec<_> = other.filter_map(|alone| alone.reason.as_ref()).collect();
        !(build == builds.old || build == builds.new) || reasons.contains(&&item.reason)
    };
    let items = record.experiments.iter().flat_map(|experiment| &experiment.unmeasured);
    items.filter(|item| !told(item)).cloned().collect()
}

fn unjudged(alone: &Unmatched) -> VariantGate {
    let reason = alone.reason.as_deref().unwrap_or("it was not measured");
    let evidence = format!("the new build has no result: {reason}");
    VariantGate { name: alone.name.clone(), verdict: GateVerdict::Inconclusive, evidence }
}

fn facts<'a>(record: &'a Record, build: &str) -> Option<&'a DriverFacts> {
    record.drivers.iter().find(|driver| driver.driver == build)
}

fn side(record: &Record, build: &str, name: &str) -> RecordName {
    let runtime = facts(record, build).map(|facts| format!(" ({})", facts.runtime)).unwrap_or_default();
    RecordName {
        name: format!("{build}{runtime}, in {name}"),
        created: record.created.clone(),
        fathom_version: record.fathom_version.clone(),
        command: record.command.clone(),
        complete: record.complete,
    }
}
