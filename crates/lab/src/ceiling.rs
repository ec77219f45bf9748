//! What memory and a device can give at most, so that a reader sees how much of it
//! a method reaches. Memory is copied by threads of our own; the device is read
//! by the native driver past the page cache, with many requests in flight.

use crate::driver_set::{Driver, DriverSet};
use crate::preparation::Preparation;
use crate::process::DriverProcess;
use crate::protocol::{Batch, RunArguments};
use fathom_model::{
    CacheState, Ceiling, CeilingKind, MethodId, Operation, Parameters, Reading, Setting, SettingValue,
    Variant,
};
use std::sync::Barrier;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// More than any processor cache holds.
const COPY_BYTES: usize = 64 << 20;
const ROUNDS: u32 = 9;
const DRIVER: &str = "native";
/// The ways to read past the page cache, the best first.
const METHODS: [&str; 2] = ["io_uring+O_DIRECT", "O_DIRECT+pread"];

/// Measures one ceiling; `example` is a variant of the experiment, whose files are read.
pub(crate) fn measure(
    kind: CeilingKind,
    example: &Variant,
    ready: &Preparation,
    drivers: &DriverSet,
    stop: &AtomicBool,
) -> Reading<Ceiling> {
    match kind {
        CeilingKind::MemoryCopy => Reading::Value(memory(kind, 1)),
        CeilingKind::MemoryCopyAllCpus => {
            let cpus = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
            Reading::Value(memory(kind, cpus))
        }
        CeilingKind::DeviceSequential | CeilingKind::DeviceRandom => {
            device(kind, example, ready, drivers, stop).into()
        }
    }
}

/// All threads copy at the same time; a round lasts until the last is done.
fn memory(kind: CeilingKind, threads: usize) -> Ceiling {
    let barrier = Barrier::new(threads + 1);
    let mut rounds = Vec::new();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let (from, mut to) = (vec![1_u8; COPY_BYTES], vec![0_u8; COPY_BYTES]);
                for _ in 0..=ROUNDS {
                    barrier.wait();
                    to.copy_from_slice(std::hint::black_box(&from));
                    std::hint::black_box(&mut to);
                    barrier.wait();
                }
            });
        }
        for round in 0..=ROUNDS {
            barrier.wait();
            let begun = Instant::now();
            barrier.wait();
            // The first brings the memory in.
            if round > 0 {
                rounds.push((COPY_BYTES * threads) as f64 / begun.elapsed().as_secs_f64());
            }
        }
    });
    summary(kind, format!("{threads} x memcpy of {} MiB", COPY_BYTES >> 20), None, rounds)
}

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
    let mut refused = String::new();
    for method in METHODS {
        let variant = reading(kind, example, method);
        match rounds(driver, &ready.arguments(&variant, false)?, kind, stop) {
            Ok(rounds) => {
                let Parameters { block_bytes, settings, .. } = &variant.parameters;
                let how = format!(
                    "{method}, {} KiB, queue depth {}, {} threads",
                    block_bytes >> 10,
                    settings.number(Setting::QueueDepth),
                    settings.number(Setting::Threads),
                );
                return Ok(summary(kind, how, Some(example.place), rounds));
            }
            Err(reason) => refused = reason,
        }
    }
    Err(refused)
}

/// The variant that reads the example's files as fast as the device gives them.
fn reading(kind: CeilingKind, example: &Variant, method: &str) -> Variant {
    let random = kind == CeilingKind::DeviceRandom;
    let (operation, block_bytes) =
        if random { (Operation::ReadBlock, 4 << 10) } else { (Operation::ReadWhole, 1 << 20) };
    let mut parameters = Parameters::new(example.parameters.data.clone(), block_bytes);
    let depth = if random { 128 } else { 32 };
    if method.starts_with("io_uring") {
        parameters.settings.set(Setting::QueueDepth, SettingValue::Number(depth));
    } else {
        parameters.settings.set(Setting::Threads, SettingValue::Number(depth));
    }
    Variant {
        method: MethodId::new(DRIVER, method),
        operation,
        place: example.place,
        cache: CacheState::Cold,
        parameters,
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
        let found = memory(CeilingKind::MemoryCopy, 1);
        assert_eq!(found.rounds, ROUNDS);
        assert!(0.0 < found.least_bytes_per_s && found.least_bytes_per_s <= found.bytes_per_s);
        assert!(found.bytes_per_s <= found.most_bytes_per_s);
    }
}
