//! What chosen calls cost: the command runs many times with them made again, delayed or answered from memory
//! inside it, in blocks of random order, and what it takes is held against how much was added or left out.

mod calibration;
mod meant;
mod refusal;
mod trial;
mod written;

use crate::arguments::WhatIf as Words;
use crate::command::Hinted;
use crate::command::stop::Stop;
use crate::exit::Exit;
use crate::output;
use anyhow::Context;
pub(crate) use calibration::{CALIBRATION_WORD, perform as perform_calibration};
use calibration::{Calibration, On, added};
use fathom_audit::{
    CALL_COST_VERSION, CallCost, CallCostKind, CallTime, ChosenCalls, ComparedAnswers, CostAnswer,
    CostCalibration, CostControl, CostMethod, CostQuestion, CostReach, CostRun, ReachedCalls, WrittenFiles,
};
use fathom_lab::draw_seed;
use fathom_lab::scratch::Scratch;
use fathom_model::Reading;
use fathom_stats::{DoseBlock, DoseEffect, DoseValue, dose_effect, median};
use fathom_trace::{Elision, MOST_QUESTIONS, Repetition, Treatment, hook_availability, repetition_cost_ns};
use meant::{Meant, look};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use trial::{Ground, Trial};

/// The error of an interval.
const ALPHA: f64 = 0.05;
/// Fewer blocks are not looked at, more are not made.
const BLOCKS: std::ops::RangeInclusive<u32> = 8..=300;
/// An effect within this share of the run, with its whole interval, is as good as none.
const NEGLIGIBLE: f64 = 0.005;

/// What is asked.
pub(super) struct Asked {
    pub(super) question: CostQuestion,
    pub(super) about: ChosenCalls,
    pub(super) delay: Duration,
    /// Whether they are to be left out, where their answers are known.
    pub(super) elide: bool,
}

/// Answers.
pub(super) fn answered(words: &Words, asked: &Asked) -> anyhow::Result<(CallCost, Exit)> {
    if words.source.command.is_empty() || words.source.pid.is_some() || words.source.strace.is_some() {
        return Err(Hinted::error(
            "only a command can be run again and again",
            "name it after `--`, as in `fathom what-if --without R15 -- ./app`",
        ));
    }
    hook_availability().map_err(|reason| {
        Hinted::error(
            format!("calls cannot be made again inside a program here: {reason}"),
            "`fathom audit` says what calls cost by their unit costs",
        )
    })?;
    let stop = Stop::listen()?;
    let scratch = super::scratch()?;
    let ground = Ground::new(words, &scratch, &stop)?;
    let meant = look(&ground, asked)?;
    let seed = words.seed.unwrap_or_else(draw_seed);
    let mut trials = Vec::new();
    let never = Repetition::new(meant.questions.clone(), treatment(asked, 0));
    let refused_at_once = match &never {
        None => Some(format!("more than {MOST_QUESTIONS} different questions are meant: choose fewer calls")),
        Some(_) if asked.elide && meant.unseen_changes.is_some() => meant.unseen_changes.map(str::to_owned),
        Some(_) if meant.questions.is_empty() => {
            Some(refusal::why_none_fits(asked.question, asked.elide, &meant))
        }
        Some(_) => None,
    };
    let (mut compared, mut calibration) = (None, Calibration::default());
    if let (Some(never), None) = (&never, &refused_at_once) {
        output::note(
            "measuring: blocks of 5 runs, with the calls made again, delayed or left out in some of them",
        );
        if asked.elide {
            compared = Some(compare(&ground, never, &meant, &mut trials)?);
        }
        if refusal::of_ends(&meant, &trials).is_empty() {
            if asked.elide {
                calibration = Calibration::new(&ground, &rests_on(&meant))?;
            }
            run_blocks(&ground, asked, never, seed, words, &meant, (&mut trials, &mut calibration))?;
        }
    }
    let calibration = calibration.recorded();
    let mut cost = joined(&ground, asked, seed, &meant, (&trials, &calibration), refused_at_once);
    (cost.compared, cost.calibration) = (compared, calibration);
    let exit = if cost.is_partly_unknown() { Exit::Inconclusive } else { Exit::Done };
    Ok((cost, exit))
}

