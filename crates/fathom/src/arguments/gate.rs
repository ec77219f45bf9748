//! The words of `fathom gate`.

use super::UntilSure;
use clap::Args;
use std::path::PathBuf;

pub(crate) const GATE_EXAMPLES: &str = "\
Examples:
  fathom gate
  fathom gate ci/budgets.toml --driver ./build/my-driver
  fathom gate --format junit > gate.xml

A file of budgets says what operations of a project may cost:

  driver = \"./build/my-driver\"          # speaks drivers/PROTOCOL.md

  [[budgets]]
  name = \"load\"
  operation = \"read-whole\"
  method = \"mine:load\"
  size = \"4 KiB\"
  calls = 5                              # system calls per operation, at most
  calls-of = { openat = 1, newfstatat = 0 }
  time-ratio = { to = \"native:read\", at-most = 1.5 }

The exit code is 1 when a budget is exceeded, 3 when one is inconclusive, 4 when none could
be checked, else 0. docs/gating.md describes the file, and a workflow for GitHub.";

/// Arguments of `fathom gate`.
#[derive(Debug, Args)]
pub(crate) struct Gate {
    /// The file of budgets
    #[arg(default_value = "fathom-budgets.toml")]
    pub(crate) budgets: PathBuf,

    /// The directory to measure in
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) dir: String,

    #[command(flatten)]
    pub(crate) until_sure: UntilSure,
}
