//! Verified write-ups as text: the tally of each, and one table at the end.

use super::{VerifiedStatement, VerifiedWriteUp, VerifiedWriteUps};
use crate::options::TextOptions;
use crate::page::{Ink, Page};
use crate::quantity::{number, things};
use crate::verdicts::render_verdicts;
use crate::wrap::{width, wrap};

/// Columns between two cells.
const GAP: usize = 2;
/// Columns of the verdict: those of `inconclusive`.
const VERDICT_WIDTH: usize = 12;
const HEADINGS: [&str; 4] = ["claimed", "found here", "verdict", "why"];

/// Renders verified write-ups for a terminal, with what stands behind each claim where
/// `evidence` is asked for. Pure.
pub fn render_write_ups(verified: &VerifiedWriteUps, evidence: bool, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    for write_up in &verified.write_ups {
        page.hanging("", 2, Ink::Heading, &format!("{}: {}", write_up.name, write_up.tally()));
    }
    let shared = verified.judgement.shared_among;
    if shared > 0 {
        let said = format!(
            "All verdicts hold together with {} %: the error is shared among {} that are a matter of chance. \
             They speak of this machine and this session.",
            number(verified.judgement.confidence * 100.0, 0),
            things(shared, "comparison")
        );
        page.paragraph(0, Ink::Plain, &said);
    }
    let mut text = page.finish();
    if evidence {
        text.push('\n');
        text.push_str(&render_verdicts(&verified.judgement, options));
    }
    let mut page = Page::new(options);
    let widths = widths(page.width());
    page.row(&cells(HEADINGS, widths).concat(), "", Ink::Plain);
    for write_up in &verified.write_ups {
        table(&mut page, write_up, verified.write_ups.len() > 1, widths);
    }
    text + "\n" + &page.finish()
}

/// Columns of the four cells.
fn widths(all: usize) -> [usize; 4] {
    let room = all - VERDICT_WIDTH - 3 * GAP;
    let (claimed, found) = (room * 2 / 5, room * 27 / 100);
    [claimed, found, VERDICT_WIDTH, room - claimed - found]
}

fn table(page: &mut Page, write_up: &VerifiedWriteUp, is_named: bool, widths: [usize; 4]) {
    if is_named {
        page.blank();
        page.paragraph(0, Ink::Heading, &format!("{}: {}", write_up.name, write_up.title));
    }
    let mut section = None;
    for statement in &write_up.statements {
        page.blank();
        if section != Some(&statement.section) {
            page.paragraph(0, Ink::Heading, &statement.section);
            section = Some(&statement.section);
        }
        for line in lines(statement, widths) {
            page.row(&line, "", Ink::Plain);
        }
    }
}

fn lines(statement: &VerifiedStatement, widths: [usize; 4]) -> Vec<String> {
    let VerifiedStatement { says, found, verdict, why, .. } = statement;
    let found = if found.is_empty() { "–" } else { found.as_str() };
    cells([says, found, verdict.word(), why], widths)
}

/// The lines of one row; each cell is wrapped in its own column.
fn cells(texts: [&str; 4], widths: [usize; 4]) -> Vec<String> {
    let columns: Vec<Vec<String>> = texts
        .iter()
        .zip(widths)
        .map(|(text, room)| wrap(words(text).iter().map(String::as_str), " ", room))
        .collect();
    let height = columns.iter().map(Vec::len).max().unwrap_or(0);
    let line = |row: usize| {
        let padded = columns.iter().zip(widths).map(|(column, room)| {
            let text = column.get(row).map_or("", String::as_str);
            format!("{text}{}", " ".repeat((room + GAP).saturating_sub(width(text))))
        });
        padded.collect::<String>().trim_end().to_owned()
    };
    (0..height).map(line).collect()
}

/// Words at which a line may break: a number and its `%` are one.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match words.last_mut() {
            Some(last) if word.starts_with('%') => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}
