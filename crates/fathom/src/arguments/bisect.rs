//! The words of `fathom bisect`.

use super::Redaction;
use clap::{ArgGroup, Args, ValueEnum};
use fathom_audit::Budget;
use std::ffi::OsString;
use std::path::PathBuf;

pub(crate) const BISECT_EXAMPLES: &str = "\
Examples:
  fathom bisect --good HEAD~4 --metric 'openat(*.txt)' -- sh app.sh
  fathom bisect --good HEAD~4 --bad HEAD~1 --metric calls --build 'test -f app.sh' -- sh app.sh
  fathom bisect --good HEAD~4 --assert 'open(*.txt) <= 2' -- sh app.sh

A metric is what a budget is about, without a limit: 'openat(*.json)', 'sync', 'stat per open', 'open failures',
'bytes read', 'processes' (docs/budgets.md). --good is the older end and --bad the newer one, whichever count is
better; with --assert the budget is met at --good and not met at --bad.

Both ends are measured first, with what the program varies by itself; then one run decides each step, log2(n)
steps, rounded up, for n commits. Commits that do not build, or whose command ends otherwise than at the ends, are skipped. All happens
in a temporary clone: your work tree, your index and your refs are only read. The command starts in the directory of
the clone that is the current one here.

Exit code: 0 the commit is found; 1 it is one of several, the others could not be measured; 2 fathom failed, or an end
does not build; 3 there is nothing to find (equal counts, ranges that overlap); 130 interrupted. See docs/tracking.md.";

/// Arguments of `fathom bisect`.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("question").required(true).args(["metric", "assert"])))]
pub(crate) struct Bisect {
    /// The older end: a git ref
    #[arg(long, value_name = "REF")]
    pub(crate) good: String,

    /// The newer end
    #[arg(long, value_name = "REF", default_value = "HEAD")]
    pub(crate) bad: String,

    /// What is counted: the commit is looked for that changed it
    #[arg(long, value_name = "METRIC", value_parser = metric)]
    pub(crate) metric: Option<Budget>,

    /// A budget: the commit is looked for that no longer meets it
    #[arg(long, value_name = "BUDGET", value_parser = budget)]
    pub(crate) assert: Option<Budget>,

    /// Run by `sh -c` at each commit before the command; without it, `run` of [build] in .fathom.toml
    #[arg(long, value_name = "COMMAND")]
    pub(crate) build: Option<String>,

    /// Run by `sh -c` before each run of the command
    #[arg(long, value_name = "COMMAND")]
    pub(crate) setup: Option<String>,

    /// Keep what a build leaves for the next one, which is faster; else each commit is built from nothing
    #[arg(long)]
    pub(crate) keep_builds: bool,

    /// The command of this name in .fathom.toml, instead of one after `--`
    #[arg(long, value_name = "NAME", conflicts_with = "command")]
    pub(crate) named: Option<String>,

    /// The project's file; without it, `.fathom.toml` here or in a directory above
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Take the stack of every call: what changed is told with the line of your code. Runs are slower
    #[arg(long)]
    pub(crate) stacks: bool,

    /// Kill a build, a setup or a run after so many seconds; the commit is then skipped
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: u32,

    /// The form on standard output
    #[arg(long, value_enum, default_value_t = BisectForm::Text)]
    pub(crate) format: BisectForm,

    /// In text, every step and every call
    #[arg(long)]
    pub(crate) full: bool,

    /// Write what goes to standard output here instead
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) redaction: Redaction,

    /// The command
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

/// The forms of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BisectForm {
    /// For people
    Text,
    /// For a comment
    #[value(alias = "md")]
    Markdown,
    /// Everything, as docs/bisection.schema.json describes it
    Json,
}

fn metric(text: &str) -> Result<Budget, String> {
    Budget::parse_metric(text).map_err(|error| {
        format!("{error}\na limit belongs to --assert; docs/budgets.md says what can be counted")
    })
}

fn budget(text: &str) -> Result<Budget, String> {
    Budget::parse(text).map_err(|error| error.to_string())
}
