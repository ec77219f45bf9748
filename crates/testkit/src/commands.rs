//! Two commands, the new one a tenth slower and with a call more.

use crate::machine::{environment, quiet_noise};
use fathom_model::{
    COMMAND_COMPARISON_VERSION, CommandArm, CommandBlock, CommandComparison, CommandComparisonKind,
    CommandRun, CommandSetting, ComparedCommand, ProcessEnd, Reading, RunCalls, RunCounts, StopReason,
};

/// A session of 24 blocks.
pub fn command_comparison() -> CommandComparison {
    let openat = |count: u64| run_counts(&[("execve", &[1, 1]), ("openat", &[count; 2]), ("read", &[7, 7])]);
    CommandComparison {
        kind: CommandComparisonKind::CommandComparison,
        schema_version: COMMAND_COMPARISON_VERSION,
        fathom_version: "0.1.0".into(),
        created: "2026-11-20T10:00:00Z".into(),
        command: ["fathom", "compare", "--commands", "cat a", "cat a b"].map(Into::into).to_vec(),
        seed: "7".into(),
        complete: true,
        environment: environment(),
        noise: Reading::Value(quiet_noise(1.0)),
        directory: Reading::Value("/srv".into()),
        setting: CommandSetting {
            shell: false,
            prepare: None,
            warm_up_runs: 1,
            pinned: false,
            ignore_failure: false,
            output_shown: false,
        },
        ranks: None,
        old: command("cat a", openat(4)),
        new: command("cat a b", openat(5)),
        further: Vec::new(),
        floor: Reading::Value(vec!["true".into()]),
        blocks: command_blocks(0.095_310_18, 24),
        validity: Vec::new(),
        stop: StopReason::Precise,
        warnings: Vec::new(),
    }
}

/// Blocks whose new run takes e^`ln_ratio` of the old one's time, with a fixed wobble.
pub fn command_blocks(ln_ratio: f64, count: u32) -> Vec<CommandBlock> {
    (0..count)
        .map(|number| {
            let wobble = |arm: u32| 0.01 * (f64::from(number * 4 + arm) * 2.399_963).sin();
            let runs = [
                run(CommandArm::Control, 2e6 * wobble(1).exp()),
                run(CommandArm::Old, 2e6 * wobble(0).exp()),
                run(CommandArm::Floor, 0.5e6 * wobble(3).exp()),
                run(CommandArm::New, 2e6 * (ln_ratio + wobble(2)).exp()),
            ];
            CommandBlock { started_s: f64::from(number) * 0.007, cpu: None, runs: runs.to_vec() }
        })
        .collect()
}

/// Calls of several runs, by name.
pub fn run_counts(calls: &[(&str, &[u64])]) -> RunCounts {
    let runs = calls.first().map_or(0, |(_, per_run)| per_run.len());
    let calls = calls.iter().map(|(call, per_run)| RunCalls {
        call: (*call).to_owned(),
        errno: None,
        per_run: per_run.to_vec(),
    });
    RunCounts { ends: vec![ProcessEnd::Exited(0); runs], processes: vec![1; runs], calls: calls.collect() }
}

fn command(text: &str, counts: RunCounts) -> ComparedCommand {
    let words = text.split(' ').map(str::to_owned).collect();
    ComparedCommand { text: text.to_owned(), words, starts: 1, counts: Reading::Value(counts), output: None }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some milliseconds")]
fn run(arm: CommandArm, wall_ns: f64) -> CommandRun {
    CommandRun {
        arm,
        wall_ns: wall_ns as u64,
        user_ns: (wall_ns * 0.3) as u64,
        system_ns: (wall_ns * 0.4) as u64,
        minor_faults: 100,
        major_faults: 0,
        voluntary_switches: 1,
        involuntary_switches: 0,
        peak_resident_bytes: if arm == CommandArm::Floor { 1 << 20 } else { 1 << 21 },
        end: ProcessEnd::Exited(0),
        starts: Vec::new(),
    }
}
