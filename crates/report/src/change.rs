//! Commands on two sides of a change: text, a comment for a pull request, a page, CSV.

mod document;
pub(crate) mod sentence;

use crate::audit::budgets;
use crate::columns::{Column, lines};
use crate::document::Document;
use crate::export_error::ExportError;
use crate::html::{self, Attachment};
use crate::markdown::{self, Purpose};
use crate::options::TextOptions;
use crate::page::{Ink, Page};
use crate::quantity::{signed_time, things};
use crate::report::{ReportError, packed_json};
use crate::wrap::{elide, shorten};
use fathom_audit::{BudgetOutcome, BudgetVerdict, CallChange, ChangeReport, ChangeVerdict, CommandChange};
use sentence::{call, owner, range_change, unit_cost};

/// By this a bot finds its comment again.
const MARKER: &str = "<!-- fathom ci -->";
/// Hosts of code refuse longer comments.
const COMMENT_MAX_CHARS: usize = 65_536;
/// What surrounds a comment that a bot posts.
const COMMENT_ROOM_CHARS: usize = 1_024;
/// Rows of a table in a comment, tried from the most to the least.
const ROWS: [usize; 6] = [200, 100, 50, 20, 8, 2];
/// Commands in a comment, tried likewise.
const COMMANDS: [usize; 4] = [200, 50, 10, 2];
/// Lines of the text in brief, and of those what is kept for the end.
const LINES: usize = 25;
/// Rows of a table in brief.
const ROWS_IN_BRIEF: usize = 10;
/// Columns of a path in the text.
const PATH_COLUMNS: usize = 40;

/// As text. Pure.
pub fn render_change_report(report: &ChangeReport, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    page.paragraph(0, Ink::Heading, &sentence::verdict(report));
    page.blank();
    page.fact("base", &sentence::side(&report.base));
    page.fact("head", &sentence::side(&report.head));
    if page.is_full() {
        page.fact("prices", &report.prices);
    }
    let mut end = Page::new(options);
    if let Some(search) = sentence::search(report) {
        end.fact("next", &search);
    }
    for command in &report.commands {
        let mut part = Page::new(options);
        if report.commands.len() > 1 {
            page.blank();
            let ink = match command.verdict {
                ChangeVerdict::Same => Ink::Plain,
                ChangeVerdict::Changed | ChangeVerdict::NotKnown(_) => Ink::Heading,
            };
            part.paragraph(0, ink, &sentence::of_command(command));
        }
        text_of(&mut part, command);
        let most = if page.is_full() {
            usize::MAX
        } else {
            // Every command that differs has its line above.
            (LINES - 1).saturating_sub(page.line_count() + end.line_count())
        };
        if most < 3 {
            page.row("", "    … more commands: --full", Ink::Faint);
            break;
        }
        page.append(&part, most);
    }
    page.append(&end, usize::MAX);
    page.finish()
}

fn text_of(page: &mut Page, command: &CommandChange) {
    page.paragraph(2, Ink::Faint, &sentence::runs(command));
    // What fails is not to be cut.
    let (met, not_met): (Vec<_>, Vec<_>) =
        command.budgets.iter().partition(|outcome| outcome.verdict == BudgetVerdict::Met);
    budgets_of(page, &not_met);
    let all = &command.calls.changes;
    let rows = if page.is_full() { all.len() } else { all.len().min(ROWS_IN_BRIEF) };
    let changes = &all[..rows];
    if !changes.is_empty() {
        let column = |cell: &dyn Fn(&CallChange) -> String| changes.iter().map(cell).collect::<Vec<_>>();
        let mut table = vec![
            Column::beside("call", column(&call)),
            Column::beside("path", column(&|row| elide(&sentence::path(row), PATH_COLUMNS))),
            Column::beside("owner", column(&owner)),
            Column::right("base → head", column(&range_change)),
        ];
        if changes.iter().any(|row| row.unit_ns.is_some()) {
            table.push(Column::right("each", column(&unit_cost)));
            table
                .push(Column::right("total", column(&|row| row.total_ns.map_or_else(no_price, signed_time))));
        }
        if changes.iter().any(|row| row.line.is_some()) {
            table.push(Column::beside("line", column(&|row| sentence::line_or_not_known(row))));
        }
        for (number, line) in lines(&table).iter().enumerate() {
            page.row(line.trim_end(), "", if number == 0 { Ink::Faint } else { Ink::Plain });
        }
    }
    if rows < all.len() {
        let more = things((all.len() - rows) as u64, "more row");
        page.paragraph(1, Ink::Faint, &format!("and {more}: --full"));
    }
    for pair in sentence::replacements(all) {
        page.paragraph(2, Ink::Plain, &pair);
    }
    for finding in &command.findings {
        page.paragraph(2, Ink::Plain, &sentence::finding(finding));
    }
    budgets_of(page, &met);
    for gap in &command.gaps {
        page.paragraph(2, Ink::Bad, &format!("not seen on {}: {}", gap.side, gap.text));
    }
    for note in &command.notes {
        page.paragraph(2, Ink::Plain, &format!("note: {note}"));
    }
}

