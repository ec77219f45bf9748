//! Looks at the machine every few milliseconds while something runs: dirty pages,
//! writeback, pressure, and what the device below the place did.

use fathom_collect::{DeviceIo, DirtyPages, Resource, device_io, dirty_pages, stalled_us};
use fathom_model::{Reading, TimelinePoint};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Fine enough for runs of a tenth of a second, and cheap: reading five small files
/// takes 25 µs of it.
const INTERVAL: Duration = Duration::from_millis(10);
/// With more moments than this every second one is dropped, and from then on they
/// are twice as far apart.
const MOMENTS_MAX: usize = 512;

/// Looks from a thread of its own.
#[derive(Debug)]
pub(super) struct Watcher {
    /// Number of the device, where there is one.
    device: Option<String>,
    notes: Vec<String>,
}

/// What was seen at one moment.
#[derive(Debug, Clone, Copy)]
struct Moment {
    at: Duration,
    dirty: Option<DirtyPages>,
    device: Option<DeviceIo>,
    /// In the order of `Resource::ALL`.
    stalled_us: [Option<u64>; 3],
}

impl Watcher {
    pub(super) fn new(device: Option<String>) -> Self {
        let mut notes = Vec::new();
        let mut note = |what: &str, reason: Option<String>| {
            notes.extend(reason.map(|reason| format!("{what}: {reason}")));
        };
        note("dirty pages", reason(&dirty_pages()));
        match &device {
            None => note("device", Some("no block device of its own lies below this place".to_owned())),
            Some(number) => note("device", reason(&device_io(number))),
        }
        for resource in Resource::ALL {
            note(&format!("{} pressure", resource.word()), reason(&stalled_us(resource)));
        }
        Self { device, notes }
    }

    /// Calls `run` with the moment from which times count, and tells what was seen
    /// meanwhile and what could not be seen; operations are not counted yet.
    pub(super) fn during<T>(self, run: impl FnOnce(Instant) -> T) -> (T, (Vec<TimelinePoint>, Vec<String>)) {
        let is_over = AtomicBool::new(false);
        let begun = Instant::now();
        let (result, moments) = std::thread::scope(|scope| {
            let looking = std::thread::Builder::new().spawn_scoped(scope, || self.look(&is_over, begun));
            let result = run(begun);
            is_over.store(true, Ordering::Relaxed);
            let moments = looking.map(|looking| {
                looking.thread().unpark();
                looking.join().unwrap_or_default()
            });
            (result, moments)
        });
        let mut notes = self.notes;
        if let Err(error) = &moments {
            notes.push(format!("nothing was watched meanwhile: no thread: {error}"));
        }
        (result, (points(&moments.unwrap_or_default()), notes))
    }

    fn look(&self, is_over: &AtomicBool, begun: Instant) -> Vec<Moment> {
        let mut moments = Vec::new();
        let mut interval = INTERVAL;
        loop {
            let is_last = is_over.load(Ordering::Relaxed);
            let moment = self.moment(begun);
            let too_near = |before: &mut Moment| moment.at.saturating_sub(before.at) * 2 < interval;
            if is_last && moments.len() > 1 {
                // The end takes the place of a point just before it.
                moments.pop_if(too_near);
            }
            moments.push(moment);
            if is_last {
                return moments;
            }
            if moments.len() > MOMENTS_MAX {
                moments = moments.into_iter().step_by(2).collect();
                interval *= 2;
            }
            std::thread::park_timeout(interval);
        }
    }

    fn moment(&self, begun: Instant) -> Moment {
        let device = self.device.as_deref().and_then(|number| device_io(number).value().copied());
        let stalled_us = Resource::ALL.map(|resource| stalled_us(resource).value().copied());
        Moment { at: begun.elapsed(), dirty: dirty_pages().value().copied(), device, stalled_us }
    }
}

