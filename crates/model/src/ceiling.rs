//! Ceilings: what memory and a device can give at most, measured beside the
//! experiment whose methods try to reach it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CeilingKind {
    /// Bytes that one thread copies from memory to memory.
    MemoryCopy,
    /// Bytes that as many threads as there are CPUs copy.
    MemoryCopyAllCpus,
    /// Bytes read from the device in order, past the page cache.
    DeviceSequential,
    /// Blocks of 4 KiB read from the device at random, past the page cache.
    DeviceRandom,
}

impl CeilingKind {
    /// Every kind, in the order of the documentation.
    pub const ALL: [Self; 4] =
        [Self::MemoryCopy, Self::MemoryCopyAllCpus, Self::DeviceSequential, Self::DeviceRandom];

    /// What it is, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::MemoryCopy => "memory copied by one thread",
            Self::MemoryCopyAllCpus => "memory copied by all CPUs",
            Self::DeviceSequential => "device, in order",
            Self::DeviceRandom => "device, 4 KiB at random",
        }
    }
}

/// One ceiling.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ceiling {
    /// What was measured.
    pub kind: CeilingKind,
    /// How: `io_uring+O_DIRECT, 1 MiB, queue depth 32`.
    pub how: String,
    /// Index into the record's places, for a device.
    pub place: Option<usize>,
    /// Bytes per second: the median of the rounds.
    pub bytes_per_s: f64,
    /// The slowest round.
    pub least_bytes_per_s: f64,
    /// The fastest round.
    pub most_bytes_per_s: f64,
    /// Rounds.
    pub rounds: u32,
}
