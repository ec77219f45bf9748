//! The words of `fathom compare` that say how to measure.

use crate::arguments::{Redaction, percent, seconds};
use clap::Args;
use std::path::PathBuf;

/// How long and how precisely, for all that is measured.
#[derive(Debug, Args)]
pub(crate) struct Measuring {
    /// Time for all timed runs, in seconds; when left out 10 for commands, and 10 for each method
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with = "records")]
    pub(crate) time: Option<f64>,

    /// Stop early when every ratio is known to this, in percent of it
    #[arg(long, value_name = "PERCENT", default_value_t = 0.5, value_parser = percent, conflicts_with = "records")]
    pub(crate) precision: f64,

    /// Count system calls and take no time
    #[arg(long, conflicts_with_all = ["records", "time"])]
    pub(crate) counts_only: bool,

    /// Seed of every random choice; drawn and recorded when not given
    #[arg(long, conflicts_with = "records")]
    pub(crate) seed: Option<u64>,

    /// Write what was measured here
    #[arg(short, long, value_name = "FILE", conflicts_with = "records")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) redaction: Redaction,
}

/// How commands are run.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
pub(crate) struct CommandsForm {
    /// Run the commands by `sh -c` instead of by their words
    #[arg(long, conflicts_with_all = ["records", "drivers", "toolchain"])]
    pub(crate) shell: bool,

    /// Run this by `sh -c` before every run of a command, untimed
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["records", "drivers", "toolchain"])]
    pub(crate) prepare: Option<String>,

    /// Runs of each command before the first that counts
    #[arg(long, value_name = "RUNS", default_value_t = 1, conflicts_with_all = ["records", "drivers", "toolchain"])]
    pub(crate) warm_up: u32,

    /// Bind runs and Fathom to one CPU, another in each block (commands with several threads then
    /// share it)
    #[arg(long, conflicts_with_all = ["records", "drivers", "toolchain"])]
    pub(crate) pin: bool,

    /// Go on when a command ends otherwise than with exit code 0
    #[arg(long, conflicts_with_all = ["records", "drivers", "toolchain"])]
    pub(crate) ignore_failure: bool,

    /// Let the commands write to standard output and error instead of to /dev/null
    #[arg(long, conflicts_with_all = ["records", "drivers", "toolchain"])]
    pub(crate) show_output: bool,
}

/// What two builds of a driver are asked to do.
#[derive(Debug, Args)]
pub(crate) struct BuildsForm {
    /// Operations (see `fathom list`), separated by commas; of --drivers all when left out
    #[arg(long, value_name = "OPERATIONS", value_delimiter = ',', conflicts_with_all = ["records", "commands"])]
    pub(crate) operation: Vec<String>,

    /// A catalog entry or an experiment file, of which the driver's methods are taken; may be repeated
    #[arg(long, value_name = "ENTRY", conflicts_with_all = ["records", "commands", "operation"])]
    pub(crate) entry: Vec<String>,

    /// Methods by their names, separated by commas; all that both have when left out
    #[arg(long, value_name = "METHODS", value_delimiter = ',', conflicts_with_all = ["records", "commands"])]
    pub(crate) methods: Vec<String>,

    /// Page-cache states: warm, cold
    #[arg(long, value_name = "STATES", value_delimiter = ',', conflicts_with_all = ["records", "commands"])]
    pub(crate) cache: Vec<String>,

    /// A directory to measure in, or the word memfd; may be repeated
    #[arg(long, value_name = "DIR", conflicts_with_all = ["records", "commands"])]
    pub(crate) dir: Vec<String>,

    /// Sizes of the files, separated by commas: 128, 4KiB, 1GiB
    #[arg(long, value_name = "SIZES", value_delimiter = ',', conflicts_with_all = ["records", "commands"])]
    pub(crate) size: Vec<String>,

    /// Use each entry's quick form
    #[arg(long, requires = "entry")]
    pub(crate) quick: bool,
}
