//! The latency pass: every operation's own time, taken by the driver in a run of
//! its own, and the same of an operation that does nothing, to price the clock.

use crate::passes::alone::{Alone, AloneError};
use crate::passes::operation_times::{TimeDistribution, TimesFile};
use fathom_model::{CacheState, LatencyDistribution, Reading, Variant};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The method that does everything but the I/O.
const NULL: &str = "null";
/// A batch lasts about so long, where its length may be chosen.
const BATCH: Duration = Duration::from_millis(50);
/// After so many batches without proof of their cache state, more than there are
/// with it, there is no hope.
const VOID_MAX: u32 = 20;

/// How many operations are enough.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Effort {
    /// Never fewer, unless `time_max` is over.
    least: u64,
    /// Never more, but for the last batch.
    most: u64,
    /// In between, so much time.
    time: Duration,
    time_max: Duration,
}

/// Operations may follow each other without a pause.
const WARM: Effort =
    Effort { least: 10_000, most: 2_000_000, time: Duration::from_secs(1), time_max: Duration::from_secs(5) };
/// Each batch has its files evicted first.
const COLD: Effort =
    Effort { least: 30, most: 2_000_000, time: Duration::from_secs(2), time_max: Duration::from_secs(15) };
/// What operations write stays on the disk until the comparison is over.
const WRITING: Effort =
    Effort { least: 1, most: 10_000, time: Duration::from_secs(1), time_max: Duration::from_secs(1) };
/// The null operation: for the median only.
const CLOCK: Effort = Effort {
    least: 30,
    most: 100_000,
    time: Duration::from_millis(100),
    time_max: Duration::from_millis(500),
};

/// Takes the operations' own times of a variant.
pub(crate) fn take(alone: &Alone<'_>, stop: &AtomicBool) -> Reading<LatencyDistribution> {
    distribution(alone, stop).into()
}

fn distribution(alone: &Alone<'_>, stop: &AtomicBool) -> Result<LatencyDistribution, String> {
    let operations = alone.operations_lasting(BATCH);
    let taken = own_times(alone, operations, Effort::of(alone.variant), stop)?;
    let clock = own_times(&without_io(alone), operations, CLOCK, stop);
    let clock = clock.map_err(|reason| format!("what the clock adds could not be taken: {reason}"))?;
    Ok(LatencyDistribution {
        latency: taken.latency(),
        mean_ns: taken.mean_ns(),
        clock_ns: clock.latency().p50_ns as f64,
        histogram: taken.encoded()?,
    })
}

impl Effort {
    fn of(variant: &Variant) -> Self {
        match variant {
            _ if variant.operation.writes() => WRITING,
            _ if variant.cache == CacheState::Cold => COLD,
            _ => WARM,
        }
    }

    fn is_enough(self, n: u64, elapsed: Duration) -> bool {
        n >= self.most || elapsed >= self.time_max || (n >= self.least && elapsed >= self.time)
    }
}

/// The driver's null operation in batches of the same length. It has its data in
/// memory: there are no files whose state matters.
fn without_io<'a>(alone: &Alone<'a>) -> Alone<'a> {
    let mut null = alone.clone();
    null.arguments.methods = vec![NULL.to_owned()];
    null.files = Vec::new();
    null.drop_caches = false;
    null.device = None;
    null
}

/// Runs batches of so many operations until there are enough.
fn own_times(
    alone: &Alone<'_>,
    operations: u32,
    effort: Effort,
    stop: &AtomicBool,
) -> Result<TimeDistribution, String> {
    let said = |error: std::io::Error| format!("no file for operations' times: {error}");
    let mut file = TimesFile::new(alone.arguments.launch.user()).map_err(said)?;
    let mut timed = alone.clone();
    timed.arguments.latencies = Some(file.path().to_owned());
    let mut run = timed.start(stop).map_err(|error| error.to_string())?;
    run.settle(operations).map_err(|error| error.to_string())?;
    // What ran to settle is not among the times.
    file.appended().map_err(said)?;
    let mut distribution = TimeDistribution::new();
    let (mut kept, mut void) = (0_u32, 0_u32);
    let begun = Instant::now();
    while !effort.is_enough(distribution.n(), begun.elapsed()) || kept == 0 {
        let held = match run.prepare(operations) {
            Ok(()) => {
                run.perform(operations).map_err(|error| error.to_string())?;
                run.check_state()
            }
            unprepared => unprepared,
        };
        let times_ns = file.appended().map_err(said)?;
        match held {
            Ok(()) => {
                kept += 1;
                distribution.add(&times_ns);
            }
            Err(AloneError::Void(_)) if void < VOID_MAX.max(kept) => void += 1,
            Err(error) => return Err(error.to_string()),
        }
    }
    run.quit().map_err(|error| error.to_string())?;
    Ok(distribution)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_operations_are_not_waited_for_and_fast_ones_do_not_go_on() {
        let s = Duration::from_secs;
        assert!(!WARM.is_enough(1_999_999, Duration::from_millis(999)));
        assert!(WARM.is_enough(2_000_000, Duration::ZERO), "fast: at most so many");
        assert!(!WARM.is_enough(9_999, s(4)) && WARM.is_enough(10_000, s(1)));
        assert!(WARM.is_enough(2, s(5)), "slow: so long and no longer");
        assert!(!COLD.is_enough(29, s(14)) && COLD.is_enough(30, s(2)) && COLD.is_enough(7, s(15)));
        assert!(WRITING.is_enough(300, s(1)) && WRITING.is_enough(10_000, Duration::ZERO));
    }
}
