//! What the kernel counted of each method: a row per counter, a column per
//! method; what had to be counted and was or was not; which sizes requests had;
//! and what could not be counted, with the reason.

pub(crate) mod row;
mod words;

use super::evidence::grouped_by;
use super::side_by_side::{self, Block};
use crate::columns::Column;
use crate::page::{Ink, Page};
use crate::quantity::grouped;
use crate::standing::by_time;
use crate::volume::is_fixed;
use fathom_model::{Comparison, EvidencePass, Reading};
use row::Row;

/// One variant that was looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub(crate) label: &'a str,
    pub(crate) pass: &'a EvidencePass,
}

/// A block per method that was looked at.
pub(crate) fn render(page: &mut Page, comparison: &Comparison, labels: &[String]) {
    let reading = |index: usize| comparison.explanations.get(index)?.counters.as_ref();
    let asked: Vec<_> =
        by_time(comparison).into_iter().filter_map(|index| Some((index, reading(index)?))).collect();
    if asked.is_empty() {
        return;
    }
    let seen: Vec<_> = asked
        .iter()
        .filter_map(|&(index, reading)| Some(Seen { label: &labels[index], pass: reading.value()? }))
        .collect();
    page.blank();
    if !seen.is_empty() {
        table(page, &seen, is_fixed(comparison));
        predictions(page, &seen);
        requests(page, &seen);
        unavailable(page, &seen);
    }
    let refused: Vec<_> = asked
        .iter()
        .filter_map(|&(index, reading)| match reading {
            Reading::Unavailable(reason) => Some((labels[index].clone(), reason)),
            Reading::Value(_) => None,
        })
        .collect();
    let names: Vec<_> = refused.iter().map(|(label, _)| label.clone()).collect();
    for (reason, members) in grouped_by(&names, &refused, |(_, reason)| (*reason).clone()) {
        let text = format!("kernel counters unavailable ({}): {reason}", members.join(", "));
        page.hanging("  ", 4, Ink::Plain, &text);
    }
}

/// The table, and in full where each row comes from.
fn table(page: &mut Page, seen: &[Seen<'_>], fixed: bool) {
    let rows = row::rows(seen, page.is_full(), fixed);
    page.paragraph(2, Ink::Plain, &heading(seen, fixed, &rows));
    let names: Vec<_> = rows.iter().map(Row::name).collect();
    let block = |seen: &Seen<'_>| {
        // Right-aligned as they are: every cell has its own unit.
        let mut columns = vec![Column::right("", rows.iter().map(|row| row.cell(seen.pass)).collect())];
        if fixed {
            columns.push(Column::right("", rows.iter().map(|row| row.cell_in_all(seen.pass)).collect()));
        }
        Block { title: seen.label.to_owned(), columns }
    };
    if rows.is_empty() {
        page.paragraph(4, Ink::Plain, "none of the counters that could be had counted anything");
    } else {
        side_by_side::render(page, "", &names, &seen.iter().map(block).collect::<Vec<_>>());
    }
    if page.is_full() {
        let silent = row::silent(seen);
        if !silent.is_empty() {
            page.hanging("    ", 6, Ink::Faint, &format!("0 in every run: {}", silent.join(", ")));
        }
        for row in &rows {
            let ranges: Vec<_> = seen.iter().filter_map(|seen| row.range(seen)).collect();
            let exact = if ranges.is_empty() { String::new() } else { format!("; {}", ranges.join("; ")) };
            page.hanging(
                &format!("    {}: ", row.name()),
                6,
                Ink::Faint,
                &format!("{}{exact}", row.source()),
            );
        }
    }
}

/// What the table is of, and how it was had.
pub(crate) fn heading(seen: &[Seen<'_>], fixed: bool, rows: &[Row]) -> String {
    let what = if fixed { "per operation and of a batch in all" } else { "per operation" };
    let lengths: Vec<_> = seen.iter().map(|seen| (seen.pass.run_lengths, seen.pass.repetitions)).collect();
    let how = match lengths.first() {
        Some(&([shorter, longer], times)) if lengths.iter().all(|length| *length == lengths[0]) => {
            let (shorter, longer) = (grouped(shorter), grouped(longer));
            format!("; runs of {longer} operations less runs of {shorter}, the median of {times}")
        }
        _ => "; longer runs less shorter, the median".to_owned(),
    };
    let wide = if rows.iter().any(Row::is_wide) {
        "; device and machine: whoever did it, where that is not the method alone"
    } else {
        ""
    };
    format!("counted by the kernel, {what}{how}{wide}")
}

fn predictions(page: &mut Page, seen: &[Seen<'_>]) {
    for seen in seen {
        let (failed, held) = words::predictions(seen.pass, page.is_full());
        for (texts, ink) in [(held, Ink::Plain), (failed, Ink::Bad)] {
            if !texts.is_empty() {
                page.hanging(&format!("    {}: ", seen.label), 6, ink, &texts.join("; "));
            }
        }
    }
}

fn requests(page: &mut Page, seen: &[Seen<'_>]) {
    for seen in seen {
        for requests in &seen.pass.requests {
            page.hanging(&format!("    {}: ", seen.label), 6, Ink::Plain, &words::requests(requests));
        }
    }
}

/// One line for each reason.
fn unavailable(page: &mut Page, seen: &[Seen<'_>]) {
    for (reason, names, members) in words::reasons(seen) {
        let whom =
            if members.len() == seen.len() { String::new() } else { format!(" ({})", members.join(", ")) };
        let shown = if page.is_full() || names.len() <= 3 {
            names.join(", ")
        } else {
            format!("{}, {} and {} more", names[0], names[1], names.len() - 2)
        };
        page.hanging("  ", 4, Ink::Plain, &format!("not counted{whom}: {shown}: {reason}"));
    }
}

#[cfg(test)]
mod tests;
