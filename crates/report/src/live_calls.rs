//! What `fathom top` shows: calls of running processes, those that waited longest first.

use crate::live::Screen;
use crate::quantity::{NONE, grouped, short_time, things, three_digits};
use crate::visible::visible;
use crate::wrap::{elide, width};
use fathom_model::{LiveCalls, LiveRow, LiveTarget};

/// A name of a program takes no more columns than the kernel keeps letters of it.
const PROGRAM_MOST: usize = 16;
const CALL_MOST: usize = 16;
/// Of a directory at least so much is shown, else columns are left out.
const DIRECTORY_LEAST: usize = 24;

/// The lines of what was counted in a stretch of time: each fits beside the cursor, and all fit above it.
/// `interval` is what was counted since the view before, or the whole.
pub fn render_live_calls(interval: &LiveCalls, screen: Screen) -> Vec<String> {
    let columns = screen.columns.saturating_sub(1);
    let most = screen.rows.saturating_sub(1);
    let mut lines = head(interval);
    let room = most.saturating_sub(lines.len() + 1);
    let mut rows = table(interval, columns, room);
    if interval.rows.is_empty() {
        rows = vec!["no calls".to_owned()];
    }
    lines.append(&mut rows);
    lines.iter().take(most).map(|line| elide(&visible(line), columns)).collect()
}

fn head(calls: &LiveCalls) -> Vec<String> {
    let seconds = calls.seconds.max(1e-9);
    let sum = |count: fn(&LiveRow) -> u64| calls.rows.iter().map(count).sum::<u64>();
    let (all, failed) = (sum(|row| row.calls), sum(|row| row.failed));
    let rates = [
        format!("{} calls/s", rate(all, seconds)),
        format!("{} failed/s", rate(failed, seconds)),
        format!("waited {} per s", short_time(sum(|row| row.waited_ns) as f64 / seconds)),
        format!("Fathom {:.1} % of a CPU", 100.0 * calls.own_cpu_seconds / seconds),
    ];
    let mut lines = vec![calls.subject.clone(), rates.join(" · ")];
    if calls.uncounted > 0 {
        lines.push(format!(
            "not counted: {}, the table in the kernel was full",
            things(calls.uncounted, "call")
        ));
    }
    if calls.foreign > 0 {
        lines.push(format!("not told apart: {} of 32-bit programs", things(calls.foreign, "call")));
    }
    lines
}

/// A table's column: its heading, and what it says of a row in a stretch of so many seconds.
struct Column {
    heading: &'static str,
    text: fn(&LiveRow, f64) -> String,
    /// The narrower the terminal the fewer: those of higher numbers go first.
    rank: u8,
    is_number: bool,
}

const COLUMNS: [Column; 8] = [
    Column {
        heading: "wait/s",
        text: |row, seconds| time(row.waited_ns as f64 / seconds),
        rank: 0,
        is_number: true,
    },
    Column { heading: "calls/s", text: |row, seconds| rate(row.calls, seconds), rank: 0, is_number: true },
    Column {
        heading: "failed/s",
        text: |row, seconds| or_none(row.failed, rate(row.failed, seconds)),
        rank: 2,
        is_number: true,
    },
    Column { heading: "p50", text: |row, _| quantile(row.p50_ns), rank: 1, is_number: true },
    Column { heading: "p99", text: |row, _| quantile(row.p99_ns), rank: 0, is_number: true },
    Column { heading: "call", text: |row, _| elide(&row.call, CALL_MOST), rank: 0, is_number: false },
    Column {
        heading: "program",
        text: |row, _| elide(&row.program, PROGRAM_MOST),
        rank: 0,
        is_number: false,
    },
    Column { heading: "pid", text: |row, _| row.process.to_string(), rank: 3, is_number: true },
];

fn table(calls: &LiveCalls, columns: usize, room: usize) -> Vec<String> {
    let seconds = calls.seconds.max(1e-9);
    let has_others = calls.rows.len() > room;
    let shown = &calls.rows[..calls.rows.len().min(if has_others { room.saturating_sub(1) } else { room })];
    let is_one = calls.rows.iter().all(|row| row.process == calls.rows[0].process);
    let texts = |column: &Column| -> Vec<String> {
        std::iter::once(column.heading.to_owned())
            .chain(shown.iter().map(|row| (column.text)(row, seconds)))
            .collect()
    };
    let mut kept: Vec<(&Column, Vec<String>)> = COLUMNS
        .iter()
        .filter(|column| !(is_one && ["program", "pid"].contains(&column.heading)))
        .map(|column| (column, texts(column)))
        .collect();
    let taken =
        |kept: &[(&Column, Vec<String>)]| kept.iter().map(|(_, texts)| widest(texts) + 2).sum::<usize>();
    for rank in (1..=3).rev() {
        if taken(&kept) + DIRECTORY_LEAST > columns {
            kept.retain(|(column, _)| column.rank != rank);
        }
    }
    let directory_room = columns.saturating_sub(taken(&kept)).max(1);
    let mut lines: Vec<String> = (0..=shown.len())
        .map(|line| {
            let mut text = String::new();
            for (column, texts) in &kept {
                let cell = &texts[line];
                let blanks = " ".repeat(widest(texts) - width(cell));
                text += &if column.is_number { blanks + cell } else { cell.clone() + &blanks };
                text += "  ";
            }
            let directory = line.checked_sub(1).map_or("directory".to_owned(), |row| place(&shown[row]));
            text + &elide(&visible(&directory), directory_room)
        })
        .collect();
    if has_others {
        lines.push(format!("… {} more", grouped((calls.rows.len() - shown.len()) as u64)));
    }
    lines
}

