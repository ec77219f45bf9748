//! Counts and times over commits: the files of kept runs, their history, and how it is told.

mod document;
mod history;
mod lines;
mod parquet;
pub(crate) mod sentence;

pub use history::{
    ChangePoint, ClassRow, CountRow, MetricLine, MetricPoint, TRACK_REPORT_VERSION, TrackReport,
    TrackReportKind, TrackedCommit, WhatChanged, Work, track_report,
};
pub use lines::{TrackedRunError, read_tracked_run, tracked_run_lines};
pub use parquet::tracked_run_parquet;

use crate::html::{self, Attachment};
use crate::markdown::{self, Purpose};
use crate::options::TextOptions;
use crate::page::{Ink, Page};
use crate::quantity::things;
use crate::report::{ReportError, packed_json};

/// Lines of the text in brief.
const LINES: usize = 25;
/// Lines that stand below the changes in brief: what is more, notes, what to do.
const LINES_BELOW: usize = 6;
/// Notes in brief.
const NOTES: usize = 2;
/// Rows of a table in a comment.
const ROWS_IN_COMMENT: usize = 50;

/// As text. Pure.
pub fn render_track_report(report: &TrackReport, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    page.paragraph(0, Ink::Heading, &sentence::verdict(report));
    page.blank();
    page.fact("store", &sentence::store(report));
    let mut shown = 0;
    for change in &report.changes {
        let mut part = Page::new(options);
        part.paragraph(0, Ink::Plain, &format!("{}: {}", sentence::commit(change), sentence::change(change)));
        for line in sentence::details(change, if page.is_full() { usize::MAX } else { 3 }) {
            part.paragraph(2, Ink::Faint, &line);
        }
        if !page.is_full() && page.line_count() + part.line_count() > LINES - LINES_BELOW {
            break;
        }
        page.append(&part, usize::MAX);
        shown += 1;
    }
    if shown < report.changes.len() {
        let more = things((report.changes.len() - shown) as u64, "older change");
        page.paragraph(1, Ink::Faint, &format!("and {more}: --full"));
    }
    let notes = if page.is_full() { report.notes.len() } else { NOTES };
    for note in report.notes.iter().take(notes) {
        page.paragraph(2, Ink::Plain, &format!("note: {note}"));
    }
    if notes < report.notes.len() {
        let more = things((report.notes.len() - notes) as u64, "more note");
        page.paragraph(1, Ink::Faint, &format!("and {more}: --full"));
    }
    page.fact("next", &sentence::next(report));
    page.finish()
}

/// For a comment. Pure.
pub fn track_report_markdown(report: &TrackReport) -> String {
    markdown::render(&document::document(report, ROWS_IN_COMMENT), Purpose::Comment)
}

/// As one page that needs nothing else, with all figures inside. Pure.
///
/// # Errors
///
/// Those of compressing what is inside.
pub fn track_report_html(report: &TrackReport) -> Result<String, ReportError> {
    let attachment: Attachment = packed_json("track-report.json", "every line and every change", report)?;
    Ok(html::render(&document::document(report, usize::MAX), &[attachment]))
}

#[cfg(test)]
mod tests;