/// How often, or in units of the delay how long, in each block; `None` without the instrument.
fn amounts(asked: &Asked) -> [Option<u32>; 5] {
    match asked.question {
        CostQuestion::Without if asked.elide => [None, Some(0), Some(0), Some(1), Some(1)],
        CostQuestion::Without | CostQuestion::Twice => [None, Some(0), Some(0), Some(1), Some(3)],
        // The longest is cut short where a run would take long: the same number of runs.
        CostQuestion::Slower => [Some(0), Some(0), Some(1), Some(2), Some(4)],
    }
}

fn treatment(asked: &Asked, amount: u32) -> Treatment {
    match asked.question {
        CostQuestion::Without if asked.elide => {
            Treatment::Elided(if amount == 0 { Elision::Made } else { Elision::Answered })
        }
        CostQuestion::Without | CostQuestion::Twice => Treatment::Again(amount),
        CostQuestion::Slower => Treatment::Delayed(asked.delay * amount),
    }
}

/// A run in which each answer that is known is held against the one that the kernel gives.
fn compare(
    ground: &Ground<'_>,
    never: &Repetition,
    meant: &Meant,
    trials: &mut Vec<Trial>,
) -> anyhow::Result<ComparedAnswers> {
    let repetition = never.with(Treatment::Elided(Elision::Compared));
    let trial = ground.treated(&repetition, &meant.written, (0, 0, 0))?;
    let compared = ComparedAnswers { known: trial.known(), differing: trial.differing };
    trials.push(trial);
    Ok(compared)
}

fn run_blocks(
    ground: &Ground<'_>,
    asked: &Asked,
    never: &Repetition,
    seed: u64,
    words: &Words,
    meant: &Meant,
    (trials, calibration): (&mut Vec<Trial>, &mut Calibration),
) -> anyhow::Result<()> {
    let (begun, mut calibrating) = (Instant::now(), Duration::ZERO);
    let budget = Duration::from_secs(words.time.into());
    if asked.question == CostQuestion::Slower {
        trials.push(ground.alone(&meant.written, 0)?);
    }
    for block in 1..=*BLOCKS.end() {
        for (which, amount) in shuffled(amounts(asked), seed, block) {
            let trial = match amount {
                None => ground.alone(&meant.written, block)?,
                Some(amount) => {
                    let treated = never.with(treatment(asked, amount));
                    ground.treated(&treated, &meant.written, (block, which, amount))?
                }
            };
            trials.push(trial);
        }
        // Of a command that is soon over they would take most of the time.
        if calibration.is_short() || 2 * calibrating <= begun.elapsed() {
            let since = Instant::now();
            calibration
                .run_block(ground, &mut Xoshiro256PlusPlus::seed_from_u64(!seed ^ u64::from(block)))?;
            calibrating += since.elapsed();
        }
        // What a single run shows to be no answer stays so.
        if !refusal::of_ends(meant, trials).is_empty() {
            return Ok(());
        }
        let is_over = begun.elapsed() > budget;
        if block >= *BLOCKS.start() && (is_over || is_enough(asked, trials, words.within)) {
            return Ok(());
        }
        // Slow commands have fewer blocks, and no interval.
        if is_over && begun.elapsed() > 4 * budget {
            return Ok(());
        }
    }
    Ok(())
}

/// In random order, each with its place before.
fn shuffled(amounts: [Option<u32>; 5], seed: u64, block: u32) -> Vec<(usize, Option<u32>)> {
    let mut order: Vec<_> = amounts.into_iter().enumerate().collect();
    order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed ^ u64::from(block)));
    order
}

