//! The passes over a comparison, each with driver processes of its own: counts, times, counters,
//! stacks, latencies, long runs, and the ceilings of the machine.
//!
//! Counting and timing are never the same pass. Which passes a plan asks for, and in which order,
//! is `run`'s.

pub(crate) mod alone;
pub(crate) mod ceiling;
pub(crate) mod count;
pub(crate) mod evidence_pass;
pub(crate) mod latency_pass;
pub(crate) mod long_run;
mod operation_times;
pub(crate) mod profile_pass;
pub(crate) mod ranks;
pub(crate) mod time_pass;
