//! Numbers with their uncertainty, as a record keeps them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An estimate with its confidence sequence. The bounds are `None` while there
/// are too few forks for any statement.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    /// Median over forks of the fork's median.
    pub value: f64,
    /// Lower end.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Coverage of the interval: 0.95, or more where several claims share an error.
    pub confidence: f64,
    /// Forks it rests on.
    pub forks: u32,
}

impl Estimate {
    /// Both ends, when there is an interval.
    pub fn interval(&self) -> Option<(f64, f64)> {
        Some((self.low?, self.high?))
    }

    /// True when there is an interval and `x` lies outside it.
    pub fn excludes(&self, x: f64) -> bool {
        self.interval().is_some_and(|(low, high)| x < low || x > high)
    }
}

/// The summary of one variant, derived from its samples.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VariantSummary {
    /// Nanoseconds per operation, the loop included.
    pub time_ns: Estimate,
    /// Time over the baseline's time, paired in the block; `None` for the baseline.
    pub ratio: Option<Estimate>,
    /// The same with an interval that covers together with those of all the
    /// comparison's other variants: its confidence is 1 - 0.05/m for m variants
    /// beside the baseline. Whether a variant is faster or slower is read off here.
    pub ratio_simultaneous: Option<Estimate>,
    /// `ratio` after the loop's own cost is taken off both; `None` when the
    /// loop costs more than a fifth of the baseline or was not measured.
    pub net_ratio: Option<Estimate>,
    /// Difference to the baseline in ns per operation; `None` for the baseline.
    pub delta_ns: Option<Estimate>,
    /// Cost of the driver's loop per operation (method `null`), in ns.
    pub loop_ns: Option<Estimate>,
    /// How far forks and blocks lie apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<Spread>,
    /// Blocks kept over all forks.
    pub blocks: u64,
    /// Operations timed in those blocks.
    pub operations: u64,
    /// Share of the samples in which the driver was preempted, 0 to 1.
    pub preempted_share: Option<f64>,
    /// What the driver reported of its runtime, per operation: `allocs`,
    /// `alloc_bytes`, `gc_count`, `gc_ns`, `minflt`, `majflt`.
    pub runtime_per_operation: BTreeMap<String, f64>,
}

/// How far the times of one variant lie apart, in ns per operation: between
/// processes, and between batches.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Spread {
    /// The fastest fork's median.
    pub fork_least_ns: f64,
    /// The slowest fork's median.
    pub fork_most_ns: f64,
    /// The median over all forks' batches.
    pub batch_median_ns: f64,
    /// The 99th percentile of the batches (nearest rank).
    pub batch_p99_ns: f64,
    /// Batches.
    pub batches: u64,
}

/// The A/A control of a session: the baseline against itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Control {
    /// Ratio of the baseline's second arm to its first; no effect is 1.
    pub ratio: Estimate,
    /// True when the 99 % sequence excludes 1: the instrument is at fault.
    pub instrument_fault: bool,
}
