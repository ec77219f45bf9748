//! The process that takes prices: `fathom price-process DIRECTORY SEED seconds S`, or
//! `rounds N` of every trial with the order of batches told; `creating` behind it
//! takes only those of making files, which stay, `only CALL...` only those of some calls.
//! It answers with one line of JSON and goes when Fathom goes.

use super::cold::fills;
use super::ground::Ground;
use super::meter::{Logged, Meter, Taken};
use super::names;
use super::refusal::Refusal;
use super::trial::Trial;
use super::trials;
use fathom_model::Unpriced;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustix::process::{Signal, set_parent_process_death_signal};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// The hidden subcommand under which `fathom` takes prices.
pub const PRICE_PROCESS_WORD: &str = "price-process";
/// The word behind which only making files is priced.
pub(super) const CREATING: &str = "creating";
/// The word behind which calls are named that alone are priced.
pub(super) const ONLY: &str = "only";
/// A trial that has taken a larger share of the time waits, once it has this many batches.
const SHARE_MAX: f64 = 0.04;
const BATCHES_MIN: u32 = 4;
/// A trial that takes longer waits for a device.
const SLOW: Duration = Duration::from_millis(1);

/// What a process answers.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Answer {
    pub(super) prices: Vec<Taken>,
    pub(super) unpriced: Vec<Unpriced>,
    /// Every batch in order, where rounds were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) batches: Option<Vec<Logged>>,
}

/// How long to go on.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Until {
    Time(Duration),
    Rounds(u32),
}

/// Takes prices as the words say. The exit code of the process.
pub fn perform(words: impl Iterator<Item = OsString>) -> u8 {
    let words: Vec<_> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    match answer(&words).and_then(|answer| Ok(serde_json::to_string(&answer)?)) {
        Ok(text) => u8::from(writeln!(std::io::stdout(), "{text}").is_err()),
        Err(failure) => {
            let _nobody_listens = writeln!(std::io::stderr(), "{failure}");
            1
        }
    }
}

fn answer(words: &[String]) -> Result<Answer, Box<dyn std::error::Error>> {
    let [directory, seed, kind, amount, more @ ..] = words else {
        return Err("which directory, and how long?".into());
    };
    let (creating, only) = match more {
        [] => (false, &[][..]),
        [word] if word == CREATING => (true, &[][..]),
        [word, calls @ ..] if word == ONLY => (false, calls),
        _ => return Err("what more?".into()),
    };
    let until = match kind.as_str() {
        "seconds" => Until::Time(Duration::try_from_secs_f64(amount.parse()?)?),
        "rounds" => Until::Rounds(amount.parse()?),
        other => return Err(format!("how long is `{other}`?").into()),
    };
    set_parent_process_death_signal(Some(Signal::KILL))?;
    take(Path::new(directory), seed.parse()?, until, creating, only)
}

/// A trial with what it has used.
struct Running<'a> {
    trial: Trial<'a>,
    spent: Duration,
    batches: u32,
    refused: Option<Refusal>,
}

fn take(
    directory: &Path,
    seed: u64,
    until: Until,
    creating: bool,
    only: &[String],
) -> Result<Answer, Box<dyn std::error::Error>> {
    let begun = Instant::now();
    let ground = Ground::make(directory, seed)?;
    let mut meter = Meter::new(matches!(until, Until::Rounds(_)));
    let mut unpriced = Vec::new();
    let trials = if creating { names::creations(&ground) } else { trials::of_calls(&ground, only)? };
    let mut running: Vec<_> = trials
        .into_iter()
        .map(|trial| Running { trial, spent: Duration::ZERO, batches: 0, refused: None })
        .collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    // The first round brings everything in once, and does not count.
    for one in &mut running {
        if let Err(refusal) = one.trial.run(&mut meter) {
            one.refused = Some(refusal);
        }
    }
    hear_refusals(&mut running, &meter, &mut unpriced);
    let mut rounds = 0;
    while match until {
        Until::Time(time) => rounds == 0 || begun.elapsed() < time,
        Until::Rounds(wanted) => rounds < wanted,
    } {
        let share = matches!(until, Until::Time(_)).then(|| begun.elapsed().mul_f64(SHARE_MAX));
        run_round(&mut running, &mut meter, &mut random, share);
        hear_refusals(&mut running, &meter, &mut unpriced);
        rounds += 1;
    }
    let mut prices = meter.prices();
    prices.extend(fills(&meter));
    // What a trial prices beside the named calls was not asked for.
    let is_wanted = |call: &String| only.is_empty() || only.contains(call);
    prices.retain(|taken| is_wanted(&taken.condition.call));
    unpriced.retain(|lacking: &Unpriced| {
        lacking.call.split(' ').next().is_none_or(|call| is_wanted(&call.to_owned()))
    });
    Ok(Answer { prices, unpriced, batches: meter.into_log() })
}

/// A batch of every trial in random order, each after one that only brings its
/// code and data back into the processor's caches. A slow one has no use for that.
fn run_round(
    running: &mut [Running<'_>],
    meter: &mut Meter,
    random: &mut Xoshiro256PlusPlus,
    share: Option<Duration>,
) {
    running.shuffle(random);
    meter.set_keeping(true);
    meter.take_overhead();
    for one in running {
        let used_up = share.is_some_and(|share| one.batches >= BATCHES_MIN && one.spent > share);
        if used_up || one.trial.batches_max.is_some_and(|most| one.batches >= most) {
            continue;
        }
        let begun = Instant::now();
        one.refused = one.run(meter).err();
        one.spent += begun.elapsed();
        one.batches += 1;
    }
}

impl Running<'_> {
    fn run(&mut self, meter: &mut Meter) -> Result<(), Refusal> {
        let slow = self.spent > SLOW * self.batches;
        if !slow && self.trial.batches_max.is_none() {
            meter.set_keeping(false);
            let warmed = self.trial.run(meter);
            meter.set_keeping(true);
            warmed?;
        }
        self.trial.run(meter)
    }
}

/// Trials that were refused are told once and tried no more.
fn hear_refusals(running: &mut Vec<Running<'_>>, meter: &Meter, unpriced: &mut Vec<Unpriced>) {
    running.retain(|one| {
        let Some(refusal) = &one.refused else { return true };
        let lacking = one.trial.conditions.iter().filter(|condition| !meter.has(condition));
        unpriced.extend(lacking.map(|condition| Unpriced {
            call: format!("{} {}", condition.call, condition.form).trim_end().to_owned(),
            reason: refusal.to_string(),
        }));
        false
    });
}
