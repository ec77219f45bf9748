//! Renders records, price lists and counts: text for the terminal, other programs'
//! forms, flame graphs.
//!
//! **Invariant:** pure. Nothing here opens a file, reads a clock or asks the
//! environment: the width and the use of color are the caller's to decide. And
//! nothing here estimates: every interval comes from the record, or
//! from `stats`.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests may read the files that they hold something against")
)]

mod answer;
mod audit;
mod audit_comment;
mod bisection;
mod brief;
mod call_cost;
mod change;
mod chart;
mod columns;
mod command_comparison;
mod command_count;
mod command_ranking;
mod compare;
mod decide;
mod document;
mod embedding;
mod equal_calls;
mod event_export;
mod export;
mod export_error;
mod figures;
mod flame_graph;
mod floor;
mod html;
mod identity;
mod label;
mod live;
mod live_calls;
mod markdown;
mod measurement;
mod options;
mod page;
mod palette;
#[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "columns are described and never written"))]
mod parquet_table;
mod pictures;
mod prices;
mod published;
mod quantity;
mod record_text;
mod redact;
mod report;
mod request_steps;
mod standing;
mod statement;
mod summary;
mod survey;
mod table_text;
mod text;
mod timeline_text;
mod track;
mod validity;
mod verdicts;
mod visible;
mod volume;
mod what_if;
mod wrap;
mod write_ups;
mod written;

pub use audit::{
    audit_csv, audit_difference_table, audit_sarif, call_tree_csv, file_waits_in_words, latencies_csv,
    latencies_in_words, render_audit, render_audit_difference, render_audit_lines, render_audit_rules,
    render_call_tree, unmet_budgets, waits_in_words,
};
pub use audit_comment::audit_markdown;
pub use bisection::{bisection_markdown, render_bisection};
pub use brief::render_brief;
pub use call_cost::{call_cost_csv, call_cost_html, call_cost_markdown, render_call_cost};
pub use change::{change_csv, change_html, change_markdown, render_change_report};
pub use command_comparison::render_commands;
pub use command_count::{CountBy, command_count_table, render_command_count};
pub use command_ranking::{ranked_table, render_ranked};
pub use compare::{commands_table, record_comparison_table, render_record_comparison};
pub use decide::{decision_markdown, decision_matrix_markdown, render_decision, render_decision_matrix};
pub use document::audit::AuditSource;
pub use document::report::ReportSource;
pub use embedding::{embedded_records, expand, is_compressed};
pub use event_export::{
    EventExportError, EventExporter, EventFormat, EventSource, EventSurvey, EventSurveyor, EventsWritten,
    FindingMarks, event_passes, export_events,
};
pub use export::collection::{
    DataFile, RecordPart, data_path, join_record_parts, read_record_parts, record_files, tracked_run_files,
};
pub use export::record_name::data_name;
pub use export::{ExportFormat, Exported, export};
pub use export_error::ExportError;
pub use figures::{
    FigureForm, audit_difference_figures, audit_figures, command_count_figures, commands_figures,
    record_comparison_figures,
};
pub use flame_graph::{DrawError, FlameGraph, flame_graphs, missing_stacks};
pub use live::{
    LiveClock, LiveNoise, LiveState, LiveTimes, OneOf, Pass, Position, Screen, TimeLeft, render_live,
    render_live_line,
};
pub use live_calls::render_live_calls;
pub use options::{Details, TextOptions};
pub use parquet_table::{TableError, require_parquet};
pub use pictures::{PictureSheet, RecordPictures, record_pictures};
pub use prices::render_prices;
pub use record_text::render_text;
pub use redact::{Identity, REDACTED, Redactor};
pub use report::{ReportError, report_html, report_markdown};
pub use summary::render_summary;
pub use survey::Survey;
pub use table_text::TableForm;
pub use track::{
    ChangePoint, ClassRow, CountRow, MetricLine, MetricPoint, TRACK_REPORT_VERSION, TrackReport,
    TrackReportKind, TrackedCommit, TrackedRunError, WhatChanged, Work, read_tracked_run,
    render_track_report, track_report, track_report_html, track_report_markdown, tracked_run_lines,
    tracked_run_parquet,
};
pub use validity::{validity_hint, validity_sentence};
pub use verdicts::{found_of_claim, render_budgets, render_verdicts, verdicts_as_junit, verdicts_table};
pub use visible::{visible_json, visible_lines, visible_styled};
pub use what_if::{render_what_if, what_if_csv, what_if_html, what_if_markdown};
pub use write_ups::{
    VerifiedStatement, VerifiedWriteUp, VerifiedWriteUps, WRITE_UPS_VERSION, render_write_ups,
    write_ups_as_junit, write_ups_table,
};
