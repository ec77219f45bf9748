//! Several commands that were run in turns, each against the first: its paired ratio, its calls, and
//! whether it writes the same. What writes something else is not ranked.

use super::{compare_calls, control, floor, ln_ratios, time_of, wall_ns};
use crate::ranks::{StartsSummary, summarize_starts};
use crate::record_comparison::calls::CallsComparison;
use crate::record_comparison::change::Change;
use crate::record_comparison::paired::Paired;
use crate::record_comparison::times::ALPHA;
use fathom_model::{
    CommandArm, CommandComparison, CommandOutput, ComparedCommand, Control, Estimate, ProcessEnd, Reading,
};
use serde::Serialize;

/// The version of the form of `CommandsRanked` as JSON (docs/how-to/commands.md).
pub const COMMANDS_RANKED_VERSION: u32 = 1;

/// What was found of several commands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CommandsRanked {
    /// The version of this form.
    pub ranked_version: u32,
    /// When the session began.
    pub created: String,
    /// False when it ended early.
    pub complete: bool,
    /// Blocks: a run of each command in random order.
    pub blocks: usize,
    /// The commands in the order given; the first is the baseline.
    pub commands: Vec<RankedCommand>,
    /// The baseline against itself.
    pub control: Reading<Control>,
    /// The wall time of a program that does nothing, in ns.
    pub floor_ns: Reading<Estimate>,
}

/// One of the commands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RankedCommand {
    /// As it was given.
    pub command: String,
    /// Wall time of a run, in ns.
    pub time_ns: Option<Estimate>,
    /// Its time over the baseline's, paired in the blocks; the intervals of all commands hold
    /// together at 95 %.
    pub ratio: Option<Estimate>,
    /// What the ratio says.
    pub change: Option<Change>,
    /// Calls per run beside the baseline's, from exec to the end of the last process.
    pub calls: Reading<CallsComparison>,
    /// Its output beside the baseline's.
    pub output: OutputVerdict,
    /// Ends of its timed runs, each once.
    pub ends: Vec<ProcessEnd>,
    /// Of several starts at once: how many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starts: Option<u32>,
    /// What these starts did together, where several were timed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub together: Option<StartsSummary>,
}

/// What a command wrote, beside what the baseline wrote.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutputVerdict {
    /// The same bytes, and it ended in the same way.
    Same,
    /// Something else: how.
    Differs(String),
    /// Not known, for this reason.
    Unknown(String),
}

impl RankedCommand {
    /// False where its output or its end differs: it does something else.
    pub fn is_ranked(&self) -> bool {
        !matches!(self.output, OutputVerdict::Differs(_))
    }
}

impl CommandsRanked {
    /// True when neither calls nor times are known of any.
    pub fn is_empty(&self) -> bool {
        self.commands.iter().all(|each| each.time_ns.is_none() && each.calls.value().is_none())
    }

    /// True when the baseline differs from itself: no time is to be trusted.
    pub fn has_fault(&self) -> bool {
        self.control.value().is_some_and(|control| control.instrument_fault)
    }
}

/// Puts each command beside the first. Pure.
pub fn rank_commands(measured: &CommandComparison) -> CommandsRanked {
    let control = control(&measured.blocks);
    let fault = control.value().is_some_and(|control| control.instrument_fault);
    let alpha = ALPHA / (measured.further.len() + 1) as f64;
    let rank = |(arm, command): (CommandArm, &ComparedCommand)| {
        let values =
            if arm == CommandArm::Old { Vec::new() } else { ln_ratios(&measured.blocks, arm, wall_ns) };
        let paired = Paired::of(&values);
        RankedCommand {
            command: command.text.clone(),
            time_ns: time_of(&measured.blocks, arm),
            ratio: paired.map(|paired| paired.ratio(alpha)),
            change: paired.map(|paired| paired.change(alpha, fault)),
            calls: compare_calls([&measured.old.counts, &command.counts]),
            output: output_verdict(measured.old.output.as_ref(), command.output.as_ref()),
            ends: ends(measured, arm),
            starts: measured.ranks.as_ref().map(|_| command.starts),
            together: summarize_starts(measured, arm),
        }
    };
    CommandsRanked {
        ranked_version: COMMANDS_RANKED_VERSION,
        created: measured.created.clone(),
        complete: measured.complete,
        blocks: measured.blocks.len(),
        commands: measured.commands().map(rank).collect(),
        control,
        floor_ns: floor(measured),
    }
}

