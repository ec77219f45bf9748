//! Who ends too early: the launcher, a rank on another host, Fathom itself. Nothing of them goes on.

use crate::capability::{Capability, has};
use crate::ranks::{TwoHosts, assert_nothing_left, bench, launcher, only};
use crate::sandbox::{Sandbox, says};
use fathom_model::StopReason;
use std::process::Command;
use std::time::{Duration, Instant};

const LONG: &str = "stat --ranks 2 --time 60 --set operations=20 --set rank-shift=1";

/// The part that was measured is there to be read.
fn assert_partial(sandbox: &Sandbox) {
    let record = sandbox.record("r.json");
    assert!(!record.complete);
    assert!(matches!(only(&record).stop, StopReason::Failed(_)), "{:?}", only(&record).stop);
    assert!(!only(&record).forks.is_empty());
}

#[test]
fn a_launcher_that_is_killed_takes_its_ranks_with_it() {
    if !has(Capability::Mpi) {
        return;
    }
    let sandbox = Sandbox::new();
    let by = launcher(&sandbox, "[ $LAUNCH -gt 3 ] && [ $R = 1 ] && { (sleep 0.2; kill -9 $PPID) & }");
    bench(&sandbox, &by, LONG).assert().code(2).stdout(says("INCOMPLETE"));
    assert_partial(&sandbox);
    // What the launcher itself has in the directory for temporary files nobody else knows.
    std::fs::remove_dir_all(sandbox.file("temporary")).unwrap();
    assert_nothing_left(&sandbox);
}

#[test]
fn a_rank_that_is_killed_on_another_host_leaves_nothing_on_either() {
    if !has(Capability::Mpi) || !has(Capability::NetworkNamespaces) {
        return;
    }
    let sandbox = Sandbox::new();
    let hosts = TwoHosts::enter(&sandbox, 8);
    let kill = "[ $(hostname) = fathom8B ] && [ $(cat launches) -gt 3 ] && { (sleep 0.2; kill -9 $$) & }; exec \"$@\"";
    let rank = sandbox.write("kill.sh", kill);
    let count =
        "n=$1; shift; l=$(cat launches 2>/dev/null || echo 0); echo $((l + 1)) > launches; exec \"$@\"";
    let count = sandbox.write("count.sh", count);
    let by = format!(
        "sh {} {{ranks}} {} --wdir {} sh {}",
        count.display(),
        hosts.launcher(&sandbox),
        sandbox.path().display(),
        rank.display()
    );
    bench(&sandbox, &by, LONG).assert().code(2).stdout(says("INCOMPLETE"));
    assert_partial(&sandbox);
    assert_nothing_left(&sandbox);
}

#[test]
fn ranks_end_with_a_fathom_that_is_killed() {
    if !has(Capability::Mpi) {
        return;
    }
    let sandbox = Sandbox::new();
    let by = launcher(&sandbox, "[ $LAUNCH -gt 3 ] && touch going");
    let command = bench(&sandbox, &by, LONG);
    let mut fathom = Command::new(command.get_program());
    fathom.args(command.get_args()).current_dir(sandbox.path());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => fathom.env(name, value),
            None => fathom.env_remove(name),
        };
    }
    let mut running = fathom.spawn().unwrap();
    let begun = Instant::now();
    while !sandbox.file("going").exists() && begun.elapsed() < Duration::from_mins(2) {
        std::thread::sleep(Duration::from_millis(20));
    }
    running.kill().unwrap();
    running.wait().unwrap();
    let begun = Instant::now();
    while !sandbox.processes().is_empty() && begun.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(sandbox.processes().len(), 0);
    // What it made goes with the next run there.
    let by = launcher(&sandbox, "");
    bench(&sandbox, &by, "stat --ranks 2 --time 1 --set operations=20").assert().code(0);
    assert_nothing_left(&sandbox);
}
