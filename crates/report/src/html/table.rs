//! A table: caption, headings, rows; readable as it stands, and with what the
//! script needs to sort and to filter it.

use super::align::{Aligned, align_dashes, align_points, unit_width};
use super::facts::tone_class;
use super::meanings::Meanings;
use super::prose::{breakable, prose};
use crate::document::{Cell, Column, ColumnKind, Prose, Row, Span, Table, Tone};
use crate::palette::SeriesStyle;
use crate::wrap::width;
use maud::{Markup, html};

/// What a row that others are compared with is called.
const BASELINE: &str = "baseline";
/// Characters of a name, or of words, that a printed page keeps on one line.
const PRINTED_WORDS: usize = 24;
/// The room around a cell, in characters.
const PADDING_CHARS: usize = 2;
/// Characters of a name that is not broken where the screen is no phone's.
const WHOLE_NAME: usize = 36;

/// A table in a container of its own, which scrolls where the screen is narrower.
pub(super) fn table(table: &Table, meanings: &mut Meanings) -> Markup {
    let figures: Vec<_> = (0..table.columns.len()).map(|index| column_markup(table, index)).collect();
    let says_baseline = says_baseline(table);
    let verdicts = verdict_column(table);
    html! {
        div.table data-interactive[table.interactive] {
            div.scroll tabindex="0" {
                table class=[has_short_names(table).then_some("names-whole")] style={ "--chars:" (printed_chars(table)) } {
                    caption { span { (prose(&table.caption)) } }
                    thead {
                        tr { @for column in &table.columns { (heading(column)) } }
                    }
                    tbody {
                        @for (index, row) in table.rows.iter().enumerate() {
                            tr class=[row.is_baseline.then_some(BASELINE)] data-lang=[row.style.map(|style| style.hue.word())] {
                                @for (column, cells) in table.columns.iter().zip(&figures) {
                                    (cells.get(index).map_or_else(
                                        || html! { td {} },
                                        |(cell, words)| match column.kind {
                                            ColumnKind::Name => {
                                                let verdict = verdicts.and_then(|at| row.cells.get(at));
                                                name_markup(cell, words, row, says_baseline, verdict)
                                            }
                                            kind => cell_markup(kind, cell, words),
                                        },
                                    ))
                                }
                            }
                        }
                    }
                }
            }
            (meanings.below(&table.columns))
        }
    }
}

/// A method's color, beside its name. Shapes belong to lines, which have their names beside them.
pub(super) fn swatch(style: SeriesStyle) -> Markup {
    let class = format!("swatch {} shade-{}", style.hue.word(), style.shade);
    html! { i class=(class) {} }
}

fn heading(column: &Column) -> Markup {
    html! {
        @if column.heading.is_empty() {
            td {}
        } @else {
            th.(kind_class(column.kind)) scope="col" title=[column.meaning.as_deref()] { (breakable(&column.heading)) }
        }
    }
}

fn kind_class(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Name => "name",
        ColumnKind::Figure => "figure",
        ColumnKind::Beside => "beside",
        ColumnKind::Words => "words",
    }
}

/// The cells of a column with their words, aligned as the column's kind asks.
fn column_markup(table: &Table, index: usize) -> Vec<(Cell, Markup)> {
    let cells: Vec<_> =
        table.rows.iter().map(|row| row.cells.get(index).cloned().unwrap_or_default()).collect();
    let texts: Vec<_> = cells.iter().map(|cell| cell.prose.text()).collect();
    let texts: Vec<_> = texts.iter().map(String::as_str).collect();
    let markup: Vec<_> = match table.columns[index].kind {
        ColumnKind::Figure => {
            let aligned = align_points(&texts);
            let units = unit_width(&aligned);
            cells
                .iter()
                .zip(&aligned)
                .map(|(cell, figure)| in_face(&cell.prose, || figure_markup(figure, units)))
                .collect()
        }
        ColumnKind::Beside => {
            let aligned = align_dashes(&texts);
            cells.iter().zip(&aligned).map(|(cell, text)| in_face(&cell.prose, || html! { (text) })).collect()
        }
        ColumnKind::Name | ColumnKind::Words => cells.iter().map(|cell| prose(&cell.prose)).collect(),
    };
    cells.into_iter().zip(markup).collect()
}

/// Words of one face as `aligned` writes them; what has several faces stays as it is.
fn in_face(words: &Prose, aligned: impl FnOnce() -> Markup) -> Markup {
    match words.0.as_slice() {
        [Span::Plain(_)] => aligned(),
        [Span::Strong(_)] => html! { strong { (aligned()) } },
        _ => prose(words),
    }
}

