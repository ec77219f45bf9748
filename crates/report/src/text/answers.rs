//! Below a table: which answers are wrong, by how much and why; and times
//! that cannot be, of others and of ours.

use super::context::Context;
use crate::answer::{answer, fault};
use crate::floor::{floors, undercut};
use crate::page::{Ink, Page};
use crate::published::{IMPOSSIBLE, impossible, refutation, times};
use crate::standing::{by_time, summary};
use crate::written::time;
use fathom_model::Comparison;
use fathom_stats::{MethodCaveat, unranked};
use std::collections::BTreeMap;

/// One paragraph per wrong answer, impossible figure and impossible result.
pub(crate) fn render(page: &mut Page, context: &Context<'_>, comparison: &Comparison, labels: &[String]) {
    let order = by_time(comparison);
    for (text, ink) in order.iter().filter_map(|&index| wrong(comparison, labels, index)) {
        page.hanging("  ", 4, ink, &text);
    }
    for text in not_ranked(comparison, labels) {
        page.hanging("  ", 4, Ink::Plain, &text);
    }
    let mut said: Vec<String> = Vec::new();
    for &index in &order {
        for text in impossible_reports(context, comparison, index) {
            if !said.contains(&text) {
                page.hanging("  ", 4, Ink::Plain, &text);
                said.push(text);
            }
        }
    }
    for text in order.iter().filter_map(|&index| impossible_result(context, comparison, labels, index)) {
        page.hanging("  ", 4, Ink::Bad, &text);
    }
}

/// Who is not ranked, by the reason; wrong answers have a paragraph of their own.
pub(crate) fn not_ranked(comparison: &Comparison, labels: &[String]) -> Vec<String> {
    let mut by_reason: BTreeMap<MethodCaveat, Vec<&str>> = BTreeMap::new();
    for (index, caveat) in unranked(comparison) {
        by_reason.entry(caveat).or_default().push(&labels[index]);
    }
    by_reason.remove(&MethodCaveat::AnswersWrongly);
    by_reason.remove(&MethodCaveat::AnswersOtherwise);
    let text = |(caveat, names): (MethodCaveat, Vec<&str>)| {
        format!("not ranked: {}: {}", names.join(", "), caveat.words())
    };
    by_reason.into_iter().map(text).collect()
}

/// What is wrong with a variant's answer, or with its method.
pub(crate) fn wrong(comparison: &Comparison, labels: &[String], index: usize) -> Option<(String, Ink)> {
    let answered = answer(comparison, index)?;
    let ink = if answered.is_right() { Ink::Plain } else { Ink::Bad };
    let mark = match answered {
        right if right.is_right() => "",
        own if own.disagrees.is_some() => "DIFFERS, ",
        _ => "WRONG, ",
    };
    Some((format!("{mark}{}: {}", labels[index], fault(answered)?), ink))
}

/// A result of ours below what its calls cost.
pub(crate) fn impossible_result(
    context: &Context<'_>,
    comparison: &Comparison,
    labels: &[String],
    index: usize,
) -> Option<String> {
    let bound = undercut(context.record, comparison, index)?;
    let measured = time(&summary(comparison, index)?.time_ns);
    Some(format!(
        "BELOW THE FLOOR: {} at {measured} is below {}: a defect of Fathom's, do not use",
        labels[index], bound.phrase
    ))
}

fn impossible_reports(context: &Context<'_>, comparison: &Comparison, index: usize) -> Vec<String> {
    let Some(floors) = floors(context.record) else { return Vec::new() };
    let variant = &comparison.variants[index];
    let refuted = |(_, figure): (usize, &fathom_model::Figure)| {
        let bound = impossible(floors, context.comparisons, figure)?;
        Some(format!("{IMPOSSIBLE} {}: reported {}", variant.method, refutation(figure, &bound)))
    };
    times(context.reported, variant).into_iter().filter_map(refuted).collect()
}
