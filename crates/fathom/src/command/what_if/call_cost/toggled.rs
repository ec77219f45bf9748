//! What is done to the calls changes inside a run, from one window of calls to the next: where that may be done, the
//! runs, and what their windows say.
//!
//! A window is a number of consecutive calls of one thread, so that all windows together are the run, whatever it does
//! when. Adjacent windows are pairs, in random order, of which one has the calls as they are and the other has them
//! made again or answered; in one pair of five both have them as they are, which is to make no difference.

use super::calibration::Calibration;
use super::meant::Meant;
use super::refusal;
use super::trial::{Ground, Trial};
use super::{ALPHA, Asked, treatment};
use crate::arguments::{Toggle, WhatIf as Words};
use crate::output;
use fathom_audit::{CostGroup, CostQuestion, CostToggling, CostWindows, GroupTime};
use fathom_events::CallName;
use fathom_stats::{DoseBlock, DoseEffect, PAIRS_IN_ROW, WindowPair, dose_effect, window_blocks};
use fathom_trace::{Repetition, Window, Windows};
use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// So long a window is to be, in ns, where the hook can note all its calls without a stop: no more bytes than these.
/// Shorter ones say too little beside what their beginning and end take.
const WINDOW_NS: f64 = 1e6;
const NOTED_BYTES: f64 = (160 << 10) as f64;
const SHORTEST_NS: f64 = 150e3;
/// Fewer pairs in a run bear no interval.
const FEWEST_PAIRS: f64 = 40.0;
/// With this share of calls made by others than the thread that makes most about then, windows are none of the run.
const MOST_BESIDE: f64 = 0.05;
/// A thread that waits for more of its time may lose in one window what it gained in another.
const MOST_WAITING: f64 = 0.05;
/// What is drawn of the order; it begins again after these.
const ROWS: usize = 2000;
/// So many runs of the command are 8 blocks.
const RUNS_OF_BLOCKS: u32 = 40;

/// Where what is done changes.
pub(super) enum Way {
    /// From run to run; why.
    Runs(String),
    /// In windows of so many calls; why.
    Windows(u32, String),
}

/// What the windows of all runs say.
pub(super) struct Estimate {
    pub(super) wall: Option<DoseEffect>,
    pub(super) cpu: Option<DoseEffect>,
    pub(super) windows: CostWindows,
}

/// Which way is taken. It may take a run in which all calls are as they are.
pub(super) fn choose(
    ground: &Ground<'_>,
    asked: &Asked,
    (words, meant): (&Words, &Meant),
    never: &Repetition,
    trials: &mut Vec<Trial>,
) -> anyhow::Result<Way> {
    let budget = Duration::from_secs(words.time.into());
    let why = match words.toggle {
        Toggle::Runs => return Ok(Way::Runs("it was asked for".to_owned())),
        Toggle::Auto if meant.took * RUNS_OF_BLOCKS <= budget => {
            return Ok(Way::Runs("8 blocks of runs fit into --time".to_owned()));
        }
        Toggle::Auto => "8 blocks of whole runs do not fit into --time",
        Toggle::Windows => "it was asked for",
    };
    if meant.beside_share > MOST_BESIDE {
        return Ok(Way::Runs(format!(
            "windows are of one thread's calls, and {:.0} % of these are made while another thread makes more",
            100.0 * meant.beside_share
        )));
    }
    output::note("measuring: what is done to the calls changes inside each run");
    let control = ground.treated(&never.with(treatment(asked, 0)), &meant.written, (0, 0, 0))?;
    // Beside load the wall time is that of others.
    let took_ns = control.run.own_wall_ns().min(control.run.cpu_ns) as f64;
    let count = treated(asked, &control) as f64;
    let noted_bytes = control.noted_bytes as f64;
    trials.push(control);
    Ok(match window_calls(count, took_ns, noted_bytes) {
        Ok(calls) => Way::Windows(calls, why.to_owned()),
        Err(reason) => Way::Runs(reason),
    })
}

