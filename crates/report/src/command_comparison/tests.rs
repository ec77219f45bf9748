//! The text of two commands: as recorded, and what must stand where something lacks.

use super::*;
use fathom_model::{CommandArm, Severity, Warning};
use fathom_stats::{Gate, compare_commands};
use fathom_testkit::{command_comparison, run_counts};

fn text(measured: &CommandComparison, gates: &[&str]) -> String {
    let gates: Vec<Gate> = gates.iter().map(|gate| gate.parse().unwrap()).collect();
    render_commands(measured, &compare_commands(measured, &gates), &TextOptions::default())
}

#[test]
fn two_commands_read_as_recorded() {
    insta::assert_snapshot!(text(&command_comparison(), &["calls > +0", "time > +2%", "time > +10%"]));
}

#[test]
fn what_is_not_there_has_words() {
    let mut measured = command_comparison();
    measured.blocks.clear();
    measured.complete = false;
    measured.stop = StopReason::Interrupted;
    measured.new.counts = Reading::unavailable("ptrace is refused");
    measured.setting.pinned = true;
    measured.setting.prepare = Some("sync".into());
    measured.warnings.push(Warning::new(Severity::Warning, "x", "something was odd"));
    let text = text(&measured, &["calls > +0"]);
    for words in [
        "no: interrupted",
        "Not compared: ptrace is refused.",
        "Not compared: nothing was timed.",
        "before each run: sync",
        "something was odd",
        "INCONCLUSIVE (ptrace is refused)",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("NaN"), "{text}");
}

#[test]
fn a_varying_count_and_a_dear_start_are_told() {
    let mut measured = command_comparison();
    measured.old.counts = Reading::Value(run_counts(&[("futex", &[3, 5])]));
    measured.new.counts = Reading::Value(run_counts(&[("futex", &[4, 4])]));
    for run in measured.blocks.iter_mut().flat_map(|block| &mut block.runs) {
        if run.arm == CommandArm::Floor {
            run.wall_ns *= 3;
        }
    }
    let text = text(&measured, &[]);
    assert!(text.contains("futex ~4.00 (3.00–5.00) → 4: varies from run to run"), "{text}");
    assert!(text.contains("most of the time is the start of a process"), "{text}");
    assert!(!text.contains("Gates"), "{text}");
}
