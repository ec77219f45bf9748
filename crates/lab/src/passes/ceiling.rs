//! What memory and a device can give at most, so that a reader sees how much of it
//! a method reaches. Memory is copied by threads of our own; the device is read
//! by the native driver past the page cache, with many requests in flight.

use crate::drivers::driver_set::{Driver, DriverSet};
use crate::processes::process::DriverProcess;
use crate::processes::protocol::{Batch, RunArguments};
use crate::setup::preparation::Preparation;
use fathom_model::{
    CacheState, Ceiling, CeilingKind, MethodId, Operation, Parameters, Reading, Setting, SettingValue,
    Variant,
};
use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::{Barrier, RwLock};
use std::time::Instant;

/// More than any processor cache holds.
const COPY_BYTES: usize = 64 << 20;
const ROUNDS: u32 = 9;
const DRIVER: &str = "native";
/// What a read delivers into.
const BUFFER_BYTES: usize = 1 << 20;

/// Measures one ceiling; `example` is a variant of the experiment, whose files are read.
pub(crate) fn measure(
    kind: CeilingKind,
    example: &Variant,
    ready: &Preparation,
    drivers: &DriverSet,
    stop: &AtomicBool,
) -> Reading<Ceiling> {
    match kind {
        CeilingKind::MemoryCopy => memory(kind, 1).into(),
        CeilingKind::MemoryCopyAllCpus => {
            let cpus = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
            memory(kind, cpus).into()
        }
        CeilingKind::DeviceSequential | CeilingKind::DeviceRandom => {
            device(kind, example, ready, drivers, stop).into()
        }
    }
}

/// All threads copy at the same time, from much memory into a buffer that is used
/// again, as reading does; a round lasts from the first that begins to the last that ends.
fn memory(kind: CeilingKind, threads: usize) -> Result<Ceiling, String> {
    let barrier = Barrier::new(threads);
    // Nobody waits at the barrier before all are there.
    let gate = RwLock::new(false);
    let obey = || {
        let is_open = gate.read().is_ok_and(|open| *open);
        if is_open { copy(&barrier) } else { Vec::new() }
    };
    let copies: Vec<Vec<(Instant, Instant)>> = std::thread::scope(|scope| {
        let closed = gate.write();
        let spawn = |_| std::thread::Builder::new().spawn_scoped(scope, obey);
        let running = (0..threads).map(spawn).collect::<io::Result<Vec<_>>>();
        let running = running.map_err(|error| format!("no thread to copy: {error}"))?;
        if let Ok(mut gate) = closed {
            *gate = true;
        }
        Ok::<_, String>(running.into_iter().map(|thread| thread.join().unwrap_or_default()).collect())
    })?;
    // The first round brings the memory in.
    let rounds = (1..=ROUNDS as usize)
        .filter_map(|round| {
            let of_round = || copies.iter().filter_map(|copy| copy.get(round));
            let begun = of_round().map(|(begun, _)| *begun).min()?;
            let ended = of_round().map(|(_, ended)| *ended).max()?;
            Some((COPY_BYTES * threads) as f64 / (ended - begun).as_secs_f64())
        })
        .collect();
    let how = format!("{threads} x memcpy of {} MiB into {} MiB", COPY_BYTES >> 20, BUFFER_BYTES >> 20);
    Ok(summary(kind, how, None, rounds))
}

/// One thread's rounds.
fn copy(barrier: &Barrier) -> Vec<(Instant, Instant)> {
    let (from, mut to) = (vec![1_u8; COPY_BYTES], vec![0_u8; BUFFER_BYTES]);
    (0..=ROUNDS)
        .map(|_| {
            barrier.wait();
            let begun = Instant::now();
            for piece in std::hint::black_box(&from).chunks_exact(BUFFER_BYTES) {
                to.copy_from_slice(piece);
                std::hint::black_box(&mut to);
            }
            (begun, Instant::now())
        })
        .collect()
}

