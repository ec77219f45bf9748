//! What one reading of each source costs, taken in rounds.

use super::worker::Place;
use crate::calibrate::figures::Middle;
use fathom_collect::{
    CounterSet, NoiseSnapshot, Resource, device_io, dirty_pages, process_io, release_tracepoints, residency,
    stalled_us,
};
use fathom_stats::median;
use std::fs::File;
use std::hint::black_box;
use std::time::Instant;

/// Readings of a batch, and batches of a round.
const READINGS: u32 = 20;
const BATCHES: usize = 9;

/// A source and the time of one reading.
#[derive(Debug)]
pub(super) struct ReadingCost {
    pub(super) name: &'static str,
    pub(super) us: Option<Middle>,
}

/// A source's name, and a reading of it.
type Source<'a> = (&'static str, Box<dyn FnMut() + 'a>);

/// Every source in each round.
pub(super) fn measure(place: &Place, rounds: u32) -> anyhow::Result<Vec<ReadingCost>> {
    let file = File::open(place.file())?;
    let device = place.device().map(str::to_owned);
    let own = std::process::id();
    let mut counters = CounterSet::attach(own, place.device());
    let device_reading = || device.as_deref().map(|number| device_io(number).value().copied());
    let mut sources: Vec<Source<'_>> = vec![
        ("dirty pages and writeback (`/proc/meminfo`)", Box::new(|| drop(black_box(dirty_pages())))),
        (
            "pressure of one kind (`/proc/pressure/io`)",
            Box::new(|| drop(black_box(stalled_us(Resource::Io)))),
        ),
        (
            "the device's statistics (`/sys/dev/block/…/stat`)",
            Box::new(|| {
                black_box(device_reading());
            }),
        ),
        ("I/O of a process (`/proc/PID/io`)", Box::new(move || drop(black_box(process_io(own))))),
        ("residency of a file of one page (cachestat)", Box::new(|| drop(black_box(residency(&file))))),
        (
            "all that disturbs the machine (before and after a run)",
            Box::new(|| drop(black_box(NoiseSnapshot::take()))),
        ),
        (
            "a point of a timeline (meminfo, three pressures, device)",
            Box::new(|| {
                black_box((dirty_pages(), device_reading()));
                let _ = black_box(Resource::ALL.map(stalled_us));
            }),
        ),
        ("all counters of the evidence pass", Box::new(|| drop(black_box(counters.read())))),
    ];
    let mut rounds_us = vec![Vec::new(); sources.len()];
    for _ in 0..rounds {
        for ((_, read), rounds_us) in sources.iter_mut().zip(&mut rounds_us) {
            rounds_us.extend(one_round(read.as_mut()));
        }
    }
    let costs =
        sources.iter().zip(rounds_us).map(|((name, _), us)| ReadingCost { name, us: Middle::of(&us) });
    let costs = costs.collect();
    drop(sources);
    release_tracepoints();
    Ok(costs)
}

fn one_round(read: &mut dyn FnMut()) -> Option<f64> {
    read();
    let batch = |read: &mut dyn FnMut()| {
        let begun = Instant::now();
        for _ in 0..READINGS {
            read();
        }
        begun.elapsed().as_secs_f64() * 1e6 / f64::from(READINGS)
    };
    median(&(0..BATCHES).map(|_| batch(read)).collect::<Vec<_>>())
}
