//! Long runs: after a comparison was timed, one further run of a variant in a
//! process of its own, every operation's time taken by the driver, the dirty
//! pages of the machine and the device watched from outside meanwhile.

use crate::driver_set::Driver;
use crate::process::{DriverProcess, ProcessError};
use crate::protocol::{Batch, RunArguments};
use fathom_collect::{device_io, dirty_pages};
use fathom_model::{Latency, LongRun, TimelinePoint};
use hdrhistogram::Histogram;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Fine enough for writeback, which works in steps of seconds, and cheap: two
/// small files are read each time.
const INTERVAL: Duration = Duration::from_millis(25);
/// Digits to which latencies are kept.
const DIGITS: u8 = 3;

/// What is run and watched.
#[derive(Debug)]
pub(crate) struct Watched<'a> {
    pub(crate) driver: &'a Driver,
    pub(crate) arguments: RunArguments,
    /// Index of the variant.
    pub(crate) variant: usize,
    pub(crate) operations: u32,
    /// Number of the device below the place.
    pub(crate) device: Option<String>,
}

/// Runs and watches.
pub(crate) fn watch(watched: &Watched<'_>, stop: &AtomicBool) -> Result<LongRun, ProcessError> {
    let failed = |error: std::io::Error| ProcessError::Unsupported(format!("no file for latencies: {error}"));
    let directory = tempfile::tempdir().map_err(failed)?;
    let file = directory.path().join("latencies");
    let arguments = RunArguments { latencies: Some(file.clone()), ..watched.arguments.clone() };
    let mut process = DriverProcess::start(watched.driver, &arguments, 0, stop)?;
    let over = AtomicBool::new(false);
    let begun = Instant::now();
    let (done, mut points) = std::thread::scope(|scope| {
        let sampler = scope.spawn(|| sample(&over, begun, watched.device.as_deref()));
        let done = process.batch(Batch { slot: 0, operations: watched.operations, preroll: 0 });
        over.store(true, Ordering::Relaxed);
        (done, sampler.join().unwrap_or_default())
    });
    let done = done?;
    process.quit()?;
    let times_ns = read_times(&file).map_err(failed)?;
    count_operations(&mut points, &times_ns);
    Ok(LongRun {
        variant: watched.variant,
        operations: done.operations,
        bytes: done.bytes,
        ns: done.ns,
        latency: latency(&times_ns).map_err(ProcessError::Unsupported)?,
        points,
    })
}

fn sample(over: &AtomicBool, begun: Instant, device: Option<&str>) -> Vec<TimelinePoint> {
    let written = || device.and_then(|number| device_io(number).value().map(|io| io.written_bytes));
    let at_begin = written();
    let mut points = Vec::new();
    loop {
        let last = over.load(Ordering::Relaxed);
        let dirty = dirty_pages().value().copied();
        points.push(TimelinePoint {
            at_ms: begun.elapsed().as_secs_f64() * 1000.0,
            operations: 0,
            dirty_bytes: dirty.map(|pages| pages.dirty_bytes),
            writeback_bytes: dirty.map(|pages| pages.writeback_bytes),
            device_written_bytes: written().zip(at_begin).map(|(now, then)| now.saturating_sub(then)),
        });
        if last {
            return points;
        }
        std::thread::sleep(INTERVAL);
    }
}

/// The driver's file: nanoseconds as little-endian words.
fn read_times(file: &std::path::Path) -> std::io::Result<Vec<u64>> {
    let bytes = std::fs::read(file)?;
    Ok(bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes"))).collect())
}

/// How many operations were done at each point: the operations follow each
/// other without a gap, so that the sum of their times says when each ended.
fn count_operations(points: &mut [TimelinePoint], times_ns: &[u64]) {
    let mut ended_ns = 0_u64;
    let mut done = 0_usize;
    for point in points {
        while done < times_ns.len() && (ended_ns + times_ns[done]) as f64 <= point.at_ms * 1e6 {
            ended_ns += times_ns[done];
            done += 1;
        }
        point.operations = done as u64;
    }
}

fn latency(times_ns: &[u64]) -> Result<Latency, String> {
    let mut histogram = Histogram::<u64>::new(DIGITS).map_err(|error| error.to_string())?;
    for &time in times_ns {
        histogram.record(time).map_err(|error| error.to_string())?;
    }
    let at = |quantile: f64| histogram.value_at_quantile(quantile);
    Ok(Latency {
        n: histogram.len(),
        p50_ns: at(0.5),
        p90_ns: at(0.9),
        p99_ns: at(0.99),
        p999_ns: at(0.999),
        p9999_ns: at(0.9999),
        most_ns: histogram.max(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_the_times() {
        let times: Vec<u64> = (1..=1000).map(|n| n * 100).collect();
        let found = latency(&times).unwrap();
        assert_eq!(found.n, 1000);
        for (value, exact) in [(found.p50_ns, 50_000), (found.p99_ns, 99_000), (found.most_ns, 100_000)] {
            assert!(value.abs_diff(exact) * 500 <= exact, "{value} is {exact} to three digits");
        }
        assert_eq!(latency(&[]).unwrap().n, 0);
    }

    #[test]
    fn operations_are_done_when_their_times_add_up() {
        let point = |at_ms| TimelinePoint {
            at_ms,
            operations: 0,
            dirty_bytes: None,
            writeback_bytes: None,
            device_written_bytes: None,
        };
        let mut points = [point(0.0), point(1.5), point(3.0), point(99.0)];
        count_operations(&mut points, &[1_000_000, 1_000_000, 1_000_000, 5_000_000]);
        assert_eq!(points.map(|point| point.operations), [0, 1, 3, 4]);
    }
}
