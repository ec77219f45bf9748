//! Commands run as whole processes: what they write is compared, their calls are counted in runs of
//! their own, then runs of all are timed in turns. This file owns the order of things.
//!
//! Methods of drivers are `passes`'.

mod counting;
mod deeds;
mod error;
mod launch;
mod output;
mod rank_counting;
mod starts;
mod tallies;
mod timing;

use crate::observer::{Event, Observer};
pub(crate) use deeds::digest as digest_of;
pub use error::CommandError;
use fathom_model::{
    CommandBlock, CommandOutput, CommandRanks, CommandSetting, ComparedCommand, Reading, RunCounts,
    StopReason, ValidityFlag, Warning,
};
use fathom_stats::{CommandSeen, validity_of_commands};
use launch::{Launcher, Streams};
pub use rank_counting::{START_COUNT_WORD, count_start_as_rank};
pub use starts::StartPlan;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// The variable in which a command that is one of several finds its rank.
const RANK_VARIABLE: &str = "FATHOM_RANK";

/// A command as it was given, and the words to execute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandWords {
    /// As it was given.
    pub text: String,
    /// A program and its arguments; never empty.
    pub words: Vec<String>,
    /// How many ranks start it at once; 1 where it is alone.
    pub starts: u32,
}

/// What to run, how, and how long.
#[derive(Debug, Clone)]
pub struct CommandPlan {
    /// The command compared with, and one or more that are compared with it.
    pub commands: Vec<CommandWords>,
    /// Compare what they write to standard output.
    pub compares_output: bool,
    /// The command that stands for the start of a process.
    pub floor: Vec<String>,
    /// How they are run.
    pub setting: CommandSetting,
    /// Who starts several at once, where that is asked for.
    pub starts: Option<StartPlan>,
    /// Time for the timed runs; ten blocks are taken in any case.
    pub time: Duration,
    /// Stop when the ratio is known to this half width, as a share of it.
    pub precision: f64,
    /// Count calls and time nothing.
    pub counts_only: bool,
    /// Seed of the order of runs.
    pub seed: u64,
}

/// What came of it.
#[derive(Debug)]
pub struct MeasuredCommands {
    /// Who started several at once.
    pub ranks: Option<CommandRanks>,
    /// The commands with their counts, in the order of the plan.
    pub commands: Vec<ComparedCommand>,
    /// The words of the floor, or why it was not run.
    pub floor: Reading<Vec<String>>,
    /// Why it may be no comparison of what the commands are said to do.
    pub validity: Vec<ValidityFlag>,
    /// The blocks.
    pub blocks: Vec<CommandBlock>,
    /// Why it stopped.
    pub stop: StopReason,
    /// What a reader must know.
    pub warnings: Vec<Warning>,
}

/// How the user's signals reach a run.
#[derive(Debug, Clone, Copy)]
pub struct Signals<'a> {
    /// Raised by the first of them.
    pub stop: &'a AtomicBool,
    /// Its number, for the command whose calls are being counted.
    pub number: &'a AtomicUsize,
}