fn output_verdict(first: Option<&CommandOutput>, own: Option<&CommandOutput>) -> OutputVerdict {
    let (Some(first), Some(own)) = (first, own) else {
        return OutputVerdict::Unknown("nobody asked for it".to_owned());
    };
    if own.end != first.end {
        return OutputVerdict::Differs(format!("{}, the first {}", ended(&own.end), ended(&first.end)));
    }
    for (output, who) in [(first, "the first command"), (own, "it")] {
        if !output.is_repeatable {
            return OutputVerdict::Unknown(format!("{who} writes something else in each run"));
        }
    }
    if own.bytes != first.bytes {
        OutputVerdict::Differs(format!("writes {} bytes, the first {}", own.bytes, first.bytes))
    } else if own.sha256 != first.sha256 {
        OutputVerdict::Differs(format!("writes {} bytes as the first does, and other ones", own.bytes))
    } else {
        OutputVerdict::Same
    }
}

/// How a process ended, in words.
fn ended(end: &ProcessEnd) -> String {
    match end {
        ProcessEnd::Exited(code) => format!("exits with {code}"),
        ProcessEnd::Killed(signal) => format!("is killed by {signal}"),
        ProcessEnd::Unknown => "ends unseen".to_owned(),
    }
}

fn ends(measured: &CommandComparison, arm: CommandArm) -> Vec<ProcessEnd> {
    let mut all: Vec<ProcessEnd> = Vec::new();
    for run in measured.blocks.iter().filter_map(|block| block.run(arm)) {
        if !all.contains(&run.end) {
            all.push(run.end.clone());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::command_comparison;

    fn output(sha256: &str) -> CommandOutput {
        CommandOutput { bytes: 3, sha256: sha256.to_owned(), is_repeatable: true, end: ProcessEnd::Exited(0) }
    }

    #[test]
    fn each_command_stands_beside_the_first() {
        let mut measured = command_comparison();
        measured.further = vec![measured.old.clone()];
        for block in &mut measured.blocks {
            let mut run = block.run(CommandArm::New).unwrap().clone();
            run.arm = CommandArm::Further(0);
            run.wall_ns *= 2;
            block.runs.push(run);
        }
        measured.old.output = Some(output("a"));
        measured.new.output = Some(output("a"));
        measured.further[0].output = Some(output("b"));
        let found = rank_commands(&measured);
        let [first, second, third] = found.commands.as_slice() else { panic!("{found:?}") };
        assert!(first.ratio.is_none() && first.output == OutputVerdict::Same);
        assert_eq!(second.change, Some(Change::Higher));
        assert!(second.is_ranked() && !third.is_ranked(), "{:?}", third.output);
        let ratio = |command: &RankedCommand| command.ratio.unwrap().value;
        assert!((ratio(third) / ratio(second) - 2.0).abs() < 0.001);
        let calls = |command: &RankedCommand| command.calls.value().unwrap().new.median;
        assert!((calls(second) - calls(first) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn what_varies_by_itself_is_not_known_and_another_end_differs() {
        let same = output("a");
        let varying = CommandOutput { is_repeatable: false, ..same.clone() };
        let failing = CommandOutput { end: ProcessEnd::Exited(1), ..same.clone() };
        assert!(matches!(output_verdict(Some(&same), Some(&varying)), OutputVerdict::Unknown(_)));
        assert!(matches!(output_verdict(Some(&varying), Some(&same)), OutputVerdict::Unknown(_)));
        assert_eq!(
            output_verdict(Some(&same), Some(&failing)),
            OutputVerdict::Differs("exits with 1, the first exits with 0".to_owned())
        );
        assert!(matches!(output_verdict(None, Some(&same)), OutputVerdict::Unknown(_)));
    }
}
