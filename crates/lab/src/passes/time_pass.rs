//! The time pass of one comparison: forks until every ratio is precise enough
//! or the time is used up. No tracer is anywhere near.

mod batch_size;
pub(crate) mod cache_guard;
mod calibration;
pub(crate) mod fork;
pub(crate) mod layout;
pub(crate) mod least_time;
mod pace;
mod schedule;
mod so_far;
pub(crate) mod warm_up;

use crate::passes::ranks::{keep_times, take_times};
use crate::processes::placement::{PARALLEL, Placement, RANKED};
use crate::processes::protocol::Done;
use batch_size::BatchPlan;
use cache_guard::CacheGuard;
use calibration::calibrate;
use fathom_model::{
    ArmKind, ArmSamples, CacheState, Fork, ForkRanks, RankSamples, Setting, StopReason, Variant, WarmUp,
};
use fathom_stats::{
    ForkCost, Parts, TimedQuestion, block_ln_ratios, blocks_per_fork, fork_variances, is_futile,
};
use fork::{ForkError, ForkSetting, RunningFork};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use schedule::draw_blocks;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use warm_up::warm_up;

pub(crate) use pace::Pace;
pub use so_far::SoFar;

/// Blocks of the first forks, before the variances are known.
const FIRST_BLOCKS: u32 = 30;
/// Blocks of a fork whose samples are single operations.
const SINGLE_BLOCKS: u32 = 10;
/// Blocks that go out between two checks of the cache state.
const CHUNK_BLOCKS: u32 = 64;
/// No stop for precision before this many forks.
const LEAST_FORKS: usize = 5;
/// Without this many forks there may be no interval (the t sequence at 2.5 % is
/// finite from 4), so the budget waits for them, but not past the pace's limit.
const INTERVAL_FORKS: usize = 5;
/// A batch of ranks aims at this: they do not start in the same instant.
const RANKS_BATCH_NS: f64 = 50e6;
/// A batch of ranks that make files has no more operations.
const RANKS_OPERATIONS_MAX: f64 = 100_000.0;
/// A fork may take this part of the budget.
const BUDGET_SHARE: f64 = 0.1;

/// How long and how precisely to measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Effort<'a> {
    pub(crate) budget: Duration,
    pub(crate) enough: Enough<'a>,
    pub(crate) forks_max: usize,
    pub(crate) pace: Pace,
}

/// When no more forks are needed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Enough<'a> {
    /// Every ratio is known to this half width, as a share of it.
    Precision(f64),
    /// The verdict on each of these is sure.
    Verdicts(&'a [TimedQuestion]),
}

/// What a time pass found.
#[derive(Debug)]
pub(crate) struct TimePass {
    pub(crate) forks: Vec<Fork>,
    pub(crate) stop: StopReason,
}

/// Everything a time pass works on.
#[derive(Debug)]
pub(crate) struct TimePassSetting<'a> {
    pub(crate) fork: ForkSetting<'a>,
    pub(crate) variants: &'a [Variant],
    pub(crate) baseline: usize,
    pub(crate) effort: Effort<'a>,
    pub(crate) clock_resolution_ns: f64,
    pub(crate) seed: u64,
}

/// What is learnt from fork to fork.
#[derive(Debug, Default)]
struct Learnt {
    batches: Option<BatchPlan>,
    /// Seconds of one block, from the calibration and then from the last fork.
    block_s: Option<f64>,
    /// Seconds of starting and warming a fork.
    fork_s: f64,
    blocks: Option<u32>,
    /// Operations of every batch of ranks.
    ranks_operations: Option<u32>,
}

