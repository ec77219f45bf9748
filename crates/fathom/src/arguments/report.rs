//! The words of `fathom report`.

use super::Redaction;
use crate::completion;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(crate) const REPORT_EXAMPLES: &str = "\
Examples:
  fathom report record.json -o report.html
  fathom report one.json two.json -o report.html      several records in one page
  fathom report new.json --before old.json -o change.html
  fathom report record.json --format md -o report.md
  fathom report record.json audit.json -o report.html    with what a program wastes behind it
  fathom report --from 'data/records/**/*.parquet' -o all.html    many hosts' records in one page
  fathom report --last -o report.html     the newest record

The page is one file: it loads nothing, and the records are inside, compressed, for its readers to
save. `fathom show report.html` and every command that reads a record takes it from there.";

/// Arguments of `fathom report`.
#[derive(Debug, Args)]
pub(crate) struct Report {
    /// Records written by `fathom bench`, `verify` or `compare`, audits as JSON, or pages with one inside
    #[arg(required_unless_present_any = ["last", "from"], value_name = "RECORD", add = completion::records())]
    pub(crate) records: Vec<PathBuf>,

    /// The records of a collection (`fathom export --into`): the files of its table `records`, by a pattern or
    /// their folder
    #[arg(long, value_name = "PATTERN")]
    pub(crate) from: Option<String>,

    /// With --from: a section for each record however many there are, instead of a survey of more than 200
    #[arg(long, requires = "from")]
    pub(crate) each: bool,

    /// The newest record among those that were not written elsewhere with -o
    #[arg(long, conflicts_with_all = ["records", "from"])]
    pub(crate) last: bool,

    /// Put this older record beside the last one: how calls and times changed
    #[arg(long, value_name = "RECORD")]
    pub(crate) before: Option<PathBuf>,

    /// The form to write
    #[arg(long, value_enum, default_value_t = ReportForm::Html)]
    pub(crate) format: ReportForm,

    /// Write here instead of to standard output; replaces what is there
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) redaction: Redaction,
}

/// The forms of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportForm {
    /// One page with pictures, readable without JavaScript
    Html,
    /// The same content as Markdown, without pictures
    #[value(alias = "markdown")]
    Md,
}
