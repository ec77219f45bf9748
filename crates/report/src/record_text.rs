//! A record as the text of a terminal: which sections there are, and their
//! order. What each says stands in its own file of `text`.

use crate::equal_calls;
use crate::label;
use crate::options::TextOptions;
use crate::page::{Ink, Page};
use crate::standing::groups;
use crate::summary::render_summary;
use crate::text::context::Context;
use crate::text::{
    batches, breakdown, calls, ceilings, differences, evidence, header, kernel_counters, latencies, ledger,
    legend, long_runs, outcomes, places, prediction, profile, ranks, reported, runtime, series, setting,
    spread, times, warnings,
};
use fathom_model::{Comparison, ExperimentRecord, Record};

/// Renders a record for a terminal. Pure: the same record and options give the
/// same text. No line is wider than `options.width` (80 at least).
pub fn render_text(record: &Record, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    header::incomplete(&mut page, record);
    for answer in render_summary(record).lines() {
        page.paragraph(0, Ink::Plain, answer);
    }
    page.blank();
    header::render(&mut page, record);
    places::render(&mut page, record);
    warnings::render(&mut page, 0, &record.warnings);
    for experiment in &record.experiments {
        render_experiment(&mut page, record, experiment);
    }
    page.blank();
    legend::columns(&mut page, record);
    page.finish()
}

fn render_experiment(page: &mut Page, record: &Record, experiment: &ExperimentRecord) {
    page.blank();
    page.paragraph(0, Ink::Heading, &format!("{}: {}", experiment.name, experiment.title));
    page.paragraph(0, Ink::Plain, &experiment.question);
    if let Some(source) = &experiment.source {
        page.paragraph(0, Ink::Plain, &format!("From {source}."));
    }
    ceilings::render(page, &experiment.ceilings);
    outcomes::render(page, record, &experiment.outcomes);
    let context = Context { record, comparisons: &experiment.comparisons, reported: &experiment.reported };
    let mut tables: Vec<&Comparison> = Vec::new();
    for group in groups(&experiment.comparisons) {
        if let Some(series) = series::of(record, group).filter(|_| !page.is_full()) {
            series::render(page, &context, &series);
        } else {
            render_comparisons(page, &context, group);
            tables.extend(group);
        }
    }
    if experiment.comparisons.is_empty() && experiment.outcomes.is_empty() {
        page.paragraph(0, Ink::Plain, "Nothing was compared.");
    }
    reported::render(page, record, experiment, &tables);
    setting::unmeasured(page, &experiment.unmeasured);
}

fn render_comparisons(page: &mut Page, context: &Context<'_>, comparisons: &[Comparison]) {
    let labels: Vec<_> =
        comparisons.iter().map(|comparison| label::labels(context.record, comparison)).collect();
    let mut above: Option<(&Comparison, &[String])> = None;
    for (comparison, labels) in comparisons.iter().zip(&labels) {
        page.blank();
        render_comparison(page, context, (comparison, labels), above);
        above = Some((comparison, labels));
    }
}

fn render_comparison(
    page: &mut Page,
    context: &Context<'_>,
    (comparison, labels): (&Comparison, &[String]),
    above: Option<(&Comparison, &[String])>,
) {
    setting::heading(page, context.record, comparison);
    crate::validity::show(page, &comparison.validity, labels);
    for sentence in equal_calls::sentences(comparison, labels) {
        page.hanging("  note: ", 8, Ink::Plain, &sentence);
    }
    page.blank();
    times::render(page, context, comparison, labels);
    page.blank();
    setting::differing(page, context.record, comparison, labels);
    evidence::render(page, comparison, labels);
    batches::render(page, comparison, labels);
    prediction::render(page, comparison, labels, context.record.environment.page_bytes);
    long_runs::render(page, comparison, labels);
    breakdown::render(page, context.record, comparison, labels);
    kernel_counters::render(page, comparison, labels);
    profile::render(page, comparison, labels);
    latencies::render(page, comparison, labels);
    spread::render(page, comparison, labels);
    runtime::render(page, comparison, labels);
    ranks::render(page, comparison, labels);
    differences::render(page, comparison, labels);
    calls::render(page, comparison, labels, above.filter(|_| !page.is_full()));
    ledger::render(page, comparison, labels);
    warnings::render(page, 2, &comparison.warnings);
}
