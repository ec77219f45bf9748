//! Which commit changed a count: text and Markdown.

use crate::change::sentence;
use crate::columns::{Column, lines};
use crate::document::{
    Block, Cell, Column as TableColumn, ColumnKind, Document, Fact, Item, Prose, Row, Section, Span, Table,
    Tone,
};
use crate::markdown::{self, Purpose};
use crate::options::TextOptions;
use crate::page::{Ink, Page};
use crate::quantity::{nearly_whole, things};
use crate::wrap::elide;
use fathom_audit::{Bisection, BisectionEnd, BisectionOutcome, CallChange, Commit, FoundCommit, StepSide};

/// Rows of calls, of steps and of notes in brief.
const ROWS_IN_BRIEF: usize = 6;
const NOTES_IN_BRIEF: usize = 3;
/// Columns of a path in the text.
const PATH_COLUMNS: usize = 40;

/// As text. Pure.
pub fn render_bisection(bisection: &Bisection, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    page.paragraph(0, Ink::Heading, &verdict(bisection));
    page.blank();
    if let BisectionOutcome::Found(found) = &bisection.outcome {
        for (label, text) in facts(bisection, found) {
            page.fact(label, &text);
        }
        let all = &found.calls.changes;
        let rows = if page.is_full() { all.len() } else { all.len().min(ROWS_IN_BRIEF) };
        calls(&mut page, &all[..rows]);
        if rows < all.len() {
            page.paragraph(
                1,
                Ink::Faint,
                &format!("and {}: --full", things((all.len() - rows) as u64, "more row")),
            );
        }
        for pair in sentence::replacements(all).iter().take(rows) {
            page.paragraph(2, Ink::Plain, pair);
        }
    }
    if let BisectionOutcome::Among(commits) = &bisection.outcome {
        let shown = if page.is_full() { commits.len() } else { commits.len().min(ROWS_IN_BRIEF) };
        for commit in &commits[..shown] {
            page.paragraph(2, Ink::Plain, &named(commit));
        }
        if shown < commits.len() {
            let more = things((commits.len() - shown) as u64, "more commit");
            page.paragraph(1, Ink::Faint, &format!("and {more}: --full"));
        }
    }
    page.fact("search", &search(bisection));
    page.fact("ends", &format!("{}; {}", end(bisection, &bisection.good), end(bisection, &bisection.bad)));
    let skipped = skipped(bisection);
    let shown = if page.is_full() { skipped.len() } else { skipped.len().min(NOTES_IN_BRIEF) };
    for line in &skipped[..shown] {
        page.paragraph(2, Ink::Plain, line);
    }
    if page.is_full() {
        for step in bisection.steps.iter().filter(|step| !matches!(step.side, StepSide::Skipped(_))) {
            let word = if step.side == StepSide::Good { "as --good" } else { "not as --good" };
            let values = values(bisection, &step.values);
            page.paragraph(2, Ink::Plain, &format!("{}: {values}, {word}", named(&step.commit)));
        }
    } else if shown < skipped.len() {
        page.paragraph(1, Ink::Faint, &format!("and {} skipped: --full", skipped.len() - shown));
    }
    let notes = if page.is_full() { bisection.notes.len() } else { NOTES_IN_BRIEF };
    for note in bisection.notes.iter().take(notes) {
        page.paragraph(2, Ink::Plain, &format!("note: {note}"));
    }
    page.fact("next", &next(bisection));
    page.finish()
}

fn calls(page: &mut Page, changes: &[CallChange]) {
    if changes.is_empty() {
        return;
    }
    let column = |cell: &dyn Fn(&CallChange) -> String| changes.iter().map(cell).collect::<Vec<_>>();
    let mut table = vec![
        Column::beside("call", column(&sentence::call)),
        Column::beside("path", column(&|row| elide(&sentence::path(row), PATH_COLUMNS))),
        Column::beside("owner", column(&sentence::owner)),
        Column::right("before → after", column(&sentence::range_change)),
    ];
    if changes.iter().any(|row| row.line.is_some()) {
        table.push(Column::beside("line", column(&|row| sentence::line(row).unwrap_or_default())));
    }
    for (number, line) in lines(&table).iter().enumerate() {
        page.row(line.trim_end(), "", if number == 0 { Ink::Faint } else { Ink::Plain });
    }
}

/// For a comment. Pure.
pub fn bisection_markdown(bisection: &Bisection) -> String {
    markdown::render(&document(bisection), Purpose::Comment)
}

fn document(bisection: &Bisection) -> Document {
    let mut blocks = Vec::new();
    let fact = |label: &str, text: String| Fact { label: label.to_owned(), prose: text.into() };
    if let BisectionOutcome::Found(found) = &bisection.outcome {
        let facts = facts(bisection, found).into_iter().map(|(label, text)| fact(label, text)).collect();
        blocks.push(Block::Facts(facts));
        if !found.calls.changes.is_empty() {
            blocks.push(Block::Table(table(found)));
        }
    }
    let item = |text: String| Item { depth: 0, tone: Tone::Plain, prose: text.into() };
    let mut items = Vec::new();
    if let BisectionOutcome::Among(commits) = &bisection.outcome {
        items.extend(commits.iter().map(|commit| item(named(commit))));
    }
    items.extend(skipped(bisection).into_iter().map(item));
    items.extend(bisection.notes.iter().map(|note| item(format!("note: {note}"))));
    if !items.is_empty() {
        blocks.push(Block::List(items));
    }
    blocks.push(Block::Facts(vec![
        fact("search", search(bisection)),
        fact("ends", format!("{}; {}", end(bisection, &bisection.good), end(bisection, &bisection.bad))),
        fact("next", next(bisection)),
    ]));
    let day = bisection.created.split('T').next().unwrap_or_default();
    Document {
        title: format!("Which commit changed {}", bisection.question),
        subtitle: format!("{day}, Fathom {}", bisection.fathom_version),
        answer: vec![Prose(vec![Span::Strong(verdict(bisection))])],
        lead: None,
        sections: vec![Section {
            id: "found".to_owned(),
            title: "What was found".to_owned(),
            blocks,
            ..Section::default()
        }],
    }
}