fn reason<T>(reading: &Reading<T>) -> Option<String> {
    match reading {
        Reading::Value(_) => None,
        Reading::Unavailable(reason) => Some(reason.clone()),
    }
}

/// A point at which nothing is known.
pub(super) fn point_at(at_ms: f64) -> TimelinePoint {
    TimelinePoint {
        at_ms,
        operations: 0,
        dirty_bytes: None,
        writeback_bytes: None,
        device_written_bytes: None,
        device_read_bytes: None,
        cpu_pressure: None,
        io_pressure: None,
        memory_pressure: None,
    }
}

fn points(moments: &[Moment]) -> Vec<TimelinePoint> {
    let Some(first) = moments.first() else { return Vec::new() };
    let before = std::iter::once(None).chain(moments.iter().map(Some));
    let point = |(before, moment): (Option<&Moment>, &Moment)| {
        let device = moment.device.zip(first.device).map(|(now, then)| now.since(then));
        let [cpu_pressure, io_pressure, memory_pressure] =
            std::array::from_fn(|resource| pressure(before?, moment, resource));
        TimelinePoint {
            dirty_bytes: moment.dirty.map(|pages| pages.dirty_bytes),
            writeback_bytes: moment.dirty.map(|pages| pages.writeback_bytes),
            device_written_bytes: device.map(|io| io.written_bytes),
            device_read_bytes: device.map(|io| io.read_bytes),
            cpu_pressure,
            io_pressure,
            memory_pressure,
            ..point_at(moment.at.as_secs_f64() * 1000.0)
        }
    };
    before.zip(moments).map(point).collect()
}

/// The share of the time between two moments in which some task waited.
fn pressure(before: &Moment, now: &Moment, resource: usize) -> Option<f64> {
    let (then_us, now_us) = (before.stalled_us[resource]?, now.stalled_us[resource]?);
    let elapsed_us = now.at.saturating_sub(before.at).as_secs_f64() * 1e6;
    (elapsed_us > 0.0).then(|| (now_us.saturating_sub(then_us) as f64 / elapsed_us).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(at_ms: u64, stalled_us: u64, written_bytes: u64) -> Moment {
        Moment {
            at: Duration::from_millis(at_ms),
            dirty: None,
            device: Some(DeviceIo { written_bytes, ..DeviceIo::default() }),
            stalled_us: [Some(stalled_us), None, Some(0)],
        }
    }

    #[test]
    fn pressure_is_a_share_of_its_interval_and_bytes_count_from_the_start() {
        let moments = [moment(0, 500, 10_000), moment(100, 25_500, 14_096), moment(110, 99_500, 14_096)];
        let points = points(&moments);
        let close = |share: Option<f64>, exact: f64| share.is_some_and(|share| (share - exact).abs() < 1e-9);
        assert!(points[0].cpu_pressure.is_none() && points[1].io_pressure.is_none());
        assert!(close(points[1].cpu_pressure, 0.25) && close(points[1].memory_pressure, 0.0));
        assert!(close(points[2].cpu_pressure, 1.0), "totals are of another clock: never above the whole");
        assert_eq!(
            points.iter().map(|p| p.device_written_bytes).collect::<Vec<_>>(),
            [Some(0), Some(4096), Some(4096)]
        );
    }

    #[test]
    fn what_is_not_there_is_said_and_the_rest_is_watched() {
        let watcher = Watcher::new(Some("999:999".to_owned()));
        let ((), (points, notes)) = watcher.during(|_| std::thread::sleep(Duration::from_millis(60)));
        assert!(points.len() > 1 && points.windows(2).all(|pair| pair[0].at_ms < pair[1].at_ms));
        assert!(points.iter().all(|point| point.device_written_bytes.is_none()));
        assert!(notes.iter().any(|note| note.starts_with("device: ")), "{notes:?}");
        let none = Watcher::new(None);
        assert!(none.notes.iter().any(|note| note.contains("no block device")), "{:?}", none.notes);
    }
}
