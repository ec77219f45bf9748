//! Plans that decide claims: for each check the variants it speaks of, side by
//! side, measured until the verdict is sure.

use super::{Axes, Compare, Goal, Plan, PlannedComparison, Request, differing_parameters};
use crate::choices::Choices;
use crate::claims::{CheckBase, EntryClaim};
use crate::combine::combine;
use crate::entry::{Entry, Part, Work};
use crate::error::{CatalogError, Located, Problem};
use crate::registry::MethodRegistry;
use crate::suggestion::hint_for;
use crate::words::PlaceWord;
use fathom_model::{
    CacheState, Check, Conditions, Explain, Form, Metric, Operation, Place, PlaceKind, Setting, Subject,
    Variant,
};
use fathom_stats::TimedQuestion;
use std::path::PathBuf;

/// A file system in memory that every Linux machine has.
const MEMORY: &str = "/dev/shm";

/// The plan that decides claims of an experiment: those named, or all.
pub fn plan_claims(
    entry: &Entry,
    names: &[String],
    request: &Request,
    registry: &MethodRegistry,
) -> Result<Plan, CatalogError> {
    let mut plan = Plan {
        name: entry.name.clone(),
        title: entry.title.clone(),
        question: entry.question.clone(),
        source: entry.source.clone(),
        scenario: None,
        ceilings: Vec::new(),
        places: Vec::new(),
        comparisons: Vec::new(),
        unmeasured: Vec::new(),
        reported: entry.reported.publications.clone(),
        claims: Vec::new(),
    };
    let wanted = |claim: &&EntryClaim| names.is_empty() || names.contains(&claim.claim.name);
    for claim in entry.claims.iter().filter(wanted) {
        let published = claim.claim.checks.len();
        for (number, (check, base)) in claim.checks().enumerate() {
            let fair = if number < published { "" } else { ", fair" };
            let asked = Asked { name: format!("{}{fair}", claim.claim.name), check, base };
            add_check(&mut plan, entry, &asked, request, registry)?;
        }
        plan.claims.push(claim.claim.clone());
    }
    merge_single(&mut plan.comparisons);
    Ok(plan)
}

/// A variant that is looked at alone, and that stands beside another one elsewhere, is
/// measured there.
fn merge_single(comparisons: &mut Vec<PlannedComparison>) {
    let mut at = 0;
    while at < comparisons.len() {
        let found = match comparisons[at].variants.as_slice() {
            [alone] => comparisons.iter().enumerate().find_map(|(other, comparison)| {
                let index = comparison.variants.iter().position(|variant| variant == alone)?;
                (other != at).then_some((other, index))
            }),
            _ => None,
        };
        let Some((other, index)) = found else {
            at += 1;
            continue;
        };
        let alone = comparisons[at].clone();
        let wider = &mut comparisons[other];
        for explain in alone.explain {
            if !wider.explain.contains(&explain) {
                wider.explain.push(explain);
            }
        }
        if let Goal::Verdicts(questions) = alone.goal {
            wider.goal = std::mem::replace(&mut wider.goal, Goal::Counts)
                .asking(questions.into_iter().map(|question| TimedQuestion { of: index, ..question }));
        }
        comparisons.remove(at);
    }
}

/// Shares the error of a whole family of claims among everything in it that is
/// timed, so that all verdicts hold together with probability 1 - `alpha`.
pub fn share_error(plans: &mut [Plan], alpha: f64) {
    let questions = || {
        plans.iter().flat_map(|plan| &plan.comparisons).map(|comparison| match &comparison.goal {
            Goal::Verdicts(questions) => questions.len(),
            Goal::Precision | Goal::Counts => 0,
        })
    };
    let share = alpha / questions().sum::<usize>().max(1) as f64;
    for comparison in plans.iter_mut().flat_map(|plan| &mut plan.comparisons) {
        if let Goal::Verdicts(questions) = &mut comparison.goal {
            for question in questions {
                question.alpha = share;
            }
        }
    }
}

/// A check, what it is planned from, and what its comparisons are called.
struct Asked<'a> {
    name: String,
    check: &'a Check,
    base: &'a CheckBase,
}

