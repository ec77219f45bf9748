//! The course of one run: a table of a few rows, and a picture per series.

use super::picture::picture;
use super::series::{SERIES, Series, When};
use crate::columns::{Column, lines};
use crate::page::{Ink, Page};
use crate::quantity::{NONE, number};
use crate::wrap::width;
use fathom_model::{LongRun, TimelinePoint};

/// Rows of the table in brief.
const ROWS: usize = 12;
/// A table of a run so short would only repeat the pictures.
const TABLE_FROM_MS: f64 = 1000.0;
/// Columns of a picture, and of what stands before and after it.
const PICTURE_COLUMNS: usize = 38;
const INDENT: usize = 4;

/// Pictures of what is not always nothing, and the table where the run is long enough.
pub(super) fn render(page: &mut Page, run: &LongRun, writes: bool) {
    let is_full = page.is_full();
    let spans: Vec<_> = run.points.windows(2).collect();
    let (mut nothing, mut in_table) = (Vec::new(), Vec::new());
    for series in SERIES.iter().filter(|series| is_full || series.when.is_of(writes)) {
        let values: Vec<f64> = spans.iter().filter_map(|span| (series.value)(run, span)).collect();
        let most = values.iter().copied().fold(0.0, f64::max);
        if values.is_empty() {
            continue;
        }
        if most <= 0.0 {
            nothing.push(series.name);
            continue;
        }
        if is_full || series.when != When::Bytes {
            let drawn = picture(&values, most, PICTURE_COLUMNS);
            let line = format!("    {:<20} {drawn}  to {}", series.name, (series.written)(most));
            page.row(&line, "", Ink::Plain);
        }
        if is_full || series.when != When::Operations || run.bytes == 0 {
            in_table.push(series);
        }
    }
    if !nothing.is_empty() {
        page.hanging("    ", 6, Ink::Plain, &format!("nothing at any time: {}", nothing.join("; ")));
    }
    let lasted_ms = run.points.last().map_or(0.0, |last| last.at_ms);
    if is_full || lasted_ms >= TABLE_FROM_MS {
        let rows = if is_full { spans } else { rows_of(&run.points, ROWS) };
        table(page, run, &rows, &in_table);
    }
}

/// The points cut into rows that last equally long, each with the last point of the row before.
fn rows_of(points: &[TimelinePoint], rows: usize) -> Vec<&[TimelinePoint]> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec::new() };
    let mut cut = Vec::new();
    let mut from = 0;
    for row in 1..=rows {
        let until_ms = first.at_ms + (last.at_ms - first.at_ms) * row as f64 / rows as f64;
        let to = points.iter().rposition(|point| point.at_ms <= until_ms).unwrap_or(from);
        let to = if row == rows { points.len() - 1 } else { to };
        if to > from {
            cut.push(&points[from..=to]);
            from = to;
        }
    }
    cut
}