/// Takes forks until it is enough. `tell` hears of the beginning and of each, while
/// no clock runs.
pub(crate) fn run(
    setting: &TimePassSetting<'_>,
    guard: &mut CacheGuard,
    tell: &mut dyn FnMut(&SoFar<'_>, Duration),
) -> TimePass {
    let placement = Placement::begin();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(setting.seed);
    let begun = Instant::now();
    let mut forks = Vec::new();
    let mut learnt = Learnt::default();
    tell(&so_far(setting, &forks), Duration::ZERO);
    let stop = loop {
        if setting.fork.stop.load(Ordering::Relaxed) {
            break StopReason::Interrupted;
        }
        match one_fork(setting, guard, &placement, &mut random, &mut learnt, (forks.len(), begun)) {
            Ok(fork) => forks.push(fork),
            Err(ForkError::Process(crate::processes::process::ProcessError::Interrupted)) => {
                break StopReason::Interrupted;
            }
            Err(error) => {
                // An answer that no longer fits shows the change before the check does.
                let error = guard.own_change().map_or(error, ForkError::Changed);
                break StopReason::Failed(error.to_string());
            }
        }
        let so_far = so_far(setting, &forks);
        tell(&so_far, begun.elapsed());
        if let Some(reason) = enough(setting, &so_far, begun.elapsed(), &learnt) {
            break reason;
        }
        learnt.blocks = best_blocks(setting, &forks, &learnt);
    };
    TimePass { forks, stop }
}

fn so_far<'a>(setting: &TimePassSetting<'a>, forks: &'a [Fork]) -> SoFar<'a> {
    let parts = Parts {
        variants: setting.variants,
        baseline: setting.baseline,
        arms: &setting.fork.layout.arms,
        forks,
    };
    SoFar::new(parts, setting.effort.enough)
}

fn enough(
    setting: &TimePassSetting<'_>,
    so_far: &SoFar<'_>,
    elapsed: Duration,
    learnt: &Learnt,
) -> Option<StopReason> {
    let effort = setting.effort;
    if so_far.forks() >= LEAST_FORKS {
        let reason = match effort.enough {
            Enough::Precision(precision) => {
                so_far.reached().is_some_and(|reached| reached <= precision).then_some(StopReason::Precise)
            }
            Enough::Verdicts(_) => decided(so_far, effort.budget.saturating_sub(elapsed), learnt),
        };
        if reason.is_some() {
            return reason;
        }
    }
    if so_far.forks() >= effort.forks_max {
        return Some(StopReason::ForkLimit);
    }
    let budget_over = elapsed >= effort.budget && so_far.forks() >= INTERVAL_FORKS;
    let another_s = learnt.fork_s + learnt.block_s.unwrap_or(0.0);
    let over = elapsed >= effort.pace.limit() || !effort.pace.has_time_for(elapsed, another_s);
    (budget_over || over).then_some(StopReason::TimeBudget)
}

/// Whether every question has its answer, or none that is open will get it.
fn decided(so_far: &SoFar<'_>, left: Duration, learnt: &Learnt) -> Option<StopReason> {
    let open = so_far.open();
    if open.is_empty() {
        return Some(StopReason::Decided);
    }
    let fork_s =
        learnt.fork_s + learnt.block_s.unwrap_or(0.0) * f64::from(learnt.blocks.unwrap_or(FIRST_BLOCKS));
    let futile = |question: &&TimedQuestion| {
        let needed = question.forks_needed(so_far.parts());
        needed.is_some_and(|needed| is_futile(needed, so_far.forks(), fork_s, left.as_secs_f64()))
    };
    open.iter().all(futile).then_some(StopReason::Futile)
}

fn one_fork(
    setting: &TimePassSetting<'_>,
    guard: &mut CacheGuard,
    placement: &Placement,
    random: &mut Xoshiro256PlusPlus,
    learnt: &mut Learnt,
    (number, begun): (usize, Instant),
) -> Result<Fork, ForkError> {
    let started = begun.elapsed();
    let parallel = setting.variants.iter().any(|v| v.parameters.settings.number(Setting::Threads) > 1);
    let ranked = setting.fork.is_ranked();
    let cpu = match (ranked, parallel) {
        (true, _) => placement.free(RANKED),
        (false, true) => placement.free(PARALLEL),
        (false, false) => placement.pin(number),
    };
    let warm_up_off = setting.variants.iter().any(|v| v.parameters.settings.text(Setting::WarmUp) == "off");
    let pace = setting.effort.pace;
    let long = pace.is_long();
    let alone = long || guard.state() == CacheState::Cold || guard.fixed_operations().is_some() || ranked;
    if warm_up_off && !alone && learnt.batches.is_none() {
        // Learning the batch lengths warms a process up: one that is not measured.
        let mut unmeasured = RunningFork::start(&setting.fork, random)?;
        learnt.batches = Some(calibrate(setting, &mut unmeasured, learnt)?);
        unmeasured.end()?;
    }
    let mut running = RunningFork::start(&setting.fork, random)?;
    let cold = guard.state() == CacheState::Cold;
    if !cold {
        guard.make_warm();
    }
    if ranked && !cold && guard.fixed_operations().is_none() && learnt.ranks_operations.is_none() {
        learnt.ranks_operations = Some(ranks_operations(setting, &mut running)?);
    }
    let fixed = guard.fixed_operations().or(learnt.ranks_operations);
    let batches = match &learnt.batches {
        Some(known) => known.clone(),
        None if cold || long || fixed.is_some() => {
            BatchPlan { operations: fixed.unwrap_or(1), divisors: vec![1; setting.fork.layout.arms.len()] }
        }
        None => calibrate(setting, &mut running, learnt)?,
    };
    running.divide(&batches.divisors);
    learnt.batches = Some(batches.clone());
    let operations = batches.operations;
    let warm_up = if alone {
        touch_each_arm(setting, &mut running, operations)?
    } else if warm_up_off {
        WarmUp { blocks: 0, ms: 0.0, steady: false }
    } else {
        warm_up(setting, &mut running, random, operations)?
    };
    learnt.fork_s = begun.elapsed().saturating_sub(started).as_secs_f64();
    let wanted = blocks_wanted(setting, learnt, alone || operations == 1, fixed.is_some() || long);
    let wanted = pace.blocks(wanted, begun.elapsed(), learnt.block_s);
    let mut fork = Fork {
        cpu,
        started_s: started.as_secs_f64(),
        warm_up,
        operations: Vec::new(),
        arms: batches.divisors.iter().map(|&divisor| empty_samples(divisor)).collect(),
        ranks: ranked.then(|| empty_ranks(setting, &running)),
    };
    let measuring = Instant::now();
    let mut done = 0;
    while done < wanted {
        // A slow chunk is cut short so that the budget is kept by and large.
        if done > 0 && begun.elapsed() > pace.limit() {
            break;
        }
        let chunk = if alone { 1 } else { CHUNK_BLOCKS.min(wanted - done) };
        let mut blocks = draw_blocks(random, &setting.fork.layout.arms, operations, (done, chunk), |_| true);
        if let Some(fixed) = fixed {
            for block in &mut blocks {
                block.operations = fixed;
            }
        }
        let results = guard.run_guarded(&mut running, setting, &blocks)?;
        for (block, row) in blocks.iter().zip(results) {
            keep_block(&mut fork, block.operations, row);
        }
        done += chunk;
    }
    learnt.block_s = Some(measuring.elapsed().as_secs_f64() / f64::from(done.max(1)));
    // Of long operations once, where there is time for it.
    let by_itself = fixed.is_none() && !cold && number == 0;
    if ranked {
        // Every figure is in the samples.
    } else if !alone
        || (long && by_itself && pace.has_time_for(begun.elapsed(), learnt.block_s.unwrap_or(0.0) * 2.0))
    {
        take_figures(setting, &mut running, &mut fork, operations)?;
    }
    running.end()?;
    Ok(fork)
}

/// Operations that fill a batch of ranks, from one of the slowest arm.
fn ranks_operations(setting: &TimePassSetting<'_>, running: &mut RunningFork<'_>) -> Result<u32, ForkError> {
    const TRIED: u32 = 16;
    let mut slowest_ns = 1.0_f64;
    for (arm, planned) in setting.fork.layout.arms.iter().enumerate() {
        if !matches!(planned.kind, ArmKind::Loop(_)) {
            running.make_room(TRIED.into())?;
            let done = running.run_batch(arm, TRIED, 0)?;
            slowest_ns = slowest_ns.max(done.ns as f64 / f64::from(TRIED));
        }
    }
    Ok(floor_to_count((RANKS_BATCH_NS / slowest_ns).clamp(f64::from(TRIED), RANKS_OPERATIONS_MAX)))
}

fn empty_ranks(setting: &TimePassSetting<'_>, running: &RunningFork<'_>) -> ForkRanks {
    let seats: Vec<_> = (0..setting.fork.seats.len()).map(|seat| running.ranks(seat).to_vec()).collect();
    let arms = setting.fork.layout.arms.iter().map(|arm| vec![RankSamples::default(); seats[arm.seat].len()]);
    ForkRanks { arms: arms.collect(), seats }
}

fn empty_samples(divisor: u32) -> ArmSamples {
    ArmSamples {
        divisor,
        ns: Vec::new(),
        preempted_blocks: Vec::new(),
        totals: BTreeMap::new(),
        figures: BTreeMap::new(),
        figure_operations: 0,
    }
}

fn keep_block(fork: &mut Fork, operations: u32, row: Vec<Option<Done>>) {
    let number = u32::try_from(fork.operations.len()).expect("far fewer blocks");
    fork.operations.push(operations);
    for (arm, (samples, mut done)) in fork.arms.iter_mut().zip(row).enumerate() {
        if let Some(ranks) = &mut fork.ranks {
            let times = done.as_mut().map(take_times);
            keep_times(&mut ranks.arms[arm], times.as_deref());
        }
        samples.ns.push(done.as_ref().map(|done| done.ns));
        let Some(done) = done else { continue };
        if done.figures.get("nivcsw").is_some_and(|&switches| switches > 0) {
            samples.preempted_blocks.push(number);
        }
        for (name, value) in done.figures {
            *samples.totals.entry(name).or_default() += value;
        }
    }
}

/// One batch of each arm that counts for its figures only: a driver may report
/// in it what costs too much to read inside a schedule (allocations).
fn take_figures(
    setting: &TimePassSetting<'_>,
    running: &mut RunningFork<'_>,
    fork: &mut Fork,
    operations: u32,
) -> Result<(), ForkError> {
    for arm in 0..setting.fork.layout.arms.len() {
        let operations = fork.arms[arm].operations(operations);
        let done = running.run_batch(arm, operations, 1)?;
        fork.arms[arm].figures = done.figures;
        fork.arms[arm].figure_operations = u64::from(operations);
    }
    Ok(())
}

/// Before samples that stand alone: code and metadata are brought in, once.
fn touch_each_arm(
    setting: &TimePassSetting<'_>,
    running: &mut RunningFork<'_>,
    operations: u32,
) -> Result<WarmUp, ForkError> {
    /// Enough for a program to be past its first times.
    const TOUCHES_MAX: u32 = 100;
    let begun = Instant::now();
    for arm in 0..setting.fork.layout.arms.len() {
        running.run_batch(arm, operations.min(TOUCHES_MAX), 0)?;
    }
    Ok(WarmUp { blocks: 1, ms: begun.elapsed().as_secs_f64() * 1000.0, steady: true })
}

fn blocks_wanted(setting: &TimePassSetting<'_>, learnt: &Learnt, single: bool, fixed: bool) -> u32 {
    let wanted = learnt.blocks.unwrap_or(if single { SINGLE_BLOCKS } else { FIRST_BLOCKS });
    let Some(block_s) = learnt.block_s.filter(|&seconds| seconds > 0.0) else {
        // Nobody knows yet how long so many operations take.
        return if fixed { 1 } else { wanted };
    };
    let affordable = setting.effort.budget.as_secs_f64() * BUDGET_SHARE / block_s;
    let least = if single { 1.0 } else { 5.0 };
    floor_to_count(affordable.max(least)).min(wanted)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn floor_to_count(number: f64) -> u32 {
    number.clamp(1.0, 1e6) as u32
}

/// The optimal number of blocks, once the variances can be estimated: the
/// median over the variants of what each would ask for.
fn best_blocks(setting: &TimePassSetting<'_>, forks: &[Fork], learnt: &Learnt) -> Option<u32> {
    let alone = setting.effort.pace.is_long()
        || setting.fork.is_ranked()
        || setting.variants.iter().any(|variant| {
            variant.cache == CacheState::Cold || variant.parameters.settings.number(Setting::Operations) > 0
        });
    if alone || learnt.batches.as_ref().is_some_and(|batches| batches.operations == 1) {
        return None;
    }
    let cost = ForkCost { fork_s: learnt.fork_s, block_s: learnt.block_s? };
    let baseline = setting.baseline;
    let mut wishes: Vec<u32> = (0..setting.variants.len())
        .filter(|&variant| variant != baseline)
        .filter_map(|variant| {
            let ratios: Vec<Vec<f64>> =
                forks.iter().map(|fork| block_ln_ratios(fork, variant, baseline)).collect();
            Some(blocks_per_fork(cost, fork_variances(&ratios)?))
        })
        .collect();
    wishes.sort_unstable();
    wishes.get(wishes.len() / 2).copied()
}