/// How many calls a window has, of a run with so many that takes so long and of which so much is noted.
fn window_calls(count: f64, took_ns: f64, noted_bytes: f64) -> Result<u32, String> {
    if count < 1.0 {
        return Err("none of these calls was reached".to_owned());
    }
    let each_ns = took_ns / count;
    let calls = (WINDOW_NS / each_ns).min(NOTED_BYTES / (noted_bytes / count)).floor().max(1.0);
    if calls * each_ns < SHORTEST_NS {
        return Err(format!(
            "a window would be too short: what the hook can note of it without a stop takes {:.0} µs",
            calls * each_ns / 1e3
        ));
    }
    let pairs = count / calls / 2.0;
    if pairs < FEWEST_PAIRS {
        return Err(format!("a run has only {pairs:.0} pairs of windows, of {calls:.0} calls each"));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is within the limits")]
    let calls = calls.min(f64::from(u32::MAX)) as u32;
    Ok(calls)
}

/// Calls of a run of which windows are made.
fn treated(asked: &Asked, trial: &Trial) -> u64 {
    if asked.elide { trial.known() } else { trial.run.treated }
}

/// The two amounts of windows, and what they are on the axis of the slope: known answers are given in two sets of them.
fn amounts(asked: &Asked) -> ([u32; 2], [f64; 2]) {
    if asked.elide { ([1, 2], [1.0; 2]) } else { ([1, 3], [1.0, 3.0]) }
}

/// Rows of pairs, in random order each, and each pair too.
fn draw(asked: &Asked, random: &mut impl Rng) -> Vec<[u32; 2]> {
    let ([less, more], _) = amounts(asked);
    let mut pairs = Vec::with_capacity(ROWS * PAIRS_IN_ROW);
    for _ in 0..ROWS {
        let mut row = [0, less, less, more, more];
        row.shuffle(random);
        pairs.extend(row.map(|amount| if random.random() { [0, amount] } else { [amount, 0] }));
    }
    pairs
}

/// Makes runs, one alone and one with windows in turns, until their interval is narrow or the time is over.
pub(super) fn run(
    ground: &Ground<'_>,
    asked: &Asked,
    (never, calls, seed): (&Repetition, u32, u64),
    (words, meant): (&Words, &Meant),
    (trials, calibration): (&mut Vec<Trial>, &mut Calibration),
) -> anyhow::Result<()> {
    let (begun, mut calibrating) = (Instant::now(), Duration::ZERO);
    let budget = Duration::from_secs(words.time.into());
    for number in 1.. {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ u64::from(number));
        trials.push(ground.alone(&meant.written, number)?);
        let windows = Windows { calls, pairs: draw(asked, &mut random) };
        let repetition = never.with(treatment(asked, 1)).in_windows(windows);
        trials.push(ground.treated(&repetition, &meant.written, (number, 1, 1))?);
        let since = Instant::now();
        while calibration.is_short() {
            calibration.run_block(ground, &mut random)?;
        }
        if 2 * calibrating <= begun.elapsed() {
            calibration.run_block(ground, &mut random)?;
        }
        calibrating += since.elapsed();
        let is_over = begun.elapsed() > budget;
        if is_over || !refusal::of_ends(meant, trials).is_empty() || is_enough(asked, trials, calls, words) {
            break;
        }
    }
    Ok(())
}

fn is_enough(asked: &Asked, trials: &[Trial], calls: u32, words: &Words) -> bool {
    let Estimate { wall, cpu, windows } = estimate(asked, trials, calls);
    let effect = wall.filter(|_| why_no_wall(&windows).is_none()).or(cpu);
    effect.is_some_and(|effect| {
        super::is_narrow(&effect, words.within, super::median_of(trials, None, |trial| trial.run.wall_ns))
    })
}

