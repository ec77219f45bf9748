//! Timed runs in blocks: one run of each arm in random order, until every ratio is
//! precise enough or the time is used up.

use super::launch::Launcher;
use super::starts::Starter;
use super::{CommandError, CommandPlan};
use crate::observer::{Event, Observer};
use crate::processes::placement::Placement;
use fathom_model::{
    CommandArm, CommandBlock, CommandRun, Estimate, ProcessEnd, Reading, Severity, StopReason, Warning,
};
use fathom_stats::{is_precise, relative_half_width, run_ratio};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Instant;

/// No stop before this many blocks.
const BLOCKS_LEAST: usize = 10;
/// More blocks than this add nothing.
const BLOCKS_MAX: usize = 2000;
/// More runs with a CPU taken from them than this share are told.
const PREEMPTED_SHARE: f64 = 0.5;

/// What the timed runs gave.
#[derive(Debug)]
pub(super) struct Timed {
    pub(super) floor: Reading<Vec<String>>,
    pub(super) blocks: Vec<CommandBlock>,
    pub(super) stop: StopReason,
    pub(super) warnings: Vec<Warning>,
}

impl Timed {
    /// No run at all.
    pub(super) fn none(stop: StopReason, reason: &str) -> Self {
        Self { floor: Reading::unavailable(reason), blocks: Vec::new(), stop, warnings: Vec::new() }
    }
}

/// The arms of a session and what was noticed on the way.
struct Sitting<'a> {
    plan: &'a CommandPlan,
    launcher: &'a Launcher<'a>,
    starter: Option<Starter<'a>>,
    arms: Vec<CommandArm>,
    left_processes: bool,
}

/// Takes blocks until it is enough. What was taken before an interrupt or a failure is
/// kept; a failure before the first block is an error.
pub(super) fn time(
    plan: &CommandPlan,
    launcher: &Launcher<'_>,
    observer: &mut dyn Observer,
) -> Result<Timed, CommandError> {
    let floor = try_floor(plan, launcher);
    let mut arms = vec![CommandArm::Old, CommandArm::Control];
    arms.extend(candidates(plan));
    if floor.value().is_some() {
        arms.push(CommandArm::Floor);
    }
    let starter =
        plan.starts.as_ref().map(|starts| Starter::begin(starts, launcher.signals.stop)).transpose();
    let starter = match starter {
        Err(CommandError::Interrupted) => return Ok(Timed::none(StopReason::Interrupted, "interrupted")),
        starter => starter?,
    };
    let mut sitting = Sitting { plan, launcher, starter, arms, left_processes: false };
    let (blocks, stop) = match sitting.warm_up() {
        Ok(()) => sitting.blocks(observer)?,
        Err(CommandError::Interrupted) => (Vec::new(), StopReason::Interrupted),
        Err(error) => return Err(error),
    };
    // Ranks that do not end in order are ended otherwise: what was measured stays.
    let _ended_otherwise = sitting.starter.take().map(Starter::quit);
    let warnings = warnings(&blocks, sitting.left_processes);
    Ok(Timed { floor, blocks, stop, warnings })
}

/// The arms that are compared with the first command.
fn candidates(plan: &CommandPlan) -> impl Iterator<Item = CommandArm> {
    std::iter::once(CommandArm::New).chain((0..).map(CommandArm::Further)).take(plan.commands.len() - 1)
}

/// The least known of the ratios to the first command; `None` while one is not known at all.
fn widest_ratio(plan: &CommandPlan, blocks: &[CommandBlock]) -> Option<Estimate> {
    let ratios = candidates(plan).map(|arm| run_ratio(blocks, arm, plan.commands.len() - 1));
    let ratios: Option<Vec<Estimate>> = ratios.collect();
    let width = |ratio: &Estimate| relative_half_width(ratio).unwrap_or(f64::INFINITY);
    ratios?.into_iter().max_by(|one, other| width(one).total_cmp(&width(other)))
}

fn try_floor(plan: &CommandPlan, launcher: &Launcher<'_>) -> Reading<Vec<String>> {
    let text = plan.floor.join(" ");
    match launcher.run(&text, &plan.floor) {
        Ok(ended) if ended.end == ProcessEnd::Exited(0) => Reading::Value(plan.floor.clone()),
        Ok(_) => Reading::unavailable(format!("`{text}` failed")),
        Err(error) => Reading::unavailable(error.to_string()),
    }
}

