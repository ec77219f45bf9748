//! The words of `fathom audit`.

use super::Format;
use clap::Args;
use fathom_audit::RuleId;
use std::ffi::OsString;
use std::path::PathBuf;

pub(crate) const AUDIT_EXAMPLES: &str = "\
Examples:
  fathom audit -- ls -l
  fathom audit --only R13,R16 -- sh -c 'ls /etc'
  fathom audit --format json -o audit.json -- cat /etc/hostname
  fathom audit --rules

A log of strace's is audited too: `strace -f -o log COMMAND`, then `fathom audit --strace log`. Options
that tell more make it find more: -y (paths of descriptors), -v (which file a stat told of), -tt.

Findings say what happens, an example of at most six calls, what the avoidable calls cost here untraced
(prices of `fathom prices`, never durations seen under a tracer), what to do, and what could make them wrong.

Exit code: 0 no finding above info; 1 findings of warning or high; 2 fathom failed. The command's own
exit is told, and is not fathom's. See docs/auditing.md.";

/// Arguments of `fathom audit`.
#[derive(Debug, Args)]
pub(crate) struct Audit {
    /// Audit a log that strace wrote, instead of a command; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    pub(crate) strace: Option<PathBuf>,

    /// Only these rules, separated by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = rule)]
    pub(crate) only: Vec<RuleId>,

    /// All but these rules, separated by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',', value_parser = rule)]
    pub(crate) ignore: Vec<RuleId>,

    /// List the rules
    #[arg(long, conflicts_with_all = ["strace", "command"])]
    pub(crate) rules: bool,

    /// Text for people, or everything as JSON
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,

    /// Write it here instead of to standard output (a command's own output goes there, too)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Untraced prices of calls, as `fathom prices` writes them; without it, kept ones that fit the
    /// current directory
    #[arg(long, value_name = "FILE")]
    pub(crate) prices: Option<PathBuf>,

    /// The command and its words
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

fn rule(text: &str) -> Result<RuleId, String> {
    RuleId::try_from(text.trim().to_uppercase())
}
