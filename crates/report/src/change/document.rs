//! A change as a document: the verdict, then each command with what changed.

use super::sentence;
use crate::audit::budgets;
use crate::document::{
    Block, Cell, Column, ColumnKind, Document, Fact, Fold, Item, Note, Prose, Row, Section, Span, Table, Tone,
};
use crate::quantity::{capitalized, signed_time, things};
use fathom_audit::{BudgetVerdict, CallChange, ChangeReport, ChangeVerdict, CommandChange};

/// Lines of findings and the like that a comment shows of one command are these times its rows.
const LIST_MIN: usize = 4;

/// The document, with at most so many rows of each table and so many commands.
pub(super) fn document(report: &ChangeReport, rows: usize, commands: usize) -> Document {
    let day = report.created.split('T').next().unwrap_or_default();
    let (told, same): (Vec<_>, Vec<_>) = report.commands.iter().partition(|command| is_told(command));
    let shown = told.len().min(commands);
    let mut sections: Vec<Section> = (1..)
        .zip(&told[..shown])
        .map(|(number, command)| {
            section(command, &format!("command-{number}"), rows, report.commands.len() > 1)
        })
        .collect();
    if shown < told.len() {
        let more = things((told.len() - shown) as u64, "more command");
        sections.push(prose_section("more", "More", format!("{more} in the page.")));
    }
    if !same.is_empty() {
        sections.push(unchanged(&same, rows));
    }
    sections.push(about(report));
    Document {
        title: "System calls on the file path".to_owned(),
        subtitle: format!(
            "{} → {}, {day}, Fathom {}",
            sentence::side(&report.base),
            sentence::side(&report.head),
            report.fathom_version
        ),
        answer: vec![Prose(vec![Span::Strong(capitalized(&sentence::verdict(report)))])],
        lead: None,
        sections,
    }
}

/// True of a command that has something to tell.
fn is_told(command: &CommandChange) -> bool {
    let is_met = command.budgets.iter().all(|budget| budget.verdict == BudgetVerdict::Met);
    command.verdict != ChangeVerdict::Same || !command.findings.is_empty() || !is_met
}

fn prose_section(id: &str, title: &str, text: String) -> Section {
    Section {
        id: id.to_owned(),
        title: title.to_owned(),
        blocks: vec![Block::Prose(text.into())],
        ..Section::default()
    }
}

fn section(command: &CommandChange, id: &str, rows: usize, is_one_of_many: bool) -> Section {
    let mut blocks = Vec::new();
    if is_one_of_many {
        blocks.push(Block::Prose(sentence::of_command(command).into()));
    }
    for gap in &command.gaps {
        let prose = format!("on {}: {}", gap.side, gap.text).into();
        blocks.push(Block::Note(Note { tone: Tone::Bad, word: "not seen".to_owned(), prose }));
    }
    let changes = &command.calls.changes;
    if !changes.is_empty() {
        blocks.push(Block::Table(table(command, rows)));
        if changes.len() > rows {
            let more = things((changes.len() - rows) as u64, "more row");
            blocks.push(Block::Prose(format!("{more} in the page.").into()));
        }
    }
    let most = rows.max(LIST_MIN);
    list(&mut blocks, sentence::replacements(changes).into_iter().map(|text| (text, Tone::Plain)), most);
    list(&mut blocks, command.findings.iter().map(|row| (sentence::finding(row), Tone::Plain)), most);
    let of_budgets = command.budgets.iter().map(|outcome| {
        let tone = if outcome.verdict == BudgetVerdict::Met { Tone::Plain } else { Tone::Bad };
        (format!("budget {}: {}", budgets::verdict(outcome), budgets::sentence(outcome)), tone)
    });
    list(&mut blocks, of_budgets, most);
    list(&mut blocks, command.notes.iter().map(|note| (format!("note: {note}"), Tone::Plain)), most);
    Section { id: id.to_owned(), title: super::short(&command.name), blocks, ..Section::default() }
}