/// The most that any of the ways to read past the page cache gives.
fn device(
    kind: CeilingKind,
    example: &Variant,
    ready: &Preparation,
    drivers: &DriverSet,
    stop: &AtomicBool,
) -> Result<Ceiling, String> {
    if ready.store.facts(example.place).in_memory {
        return Err("a memory file system has no device".to_owned());
    }
    let driver = drivers.driver(DRIVER).map_err(str::to_owned)?;
    let ways = if kind == CeilingKind::DeviceRandom { RANDOM } else { SEQUENTIAL };
    let mut best: Option<Ceiling> = None;
    let mut refused = String::new();
    for way in ways {
        let variant = way.variant(kind, example);
        match rounds(driver, &ready.arguments(&variant, false)?, kind, stop) {
            Ok(rounds) => {
                let found = summary(kind, way.words(), Some(example.place), rounds);
                if best.as_ref().is_none_or(|best| found.bytes_per_s > best.bytes_per_s) {
                    best = Some(found);
                }
            }
            Err(reason) => refused = reason,
        }
    }
    best.ok_or(refused)
}

/// A way to read the device.
struct Way {
    method: &'static str,
    block_bytes: u64,
    threads: u64,
    queue_depth: u64,
}

const fn way(method: &'static str, block_bytes: u64, threads: u64, queue_depth: u64) -> Way {
    Way { method, block_bytes, threads, queue_depth }
}

const SEQUENTIAL: &[Way] = &[
    way("io_uring+O_DIRECT", 1 << 20, 1, 32),
    way("io_uring+O_DIRECT", 8 << 20, 1, 8),
    way("O_DIRECT+pread", 8 << 20, 4, 1),
];
const RANDOM: &[Way] = &[
    way("io_uring+O_DIRECT", 4 << 10, 1, 64),
    way("io_uring+O_DIRECT", 4 << 10, 1, 256),
    way("O_DIRECT+pread", 4 << 10, 64, 1),
];

impl Way {
    fn words(&self) -> String {
        format!(
            "the most of {}: {}, {} KiB at once, {} in flight",
            if self.block_bytes > 4 << 10 { SEQUENTIAL.len() } else { RANDOM.len() },
            self.method,
            self.block_bytes >> 10,
            self.threads * self.queue_depth,
        )
    }

    /// The example's files, read this way.
    fn variant(&self, kind: CeilingKind, example: &Variant) -> Variant {
        let random = kind == CeilingKind::DeviceRandom;
        let mut parameters = Parameters::new(example.parameters.data.clone(), self.block_bytes);
        parameters.settings.set(Setting::QueueDepth, SettingValue::Number(self.queue_depth));
        parameters.settings.set(Setting::Threads, SettingValue::Number(self.threads));
        Variant {
            method: MethodId::new(DRIVER, self.method),
            operation: if random { Operation::ReadBlock } else { Operation::ReadWhole },
            place: example.place,
            cache: CacheState::Cold,
            parameters,
        }
    }
}

/// Bytes per second of each round, the first left out.
fn rounds(
    driver: &Driver,
    arguments: &RunArguments,
    kind: CeilingKind,
    stop: &AtomicBool,
) -> Result<Vec<f64>, String> {
    let operations = if kind == CeilingKind::DeviceRandom { 4000 } else { 1 };
    let mut process = DriverProcess::start(driver, arguments, 0, stop).map_err(|error| error.to_string())?;
    let mut rounds = Vec::new();
    for round in 0..=ROUNDS {
        let done =
            process.batch(Batch { slot: 0, operations, preroll: 0 }).map_err(|error| error.to_string())?;
        if round > 0 && done.ns > 0 {
            rounds.push(done.bytes as f64 / (done.ns as f64 / 1e9));
        }
    }
    process.quit().map_err(|error| error.to_string())?;
    Ok(rounds)
}

fn summary(kind: CeilingKind, how: String, place: Option<usize>, mut rounds: Vec<f64>) -> Ceiling {
    rounds.sort_unstable_by(f64::total_cmp);
    let at = |index: usize| rounds.get(index).copied().unwrap_or(0.0);
    Ceiling {
        kind,
        how,
        place,
        bytes_per_s: at(rounds.len() / 2),
        least_bytes_per_s: at(0),
        most_bytes_per_s: at(rounds.len().saturating_sub(1)),
        rounds: u32::try_from(rounds.len()).unwrap_or(u32::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_copied_and_the_rounds_are_told() {
        let found = memory(CeilingKind::MemoryCopy, 1).unwrap();
        assert_eq!(found.rounds, ROUNDS);
        assert!(0.0 < found.least_bytes_per_s && found.least_bytes_per_s <= found.bytes_per_s);
        assert!(found.bytes_per_s <= found.most_bytes_per_s);
    }
}
