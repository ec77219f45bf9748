//! The words of `fathom compare`.

use clap::{Args, ValueEnum};
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

A gate is METRIC > LIMIT. It fails when the metric surely grew by more than the limit:
  calls > +0        system calls per operation, exact
  calls:fstat > +0  those of one name
  time > +2%        time per operation
  ratio > +2%       the ratio to the baseline, which the machine's drift does not touch
With gates the exit code is 1 when one fails, 3 when one is inconclusive, else 0. It is 4
when the two records have no variant in common. docs/comparing.md says what is compared.";

/// Arguments of `fathom compare`.
#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// The record to compare with, written by `fathom bench`
    pub(crate) old: PathBuf,

    /// The record that is judged
    pub(crate) new: PathBuf,

    /// Fail on what surely became worse, as 'METRIC > LIMIT'; may be repeated
    #[arg(long, value_name = "GATE", value_parser = gate)]
    pub(crate) fail_on: Vec<Gate>,

    /// Compare times even when the records are of different machines
    #[arg(long)]
    pub(crate) across_machines: bool,

    /// Text for people, or the comparison as JSON
    #[arg(long, value_enum, default_value_t = CompareFormat::Text)]
    pub(crate) format: CompareFormat,
}

/// Forms of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompareFormat {
    /// Tables for a terminal
    Text,
    /// As docs/comparing.md describes it
    Json,
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
