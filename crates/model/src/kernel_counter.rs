//! What the kernel counted while a variant performed operations: faults, switches,
//! time, page cache, block requests. A pass of its own: counting block and page-cache
//! events slows what is counted, hence none of it is in the time pass.

use crate::Reading;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whose doings a counter counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// The driver's process, all its threads.
    Task,
    /// The device below the place, for everybody.
    Device,
    /// The whole machine.
    Machine,
}

/// What a counter counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CounterUnit {
    /// Events.
    Events,
    /// Bytes.
    Bytes,
    /// Pages.
    Pages,
    /// Nanoseconds.
    Ns,
}

/// One counter over the operations of an evidence pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KernelCounter {
    /// What is counted: a name of `counter_name`, or a tracepoint's own (`block_rq_issue`).
    pub name: String,
    /// Where it was read: `/proc/PID/stat`, `perf_event block:block_rq_issue`.
    pub source: String,
    /// Whose doings.
    pub scope: Scope,
    /// In what.
    pub unit: CounterUnit,
    /// The longer run less the shorter, one per repetition, or why it could not be had.
    pub differences: Reading<Vec<i64>>,
}

/// Names of counters that more than one part of Fathom knows.
pub mod counter_name {
    /// Minor faults as rusage has them (`/proc/PID/stat`), which is per process.
    pub const RUSAGE_MINOR_FAULTS: &str = "rusage-minor-faults";
    /// Major faults as rusage has them.
    pub const RUSAGE_MAJOR_FAULTS: &str = "rusage-major-faults";
    /// Minor faults as perf events have them.
    pub const MINOR_FAULTS: &str = "minor-faults";
    /// Major faults as perf events have them.
    pub const MAJOR_FAULTS: &str = "major-faults";
    /// Switches away from a thread that waits.
    pub const VOLUNTARY_SWITCHES: &str = "voluntary-switches";
    /// Switches away from a thread that could go on.
    pub const INVOLUNTARY_SWITCHES: &str = "involuntary-switches";
    /// Switches as perf events have them.
    pub const CONTEXT_SWITCHES: &str = "context-switches";
    /// Migrations to another CPU.
    pub const MIGRATIONS: &str = "cpu-migrations";
    /// Time by the driver's own clock.
    pub const WALL_TIME: &str = "wall-time";
    /// Time on a CPU, all threads (`/proc/PID/task/*/schedstat`).
    pub const CPU_TIME: &str = "cpu-time";
    /// The user half of it.
    pub const USER_TIME: &str = "user-time";
    /// The kernel's half of it.
    pub const SYSTEM_TIME: &str = "system-time";
    /// Time ready to run and waiting for a CPU.
    pub const RUN_QUEUE_TIME: &str = "run-queue-time";
    /// Bytes read from devices on behalf of the process.
    pub const READ_BYTES: &str = "read-bytes";
    /// Bytes of the page cache that the process made dirty.
    pub const WRITE_BYTES: &str = "write-bytes";
    /// Bytes that the operations delivered.
    pub const USED_BYTES: &str = "used-bytes";
    /// Pages brought into the page cache.
    pub const PAGES_ADDED: &str = "page-cache-added";
    /// Pages of the page cache made dirty.
    pub const PAGES_DIRTIED: &str = "page-cache-dirtied";
    /// Requests handed to the block layer.
    pub const BIO_QUEUE: &str = "block_bio_queue";
    /// Requests sent to the device's driver.
    pub const RQ_ISSUE: &str = "block_rq_issue";
    /// Faults of user code on file pages, mapped around the fault or one by one.
    pub const FILE_FAULTS: &str = "file-faults";
}

/// How many requests of one kind had which size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RequestSizes {
    /// `read`, `write`, `discard`, `flush`.
    pub kind: String,
    /// Bytes and how many requests had so many, in one run of the longer length, ascending.
    pub sizes: Vec<(u64, u64)>,
    /// Requests that were seen but not kept, when the kernel's ring ran over.
    pub lost: u64,
}

/// What the offsets drawn have to cost, computed from the seed alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Prediction {
    /// Counter that it predicts.
    pub name: String,
    /// Events in one run of the longer length.
    pub expected: u64,
    /// How it comes about, in one phrase.
    pub because: String,
}

/// Everything the kernel told of one variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EvidencePass {
    /// The two run lengths in operations. The shorter is 0 where an operation
    /// changes what the next finds (cold files, batches of a fixed length).
    pub run_lengths: [u64; 2],
    /// How often the pair of runs was repeated.
    pub repetitions: u32,
    /// The counters.
    pub counters: Vec<KernelCounter>,
    /// Sizes of block requests by kind; empty where none were made or they cannot be seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<RequestSizes>,
    /// What must be found, where it can be computed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub predictions: Vec<Prediction>,
}

impl EvidencePass {
    /// Operations that a difference covers.
    pub fn operations(&self) -> u64 {
        self.run_lengths[1] - self.run_lengths[0]
    }

    /// A counter by name and scope.
    pub fn counter(&self, name: &str, scope: Scope) -> Option<&KernelCounter> {
        self.counters.iter().find(|counter| counter.name == name && counter.scope == scope)
    }

    /// The median of a counter of the driver's own, per operation; `None` when it could not be had.
    pub fn per_operation(&self, name: &str) -> Option<f64> {
        Some(self.counter(name, Scope::Task)?.median()? / self.operations() as f64)
    }
}

impl KernelCounter {
    /// The median difference.
    pub fn median(&self) -> Option<f64> {
        let mut sorted = self.differences.value()?.clone();
        sorted.sort_unstable();
        let upper = *sorted.get(sorted.len() / 2)?;
        let lower = sorted[(sorted.len() - 1) / 2];
        Some((lower + upper) as f64 / 2.0)
    }

    /// True when every repetition gave the same difference.
    pub fn is_exact(&self) -> bool {
        self.differences.value().is_some_and(|values| values.windows(2).all(|pair| pair[0] == pair[1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(values: &[i64]) -> EvidencePass {
        let counter = KernelCounter {
            name: counter_name::MINOR_FAULTS.to_owned(),
            source: "perf_event page-faults-min".to_owned(),
            scope: Scope::Task,
            unit: CounterUnit::Events,
            differences: Reading::Value(values.to_vec()),
        };
        EvidencePass {
            run_lengths: [10, 20],
            repetitions: 3,
            counters: vec![counter],
            requests: Vec::new(),
            predictions: Vec::new(),
        }
    }

    #[test]
    fn the_median_difference_over_the_operations_it_covers() {
        let found = pass(&[30, 20, 21]);
        assert_eq!(found.per_operation(counter_name::MINOR_FAULTS), Some(2.1));
        assert!(!found.counters[0].is_exact());
        assert!(pass(&[20, 20]).counters[0].is_exact());
        assert_eq!(found.per_operation(counter_name::MAJOR_FAULTS), None);
    }
}