impl Signals<'_> {
    fn is_stopped(self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Counts and times the commands. An error means that there is nothing to keep: a
/// command cannot be run, or fails before the first block.
pub fn measure_commands(
    plan: &CommandPlan,
    signals: Signals<'_>,
    observer: &mut dyn Observer,
) -> Result<MeasuredCommands, CommandError> {
    let streams = Streams::open(plan.setting.output_shown)?;
    let ranks = match try_ranks(plan, signals) {
        Err(CommandError::Interrupted) => return Ok(interrupted_while_counting(plan)),
        ranks => ranks?,
    };
    let launcher = Launcher { setting: &plan.setting, streams: &streams, signals };
    let outputs = if plan.compares_output {
        match output::digest_outputs(plan, &launcher) {
            Ok(outputs) => outputs,
            Err(CommandError::Interrupted) => return Ok(interrupted_while_counting(plan)),
            Err(error) => return Err(error),
        }
    } else {
        vec![None; plan.commands.len()]
    };
    let (counts, mut warnings) = match counting::count_all(plan, &launcher, observer) {
        Ok(counted) => counted,
        Err(CommandError::Interrupted) => return Ok(interrupted_while_counting(plan)),
        Err(error) => return Err(error),
    };
    let validity = match guard(plan, &counts, &launcher, observer) {
        Ok(validity) => validity,
        Err(CommandError::Interrupted) => return Ok(interrupted_while_counting(plan)),
        Err(error) => return Err(error),
    };
    let timed = if plan.counts_only {
        timing::Timed::none(StopReason::CountsOnly, "only counts were asked for")
    } else {
        timing::time(plan, &launcher, observer)?
    };
    warnings.extend(timed.warnings);
    let of_each = plan.commands.iter().zip(counts).zip(outputs);
    let commands = of_each.map(|((command, counts), output)| compared(command, counts, output)).collect();
    Ok(MeasuredCommands {
        ranks,
        commands,
        floor: timed.floor,
        validity,
        blocks: timed.blocks,
        stop: timed.stop,
        warnings,
    })
}

/// The ranks, started once before anything else, so that what hinders them is said at once.
fn try_ranks(plan: &CommandPlan, signals: Signals<'_>) -> Result<Option<CommandRanks>, CommandError> {
    let Some(starts) = &plan.starts else { return Ok(None) };
    let starter = starts::Starter::begin(starts, signals.stop)?;
    let ranks = starter.ranks.clone();
    starter.quit()?;
    Ok(Some(ranks))
}

/// What keeps it from being a comparison, each command beside the first, said before any time is spent.
fn guard(
    plan: &CommandPlan,
    counts: &[Reading<RunCounts>],
    launcher: &Launcher<'_>,
    observer: &mut dyn Observer,
) -> Result<Vec<ValidityFlag>, CommandError> {
    let deeds = plan.commands.iter().map(|command| deeds::look(command, launcher));
    let deeds = deeds.collect::<Result<Vec<_>, _>>()?;
    let programs: Vec<_> = plan.commands.iter().map(|command| deeds::identity(&command.words)).collect();
    let seen = |index: usize| CommandSeen {
        words: &plan.commands[index].words,
        shell: plan.setting.shell,
        program: programs[index].as_ref(),
        counts: &counts[index],
        deeds: deeds[index].as_ref(),
    };
    let mut flags: Vec<ValidityFlag> = Vec::new();
    for other in 1..plan.commands.len() {
        // Beside itself started alone a command is the same on purpose.
        if plan.commands[other].starts != plan.commands[0].starts {
            continue;
        }
        for mut flag in validity_of_commands([seen(0), seen(other)]) {
            flag.sides.iter_mut().filter(|side| **side == 1).for_each(|side| *side = other);
            // What is wrong with the first alone is found beside each of the others.
            if !flags.contains(&flag) {
                flags.push(flag);
            }
        }
    }
    let names: Vec<_> = plan.commands.iter().map(|command| format!("`{}`", command.text)).collect();
    observer.event(&Event::Validity { flags: &flags, names: &names });
    Ok(flags)
}

fn interrupted_while_counting(plan: &CommandPlan) -> MeasuredCommands {
    let reason = "interrupted while calls were counted";
    let command = |command| compared(command, Reading::unavailable(reason), None);
    MeasuredCommands {
        ranks: None,
        commands: plan.commands.iter().map(command).collect(),
        floor: Reading::unavailable(reason),
        validity: Vec::new(),
        blocks: Vec::new(),
        stop: StopReason::Interrupted,
        warnings: Vec::new(),
    }
}

fn compared(
    command: &CommandWords,
    counts: Reading<RunCounts>,
    output: Option<CommandOutput>,
) -> ComparedCommand {
    ComparedCommand {
        text: command.text.clone(),
        words: command.words.clone(),
        starts: command.starts,
        counts,
        output,
    }
}
