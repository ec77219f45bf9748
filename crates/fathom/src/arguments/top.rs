//! The words of `fathom top`.

use clap::{ArgGroup, Args, ValueEnum};

pub(crate) const TOP_EXAMPLES: &str = "\
Examples:
  fathom top --all --seconds 2
  fathom top --all --seconds 1 --format json
  fathom top --pid 4242
  fathom top --pid 4242 --seconds 60 --sort calls

Calls are counted in the kernel by BPF programs, which takes root, or CAP_BPF and CAP_PERFMON; nothing is
written for a call. `wait` is the time in which threads were blocked in their calls until they ran again:
for a device, a lock, the network, another process. A quantile is the end of its bucket, less than a quarter
above the time itself. The directory is that of the open file; of calls by path alone it is not known.

On a terminal q or Ctrl-C ends the view, and what was counted in all is printed.

Exit code: 0 it was counted; 2 it cannot be, or fathom failed; 4 no call was seen. See docs/how-to/top.md.";

/// Arguments of `fathom top`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("whose").required(true))]
pub(crate) struct Top {
    /// Count the calls of this process, its children, and those that it makes from now on
    #[arg(long, value_name = "PID", group = "whose")]
    pub(crate) pid: Option<u32>,

    /// Count the calls of all processes but Fathom's own
    #[arg(long, group = "whose")]
    pub(crate) all: bool,

    /// End after so long; without it, when the process has ended, or by q or Ctrl-C
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) seconds: Option<f64>,

    /// Show what came anew each time after so long
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    pub(crate) interval: f64,

    /// What stands first
    #[arg(long, value_enum, default_value_t = TopOrder::Wait)]
    pub(crate) sort: TopOrder,

    /// Text: a view on a terminal, lines elsewhere; or JSON, once, at the end
    #[arg(long, value_enum, default_value_t = TopForm::Text)]
    pub(crate) format: TopForm,
}

/// What stands first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TopOrder {
    /// What waited longest
    Wait,
    /// What took longest, waiting or not
    Time,
    /// What was called most often
    Calls,
    /// What failed most often
    Failed,
}

/// The forms of what was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TopForm {
    /// Tables
    Text,
    /// Everything, as docs/live-calls.schema.json describes it
    Json,
}

/// A year is for ever.
const LONGEST: f64 = 366.0 * 86_400.0;

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.1..=LONGEST).contains(&seconds) => Ok(seconds),
        Ok(_) => Err("it is between 0.1 and a year".to_owned()),
        Err(_) => Err("it is no number of seconds".to_owned()),
    }
}
