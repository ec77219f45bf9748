//! Over a series: wrong answers and times that cannot be, each once with where.

use super::Series;
use crate::page::{Ink, Page};
use crate::text::answers::{impossible_result, not_ranked, wrong};
use crate::text::context::Context;
use fathom_model::Comparison;

/// One paragraph per text that some comparison has.
pub(crate) fn render(page: &mut Page, context: &Context<'_>, series: &Series<'_>) {
    let mut beside: Vec<String> = Vec::new();
    for text in series.comparisons.iter().flat_map(|comparison| not_ranked(comparison, &series.labels)) {
        if !beside.contains(&text) {
            page.hanging("  ", 4, Ink::Plain, &text);
            beside.push(text);
        }
    }
    for &index in &series.order {
        let texts = |comparison: &Comparison| {
            let wrong = wrong(comparison, &series.labels, index);
            let impossible = impossible_result(context, comparison, &series.labels, index);
            wrong.into_iter().chain(impossible.map(|text| (text, Ink::Bad))).collect::<Vec<_>>()
        };
        let mut said: Vec<String> = Vec::new();
        for (text, ink) in series.comparisons.iter().flat_map(|comparison| texts(comparison)) {
            if said.contains(&text) {
                continue;
            }
            let scope = series.scope(|comparison| texts(comparison).iter().any(|(other, _)| *other == text));
            let at = if scope.is_empty() { String::new() } else { format!("at {scope}: ") };
            page.hanging("  ", 4, ink, &format!("{at}{text}"));
            said.push(text);
        }
    }
}
