//! Instances: where in the records a check can be made.

use crate::doubt::doubts;
use crate::effect::{Effect, EffectUnit, Question, Sample};
use crate::evidence::Evidence;
use crate::verdict::Verdict;
use fathom_model::{
    Check, Comparison, Conditions, ExperimentRecord, Fact, Metric, Outcome, Place, PlaceFacts, PlaceKind,
    Reading, Record, Region, Subject, Variant,
};
use fathom_stats::{VERDICT_FROM_FORKS, decide};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A check in one place, under one set of conditions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Instance {
    /// File system and directory.
    pub place: String,
    /// What sets the comparison apart: `512 B blocks · warm`.
    pub conditions: String,
    /// What the check is about, where it is a variant: its method.
    pub of: Option<String>,
    /// What that is compared with.
    pub to: Option<String>,
    /// The number.
    pub effect: Option<Effect>,
    /// What it says.
    pub verdict: Verdict,
    /// Why the verdict is open, or why there is no effect.
    pub doubts: Vec<String>,
    /// What stands behind it.
    pub evidence: Evidence,
}

/// Where a check can be made, before anything is computed.
#[derive(Debug)]
pub(crate) enum Site<'a> {
    /// Two variants of a comparison, or one.
    Variants { record: &'a Record, comparison: &'a Comparison, of: usize, to: Option<usize> },
    /// A row of a scenario.
    Outcome { record: &'a Record, outcome: &'a Outcome },
    /// A place.
    Place { record: &'a Record, facts: &'a PlaceFacts },
}

/// Every site of a check of an experiment's claim in the records. What another
/// experiment measured has other choices where the check is silent.
pub(crate) fn sites<'a>(check: &Check, experiment: &str, records: &[&'a Record]) -> Vec<Site<'a>> {
    let mut found = Vec::new();
    for &record in records {
        let experiments = || record.experiments.iter().filter(|known| known.name == experiment);
        match &check.subject {
            Subject::Fact(_) => {
                found.extend(record.places.iter().map(|facts| Site::Place { record, facts }));
            }
            Subject::Outcome { case, setting, .. } => {
                let outcomes = || {
                    let all = experiments().flat_map(|experiment| &experiment.outcomes);
                    all.filter(|outcome| outcome.case.contains(case))
                };
                // `open` is one setting's whole name, and a word in the names of others.
                let is_whole = outcomes().any(|outcome| outcome.setting == *setting);
                let is_meant = |outcome: &&Outcome| {
                    if is_whole { outcome.setting == *setting } else { outcome.setting.contains(setting) }
                };
                found.extend(outcomes().filter(is_meant).map(|outcome| Site::Outcome { record, outcome }));
            }
            Subject::Variants { metric, of, to, .. } => {
                let before = found.len();
                for comparison in experiments().flat_map(|experiment| &experiment.comparisons) {
                    found.extend(pairs(record, comparison, of, to.as_ref()));
                }
                if !metric.is_timed() {
                    once_each(&mut found, before, check);
                }
            }
        }
    }
    found
}

/// What is not timed is the same wherever a variant stands: once is enough, where
/// there is a value.
fn once_each(sites: &mut Vec<Site<'_>>, from: usize, check: &Check) {
    let mut kept: Vec<Site<'_>> = Vec::new();
    for site in sites.drain(from..) {
        match kept.iter_mut().find(|known| known.variants() == site.variants()) {
            None => kept.push(site),
            Some(known) if known.judge(check, 1.0).effect.is_none() => *known = site,
            Some(_) => {}
        }
    }
    sites.append(&mut kept);
}

/// The pairs of a comparison's variants that the conditions speak of.
fn pairs<'a>(
    record: &'a Record,
    comparison: &'a Comparison,
    of: &Conditions,
    to: Option<&Conditions>,
) -> Vec<Site<'a>> {
    let meets = |conditions: &Conditions, variant: &Variant| {
        let facts = record.places.get(variant.place);
        facts.is_some_and(|facts| conditions.are_met_by(variant, PlaceKind::of(facts)))
    };
    let all = || comparison.variants.iter().enumerate();
    let site = |of, to| Site::Variants { record, comparison, of, to };
    let mut found = Vec::new();
    for (one, variant) in all().filter(|(_, variant)| meets(of, variant)) {
        let Some(to) = to else {
            found.push(site(one, None));
            continue;
        };
        let others = all().filter(|(other, reference)| {
            *other != one && meets(to, reference) && of.leave_equal(to, variant, reference)
        });
        // A method beside itself is one pair, not two.
        found.extend(
            others.filter(|(other, _)| of != to || *other < one).map(|(other, _)| site(one, Some(other))),
        );
    }
    found
}

