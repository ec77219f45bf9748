//! The machine and its state: what a record says of where it was taken.

use crate::Reading;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The facts of a machine that bear on the cost of file calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Environment {
    /// The machine's name.
    #[serde(default = "not_kept", skip_serializing_if = "is_unavailable")]
    pub host: Reading<String>,
    /// Kernel release, as `uname -r`.
    pub kernel: String,
    /// Machine architecture.
    pub architecture: String,
    /// CPU model.
    pub cpu_model: Reading<String>,
    /// CPUs this process may run on.
    pub cpus: Vec<u32>,
    /// Frequency governor of the first of those CPUs.
    pub governor: Reading<String>,
    /// Bytes of memory.
    pub memory_bytes: Reading<u64>,
    /// Bytes in a page.
    pub page_bytes: u64,
    /// The hypervisor, or `none`.
    pub virtualization: Reading<String>,
    /// The kernel's clock source.
    pub clock_source: Reading<String>,
    /// Resolution of `CLOCK_MONOTONIC` as `clock_getres` has it, in ns.
    pub clock_resolution_ns: u64,
    /// Measured cost of one reading of the clock, in ns.
    pub clock_cost_ns: f64,
    /// Bytes of the kernel's object for one directory entry.
    #[serde(default = "not_looked_at")]
    pub dentry_bytes: Reading<u64>,
    /// DAMON's schemes that page out what is idle, each in words; none where none is on.
    #[serde(default = "not_looked_for")]
    pub damon_page_out: Reading<Vec<String>>,
    /// Transparent huge pages setting.
    pub transparent_huge_pages: Reading<String>,
    /// Mitigations line per vulnerability that costs system calls time.
    pub mitigations: Reading<Vec<String>>,
    /// Effective user id.
    pub uid: u32,
    /// Effective capabilities, in hexadecimal.
    pub capabilities: Reading<String>,
    /// `kernel.perf_event_paranoid`.
    pub perf_event_paranoid: Reading<i32>,
    /// The container or namespace hints, or `none`.
    pub container: Reading<String>,
    /// Tracers of others that tax every process here.
    pub foreign_tracers: Reading<Vec<ForeignTracer>>,
    /// Variables that were set when Fathom ran and change how programs start or run (`LD_PRELOAD`,
    /// `GODEBUG`): drivers and commands inherit them, where a driver's own variables do not replace them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub variables: BTreeMap<String, String>,
}

fn not_kept() -> Reading<String> {
    Reading::unavailable("not kept in this record")
}

fn is_unavailable(host: &Reading<String>) -> bool {
    host.value().is_none()
}

fn not_looked_at() -> Reading<u64> {
    Reading::unavailable("not looked at when this record was made")
}

fn not_looked_for() -> Reading<Vec<String>> {
    Reading::unavailable("not looked at when this record was made")
}

/// What the cheapest calls cost on a machine, in ns: nothing that contains such
/// a call can cost less. Each is the median of batches of calls, on a memory file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Floors {
    /// A system call that does nothing (`getppid`).
    pub null_call_ns: Floor,
    /// `fstat` of an open file.
    pub fstat_ns: Floor,
    /// `pread` of 512 bytes that are in the page cache.
    pub pread_ns: Floor,
}

impl Floors {
    /// The reading of records that were made before floors were taken.
    pub fn not_taken() -> Reading<Self> {
        Reading::unavailable("not taken")
    }
}

/// One floor: over batches of calls.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Floor {
    /// Median over batches.
    pub median: f64,
    /// The fastest batch.
    pub least: f64,
    /// The slowest batch.
    pub most: f64,
    /// Batches.
    pub batches: u32,
}

/// Somebody else's probe that changes what calls cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForeignTracer {
    /// Where it was seen: `uprobe_events`, `events/raw_syscalls/enable`, `TracerPid`, `seccomp`.
    pub source: String,
    /// What was seen there.
    pub detail: String,
}

/// What disturbed the machine between two moments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Noise {
    /// One-minute load average at the start.
    pub load_average_start: Reading<f64>,
    /// One-minute load average at the end.
    pub load_average_end: Reading<f64>,
    /// Share of CPU time stolen by the hypervisor, 0 to 1.
    pub steal_share: Reading<f64>,
    /// Share of CPU time used by anything but the idle loop, 0 to 1.
    pub busy_share: Reading<f64>,
    /// Share of the time some task waited for a CPU (PSI), 0 to 1.
    pub cpu_pressure_share: Reading<f64>,
    /// Share of the time some task waited for I/O (PSI), 0 to 1.
    pub io_pressure_share: Reading<f64>,
    /// Times somebody dropped the page cache or slabs (`/proc/vmstat`).
    pub cache_drops: Reading<u64>,
    /// Seconds between the two moments.
    pub seconds: f64,
}
