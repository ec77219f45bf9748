//! The count pass of one variant: a driver process of its own under the tracer.

use crate::drivers::driver_set::Driver;
use crate::processes::expected::Expected;
use crate::processes::protocol::{Answer, RunArguments, parse_answer};
use fathom_model::{CountPass, Reading};
use fathom_trace::{CountPlan, DataPaths, Options};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A count pass that takes longer than this has failed.
pub(crate) const TIME_LIMIT: Duration = Duration::from_mins(2);
/// At most this many bytes are read by all operations of a count pass together,
/// as far as the least number of operations allows.
const BYTES_MAX: u64 = 256 << 20;
/// Fewer operations cannot tell a rate from noise.
const LEAST_OPERATIONS: u64 = 4;

/// What an operation reads or writes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DataMoved {
    pub(crate) bytes: u64,
    /// The piece in which a method with a buffer of its own takes them.
    pub(crate) piece: u64,
}

/// From so many bytes on, an operation may take long or make many calls, …
const BRIEF_FROM_BYTES: u64 = 1 << 20;
/// … and from so many pieces on.
const BRIEF_FROM_PIECES: u64 = 4096;

/// Counts the calls of the only method of `arguments`, which must have marks on. What it
/// answers must be `expected`, where that is known. What was counted when the user
/// interrupts is kept.
pub(crate) fn count(
    driver: &Driver,
    arguments: &RunArguments,
    (data, expected): (DataMoved, Option<&Expected>),
    cpu: Option<u32>,
    stop: &AtomicBool,
) -> Reading<CountPass> {
    let plan = plan(data);
    // What is held stays open until the program runs.
    let (mut command, _held) = match arguments.launch.command(driver) {
        Ok(started) => started,
        Err(reason) => return Reading::unavailable(reason),
    };
    command.args(arguments.to_words());
    let script = plan.script();
    let options = Options {
        stdin: script.as_bytes(),
        cpu,
        time_limit: TIME_LIMIT,
        stop: Some(stop),
        brief: plan.brief,
        ..Options::default()
    };
    let paths = DataPaths::new(arguments.paths.clone()).with_written(arguments.directory.clone());
    let run = match fathom_trace::run(&mut command, &options) {
        Ok(run) => run,
        Err(error) => return Reading::unavailable(error.to_string()),
    };
    let wrong =
        expected.filter(|_| plan.brief).and_then(|expected| wrong_answer(expected, &plan, &run.stdout));
    match wrong {
        Some(reason) => Reading::unavailable(reason),
        None => fathom_trace::count_pass(&run, &plan, &paths).into(),
    }
}

/// The first wrong answer: of a long operation nothing but `verify` was looked at before.
fn wrong_answer(expected: &Expected, plan: &CountPlan, stdout: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stdout);
    let answers = text.lines().filter(|line| line.starts_with("done "));
    let mut first = 0;
    for (line, operations) in answers.zip(plan.batches()) {
        let Ok(Answer::Done(done)) = parse_answer(line) else { continue };
        let wrong = expected.check(&done, first, u32::try_from(operations).unwrap_or(u32::MAX));
        if let Err(wrong) = wrong {
            return Some(wrong.to_string());
        }
        first += operations;
    }
    None
}

/// Large files are read a few times only: the number of calls per operation
/// does not depend on how often it is done.
pub(crate) fn plan(data: DataMoved) -> CountPlan {
    let standard = CountPlan::default();
    let rounds = 1 + 3 * u64::from(standard.repetitions);
    let affordable = BYTES_MAX / rounds / data.bytes.max(1);
    let operations = affordable.clamp(LEAST_OPERATIONS, standard.operations);
    let brief = data.bytes >= BRIEF_FROM_BYTES || data.bytes / data.piece.max(1) >= BRIEF_FROM_PIECES;
    CountPlan { operations, warm_up: standard.warm_up.min(operations), brief, ..standard }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_files_are_read_a_few_times_and_small_ones_as_planned() {
        let plan = |bytes| plan(DataMoved { bytes, piece: 64 << 10 });
        assert_eq!(plan(0).operations, CountPlan::default().operations);
        assert_eq!(plan(4096).operations, CountPlan::default().operations);
        assert_eq!(plan(1 << 30).operations, LEAST_OPERATIONS);
        assert!(plan(1 << 30).brief && !plan(64 << 10).brief);
        assert!(super::plan(DataMoved { bytes: 20_000, piece: 1 }).brief, "a call for every byte");
    }
}
