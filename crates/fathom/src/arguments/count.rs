//! The words of `fathom count`.

use super::{TableFormat, seconds};
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

pub(crate) const COUNT_EXAMPLES: &str = "\
Examples:
  fathom count -- ls -l
  fathom count --by process -- sh -c ls
  fathom count --format json -o count.json -- ls
  fathom count --format github-action-benchmark -o calls.json -- ls
  fathom count --pin --time-limit 60 -- find .
  fathom count --why -- cat /etc/hostname
  fathom count --capture hook -- git status

The command keeps the standard streams; what was counted goes to standard error, or to -o. Counting
ends with the last of its processes, those in the background too. A signal to fathom (Ctrl-C) is
the command's: it goes there, and what was counted until the end is printed.

The command runs many times slower, call by call, and otherwise as it would: it is bound to no CPU.
With --capture hook most calls are made without a stop, and have no prices.
With --pin, command and tracer share one CPU: cheaper where CPUs are idle, but a program that looks
for CPUs finds one.

Exit code: the command's own; 128 + N when signal N killed it (130 after Ctrl-C, unless it catches
it); 2 also when fathom failed: it then says why, after `error:`. See docs/counting.md.";

/// Arguments of `fathom count`.
#[derive(Debug, Args)]
pub(crate) struct Count {
    /// Text for people, one table, figures for a dashboard, or everything as
    /// docs/command-count.schema.json describes it
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub(crate) format: TableFormat,

    /// Write it here instead of to standard error
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// In text, also the calls of each process or thread (JSON always has them)
    #[arg(long, value_enum)]
    pub(crate) by: Option<By>,

    /// Also what the kernel counts of the command and its children: page faults, pages brought in
    /// and dirtied, block requests. The command runs twice: first untraced for these, then traced
    #[arg(long)]
    pub(crate) why: bool,

    /// Untraced prices of calls, as `fathom prices` writes them; without it, kept ones that fit the
    /// current directory
    #[arg(long, value_name = "FILE", conflicts_with = "no_prices")]
    pub(crate) prices: Option<PathBuf>,

    /// Count only
    #[arg(long)]
    pub(crate) no_prices: bool,

    /// How calls are seen. The hook needs `x86_64`, and gives no prices: what descriptors stand for is not looked up
    #[arg(long, value_enum, default_value_t = CountCapture::Ptrace)]
    pub(crate) capture: CountCapture,

    /// Kill the command after so many seconds, and print what was counted
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<f64>,

    /// Bind the command and the tracer to one CPU: cheaper where CPUs are idle, but the command finds
    /// one CPU only
    #[arg(long)]
    pub(crate) pin: bool,

    /// The command and its words
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

/// How calls are seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CountCapture {
    /// Every call stops
    Ptrace,
    /// Most calls are made without a stop, by code that is put into the program; the rest as by `ptrace`
    Hook,
}

/// What calls are told apart by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// The calls of each process
    Process,
    /// The calls of each thread
    Thread,
}
