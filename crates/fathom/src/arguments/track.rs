//! The words of `fathom track`.

use super::Redaction;
use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

pub(crate) const TRACK_EXAMPLES: &str = "\
Examples:
  fathom track add --store counts
  fathom track add --branch fathom-counts --times 5
  fathom track add --store counts --from app.events --commit HEAD~1
  fathom track add --store counts -- cat a.txt
  fathom track report --store counts
  fathom track report --store counts -o page.html
  fathom track report --branch fathom-counts -o history.md

`add` runs the commands of .fathom.toml ([[command]], as for `fathom ci`) in the work tree as it is, already
built, and keeps their counts under the commit that is checked out. Each run is a file of its own, as lines of JSON
and as Parquet. `report` shows the first-parent line of HEAD, or of --ref.

Exit code: 0 done; 2 fathom failed; 3 a command did not start, or part of it was not seen; 4 nothing is kept of this
line of history; 130 interrupted. See docs/tracking.md.";

/// Arguments of `fathom track`.
#[derive(Debug, Args)]
pub(crate) struct Track {
    #[command(subcommand)]
    pub(crate) command: TrackCommand,
}

/// What to do with a store.
#[derive(Debug, Subcommand)]
pub(crate) enum TrackCommand {
    /// Run the project's commands, and keep their counts and times under the commit
    Add(TrackAdd),
    /// Show counts and times over commits, and the commits that changed them
    Report(TrackReport),
}

/// Where runs are kept.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("place").required(true).args(["store", "branch"])))]
pub(crate) struct StoreWords {
    /// A directory, made by the first run
    #[arg(long, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,

    /// A branch of the repository here, made by the first run; work tree and index are left alone
    #[arg(long, value_name = "NAME")]
    pub(crate) branch: Option<String>,
}

/// Arguments of `fathom track add`.
#[derive(Debug, Args)]
pub(crate) struct TrackAdd {
    #[command(flatten)]
    pub(crate) place: StoreWords,

    /// Run nothing, and keep what this file holds: a trace of `fathom trace`, a record of `fathom bench`, the
    /// JSON of `fathom ci`, or a run that `track add` could not keep
    #[arg(long, value_name = "FILE", conflicts_with_all = ["command", "times"])]
    pub(crate) from: Option<PathBuf>,

    /// The commit that the file is of
    #[arg(long, value_name = "REF", requires = "from")]
    pub(crate) commit: Option<String>,

    /// Also time so many untraced runs of each command
    #[arg(long, value_name = "RUNS", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) times: Option<u32>,

    /// What a command after `--`, or a trace, is called in all runs
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// The project's file; without it, `.fathom.toml` here or in a directory above
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Kill a run or a setup after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: u32,

    #[command(flatten)]
    pub(crate) redaction: Redaction,

    /// A command to run instead of those of the project's file
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

/// Arguments of `fathom track report`.
#[derive(Debug, Args)]
pub(crate) struct TrackReport {
    #[command(flatten)]
    pub(crate) place: StoreWords,

    /// The line of history: the first parents of this ref
    #[arg(long = "ref", value_name = "REF", default_value = "HEAD")]
    pub(crate) reference: String,

    /// Every commit that was run, by its date, whatever line it is on
    #[arg(long, conflicts_with = "reference")]
    pub(crate) all: bool,

    /// The form; without it, that of the ending of -o (.html, .md, .json), else text
    #[arg(long, value_enum)]
    pub(crate) format: Option<TrackForm>,

    /// In text, every change and every note
    #[arg(long)]
    pub(crate) full: bool,

    /// Write it here
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) redaction: Redaction,
}

/// The forms of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TrackForm {
    /// For people
    Text,
    /// For a comment
    #[value(alias = "md")]
    Markdown,
    /// One page that needs nothing else
    Html,
    /// Everything, as docs/track-report.schema.json describes it
    Json,
}