fn figure_markup(figure: &Aligned, unit_width: Option<usize>) -> Markup {
    html! {
        (figure.number)
        // Points below each other mean nothing where units differ: there units do.
        @match unit_width {
            Some(columns) => span.unit style={ "--unit:" (columns) } { (figure.unit.trim()) },
            None => { (figure.padding) (figure.unit) },
        }
    }
}

/// What names a row. Where the screen is too narrow for the last column, the style sheet
/// shows below the name what the row was found to be.
fn name_markup(
    cell: &Cell,
    words: &Markup,
    row: &Row,
    says_baseline: bool,
    verdict: Option<&Cell>,
) -> Markup {
    let (class, sort, heat) = attributes(ColumnKind::Name, cell);
    let verdict = verdict.map(|cell| cell.prose.text()).filter(|words| !words.is_empty());
    html! {
        th class=[class] scope="row" data-sort=[sort] title=[cell.hint.as_deref()] style=[heat] data-found=[verdict] {
            @if let Some(style) = row.style { (swatch(style)) }
            (words)
            @if row.is_baseline && !says_baseline { " " span.tag { (BASELINE) } }
        }
    }
}

fn cell_markup(kind: ColumnKind, cell: &Cell, words: &Markup) -> Markup {
    let (class, sort, heat) = attributes(kind, cell);
    html! {
        td class=[class] data-sort=[sort] title=[cell.hint.as_deref()] style=[heat] { (words) }
    }
}

/// Class, key of order and style. Names and figures have no class: most cells are figures.
fn attributes(kind: ColumnKind, cell: &Cell) -> (Option<String>, Option<String>, Option<String>) {
    let heat =
        cell.heat.filter(|heat| heat.is_finite()).map(|heat| format!("--heat:{:.2}", heat.clamp(0.0, 1.0)));
    let bar = cell.bar.filter(|bar| bar.is_finite()).map(|bar| format!("--bar:{:.3}", bar.clamp(0.0, 1.0)));
    let heat_class = heat.is_some().then_some("heat");
    let bar_class = bar.is_some().then_some("bar");
    let kind_class = matches!(kind, ColumnKind::Beside | ColumnKind::Words).then(|| kind_class(kind));
    let classes = [kind_class, tone_class(cell.tone), heat_class, bar_class];
    let classes: Vec<_> = classes.into_iter().flatten().collect();
    let class = (!classes.is_empty()).then(|| classes.join(" "));
    (class, cell.sort.map(|value| value.to_string()), heat.or(bar))
}

/// The last column, where it says of rows in a few words what they were found to be.
fn verdict_column(table: &Table) -> Option<usize> {
    let last = table.columns.len().checked_sub(1)?;
    let cells: Vec<_> = table.rows.iter().filter_map(|row| row.cells.get(last)).collect();
    let is_verdict = |cell: &&Cell| matches!(cell.tone, Tone::Good | Tone::Bad);
    let is_short = |cell: &&Cell| width(&cell.prose.text()) <= PRINTED_WORDS;
    let found = table.columns[last].kind == ColumnKind::Words
        && cells.iter().any(is_verdict)
        && cells.iter().all(is_short);
    found.then_some(last)
}

/// True of a table whose cells name the baseline themselves.
fn says_baseline(table: &Table) -> bool {
    let baselines = table.rows.iter().filter(|row| row.is_baseline);
    baselines.flat_map(|row| &row.cells).any(|cell| cell.prose.text() == BASELINE)
}

fn has_short_names(table: &Table) -> bool {
    let Some(name) = table.columns.iter().position(|column| column.kind == ColumnKind::Name) else {
        return false;
    };
    let mut names = table.rows.iter().filter_map(|row| row.cells.get(name));
    names.all(|cell| width(&cell.prose.text()) <= WHOLE_NAME)
}

