//! Long runs: after a comparison was timed, one further run of a variant in a
//! process of its own, every operation's time taken by the driver, the machine
//! and the device watched from outside meanwhile.

mod progress;
mod watcher;

use crate::passes::alone::{Alone, AloneError, AloneRun};
use crate::passes::operation_times::{TimeDistribution, TimesFile};
use crate::processes::process::ProcessError;
use crate::processes::protocol::{Done, RunArguments};
use fathom_model::LongRun;
use progress::Progress;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use watcher::Watcher;

/// Where the experiment does not fix the operations, they go on for so long.
const TIME: Duration = Duration::from_secs(5);
/// In batches of about this length: pauses between them are not operations.
const BATCH: Duration = Duration::from_millis(250);
/// The driver and we keep eight bytes for each operation of a batch.
const BATCH_OPERATIONS_MAX: u32 = 1 << 22;

/// What is run and watched.
#[derive(Debug)]
pub(crate) struct Watched<'a> {
    pub(crate) alone: Alone<'a>,
    /// Index of the variant.
    pub(crate) variant: usize,
    /// Operations of the run, where the experiment fixes them.
    pub(crate) operations: u32,
}

/// Runs and watches. The files are in the variant's state when it begins.
pub(crate) fn watch(watched: &Watched<'_>, stop: &AtomicBool) -> Result<LongRun, AloneError> {
    let Alone { arguments, .. } = &watched.alone;
    let mut file = TimesFile::new(arguments.launch.user()).map_err(no_times)?;
    let arguments = RunArguments { latencies: Some(file.path().to_owned()), ..arguments.clone() };
    // Answers were checked in the time pass; of millions of operations that takes as long as they do.
    let alone = Alone { arguments, expected: None, ..watched.alone.clone() };
    let mut process = alone.start(stop)?;
    process.prepare(if alone.fixed_operations().is_some() { watched.operations } else { 1 })?;
    let watcher = Watcher::new(alone.device.clone());
    let (run, (mut points, notes)) = watcher.during(|begun| perform(watched, &mut process, &mut file, begun));
    let run = run?;
    process.quit()?;
    // What came after the last answer is our own reading of the times.
    let after = points.iter().position(|point| point.at_ms >= run.ended.as_secs_f64() * 1000.0);
    points.truncate(after.map_or(points.len(), |index| index + 1));
    run.progress.count_operations(&mut points);
    let Done { operations, bytes, ns, .. } = run.sum;
    let latency = run.distribution.latency();
    Ok(LongRun { variant: watched.variant, operations, bytes, ns, latency, points, notes })
}

/// What the driver told of the run.
#[derive(Debug)]
struct Performed {
    sum: Done,
    distribution: TimeDistribution,
    progress: Progress,
    /// When the last batch was answered.
    ended: Duration,
}

fn perform(
    watched: &Watched<'_>,
    process: &mut AloneRun<'_>,
    file: &mut TimesFile,
    begun: Instant,
) -> Result<Performed, AloneError> {
    let mut run = Performed {
        sum: Done::default(),
        distribution: TimeDistribution::new(),
        progress: Progress::default(),
        ended: Duration::ZERO,
    };
    let is_fixed = watched.alone.fixed_operations().is_some();
    let mut operations = if is_fixed { watched.operations } else { 1 };
    loop {
        let done = process.perform(operations)?;
        // What the driver prepares comes before its clock starts, and an answer takes no time.
        run.ended = begun.elapsed();
        let began = run.ended.saturating_sub(Duration::from_nanos(done.ns));
        let times_ns = file.appended().map_err(no_times)?;
        run.progress.add(began, done.ns, &times_ns);
        run.distribution.add(&times_ns);
        run.sum.operations += done.operations;
        run.sum.bytes += done.bytes;
        run.sum.ns += done.ns;
        if is_fixed || begun.elapsed() >= TIME {
            return Ok(run);
        }
        if Duration::from_nanos(done.ns) * 2 <= BATCH {
            operations = (operations * 2).min(BATCH_OPERATIONS_MAX);
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn no_times(error: std::io::Error) -> AloneError {
    ProcessError::Unsupported(format!("no file for operations' times: {error}")).into()
}
