//! System calls that fail where nobody expects it, and limits of the kernel's: whatever fails,
//! each command ends in words, keeps the old file or writes a good one, and leaves nothing.
//!
//! Thousands more are tried by `cargo run -p xtask -- faults --whole` (docs/RELIABILITY.md).

use crate::capability::{Capability, has};
use crate::sandbox::{program, shared_cache};
use fathom_faults::{Extent, Options, Program, SUBJECTS, sweep, under_limits};
use std::path::Path;
use std::time::Duration;

/// No command takes longer, beside any load.
const LIMIT: Duration = Duration::from_mins(2);

fn tried() -> Program {
    Program {
        fathom: program().into(),
        folder: Path::new(env!("CARGO_TARGET_TMPDIR")).to_owned(),
        cache: shared_cache(),
    }
}

/// Sweeps and gives the number of faults that were met.
fn assert_sweep(subjects: &[&str], calls: &[&str], extent: Extent) -> usize {
    let options = Options {
        program: tried(),
        extent,
        subjects: subjects.iter().map(ToString::to_string).collect(),
        calls: calls.iter().map(|call| call.parse().unwrap()).collect(),
        nth: None,
        seed: 16,
        workers: 2,
        limit: LIMIT,
    };
    let swept = sweep(&options, &|_| ()).unwrap();
    let bad: Vec<_> = swept.faults.iter().filter(|fault| !fault.verdict.ending.is_good()).collect();
    assert!(bad.is_empty(), "{bad:#?}");
    swept.faults.len()
}

#[test]
#[ignore = "long"]
fn slowly_a_sample_of_faults_in_every_command_ends_well() {
    if !has(Capability::Seccomp) {
        return;
    }
    let met = assert_sweep(&[], &[], Extent::Short);
    assert!(met > SUBJECTS.len() * 6, "only {met} faults were met");
}

/// The others make so many calls without a fault that each waits for the supervisor: `slowly`.
const QUICK: [&str; 12] = [
    "count",
    "audit, ring",
    "audit, ptrace",
    "trace, ring",
    "trace, ptrace",
    "report",
    "verify --from",
    "audit --from",
    "audit diff",
    "show",
    "export",
    "compare",
];

#[test]
#[ignore = "long"]
fn a_sample_of_faults_in_commands_of_few_calls_ends_well() {
    if !has(Capability::Seccomp) {
        return;
    }
    assert_eq!(
        SUBJECTS.iter().filter(|subject| !QUICK.contains(&subject.name)).count(),
        2,
        "bench and prices"
    );
    let met = assert_sweep(&QUICK, &[], Extent::Short);
    assert!(met > QUICK.len() * 6, "only {met} faults were met");
}

#[test]
#[ignore = "long"]
fn a_ptrace_call_that_fails_ends_in_words_and_leaves_nobody_stopped() {
    if !has(Capability::Seccomp) || !has(Capability::Strace) {
        return;
    }
    assert!(assert_sweep(&["count", "audit, ptrace"], &["ptrace"], Extent::AtMost(16)) > 20);
}

#[test]
#[ignore = "long"]
fn slowly_a_thread_that_cannot_be_made_is_an_error_or_is_done_without() {
    if !has(Capability::Seccomp) {
        return;
    }
    let subjects = ["bench", "count", "audit, ring", "trace"];
    assert!(assert_sweep(&subjects, &["clone", "clone3"], Extent::AtMost(8)) > 20);
}

#[test]
#[ignore = "long"]
fn too_few_processes_descriptors_bytes_or_pages_end_in_words() {
    let is_skipped = |name: &str| !["bench", "count", "audit, ring", "trace, ptrace"].contains(&name);
    let runs = under_limits(&tried(), LIMIT, is_skipped).unwrap();
    let bad: Vec<_> = runs.iter().filter(|run| !run.verdict.ending.is_good()).collect();
    assert!(bad.is_empty(), "{bad:#?}");
    assert!(runs.iter().any(|run| run.verdict.detail == "exit 2"), "no limit was felt");
}
