//! What chosen calls cost: the command runs many times with them made again, delayed or answered from memory
//! inside it, in blocks of random order, and what it takes is held against how much was added or left out.

mod answering;
mod calibration;
mod meant;
mod refusal;
mod toggled;
mod trial;
mod written;

use crate::arguments::WhatIf as Words;
use crate::command::Hinted;
use crate::command::stop::Stop;
use crate::exit::Exit;
use crate::output;
use answering::answer;
use anyhow::Context;
pub(crate) use calibration::{CALIBRATION_WORD, perform as perform_calibration};
use calibration::{Calibration, On};
use fathom_audit::{
    CALL_COST_VERSION, CallCost, CallCostKind, CallTime, ChosenCalls, ComparedAnswers, CostAnswer,
    CostMethod, CostQuestion, CostReach, CostRun, ReachedCalls, WrittenFiles,
};
use fathom_lab::draw_seed;
use fathom_lab::scratch::Scratch;
use fathom_model::Reading;
use fathom_stats::{DoseBlock, DoseEffect, DoseValue, dose_effect, median};
use fathom_trace::{Elision, MOST_QUESTIONS, Repetition, Treatment, hook_availability};
use meant::{Meant, look};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use toggled::Way;
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
    let (mut compared, mut calibration, mut way) = (None, Calibration::default(), None);
    if let (Some(never), None) = (&never, &refused_at_once) {
        if asked.elide {
            compared = Some(compare(&ground, never, &meant, &mut trials)?);
        }
        if refusal::of_ends(&meant, &trials).is_empty() {
            if asked.elide {
                calibration = Calibration::new(&ground, &rests_on(&meant))?;
            }
            let both = (words, &meant);
            let chosen = match asked.question {
                CostQuestion::Slower => Way::Runs(String::new()),
                _ => toggled::choose(&ground, asked, both, never, &mut trials)?,
            };
            let made = (&mut trials, &mut calibration);
            match chosen {
                Way::Windows(calls, _) => toggled::run(&ground, asked, (never, calls, seed), both, made)?,
                Way::Runs(_) => run_blocks(&ground, asked, never, seed, both, made)?,
            }
            way = Some(chosen);
        }
    }
    let calibration = calibration.recorded();
    let answer = match (refused_at_once, &way) {
        (Some(reason), _) => Reading::Unavailable(reason),
        (None, way) => answer(asked, &meant, (&trials, &calibration), way.as_ref()),
    };
    let mut cost = joined(&ground, asked, seed, &meant, &trials, answer);
    cost.toggling = toggled::recorded(asked, &trials, way);
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
    (words, meant): (&Words, &Meant),
    (trials, calibration): (&mut Vec<Trial>, &mut Calibration),
) -> anyhow::Result<()> {
    output::note(
        "measuring: blocks of 5 runs, with the calls made again, delayed or left out in some of them",
    );
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
    let unit = match asked.question {
        CostQuestion::Slower => 1.0,
        CostQuestion::Without | CostQuestion::Twice => {
            median_of(trials, Some(0), |trial| trial.run.own_wall_ns())
        }
    };
    is_narrow(&effect, within, unit)
}

/// The same of an effect on runs that take so long, in ns.
fn is_narrow(effect: &DoseEffect, within: u32, unit: f64) -> bool {
    let interval = effect.slope.interval;
    let is_sure = interval.low > 0.0 || interval.high < 0.0;
    let is_narrow = interval.half_width() <= effect.slope.median.abs() * f64::from(within) / 100.0;
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
    trials: &[Trial],
    answer: Reading<CostAnswer>,
) -> CallCost {
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
        reach: reach(meant, asked.elide, trials),
        compared: None,
        calibration: Vec::new(),
        written: Some(WrittenFiles { compared: meant.written.count(), left_out: meant.written.left_out }),
        instead: meant.chosen.instead.clone(),
        seed,
        toggling: None,
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

/// What the calls that are meant rest on.
fn rests_on(meant: &Meant) -> Vec<On> {
    let shares = || meant.by_name.keys().map(|name| meant.descriptor_share(name));
    let mut on = Vec::new();
    on.extend(shares().any(|share| share < 1.0).then_some(On::Path));
    on.extend(shares().any(|share| share > 0.0).then_some(On::Descriptor));
    on
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
