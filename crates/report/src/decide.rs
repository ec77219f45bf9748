//! Which method to use, as text and as Markdown: the answer in a sentence, then
//! the figures it rests on, then what it does not say.

mod brief;
pub(crate) mod caveats;
mod markdown;
pub(crate) mod row;
pub(crate) mod sentence;
mod table;
#[cfg(test)]
mod tests;

pub use markdown::{decision_markdown, decision_matrix_markdown};

use crate::options::TextOptions;
use crate::page::{Ink, Page};
use crate::quantity::things;
use fathom_stats::{DecidedRecord, Decision, DecisionCell, DecisionMatrix};

/// Renders the answer to a question for a terminal. Pure.
pub fn render_decision(decision: &Decision, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    if !page.is_full() {
        brief::decision(&mut page, decision);
        return page.finish();
    }
    page.paragraph(0, Ink::Heading, &sentence::headline(decision));
    if sentence::are_told_each(decision) {
        for answer in &decision.answers {
            page.hanging("- ", 2, Ink::Plain, &sentence::answer(answer, decision));
        }
    }
    let cells: Vec<&DecisionCell> = decision.answers.iter().flat_map(|answer| &answer.cells).collect();
    if decision.answers.len() == 1 {
        for cell in &cells {
            table::methods(&mut page, cell);
        }
    } else {
        table::cells(&mut page, &cells);
    }
    let own = decision
        .answers
        .iter()
        .flat_map(|answer| answer.caveats.iter().map(move |caveat| (caveat, row::label(&answer.conditions))));
    caveats::render(&mut page, &cells, own, decision.answers.len());
    for note in &decision.unanswered {
        page.hanging("  note: ", 8, Ink::Plain, note);
    }
    records(&mut page, &decision.records);
    page.finish()
}

/// Renders the matrix for a terminal. Pure.
pub fn render_decision_matrix(matrix: &DecisionMatrix, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    if !page.is_full() && !matrix.cells.is_empty() {
        brief::matrix(&mut page, matrix);
        return page.finish();
    }
    page.paragraph(0, Ink::Heading, &sentence::of_matrix(matrix));
    let cells: Vec<&DecisionCell> = matrix.cells.iter().collect();
    if !cells.is_empty() {
        table::cells(&mut page, &cells);
        caveats::render(&mut page, &cells, std::iter::empty(), cells.len());
    }
    records(&mut page, &matrix.records);
    page.finish()
}

fn records(page: &mut Page, records: &[DecidedRecord]) {
    page.blank();
    let silent = records.iter().filter(|record| record.cells == 0).count() as u64;
    for record in records.iter().filter(|record| record.cells > 0) {
        let DecidedRecord { name, created, kernel, cells, .. } = record;
        let incomplete = if record.complete { "" } else { ", INCOMPLETE" };
        let cells = things(*cells as u64, "cell");
        let text = format!("{name} ({created}, Linux {kernel}, {cells}{incomplete})");
        page.hanging("  from: ", 8, Ink::Faint, &text);
    }
    if silent > 0 {
        let text = format!("{} more with nothing to choose from", things(silent, "record"));
        page.hanging("  from: ", 8, Ink::Faint, &text);
    }
}
