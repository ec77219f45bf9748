//! The figures of cells: a table of one cell's methods, and one row for each of
//! many cells.

use super::row::{Figure, Row, heading, label};
use crate::columns::{Column, Side, lines};
use crate::label::elided;
use crate::page::{Ink, Page};
use crate::quantity::TimeUnit;
use crate::wrap::width;
use crate::written::{Written, ratio, time_in_table};
use fathom_model::{Estimate, MethodId};
use fathom_stats::{Certainty, DecisionCell, RivalStanding};

/// The methods of one cell, the fastest first.
pub(super) fn methods(page: &mut Page, cell: &DecisionCell) {
    page.blank();
    let forks = cell.forks;
    let from = &cell.source;
    page.paragraph(0, Ink::Plain, &format!("{} · {}", label(&cell.conditions), heading(&cell.conditions)));
    let all = || {
        let first = (&cell.fastest.method, &cell.fastest.time_ns, None, RivalStanding::Unknown);
        let rivals = cell
            .rivals
            .iter()
            .map(|rival| (&rival.method, &rival.time_ns, rival.ratio.as_ref(), rival.standing));
        std::iter::once(first).chain(rivals)
    };
    let times: Vec<f64> = all().map(|(_, time, ..)| time.value).collect();
    let unit = TimeUnit::shared(&times);
    let time_cells = all().map(|(_, time, ..)| time_in_table(time, unit.ns()).value).collect::<Vec<_>>();
    let ratios: Vec<_> = all().map(|(_, _, times, _)| times.map(ratio)).collect();
    let values: Vec<String> = ratios
        .iter()
        .map(|found| found.as_ref().map_or("1", |found| found.value.as_str()).to_owned())
        .collect();
    let ranges: Vec<String> =
        ratios.iter().map(|found| found.as_ref().map(Written::range).unwrap_or_default()).collect();
    let words = all().map(|(method, _, times, standing)| word(cell, method, times, standing).to_owned());
    let mut columns = vec![
        Column::right(&format!("{}/op", unit.symbol()), time_cells).aligned_at('.'),
        Column::right("×fastest", values).aligned_at('.'),
        Column::beside("interval", ranges).aligned_at('–'),
        Column { gap: 2, ..Column::beside("", words.collect()) },
    ];
    let names: Vec<String> = all().map(|(method, ..)| method.name.clone()).collect();
    named(page, &mut columns, &names, "method");
    let note = format!("{forks} forks of {}, {} ({})", from.experiment, from.label, from.created);
    page.paragraph(2, Ink::Faint, &note);
}

/// Many cells, under a heading for each group of conditions.
pub(super) fn cells(page: &mut Page, cells: &[&DecisionCell]) {
    groups(page, cells);
    page.blank();
    let legend = "next: time of the nearest method that is shown to be slower, over the fastest's. usual: time of the \
                  language's usual way over that of the method to use; = where it is the one to use. saves/op: what \
                  leaving the usual way saves. sure: every other method is shown to be slower (yes), so many cannot \
                  be told apart (tied 2), otherwise undecided: the leader is in parentheses. Intervals are per row, at 95 %.";
    page.paragraph(0, Ink::Faint, legend);
}

/// The rows without their legend.
pub(super) fn groups(page: &mut Page, cells: &[&DecisionCell]) {
    let alike = |a: &&DecisionCell, b: &&DecisionCell| heading(&a.conditions) == heading(&b.conditions);
    for group in cells.chunk_by(alike) {
        page.blank();
        page.paragraph(0, Ink::Plain, &heading(&group[0].conditions));
        let rows: Vec<Row> = group.iter().map(|cell| Row::of(cell)).collect();
        let text = |of: fn(&Row) -> &String| rows.iter().map(|row| of(row).clone()).collect::<Vec<_>>();
        let mut columns = vec![
            Column { gap: 2, ..Column::beside("language", text(|row| &row.language)) },
            Column::right("size", text(|row| &row.size)),
            Column { gap: 2, ..Column::beside("cache", text(|row| &row.cache)) },
        ];
        for figure in Figure::ALL {
            let column =
                Column::right(figure.heading(), rows.iter().map(|row| row.figure(figure).clone()).collect());
            columns.push(match figure {
                Figure::Next | Figure::Usual => column.aligned_at('.'),
                Figure::Saving => column,
                Figure::Sure => Column { side: Side::Left, ..column },
            });
        }
        named(page, &mut columns, &text(|row| &row.method), "use");
    }
}

/// Adds the column of names, as wide as the page leaves room for, and writes the table.
fn named(page: &mut Page, columns: &mut Vec<Column>, names: &[String], heading: &str) {
    let taken = lines(columns).first().map_or(0, |line| width(line));
    let shown = elided(names, page.width().saturating_sub(taken + 2)).unwrap_or_else(|| names.to_vec());
    columns.push(Column { gap: 2, ..Column::beside(heading, shown) });
    for line in lines(columns) {
        page.row(&line, "", Ink::Plain);
    }
}

fn word(
    cell: &DecisionCell,
    method: &MethodId,
    times: Option<&Estimate>,
    standing: RivalStanding,
) -> &'static str {
    let is_advised = cell.advised.as_ref() == Some(method);
    let is_usual = cell.usual.as_ref().is_some_and(|usual| usual.method == *method);
    match (is_advised, is_usual, times.is_some(), standing) {
        (true, true, ..) => "use, usual",
        (true, false, ..) => "use",
        (false, true, true, RivalStanding::Slower) if cell.certainty != Certainty::Fault => "usual, slower",
        (false, true, ..) => "usual",
        (false, false, false, _) => "fastest",
        _ if cell.certainty == Certainty::Fault => "not usable",
        (.., RivalStanding::Slower) => "slower",
        (.., RivalStanding::Tied) => "tied",
        (.., RivalStanding::Unknown) => "not known",
    }
}
