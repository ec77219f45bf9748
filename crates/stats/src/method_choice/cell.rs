//! One cell of the matrix: the methods of one language that were measured side by
//! side under one set of conditions, and what is advised. Pairs only methods of
//! one comparison.

use super::caveats::{Basis, Caveat, caveats, reuses_memory};
use super::conditions::DecisionConditions;
use super::group::Group;
use super::knowledge::Language;
use super::ranking::{Ranking, RivalStanding, resolution};
use crate::decision::VERDICT_FROM_FORKS;
use crate::method_caveat::{MethodCaveat, method_caveats};
use fathom_model::{Comparison, Estimate, MethodId, Proof};
use serde::Serialize;

/// How sure the advice of a cell is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Certainty {
    /// The A/A control is at fault: no ratio may be used.
    Fault,
    /// Too few forks for any statement.
    TooFewForks,
    /// That the files were in the state that is answered for is not proven.
    StateUnproven,
    /// Another comparison under the same conditions shows another method to be fastest.
    Contradicted,
    /// Some methods cannot be told from the fastest.
    Tied,
    /// Every other method is shown to be slower.
    Decided,
}

/// A method and its time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MethodTime {
    /// The method.
    pub method: MethodId,
    /// Nanoseconds per operation; 95 %.
    pub time_ns: Estimate,
}

/// A method beside the fastest.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rival {
    /// The method.
    pub method: MethodId,
    /// Nanoseconds per operation; 95 %.
    pub time_ns: Estimate,
    /// Its time over the fastest's, paired; all rivals' intervals share an error of 5 %.
    pub ratio: Option<Estimate>,
    /// How it stands.
    pub standing: RivalStanding,
}

/// What most programs of the language do, beside what is advised (or led, where nothing is).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UsualWay {
    /// The method.
    pub method: MethodId,
    /// Nanoseconds per operation; 95 %.
    pub time_ns: Estimate,
    /// Its time over that of what is advised; `None` when it is advised itself.
    pub ratio: Option<Estimate>,
    /// What is saved per operation, in ns; `None` when it is advised itself.
    pub saving_ns: Option<Estimate>,
}

/// A method that is never advised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Excluded {
    /// The method.
    pub method: MethodId,
    /// Why.
    pub reason: String,
}

/// Where a cell's figures stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CellSource {
    /// What the caller calls the record.
    pub record: String,
    /// When it was begun.
    pub created: String,
    /// The experiment.
    pub experiment: String,
    /// The comparison.
    pub label: String,
}

/// The same conditions in another comparison, whose methods were not beside these.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Elsewhere {
    /// Where.
    pub source: CellSource,
    /// How many methods stood there.
    pub methods: usize,
    /// What was fastest.
    pub fastest: MethodId,
    /// How sure it is.
    pub certainty: Certainty,
}

/// One cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DecisionCell {
    /// The conditions.
    pub conditions: DecisionConditions,
    /// Where it was measured.
    pub source: CellSource,
    /// Forks it rests on.
    pub forks: u32,
    /// Ratios nearer to 1 than this share cannot be told; `None` where the control has no interval.
    pub resolution: Option<f64>,
    /// How sure the advice is.
    pub certainty: Certainty,
    /// What to use; `None` when nothing is decided. The usual way, where it cannot be told from the fastest.
    pub advised: Option<MethodId>,
    /// The fastest of the samples.
    pub fastest: MethodTime,
    /// The others, the nearest first.
    pub rivals: Vec<Rival>,
    /// What most programs do, where it was measured beside these.
    pub usual: Option<UsualWay>,
    /// What is never advised, or could not be measured.
    pub excluded: Vec<Excluded>,
    /// What has to be said in one breath with what is advised, or led.
    pub beside: Vec<MethodCaveat>,
    /// What the advice does not say.
    pub caveats: Vec<Caveat>,
    /// Other comparisons under the same conditions.
    pub elsewhere: Vec<Elsewhere>,
}

impl DecisionCell {
    /// What is advised, else what led.
    pub fn chosen(&self) -> &MethodId {
        self.advised.as_ref().unwrap_or(&self.fastest.method)
    }

    /// Methods that cannot be told from the fastest.
    pub fn tied(&self) -> impl Iterator<Item = &Rival> {
        self.rivals.iter().filter(|rival| rival.standing == RivalStanding::Tied)
    }

    /// True when nothing here was shown to be faster than the method.
    pub fn stands(&self, method: &MethodId) -> bool {
        self.fastest.method == *method || self.tied().any(|rival| rival.method == *method)
    }

    /// True when the method stood here and could have been advised.
    pub fn has(&self, method: &MethodId) -> bool {
        self.fastest.method == *method || self.rivals.iter().any(|rival| rival.method == *method)
    }

    /// Takes the advice back: another comparison shows something else.
    pub(super) fn contradict(&mut self) {
        if self.certainty > Certainty::Contradicted {
            self.certainty = Certainty::Contradicted;
            self.advised = None;
        }
    }

    /// Methods that stood here.
    pub fn methods(&self) -> usize {
        self.rivals.len() + 1
    }

    /// Time of a method that stood here.
    pub fn time_ns(&self, method: &MethodId) -> Option<&Estimate> {
        if self.fastest.method == *method {
            return Some(&self.fastest.time_ns);
        }
        self.rivals.iter().find(|rival| rival.method == *method).map(|rival| &rival.time_ns)
    }
}

