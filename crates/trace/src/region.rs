//! What a traced run gives: the calls inside each marked region and between them.

use crate::call::{Call, CallKey};
use std::collections::BTreeMap;
use std::process::ExitStatus;
use std::time::Duration;

/// How often each call with each result was made.
pub type Counts = BTreeMap<CallKey, u64>;

/// One call of one thread, with what a recipe shows of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The thread.
    pub tid: i32,
    /// The call.
    pub call: Call,
    /// Its arguments.
    pub arguments: [u64; 6],
    /// What it returned; the negated errno when it failed.
    pub result: i64,
    /// True when it failed.
    pub failed: bool,
    /// The paths among its arguments, in their order.
    pub paths: Vec<String>,
    /// Flags that lie in memory: those of `openat2`.
    pub open_flags: Option<u64>,
    /// Its place in the order of entries of the whole run.
    pub sequence: u64,
}

/// The calls between a `begin` mark and the next `end` mark. A call belongs to
/// the region in which it was entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// The thread that made the `begin` mark: the operation's.
    pub operation_tid: i32,
    /// The calls of that thread.
    pub own: Counts,
    /// The calls of all other threads and processes.
    pub others: Counts,
    /// The first calls in order of entry, as many as [`crate::Options::events_per_region`].
    pub events: Vec<Event>,
    /// Calls after those, which are counted but not kept.
    pub events_dropped: u64,
}

/// Everything seen of a traced program, from its exec to its end.
#[derive(Debug, Clone)]
pub struct TracedRun {
    /// The marked regions in order.
    pub regions: Vec<Region>,
    /// The calls outside them: before the first, between each two, after the
    /// last; one more than there are regions. Marks are counted nowhere.
    pub between: Vec<Counts>,
    /// How the marks fail to match, if they do; regions are then not to be used.
    pub mark_fault: Option<String>,
    /// The region that a cut left without its end.
    pub unfinished: Option<Region>,
    /// Why the program was killed before its end, where the plan was brief.
    pub cut: Option<RunCut>,
    /// What the program wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
    /// How it ended; never by a signal, which is an error.
    pub status: ExitStatus,
    /// Threads of all its processes that made a call.
    pub threads: u32,
}

/// Why a program was killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunCut {
    /// Enough was seen of a long operation.
    Enough,
    /// The user stopped the run.
    Interrupted,
    /// It ran longer than allowed.
    TimedOut(Duration),
}

impl CallKey {
    /// The key an event counts under.
    pub(crate) fn of(event: &Event) -> Self {
        let errno = event.failed.then(|| i32::try_from(-event.result).unwrap_or(i32::MAX));
        Self { call: event.call, errno }
    }
}

impl Region {
    /// Calls of all threads.
    pub(crate) fn calls(&self) -> u64 {
        self.own.values().chain(self.others.values()).sum()
    }

    /// An empty region of the thread that began it.
    pub(crate) fn new(operation_tid: i32) -> Self {
        Self {
            operation_tid,
            own: Counts::new(),
            others: Counts::new(),
            events: Vec::new(),
            events_dropped: 0,
        }
    }
}