impl Sitting<'_> {
    fn warm_up(&mut self) -> Result<(), CommandError> {
        for _ in 0..self.plan.setting.warm_up_runs {
            for arm in std::iter::once(CommandArm::Old).chain(candidates(self.plan)) {
                self.run(arm)?;
            }
        }
        Ok(())
    }

    fn blocks(
        &mut self,
        observer: &mut dyn Observer,
    ) -> Result<(Vec<CommandBlock>, StopReason), CommandError> {
        let placement = Placement::begin();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.plan.seed);
        let begun = Instant::now();
        let mut blocks: Vec<CommandBlock> = Vec::new();
        let stop = loop {
            let cpu = self.plan.setting.pinned.then(|| placement.pin(blocks.len()));
            let cpu = cpu.and_then(|cpu| cpu.value().copied());
            let started_s = begun.elapsed().as_secs_f64();
            self.arms.shuffle(&mut random);
            match self.block() {
                Ok(runs) => blocks.push(CommandBlock { started_s, cpu, runs }),
                Err(CommandError::Interrupted) => break StopReason::Interrupted,
                Err(error) if blocks.is_empty() => return Err(error),
                Err(error) => break StopReason::Failed(error.to_string()),
            }
            let elapsed = begun.elapsed();
            let ratio = widest_ratio(self.plan, &blocks);
            observer.event(&Event::TimingCommands {
                blocks: blocks.len(),
                ratio: ratio.as_ref(),
                precision: self.plan.precision,
                elapsed,
                budget: self.plan.time,
            });
            if blocks.len() < BLOCKS_LEAST {
                continue;
            }
            if ratio.is_some_and(|ratio| is_precise(&ratio, self.plan.precision)) {
                break StopReason::Precise;
            }
            if elapsed >= self.plan.time {
                break StopReason::TimeBudget;
            }
            if blocks.len() >= BLOCKS_MAX {
                break StopReason::ForkLimit;
            }
        };
        Ok((blocks, stop))
    }

    fn block(&mut self) -> Result<Vec<CommandRun>, CommandError> {
        let order = self.arms.clone();
        order.into_iter().map(|arm| self.run(arm)).collect()
    }

    /// One run of an arm, prepared and checked.
    fn run(&mut self, arm: CommandArm) -> Result<CommandRun, CommandError> {
        let command = match arm {
            CommandArm::Old | CommandArm::Control => &self.plan.commands[0],
            CommandArm::New => &self.plan.commands[1],
            CommandArm::Further(index) => &self.plan.commands[index as usize + 2],
            CommandArm::Floor => {
                let text = self.plan.floor.join(" ");
                return Ok(self.launcher.run(&text, &self.plan.floor)?.as_run(arm));
            }
        };
        self.launcher.prepare()?;
        if let Some(starter) = &mut self.starter {
            let (run, left_processes) = starter.round(self.launcher, command, arm)?;
            self.left_processes |= left_processes;
            return Ok(run);
        }
        let ended = self.launcher.run(&command.text, &command.words)?;
        self.launcher.check(&command.text, &ended.end)?;
        self.left_processes |= ended.left_processes;
        Ok(ended.as_run(arm))
    }
}

fn warnings(blocks: &[CommandBlock], left_processes: bool) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if left_processes {
        let text = "processes of a command went on after its end: the times do not hold them, and they may \
                    disturb the runs after it";
        warnings.push(Warning::new(Severity::Warning, "left-processes", text));
    }
    let runs = || blocks.iter().flat_map(|block| &block.runs).filter(|run| run.arm != CommandArm::Floor);
    let all = runs().count();
    let preempted = runs().filter(|run| run.involuntary_switches > 0).count();
    if preempted as f64 > PREEMPTED_SHARE * all as f64 {
        let text =
            format!("a CPU was taken from {preempted} of {all} runs: the times hold what they waited for it");
        warnings.push(Warning::new(Severity::Note, "preempted", text));
    }
    let failed = runs().filter(|run| run.end != ProcessEnd::Exited(0)).count();
    if failed > 0 {
        let text = format!("{failed} of {all} timed runs ended otherwise than with exit code 0");
        warnings.push(Warning::new(Severity::Warning, "failed-runs", text));
    }
    warnings
}