/// What the windows of all runs say of a whole run.
pub(super) fn estimate(asked: &Asked, trials: &[Trial], calls: u32) -> Estimate {
    let (amounts, units) = amounts(asked);
    let mut windows =
        CostWindows { calls, pairs: 0, uneven: 0, stopped: [0; 2], waiting_share: None, groups: Vec::new() };
    let (mut wall_ns, mut waiting_ns) = (0, 0);
    let mut blocks: [Vec<DoseBlock>; 2] = Default::default();
    for trial in trials.iter().filter(|trial| !trial.windows.is_empty()) {
        let scale = treated(asked, trial) as f64 / f64::from(calls);
        let pairs = paired(asked, &trial.windows, calls);
        windows.pairs += pairs.len() as u64;
        windows.uneven += pairs.iter().filter(|pair| !pair.is_even).count() as u64;
        for window in pairs.iter().filter(|pair| pair.is_even).flat_map(|pair| pair.windows) {
            let Some(cpu_ns) = window.cpu_ns else { continue };
            wall_ns += window.wall_ns;
            waiting_ns += window.wall_ns.saturating_sub(cpu_ns + window.ready_ns);
        }
        for (which, time) in [GroupTime::Cpu, GroupTime::Wall].into_iter().enumerate() {
            let timed: Vec<_> = pairs.iter().map(|pair| pair.timed(time)).collect();
            let kept = timed.iter().filter(|pair| pair.values.is_some()).count() as u64;
            let even = pairs.iter().filter(|pair| pair.is_even).count() as u64;
            windows.stopped[which] += even - kept;
            let of_run = window_blocks(&timed, amounts, units, scale);
            for block in &of_run {
                let same = block.never[1] - block.never[0];
                let more = [same].into_iter().chain(block.with.iter().map(|(_, more)| *more));
                windows.groups.extend(
                    [0, amounts[0], amounts[1]].into_iter().zip(more).map(|(amount, more_ns)| CostGroup {
                        run: trial.run.block,
                        time,
                        amount,
                        more_ns,
                    }),
                );
            }
            blocks[which].extend(of_run);
        }
    }
    windows.waiting_share = (wall_ns > 0).then(|| waiting_ns as f64 / wall_ns as f64);
    let [cpu, wall] = blocks.map(|blocks| dose_effect(&blocks, ALPHA));
    Estimate { wall, cpu, windows }
}

/// Two adjacent windows of a thread.
struct Pair {
    place: usize,
    windows: [Window; 2],
    /// Both have the calls that they should, treated as they should be.
    is_even: bool,
}

impl Pair {
    fn timed(&self, time: GroupTime) -> WindowPair {
        let [first, second] = self.windows;
        let values = match time {
            GroupTime::Cpu if first.stops == second.stops => {
                first.cpu_ns.zip(second.cpu_ns).map(|(first, second)| [first as f64, second as f64])
            }
            GroupTime::Wall if first.stops + second.stops == 0 => {
                Some([first.wall_ns as f64, second.wall_ns as f64])
            }
            _ => None,
        };
        let values = values.filter(|_| self.is_even);
        WindowPair { place: self.place, amounts: self.windows.map(|window| window.amount), values }
    }
}

/// The windows of a run, two by two. Each thread begins a row.
fn paired(asked: &Asked, windows: &[Window], calls: u32) -> Vec<Pair> {
    let mut threads: BTreeMap<u32, BTreeMap<u64, Window>> = BTreeMap::new();
    for window in windows {
        threads.entry(window.thread).or_default().insert(window.number, *window);
    }
    let mut pairs: Vec<Pair> = Vec::new();
    let mut begin = 0;
    for of_thread in threads.values() {
        let last = of_thread.keys().last().copied().unwrap_or(0);
        for number in 0..=last / 2 {
            let both = [2 * number, 2 * number + 1].map(|number| of_thread.get(&number).copied());
            let [Some(first), Some(second)] = both else { continue };
            let is_even = [first, second].iter().all(|window| {
                let each = if asked.elide { window.amount.min(1) } else { window.amount };
                window.calls == u64::from(calls) && window.times == u64::from(calls) * u64::from(each)
            });
            let place = begin + usize::try_from(number).unwrap_or(0);
            pairs.push(Pair { place, windows: [first, second], is_even });
        }
        begin += (usize::try_from(last / 2).unwrap_or(0) + 1).next_multiple_of(PAIRS_IN_ROW);
    }
    pairs
}

