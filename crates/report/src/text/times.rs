//! The table of a comparison: time, interval, ratio, calls and forks of each
//! variant, fastest first, and the rows that every table is made of.

use super::context::Context;
use super::{answers, beside, legend};
use crate::columns::{Cell, Column, Side, lines};
use crate::label::{elided, widest};
use crate::page::{Ink, Page};
use crate::quantity::{NONE, TimeUnit, per_operation};
use crate::standing::{by_time, pass, statement, summary};
use crate::statement::{Statement, too_few};
use crate::visible::visible;
use crate::wrap::{elide, width};
use crate::written::{Written, ratio, time_in_table};
use fathom_model::{Comparison, Reading, VariantSummary};

/// Names narrower than this tell nothing any more.
const LABEL_WIDTH_MIN: usize = 20;

/// Names up to this width are not shortened to make room for further columns.
const LABEL_WIDTH_WANTED: usize = 28;

/// What the columns of intervals mean.
const INTERVAL_MEANING: &str = "confidence sequence over forks";

/// The table, what its marks mean, why a time is missing where one is, and
/// which of its figures are wrong.
pub(crate) fn render(page: &mut Page, context: &Context<'_>, comparison: &Comparison, labels: &[String]) {
    let order = by_time(comparison);
    let unit = unit(comparison);
    let columns = columns(comparison, &order, unit);
    let beside = beside::columns(context, comparison, &order, unit);
    let statements: Vec<_> = order.iter().map(|&index| statement(comparison, index)).collect();
    let names: Vec<_> = order.iter().map(|&index| visible(&labels[index])).collect();
    let together = [columns.as_slice(), &beside].concat();
    if beside.is_empty() || fits(page, &names, &together) {
        rows(page, &names, &together, &statements);
    } else {
        rows(page, &names, &columns, &statements);
        // What stands beside the time is read beside the time.
        let time = Column { gap: 2, ..columns[0].clone() };
        page.blank();
        rows(page, &names, &[&[time], beside.as_slice()].concat(), &[]);
    }
    legend::marks(page, &[comparison]);
    missing(page, comparison, labels);
    answers::render(page, context, comparison, labels);
}

/// True when a table and names that can be told apart fit beside each other.
fn fits(page: &Page, names: &[String], columns: &[Column]) -> bool {
    let figures = lines(columns).first().map_or(0, |line| width(line));
    2 + widest(names).min(LABEL_WIDTH_WANTED) + figures <= page.width()
}

/// Lines of marks, names and figures. Names that do not fit are shortened;
/// where that would tell too little, each has a line of its own. Columns that
/// do not fit make a second table.
pub(crate) fn rows(page: &mut Page, names: &[String], columns: &[Column], statements: &[Statement]) {
    let table = lines(columns);
    let figures = table.first().map_or(0, |line| width(line));
    if 2 + figures > page.width()
        && let Some(cut) = cut(columns, page.width() - 2)
    {
        rows(page, names, &columns[..cut], statements);
        return rows(page, names, &columns[cut..], &[]);
    }
    let room = page.width().saturating_sub(2 + figures);
    let column = room.min(widest(names).max("method".len()));
    let cramped = column < LABEL_WIDTH_MIN && column < widest(names);
    let short = if cramped { None } else { elided(names, column) };
    let (heading, head) = if short.is_some() { ("method", column) } else { ("", 0) };
    for (row, line) in table.iter().enumerate() {
        let Some(row) = row.checked_sub(1) else {
            page.row(&format!("  {}{line}", pad(heading, head)), "", Ink::Plain);
            continue;
        };
        let statement = statements.get(row).copied().unwrap_or(Statement::Nothing);
        if let Some(short) = &short {
            page.marked_row(statement.mark(), statement.ink(), &format!("{}{line}", pad(&short[row], head)));
        } else {
            page.marked_row(statement.mark(), statement.ink(), &elide(&names[row], page.width() - 2));
            page.row(&format!("  {line}"), "", Ink::Plain);
        }
    }
}

/// How many columns fit, an interval staying with its value; `None` when a cut
/// would leave nothing on one side.
fn cut(columns: &[Column], room: usize) -> Option<usize> {
    let fits = |count: usize| lines(&columns[..count]).first().is_some_and(|line| width(line) <= room);
    (1..columns.len()).rev().find(|&count| columns[count].side == Side::Right && fits(count))
}

pub(crate) fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// The unit that a comparison's times share.
pub(crate) fn unit(comparison: &Comparison) -> TimeUnit {
    let timed = comparison.summaries.iter().filter_map(Reading::value);
    TimeUnit::shared(&timed.map(|summary| summary.time_ns.value).collect::<Vec<_>>())
}

