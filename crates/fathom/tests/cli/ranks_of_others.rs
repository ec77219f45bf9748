//! What ranks do to files and directories that ranks made: their own, or those of another.

use crate::capability::{Capability, has};
use crate::ranks::{assert_nothing_left, bench, calls_of_ranks, launcher, measured, only};
use crate::sandbox::{Sandbox, says};
use fathom_model::Proof;
use predicates::prelude::PredicateBooleanExt;
use std::fs;

fn assert_calls(words: &str, calls: &str) {
    let Some(record) = measured(&format!("{words} --ranks 2 --time 1 --set operations=40")) else { return };
    assert_eq!(calls_of_ranks(&record), [calls; 2], "{words}");
}

#[test]
fn stat_is_one_call_on_every_rank() {
    assert_calls("stat", "newfstatat 1");
    assert_calls("stat-directory --set nesting=2", "newfstatat 1");
}

#[test]
fn removing_is_one_call_on_every_rank() {
    assert_calls("remove --set rank-shift=1 --size 100", "unlink 1");
    assert_calls("remove-directory --set rank-shift=1 --set nesting=3", "rmdir 1");
}

#[test]
fn making_directories_is_one_call_on_every_rank() {
    assert_calls("make-directory --set tree-depth=2 --set tree-branch=3", "mkdir 1");
    assert_calls("make-directory --set nesting=2 --set sharing=own", "mkdir 1");
}

/// Paths below `work` that a rank named in calls like `call`, in the processes that were timed.
fn named(sandbox: &Sandbox, rank: usize, call: &str) -> Vec<String> {
    let log = fs::read_to_string(sandbox.file(&format!("calls.{rank}"))).unwrap();
    let below = format!("{}/work/", sandbox.path().display());
    let lines = log.lines().filter(|line| line.contains(call) && !line.contains("O_CREAT"));
    lines.filter_map(|line| Some(line.split(&below).nth(1)?.split('"').next()?.to_owned())).collect()
}

/// Runs under strace; `false` where that cannot be.
fn watched(sandbox: &Sandbox, words: &str, shown: &str) -> bool {
    if !has(Capability::Mpi) || !has(Capability::Strace) {
        return false;
    }
    // The trial and the count come first.
    let folder = sandbox.path().display();
    let by = launcher(
        sandbox,
        &format!("[ $LAUNCH -gt 2 ] && exec strace -qq -e trace={shown} -o {folder}/calls.$R \"$@\""),
    );
    bench(sandbox, &by, words).assert().code(0);
    assert_nothing_left(sandbox);
    true
}

#[test]
fn a_shifted_rank_looks_at_the_files_of_the_next() {
    let sandbox = Sandbox::new();
    let words = "stat --ranks 3 --time 1 --set operations=9 --set rank-shift=1 --set tree-depth=1 --set tree-branch=2";
    if !watched(&sandbox, words, "newfstatat,mkdir") {
        return;
    }
    for (rank, other) in [(0, "r1."), (1, "r2."), (2, "r0.")] {
        let paths = named(&sandbox, rank, "newfstatat");
        assert!(paths.len() >= 9 && paths.iter().all(|path| path.contains(other)), "{rank}: {paths:?}");
    }
    // Three directories have three files each: the batch's own, and two in it.
    let made = named(&sandbox, 0, "mkdir");
    assert!(made.iter().any(|path| path.ends_with("/t2")), "{made:?}");
    let paths = named(&sandbox, 0, "newfstatat");
    let inside = |of: &str| paths.iter().filter(|path| path.contains(of)).count();
    assert_eq!((inside("/t1/"), inside("/t2/")), (paths.len() / 3, paths.len() / 3), "{paths:?}");
}

#[test]
fn a_shifted_rank_reads_the_files_of_the_next() {
    let sandbox = Sandbox::new();
    if !watched(&sandbox, "open-close --ranks 2 --time 1 --files 2 --set rank-shift=1", "openat,unlink") {
        return;
    }
    for (rank, own, other) in [(0, "r0.", "r1."), (1, "r1.", "r0.")] {
        let opened = named(&sandbox, rank, "openat");
        let paths: Vec<_> =
            opened.iter().filter(|path| path.contains("/r0.") || path.contains("/r1.")).collect();
        assert!(!paths.is_empty() && paths.iter().all(|path| path.contains(other)), "{rank}: {opened:?}");
        // Each batch has new copies; what a rank made before goes.
        let removed = named(&sandbox, rank, "unlink");
        assert!(!removed.is_empty() && removed.iter().all(|path| path.contains(own)), "{removed:?}");
    }
}

#[test]
fn what_another_rank_wrote_is_read_cold_by_every_rank() {
    if !has(Capability::Disk) {
        return;
    }
    let words = "read-whole --ranks 2 --time 1 --cache cold --size 64KiB --set rank-shift=1";
    let Some(record) = measured(words) else { return };
    let evidence = &only(&record).cache[0];
    // Each rank's host looked at its own 16 pages.
    assert_eq!((&evidence.proof, evidence.file_pages), (&Proof::Proven, 32));
    // No rank finds what the other read: the files differ.
    let read = *evidence.device_read_bytes.value().unwrap();
    assert!(read >= evidence.device_read_operations * 2 * 65_536, "{evidence:?}");
}

#[test]
fn what_another_rank_wrote_just_before_has_no_warm_state() {
    let Some(record) = measured("read-whole --ranks 2 --time 1 --set rank-shift=1") else { return };
    assert!(matches!(only(&record).cache[0].proof, Proof::NotApplicable(_)), "{:?}", only(&record).cache);
}

#[test]
fn operations_of_ranks_need_ranks() {
    let sandbox = Sandbox::new();
    let said = says("stat: only ranks perform it").and(says("fathom bench stat --ranks 2"));
    sandbox.fathom("bench stat").assert().code(2).stderr(said);
    let said = says("does not take `rank-shift`");
    sandbox.fathom("bench read-whole --methods native:read --set rank-shift=1").assert().code(2).stderr(said);
}

#[test]
fn a_tree_that_is_too_large_is_refused() {
    if !has(Capability::Mpi) {
        return;
    }
    let sandbox = Sandbox::new();
    let by = launcher(&sandbox, "");
    let words = "stat --ranks 2 --set tree-depth=9 --set tree-branch=9";
    bench(&sandbox, &by, words).assert().code(4).stdout(says("more than a million directories"));
    let words = "make-directory --ranks 2 --set nesting=1 --set operations=1000";
    bench(&sandbox, &by, words).assert().stdout(says("ENAMETOOLONG"));
    assert_nothing_left(&sandbox);
}
