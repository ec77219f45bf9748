//! Scenarios: what happened, how often, in which setting, and what it means.

use crate::Details;
use crate::document::context::Context;
use crate::document::{Block, Cell, Column, ColumnKind, Row, Table, said};
use crate::label::place_name;
use crate::page::Page;
use crate::quantity::grouped;
use crate::text::outcomes;
use fathom_model::Outcome;

/// A table per case, and what it means.
pub(crate) fn blocks(context: &Context<'_>, all: &[Outcome]) -> Vec<Block> {
    let mut blocks = Vec::new();
    for of_case in all.chunk_by(|a, b| a.case == b.case && a.place == b.place) {
        blocks.extend(table(context, of_case).map(Block::Table));
        let said = Page::collect(Details::Brief, |page| outcomes::around(page, of_case));
        blocks.extend(said::blocks(context, said));
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
    let caption = format!("{}{}: how often each thing happened", of_case[0].case, place.unwrap_or_default());
    let columns = std::iter::once(Column::new("setting", ColumnKind::Name))
        .chain(happened.iter().map(|what| Column::new(what, ColumnKind::Figure)));
    let row = |outcome: &&Outcome| {
        let count = |what: &&str| match outcome.counts.iter().find(|count| count.what == **what) {
            Some(count) => Cell::figure(grouped(count.n), Some(count.n as f64)),
            None => Cell::default(),
        };
        let cells = std::iter::once(Cell::words(outcome.setting.clone())).chain(happened.iter().map(count));
        Row { cells: cells.collect(), ..Row::default() }
    };
    let rows: Vec<_> = tried.iter().map(row).collect();
    (!rows.is_empty() && !happened.is_empty()).then(|| Table {
        caption: context.prose(&caption),
        columns: columns.collect(),
        rows,
        interactive: false,
    })
}
