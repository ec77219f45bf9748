//! What the hook is told of calls, and what it tells of how they went: the same on every
//! architecture, also where there is no hook.

use std::collections::BTreeMap;
use std::time::Duration;

/// How calls went.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HookTally {
    /// Calls that were made in the hook, without a stop.
    pub hooked: u64,
    /// Calls that stopped the program.
    pub stopped: u64,
    /// Places that were patched.
    pub patched: u64,
    /// Why others were left as they are, and how many.
    pub left: BTreeMap<&'static str, u64>,
    /// Why programs could not be hooked.
    pub refusals: Vec<String>,
    /// Calls that were to be made again or delayed, and were, by their names.
    pub treated: BTreeMap<String, Treated>,
    /// How long the thread that stood longest stood while the tracer did its work.
    pub held: Duration,
    /// How long all other threads did, together.
    pub held_others: Duration,
    /// Windows of calls that are whole, by their ends, where what is done changes from one to the next.
    pub windows: Vec<Window>,
    /// Descriptors of repeated opens that a signal kept from being closed: the program has them still.
    pub left_open: u64,
}

/// Calls that were made again, or delayed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Treated {
    /// How many were reached, also where they were to be left as they are.
    pub calls: u64,
    /// How often they were made again; how many were delayed, answered or found to be answered as was known.
    pub times: u64,
    /// Of how many the answer was known from a call before.
    pub known: u64,
    /// Of how many of these it was another, where that was looked at.
    pub differing: u64,
    /// How long that took, with the delays.
    pub took: Duration,
}

/// A number of consecutive calls of a thread that were treated alike.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Window {
    /// The thread.
    pub thread: u32,
    /// Which of its windows, from 0.
    pub number: u64,
    /// What was done with these calls, as [`Windows::amount`](crate::Windows::amount) said.
    pub amount: u32,
    /// How many there were.
    pub calls: u64,
    /// How often they were made again, or how many were left out.
    pub times: u64,
    /// Calls of the thread that the hook made and noted, whatever they ask.
    pub all_calls: u64,
    /// How often the thread stopped between its beginning and its end.
    pub stops: u64,
    /// Time on CPUs of the thread, in ns; `None` where the kernel does not say.
    pub cpu_ns: Option<u64>,
    /// How long the thread was ready to run and another one did, in ns.
    pub ready_ns: u64,
    /// From the beginning of its first call to the end of its last, in ns.
    pub wall_ns: u64,
}

/// What the hook copies of a call besides its arguments: positions of arguments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Copied {
    /// Which are paths.
    pub(crate) paths: [Option<usize>; 2],
    /// Which points to a structure, and how long that is.
    pub(crate) left: Option<(usize, Length)>,
    /// Which must be 0, or the call goes the slow way.
    pub(crate) zero: [Option<usize>; 2],
}

/// How many bytes stand at an argument's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Length {
    /// So many, a multiple of 8, which a call that succeeds has written.
    Written(usize),
    /// So many, a multiple of 8, which the call reads.
    Read(usize),
    /// What the call returns.
    Result,
    /// An array of pieces of memory, whose number is the third argument.
    Pieces,
}
