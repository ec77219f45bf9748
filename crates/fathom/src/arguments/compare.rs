//! The words of `fathom compare`.

mod measuring;

pub(crate) use measuring::{BuildsForm, CommandsForm, Measuring};

use super::TableFormat;
use crate::completion;
use clap::{ArgGroup, Args};
use fathom_stats::{Gate, GateMetric};
use fathom_trace::Call;
use std::path::PathBuf;

pub(crate) const COMPARE_EXAMPLES: &str = "\
Examples:
  fathom compare before.json after.json
  fathom compare before.json after.json --fail-on 'calls > +0' --fail-on 'time > +2%'
  fathom compare before.json after.json --fail-on 'calls:fstat > +0' --fail-on 'ratio > +2%'
  fathom compare laptop.json server.json --across-machines
  fathom compare before.json after.json --format json
  fathom compare before.json after.json --format openmetrics

Measured interleaved, in one session: two commands, two builds of a driver, two toolchains
  fathom compare --commands 'cat a.txt' 'cat a.txt b.txt' --fail-on 'calls:openat > +1'
  fathom compare --shell --commands 'grep x a.txt' 'cat a.txt | grep x' --prepare sync -o g.json
  fathom compare --drivers ./driver-old ./driver-new --operation open-close --time 20
  fathom compare --toolchain java@17 java@25 --entry open-write-java -o jdk.json
  fathom compare --toolchain python@/usr/bin/python3 python@b=/usr/bin/python3 --entry open-all
  fathom compare jdk.json --fail-on 'calls > +0' --fail-on 'time > +2%'

A gate is METRIC > LIMIT. It fails when the metric surely grew by more than the limit:
  calls > +0        system calls per operation (of a command: per run), exact
  calls:fstat > +0  those of one name
  time > +2%        time per operation (of a command: per run)
  ratio > +2%       the ratio to the baseline, which the machine's drift does not touch; of two
                    records only, for what is measured interleaved is paired already
With gates the exit code is 1 when one fails, 3 when one is inconclusive, else 0. It is 4
when nothing could be compared. docs/comparing.md says what is compared, and how.";

/// Arguments of `fathom compare`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("what").required(true).args(["records", "commands", "drivers", "toolchain"]))]
pub(crate) struct Compare {
    /// The record to compare with and the record that is judged, written by `fathom bench`; or one
    /// record of two commands or builds, written by `fathom compare`
    #[arg(num_args = 1..=2, value_names = ["OLD", "NEW"], add = completion::records())]
    pub(crate) records: Vec<PathBuf>,

    /// Run two commands in turns, as whole processes
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"])]
    pub(crate) commands: Vec<String>,

    /// Measure two builds of a driver interleaved: programs that give themselves one name
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"])]
    pub(crate) drivers: Vec<PathBuf>,

    /// Measure one driver under two toolchains interleaved: DRIVER@VERSION, DRIVER@PATH or
    /// DRIVER@LABEL=PATH, as java@17 java@patched=/path/to/jdk
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"])]
    pub(crate) toolchain: Vec<String>,

    /// Fail on what surely became worse, as 'METRIC > LIMIT'; may be repeated
    #[arg(long, value_name = "GATE", value_parser = gate)]
    pub(crate) fail_on: Vec<Gate>,

    /// Compare times even when the records are of different machines
    #[arg(long, conflicts_with_all = ["commands", "drivers", "toolchain"])]
    pub(crate) across_machines: bool,

    /// Text for people, one table, figures for a dashboard, or everything as docs/comparing.md
    /// describes it
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub(crate) format: TableFormat,

    #[command(flatten)]
    pub(crate) measuring: Measuring,

    #[command(flatten)]
    pub(crate) commands_form: CommandsForm,

    #[command(flatten)]
    pub(crate) builds_form: BuildsForm,
}

/// A gate whose call, where it names one, exists: of a misspelled call there is
/// never more.
fn gate(text: &str) -> Result<Gate, String> {
    let gate: Gate = text.parse().map_err(|error: fathom_stats::GateError| error.to_string())?;
    match &gate.metric {
        GateMetric::Call(name) if Call::named(name).is_none() => Err(format!("no system call `{name}`")),
        _ => Ok(gate),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_names_a_call_that_exists() {
        assert!(gate("calls:pread64 > +0").is_ok());
        assert_eq!(gate("calls:fsatt > +0").unwrap_err(), "no system call `fsatt`");
        assert!(gate("time > 2").unwrap_err().contains("is no limit"));
    }
}
