//! Which method to use, as a heat map: how much the usual way of each language
//! loses, by conditions.

use crate::decide::{self, row::Figure};
use crate::document::context::Context;
use crate::document::{Block, Cell, Column, ColumnKind, Prose, Row, Table, said};
use crate::palette::Hue;
use crate::palette::SeriesStyle;
use fathom_stats::{DecisionCell, DecisionMatrix};

/// Fewer cells than these are no matrix.
pub(crate) const CELLS_MIN: usize = 4;
/// A usual way that takes so many times as long is as warm as can be.
const HOTTEST: f64 = 10.0;

/// The sentence, and a table for each group of conditions.
pub(crate) fn blocks(context: &Context<'_>, matrix: &DecisionMatrix) -> Vec<Block> {
    let mut blocks = vec![Block::Prose(context.prose(&decide::sentence::of_matrix(matrix)))];
    let cells: Vec<&DecisionCell> = matrix.cells.iter().collect();
    let alike = |a: &&DecisionCell, b: &&DecisionCell| {
        decide::row::heading(&a.conditions) == decide::row::heading(&b.conditions)
    };
    for group in cells.chunk_by(alike) {
        blocks.push(Block::Table(table(group)));
        blocks.extend(said::brief(context, |page| {
            decide::caveats::render(page, group, std::iter::empty(), group.len());
        }));
    }
    blocks
}

/// By the block where there is one, then by the file.
fn size_key(cell: &DecisionCell) -> Option<f64> {
    let size = cell.conditions.size_bytes? as f64;
    Some(cell.conditions.block_bytes.map_or(size, |block| block as f64 + size / 2_f64.powi(60)))
}

fn table(group: &[&DecisionCell]) -> Table {
    let mut columns = vec![
        Column::new("language", ColumnKind::Name),
        Column::new("size", ColumnKind::Figure),
        Column::new("cache", ColumnKind::Words),
        Column::new("use", ColumnKind::Words),
        Column {
            meaning: Some("methods of the language that were timed side by side".to_owned()),
            ..Column::new("of", ColumnKind::Figure)
        },
    ];
    columns.extend(Figure::ALL.map(|figure| Column {
        heading: figure.heading().to_owned(),
        kind: if figure == Figure::Sure { ColumnKind::Words } else { ColumnKind::Figure },
        meaning: Some(figure.meaning().to_owned()),
    }));
    columns.push(Column {
        meaning: Some("how much the advice does not say; each is told below the table".to_owned()),
        ..Column::new("caveats", ColumnKind::Figure)
    });
    let row = |cell: &&DecisionCell| {
        let written = decide::row::Row::of(cell);
        let bytes = size_key(cell);
        let mut cells = vec![
            Cell::words(written.language.as_str()),
            Cell::figure(written.size.as_str(), bytes),
            Cell::words(written.cache.as_str()),
            Cell { prose: Prose::code(&written.method), ..Cell::default() },
            Cell::figure((cell.rivals.len() + 1).to_string(), Some(cell.rivals.len() as f64)),
        ];
        let usual = cell.usual.as_ref().and_then(|usual| usual.ratio.as_ref());
        let heat = usual.map(|ratio| (ratio.value.ln() / HOTTEST.ln()).clamp(0.0, 1.0));
        cells.extend(Figure::ALL.map(|figure| Cell {
            heat: heat.filter(|_| figure == Figure::Usual && cell.advised.is_some()),
            ..Cell::from(written.figure(figure))
        }));
        let hue = Hue::of_driver(&cell.conditions.driver);
        let codes: Vec<_> = cell.caveats.iter().map(|caveat| caveat.code.as_str()).collect();
        cells.push(Cell {
            hint: (!codes.is_empty()).then(|| codes.join(", ")),
            ..Cell::figure(codes.len().to_string(), Some(codes.len() as f64))
        });
        Row { cells, style: Some(SeriesStyle { hue, shade: 0, marker: 0 }), is_baseline: false }
    };
    let caption = format!(
        "{}: which method to use. The warmer, the more times as long the language's usual way takes, up to 10; \
         tied n: so many cannot be told apart; (in parentheses) led, but nothing is decided",
        decide::row::heading(&group[0].conditions)
    );
    Table {
        caption: caption.into(),
        columns,
        rows: group.iter().map(row).collect(),
        interactive: group.len() > 2,
    }
}
