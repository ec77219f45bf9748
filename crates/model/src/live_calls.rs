//! What `fathom top` has counted: calls of running processes, by process, call and directory.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of this form.
pub const LIVE_CALLS_VERSION: u32 = 1;

/// Calls of running processes, counted while they ran.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LiveCalls {
    /// The version of this form.
    pub schema_version: u32,
    /// The Fathom that counted.
    pub fathom_version: String,
    /// When it began, RFC 3339 in UTC.
    pub created: String,
    /// Whose calls: `process 4242 (postgres) and its children`, `all processes`.
    pub subject: String,
    /// For how long they were counted, in s.
    pub seconds: f64,
    /// True when the process that was looked at has ended, with all its children.
    pub is_over: bool,
    /// Calls that were not counted, since the kernel's table was full.
    pub uncounted: u64,
    /// Calls of 32-bit programs, which are not told apart.
    pub foreign: u64,
    /// CPU time that Fathom itself took meanwhile, in s, without that of its programs in the kernel.
    pub own_cpu_seconds: f64,
    /// The calls, those that waited longest first.
    pub rows: Vec<LiveRow>,
}

/// Calls of one process on files of one directory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LiveRow {
    /// The process.
    pub process: u32,
    /// Its name.
    pub program: String,
    /// The kernel's name of the call.
    pub call: String,
    /// What the call was on.
    pub target: LiveTarget,
    /// The directory of the files, where it is known: as the process sees it.
    pub directory: Option<String>,
    /// Where the file system is mounted on which they lie.
    pub mount: Option<String>,
    /// Its type, as the kernel names it.
    pub file_system: Option<String>,
    /// How many calls.
    pub calls: u64,
    /// How many of them failed.
    pub failed: u64,
    /// How many had begun before the count, so that nobody knows how long they took.
    pub untimed: u64,
    /// How long the others took together, in ns.
    pub took_ns: u64,
    /// How much of that their threads were blocked until they ran again, in ns.
    pub waited_ns: u64,
    /// What half of them did not exceed, in ns: the end of its bucket, less than a quarter above it.
    pub p50_ns: Option<u64>,
    /// The same of 90 % of them.
    pub p90_ns: Option<u64>,
    /// The same of 99 %.
    pub p99_ns: Option<u64>,
    /// The same of all.
    pub longest_ns: Option<u64>,
}

/// What a call was on, as far as it was known when the call returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LiveTarget {
    /// A file or a directory.
    File,
    /// A socket.
    Socket,
    /// A pipe.
    Pipe,
    /// A device, such as a terminal.
    Device,
    /// What has no file behind it: an eventfd, an epoll.
    Anonymous,
    /// A name, or a descriptor that was closed by then: the directory is not known.
    Unknown,
}