fn add_check(
    plan: &mut Plan,
    entry: &Entry,
    asked: &Asked<'_>,
    request: &Request,
    registry: &MethodRegistry,
) -> Result<(), CatalogError> {
    let Asked { name, check, base } = asked;
    match &check.subject {
        Subject::Fact(_) => {
            for place in asked_places(request) {
                plan.index_of(&place);
            }
            Ok(())
        }
        Subject::Outcome { .. } => {
            let Work::Scenario(scenario, choices) = &entry.work else {
                let hint = "an outcome is of a scenario".to_owned();
                let problem = Problem::UnknownKey("outcome".to_owned());
                return Err(CatalogError::new(&base.origin, problem, Some(hint)));
            };
            plan.scenario = Some(*scenario);
            let [full, quick] = &**choices;
            let choices = if request.quick { full.overridden_by(quick) } else { full.clone() };
            for place in super::resolve_places(&choices, &request.places) {
                plan.index_of(&place);
            }
            Ok(())
        }
        Subject::Variants { metric, form, of, to } => {
            let question = Question { name, metric, form: *form, check };
            let part = part_of(entry, base)?;
            let arms = |conditions| -> Result<Vec<Arm>, CatalogError> {
                let mut arms = Vec::new();
                for place in plan_places(conditions, request) {
                    arms.extend(arms_of(&place, part, conditions, base, request, registry)?);
                }
                Ok(arms)
            };
            let ofs = arms(of)?;
            let tos = to.as_ref().map(arms).transpose()?;
            let pairs = paired(ofs, tos).ok_or_else(|| {
                let problem = Problem::Exclusive("`of` and `to`", "choices of different lengths");
                let hint = "give both the same sizes, blocks, caches and settings in `with`".to_owned();
                CatalogError::new(&base.origin, problem, Some(hint))
            })?;
            for (of, to) in pairs {
                refuse_two_warm_ups(&of, to.as_ref(), base)?;
                question.add(plan, of, to);
            }
            Ok(())
        }
    }
}

/// A fork is warmed up or it is not: the two cannot stand in the same blocks.
fn refuse_two_warm_ups(of: &Arm, to: Option<&Arm>, base: &CheckBase) -> Result<(), CatalogError> {
    let warm_up = |arm: &Arm| arm.variant.parameters.settings.value(Setting::WarmUp);
    if to.is_some_and(|to| warm_up(to) != warm_up(of)) {
        let problem = Problem::Exclusive("warm-up = \"on\"", "warm-up = \"off\"");
        let hint = "a fork is warmed up or it is not: say the same of both".to_owned();
        return Err(CatalogError::new(&base.origin, problem, Some(hint)));
    }
    Ok(())
}

/// A variant of a claim, in a place that is not yet among the plan's.
struct Arm {
    label: String,
    place: Place,
    variant: Variant,
}

/// The pairs of arms, one after the other; a single one goes with each of the others.
fn paired(ofs: Vec<Arm>, tos: Option<Vec<Arm>>) -> Option<Vec<(Arm, Option<Arm>)>> {
    let Some(tos) = tos else { return Some(ofs.into_iter().map(|of| (of, None)).collect()) };
    (ofs.len() == tos.len()).then(|| ofs.into_iter().zip(tos).map(|(of, to)| (of, Some(to))).collect())
}

/// What is asked of a pair.
struct Question<'a> {
    name: &'a str,
    metric: &'a Metric,
    form: Form,
    check: &'a Check,
}

impl Question<'_> {
    /// Adds it to a comparison that has both arms, or to a new one.
    fn add(&self, plan: &mut Plan, of: Arm, to: Option<Arm>) {
        let label = match &to {
            Some(to) if to.label != of.label => format!("{} beside {}", of.label, to.label),
            _ => of.label.clone(),
        };
        let label = format!("{}: {label}", self.name);
        let mut variants = Vec::new();
        // What is compared with comes first: it is the baseline.
        for arm in to.into_iter().chain([of]) {
            let place = plan.index_of(&arm.place);
            variants.push(Variant { place, ..arm.variant });
        }
        // What is counted is the same beside others.
        let holds = |known: &PlannedComparison| {
            known.variants == variants
                || !self.metric.is_timed() && variants.iter().all(|one| known.variants.contains(one))
        };
        let known = plan.comparisons.iter().position(holds);
        let at = known.unwrap_or(plan.comparisons.len());
        if known.is_none() {
            plan.comparisons.push(PlannedComparison {
                label,
                differing_parameters: differing_parameters(&variants),
                variants: variants.clone(),
                baseline: 0,
                explain: Vec::new(),
                goal: Goal::Counts,
            });
        }
        let comparison = &mut plan.comparisons[at];
        comparison
            .explain
            .extend(explain(self.metric).filter(|explain| !comparison.explain.contains(explain)));
        // Only the time pass looks at the page cache: nothing else proves that it was cold.
        let cold = variants.iter().any(|variant| variant.cache == CacheState::Cold);
        let needs_times = match self.metric {
            Metric::Time | Metric::BatchP99 | Metric::Runtime(_) | Metric::Resident | Metric::Stacks(_) => {
                true
            }
            // Batches without a fixed length are made as long as the operation's time asks for.
            Metric::Counter(_) => {
                variants.iter().any(|variant| variant.parameters.settings.number(Setting::Operations) == 0)
            }
            Metric::Calls | Metric::Call(_) | Metric::Answer => false,
        };
        if cold || needs_times {
            let of = variants.len() - 1;
            comparison.goal = std::mem::replace(&mut comparison.goal, Goal::Counts).asking(
                self.metric.is_timed().then(|| TimedQuestion {
                    metric: self.metric.clone(),
                    form: self.form,
                    of,
                    to: (of > 0).then_some(0),
                    region: self.check.region,
                    alpha: 1.0,
                }),
            );
        }
    }
}

impl Goal {
    /// This goal, and further questions.
    fn asking(self, further: impl IntoIterator<Item = TimedQuestion>) -> Self {
        let mut questions = match self {
            Self::Verdicts(questions) => questions,
            Self::Precision | Self::Counts => Vec::new(),
        };
        questions.extend(further);
        Self::Verdicts(questions)
    }
}