fn list(blocks: &mut Vec<Block>, items: impl Iterator<Item = (String, Tone)>, most: usize) {
    let mut items: Vec<_> = items.map(|(text, tone)| Item { depth: 0, tone, prose: text.into() }).collect();
    let more = items.len().saturating_sub(most);
    items.truncate(most);
    if more > 0 {
        let text = format!("{} in the page", things(more as u64, "more line"));
        items.push(Item { depth: 0, tone: Tone::Faint, prose: text.into() });
    }
    if !items.is_empty() {
        blocks.push(Block::List(items));
    }
}

fn table(command: &CommandChange, rows: usize) -> Table {
    let changes = &command.calls.changes;
    let has_lines = changes.iter().any(|row| row.line.is_some());
    let mut columns = vec![
        Column::new("call", ColumnKind::Name),
        Column::new("path class", ColumnKind::Words),
        Column::new("owner", ColumnKind::Words),
    ];
    if has_lines {
        columns.push(Column::new("line", ColumnKind::Words));
    }
    columns.extend([
        Column::new("base → head", ColumnKind::Words),
        Column::new("unit cost", ColumnKind::Figure),
        Column::new("total", ColumnKind::Figure),
    ]);
    let row = |row: &CallChange| {
        let mut cells = vec![
            Cell::words(Prose::code(&sentence::call(row))),
            Cell::words(Prose::code(&sentence::path(row))),
            Cell::words(sentence::owner(row)),
        ];
        if has_lines {
            let is_known = row.line.is_some();
            let line = sentence::line_or_not_known(row);
            cells.push(Cell::words(if is_known { Prose::code(&line) } else { Prose::from(line.as_str()) }));
        }
        let total = row.total_ns.map_or_else(|| "no price".to_owned(), signed_time);
        cells.extend([
            Cell::words(sentence::range_change(row)),
            Cell::figure(sentence::unit_cost(row), row.unit_ns),
            Cell::figure(total, row.total_ns),
        ]);
        Row { cells, ..Row::default() }
    };
    Table {
        caption: sentence::runs(command).into(),
        columns,
        rows: changes.iter().take(rows).map(row).collect(),
        interactive: changes.len() > 4,
    }
}

/// Commands that did not change, behind a fold.
fn unchanged(same: &[&CommandChange], rows: usize) -> Section {
    let line = |command: &&CommandChange| {
        let mut parts = vec![format!("{}: {}", super::short(&command.name), sentence::runs(command))];
        if !command.budgets.is_empty() {
            parts.push(format!("{} met", things(command.budgets.len() as u64, "budget")));
        }
        parts.extend(command.notes.iter().cloned());
        (parts.join("; "), Tone::Plain)
    };
    let mut blocks = Vec::new();
    list(&mut blocks, same.iter().map(line), rows.max(LIST_MIN));
    let summary = format!("{} without a change", things(same.len() as u64, "command"));
    Section {
        id: "unchanged".to_owned(),
        title: "Unchanged".to_owned(),
        blocks: vec![Block::Fold(Fold { summary: summary.into(), open: false, blocks })],
        ..Section::default()
    }
}

fn about(report: &ChangeReport) -> Section {
    let fact = |label: &str, text: &str| Fact { label: label.to_owned(), prose: text.into() };
    let mut facts = vec![fact("prices", &report.prices)];
    let captures: std::collections::BTreeSet<_> =
        report.commands.iter().filter_map(|command| command.capture.as_deref()).collect();
    facts.extend(captures.into_iter().map(|capture| fact("captured", capture)));
    facts.push(fact(
        "a change",
        "is a count whose ranges over the runs of both sides do not touch; temporary names, process ids, \
         hashes and the sides' directories are left out of paths",
    ));
    facts.extend(sentence::next(report).map(|next| fact("next", &next)));
    facts.extend(report.redacted.as_deref().map(|redacted| fact("redacted", redacted)));
    Section {
        id: "about".to_owned(),
        title: "How it was compared".to_owned(),
        blocks: vec![Block::Fold(Fold {
            summary: "prices, capture, what counts as a change, what to do next".into(),
            open: false,
            blocks: vec![Block::Facts(facts)],
        })],
        ..Section::default()
    }
}
