//! Long runs: what one further, watched run of a variant showed over its time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A run of many operations, each one's time taken, the machine's dirty pages and
/// the device watched meanwhile. It is not among the samples: taking every
/// operation's time costs two readings of the clock more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LongRun {
    /// Index of the variant.
    pub variant: usize,
    /// Operations.
    pub operations: u64,
    /// Bytes delivered or written.
    pub bytes: u64,
    /// Time of all of them, in ns, as the driver reports it.
    pub ns: u64,
    /// The operations' own times.
    pub latency: Latency,
    /// The course of the run.
    pub points: Vec<TimelinePoint>,
    /// What could not be watched, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Percentiles of the service time of operations, in ns, to three digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Latency {
    /// How many operations.
    pub n: u64,
    /// The median.
    pub p50_ns: u64,
    /// 90 % are not above this.
    pub p90_ns: u64,
    /// 99 %.
    pub p99_ns: u64,
    /// 99.9 %.
    pub p999_ns: u64,
    /// 99.99 %.
    pub p9999_ns: u64,
    /// The slowest.
    pub most_ns: u64,
}

/// The state at one moment of a long run; `None` where it cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TimelinePoint {
    /// Milliseconds since the run was asked for.
    pub at_ms: f64,
    /// Operations done by then.
    pub operations: u64,
    /// Bytes in the page cache that wait to be written, the whole machine's.
    pub dirty_bytes: Option<u64>,
    /// Bytes that are being written back, the whole machine's.
    pub writeback_bytes: Option<u64>,
    /// Bytes the device has written since the run was asked for, for everybody.
    pub device_written_bytes: Option<u64>,
    /// Bytes read from the device since then, for everybody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_read_bytes: Option<u64>,
    /// Share of the time since the point before in which some task waited for a CPU (PSI), 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_pressure: Option<f64>,
    /// The same for I/O.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_pressure: Option<f64>,
    /// The same for memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_pressure: Option<f64>,
}