/// True when the sign is sure and the interval narrow, or all of it is next to nothing.
fn is_enough(asked: &Asked, trials: &[Trial], within: u32) -> bool {
    let Some(effect) = effect(asked.question, trials, |trial| trial.run.own_wall_ns()) else { return false };
    let interval = effect.slope.interval;
    let is_sure = interval.low > 0.0 || interval.high < 0.0;
    let is_narrow = interval.half_width() <= effect.slope.median.abs() * f64::from(within) / 100.0;
    let unit = match asked.question {
        CostQuestion::Slower => 1.0,
        CostQuestion::Without | CostQuestion::Twice => {
            median_of(trials, Some(0), |trial| trial.run.own_wall_ns())
        }
    };
    let is_nothing = interval.is_bounded() && interval.low.abs().max(interval.high.abs()) < NEGLIGIBLE * unit;
    is_sure && is_narrow || is_nothing
}

fn effect(question: CostQuestion, trials: &[Trial], of: impl Fn(&Trial) -> u64) -> Option<DoseEffect> {
    let blocks: BTreeSet<u32> =
        trials.iter().map(|trial| trial.run.block).filter(|block| *block > 0).collect();
    let block = |block: &u32| {
        let mut of_block: Vec<_> = trials.iter().filter(|trial| trial.run.block == *block).collect();
        of_block.sort_by_key(|trial| trial.which);
        let named = |amount: u32| of_block.iter().filter(move |trial| trial.amount == Some(amount));
        let never: Vec<f64> = named(0).map(|trial| of(trial) as f64).collect();
        let with = of_block.iter().filter(|trial| trial.amount.is_some_and(|amount| amount > 0));
        let with = with.map(|trial| {
            let amount = match question {
                // As long as the program slept by its own clock.
                CostQuestion::Slower => trial.run.treated_ns as f64,
                CostQuestion::Without | CostQuestion::Twice => f64::from(trial.amount.unwrap_or(0)),
            };
            (amount, of(trial) as f64)
        });
        Some(DoseBlock { never: never.try_into().ok()?, with: with.collect() })
    };
    // The last block may have been left in the middle.
    let blocks: Vec<_> = blocks.iter().filter_map(block).filter(|block| block.with.len() >= 2).collect();
    dose_effect(&blocks, ALPHA)
}

fn median_of(trials: &[Trial], amount: Option<u32>, of: impl Fn(&Trial) -> u64) -> f64 {
    let values: Vec<_> =
        trials.iter().filter(|trial| trial.amount == amount).map(|trial| of(trial) as f64).collect();
    median(&values).unwrap_or(0.0)
}

fn joined(
    ground: &Ground<'_>,
    asked: &Asked,
    seed: u64,
    meant: &Meant,
    (trials, calibration): (&[Trial], &[CostCalibration]),
    refused_at_once: Option<String>,
) -> CallCost {
    let reach = reach(meant, asked.elide, trials);
    let answer = match refused_at_once {
        Some(reason) => Reading::Unavailable(reason),
        None => answer(asked, meant, &reach, (trials, calibration)),
    };
    let slower = asked.question == CostQuestion::Slower;
    let delay_ns = slower.then(|| u64::try_from(asked.delay.as_nanos()).unwrap_or(u64::MAX));
    CallCost {
        kind: CallCostKind::CallCost,
        schema_version: CALL_COST_VERSION,
        fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
        created: jiff::Timestamp::now().to_string(),
        subject: ground.shown.join(" "),
        command: ground.shown.clone(),
        question: asked.question,
        about: asked.about.text().to_owned(),
        delay_ns,
        method: if asked.elide { CostMethod::Elided } else { CostMethod::Repeated },
        reach,
        compared: None,
        calibration: Vec::new(),
        written: Some(WrittenFiles { compared: meant.written.count(), left_out: meant.written.left_out }),
        instead: meant.chosen.instead.clone(),
        seed,
        runs: trials.iter().map(|trial| recorded(trial, delay_ns)).collect(),
        answer,
        gaps: meant.gaps.clone(),
        redacted: None,
    }
}

fn recorded(trial: &Trial, delay_ns: Option<u64>) -> CostRun {
    let amount = trial.amount.map(|amount| u64::from(amount) * delay_ns.unwrap_or(1));
    CostRun { amount, ..trial.run.clone() }
}

