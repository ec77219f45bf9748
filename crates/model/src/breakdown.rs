//! Where the time of an operation goes, in parts that add up to what was measured.

use crate::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a part of the time was spent on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PartKind {
    /// A system call.
    Call,
    /// Page faults.
    Fault,
    /// Bringing pages into the page cache, the CPU's part.
    PageCache,
    /// Blocked: waiting for a device, or for another thread.
    Wait,
    /// Ready to run and waiting for a CPU.
    RunQueue,
    /// The driver's own loop, digest and dispatch (method `null`).
    Loop,
    /// What is left: the runtime's and the program's own code, and what prices do not tell.
    Rest,
}

/// One part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// What it was spent on.
    pub kind: PartKind,
    /// Its name: `openat`, `epoll_ctl=EPERM`, `minor faults`.
    pub name: String,
    /// How often per operation; `None` where it is no number of times.
    pub count: Option<f64>,
    /// The price of one, in ns, as it was used.
    pub price_ns: Option<f64>,
    /// Time per operation, in ns; negative only for the rest.
    pub ns: f64,
    /// Half of what it may be wrong by at 95 %, in ns, where that is known.
    pub error_ns: Option<f64>,
    /// What is to be known of it: a price that had to be taken from another size, say.
    pub note: Option<String>,
}

impl Part {
    /// The name for a reader: records of all versions call what is left "rest".
    pub fn label(&self) -> &str {
        if self.kind == PartKind::Rest { "unattributed" } else { &self.name }
    }
}

/// What limits an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// The runtime's and the program's own code.
    Cpu,
    /// System calls.
    Call,
    /// Page faults.
    Fault,
    /// The device, or whatever it waits for.
    Device,
    /// No part takes clearly more than half of the time.
    Mixed,
    /// The rest does, and it may hold more than the program's own code: waiting
    /// that could not be told, calls without a price.
    Unknown,
}

/// The parts of one variant's time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Breakdown {
    /// The measured time of an operation that the parts add up to, in ns.
    pub total_ns: Estimate,
    /// The parts, the rest last. They add up to `total_ns.value` exactly.
    pub parts: Vec<Part>,
    /// Half of what the sum without the rest may be wrong by at 95 %, in ns.
    pub error_ns: Option<f64>,
    /// What limits it.
    pub bound: Bound,
    /// The share of the part that decides, 0 to 1.
    pub share: f64,
    /// Calls that have no price here, hence are in the rest.
    pub unpriced: Vec<String>,
}
