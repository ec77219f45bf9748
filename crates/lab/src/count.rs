//! The count pass of one variant: a driver process of its own under the tracer.

use crate::driver_set::Driver;
use crate::protocol::RunArguments;
use fathom_model::{CountPass, Reading};
use fathom_trace::{CountPlan, DataPaths, Options, TraceError};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A count pass that takes longer than this has failed.
const TIME_LIMIT: Duration = Duration::from_mins(2);
/// At most this many bytes are read by all operations of a count pass together,
/// as far as the least number of operations allows.
const BYTES_MAX: u64 = 256 << 20;
/// Fewer operations cannot tell a rate from noise.
const LEAST_OPERATIONS: u64 = 4;

/// Counts the calls of the only method of `arguments`, which must have marks on.
pub(crate) fn count(
    driver: &Driver,
    arguments: &RunArguments,
    bytes_per_operation: u64,
    cpu: Option<u32>,
    stop: &AtomicBool,
) -> Result<Reading<CountPass>, Interrupted> {
    let plan = plan(bytes_per_operation);
    // What is held stays open until the program runs.
    let (mut command, _held) = match arguments.launch.command(driver) {
        Ok(started) => started,
        Err(reason) => return Ok(Reading::unavailable(reason)),
    };
    command.args(arguments.to_words());
    let script = plan.script();
    let options = Options {
        stdin: script.as_bytes(),
        cpu,
        time_limit: TIME_LIMIT,
        stop: Some(stop),
        ..Options::default()
    };
    let data = DataPaths::new(arguments.paths.clone()).with_written(arguments.directory.clone());
    let counted = fathom_trace::run(&mut command, &options)
        .and_then(|run| fathom_trace::count_pass(&run, &plan, &data));
    match counted {
        Err(TraceError::Interrupted) => Err(Interrupted),
        other => Ok(other.into()),
    }
}

/// The user interrupted the run.
#[derive(Debug)]
pub(crate) struct Interrupted;

/// Large files are read a few times only: the number of calls per operation
/// does not depend on how often it is done.
fn plan(bytes_per_operation: u64) -> CountPlan {
    let standard = CountPlan::default();
    let rounds = 1 + 3 * u64::from(standard.repetitions);
    let affordable = BYTES_MAX / rounds / bytes_per_operation.max(1);
    let operations = affordable.clamp(LEAST_OPERATIONS, standard.operations);
    CountPlan { operations, warm_up: standard.warm_up.min(operations), ..standard }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_files_are_read_a_few_times_and_small_ones_as_planned() {
        assert_eq!(plan(0).operations, CountPlan::default().operations);
        assert_eq!(plan(4096).operations, CountPlan::default().operations);
        assert_eq!(plan(1 << 30).operations, LEAST_OPERATIONS);
    }
}
