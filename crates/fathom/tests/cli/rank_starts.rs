//! `fathom bench --commands --ranks`: several starts at once, by Fathom itself and behind an MPI launcher.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says};
use assert_cmd::Command;
use fathom_model::{CommandArm, CommandComparison, CommandRun, ProcessEnd, StopReason};
use predicates::prelude::PredicateBooleanExt;
use std::fs;
use std::time::{Duration, Instant};

fn bench(sandbox: &Sandbox, command: &str, words: &str) -> Command {
    fs::create_dir_all(sandbox.file("temporary")).unwrap();
    let mut bench = sandbox.fathom("bench --ignore-output -o r.json --commands");
    bench.arg(command).args(words.split_whitespace()).env("TMPDIR", sandbox.file("temporary"));
    bench
}

fn record(sandbox: &Sandbox) -> CommandComparison {
    serde_json::from_slice(&fs::read(sandbox.file("r.json")).unwrap()).unwrap()
}

fn rounds(record: &CommandComparison) -> Vec<&CommandRun> {
    record.blocks.iter().filter_map(|block| block.run(CommandArm::New)).collect()
}

/// Starts the ranks of the MPI that is installed, wherever it is.
fn launcher(sandbox: &Sandbox, before: &str) -> String {
    let rank =
        sandbox.write("rank.sh", &format!("R=${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}\n{before}\nexec \"$@\"\n"));
    let script = format!(
        "n=$1; shift\nif mpirun --version | grep -q 'Open MPI'; then\n\
         exec mpirun --allow-run-as-root --oversubscribe -n $n sh {0} \"$@\"\nelse exec mpirun -n $n sh {0} \"$@\"; fi\n",
        rank.display()
    );
    format!("sh {} {{ranks}}", sandbox.write("launch.sh", &script).display())
}

fn assert_nothing_left(sandbox: &Sandbox) {
    let begun = Instant::now();
    while !sandbox.processes().is_empty() && begun.elapsed() < Duration::from_mins(2) {
        std::thread::sleep(Duration::from_millis(50));
    }
    sandbox.assert_nothing_left();
}

/// What holds of every round, however it was started.
fn assert_whole(record: &CommandComparison, ranks: usize) {
    assert!(record.complete && record.blocks.len() >= 10);
    assert_eq!((record.old.starts as usize, record.new.starts as usize), (1, ranks));
    for run in rounds(record) {
        let ends: Vec<u64> = run.starts.iter().map(|one| one.start_ns + one.wall_ns).collect();
        assert_eq!((ends.len(), ends.iter().max()), (ranks, Some(&run.wall_ns)));
        assert!(run.starts.iter().any(|one| one.start_ns == 0));
    }
    let counts = record.new.counts.value().unwrap_or_else(|| panic!("{:?}", record.new.counts));
    assert_eq!(counts.ends.len() % ranks, 0);
    let exec = counts.calls.iter().find(|call| call.call == "execve").unwrap();
    assert_eq!(exec.per_run, vec![1; counts.ends.len()], "one start each");
}

#[test]
fn one_command_stands_beside_itself_alone() {
    let sandbox = Sandbox::new();
    let said = says("one command, alone and 4 at once")
        .and(says("cat /dev/null, alone"))
        .and(says("cat /dev/null, 4 at once"));
    let starts = says("4 starts at once").and(says("the same on all 4 ranks")).and(says("worst start: "));
    bench(&sandbox, "cat /dev/null", "--ranks 4 --time 1").assert().code(0).stdout(said.and(starts));
    let record = record(&sandbox);
    assert_whole(&record, 4);
    let ranks = record.ranks.as_ref().unwrap();
    assert!(ranks.launcher.is_empty() && ranks.ranks.len() == 4);
    assert_nothing_left(&sandbox);
}

#[test]
fn the_worst_start_is_named_by_rank_and_host() {
    let sandbox = Sandbox::new();
    let slow = "[ $FATHOM_RANK = 2 ] && sleep 0.1; :";
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    let row = format!("rank 2 {}", host.trim());
    let worst = says("on rank 2 (").and(says(&row));
    bench(&sandbox, slow, "--ranks 3 --shell --time 1")
        .assert()
        .code(0)
        .stdout(says("worst start: ").and(worst));
    for run in rounds(&record(&sandbox)) {
        assert!(run.starts[2].wall_ns >= 100_000_000, "{run:?}");
    }
}

#[test]
fn calls_of_a_rank_that_makes_more_are_told() {
    let sandbox = Sandbox::new();
    let more = "[ $FATHOM_RANK = 1 ] && cd /; :";
    let told = says("calls per start: ").and(says("(rank 1), in 5 counted rounds"));
    bench(&sandbox, more, "--ranks 2 --shell --counts-only").assert().code(0).stdout(told);
}

#[test]
fn a_start_that_fails_is_named_by_its_rank() {
    let sandbox = Sandbox::new();
    let failing = "exit ${FATHOM_RANK:-0}";
    let named = says("on rank 1").and(says("ended with exit code 1"));
    bench(&sandbox, failing, "--ranks 2 --shell --time 1").assert().code(2).stderr(named);
    bench(&sandbox, failing, "--ranks 2 --shell --ignore-failure --time 1").assert().code(0);
    for run in rounds(&record(&sandbox)) {
        assert_eq!((&run.end, &run.starts[0].end), (&ProcessEnd::Exited(1), &ProcessEnd::Exited(0)));
    }
}

