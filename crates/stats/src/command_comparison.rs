//! Two commands that were run in turns: exact differences of their calls, and the
//! paired ratio of their times. A run is a fresh process, so a block (one run of
//! each) is the unit of inference, as a fork is for drivers.

pub(crate) mod ranking;
#[cfg(test)]
mod tests;

use crate::record_comparison::calls::{CallRange, CallRanges, CallsComparison};
use crate::record_comparison::gate::{Gate, GateMetric, GateVerdict, judge_calls, judge_time};
use crate::record_comparison::paired::{Drift, Paired};
use crate::record_comparison::times::{ALPHA, TimeComparison};
use crate::robust::{mean, median};
use crate::sequence::{SignPrior, combined_sequence, sign_sequence};
use crate::summary::estimate_from;
use fathom_model::{
    CommandArm, CommandBlock, CommandComparison, CommandRun, Control, Estimate, Reading, RunCounts,
};
use serde::Serialize;

/// The version of the form of `CommandsCompared` as JSON (docs/comparing.md).
pub const COMMANDS_COMPARED_VERSION: u32 = 1;

/// The control is a fault when its sign sequence at this level excludes 1.
const FAULT_ALPHA: f64 = 0.01;

/// A change of level smaller than this share is not told, unless a limit lies in it.
const DRIFT_TOLD: f64 = 0.02;

/// Everything found between two commands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CommandsCompared {
    /// The version of this form.
    pub compare_version: u32,
    /// The old command as it was given.
    pub old: String,
    /// The new one.
    pub new: String,
    /// When the session began.
    pub created: String,
    /// False when the session ended early.
    pub complete: bool,
    /// Blocks: a run of each command in random order.
    pub blocks: usize,
    /// Calls per run, from exec to the end of the last process.
    pub calls: Reading<CallsComparison>,
    /// Processes per run, of each side.
    pub processes: Option<[CallRange; 2]>,
    /// Wall time per run, paired in the blocks.
    pub time: Reading<TimeComparison>,
    /// New over old of the time on CPUs (user and system together), paired, at 95 % alone.
    pub cpu_ratio: Option<Estimate>,
    /// What else was read of the runs.
    pub figures: Vec<RunFigure>,
    /// The old command against itself.
    pub control: Reading<Control>,
    /// The wall time of a program that does nothing, in ns.
    pub floor_ns: Reading<Estimate>,
    /// The gates, as asked.
    pub gates: Vec<CommandGate>,
}

/// What a figure is measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FigureUnit {
    /// Nanoseconds.
    Nanoseconds,
    /// How often.
    Count,
    /// Bytes.
    Bytes,
}

/// One figure of the runs, no interval claimed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunFigure {
    /// What it is.
    pub figure: &'static str,
    /// Its unit.
    pub unit: FigureUnit,
    /// The old command's: the mean of times, which the kernel samples by ticks; else the median.
    pub old: f64,
    /// The new one's.
    pub new: f64,
}

/// A gate and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CommandGate {
    /// The gate, as it is written.
    pub gate: Gate,
    /// What the evidence says.
    pub verdict: GateVerdict,
    /// The figures it rests on.
    pub evidence: String,
}

impl CommandsCompared {
    /// What all gates say together; `None` without gates.
    pub fn verdict(&self) -> Option<GateVerdict> {
        let any = |verdict| self.gates.iter().any(|gate| gate.verdict == verdict).then_some(verdict);
        any(GateVerdict::Fails).or_else(|| any(GateVerdict::Inconclusive)).or_else(|| any(GateVerdict::Holds))
    }

    /// True when neither calls nor times could be compared.
    pub fn is_empty(&self) -> bool {
        self.calls.value().is_none() && self.time.value().is_none()
    }
}