/// Characters side by side in a line of the table: by these the style sheet chooses a
/// size at which none of its columns is cut off on paper.
fn printed_chars(table: &Table) -> usize {
    let columns = table.columns.iter().enumerate().map(|(index, column)| {
        let cells = table.rows.iter().filter_map(|row| row.cells.get(index));
        let widest = cells.map(|cell| width(&cell.prose.text())).max().unwrap_or(0);
        let may_wrap = matches!(column.kind, ColumnKind::Name | ColumnKind::Words);
        let cells = if may_wrap { widest.min(PRINTED_WORDS) } else { widest };
        // Headings break between words and where names do, and are bold.
        let part = column.heading.split([' ', '|', '.', '+', ',']).map(width).max().unwrap_or(0);
        cells.max(part + part.div_ceil(8)) + PADDING_CHARS
    });
    columns.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::Hue;

    fn sample() -> Table {
        let style = SeriesStyle { hue: Hue::Go, shade: 1, marker: 2 };
        let row = |name: &str, time: &str, sort: f64, is_baseline| Row {
            cells: vec![
                Cell::words(Prose(vec![Span::Code(name.to_owned())])),
                Cell::figure(time, Some(sort)),
                Cell { heat: Some(1.5), ..Cell::words("9–11") },
            ],
            style: Some(style),
            is_baseline,
        };
        Table {
            caption: Prose::from("Times"),
            columns: vec![
                Column::new("method", ColumnKind::Name),
                Column {
                    meaning: Some("time of one call".to_owned()),
                    ..Column::new("ns/op", ColumnKind::Figure)
                },
                Column::new("95 %", ColumnKind::Beside),
            ],
            rows: vec![row("go:os.Open", "2214", 2214.0, true), row("go:<x>", "345.2", 345.2, false)],
            interactive: true,
        }
    }

    #[test]
    fn a_table_has_scopes_sort_keys_and_a_named_baseline() {
        let markup = table(&sample(), &mut Meanings::default()).into_string();
        for part in [
            "<div class=\"table\" data-interactive>",
            "<table class=\"names-whole\" style=\"--chars:26\">",
            "<caption><span>Times</span></caption>",
            "<th class=\"figure\" scope=\"col\" title=\"time of one call\">ns/op</th>",
            "<tr class=\"baseline\" data-lang=\"go\">",
            "<i class=\"swatch go shade-1\"></i><code>go:os.Open</code> <span class=\"tag\">baseline</span></th>",
            "<td data-sort=\"2214\">2214\u{2008}\u{2007}</td>",
            "<code>go:&lt;x&gt;</code>",
            "<td class=\"beside heat\" style=\"--heat:1.00\">9–11</td>",
            "<dt>ns/op</dt> <dd>time of one call</dd>",
        ] {
            assert!(markup.contains(part), "{part} in {markup}");
        }
        assert_eq!(markup.matches("scope=\"row\"").count(), 2);
    }

    #[test]
    fn a_row_says_below_its_name_what_its_last_column_finds() {
        let mut compared = sample();
        compared.columns.push(Column::new("against the baseline", ColumnKind::Words));
        compared.rows[0].cells.push(Cell::words(""));
        compared.rows[1].cells.push(Cell { tone: Tone::Good, ..Cell::words("faster") });
        let found = |table: &Table| {
            super::table(table, &mut Meanings::default())
                .into_string()
                .matches("data-found=\"faster\"")
                .count()
        };
        assert_eq!(found(&compared), 1);
        compared.rows[0].cells[3] = Cell::words("a sentence that is too long to stand below a name");
        assert_eq!(found(&compared), 0);
        compared.rows[0].cells[3] = Cell::words("");
        compared.rows[1].cells[3].tone = Tone::Plain;
        assert_eq!(found(&compared), 0, "words of any kind are not found of a row");
    }

    #[test]
    fn a_baseline_is_marked_whatever_its_name_says() {
        let mut named = sample();
        named.rows[0].cells[0] = Cell::words("go:baseline-reader");
        let markup = table(&named, &mut Meanings::default()).into_string();
        assert!(markup.contains("<span class=\"tag\">baseline</span>"), "{markup}");
    }

    #[test]
    fn missing_cells_leave_no_hole() {
        let mut wide = sample();
        wide.rows[1].cells.truncate(1);
        let markup = table(&wide, &mut Meanings::default()).into_string();
        assert_eq!(
            markup.matches("<td").count() + markup.matches("<th").count(),
            9 + 1,
            "9 cells and a thead"
        );
    }

    #[test]
    fn a_line_has_room_for_every_column_and_names_may_break() {
        let mut wide = sample();
        let narrow = printed_chars(&wide);
        wide.columns.push(Column::new("read calls|writes", ColumnKind::Figure));
        assert_eq!(printed_chars(&wide) - narrow, 6 + 1 + PADDING_CHARS, "the longest part of the heading");
        wide.rows[0].cells[0] = Cell::words("x".repeat(90).as_str());
        assert!(!has_short_names(&wide));
        assert_eq!(printed_chars(&wide) - narrow, 9 + PRINTED_WORDS - "go:os.Open".len());
    }

    #[test]
    fn units_that_differ_take_equal_room() {
        let mut units = sample();
        units.rows[0].cells[1] = Cell::figure("2.2 µs", Some(2200.0));
        units.rows[1].cells[1] =
            Cell { prose: Prose(vec![Span::Strong("345 ns".to_owned())]), ..Cell::default() };
        let markup = table(&units, &mut Meanings::default()).into_string();
        assert!(markup.contains("2.2<span class=\"unit\" style=\"--unit:2\">µs</span>"));
        assert!(markup.contains("<strong>345<span class=\"unit\" style=\"--unit:2\">ns</span></strong>"));
    }
}