fn reach(meant: &Meant, elide: bool, trials: &[Trial]) -> CostReach {
    let mut names: BTreeSet<&str> = meant.by_name.keys().copied().collect();
    names.extend(trials.iter().flat_map(|trial| trial.treated.keys().map(String::as_str)));
    let instrumented = || trials.iter().filter(|trial| trial.amount.is_some());
    let calls = names.into_iter().map(|name| {
        let (all, fit) = meant.by_name.get(name).copied().unwrap_or_default();
        let count = |of: &dyn Fn(&(u64, u64)) -> u64| {
            let counts = instrumented().map(|trial| trial.treated.get(name).map_or(0, of) as f64);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is a count")]
            let count = median(&counts.collect::<Vec<_>>()).unwrap_or(0.0) as u64;
            count
        };
        let elided = elide.then(|| count(&|(_, known)| *known));
        ReachedCalls { call: name.to_owned(), meant: all, fit, treated: count(&|(all, _)| *all), elided }
    });
    let refusals: BTreeSet<_> = instrumented().flat_map(|trial| trial.refusals.iter().cloned()).collect();
    CostReach {
        calls: calls.collect(),
        unknown: meant.chosen.unknown,
        of_others: meant.chosen.of_others,
        refusals: refusals.into_iter().collect(),
    }
}

fn answer(
    asked: &Asked,
    meant: &Meant,
    reach: &CostReach,
    (trials, calibration): (&[Trial], &[CostCalibration]),
) -> Reading<CostAnswer> {
    let mut reasons = refusal::of_behavior(meant, trials);
    if reasons.is_empty() && reach.treated() == 0 {
        reasons.push(refusal::why_none_was_reached(reach));
    } else if reasons.is_empty() && asked.elide && reach.elided() == 0 {
        reasons.push(refusal::why_none_was_known(reach));
    }
    if !reasons.is_empty() {
        return Reading::Unavailable(reasons.join("; "));
    }
    let wall = effect(asked.question, trials, |trial| trial.run.own_wall_ns());
    let cpu = effect(asked.question, trials, |trial| trial.run.cpu_ns);
    // As if all others stood while the one did that stood longest.
    let at_once = effect(asked.question, trials, |trial| trial.run.wall_ns.saturating_sub(trial.run.held_ns));
    let (Some(wall), Some(cpu)) = (wall, cpu) else {
        return Reading::Unavailable("no block of runs is whole".to_owned());
    };
    let (Some(same), Some(bend), true) = (time(wall.same), time(wall.bend), wall.slope.interval.is_bounded())
    else {
        let blocks = trials.iter().map(|trial| trial.run.block).max().unwrap_or(0);
        return Reading::Unavailable(format!(
            "{blocks} blocks of runs bear no interval at 95 %: give it more --time"
        ));
    };
    let share = match if asked.elide { reach.elided() } else { reach.treated() } {
        0 => 1.0,
        treated => reach.reached() as f64 / treated as f64,
    };
    let exactly = |ns: f64| CallTime { median: ns, low: ns, high: ns };
    let calibrated = if asked.elide { calibrated(meant, reach, calibration) } else { None };
    let instrument = match asked.question {
        CostQuestion::Slower => Some(exactly(0.0)),
        _ if calibrated.is_some() => calibrated,
        CostQuestion::Without | CostQuestion::Twice => filter_ns(meant, reach).map(exactly),
    };
    let Some(instrument) = instrument else {
        return Reading::unavailable(
            "what the instrument's own filter adds to a call could not be measured, so that it cannot be subtracted",
        );
    };
    // What is left out takes less.
    let less = |time: Reading<CallTime>| {
        time.map(|time| if asked.elide { time.scaled(-1.0) } else { time }.less_about(instrument))
    };
    let mut answer = CostAnswer {
        alone_ns: median_of(trials, None, |trial| trial.run.own_wall_ns()),
        watched_ns: median_of(trials, Some(0), |trial| trial.run.own_wall_ns()),
        wall: less(refusal::unless_bent(&wall)),
        cpu: if asked.question == CostQuestion::Slower {
            Reading::unavailable("a sleep takes little of it")
        } else {
            less(refusal::unless_bent(&cpu))
        },
        instrument_ns: instrument.median,
        instrument_range_ns: calibrated.map(|instrument| (instrument.low, instrument.high)),
        meant_share: share.min(1.0),
        control: CostControl { same, bend },
    };
    if let (Some(at_once), Reading::Value(_)) = (at_once, &answer.wall)
        && is_parallel(trials)
        && (at_once.slope.median - wall.slope.median).abs() > wall.slope.interval.half_width()
    {
        answer.wall = Reading::unavailable(
            "several of its threads stood while Fathom did its work, and whether at the same time is not known",
        );
    }
    // A delay is longer than what the watching takes, and is held against its own clock.
    if let Some(times) = answer.held_up().filter(|_| asked.question != CostQuestion::Slower) {
        answer.wall = Reading::Unavailable(format!(
            "under the instrument it takes {times:.1} times as long as alone, and waits for who watches it: what is gained \
             there is lost in waiting"
        ));
    }
    Reading::Value(answer)
}