fn table(found: &FoundCommit) -> Table {
    let has_lines = found.calls.changes.iter().any(|row| row.line.is_some());
    let mut columns = vec![
        TableColumn::new("call", ColumnKind::Name),
        TableColumn::new("path class", ColumnKind::Words),
        TableColumn::new("owner", ColumnKind::Words),
        TableColumn::new("before → after", ColumnKind::Words),
    ];
    if has_lines {
        columns.push(TableColumn::new("line", ColumnKind::Words));
    }
    let row = |row: &CallChange| {
        let mut cells = vec![
            Cell::words(Prose::code(&sentence::call(row))),
            Cell::words(Prose::code(&sentence::path(row))),
            Cell::words(sentence::owner(row)),
            Cell::words(sentence::range_change(row)),
        ];
        if has_lines {
            cells.push(Cell::words(sentence::line(row).unwrap_or_else(|| "not known".to_owned())));
        }
        Row { cells, ..Row::default() }
    };
    Table {
        caption: format!("All calls that differ between {} and its parent", found.commit.short()).into(),
        columns,
        rows: found.calls.changes.iter().map(row).collect(),
        interactive: false,
    }
}

/// Everything in one line.
fn verdict(bisection: &Bisection) -> String {
    let question = &bisection.question;
    match &bisection.outcome {
        BisectionOutcome::Found(found) => {
            let (before, after) = (values(bisection, &found.parent_values), values(bisection, &found.values));
            let commit = found.commit.short();
            if bisection.is_budget {
                format!("{commit} is the first that does not meet `{question}`: {before} → {after}")
            } else {
                format!("{commit} changed {question}: {before} → {after}")
            }
        }
        BisectionOutcome::Among(commits) if commits.len() == 1 => {
            format!("{} is the first that differs, and its parents could not be compared", commits[0].short())
        }
        BisectionOutcome::Among(commits) => format!(
            "one of {} changed {question}: those between them could not be measured",
            things(commits.len() as u64, "commit")
        ),
        BisectionOutcome::NotFound(reason) => format!("nothing to find: {reason}"),
    }
}

fn facts(bisection: &Bisection, found: &FoundCommit) -> Vec<(&'static str, String)> {
    let FoundCommit { commit, parent, .. } = found;
    vec![
        ("commit", commit.id.clone()),
        ("author", format!("{}, {}", commit.author, commit.committed)),
        ("subject", commit.subject.clone()),
        ("before", format!("{} at its parent {}", values(bisection, &found.parent_values), parent.short())),
        ("after", values(bisection, &found.values)),
    ]
}

/// `4 calls`, `3 to 7 calls`.
fn values(bisection: &Bisection, values: &[f64]) -> String {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if values.is_empty() {
        return "not measured".to_owned();
    }
    let unit = &bisection.unit;
    if nearly_whole(low) == nearly_whole(high) {
        let unit = if nearly_whole(low) == "1" { unit.strip_suffix('s').unwrap_or(unit) } else { unit };
        return format!("{} {unit}", nearly_whole(low));
    }
    format!("{} to {} {unit}", nearly_whole(low), nearly_whole(high))
}

fn end(bisection: &Bisection, end: &BisectionEnd) -> String {
    let runs = things(end.values.len() as u64, "run");
    format!("{} ({}): {} in {runs}", end.name, end.commit.short(), values(bisection, &end.values))
}

fn search(bisection: &Bisection) -> String {
    let commits = things(bisection.commits, "commit");
    if matches!(bisection.outcome, BisectionOutcome::NotFound(_)) {
        return format!("{commits}; no step was taken");
    }
    let runs = things(u64::from(bisection.runs_per_step), "run");
    format!(
        "{commits}, {} (at most {} without a skip), {runs} each",
        things(bisection.steps.len() as u64, "step"),
        bisection.steps_at_most
    )
}

fn skipped(bisection: &Bisection) -> Vec<String> {
    let of = |step: &fathom_audit::BisectionStep| match &step.side {
        StepSide::Skipped(reason) => Some(format!("skipped {}: {reason}", named(&step.commit))),
        StepSide::Good | StepSide::Bad => None,
    };
    bisection.steps.iter().filter_map(of).collect()
}

fn named(commit: &Commit) -> String {
    format!("{} {} ({})", commit.short(), commit.subject, commit.author)
}

/// What to do now.
fn next(bisection: &Bisection) -> String {
    let command = shell_words::join(&bisection.command);
    match &bisection.outcome {
        BisectionOutcome::Found(found) => {
            let id = found.commit.short();
            let has_lines = found.calls.changes.iter().any(|row| row.line.is_some());
            let more = if has_lines {
                String::new()
            } else {
                format!(
                    "; fathom ci --base {} --head {id} --stacks -- {command} names the lines of your code (build with -g)",
                    found.parent.short()
                )
            };
            format!("git show {id}{more}")
        }
        BisectionOutcome::Among(_) => {
            "mend what keeps these commits from being measured (--build, --setup), or read them: git show COMMIT"
                .to_owned()
        }
        BisectionOutcome::NotFound(_) => format!(
            "fathom ci --base {} --head {} -- {command} shows every call that differs between the ends",
            bisection.good.name, bisection.bad.name
        ),
    }
}

#[cfg(test)]
mod tests;
