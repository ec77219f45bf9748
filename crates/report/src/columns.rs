//! Tables of figures: right-aligned columns without rules. Knows nothing of
//! records; wraps the one table library in use.

use crate::wrap::width;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement, Table};

/// The side that a column's cells stand on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// One column: its heading, side, the blanks before it, and its cells.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) heading: String,
    pub(crate) side: Side,
    pub(crate) gap: u16,
    pub(crate) cells: Vec<String>,
}

impl Column {
    pub(crate) fn right(heading: &str, cells: Vec<String>) -> Self {
        Self { heading: heading.to_owned(), side: Side::Right, gap: 2, cells }
    }

    /// A left-aligned column that belongs to the one before it.
    pub(crate) fn beside(heading: &str, cells: Vec<String>) -> Self {
        Self { heading: heading.to_owned(), side: Side::Left, gap: 1, cells }
    }
}

/// The lines of a table, the heading first; every line is equally wide.
pub(crate) fn lines(columns: &[Column]) -> Vec<String> {
    let rows = columns.iter().map(|column| column.cells.len()).max().unwrap_or(0);
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(columns.iter().map(|column| column.heading.clone()).collect::<Vec<_>>());
    for row in 0..rows {
        let cells = columns.iter().map(|column| column.cells.get(row).cloned().unwrap_or_default());
        table.add_row(cells.collect::<Vec<_>>());
    }
    for (column, spec) in table.column_iter_mut().zip(columns) {
        column.set_padding((spec.gap, 0));
        column.set_cell_alignment(match spec.side {
            Side::Left => CellAlignment::Left,
            Side::Right => CellAlignment::Right,
        });
    }
    table.lines().collect()
}

/// Pads cells so that `mark` stands in one column: decimal points below each
/// other, dashes of ranges below each other. A cell without it counts as if it
/// ended there.
pub(crate) fn align_at(mark: char, cells: &[String]) -> Vec<String> {
    let split = |cell: &str| {
        let at = cell.find(mark).unwrap_or(cell.len());
        (width(&cell[..at]), width(&cell[at..]))
    };
    let before = cells.iter().map(|cell| split(cell).0).max().unwrap_or(0);
    let after = cells.iter().map(|cell| split(cell).1).max().unwrap_or(0);
    let padded = cells.iter().map(|cell| {
        let (head, tail) = split(cell);
        format!("{}{cell}{}", " ".repeat(before - head), " ".repeat(after - tail))
    });
    padded.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|&cell| cell.to_owned()).collect()
    }

    #[test]
    fn decimal_points_stand_below_each_other() {
        let aligned = align_at('.', &owned(&["2214", "345.2", "-"]));
        assert_eq!(aligned, ["2214  ", " 345.2", "   -  "]);
        assert_eq!(align_at('–', &owned(&["9–11", "100–101"])), ["  9–11 ", "100–101"]);
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let table = [
            Column::right("ns/op", owned(&["2214", "µ"])),
            Column::beside("95 %", owned(&["2207–2221", "-"])),
        ];
        assert_eq!(lines(&table), ["  ns/op 95 %     ", "   2214 2207–2221", "      µ -        "],);
    }
}