fn budgets_of(page: &mut Page, outcomes: &[&BudgetOutcome]) {
    for outcome in outcomes {
        let ink = if outcome.verdict == BudgetVerdict::Met { Ink::Plain } else { Ink::Bad };
        let sentence = format!("{}: {}", budgets::verdict(outcome), budgets::sentence(outcome));
        page.paragraph(2, ink, &sentence);
    }
}

fn no_price() -> String {
    "-".to_owned()
}

/// As a comment for a pull request, at most 65,536 characters with what a bot may add. Its first line
/// is the marker by which the comment is found again. Pure.
pub fn change_markdown(report: &ChangeReport) -> String {
    within(report, COMMENT_MAX_CHARS - COMMENT_ROOM_CHARS)
}

fn within(report: &ChangeReport, chars_max: usize) -> String {
    let mut text = String::new();
    for commands in COMMANDS {
        for rows in ROWS {
            let document = document::document(report, rows, commands);
            text = format!("{MARKER}\n{}", markdown::render(&document, Purpose::Comment));
            if text.chars().count() <= chars_max {
                return text;
            }
        }
    }
    // Names alone can be that long.
    let cut: String = text.chars().take(chars_max.saturating_sub(80)).collect();
    let whole = cut.rsplit_once("\n\n").map_or(cut.as_str(), |(whole, _)| whole);
    format!("{whole}\n\nThe rest has no room in a comment; the page has it.\n")
}

/// As one page that needs nothing else, with everything inside. Pure.
///
/// # Errors
///
/// Those of compressing what is inside.
pub fn change_html(report: &ChangeReport) -> Result<String, ReportError> {
    let document: Document = document::document(report, usize::MAX, usize::MAX);
    let attachment: Attachment = packed_json("change-report.json", "the whole comparison", report)?;
    Ok(html::render(&document, &[attachment]))
}

/// What changed as CSV: a row for each class of calls. Pure.
///
/// # Errors
///
/// Those of writing CSV.
pub fn change_csv(report: &ChangeReport) -> Result<String, ExportError> {
    let header = [
        "command",
        "call",
        "target",
        "outcome",
        "path",
        "paths",
        "owner",
        "program",
        "function",
        "file",
        "line",
        "base_low",
        "base_high",
        "head_low",
        "head_high",
        "unit_ns",
        "total_ns",
    ];
    let rows = report.commands.iter().flat_map(|command| {
        command.calls.changes.iter().map(|row| {
            let line = row.line.as_ref();
            let ns = |ns: Option<f64>| ns.map(|ns| ns.to_string()).unwrap_or_default();
            vec![
                command.name.clone(),
                row.class.call.clone(),
                sentence::target(row.class.target).to_owned(),
                sentence::outcome(&row.class.outcome),
                row.class.path.clone(),
                row.paths.to_string(),
                sentence::owner_word(row.class.owner).to_owned(),
                row.class.program.clone(),
                line.and_then(|line| line.function.clone()).unwrap_or_default(),
                line.and_then(|line| line.file.clone()).unwrap_or_default(),
                line.and_then(|line| line.line).map(|line| line.to_string()).unwrap_or_default(),
                row.base.low.to_string(),
                row.base.high.to_string(),
                row.head.low.to_string(),
                row.head.high.to_string(),
                ns(row.unit_ns),
                ns(row.total_ns),
            ]
        })
    });
    crate::table_text::csv(&header, rows)
}

/// A long name on one line.
fn short(name: &str) -> String {
    const COLUMNS: usize = 60;
    shorten(name, COLUMNS)
}

#[cfg(test)]
mod tests;
