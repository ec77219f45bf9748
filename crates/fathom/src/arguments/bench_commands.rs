//! The words of `fathom bench --commands`.

use clap::Args;

/// Whole commands beside each other, and how they are run.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
pub(crate) struct BenchCommands {
    /// Run these commands in turns, as whole processes, instead of methods: their calls, times and
    /// outputs beside those of the first
    #[arg(
        long, num_args = 1.., value_name = "COMMAND",
        conflicts_with_all = [
            "what", "all", "quick", "methods", "baseline", "cache", "dir", "size", "block", "file", "tree",
            "files", "content", "data", "threads", "set", "access", "alignment", "buffer", "why", "profile",
            "latencies", "driver", "full", "drop_caches", "set_read_ahead", "mount",
        ]
    )]
    pub(crate) commands: Vec<String>,

    /// Run this by `sh -c` before every run of a command, untimed
    #[arg(long, value_name = "COMMAND")]
    pub(crate) prepare: Option<String>,

    /// Put each of these values in the place of {NAME} in the commands; may be repeated
    #[arg(long, value_name = "NAME=VALUE,VALUE")]
    pub(crate) parameter: Vec<String>,

    /// Run the commands by `sh -c` instead of by their words
    #[arg(long)]
    pub(crate) shell: bool,

    /// Runs of each command before the first that counts; when left out 1
    #[arg(long, value_name = "RUNS")]
    pub(crate) warm_up: Option<u32>,

    /// Bind runs and Fathom to one CPU, another in each block
    #[arg(long)]
    pub(crate) pin: bool,

    /// Rank commands whatever they write to standard output, which is then not looked at
    #[arg(long)]
    pub(crate) ignore_output: bool,

    /// Go on when a command ends otherwise than with exit code 0
    #[arg(long)]
    pub(crate) ignore_failure: bool,
}

impl BenchCommands {
    /// The first option that says how commands are run. Clap lets them stand alone beside what
    /// `--commands` conflicts with.
    pub(crate) fn first_option(&self) -> Option<&'static str> {
        let given = [
            (self.prepare.is_some(), "--prepare"),
            (!self.parameter.is_empty(), "--parameter"),
            (self.shell, "--shell"),
            (self.warm_up.is_some(), "--warm-up"),
            (self.pin, "--pin"),
            (self.ignore_output, "--ignore-output"),
            (self.ignore_failure, "--ignore-failure"),
        ];
        given.into_iter().find_map(|(is_given, name)| is_given.then_some(name))
    }
}
