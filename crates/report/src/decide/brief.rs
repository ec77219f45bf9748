//! The answer alone, in at most 25 lines: what to use for each case, what has to be said with it, and
//! how much more there is.

use super::row::{Figure, Row, label};
use super::{caveats, sentence, table};
use crate::page::{Ink, Page};
use crate::quantity::things;
use crate::written::ratio;
use fathom_stats::{Caveat, Decision, DecisionAnswer, DecisionCell, DecisionMatrix};
use std::collections::BTreeMap;

/// Caveats that an answer may not be read without.
const TURNING: [&str; 5] =
    ["extrapolated", "not-beside", "disagreement", "cache-unproven", "incomplete-record"];
/// Rows that the table may have.
const MOST_ROWS: usize = 14;

/// The answers to a question.
pub(super) fn decision(page: &mut Page, decision: &Decision) {
    let cells: Vec<&DecisionCell> = decision.answers.iter().flat_map(|answer| &answer.cells).collect();
    foreign(page, &cells);
    page.paragraph(0, Ink::Heading, &sentence::headline(decision));
    match decision.answers.as_slice() {
        [_] => {
            let [cell, ..] = cells.as_slice() else { return };
            table::methods(page, cell);
        }
        several if sentence::are_told_each(decision) => {
            page.blank();
            for answer in several {
                page.hanging("- ", 2, Ink::Plain, &in_short(answer, decision));
            }
        }
        _ => rows(page, &cells),
    }
    let own = decision.answers.iter().flat_map(|answer| &answer.caveats);
    ending(page, &cells, own, decision.unanswered.len());
}

/// The matrix.
pub(super) fn matrix(page: &mut Page, matrix: &DecisionMatrix) {
    let cells: Vec<&DecisionCell> = matrix.cells.iter().collect();
    foreign(page, &cells);
    page.paragraph(0, Ink::Heading, &sentence::of_matrix(matrix));
    rows(page, &cells);
    ending(page, &cells, std::iter::empty(), 0);
}

/// Records of elsewhere answer for elsewhere: said before the answer.
fn foreign(page: &mut Page, cells: &[&DecisionCell]) {
    let found = cells.iter().flat_map(|cell| &cell.caveats).find(|caveat| caveat.code == "foreign-record");
    if let Some(caveat) = found {
        page.paragraph(0, Ink::Bad, &format!("Not for this machine as it is: {}.", caveat.text));
    }
}

/// `Go: syscall.Open+Pread. os.ReadFile takes 2.01 [1.93, 2.11] times as long at 4 KiB. Tied: …`
fn in_short(answer: &DecisionAnswer, decision: &Decision) -> String {
    let at = sentence::at(answer, decision);
    let Some(advised) = &answer.advised else { return format!("{at}: {}", sentence::open(answer)) };
    let size = |cell: &DecisionCell| match cell.conditions.size_bytes {
        Some(bytes) if answer.cells.len() > 1 => format!(" at {}", crate::quantity::bytes(bytes)),
        _ => String::new(),
    };
    let speaking: Vec<_> =
        answer.cells.iter().filter(|cell| cell.advised.as_ref() == Some(advised)).collect();
    let usual = speaking.iter().filter_map(|cell| {
        let usual = cell.usual.as_ref()?;
        Some((
            &usual.method.name,
            format!("{} times as long{}", ratio(usual.ratio.as_ref()?).phrase(), size(cell)),
        ))
    });
    let usual: Vec<_> = usual.collect();
    let gain = match usual.first() {
        Some((name, _)) => {
            let times: Vec<_> = usual.iter().map(|(_, times)| times.as_str()).collect();
            format!(" The usual {name} takes {}.", times.join(", "))
        }
        None if speaking.iter().any(|cell| cell.usual.is_some()) => " It is the usual way.".to_owned(),
        None => String::new(),
    };
    format!("{at}: {}.{gain}{}", advised.name, sentence::tied(&answer.cells, &advised.name))
}

/// Decided cells in a table, the others in a line.
fn rows(page: &mut Page, cells: &[&DecisionCell]) {
    let (decided, open): (Vec<&DecisionCell>, Vec<&DecisionCell>) =
        cells.iter().partition(|cell| cell.advised.is_some());
    if !decided.is_empty() {
        let shown = decided.len().min(MOST_ROWS);
        table::groups(page, &decided[..shown]);
        if decided.len() > shown {
            page.paragraph(2, Ink::Plain, &format!("and {} more", decided.len() - shown));
        }
    }
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for cell in open {
        let sure = Row::of(cell).figure(Figure::Sure).text.clone();
        reasons.entry(sure).or_default().push(label(&cell.conditions));
    }
    if !reasons.is_empty() {
        page.blank();
    }
    for (reason, of) in reasons {
        let shown = of.iter().take(3).cloned().collect::<Vec<_>>().join("; ");
        let more = if of.len() > 3 { format!("; {} more", of.len() - 3) } else { String::new() };
        page.hanging("  ", 4, Ink::Plain, &format!("not decided ({reason}): {shown}{more}"));
    }
}

/// What has to be said with the methods that are named, and how much more there is.
fn ending<'a>(
    page: &mut Page,
    cells: &[&'a DecisionCell],
    own: impl Iterator<Item = &'a Caveat>,
    unanswered: usize,
) {
    let mut beside: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    // A single answer has said it already.
    for cell in cells.iter().filter(|_| cells.len() > 1) {
        let Some(advised) = &cell.advised else { continue };
        let named = format!("{} {}", cell.conditions.title, advised.name);
        for caveat in &cell.beside {
            let methods = beside.entry(caveat.words()).or_default();
            if !methods.contains(&named) {
                methods.push(named.clone());
            }
        }
    }
    page.blank();
    for (words, methods) in beside {
        let shown = methods.iter().take(4).cloned().collect::<Vec<_>>().join(", ");
        let more = if methods.len() > 4 { format!(" and {} more", methods.len() - 4) } else { String::new() };
        page.hanging("  ", 4, Ink::Plain, &format!("{shown}{more}: {words}"));
    }
    let caveats = caveats::gather(cells, own.map(|caveat| (caveat, String::new())));
    for told in caveats.iter().filter(|told| TURNING.contains(&told.caveat.code.as_str())).take(3) {
        page.hanging("  ", 4, Ink::Plain, &caveats::in_words(told, cells.len()));
    }
    let never = caveats::excluded(cells).len();
    let parts = [
        things(caveats.len() as u64, "caveat"),
        things(never as u64, "method") + " never advised",
        things(unanswered as u64, "note"),
    ];
    let more: Vec<String> = parts.into_iter().filter(|part| !part.starts_with("0 ")).collect();
    let more =
        if more.is_empty() { "the figures".to_owned() } else { format!("the figures, {}", more.join(", ")) };
    page.hanging("  ", 4, Ink::Faint, &format!("--full: {more}"));
    let mut from: Vec<String> =
        cells.iter().map(|cell| format!("{} ({})", cell.source.record, cell.source.created)).collect();
    from.sort_unstable();
    from.dedup();
    let more = if from.len() > 1 { format!(" and {} more", from.len() - 1) } else { String::new() };
    if let Some(first) = from.first() {
        page.hanging("  ", 4, Ink::Faint, &format!("from: {first}{more}"));
    }
}