/// Compares two commands by what was measured of them. Pure.
pub fn compare_commands(measured: &CommandComparison, gates: &[Gate]) -> CommandsCompared {
    let counts = [&measured.old.counts, &measured.new.counts];
    let calls = compare_calls(counts);
    let control = control(&measured.blocks);
    let time = compare_times(&measured.blocks, &control);
    let gates = gates.iter().map(|gate| judge(gate, &calls, &time)).collect();
    let processes = counts[0].value().zip(counts[1].value());
    CommandsCompared {
        compare_version: COMMANDS_COMPARED_VERSION,
        old: measured.old.text.clone(),
        new: measured.new.text.clone(),
        created: measured.created.clone(),
        complete: measured.complete,
        blocks: measured.blocks.len(),
        calls,
        processes: processes.map(|(old, new)| [old, new].map(|side| CallRange::over(&side.processes))),
        time,
        cpu_ratio: Paired::of(&ln_ratios(&measured.blocks, CommandArm::New, cpu_ns)).map(|p| p.ratio(ALPHA)),
        figures: figures(&measured.blocks),
        control,
        floor_ns: floor(measured),
        gates,
    }
}

/// An arm over the old command in the blocks so far: what decides whether they are enough. The
/// error is that of all `candidates` together.
pub fn run_ratio(blocks: &[CommandBlock], arm: CommandArm, candidates: usize) -> Option<Estimate> {
    let alpha = ALPHA / candidates.max(1) as f64;
    Paired::of(&ln_ratios(blocks, arm, wall_ns)).map(|paired| paired.ratio(alpha))
}

fn compare_calls([old, new]: [&Reading<RunCounts>; 2]) -> Reading<CallsComparison> {
    match (old, new) {
        (Reading::Value(old), Reading::Value(new)) => {
            Reading::Value(CallsComparison::of(&ranges(old), &ranges(new)))
        }
        (Reading::Unavailable(reason), _) | (_, Reading::Unavailable(reason)) => {
            Reading::Unavailable(reason.clone())
        }
    }
}

fn ranges(counts: &RunCounts) -> CallRanges {
    let range = |calls: &fathom_model::RunCalls| CallRange::over(&calls.per_run);
    counts.calls.iter().map(|calls| ((calls.call.clone(), calls.errno.clone()), range(calls))).collect()
}

fn compare_times(blocks: &[CommandBlock], control: &Reading<Control>) -> Reading<TimeComparison> {
    let values = ln_ratios(blocks, CommandArm::New, wall_ns);
    let sides = [CommandArm::Old, CommandArm::New].map(|arm| time_of(blocks, arm));
    let (Some(paired), [Some(old_ns), Some(new_ns)]) = (Paired::of(&values), sides) else {
        return Reading::unavailable("nothing was timed");
    };
    let fault = control.value().is_some_and(|control| control.instrument_fault);
    let ratio = paired.ratio(ALPHA);
    let drift = paired.drift();
    let caveats = drift.filter(|drift| (drift.after / drift.before).ln().abs() > DRIFT_TOLD);
    Reading::Value(TimeComparison {
        old_ns,
        new_ns,
        ratio,
        // One pair: nothing to share the error with.
        ratio_simultaneous: ratio,
        change: paired.change(ALPHA, fault),
        drift,
        caveats: caveats.iter().map(moved).collect(),
    })
}

fn moved(drift: &Drift) -> String {
    format!(
        "the ratio moved from {:.3} to {:.3} after {:.0} % of the session: something on the machine changed",
        drift.before,
        drift.after,
        drift.at_share * 100.0
    )
}

fn control(blocks: &[CommandBlock]) -> Reading<Control> {
    let values = ln_ratios(blocks, CommandArm::Control, wall_ns);
    let Some(paired) = Paired::of(&values) else {
        return Reading::unavailable("nothing was timed");
    };
    let instrument_fault = !sign_sequence(&values, SignPrior::Forks, FAULT_ALPHA).contains(0.0);
    Reading::Value(Control { ratio: paired.ratio(ALPHA), instrument_fault })
}