fn table(page: &mut Page, run: &LongRun, rows: &[&[TimelinePoint]], shown: &[&Series]) {
    let until = |row: &&[TimelinePoint]| row.last().map_or(0.0, |point| point.at_ms);
    let decimals = usize::from(rows.last().map_or(0.0, until) < 100_000.0);
    let decimals = if rows.len() > ROWS { 3 } else { decimals };
    let ends = rows.iter().map(|row| number(until(row) / 1000.0, decimals)).collect();
    let mut columns = vec![Column { gap: 0, ..Column::right("until s", ends) }];
    for series in shown {
        let cell = |row: &&[TimelinePoint]| (series.value)(run, row).map_or(NONE.to_owned(), series.written);
        let mut column = Column::right(series.heading, rows.iter().map(cell).collect());
        column.gap = 2;
        columns.push(column);
    }
    while columns.len() > 1 {
        let fits = |count: &usize| {
            lines(&columns[..*count]).first().is_some_and(|line| width(line) + INDENT <= page.width())
        };
        let count = (2..=columns.len()).rev().find(fits).unwrap_or(2);
        page.blank();
        for line in lines(&columns[..count]) {
            page.row(&format!("{:INDENT$}{line}", ""), "", Ink::Plain);
        }
        columns.drain(1..count);
    }
    let text = "of each row: rates and pressure (share of the time in which some task of the machine waited) \
                on average, dirty and writeback at their most";
    page.hanging("    ", 6, Ink::Faint, text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Details, TextOptions};
    use fathom_model::Latency;
    use unicode_width::UnicodeWidthStr;

    /// A second per point: ten operations of 1 MiB each second, then a pause.
    fn run(seconds: u32) -> LongRun {
        let point = |second: u32| TimelinePoint {
            at_ms: f64::from(second) * 1000.0,
            operations: u64::from(second.min(20)) * 10,
            dirty_bytes: Some(u64::from(second) << 20),
            writeback_bytes: Some(0),
            device_written_bytes: Some(u64::from(second) << 22),
            device_read_bytes: None,
            cpu_pressure: (second > 0).then_some(0.25),
            io_pressure: (second > 0).then_some(if second.is_multiple_of(2) { 1.0 } else { 0.0 }),
            memory_pressure: None,
        };
        let latency =
            Latency { n: 200, p50_ns: 1, p90_ns: 1, p99_ns: 1, p999_ns: 1, p9999_ns: 1, most_ns: 1 };
        LongRun {
            variant: 0,
            operations: 200,
            bytes: 200 << 20,
            ns: 20_000_000_000,
            latency,
            points: (0..=seconds).map(point).collect(),
            notes: Vec::new(),
        }
    }

    fn shown(run: &LongRun, details: Details) -> String {
        let mut page = Page::new(&TextOptions { details, ..TextOptions::default() });
        render(&mut page, run, true);
        page.finish()
    }

    #[test]
    fn rows_cover_the_run_without_gaps() {
        for seconds in [1, 3, 11, 12, 13, 100] {
            let points = run(seconds).points;
            let rows = rows_of(&points, ROWS);
            assert!(rows.len() <= ROWS && !rows.is_empty(), "{seconds}");
            assert_eq!(rows[0].first(), points.first());
            assert_eq!(rows[rows.len() - 1].last(), points.last());
            assert!(rows.windows(2).all(|pair| pair[0].last() == pair[1].first()), "{seconds}");
        }
        assert!(rows_of(&[], ROWS).is_empty());
    }

    #[test]
    fn each_row_has_its_rates_states_and_shares() {
        let run = run(24);
        let rows = rows_of(&run.points, ROWS);
        let values = |heading: &str| -> Vec<Option<f64>> {
            let series = SERIES.iter().find(|series| series.heading == heading).unwrap();
            rows.iter().map(|row| (series.value)(&run, row)).collect()
        };
        assert_eq!(values("ops/s")[..2], [Some(10.0), Some(10.0)]);
        assert_eq!(values("ops/s")[11], Some(0.0));
        assert_eq!(values("bytes/s")[0], Some(10.0 * f64::from(1 << 20)));
        assert_eq!(values("dirty")[0], Some(f64::from(2 << 20)));
        assert_eq!(values("io"), [Some(0.5); 12]);
        assert_eq!(values("dev. rd/s"), [None; 12]);
    }

    #[test]
    fn a_run_that_reads_says_nothing_of_dirty_pages_but_in_full() {
        let of_reading = |details| {
            let mut page = Page::new(&TextOptions { details, ..TextOptions::default() });
            render(&mut page, &run(24), false);
            page.finish()
        };
        let brief = of_reading(Details::Brief);
        assert!(!brief.contains("dev. wr/s") && brief.contains("io"), "{brief}");
        assert!(of_reading(Details::Full).contains("dirty, machine-wide"));
    }

    #[test]
    fn what_is_unknown_has_no_line_and_what_never_happened_shares_one() {
        let text = shown(&run(24), Details::Brief);
        assert!(text.contains("nothing at any time: in writeback"), "{text}");
        assert!(!text.contains("memory") && !text.contains("reads"), "{text}");
        assert!(text.contains("operations/s") && text.contains("  to 10"), "{text}");
        assert!(text.lines().count() < 30, "{text}");
        assert!(shown(&run(24), Details::Full).lines().count() > text.lines().count());
    }

    #[test]
    fn lines_fit_on_a_page() {
        for (seconds, details) in [(3, Details::Brief), (24, Details::Brief), (90, Details::Full)] {
            let mut run = run(seconds);
            for (index, point) in run.points.iter_mut().enumerate() {
                let index = index as u64;
                point.operations = index * 12_345_678;
                point.writeback_bytes = Some(index * 1_111_111);
                point.device_read_bytes = Some(index * 1_999_999_999);
                point.memory_pressure = Some(0.123);
            }
            let text = shown(&run, details);
            assert!(text.lines().all(|line| line.width() <= 80), "{text}");
        }
    }
}
