//! The words of `fathom export`.

use super::Redaction;
use crate::completion;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(crate) const EXPORT_EXAMPLES: &str = "\
Examples:
  fathom export record.json --format markdown
  fathom export old.json --format benchfmt -o old.txt
  fathom export new.json --format benchfmt -o new.txt      then: benchstat old.txt new.txt
  fathom export record.json --format csv -o record.csv
  fathom export record.json --format junit -o report.xml
  fathom export record.json --format parquet -o samples.parquet      every sample, for data frames
  fathom export record.json --format parquet --into data             added to a collection of many
  fathom export app.events --format perfetto -o app.pftrace          then open it in ui.perfetto.dev
  fathom export app.events --format parquet -o events.parquet        every call, for data frames

Names are made of a variant's own facts (experiment, method, place, sizes, settings, cache state) that
are not as usual: the same variant has the same name in every record. docs/exporting.md says what each form carries.
Of events (`fathom trace -o app.events -- CMD`): perfetto, chrome, speedscope, parquet, strace;
docs/events-out.md says what is in each.";

/// Arguments of `fathom export`.
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// A record written by `fathom bench`, or a file of events written by `fathom trace`; `-` reads events
    /// from standard input
    #[arg(add = completion::records())]
    pub(crate) record: PathBuf,

    /// The form to write
    #[arg(long, value_enum)]
    pub(crate) format: ExportForm,

    /// Write here instead of to standard output; replaces what is there. Of events, a name that ends in .gz
    /// is packed by gzip (not parquet)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Add files to the collection in this folder instead, by date, host and experiment (parquet): a record's,
    /// a file of events', or a kept run's of `fathom track` (RUN.jsonl)
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub(crate) into: Option<PathBuf>,

    /// The machine's name in the collection, where a file does not have it
    #[arg(long, value_name = "NAME", requires = "into")]
    pub(crate) host: Option<String>,

    /// Of events: do not judge them, and mark no findings
    #[arg(long)]
    pub(crate) no_findings: bool,

    #[command(flatten)]
    pub(crate) redaction: Redaction,
}

/// The forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportForm {
    /// Go's benchmark format: a line per fork, for benchstat
    Benchfmt,
    /// A row per variant, with units in the headings
    Csv,
    /// Tables of times and of system calls, for a pull request
    Markdown,
    /// customSmallerIsBetter JSON
    GithubActionBenchmark,
    /// Gauges for Prometheus and its relatives
    #[value(name = "openmetrics")]
    OpenMetrics,
    /// Bencher's metric format (JSON), intervals as bounds
    Bencher,
    /// Hyperfine's JSON, version 1
    Hyperfine,
    /// A test report: a case per variant
    Junit,
    /// A row per sample, or of events a row per call, for data frames and SQL; not text
    Parquet,
    /// Events: Perfetto's trace (protobuf), for ui.perfetto.dev and its trace processor; not text
    Perfetto,
    /// Events: Chrome's trace event JSON
    Chrome,
    /// Events: speedscope's JSON, a profile per thread
    Speedscope,
    /// Events: what strace prints
    Strace,
}
