//! How long calls took and their threads waited, by directory and kind of call.

use super::{count, meant, optional, rest_behind_fold};
use crate::document::{Block, Cell, Column, ColumnKind, Prose, Row, Table};
use crate::quantity::short_time;
use fathom_audit::{CallTree, CallTreeWait};

/// Rows that are shown before those behind a fold.
const SHOWN: usize = 12;

/// One row for each kind of call on each directory, those that waited longest first.
pub(super) fn blocks(tree: &CallTree) -> Vec<Block> {
    let (shown, rest) = tree.waits.split_at(tree.waits.len().min(SHOWN));
    let mut blocks = vec![Block::Table(table(tree, shown))];
    if !rest.is_empty() {
        blocks.push(rest_behind_fold(rest.len(), tree.waits.len(), table(tree, rest)));
    }
    blocks
}

fn table(tree: &CallTree, rows: &[CallTreeWait]) -> Table {
    let tells_waits = tree.waits.iter().any(|one| one.waited_ns.is_some());
    let mut columns = vec![
        Column::new("directory", ColumnKind::Name),
        meant("call", ColumnKind::Words, "what the calls do; other: all but open, read, write and sync"),
        Column::new("calls", ColumnKind::Figure),
    ];
    if tells_waits {
        columns.push(meant(
            "waited",
            ColumnKind::Figure,
            "time that threads were neither on a CPU nor ready for one: device, lock, network, or another program",
        ));
    }
    columns.push(meant("in calls", ColumnKind::Figure, "time that the calls took while they were watched"));
    columns.push(meant("longest", ColumnKind::Figure, "the longest of the calls"));
    columns.push(meant("mount", ColumnKind::Words, "where its file system is mounted, and the kind of that"));
    let time = |ns: u64| optional((ns > 0).then(|| (short_time(ns as f64), ns as f64)));
    let most = tree.waits.iter().filter_map(|one| one.waited_ns).max().unwrap_or(0).max(1) as f64;
    let row = |one: &CallTreeWait| {
        let mut cells =
            vec![Cell::words(Prose::code(&one.directory)), Cell::words(one.kind.as_str()), count(one.calls)];
        if tells_waits {
            let waited = one.waited_ns.unwrap_or(0);
            let bar = Some(waited as f64 / most).filter(|bar| *bar >= super::BAR_FROM);
            cells.push(Cell { bar, ..time(waited) });
        }
        cells.extend([time(one.took_ns), time(one.longest_ns)]);
        cells.push(match (&one.mount, &one.file_system) {
            (Some(mount), Some(kind)) => Cell::words(format!("{mount} ({kind})")),
            _ => Cell::default(),
        });
        Row { cells, ..Row::default() }
    };
    let caption = if tells_waits {
        "By directory and kind of call, those that waited longest first; all threads together"
    } else {
        "By directory and kind of call, under the tracer, which makes each call longer; how much of it is waiting \
         is not known by this capture"
    };
    Table {
        caption: caption.into(),
        columns,
        rows: rows.iter().map(row).collect(),
        interactive: rows.len() > SHOWN,
    }
}
