//! The words of `fathom ci`.

use super::Redaction;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

pub(crate) const CI_EXAMPLES: &str = "\
Examples:
  fathom ci --base HEAD~1 --head HEAD
  fathom ci --base HEAD~1 --head HEAD --markdown comment.md --html page.html
  fathom ci --base HEAD~1 --head HEAD --fail-on new-findings,more-calls
  fathom ci --base ./before --head ./after -- cat a.txt
  fathom ci --base ./before.events --head ./after.events --format markdown

Each side is a git ref of the repository here (checked out into a temporary directory), a directory, a program
({program} in `run` stands for it), or a trace of `fathom trace`. Commands stand in .fathom.toml:

  [build]
  run = \"make\"

  [[command]]
  name = \"list\"
  setup = \"rm -rf out\"
  run = \"./tool --list data\"
  counts = { under = [\"data\"] }

A count changed where the ranges of both sides do not touch: twice where all runs of a side are equal and both
sides are, 5 times where anything differs, 12 times where a program varies by itself and something seems changed.

Exit code: 0 no failure; 1 something that --fail-on names happened, or a budget is not met; 2 fathom failed, or a
build did; 3 not known, and nothing failed; 130 interrupted. See docs/ci.md.";

/// Arguments of `fathom ci`.
#[derive(Debug, Args)]
pub(crate) struct Ci {
    /// The older side: a git ref, a directory, a program, or a trace
    #[arg(long, value_name = "SIDE")]
    pub(crate) base: String,

    /// The newer side, of the same kind
    #[arg(long, value_name = "SIDE")]
    pub(crate) head: String,

    /// What makes the exit code 1, separated by commas
    #[arg(long, value_enum, value_name = "CHANGES", value_delimiter = ',')]
    pub(crate) fail_on: Vec<CiFailOn>,

    /// The project's file; without it, `.fathom.toml` here or in a directory above, up to the top
    /// of the repository
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Take the stack of every call: what changed is told with the line of your code. Runs are slower
    #[arg(long)]
    pub(crate) stacks: bool,

    /// At least so many runs of each side
    #[arg(long, value_name = "RUNS", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) repeat: Option<u32>,

    /// Kill a run of a command, a setup or a build after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: u32,

    /// The form on standard output
    #[arg(long, value_enum, default_value_t = CiForm::Text)]
    pub(crate) format: CiForm,

    /// In text, every row
    #[arg(long)]
    pub(crate) full: bool,

    /// Also write a comment for a pull request here
    #[arg(long, value_name = "FILE")]
    pub(crate) markdown: Option<PathBuf>,

    /// Also write everything as one page here
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Write what goes to standard output here instead
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Untraced prices of calls, as `fathom prices` writes them; without it, kept ones that fit the
    /// current directory
    #[arg(long, value_name = "FILE")]
    pub(crate) prices: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) redaction: Redaction,

    /// A command to compare instead of those of the project's file
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

/// The forms of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CiForm {
    /// For people
    Text,
    /// A comment for a pull request, at most 65,536 characters
    #[value(alias = "md")]
    Markdown,
    /// What changed, a row for each class of calls
    Csv,
    /// Everything
    Json,
}

/// A change that a CI does not let pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CiFailOn {
    /// A finding that was not there before
    NewFindings,
    /// A finding that happens more often than before, or is new
    MoreFindings,
    /// More calls than before altogether, by what changed
    MoreCalls,
    /// Changes that cost more altogether, by the price list
    Dearer,
    /// Any change of any count
    AnyChange,
}
