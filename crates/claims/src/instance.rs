//! Instances: a check made at a site: its effect, its verdict and what stands behind it.

use crate::doubt::doubts;
use crate::effect::{Effect, EffectUnit, Question, Sample};
use crate::evidence::{Evidence, named};
use crate::figure;
use crate::site::Site;
use crate::verdict::Verdict;
use fathom_model::{Check, Comparison, Fact, Outcome, PlaceFacts, Reading, Record, Region, Subject};
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
    /// True when this machine has nothing of the kind to measure: measuring again does not help.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_absent_here: bool,
    /// What stands behind it.
    pub evidence: Evidence,
}
impl Site<'_> {
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
            (Self::Figure { record, of, to }, Subject::Figure { figure, quantile, form, .. }) => {
                let effect = figure::effect(of, *to, figure, *quantile, *form);
                of_effect(record, of, effect, check.region)
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
        is_absent_here: question.is_absent_here(comparison),
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
    of_effect(record, outcome, effect, region)
}

fn of_effect(record: &Record, outcome: &Outcome, effect: Result<Effect, String>, region: Region) -> Instance {
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
        is_absent_here: false,
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
        Fact::InodeBytes => known(&facts.inode_bytes),
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
        is_absent_here: false,
        evidence: Evidence::default(),
    }
}

fn known(reading: &Reading<u64>) -> Result<u64, String> {
    match reading {
        Reading::Value(value) => Ok(*value),
        Reading::Unavailable(reason) => Err(reason.clone()),
    }
}
