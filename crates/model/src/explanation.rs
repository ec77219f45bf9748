//! Why a variant takes the time it takes, as far as it was asked for.

use crate::{Breakdown, EvidencePass, Latency, Profile, Reading};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What to find out beside times and calls, each in a pass of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Explain {
    /// The kernel's counters, and the breakdown of the time.
    Counters,
    /// Stacks.
    Profile,
    /// The distribution of the operations' own times.
    Latencies,
}

/// The operations' own times in a run of its own: two readings of the clock more each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LatencyDistribution {
    /// Percentiles.
    pub latency: Latency,
    /// Mean of the operations' own times, in ns.
    pub mean_ns: f64,
    /// What the clock adds to each operation's time, in ns: the time of an operation
    /// that does nothing, taken the same way.
    pub clock_ns: f64,
    /// The histogram in `HdrHistogram`'s V2 form, deflated, in base64.
    pub histogram: String,
}

/// What was found out about one variant. `None` is what was not asked for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Explanation {
    /// The kernel's counters.
    pub counters: Option<Reading<EvidencePass>>,
    /// Where the time goes.
    pub breakdown: Option<Reading<Breakdown>>,
    /// Stacks.
    pub profile: Option<Reading<Profile>>,
    /// The operations' own times.
    pub latencies: Option<Reading<LatencyDistribution>>,
}
