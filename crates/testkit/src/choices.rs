//! Records of methods to choose among: read whole, warm, by size, with times a
//! test states.

use crate::comparison::{ComparisonBuilder, Measured};
use crate::records::{complete, experiment, warm_builder};
use fathom_model::{Comparison, Operation, Reading, Record};

/// Forks of a comparison to choose from.
const FORKS: u32 = 15;

/// Methods and their times in ns, read whole from files of this size, in 15 forks; the first is the baseline.
pub fn choice(size_bytes: u64, times_ns: &[(&'static str, f64)]) -> Comparison {
    choice_of(Operation::ReadWhole, size_bytes, times_ns)
}

/// The same of any operation.
pub fn choice_of(operation: Operation, size_bytes: u64, times_ns: &[(&'static str, f64)]) -> Comparison {
    let builder = ComparisonBuilder { loops: Vec::new(), ..warm_builder(operation, size_bytes, FORKS) };
    let measured = times_ns.iter().map(|&(method, ns)| Measured {
        method,
        time_ns: (ns, ns * 0.004),
        ratio: None,
        counts: Reading::unavailable("not counted"),
        runtime: &[],
        parameters: None,
    });
    builder.build(&format!("{size_bytes} B · warm"), measured.collect(), vec![])
}

/// A record of these comparisons, as the experiment `decide`.
pub fn choices(comparisons: Vec<Comparison>) -> Record {
    let mut record = complete();
    record.experiments = vec![experiment("decide", "Which way to read", comparisons)];
    record
}
