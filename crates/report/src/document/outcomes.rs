//! Scenarios: what happened, how often, in which setting, and what it means.

use crate::document::context::Context;
use crate::document::{Block, Cell, Column, ColumnKind, Row, Table, Tone, said};
use crate::label::place_name;
use crate::quantity::grouped;
use crate::text::outcomes;
use fathom_model::Outcome;

/// A table per case, and what it means.
pub(crate) fn blocks(context: &Context<'_>, all: &[Outcome]) -> Vec<Block> {
    let mut blocks = Vec::new();
    for of_case in all.chunk_by(|a, b| a.case == b.case && a.place == b.place) {
        blocks.extend(table(context, of_case).map(Block::Table));
        blocks.extend(said::brief(context, |page| outcomes::around(page, of_case)));
    }
    blocks
}

fn table(context: &Context<'_>, of_case: &[Outcome]) -> Option<Table> {
    let tried: Vec<_> = of_case.iter().filter(|outcome| outcome.unavailable.is_none()).collect();
    let mut happened: Vec<&str> = Vec::new();
    for count in tried.iter().flat_map(|outcome| &outcome.counts) {
        if !happened.contains(&count.what.as_str()) {
            happened.push(&count.what);
        }
    }
    let place = of_case[0].place.map(|place| format!(", on {}", place_name(context.record, place)));
    if tried.is_empty() || happened.is_empty() {
        return None;
    }
    let counted = |outcome: &Outcome, what: &str| {
        outcome.counts.iter().find(|count| count.what == what).map(|count| count.n)
    };
    let has_holes = tried.iter().any(|outcome| happened.iter().any(|what| counted(outcome, what).is_none()));
    let hole = if has_holes { "; –: never, or not of this setting" } else { "" };
    let caption =
        format!("{}{}: how often each thing happened{hole}", of_case[0].case, place.unwrap_or_default());
    let cell = |outcome: &Outcome, what: &str| match counted(outcome, what) {
        Some(n) => Cell::figure(grouped(n), Some(n as f64)),
        None => Cell { tone: Tone::Faint, ..Cell::words("–") },
    };
    let settings: Vec<_> = tried.iter().map(|outcome| outcome.setting.as_str()).collect();
    // More things than settings make a table that is too wide: then settings are its columns.
    let (corner, across, down) = if happened.len() > settings.len() {
        ("what happened", &settings, &happened)
    } else {
        ("setting", &happened, &settings)
    };
    let columns = std::iter::once(Column::new(corner, ColumnKind::Name))
        .chain(across.iter().map(|heading| Column::new(heading, ColumnKind::Figure)));
    let cells_of = |row: usize| -> Vec<Cell> {
        if happened.len() > settings.len() {
            tried.iter().map(|outcome| cell(outcome, happened[row])).collect()
        } else {
            happened.iter().map(|what| cell(tried[row], what)).collect()
        }
    };
    let row = |(row, name): (usize, &&str)| {
        let cells = std::iter::once(Cell::words(*name)).chain(cells_of(row));
        Row { cells: cells.collect(), ..Row::default() }
    };
    Some(Table {
        caption: context.prose(&caption),
        columns: columns.collect(),
        rows: down.iter().enumerate().map(row).collect(),
        interactive: false,
    })
}
