//! What a run tells while no clock runs.

use fathom_model::MethodId;
use std::path::Path;
use std::time::Duration;

/// Something worth showing to a waiting person.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A comparison begins.
    Comparison {
        /// Its label.
        label: &'a str,
        /// How many variants it has.
        variants: usize,
    },
    /// A case of a scenario is tried.
    Trying {
        /// The case.
        case: &'a str,
        /// In which setting.
        setting: &'a str,
    },
    /// Files are being written.
    MakingData {
        /// Bytes written.
        done: u64,
        /// Bytes in all.
        total: u64,
    },
    /// A variant is tried out.
    Checking {
        /// Its method.
        method: &'a MethodId,
        /// Its number, from 0.
        number: usize,
        /// How many there are.
        of: usize,
    },
    /// A variant is looked at in a pass of its own.
    Explaining {
        /// What is taken: `counters`, `profile`, `latencies`, `prices`.
        what: &'a str,
        /// Its method.
        method: &'a MethodId,
        /// Its number, from 0.
        number: usize,
        /// How many there are.
        of: usize,
    },
    /// Prices of calls are taken.
    Pricing {
        /// Where.
        directory: &'a Path,
        /// Processes that have ended.
        done: u32,
        /// How many there will be.
        of: u32,
    },
    /// A variant's calls are counted.
    Counting {
        /// Its method.
        method: &'a MethodId,
        /// Its number, from 0.
        number: usize,
        /// How many there are.
        of: usize,
    },
    /// The calls of a command are counted.
    CountingCommand {
        /// As it was given.
        command: &'a str,
        /// The number of the run, from 0.
        number: usize,
        /// How many there will be.
        of: usize,
    },
    /// A block of timed runs ended.
    TimingCommands {
        /// Blocks so far.
        blocks: usize,
        /// Time used.
        elapsed: Duration,
        /// Time given.
        budget: Duration,
    },
    /// A fork of the time pass ended.
    Timing {
        /// The comparison's label.
        label: &'a str,
        /// Forks so far.
        forks: usize,
        /// Time used.
        elapsed: Duration,
        /// Time given.
        budget: Duration,
    },
}

/// Hears of events.
pub trait Observer {
    /// Something happened. No clock runs meanwhile.
    fn event(&mut self, event: &Event<'_>);
}

/// Hears nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn event(&mut self, _event: &Event<'_>) {}
}
