//! The calls of a command as text: the table of calls, the prices, the processes.
//! Times that passed under the tracer are nowhere given as costs.

mod counters;
mod processes;
mod table;

use crate::export_error::ExportError;
use crate::options::TextOptions;
use crate::page::{Ink, Page};
use crate::quantity::things;
use crate::table_text::{TableForm, TextTable};
use fathom_model::{CallOutcome, CommandCount, Cut, ProcessEnd, Reading};
use std::collections::BTreeMap;

/// What the calls are told apart by, beside their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountBy {
    /// One table, and a line per process.
    Command,
    /// Also the calls of each process.
    Process,
    /// Also the calls of each thread.
    Thread,
}

/// Renders the calls of a command for a terminal. Pure.
pub fn render_command_count(count: &CommandCount, by: CountBy, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    heading(&mut page, count);
    page.blank();
    table::render(&mut page, count);
    page.blank();
    processes::render(&mut page, count, by);
    counters::render(&mut page, count);
    for warning in &count.warnings {
        page.blank();
        page.hanging("note      ", 10, Ink::Plain, &warning.message);
    }
    page.blank();
    page.paragraph(0, Ink::Faint, &count.exactness);
    page.finish()
}

/// The calls of a command as one table, by name and outcome. Pure.
///
/// # Errors
///
/// Those of writing CSV.
pub fn command_count_table(count: &CommandCount, form: TableForm) -> Result<String, ExportError> {
    let sums = calls_by_outcome(count);
    let row = |((call, outcome), (calls, bytes)): ((&str, String), (u64, u64))| {
        vec![call.to_owned(), outcome, calls.to_string(), bytes.to_string()]
    };
    let mut rows: Vec<_> = sums.into_iter().map(row).collect();
    if count.cut.is_some() {
        let cut = "cut short: counts are lower bounds".to_owned();
        rows.push(vec!["(all)".to_owned(), cut, String::new(), String::new()]);
    }
    TextTable {
        header: vec!["call", "outcome", "calls", "bytes"],
        figures: vec![false, false, true, true],
        rows,
    }
    .written(form)
}

/// Calls and the bytes they moved, by name and outcome; the outcome of a success is empty.
pub(crate) fn calls_by_outcome(count: &CommandCount) -> BTreeMap<(&str, String), (u64, u64)> {
    let mut sums: BTreeMap<(&str, String), (u64, u64)> = BTreeMap::new();
    for call in &count.conditions {
        let outcome = match &call.outcome {
            CallOutcome::Succeeded => String::new(),
            CallOutcome::Failed(errno) => errno.clone(),
            CallOutcome::NeverReturned => "never returned".to_owned(),
        };
        let sum = sums.entry((&call.call, outcome)).or_default();
        *sum = (sum.0 + call.count, sum.1 + call.bytes);
    }
    sums
}

/// The end of a process in few words.
pub(crate) fn end(end: &ProcessEnd) -> String {
    match end {
        ProcessEnd::Exited(code) => format!("exit {code}"),
        ProcessEnd::Killed(signal) => signal.clone(),
        ProcessEnd::Unknown => "unknown".to_owned(),
    }
}

fn heading(page: &mut Page, count: &CommandCount) {
    let calls: u64 = count.sums().values().map(|sum| sum.calls).sum();
    let of = match (count.processes.len(), count.threads() as u64) {
        (1, 1) => "1 process".to_owned(),
        (1, threads) => format!("1 process, {}", things(threads, "thread")),
        (processes, threads) => format!("{processes} processes, {}", things(threads, "thread")),
    };
    page.paragraph(0, Ink::Heading, &format!("Calls of `{}`", count.command.join(" ")));
    let ended = count.processes.first().map_or_else(|| "unknown".to_owned(), |process| end(&process.end));
    page.fact("calls", &format!("{}, every one counted; {of}", things(calls, "call")));
    page.fact("ended", &ended);
    let bound = count.cpu.map(|cpu| format!(", bound to CPU {cpu}")).unwrap_or_default();
    let ran = format!("{:.2} s under the tracer{bound}: not the command's own time", count.traced_seconds);
    page.fact("ran", &ran);
    match &count.cut {
        Some(Cut::Interrupted(signal)) => {
            page.fact("cut", &format!("interrupted by {signal}: what was called until the end is counted"));
        }
        Some(Cut::TimeLimit(seconds)) => {
            page.fact("cut", &format!("killed at the limit of {seconds} s: counted until then"));
        }
        None => {}
    }
    match &count.prices {
        Reading::Value(prices) => {
            let place = &prices.place;
            let list = format!(
                "untraced, of {} on {}, taken {} ({})",
                place.place,
                place.file_system,
                prices.created,
                prices.file.display()
            );
            page.fact("prices", &list);
        }
        Reading::Unavailable(reason) => page.fact("prices", &format!("none: {reason}")),
    }
}

#[cfg(test)]
mod tests;
