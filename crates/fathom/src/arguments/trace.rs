//! The words of `fathom trace`.

use super::{Redaction, Source};
use clap::Args;
use std::path::PathBuf;

pub(crate) const TRACE_EXAMPLES: &str = "\
Examples:
  fathom trace -o ls.events -- ls -l && fathom audit --from ls.events
  fathom trace -o sh.events -- sh -c 'ls /etc; cat /etc/hostname'

A log of strace's becomes such a file, too: `fathom trace --strace log -o FILE`.

The file appears when the last of the command's processes has ended; Ctrl-C is the command's, and what it
did until then is kept. docs/trace-format.md describes the file.

Exit code: the command's own; 128 + N when signal N killed it; 2 also when fathom failed: it then says
why, after `error:`.";

/// Arguments of `fathom trace`.
#[derive(Debug, Args)]
pub(crate) struct Trace {
    /// Keep the events in this file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) redaction: Redaction,

    #[command(flatten)]
    pub(crate) source: Source,
}