/// The pass that a metric needs beside calls and times.
fn explain(metric: &Metric) -> Option<Explain> {
    match metric {
        Metric::Counter(_) => Some(Explain::Counters),
        Metric::Stacks(_) => Some(Explain::Profile),
        _ => None,
    }
}

fn part_of<'a>(entry: &'a Entry, base: &CheckBase) -> Result<&'a Part, CatalogError> {
    let parts = entry.parts();
    match &base.part {
        Some(name) => parts.iter().find(|part| part.name.as_ref() == Some(&name.value)).ok_or_else(|| {
            let known: Vec<&str> = parts.iter().filter_map(|part| part.name.as_deref()).collect();
            name.error(Problem::UnknownWord("part", name.value.clone()), hint_for(&name.value, &known))
        }),
        None => parts.first().ok_or_else(|| {
            let hint = "a scenario has outcomes".to_owned();
            CatalogError::new(&base.origin, Problem::UnknownKey("metric".to_owned()), Some(hint))
        }),
    }
}

/// Every variant that the conditions leave open in a place: one for each of several
/// sizes, blocks or settings of the part.
fn arms_of(
    place: &Place,
    part: &Part,
    conditions: &Conditions,
    base: &CheckBase,
    request: &Request,
    registry: &MethodRegistry,
) -> Result<Vec<Arm>, CatalogError> {
    let at = |value| Located::new(value, &base.origin);
    let operation = conditions.operation.map_or_else(|| part.operation.clone(), at);
    let quick = if request.quick { part.quick.clone() } else { Choices::default() };
    let choices = part.choices.overridden_by(&quick).meaningful_for(operation.value);
    let mut choices = choices.overridden_by(&pinned(conditions, base));
    choices.baseline = None;
    choices.places = Some(vec![at_directory(base)]);
    let axes = Axes::resolve(&operation, Compare::Methods, &choices, std::slice::from_ref(place), registry)?;
    let (comparisons, unmeasured) = combine(&axes)?;
    debug_assert!(unmeasured.is_empty(), "methods are named");
    let arms = comparisons.into_iter().flat_map(|comparison| {
        let label = comparison.label;
        comparison.variants.into_iter().map(move |variant| (label.clone(), variant))
    });
    Ok(arms.map(|(label, variant)| Arm { label, place: place.clone(), variant }).collect())
}

fn at_directory(base: &CheckBase) -> Located<PlaceWord> {
    Located::new(PlaceWord::Directory, &base.origin)
}

/// The conditions as choices with one value each.
fn pinned(conditions: &Conditions, base: &CheckBase) -> Choices {
    fn one<T: Clone>(value: Option<&T>, base: &CheckBase) -> Option<Vec<Located<T>>> {
        value.map(|value| vec![Located::new(value.clone(), &base.origin)])
    }
    Choices {
        methods: one(conditions.method.as_ref().map(ToString::to_string).as_ref(), base),
        baseline: None,
        caches: one(conditions.cache.as_ref(), base),
        places: None,
        sizes: one(conditions.size_bytes.as_ref(), base),
        files: conditions.files,
        content: conditions.content,
        blocks: one(conditions.block_bytes.as_ref(), base),
        accesses: one(conditions.access.as_ref(), base),
        alignments: one(conditions.alignment.as_ref(), base),
        buffers: one(conditions.buffer.as_ref(), base),
        settings: conditions
            .settings
            .iter()
            .map(|(setting, value)| (*setting, vec![Located::new(value.clone(), &base.origin)]))
            .collect(),
    }
}

/// Where a variant of these conditions is measured: on a disk and in memory,
/// unless they name a kind, or the user names directories.
fn plan_places(conditions: &Conditions, request: &Request) -> Vec<Place> {
    let memory = || Place::Directory(PathBuf::from(MEMORY));
    match conditions.place {
        Some(PlaceKind::Memfd) => vec![Place::Memfd],
        Some(PlaceKind::Memory) => vec![memory()],
        Some(PlaceKind::Disk) => first_of_request(request),
        // In memory there is no cold state.
        None if conditions.cache == Some(CacheState::Cold) => first_of_request(request),
        None => asked_places(request),
    }
}

fn first_of_request(request: &Request) -> Vec<Place> {
    asked_places(request).into_iter().take(1).collect()
}

/// The directories of the command line, else the current one and one in memory.
fn asked_places(request: &Request) -> Vec<Place> {
    if request.places.is_empty() {
        vec![Place::Directory(PathBuf::from(".")), Place::Directory(PathBuf::from(MEMORY))]
    } else {
        request.places.clone()
    }
}

impl Choices {
    /// Without what means nothing to the operation: an open has no blocks.
    fn meaningful_for(mut self, operation: Operation) -> Self {
        if !operation.takes_buffer() {
            (self.blocks, self.buffers) = (None, None);
        }
        if !operation.takes_offsets() {
            (self.accesses, self.alignments) = (None, None);
        }
        self.settings.retain(|setting, _| setting.concerns(operation));
        self
    }
}