/// Where its files are, in words.
fn place(row: &LiveRow) -> String {
    let unknown = match row.target {
        LiveTarget::File => "(a file without a name)",
        LiveTarget::Socket => "(socket)",
        LiveTarget::Pipe => "(pipe)",
        LiveTarget::Device => "(device)",
        LiveTarget::Anonymous => "(no file)",
        LiveTarget::Unknown => "(not known)",
    };
    row.directory.clone().unwrap_or_else(|| unknown.to_owned())
}

fn widest(texts: &[String]) -> usize {
    texts.iter().map(|text| width(text)).max().unwrap_or(0)
}

fn rate(count: u64, seconds: f64) -> String {
    let rate = count as f64 / seconds;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a count of calls in a second"
    )]
    if rate >= 99.95 { grouped(rate.round() as u64) } else { three_digits(rate) }
}

fn or_none(count: u64, text: String) -> String {
    if count == 0 { NONE.to_owned() } else { text }
}

fn time(ns: f64) -> String {
    if ns == 0.0 { NONE.to_owned() } else { short_time(ns) }
}

/// A bucket's end, in as few digits as it is known to.
fn quantile(ns: Option<u64>) -> String {
    ns.map_or(NONE.to_owned(), |ns| short_time(ns as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(process: u32, call: &str, directory: &str, calls: u64, waited_ns: u64) -> LiveRow {
        LiveRow {
            process,
            program: "postgres".to_owned(),
            call: call.to_owned(),
            target: LiveTarget::File,
            directory: Some(directory.to_owned()),
            mount: Some("/".to_owned()),
            file_system: Some("ext4".to_owned()),
            calls,
            failed: calls / 100,
            untimed: 0,
            took_ns: 2 * waited_ns,
            waited_ns,
            p50_ns: Some(1280),
            p90_ns: Some(2048),
            p99_ns: Some(6_291_456),
            longest_ns: Some(6_291_456),
        }
    }

    fn calls(rows: Vec<LiveRow>) -> LiveCalls {
        LiveCalls {
            schema_version: 1,
            fathom_version: "1".to_owned(),
            created: "now".to_owned(),
            subject: "process 4242 (postgres) and its children".to_owned(),
            seconds: 2.0,
            is_over: false,
            uncounted: 0,
            foreign: 0,
            own_cpu_seconds: 0.01,
            rows,
        }
    }

    fn screen(columns: usize, rows: usize) -> Screen {
        Screen { columns, rows, color: false }
    }

    #[test]
    fn every_width_and_height_holds_what_is_shown() {
        let long = "/var/lib/postgresql/17/main/base/16384/a-directory-with-a-long-name";
        let many = (0..40).map(|number| row(4242 + number, "fdatasync", long, 5000, 700_000_000));
        let calls = calls(many.collect());
        for columns in [1, 20, 40, 80, 120, 200] {
            for rows in [1, 2, 3, 10, 24, 60] {
                let lines = render_live_calls(&calls, screen(columns, rows));
                assert!(lines.len() < rows.max(2), "{columns} {rows}: {lines:#?}");
                assert!(lines.iter().all(|line| width(line) < columns.max(2)), "{columns}: {lines:#?}");
            }
        }
    }

    #[test]
    fn the_table_says_rates_waits_and_quantiles() {
        let one = calls(vec![
            row(4242, "fsync", "/srv/data", 240, 1_600_000_000),
            row(4242, "read", "/srv/data", 96_000, 0),
        ]);
        let lines = render_live_calls(&one, screen(80, 24));
        assert_eq!(
            lines,
            [
                "process 4242 (postgres) and its children",
                "48,120 calls/s · 481 failed/s · waited 800 ms per s · Fathom 0.5 % of a CPU",
                "wait/s  calls/s  failed/s      p50      p99  call   directory",
                "800 ms      120      1.00  1280 ns  6.29 ms  fsync  /srv/data",
                "     -   48,000       480  1280 ns  6.29 ms  read   /srv/data",
            ]
        );
        let nothing = render_live_calls(&calls(Vec::new()), screen(80, 24));
        assert_eq!(nothing.last().map(String::as_str), Some("no calls"));
    }

    #[test]
    fn what_is_not_counted_is_said() {
        let lost = LiveCalls { uncounted: 7, foreign: 1, ..calls(Vec::new()) };
        let text = render_live_calls(&lost, screen(80, 24)).join("\n");
        assert!(text.contains("not counted: 7 calls, the table in the kernel was full"), "{text}");
        assert!(text.contains("not told apart: 1 call of 32-bit programs"), "{text}");
    }
}
