//! The profile pass: the stacks of one variant, sampled while it runs batch after
//! batch in a process of its own.

mod run_time_names;

use crate::passes::alone::{Alone, AloneError};
use crate::processes::placement::Placement;
use fathom_collect::{ProfileError, StackSampler};
use fathom_model::{CacheState, Profile, Reading, Setting};
use fathom_sys::SysError;
use fathom_sys::affinity::current_cpus;
use run_time_names::RunTimeNames;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime};

/// Samples per second of CPU time: a prime, lest it beat with what is sampled.
const FREQUENCY_HZ: u64 = 1999;
/// Samples that make shares known to about two points.
const SAMPLES_WANTED: u64 = 2000;
/// Variants that mostly wait, or have to be brought into their state, get fewer.
const TIME_MAX: Duration = Duration::from_secs(4);
/// How long a batch takes where its length is ours to choose.
const BATCH_TIME: Duration = Duration::from_millis(50);

/// Why there are no stacks.
#[derive(Debug, thiserror::Error)]
enum ProfilePassError {
    #[error(transparent)]
    Alone(#[from] AloneError),
    #[error(transparent)]
    Profile(#[from] ProfileError),
    #[error(transparent)]
    Cpus(#[from] SysError),
    #[error("not a single sample in {batches} batches: it used no CPU time to speak of")]
    Nothing { batches: u64 },
}

/// Samples the stacks of a variant.
pub(crate) fn take(alone: &Alone<'_>, stop: &AtomicBool) -> Reading<Profile> {
    sample(alone, stop).into()
}

fn sample(alone: &Alone<'_>, stop: &AtomicBool) -> Result<Profile, ProfilePassError> {
    let cpus = current_cpus()?;
    let placement = Placement::begin();
    let parallel = alone.variant.parameters.settings.number(Setting::Threads) > 1;
    // On one CPU, as in the time pass; the ring is emptied on the others.
    let pinned =
        if parallel { placement.free(crate::processes::placement::PARALLEL) } else { placement.pin(0) };
    let others: Vec<u32> = cpus.into_iter().filter(|cpu| pinned.value() != Some(cpu)).collect();

    let mut names = RunTimeNames::of(alone.driver);
    let began = SystemTime::now();
    let mut run = alone.start_with(names.runtime_words(), stop)?;
    names.process_started(run.pid(), began);
    let operations = alone.operations_lasting(BATCH_TIME);
    run.settle(operations)?;
    let mut sampler = StackSampler::attach(run.pid(), FREQUENCY_HZ)?;
    let (mut batches, mut disturbed) = (0, 0);
    let begun = Instant::now();
    while batches == 0 || (sampler.samples() < SAMPLES_WANTED && begun.elapsed() < TIME_MAX) {
        run.prepare(operations)?;
        sampler.during(&others, || run.perform(operations))??;
        disturbed += u64::from(run.check_state().is_err());
        batches += 1;
    }
    if sampler.samples() == 0 {
        return Err(ProfilePassError::Nothing { batches });
    }
    let perf_map = names.collect();
    let mut profile = sampler.finish(perf_map.as_deref())?;
    profile.notes.extend(names.note(perf_map.is_some()));
    profile.notes.extend(notes_on_batches(alone, batches, disturbed));
    run.quit()?;
    Ok(profile)
}

fn notes_on_batches(alone: &Alone<'_>, batches: u64, disturbed: u64) -> Vec<String> {
    let mut notes = Vec::new();
    if alone.variant.cache == CacheState::Cold && alone.fixed_operations().is_none() {
        notes.push(format!(
            "{batches} batches of one cold operation: what the driver does between an order and its answer \
             is among the samples"
        ));
    }
    if disturbed > 0 {
        notes.push(format!("in {disturbed} of {batches} batches the cache state did not hold to the end"));
    }
    notes
}
