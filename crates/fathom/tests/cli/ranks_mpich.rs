//! The same ranks under MPICH, installed beside another MPI.

use crate::capability::{Capability, has};
use crate::ranks::{assert_nothing_left, bench, calls_of_ranks, launcher_by, only};
use crate::sandbox::{Sandbox, says};
use assert_cmd::Command;
use fathom_model::StopReason;
use predicates::prelude::PredicateBooleanExt;

/// `None` where it is not installed.
fn mpich(before: &str, words: &str) -> Option<(Sandbox, Command)> {
    if !has(Capability::Mpich) {
        return None;
    }
    let sandbox = Sandbox::new();
    let by = launcher_by(&sandbox, "mpiexec.mpich", before);
    let mut command = bench(&sandbox, &by, words);
    command.env("MPICC", "mpicc.mpich");
    Some((sandbox, command))
}

#[test]
fn calls_are_counted_on_every_rank() {
    for (words, ranks, calls) in
        [("create", 8, "close 1, openat 1"), ("stat --set rank-shift=1", 4, "newfstatat 1")]
    {
        let words = format!("{words} --ranks {ranks} --time 1 --set operations=50");
        let Some((sandbox, mut command)) = mpich("", &words) else { return };
        command.assert().code(0).stdout(says("MPICH"));
        assert_eq!(calls_of_ranks(&sandbox.record("r.json")), vec![calls; ranks]);
        assert_nothing_left(&sandbox);
    }
}

#[test]
fn a_killed_rank_ends_the_run_and_what_was_measured_stays() {
    let kill = "[ $LAUNCH -gt 3 ] && [ $R = 1 ] && { (sleep 0.2; kill -9 $$) & }";
    let Some((sandbox, mut command)) = mpich(kill, "open-close --ranks 2 --time 20") else { return };
    command.assert().code(2).stdout(says("INCOMPLETE"));
    let record = sandbox.record("r.json");
    assert!(matches!(only(&record).stop, StopReason::Failed(_)), "{:?}", only(&record).stop);
    assert!(!only(&record).forks.is_empty());
    assert_nothing_left(&sandbox);
}

#[test]
fn a_rank_that_cannot_reach_the_directory_is_named() {
    // UCX shares memory by way of /proc, which it may not from another user namespace: this one is root's.
    if !has(Capability::NetworkNamespaces) {
        return;
    }
    let hide =
        "if [ $R = 1 ]; then exec unshare -m sh -c 'mount -t tmpfs none work && exec \"$@\"' - \"$@\"; fi";
    let Some((sandbox, mut command)) = mpich(hide, "stat --ranks 2 --time 1") else { return };
    command.assert().code(4).stdout(says("ENOENT").and(says("(rank 1 on ")));
    assert_nothing_left(&sandbox);
}
