//! What others published of an experiment: where the figures come from, those
//! that have no place in a table beside this machine's, and their claims as
//! they stand.

use crate::floor::floors;
use crate::page::{Ink, Page};
use crate::published::{IMPOSSIBLE, has_a_place, impossible, origin, phrase, refutation, subject};
use fathom_model::{Comparison, ExperimentRecord, Figure, Publication, Record};

/// One section per experiment that stands beside a publication; `tables` are
/// the comparisons whose tables have a column for reported times.
pub(crate) fn render(
    page: &mut Page,
    record: &Record,
    experiment: &ExperimentRecord,
    tables: &[&Comparison],
) {
    for (index, publication) in experiment.reported.iter().enumerate() {
        page.blank();
        let number = if experiment.reported.len() > 1 { format!(" [{}]", index + 1) } else { String::new() };
        let heading = format!("reported{number} by {}, {}", publication.source, origin(publication));
        page.paragraph(0, Ink::Plain, &heading);
        figures(page, record, experiment, publication, tables);
        claims(page, publication);
    }
    checkable(page, experiment);
}

/// What is claimed in a form that can be checked; the verdicts are another command's.
fn checkable(page: &mut Page, experiment: &ExperimentRecord) {
    if experiment.claims.is_empty() {
        return;
    }
    page.blank();
    let heading = format!("claimed of it (`fathom verify {}` judges):", experiment.name);
    page.paragraph(0, Ink::Plain, &heading);
    for claim in &experiment.claims {
        page.hanging("  ", 4, Ink::Plain, &format!("\"{}\" [{}]", claim.sentence, claim.name));
    }
}

/// The figures that no table shows, a line for each thing they are about.
fn figures(
    page: &mut Page,
    record: &Record,
    experiment: &ExperimentRecord,
    publication: &Publication,
    tables: &[&Comparison],
) {
    let in_a_table = |figure: &Figure| {
        tables.iter().any(|comparison| comparison.variants.iter().any(|v| has_a_place(figure, v)))
    };
    let mut subjects: Vec<(String, Vec<&Figure>)> = Vec::new();
    for figure in publication.figures.iter().filter(|figure| !in_a_table(figure)) {
        let subject = subject(figure);
        match subjects.iter_mut().find(|(known, _)| *known == subject) {
            Some((_, figures)) => figures.push(figure),
            None => subjects.push((subject, vec![figure])),
        }
    }
    let cannot_be = |figure: &Figure| impossible(floors(record)?, &experiment.comparisons, figure);
    for (subject, figures) in subjects {
        let each = |figure: &&Figure| {
            let mark = if cannot_be(figure).is_some() { format!(" {IMPOSSIBLE}") } else { String::new() };
            format!("{}{mark}", phrase(&experiment.comparisons, figure))
        };
        let each: Vec<_> = figures.iter().map(each).collect();
        let subject = if subject.is_empty() { String::new() } else { format!("{subject}: ") };
        page.hanging("  ", 4, Ink::Plain, &format!("{subject}{}", each.join("; ")));
        for figure in figures {
            if let Some(bound) = cannot_be(figure) {
                page.hanging("    ", 6, Ink::Plain, &format!("{IMPOSSIBLE} {}", refutation(figure, &bound)));
            }
        }
    }
}

fn claims(page: &mut Page, publication: &Publication) {
    if publication.claims.is_empty() {
        return;
    }
    let quoted: Vec<_> = publication.claims.iter().map(|claim| format!("\"{claim}\"")).collect();
    page.hanging("  ", 4, Ink::Plain, &format!("claims, quoted and not judged: {}", quoted.join("; ")));
}
