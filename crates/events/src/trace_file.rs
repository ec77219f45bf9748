//! Events kept in a file: what stands around them, and what can be wrong. The form is
//! described in docs/trace-format.md; it is read and written as a stream, in memory that
//! does not grow with the events.
//!
//! **Invariant:** a change of what an event is changes the form: the version rises then.

mod block;
mod frame;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub use reader::TraceReader;
pub use writer::TraceWriter;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;

/// The version of the form. Later ones are not read; earlier ones are: events of version 1 have no
/// durations, those before version 3 do not say how much of them was waiting, and files before it know
/// no process that came in meanwhile; those before version 4 do not say how long threads slept between calls.
pub const TRACE_FILE_VERSION: u32 = 4;
/// The oldest that is read.
const OLDEST_VERSION: u32 = 1;

/// What a file of events begins with, before the version.
const MAGIC: [u8; 8] = *b"FATHOMEV";

/// True of bytes that a file of events begins with.
pub fn is_trace_file(beginning: &[u8]) -> bool {
    beginning.starts_with(&MAGIC)
}

/// What was traced, told before the first event.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceHeader {
    /// Which Fathom wrote it.
    pub fathom_version: String,
    /// When, RFC 3339 in UTC.
    pub created: String,
    /// What was traced, as an audit of it is headed: the command, or the log.
    pub subject: String,
    /// Where the events come from: `ptrace`, `strace`.
    pub capture: String,
    /// The command with its words; empty where it is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// The directory in which the first process started, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// The user who started it, where that is known; 0 is root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<u32>,
    /// What was mounted where, as `/proc/self/mountinfo` says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mounts: Option<String>,
    /// The process that ran already, with what it had open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub running: Option<crate::RunningProcess>,
    /// The machine, word by word: `kernel`, `architecture` …
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub machine: BTreeMap<String, String>,
}

/// What is known when the trace is over. `F` is a frame of a stack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceEnd<F> {
    /// Events before it.
    pub events: u64,
    /// The status with which the command's first process exited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The number of the signal that killed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// Time on CPUs that the command took while it was watched, in ns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_ns: Option<u64>,
    /// How it ended, what cut it short, what was not seen.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<KeptFact>,
    /// The stacks that events have numbers of.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub stacks: Vec<KeptStack<F>>,
}

/// One fact on a trace: what `label` names is `text`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptFact {
    /// A word.
    pub label: String,
    /// A sentence or less.
    pub text: String,
}

/// A stack by its number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptStack<F> {
    /// The number that events have.
    pub number: u32,
    /// The innermost first.
    pub frames: Vec<F>,
}

/// Why a file of events cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TraceFileError {
    /// Reading or writing failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is another kind of file.
    #[error("this is no file of events: it does not begin as one")]
    Foreign,
    /// It was written in another form.
    #[error(
        "its form is version {found}, this Fathom reads versions {OLDEST_VERSION} to {TRACE_FILE_VERSION}"
    )]
    Version {
        /// The file's version.
        found: u32,
    },
    /// It ends before anything can be known of it.
    #[error("it ends before its header is whole")]
    NoHeader,
    /// Something in it is not as it was written.
    #[error("it is damaged after {events} events: {what}")]
    Damaged {
        /// Events that were read before.
        events: u64,
        /// What is wrong.
        what: String,
    },
}
