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
    /// Reads handed to the block layer that lie outside the files that the operations read.
    pub const OUTSIDE_READS: &str = "outside-reads";
    /// Their bytes.
    pub const OUTSIDE_READ_BYTES: &str = "outside-read-bytes";
    /// Pages brought into the page cache.
    pub const PAGES_ADDED: &str = "page-cache-added";
    /// Those of them that are pages of the files that the operations read.
    pub const FILE_PAGES_ADDED: &str = "page-cache-added:files";
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

/// What a prediction came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PredictionOutcome {
    /// What was counted, repetition by repetition, less what was read outside the files.
    pub values: Vec<i64>,
    /// Reads outside the files that were taken off, in all repetitions.
    pub outside: u64,
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

    /// What a prediction came to; `None` where its counter could not be had. Reads outside the
    /// files are taken off a repetition where that explains its whole difference, else nothing is.
    pub fn outcome(&self, prediction: &Prediction) -> Option<PredictionOutcome> {
        let counted = self.counter(&prediction.name, Scope::Task)?.differences.value()?;
        let expected = i64::try_from(prediction.expected).ok()?;
        let mut outcome = PredictionOutcome { values: Vec::new(), outside: 0 };
        for (repetition, &value) in counted.iter().enumerate() {
            let [requests, amount] = self.outside(&prediction.name, repetition);
            let explained = value != expected && value - amount == expected;
            outcome.values.push(if explained { expected } else { value });
            outcome.outside += if explained { requests.unsigned_abs() } else { 0 };
        }
        (!outcome.values.is_empty()).then_some(outcome)
    }

    /// How many reads of a repetition lay outside the files, and what they add to a counter.
    fn outside(&self, counter: &str, repetition: usize) -> [i64; 2] {
        let of = |name| -> Option<i64> {
            self.counter(name, Scope::Task)?.differences.value()?.get(repetition).copied()
        };
        let requests = of(counter_name::OUTSIDE_READS).unwrap_or(0);
        let bytes = of(counter_name::OUTSIDE_READ_BYTES).unwrap_or(0);
        let amount = match counter {
            counter_name::BIO_QUEUE => requests,
            counter_name::READ_BYTES => bytes,
            _ => 0,
        };
        [requests, amount]
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

    /// One that counted these and had so many reads of 4 KiB outside the files.
    fn predicted(counted: [i64; 3], outside: i64) -> (EvidencePass, [Prediction; 3]) {
        let names = [counter_name::BIO_QUEUE, counter_name::READ_BYTES, counter_name::FILE_PAGES_ADDED];
        let mut found = pass(&[]);
        found.counters = std::iter::zip(names, counted)
            .map(|(name, value)| KernelCounter {
                name: name.to_owned(),
                differences: Reading::Value(vec![value]),
                ..found.counters[0].clone()
            })
            .collect();
        let prediction =
            |name: &str, expected| Prediction { name: name.to_owned(), expected, because: String::new() };
        let predictions =
            [prediction(names[0], 10), prediction(names[1], 40 * 4096), prediction(names[2], 40)];
        found.predictions = predictions.to_vec();
        for (name, value) in
            [(counter_name::OUTSIDE_READS, outside), (counter_name::OUTSIDE_READ_BYTES, outside * 4096)]
        {
            let differences = Reading::Value(vec![value]);
            let counter = KernelCounter { name: name.to_owned(), differences, ..found.counters[0].clone() };
            found.counters.push(counter);
        }
        (found, predictions)
    }

    #[test]
    fn reads_outside_the_files_are_taken_off_where_they_explain_all() {
        let taken = |counted, outside| {
            let (found, predictions) = predicted(counted, outside);
            predictions.map(|prediction| found.outcome(&prediction).unwrap().outside)
        };
        assert_eq!(taken([10, 40 * 4096, 40], 2), [0, 0, 0]);
        assert_eq!(taken([12, 42 * 4096, 40], 2), [2, 2, 0]);
        assert_eq!(taken([8, 38 * 4096, 40], -2), [2, 2, 0], "in the shorter run");
        assert_eq!(taken([13, 43 * 4096, 43], 2), [0, 0, 0], "one more that nothing explains");
    }

    #[test]
    fn each_repetition_has_its_own_reads_outside() {
        let (mut found, [requests, ..]) = predicted([10, 0, 0], 0);
        for (counter, values) in [(0, [11, 10, 12]), (3, [1, 0, 2])] {
            found.counters[counter].differences = Reading::Value(values.to_vec());
        }
        let outcome = found.outcome(&requests).unwrap();
        assert_eq!((outcome.values, outcome.outside), (vec![10, 10, 10], 3));
    }

    #[test]
    fn what_nothing_explains_stays_as_it_was_counted() {
        let (found, [requests, ..]) = predicted([13, 0, 0], 2);
        assert_eq!(found.outcome(&requests).unwrap().values, [13]);
        let (found, [requests, ..]) = predicted([12, 0, 0], 2);
        assert_eq!(found.outcome(&requests).unwrap().values, [10]);
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
