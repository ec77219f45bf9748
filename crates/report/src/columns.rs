//! Tables of figures as data: columns of cells with the numbers that they were written from. And
//! their lines on a terminal: columns without rules. Knows nothing of records; wraps the one table
//! library in use.

use crate::wrap::width;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement, Table};

/// The side that a column's cells stand on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// A written figure, or a word.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Cell {
    pub(crate) text: String,
    /// What it was written from; rows are sorted by it. Of an interval, its low end.
    pub(crate) number: Option<f64>,
}

impl Cell {
    /// A number that is written already.
    pub(crate) fn figure(text: String, number: f64) -> Self {
        Self { text, number: Some(number) }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, number: None }
    }
}

/// One column: its heading, side, the blanks before it, and its cells.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) heading: String,
    /// What its figures mean, where the heading is short for it.
    pub(crate) meaning: Option<&'static str>,
    pub(crate) side: Side,
    pub(crate) gap: u16,
    /// What stands below each other: the point of decimals, the dash of a range.
    pub(crate) align: Option<char>,
    pub(crate) cells: Vec<Cell>,
}

impl Column {
    pub(crate) fn right<C: Into<Cell>>(heading: &str, cells: Vec<C>) -> Self {
        let cells = cells.into_iter().map(Into::into).collect();
        Self { heading: heading.to_owned(), meaning: None, side: Side::Right, gap: 2, align: None, cells }
    }

    /// A left-aligned column that belongs to the one before it.
    pub(crate) fn beside<C: Into<Cell>>(heading: &str, cells: Vec<C>) -> Self {
        Self { side: Side::Left, gap: 1, ..Self::right(heading, cells) }
    }

    /// The same with `mark` of each cell below that of the others.
    pub(crate) fn aligned_at(self, mark: char) -> Self {
        Self { align: Some(mark), ..self }
    }

    /// The same with what its figures mean.
    pub(crate) fn meaning(self, meaning: &'static str) -> Self {
        Self { meaning: Some(meaning), ..self }
    }
}

/// The lines of a table, the heading first; every line is equally wide.
pub(crate) fn lines(columns: &[Column]) -> Vec<String> {
    let rows = columns.iter().map(|column| column.cells.len()).max().unwrap_or(0);
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(columns.iter().map(|column| column.heading.clone()).collect::<Vec<_>>());
    let written: Vec<Vec<String>> = columns.iter().map(written).collect();
    for row in 0..rows {
        let cells = written.iter().map(|cells| cells.get(row).cloned().unwrap_or_default());
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

fn written(column: &Column) -> Vec<String> {
    let cells: Vec<String> = column.cells.iter().map(|cell| cell.text.clone()).collect();
    column.align.map_or_else(|| cells.clone(), |mark| align_at(mark, &cells))
}

/// Pads cells so that `mark` stands in one column: decimal points below each
/// other, dashes of ranges below each other. A cell without it counts as if it
/// ended there.
fn align_at(mark: char, cells: &[String]) -> Vec<String> {
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
