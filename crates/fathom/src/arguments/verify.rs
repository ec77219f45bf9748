//! The words of `fathom verify`.

use super::{MachineChanges, Redaction, seconds};
use crate::completion;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(crate) const VERIFY_EXAMPLES: &str = "\
Examples:
  fathom verify
  fathom verify open-pread-go small-go --quick
  fathom verify my-experiment.toml --dir . --dir /dev/shm
  fathom verify --from record.json
  fathom verify --of open-deep-dive --quick
  fathom verify go-internals --claim one-system-call --format junit > claims.xml

Without a name, the claims of every catalog entry are checked; with --of, those that a
published document rests on, and each of its statements gets a verdict: `fathom list write-ups`
names the documents. A statement of which a claim was not tried is \"not run\". Counts need one exact pass;
times are taken until every verdict is sure, or is beyond the time given. All verdicts of a
run hold together with 95 %. The exit code is 1 when a claim is refuted or confounded, 3 when
one is inconclusive, 4 when none could be checked, else 0. docs/claims.md says how verdicts
are reached and how to write claims of your own.";

/// Arguments of `fathom verify`.
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// Catalog entries, or paths of experiment files (*.toml)
    #[arg(add = completion::entries())]
    pub(crate) what: Vec<String>,

    /// Check what this document says: a write-up of the catalog, or the path of a file of your
    /// own (*.toml); may be repeated. It ends with one table of the document's statements
    #[arg(long, value_name = "DOCUMENT", add = completion::write_ups())]
    pub(crate) of: Vec<String>,

    /// With --of: print what stands behind each claim before the table
    #[arg(long, requires = "of")]
    pub(crate) evidence: bool,

    /// Print what stands behind each claim, case by case, where there are more than three
    #[arg(long)]
    pub(crate) full: bool,

    /// Check this claim only; may be repeated
    #[arg(long, value_name = "NAME", add = completion::claims())]
    pub(crate) claim: Vec<String>,

    /// Judge by these records, and measure nothing; may be repeated
    #[arg(long, value_name = "RECORD", conflicts_with_all = ["quick", "time", "dir", "seed", "output"])]
    pub(crate) from: Vec<PathBuf>,

    /// Use each entry's quick form
    #[arg(long)]
    pub(crate) quick: bool,

    /// A directory to measure in; may be repeated. Without one: the current directory and
    /// /dev/shm, so that claims are checked on two file systems
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Vec<String>,

    #[command(flatten)]
    pub(crate) until_sure: UntilSure,
}

/// How to measure for verdicts, and what to do with them.
#[derive(Debug, Args)]
pub(crate) struct UntilSure {
    /// Most time for each comparison that is timed, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value_t = 30.0)]
    pub(crate) time: f64,

    #[command(flatten)]
    pub(crate) machine: MachineChanges,

    /// Seed of every random choice; drawn and recorded when not given
    #[arg(long)]
    pub(crate) seed: Option<u64>,

    /// A driver program of your own, used under the name it gives itself; may be repeated
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) driver: Vec<PathBuf>,

    /// Write the record of what was measured here
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) redaction: Redaction,

    /// Form of the verdicts
    #[arg(long, value_enum, default_value_t = VerifyFormat::Text)]
    pub(crate) format: VerifyFormat,

    /// In a test report, count what is inconclusive as failed
    #[arg(long)]
    pub(crate) strict: bool,
}

/// Forms of verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum VerifyFormat {
    /// Text for a terminal
    Text,
    /// As docs/verdicts.schema.json describes them; with --of, as docs/write-ups.schema.json does
    Json,
    /// A test report: a case per claim, or with --of per statement
    Junit,
    /// One table for a comment
    #[value(alias = "md")]
    Markdown,
    /// The same table for a spreadsheet
    Csv,
}
