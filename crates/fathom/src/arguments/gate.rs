//! The words of `fathom gate`.

use super::{MachineChanges, VerifyFormat, seconds};
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

    /// A driver program, beside those that the file names; may be repeated
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) driver: Vec<PathBuf>,

    /// The directory to measure in
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) dir: String,

    /// Most time for each comparison that is timed, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value_t = 10.0)]
    pub(crate) time: f64,

    #[command(flatten)]
    pub(crate) machine: MachineChanges,

    /// Seed of every random choice; drawn and recorded when not given
    #[arg(long)]
    pub(crate) seed: Option<u64>,

    /// Write the record of what was measured here; without it none is kept
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Form of the result
    #[arg(long, value_enum, default_value_t = VerifyFormat::Text)]
    pub(crate) format: VerifyFormat,

    /// In a test report, count what is inconclusive as failed
    #[arg(long)]
    pub(crate) strict: bool,
}
