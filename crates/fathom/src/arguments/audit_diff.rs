//! The words of `fathom audit diff`.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

const DIFF_EXAMPLES: &str = "\
Examples:
  fathom audit diff before.json after.json
  fathom audit diff before.json after.json --fail-on new-findings,more-calls
  fathom audit diff before.events after.events --format json -o difference.json

Each side is what `fathom audit --format json -o FILE` or `fathom trace -o FILE` wrote, or a count of
`fathom count --format json -o FILE`, which has calls and no findings.

A finding is the same one on both sides when rule, sentence, program and, where stacks were taken,
the user's function are. Suppressed findings fail nothing.

Exit code: 0; 1 when something that --fail-on names happened; 2 fathom failed.";

/// What `fathom audit` does besides auditing.
#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Put two audits side by side: calls that vanished or are new, findings gone and new, priced
    #[command(after_help = DIFF_EXAMPLES)]
    Diff(AuditDiff),
}

/// Arguments of `fathom audit diff`.
#[derive(Debug, Args)]
pub(crate) struct AuditDiff {
    /// The older audit, trace or count
    pub(crate) before: PathBuf,

    /// The newer one
    pub(crate) after: PathBuf,

    /// What makes the exit code 1, separated by commas
    #[arg(long, value_enum, value_name = "CHANGES", value_delimiter = ',')]
    pub(crate) fail_on: Vec<FailOn>,

    /// Text for people, one table, figures for a dashboard, or everything as JSON
    #[arg(long, value_enum, default_value_t = super::TableFormat::Text)]
    pub(crate) format: super::TableFormat,

    /// In text, every kind of call that differs
    #[arg(long)]
    pub(crate) full: bool,

    /// Write it here instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Untraced prices of calls for both sides, as `fathom prices` writes them; without it, kept ones
    /// that fit the current directory
    #[arg(long, value_name = "FILE")]
    pub(crate) prices: Option<PathBuf>,
}

/// A change that a CI does not let pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// A finding that was not there before
    NewFindings,
    /// A finding that happens more often than before, or is new
    MoreFindings,
    /// More calls on the file path altogether
    MoreCalls,
    /// Calls that cost more altogether, by the price list
    Dearer,
}
