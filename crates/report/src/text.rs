//! A record as the text of a terminal: which sections there are, and their
//! order. What each says stands in its own file.

pub(crate) mod calls;
mod differences;
mod evidence;
mod header;
mod ledger;
mod places;
mod runtime;
mod setting;
pub(crate) mod times;
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
    page.paragraph(0, Ink::Plain, &render_summary(record));
    page.blank();
    header::render(&mut page, record);
    places::render(&mut page, record);
    warnings::render(&mut page, 0, &record.warnings);
    for experiment in &record.experiments {
        render_experiment(&mut page, record, experiment);
    }
    page.blank();
    times::legend(&mut page, record);
    page.finish()
}

fn render_experiment(page: &mut Page, record: &Record, experiment: &ExperimentRecord) {
    page.blank();
    page.paragraph(0, Ink::Heading, &format!("{}: {}", experiment.name, experiment.title));
    page.paragraph(0, Ink::Plain, &experiment.question);
    if let Some(source) = &experiment.source {
        page.paragraph(0, Ink::Plain, &format!("From {source}."));
    }
    for comparison in &experiment.comparisons {
        page.blank();
        render_comparison(page, record, comparison);
    }
    if experiment.comparisons.is_empty() {
        page.paragraph(0, Ink::Plain, "Nothing was compared.");
    }
    setting::unmeasured(page, &experiment.unmeasured);
}

fn render_comparison(page: &mut Page, record: &Record, comparison: &Comparison) {
    let labels = label::labels(record, comparison);
    setting::heading(page, record, comparison);
    page.blank();
    times::render(page, comparison, &labels);
    page.blank();
    setting::differing(page, record, comparison, &labels);
    evidence::render(page, comparison, &labels);
    runtime::render(page, comparison, &labels);
    differences::render(page, comparison, &labels);
    calls::render(page, comparison, &labels);
    ledger::render(page, comparison, &labels);
    warnings::render(page, 2, &comparison.warnings);
}
