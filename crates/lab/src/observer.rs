//! What a run tells while no clock runs.

use crate::passes::time_pass::SoFar;
use fathom_model::{Estimate, MethodId, PlaceFacts, ValidityFlag};
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
        /// Its number in the plan, from 0.
        number: usize,
        /// How many the plan has.
        of: usize,
        /// Time given to its time pass; none when nothing is timed.
        budget: Duration,
        /// Time that the time passes of the plan's later ones may take together.
        later: Duration,
    },
    /// What a comparison will take, from the first operation of each variant.
    Estimated {
        /// Its label.
        label: &'a str,
        /// Counting its calls; tracing many calls takes longer.
        counting: Duration,
        /// Its time pass; none when nothing is timed.
        timing: Duration,
        /// True when an operation takes so long that it is measured one by one.
        is_long: bool,
        /// The time asked for and the least that is needed, where that is too short.
        short_of: Option<(Duration, Duration)>,
    },
    /// A case of a scenario is tried.
    Trying {
        /// The case.
        case: &'a str,
        /// In which setting.
        setting: &'a str,
    },
    /// What is wrong with a comparison, by its counts: before its times are taken.
    Validity {
        /// Every reason; none mostly.
        flags: &'a [ValidityFlag],
        /// What its sides are called.
        names: &'a [String],
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
        /// What is taken: `counters`, `profile`, `latencies`, `long run`.
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
    /// What the machine can give at most is measured.
    Ceilings,
    /// A block of timed runs ended.
    TimingCommands {
        /// Blocks so far.
        blocks: usize,
        /// New over old so far.
        ratio: Option<&'a Estimate>,
        /// The half width, as a share of the ratio, that ends it early.
        precision: f64,
        /// Time used.
        elapsed: Duration,
        /// Time given.
        budget: Duration,
    },
    /// The time pass begins, or one of its forks ended.
    Timing {
        /// What its forks say so far.
        so_far: &'a SoFar<'a>,
        /// The places that its variants refer to.
        places: &'a [PlaceFacts],
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