/// Times, ratios, calls and forks of the variants, in this order.
pub(crate) fn columns(comparison: &Comparison, order: &[usize], unit: TimeUnit) -> Vec<Column> {
    let summaries: Vec<_> = order.iter().map(|&index| summary(comparison, index)).collect();
    let times: Vec<_> = summaries.iter().map(|s| s.map(|s| time_in_table(&s.time_ns, unit.ns()))).collect();
    let ratios: Vec<_> = summaries.iter().map(|s| s.and_then(|s| s.ratio.as_ref()).map(ratio)).collect();
    let percent = confidence(&summaries);
    let [time, interval] = estimate_columns(&format!("{}/op", unit.symbol()), &percent, &times);
    let ratio_columns = estimate_columns("ratio", &percent, &ratios);
    let [ratio, ratio_interval] = blank_baseline(ratio_columns, order, comparison.baseline);
    let mut columns = vec![
        time.meaning("median over forks, harness overhead included"),
        interval.meaning(INTERVAL_MEANING),
        ratio.meaning("time over the baseline's, paired in the same blocks"),
        ratio_interval.meaning(INTERVAL_MEANING),
        Column::right("calls", order.iter().map(|&index| calls(comparison, index)).collect())
            .meaning("system calls of one operation, exact unless marked ~"),
    ];
    let forks = |summary: Option<&VariantSummary>| match summary.map(|summary| summary.time_ns.forks) {
        Some(forks) => Cell::figure(forks.to_string(), f64::from(forks)),
        None => NONE.to_owned().into(),
    };
    let forks = Column::right("n", summaries.iter().copied().map(forks).collect());
    columns.push(forks.meaning("forks: fresh driver processes"));
    columns
}

/// A column of values and one of their intervals.
pub(crate) fn estimate_columns(name: &str, percent: &str, estimates: &[Option<Written>]) -> [Column; 2] {
    let cells = |cell: fn(&Written) -> Cell| -> Vec<Cell> {
        let cell = |estimate: &Option<Written>| estimate.as_ref().map_or(NONE.to_owned().into(), cell);
        estimates.iter().map(cell).collect()
    };
    let values = Column::right(name, cells(Written::value_cell)).aligned_at('.');
    [values, Column::beside(percent, cells(Written::range_cell)).aligned_at('–')]
}

/// The baseline's ratio is 1 by definition: no figure, no interval.
fn blank_baseline(mut columns: [Column; 2], order: &[usize], baseline: usize) -> [Column; 2] {
    if let Some(row) = order.iter().position(|&index| index == baseline) {
        for column in &mut columns {
            column.cells[row] = Cell::default();
        }
    }
    columns
}

/// The confidence that the estimates state, as a heading.
pub(crate) fn confidence(summaries: &[Option<&VariantSummary>]) -> String {
    let stated = summaries.iter().flatten().map(|summary| summary.time_ns.confidence).next().unwrap_or(0.95);
    format!("{} %", (stated * 1000.0).round() / 10.0)
}

fn calls(comparison: &Comparison, index: usize) -> Cell {
    let Some(pass) = pass(comparison, index) else { return NONE.to_owned().into() };
    let calls = pass.calls_per_operation();
    Cell::figure(per_operation(calls, pass.is_exact()), calls)
}

/// Why a time or an interval is missing.
pub(crate) fn missing(page: &mut Page, comparison: &Comparison, labels: &[String]) {
    let without: Vec<_> = comparison.summaries.iter().filter_map(Reading::value).collect();
    let open: Vec<_> = without.iter().filter(|summary| summary.time_ns.interval().is_none()).collect();
    if let Some(forks) = open.iter().map(|summary| summary.time_ns.forks).max() {
        let text = format!("no interval yet (-): {}", too_few(forks));
        page.hanging("  ", 4, Ink::Plain, &text);
    }
    for (label, summary) in labels.iter().zip(&comparison.summaries) {
        if let Reading::Unavailable(reason) = summary {
            page.hanging("  ", 4, Ink::Plain, &format!("no time for {label}: {reason}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::TextOptions;

    fn column(heading: &str, wide: usize) -> [Column; 2] {
        [Column::right(heading, vec!["9".repeat(wide)]), Column::beside("95 %", vec!["8".repeat(wide)])]
    }

    #[test]
    fn columns_that_do_not_fit_make_a_second_table_and_intervals_stay_with_values() {
        let mut page = Page::new(&TextOptions::default());
        let columns = [column("one", 20), column("two", 20)].concat();
        rows(&mut page, &["m".to_owned()], &columns, &[Statement::Slower]);
        let text = page.finish();
        let tables: Vec<_> = text.lines().filter(|line| line.contains("95 %")).collect();
        assert_eq!(tables.len(), 2, "{text}");
        assert!(tables[0].contains("one") && tables[1].contains("two"), "{text}");
        assert_eq!(text.matches("+ m").count(), 1, "{text}");
    }

    #[test]
    fn a_name_that_would_be_cut_too_short_has_a_line_of_its_own() {
        let shown = |wide| {
            let mut page = Page::new(&TextOptions::default());
            let name = "go:os.Open+bufio+io.ReadAll".to_owned();
            rows(&mut page, &[name], &column("one", wide), &[Statement::Faster]);
            page.finish()
        };
        assert!(shown(24).contains("- go:os.Open+bufio+io.ReadAll  999"), "{}", shown(24));
        assert!(shown(26).contains("- go:os.Open+…+io.ReadAll  999"), "{}", shown(26));
        assert!(shown(30).contains("- go:os.Open+bufio+io.ReadAll\n"), "{}", shown(30));
    }
}