/// What the command did differently in runs with windows, or by itself.
pub(super) fn refusals(meant: &Meant, trials: &[Trial]) -> Vec<String> {
    /// Of the calls that are treated: fewer others do not matter.
    const MATTERS: f64 = 0.01;
    let mut reasons = refusal::of_ends(meant, trials);
    let runs = |toggled: bool| {
        trials.iter().filter(move |trial| trial.amount.is_some() && trial.windows.is_empty() != toggled)
    };
    let watched = || trials.iter().filter(|trial| trial.amount.is_some());
    // A call at which a window ends may be one of these, and goes past.
    let least = watched().map(|trial| trial.run.treated + trial.run.windows).min().unwrap_or(0);
    let most = watched().map(|trial| trial.run.treated).max().unwrap_or(0);
    if most.saturating_sub(least) as f64 > MATTERS * most as f64 {
        reasons.push(format!("it made {least} to {most} of these calls from run to run, by itself"));
    }
    let range = |counts: &mut dyn Iterator<Item = u64>| {
        counts.fold((u64::MAX, 0), |(low, high), count| (low.min(count), high.max(count)))
    };
    let names: BTreeSet<_> =
        trials.iter().flat_map(|trial| trial.calls.keys()).chain(meant.calls.keys()).copied().collect();
    let matters = MATTERS * most as f64;
    let differing = names.into_iter().filter_map(|name| {
        let of = |calls: &BTreeMap<CallName, u64>| calls.get(name).copied().unwrap_or(0);
        let (low, high) = range(&mut runs(false).map(|trial| of(&trial.calls)).chain([of(&meant.calls)]));
        let (low_with, high_with) = range(&mut runs(true).map(|trial| of(&trial.calls)));
        let apart = low_with.saturating_sub(high).max(low.saturating_sub(high_with));
        (apart as f64 > matters).then(|| {
            format!("{name} {} instead of {}", refusal::span(low_with, high_with), refusal::span(low, high))
        })
    });
    let differing: Vec<_> = differing.collect();
    if !differing.is_empty() && runs(true).next().is_some() {
        reasons.push(format!(
            "it made other calls of its own when these took longer or less long: {}",
            differing.join(", ")
        ));
    }
    let before: BTreeSet<_> = runs(false).map(|trial| trial.order).chain([meant.order]).collect();
    if before.len() == 1 && runs(true).any(|trial| !before.contains(&trial.order)) {
        reasons.push(
            "in runs with windows its first thread made other calls, or in another order, and never in the others"
                .to_owned(),
        );
    }
    reasons
}

/// Why windows bear no wall time, where they do not.
pub(super) fn why_no_wall(windows: &CostWindows) -> Option<String> {
    let share = match windows.waiting_share {
        Some(share) if share <= MOST_WAITING => return None,
        Some(share) => format!("waits for {:.0} % of its time (neither runs nor is ready to)", 100.0 * share),
        None => "may wait (the kernel does not say how long it ran)".to_owned(),
    };
    Some(format!(
        "the thread that makes these calls {share}, and may lose in one window what it gained in another: `--toggle runs` \
         measures that"
    ))
}

/// For the record; none of what is always done in whole runs.
pub(super) fn recorded(asked: &Asked, trials: &[Trial], way: Option<Way>) -> Option<CostToggling> {
    if asked.question == CostQuestion::Slower {
        return None;
    }
    Some(match way? {
        Way::Runs(why) => CostToggling { why, windows: None },
        Way::Windows(calls, why) => {
            CostToggling { why, windows: Some(estimate(asked, trials, calls).windows) }
        }
    })
}

#[cfg(test)]
mod tests;
