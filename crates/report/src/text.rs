//! A record as the text of a terminal: which sections there are, and their
//! order. What each says stands in its own file.

pub(crate) mod calls;
mod differences;
mod evidence;
mod header;
mod ledger;
mod legend;
mod places;
mod recipe;
mod runtime;
mod series;
mod setting;
mod side_by_side;
mod times;
mod warnings;

use crate::TextOptions;
use crate::label;
use crate::page::{Ink, Page};
use crate::summary::render_summary;
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
    match series::of(record, experiment).filter(|_| !page.is_full()) {
        Some(series) => series::render(page, record, &series),
        None => render_comparisons(page, record, &experiment.comparisons),
    }
    if experiment.comparisons.is_empty() {
        page.paragraph(0, Ink::Plain, "Nothing was compared.");
    }
    setting::unmeasured(page, &experiment.unmeasured);
}

fn render_comparisons(page: &mut Page, record: &Record, comparisons: &[Comparison]) {
    let labels: Vec<_> = comparisons.iter().map(|comparison| label::labels(record, comparison)).collect();
    let mut above: Option<(&Comparison, &[String])> = None;
    for (comparison, labels) in comparisons.iter().zip(&labels) {
        page.blank();
        render_comparison(page, record, (comparison, labels), above);
        above = Some((comparison, labels));
    }
}

fn render_comparison(
    page: &mut Page,
    record: &Record,
    (comparison, labels): (&Comparison, &[String]),
    above: Option<(&Comparison, &[String])>,
) {
    setting::heading(page, record, comparison);
    page.blank();
    times::render(page, comparison, labels);
    page.blank();
    setting::differing(page, record, comparison, labels);
    evidence::render(page, comparison, labels);
    runtime::render(page, comparison, labels);
    differences::render(page, comparison, labels);
    calls::render(page, comparison, labels, above.filter(|_| !page.is_full()));
    ledger::render(page, comparison, labels);
    warnings::render(page, 2, &comparison.warnings);
}