impl Site<'_> {
    /// The variants that it speaks of.
    fn variants(&self) -> Option<(&Variant, Option<&Variant>)> {
        let Self::Variants { comparison, of, to, .. } = self else { return None };
        Some((&comparison.variants[*of], to.map(|to| &comparison.variants[to])))
    }

    /// The instance: effect, verdict and what stands behind it.
    pub(crate) fn judge(&self, check: &Check, alpha: f64) -> Instance {
        match (self, &check.subject) {
            (Self::Variants { record, comparison, of, to }, Subject::Variants { metric, form, .. }) => {
                let question =
                    Question { metric, form: *form, of: *of, to: *to, region: check.region, alpha };
                of_variants(record, comparison, &question)
            }
            (Self::Outcome { record, outcome }, Subject::Outcome { what, share_of, .. }) => {
                of_outcome(record, outcome, what, share_of.as_deref(), check.region)
            }
            (Self::Place { record, facts }, Subject::Fact(fact)) => {
                of_fact(record, facts, *fact, check.region)
            }
            _ => unreachable!("a site is found by its check"),
        }
    }
}

fn of_variants(record: &Record, comparison: &Comparison, question: &Question<'_>) -> Instance {
    let variant = |index: usize| &comparison.variants[index];
    let effect = question.effect(comparison);
    let mut doubts = match &effect {
        Ok(effect) => doubts(record, comparison, question, effect),
        Err(reason) => vec![reason.clone()],
    };
    let effect = effect.ok();
    let verdict = match &effect {
        None => Verdict::Untestable,
        Some(_) if !doubts.is_empty() => Verdict::Inconclusive,
        Some(effect) => of_interval(effect, question.region),
    };
    if verdict == Verdict::Inconclusive && doubts.is_empty() {
        doubts.extend(effect.as_ref().map(|effect| open(effect, question.region)));
    }
    let place = &record.places[variant(question.of).place];
    let places = match question.to.map(|to| &record.places[variant(to).place]) {
        Some(other) if other != place => format!("{} beside {}", named(place), named(other)),
        _ => named(place),
    };
    Instance {
        place: places,
        conditions: comparison.label.clone(),
        of: Some(variant(question.of).method.to_string()),
        to: question.to.map(|to| variant(to).method.to_string()),
        effect,
        verdict,
        doubts,
        evidence: Evidence::of(record, comparison, question),
    }
}

fn of_interval(effect: &Effect, region: Region) -> Verdict {
    // What is counted needs no forks.
    let forks = if effect.sample == Sample::Forks {
        usize::try_from(effect.n).unwrap_or(usize::MAX)
    } else {
        usize::MAX
    };
    match decide(effect.interval(), region.into(), forks) {
        fathom_stats::Verdict::Supported => Verdict::Supported,
        fathom_stats::Verdict::Refuted => Verdict::Refuted,
        fathom_stats::Verdict::Undecided => Verdict::Inconclusive,
    }
}

/// Why an effect decides nothing.
fn open(effect: &Effect, region: Region) -> String {
    if effect.sample == Sample::Forks && effect.n < VERDICT_FROM_FORKS as u64 {
        return format!("{} forks are too few: no verdict before {VERDICT_FROM_FORKS}", effect.n);
    }
    match effect.sample {
        Sample::Forks if effect.low.is_none() => "too few forks for an interval".to_owned(),
        Sample::Forks | Sample::Stacks => {
            let side = if region.contains(effect.value) { "its edges" } else { "its edge" };
            format!("the interval reaches over the claimed region or {side}: more time would narrow it")
        }
        _ => "it varies from run to run, over the edge of the claimed region".to_owned(),
    }
}