#[test]
fn ranks_behind_a_launcher_start_commands_that_are_no_ranks() {
    if !has(Capability::Mpi) {
        return;
    }
    let sandbox = Sandbox::new();
    let by = launcher(&sandbox, "");
    let clean = "env | grep -q -e ^OMPI_COMM -e ^PMI_RANK -e ^PMIX_RANK && exit 9; test -n \"$FATHOM_RANK\" || test $? = 1";
    let mut command = bench(&sandbox, clean, "--ranks 3 --shell --time 1");
    command
        .args(["--launcher", &by])
        .assert()
        .code(0)
        .stdout(says("3 starts at once").and(says("worst start: ")));
    let record = record(&sandbox);
    assert!(record.complete);
    for run in rounds(&record) {
        assert_eq!((run.starts.len(), &run.end), (3, &ProcessEnd::Exited(0)));
    }
    assert_nothing_left(&sandbox);
}

#[test]
fn a_command_behind_a_launcher_is_counted_on_every_rank() {
    if !has(Capability::Mpi) {
        return;
    }
    let sandbox = Sandbox::new();
    let by = launcher(&sandbox, "");
    bench(&sandbox, "cat /dev/null", "--ranks 3 --time 1").args(["--launcher", &by]).assert().code(0);
    assert_whole(&record(&sandbox), 3);
    assert_nothing_left(&sandbox);
}

#[test]
fn a_killed_rank_ends_the_run_and_what_was_measured_stays() {
    if !has(Capability::Mpi) {
        return;
    }
    let sandbox = Sandbox::new();
    // The rank itself is killed from within its command, once some rounds are through.
    let by = launcher(&sandbox, "");
    let kill =
        "[ \"$FATHOM_RANK\" = 1 ] && echo >> rounds && [ $(wc -l < rounds) -gt 25 ] && kill -9 $PPID; :";
    let mut command = bench(&sandbox, kill, "--ranks 2 --shell --time 60");
    command.args(["--launcher", &by]).assert().code(2).stderr(says("-started mpi driver"));
    let record = record(&sandbox);
    assert!(!record.complete && !record.blocks.is_empty());
    assert!(
        matches!(&record.stop, StopReason::Failed(reason) if reason.contains("starting") || reason.contains('9'))
    );
    assert_nothing_left(&sandbox);
}

#[test]
fn a_rank_that_cannot_reach_the_command_is_named() {
    if !has(Capability::Mpi) || !has(Capability::Namespaces) {
        return;
    }
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.file("bin")).unwrap();
    std::os::unix::fs::symlink("/bin/true", sandbox.file("bin/only-here")).unwrap();
    let bin = sandbox.file("bin");
    let hide = format!(
        "if [ $R = 1 ]; then exec unshare -rm sh -c 'mount -t tmpfs none \"$0\" && exec \"$@\"' {} \"$@\"; fi",
        bin.display()
    );
    let by = launcher(&sandbox, &hide);
    let command = bin.join("only-here").display().to_string();
    let named = says("execve failed with ENOENT").and(says("(rank 1 on "));
    bench(&sandbox, &command, "--ranks 2").args(["--launcher", &by]).assert().code(2).stderr(named);
    assert_nothing_left(&sandbox);
}

#[test]
fn a_launcher_that_fails_says_why() {
    if !has(Capability::Mpi) {
        return;
    }
    let sandbox = Sandbox::new();
    let by = |words: &str, why: &str| {
        let mut command = bench(&sandbox, "true", "--ranks 2 --launcher-limit 10");
        command.args(["--launcher", words]).assert().code(2).stderr(says(why));
    };
    by("no-such-launcher -n {ranks}", "failed to start no-such-launcher");
    by("sh -c 'echo no nodes left >&2; exit 7'", "exited with 7 while starting: no nodes left");
    by("sh -c 'sleep 1000'", "did not start the 2 ranks within 10 s (--launcher-limit)");
    by("env", "started a program of 1 rank, where 2 were asked for");
    assert_nothing_left(&sandbox);
}

#[test]
fn without_mpi_a_launcher_has_nothing_to_start() {
    let sandbox = Sandbox::new();
    let why =
        says("--launcher: no mpi driver: no `mpicc` found").and(says("without --launcher Fathom itself"));
    let mut command = bench(&sandbox, "true", "--ranks 2 --launcher mpirun");
    command.env("MPICC", "/no/mpicc").assert().code(2).stderr(why);
}

#[test]
fn ranks_on_one_cpu_and_one_start_of_one_command_are_refused() {
    let sandbox = Sandbox::new();
    bench(&sandbox, "true", "--ranks 2 --pin").assert().code(2).stderr(says("--pin: ranks on one CPU"));
    bench(&sandbox, "true", "--ranks 1")
        .assert()
        .code(2)
        .stderr(says("one command has nothing to be compared"));
}