/// The cell; `None` when fewer than two methods have a time.
pub(super) fn cell(
    group: Group<'_>,
    conditions: DecisionConditions,
    language: Option<&Language>,
) -> Option<DecisionCell> {
    let comparison = group.comparison;
    let method = |variant: usize| &comparison.variants[variant].method;
    let (never, fit): (Vec<usize>, Vec<usize>) =
        group.variants.iter().partition(|&&variant| against(comparison, variant).is_some());
    let ranking = Ranking::of(comparison, &fit);
    let order: Vec<usize> = ranking.variants().collect();
    let (&first, others) = order.split_first().filter(|(_, others)| !others.is_empty())?;
    let rivals = others.iter().filter_map(|&variant| {
        let ratio = ranking.ratio(variant, first);
        let standing = ranking.standing(ratio.as_ref());
        Some(Rival { method: method(variant).clone(), time_ns: ranking.time_ns(variant)?, ratio, standing })
    });
    let rivals: Vec<Rival> = rivals.collect();
    let certainty = match certainty(comparison, ranking.forks(), &rivals) {
        sure if sure > Certainty::StateUnproven && is_state_unproven(comparison, first) => {
            Certainty::StateUnproven
        }
        other => other,
    };
    let usual = language.and_then(|language| language.usual(conditions.operation));
    let usual = usual.and_then(|name| order.iter().copied().find(|&variant| method(variant).name == name));
    let is_tied = |variant: usize| {
        others
            .iter()
            .zip(&rivals)
            .any(|(&other, rival)| other == variant && rival.standing == RivalStanding::Tied)
    };
    let chosen = usual.filter(|&usual| certainty == Certainty::Tied && is_tied(usual)).unwrap_or(first);
    let usual_way = usual.and_then(|usual| {
        let is_other = usual != chosen;
        Some(UsualWay {
            method: method(usual).clone(),
            time_ns: ranking.time_ns(usual)?,
            ratio: ranking.ratio(usual, chosen).filter(|_| is_other),
            saving_ns: ranking.difference_ns(usual, chosen).filter(|_| is_other),
        })
    });
    let basis = Basis { group, conditions: &conditions, chosen, usual, forks: ranking.forks() };
    Some(DecisionCell {
        caveats: caveats(basis),
        source: source(group),
        forks: u32::try_from(ranking.forks()).unwrap_or(u32::MAX),
        resolution: resolution(comparison),
        certainty,
        advised: (certainty >= Certainty::Tied).then(|| method(chosen).clone()),
        fastest: MethodTime { method: method(first).clone(), time_ns: ranking.time_ns(first)? },
        rivals,
        usual: usual_way,
        excluded: excluded(group, &never, &conditions.driver, language),
        elsewhere: Vec::new(),
        beside: method_caveats(comparison, chosen)
            .into_iter()
            .chain(reuses_memory(basis).then_some(MethodCaveat::ReusesMemory))
            .collect(),
        conditions,
    })
}

/// Whether nobody knows if the files were cached as the conditions say.
fn is_state_unproven(comparison: &Comparison, variant: usize) -> bool {
    comparison.cache.get(variant).is_some_and(|evidence| matches!(evidence.proof, Proof::Unknown(_)))
}

fn certainty(comparison: &Comparison, forks: usize, rivals: &[Rival]) -> Certainty {
    let standings = || rivals.iter().map(|rival| rival.standing);
    if comparison.control.value().is_some_and(|control| control.instrument_fault) {
        Certainty::Fault
    } else if forks < VERDICT_FROM_FORKS || standings().any(|standing| standing == RivalStanding::Unknown) {
        Certainty::TooFewForks
    } else if standings().any(|standing| standing == RivalStanding::Tied) {
        Certainty::Tied
    } else {
        Certainty::Decided
    }
}

/// Why a variant is never advised.
fn against(comparison: &Comparison, variant: usize) -> Option<String> {
    match method_caveats(comparison, variant).into_iter().find(|caveat| caveat.keeps_from_ranking())? {
        MethodCaveat::AnswersWrongly => wrong_answer(comparison, variant),
        other => Some(other.words().to_owned()),
    }
}

fn wrong_answer(comparison: &Comparison, variant: usize) -> Option<String> {
    let answered = comparison.answers.get(variant)?;
    if let Some(flaw) = &answered.flaw {
        return Some(format!("it answers wrongly: {flaw}"));
    }
    (!answered.is_right())
        .then(|| format!("it answers wrongly: {} {} of {}", answered.what, answered.found, answered.expected))
}

fn excluded(group: Group<'_>, never: &[usize], driver: &str, language: Option<&Language>) -> Vec<Excluded> {
    let never = never.iter().filter_map(|&variant| {
        let method = group.comparison.variants[variant].method.clone();
        Some(Excluded { method, reason: against(group.comparison, variant)? })
    });
    let unmeasured = group.experiment.unmeasured.iter().filter(|unmeasured| {
        let method = &unmeasured.method;
        method.driver == driver && language.is_none_or(|language| language.has(&method.name))
    });
    let unmeasured = unmeasured.map(|unmeasured| {
        let scope = unmeasured.scope.as_ref().map(|scope| format!(" ({scope})")).unwrap_or_default();
        let reason = format!("not measured{scope}: {}", unmeasured.reason);
        Excluded { method: unmeasured.method.clone(), reason }
    });
    never.chain(unmeasured).collect()
}

fn source(group: Group<'_>) -> CellSource {
    CellSource {
        record: group.name.to_owned(),
        created: group.record.created.clone(),
        experiment: group.experiment.name.clone(),
        label: group.comparison.label.clone(),
    }
}
