//! Scripted runs: what differs, by how much, and what gates say.

use super::*;
use crate::record_comparison::Change;
use fathom_testkit::{command_blocks, command_comparison, run_counts};

fn compare(measured: &CommandComparison, gates: &[&str]) -> CommandsCompared {
    let gates: Vec<Gate> = gates.iter().map(|gate| gate.parse().unwrap()).collect();
    compare_commands(measured, &gates)
}

fn verdicts(found: &CommandsCompared) -> Vec<GateVerdict> {
    found.gates.iter().map(|gate| gate.verdict).collect()
}

#[test]
fn a_slower_command_with_a_call_more_is_found() {
    let found =
        compare(&command_comparison(), &["calls > +0", "calls:openat > +1", "time > +2%", "time > +20%"]);
    let [fails, holds] = [GateVerdict::Fails, GateVerdict::Holds];
    assert_eq!(verdicts(&found), [fails, holds, fails, holds]);
    assert_eq!(found.gates[0].evidence, "+1 calls per run");
    let time = found.time.value().unwrap();
    assert_eq!((time.change, time.drift, time.caveats.len()), (Change::Higher, None, 0));
    assert!(time.ratio.interval().unwrap().0 > 1.02 && (time.ratio.value - 1.1).abs() < 0.02);
    let control = found.control.value().unwrap();
    assert!(!control.instrument_fault && !control.ratio.excludes(1.0));
    assert!(found.floor_ns.value().unwrap().value < time.old_ns.value);
    assert_eq!(found.verdict(), Some(GateVerdict::Fails));
}

#[test]
fn counts_that_vary_are_no_regression_unless_their_ranges_are_disjoint() {
    let mut measured = command_comparison();
    let verdict = |measured: &CommandComparison| compare(measured, &["calls > +0"]).gates[0].verdict;
    measured.old.counts = Reading::Value(run_counts(&[("futex", &[3, 5])]));
    measured.new.counts = Reading::Value(run_counts(&[("futex", &[5, 6])]));
    assert_eq!(verdict(&measured), GateVerdict::Inconclusive);
    assert!(!compare(&measured, &[]).calls.value().unwrap().differs());
    measured.new.counts = Reading::Value(run_counts(&[("futex", &[6, 7])]));
    assert_eq!(verdict(&measured), GateVerdict::Fails);
    measured.new.counts = Reading::Value(run_counts(&[("futex", &[3, 3])]));
    assert_eq!(verdict(&measured), GateVerdict::Holds);
    measured.new.counts = Reading::unavailable("no tracer");
    assert_eq!(verdict(&measured), GateVerdict::Inconclusive);
}

#[test]
fn a_control_at_fault_and_a_ratio_that_moves_over_the_limit_decide_nothing() {
    let mut measured = command_comparison();
    for block in &mut measured.blocks {
        block.runs.iter_mut().filter(|run| run.arm == CommandArm::Control).for_each(|run| run.wall_ns *= 2);
    }
    let found = compare(&measured, &["time > +2%"]);
    assert_eq!(found.time.value().unwrap().change, Change::ControlFault);
    assert_eq!(verdicts(&found), [GateVerdict::Inconclusive]);

    measured.blocks = [command_blocks(0.0, 30), command_blocks(0.3, 60)].concat();
    let found = compare(&measured, &["time > +10%", "time > +60%"]);
    assert_eq!(verdicts(&found), [GateVerdict::Inconclusive, GateVerdict::Holds], "{:?}", found.gates);
    let time = found.time.value().unwrap();
    assert!(time.drift.is_some() && time.caveats.len() == 1);
}

#[test]
fn few_blocks_and_none_say_so() {
    let mut measured = command_comparison();
    measured.blocks.truncate(3);
    let found = compare(&measured, &["time > +2%"]);
    assert_eq!(found.time.value().unwrap().change, Change::TooFewForks);
    assert_eq!(verdicts(&found), [GateVerdict::Inconclusive]);
    measured.blocks.clear();
    let found = compare(&measured, &["time > +2%", "calls > +0"]);
    assert!(found.time.value().is_none() && found.figures.is_empty() && !found.is_empty());
    assert_eq!(verdicts(&found), [GateVerdict::Inconclusive, GateVerdict::Fails]);
    assert!(run_ratio(&measured.blocks, CommandArm::New, 1).is_none());
}

#[test]
fn equal_commands_are_rarely_told_apart() {
    // About Gaussian noise of 3 % on each run; a fresh seed for each of 400 sessions.
    let mut state = 20_261_120_u64;
    let mut noise = || {
        let uniform = |state: &mut u64| {
            *state = state.wrapping_add(1);
            (fathom_model::splitmix64(*state) >> 11) as f64 / (1_u64 << 53) as f64
        };
        (0..12).map(|_| uniform(&mut state)).sum::<f64>() - 6.0
    };
    let mut alarms = 0;
    for _ in 0..400 {
        let mut measured = command_comparison();
        measured.blocks = command_blocks(0.0, 20);
        for run in measured.blocks.iter_mut().flat_map(|block| &mut block.runs) {
            run.wall_ns = to_ns(1e7 * (0.03 * noise()).exp());
        }
        let change = compare(&measured, &[]).time.value().unwrap().change;
        alarms += usize::from(matches!(change, Change::Higher | Change::Lower));
    }
    assert!(alarms <= 20, "{alarms} of 400");
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a time of some milliseconds")]
fn to_ns(ns: f64) -> u64 {
    ns as u64
}

#[test]
fn memory_below_the_mark_of_whoever_started_it_is_not_told() {
    let mut measured = command_comparison();
    let has_memory = |measured: &CommandComparison| {
        compare(measured, &[]).figures.iter().any(|figure| figure.figure == "peak memory")
    };
    assert!(has_memory(&measured));
    for run in measured.blocks.iter_mut().flat_map(|block| &mut block.runs) {
        run.peak_resident_bytes = 1 << 20;
    }
    assert!(!has_memory(&measured));
}
