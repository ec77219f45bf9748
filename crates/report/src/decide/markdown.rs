//! Answers and the matrix as a Markdown table, for a README.

use super::caveats::{excluded, gather, in_words};
use super::row::{Figure, Row, heading};
use super::sentence;
use crate::visible::visible;
use fathom_stats::{Caveat, DecidedRecord, Decision, DecisionCell, DecisionMatrix};
use std::fmt::Write;

/// The answer to a question as Markdown. Pure.
pub fn decision_markdown(decision: &Decision) -> String {
    let mut text = format!("**{}**\n", plain(&sentence::headline(decision)));
    if sentence::are_told_each(decision) {
        text.push('\n');
        for answer in &decision.answers {
            let _infallible = writeln!(text, "- {}", plain(&sentence::answer(answer, decision)));
        }
    }
    let cells: Vec<&DecisionCell> = decision.answers.iter().flat_map(|answer| &answer.cells).collect();
    let own = decision.answers.iter().flat_map(|answer| {
        answer.caveats.iter().map(move |caveat| (caveat, super::row::label(&answer.conditions)))
    });
    body(&mut text, &cells, own, decision.answers.len(), &decision.records);
    text
}

/// The matrix as Markdown. Pure.
pub fn decision_matrix_markdown(matrix: &DecisionMatrix) -> String {
    let mut text = plain(&sentence::of_matrix(matrix)) + "\n";
    let cells: Vec<&DecisionCell> = matrix.cells.iter().collect();
    body(&mut text, &cells, std::iter::empty(), cells.len(), &matrix.records);
    text
}

fn body<'a>(
    text: &mut String,
    cells: &[&'a DecisionCell],
    own: impl Iterator<Item = (&'a Caveat, String)>,
    all: usize,
    records: &[DecidedRecord],
) {
    for group in cells.chunk_by(|a, b| heading(&a.conditions) == heading(&b.conditions)) {
        let _infallible = writeln!(
            text,
            "\n{}\n\n| language | size | cache | use | {} |\n|---|--:|---|---|--:|--:|--:|---|",
            plain(&heading(&group[0].conditions)),
            Figure::ALL.map(Figure::heading).join(" | "),
        );
        for row in group.iter().map(|cell| Row::of(cell)) {
            let cells = [&row.language, &row.size, &row.cache].map(|cell| plain(cell)).join(" | ");
            let method = row.method.replace('`', "'").replace('|', "\\|");
            let figures = Figure::ALL.map(|figure| row.figure(figure).text.as_str()).join(" | ");
            let _infallible = writeln!(text, "| {cells} | `{method}` | {figures} |");
        }
    }
    text.push('\n');
    for told in gather(cells, own) {
        let _infallible = writeln!(text, "- {}", plain(&in_words(&told, all)));
    }
    for line in excluded(cells) {
        let _infallible = writeln!(text, "- never: {}", plain(&line));
    }
    let from = records.iter().filter(|record| record.cells > 0);
    let from: Vec<String> = from
        .map(|record| {
            let cpu = record.cpu_model.as_ref().map(|cpu| format!(", {cpu}")).unwrap_or_default();
            format!("{} (Fathom {}, Linux {}{cpu})", record.created, record.fathom_version, record.kernel)
        })
        .collect();
    let _infallible = writeln!(text, "\nMeasured {}.", plain(&from.join("; ")));
}

/// The text on one line, without what Markdown or a table would take for its own.
fn plain(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    visible(&line).replace('|', "\\|").replace('<', "&lt;").replace('*', "\\*")
}
