//! Runs of a driver that is many processes: who they were, what each of them took.

use crate::{CountPass, Estimate, Reading};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where one rank ran, and how its clock differed from that of rank 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RankFacts {
    /// Its number, from 0.
    pub rank: u32,
    /// The name of its host.
    pub host: String,
    /// The boot of its kernel: ranks of one boot share a clock, whose offset is then 0 by nature.
    pub boot: String,
    /// Its process id on its host.
    pub pid: u32,
    /// Its monotonic clock less rank 0's, as measured by exchanged messages, in ns.
    pub clock_offset_ns: i64,
    /// By how much that can be wrong at most: half of the shortest exchange, in ns.
    pub clock_error_ns: u64,
}

/// The times of one rank in the blocks of a fork.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RankSamples {
    /// When its clock started, after that of the rank that started first, in ns, in each block;
    /// `None` where the sample is discarded.
    pub start_ns: Vec<Option<u64>>,
    /// What it took for its batch, in ns, in each block.
    pub ns: Vec<Option<u64>>,
}

/// The ranks of one fork.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForkRanks {
    /// For each driver (seat), its ranks in order.
    pub seats: Vec<Vec<RankFacts>>,
    /// For each arm, the samples of each rank.
    pub arms: Vec<Vec<RankSamples>>,
}

/// A comparison whose drivers ran as several ranks. Each rank performs every operation of a batch;
/// the samples of the comparison's forks are the times from the first rank's start to the last one's end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RankRun {
    /// How many ranks.
    pub ranks: u32,
    /// The words that started them, before the driver's.
    pub launcher: Vec<String>,
    /// For each variant, the calls of each rank.
    pub counts: Vec<Vec<Reading<CountPass>>>,
    /// For each variant, what follows from the samples.
    pub summaries: Vec<Reading<RankSummary>>,
}

/// The ranks of one variant, summed up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RankSummary {
    /// Operations of all ranks per second, from the first start to the last end.
    pub whole_rate: Estimate,
    /// The sum of the ranks' own rates, each over its own time, per second.
    pub sum_of_rates: Estimate,
    /// The slowest rank's time over the fastest one's, in the same batch.
    pub spread: Estimate,
    /// From the first start to the last start, in ns.
    pub start_spread_ns: Estimate,
    /// Each rank, in order.
    pub ranks: Vec<RankEstimate>,
}

/// One rank of a variant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RankEstimate {
    /// Its number.
    pub rank: u32,
    /// Where it ran; several where forks differ.
    pub hosts: Vec<String>,
    /// Its time per operation, in ns.
    pub time_ns: Estimate,
    /// Its operations per second.
    pub rate: Estimate,
    /// Its time over the median of all ranks' in the same batch.
    pub against_median: Estimate,
    /// Batches in which it ended last.
    pub last: u64,
    /// Batches kept.
    pub batches: u64,
    /// True where it is surely slower than the median rank by more than a tenth.
    pub is_straggler: bool,
}