fn floor(measured: &CommandComparison) -> Reading<Estimate> {
    if let Reading::Unavailable(reason) = &measured.floor {
        return Reading::Unavailable(reason.clone());
    }
    match time_of(&measured.blocks, CommandArm::Floor) {
        Some(time) => Reading::Value(time),
        None => Reading::unavailable("nothing was timed"),
    }
}

/// The wall time of an arm's runs, in ns.
fn time_of(blocks: &[CommandBlock], arm: CommandArm) -> Option<Estimate> {
    let times: Vec<f64> = runs(blocks, arm).map(|run| wall_ns(run).ln()).collect();
    let interval = combined_sequence(&times, ALPHA).exp();
    Some(estimate_from(median(&times)?.exp(), interval, 1.0 - ALPHA, times.len()))
}

/// ln of an arm's value over the old command's, block by block.
fn ln_ratios(blocks: &[CommandBlock], arm: CommandArm, value: fn(&CommandRun) -> f64) -> Vec<f64> {
    let ratio = |block: &CommandBlock| {
        let (own, old) = (value(block.run(arm)?), value(block.run(CommandArm::Old)?));
        (own > 0.0 && old > 0.0).then(|| (own / old).ln())
    };
    blocks.iter().filter_map(ratio).collect()
}

fn runs(blocks: &[CommandBlock], arm: CommandArm) -> impl Iterator<Item = &CommandRun> {
    blocks.iter().filter_map(move |block| block.run(arm))
}

fn wall_ns(run: &CommandRun) -> f64 {
    run.wall_ns as f64
}

fn cpu_ns(run: &CommandRun) -> f64 {
    (run.user_ns + run.system_ns) as f64
}

fn figures(blocks: &[CommandBlock]) -> Vec<RunFigure> {
    type Value = fn(&CommandRun) -> u64;
    let figures: [(&'static str, FigureUnit, Value); 7] = [
        ("user time", FigureUnit::Nanoseconds, |run| run.user_ns),
        ("system time", FigureUnit::Nanoseconds, |run| run.system_ns),
        ("minor faults", FigureUnit::Count, |run| run.minor_faults),
        ("major faults", FigureUnit::Count, |run| run.major_faults),
        ("voluntary switches", FigureUnit::Count, |run| run.voluntary_switches),
        ("involuntary switches", FigureUnit::Count, |run| run.involuntary_switches),
        ("peak memory", FigureUnit::Bytes, |run| run.peak_resident_bytes),
    ];
    let figure = |(figure, unit, value): (&'static str, FigureUnit, Value)| {
        // A child begins with its parent's high-water mark: what lies below it was not seen.
        let unseen = runs(blocks, CommandArm::Floor).map(value).max().filter(|_| unit == FigureUnit::Bytes);
        let side = |arm| {
            let values: Vec<f64> = runs(blocks, arm).map(|run| value(run) as f64).collect();
            if unit == FigureUnit::Nanoseconds { mean(&values) } else { median(&values) }
        };
        let (old, new) = (side(CommandArm::Old)?, side(CommandArm::New)?);
        let is_seen = unseen.is_none_or(|unseen| old.min(new) > unseen as f64);
        is_seen.then_some(RunFigure { figure, unit, old, new })
    };
    figures.into_iter().filter_map(figure).collect()
}

fn judge(gate: &Gate, calls: &Reading<CallsComparison>, time: &Reading<TimeComparison>) -> CommandGate {
    let (verdict, evidence) = match gate.metric {
        GateMetric::Calls | GateMetric::Call(_) => judge_calls(gate, calls, "per run"),
        GateMetric::Time => judge_time(gate, time),
        GateMetric::Ratio => (
            GateVerdict::Inconclusive,
            "there is no baseline beside the old command: `time` is paired".into(),
        ),
    };
    CommandGate { gate: gate.clone(), verdict, evidence }
}
