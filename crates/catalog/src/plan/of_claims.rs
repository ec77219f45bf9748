//! Plans that decide claims: for each check the variants it speaks of, side by
//! side, measured until the verdict is sure.

mod arms;
mod question;

use super::{Goal, Plan, PlannedComparison, Request};
use crate::claims::{CheckBase, EntryClaim};
use crate::entry::{Entry, Part, Work};
use crate::error::{CatalogError, Problem};
use crate::registry::MethodRegistry;
use crate::suggestion::hint_for;
use arms::{Arm, arms_of, asked_places, plan_places};
use fathom_model::{Check, Explain, Setting, Subject};
use fathom_stats::TimedQuestion;
use question::Question;

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

/// Shares the error of a whole family of claims among everything in it that is a matter
/// of chance, so that all verdicts hold together with probability 1 - `alpha`.
pub fn share_error(plans: &mut [Plan], alpha: f64) {
    let chances = |comparison: &PlannedComparison| {
        // The share of samples in a function is a matter of chance as well.
        let sampled = comparison.explain.contains(&Explain::Profile);
        let stacks = if sampled { comparison.variants.len() } else { 0 };
        match &comparison.goal {
            Goal::Verdicts(questions) => questions.len() + stacks,
            Goal::Precision | Goal::Counts => stacks,
        }
    };
    let all: usize = plans.iter().flat_map(|plan| &plan.comparisons).map(chances).sum();
    let share = alpha / all.max(1) as f64;
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
        Subject::Outcome { .. } | Subject::Figure { .. } => {
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

/// The pairs of arms, one after the other; a single one goes with each of the others.
fn paired(ofs: Vec<Arm>, tos: Option<Vec<Arm>>) -> Option<Vec<(Arm, Option<Arm>)>> {
    let Some(tos) = tos else { return Some(ofs.into_iter().map(|of| (of, None)).collect()) };
    (ofs.len() == tos.len()).then(|| ofs.into_iter().zip(tos).map(|(of, to)| (of, Some(to))).collect())
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