fn of_outcome(
    record: &Record,
    outcome: &Outcome,
    what: &str,
    share_of: Option<&str>,
    region: Region,
) -> Instance {
    let n = outcome.count(what) as f64;
    let effect = match (&outcome.unavailable, share_of.map(|of| outcome.count(of))) {
        (Some(reason), _) => Err(reason.clone()),
        (None, Some(0)) => Err("it was not tried".to_owned()),
        (None, None) => Ok(Effect::exact(n, 1, Sample::Tries, EffectUnit::Number)),
        (None, Some(of)) => Ok(Effect::exact(n / of as f64, of, Sample::Tries, EffectUnit::Share)),
    };
    let (effect, doubts) = match effect {
        Ok(effect) => (Some(effect), Vec::new()),
        Err(reason) => (None, vec![reason]),
    };
    Instance {
        // A mount that is none of the places is told by the setting.
        place: outcome
            .place
            .and_then(|place| record.places.get(place))
            .map_or_else(|| outcome.setting.clone(), named),
        conditions: [outcome.case.as_str(), outcome.setting.as_str()].join(" · "),
        of: None,
        to: None,
        verdict: effect.as_ref().map_or(Verdict::Untestable, |effect| of_interval(effect, region)),
        effect,
        doubts,
        evidence: Evidence { said: vec![outcome.meaning.clone()], ..Evidence::default() },
    }
}

fn of_fact(record: &Record, facts: &PlaceFacts, fact: Fact, region: Region) -> Instance {
    let read: Result<u64, String> = match fact {
        Fact::ReadAhead => match &facts.device {
            Reading::Value(device) => known(&device.read_ahead_kib),
            Reading::Unavailable(reason) => Err(reason.clone()),
        },
        Fact::DentryBytes => known(&record.environment.dentry_bytes),
    };
    let (effect, doubts) = match read {
        Ok(value) => (Some(Effect::exact(value as f64, 1, Sample::Readings, EffectUnit::Number)), vec![]),
        Err(reason) => (None, vec![reason]),
    };
    Instance {
        place: named(facts),
        conditions: String::new(),
        of: None,
        to: None,
        verdict: effect.as_ref().map_or(Verdict::Untestable, |effect| of_interval(effect, region)),
        effect,
        doubts,
        evidence: Evidence::default(),
    }
}

fn known(reading: &Reading<u64>) -> Result<u64, String> {
    match reading {
        Reading::Value(value) => Ok(*value),
        Reading::Unavailable(reason) => Err(reason.clone()),
    }
}

/// A place in words: `tmpfs /dev/shm`.
pub(crate) fn named(facts: &PlaceFacts) -> String {
    match &facts.place {
        Place::Memfd => "memfd".to_owned(),
        Place::Directory(path) => format!("{} {}", facts.file_system, path.display()),
    }
}

/// True when the effect of such a check is a matter of chance, so that it takes its
/// part of the family's error.
pub(crate) fn is_chance(check: &Check) -> bool {
    matches!(&check.subject, Subject::Variants { metric, .. } if metric.is_timed() || matches!(metric, Metric::Stacks(_)))
}

/// Why a check has no site: what the records say of its methods.
pub(crate) fn absence(check: &Check, experiment: &str, records: &[&Record]) -> String {
    let Subject::Variants { of, to, .. } = &check.subject else {
        return "no record holds this scenario".to_owned();
    };
    let methods =
        [Some(of), to.as_ref()].into_iter().flatten().filter_map(|conditions| conditions.method.as_ref());
    let all = || records.iter().flat_map(|record| &record.experiments);
    let experiments = || all().filter(|known| known.name == experiment);
    if experiments().next().is_none() {
        return format!("no record holds {experiment}");
    }
    for method in methods {
        let told = |experiment: &ExperimentRecord| {
            let unmeasured = experiment.unmeasured.iter().find(|unmeasured| unmeasured.method == *method)?;
            Some(format!("{method}: {}", unmeasured.reason))
        };
        if let Some(reason) = experiments().find_map(told) {
            return reason;
        }
    }
    "no comparison of the records holds what it speaks of, side by side".to_owned()
}