/// Whether threads of the command run at the same time, alone.
fn is_parallel(trials: &[Trial]) -> bool {
    /// More than so many times the wall time are on CPUs.
    const MORE: f64 = 1.1;
    let cpu = median_of(trials, None, |trial| trial.run.cpu_ns);
    let wall = median_of(trials, None, |trial| trial.run.wall_ns);
    cpu > MORE * wall
}

/// What the calls that are meant rest on.
fn rests_on(meant: &Meant) -> Vec<On> {
    let shares = || meant.by_name.keys().map(|name| meant.descriptor_share(name));
    let mut on = Vec::new();
    on.extend(shares().any(|share| share < 1.0).then_some(On::Path));
    on.extend(shares().any(|share| share > 0.0).then_some(On::Descriptor));
    on
}

/// What the instrument adds to all calls that are made and might have been left out; `None` where its programs show
/// nothing of some of them.
fn calibrated(meant: &Meant, reach: &CostReach, calibration: &[CostCalibration]) -> Option<CallTime> {
    let mut sum = CallTime { median: 0.0, low: 0.0, high: 0.0 };
    for calls in reach.calls.iter().filter(|calls| calls.elided.unwrap_or(0) > 0) {
        let on_descriptor = meant.descriptor_share(&calls.call);
        for (on, share) in [(On::Path, 1.0 - on_descriptor), (On::Descriptor, on_descriptor)] {
            if share > 0.0 {
                let of_all = added(calibration, on)?.scaled(share * calls.elided? as f64);
                sum = CallTime {
                    median: sum.median + of_all.median,
                    low: sum.low + of_all.low,
                    high: sum.high + of_all.high,
                };
            }
        }
    }
    Some(sum)
}

/// What the filter adds to all treated calls, made once more; `None` where that of one is not known.
fn filter_ns(meant: &Meant, reach: &CostReach) -> Option<f64> {
    let of_call = |calls: &ReachedCalls| {
        if let Some(elided) = calls.elided {
            return Some(repetition_cost_ns(&calls.call)? * elided as f64);
        }
        // What was opened again is closed again.
        let closes = meant.opened_share(&calls.call);
        let of_closes = if closes > 0.0 { closes * repetition_cost_ns("close")? } else { 0.0 };
        Some((repetition_cost_ns(&calls.call)? + of_closes) * calls.treated as f64)
    };
    reach.calls.iter().filter(|calls| calls.treated > 0).map(of_call).sum()
}

/// `None` while the interval is open.
fn time(value: DoseValue) -> Option<CallTime> {
    let (low, high) = (value.interval.finite_low()?, value.interval.finite_high()?);
    Some(CallTime { median: value.median, low, high })
}

impl<'a> Ground<'a> {
    fn new(words: &'a Words, scratch: &'a Scratch, stop: &'a Stop) -> anyhow::Result<Self> {
        let claim = |name: &str| {
            scratch.claim_file(name).context("failed to name a file for what the command writes")
        };
        Ok(Self {
            command: &words.source.command,
            shown: words.source.command.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
            directory: std::env::current_dir().context("failed to find the current directory")?,
            limit: Duration::from_secs(words.limit.into()),
            output: claim("output")?,
            errors: claim("errors")?,
            hashes: std::hash::RandomState::new(),
            stop,
        })
    }
}
