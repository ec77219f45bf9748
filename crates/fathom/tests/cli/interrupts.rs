//! Signals in every phase: the exit code, a partial record that can be read,
//! and no file and no process left behind.

use crate::capability::{Capability, has};
use crate::running::{Ended, Running, send};
use crate::sandbox::{Sandbox, says};
use fathom_model::{Record, StopReason};
use predicates::prelude::PredicateBooleanExt;
use rustix::process::Signal;
use std::fs;
use std::time::{Duration, Instant};

/// A time pass that outlasts the test.
const LONG: &str =
    "bench open-close --methods native:open,native:openat --time 300 --precision 0.0001 -o r.json";

/// Asserts what every interrupted run owes, and returns its record.
fn assert_interrupted(sandbox: &Sandbox, ended: &Ended) -> Record {
    assert_eq!(ended.code, Some(130), "{}{}", ended.out, ended.err);
    sandbox.assert_nothing_left();
    let record = sandbox.record("r.json");
    assert!(!record.complete);
    sandbox.fathom("show r.json").assert().code(0).stdout(says("incomplete").or(says("interrupted")));
    assert!(ended.err.contains("record: r.json"), "{}", ended.err);
    record
}

fn forks(record: &Record) -> usize {
    record.experiments.iter().flat_map(|e| &e.comparisons).map(|c| c.forks.len()).sum()
}

#[test]
fn while_drivers_are_built() {
    if !has(Capability::Go) {
        return;
    }
    let sandbox = Sandbox::new();
    let cache = sandbox.file("cache");
    let words = "bench open-close --methods go:os.Open --time 300 -o r.json";
    let mut running = Running::start_with(&sandbox, words, &[("FATHOM_CACHE_DIR", cache.to_str().unwrap())]);
    let drivers = cache.join("drivers");
    let building = |name: &fs::DirEntry| name.file_name().to_string_lossy().starts_with(".building-");
    running.wait_for("a build", |_| fs::read_dir(&drivers).ok()?.flatten().find(building));
    running.signal(Signal::INT);
    let record = assert_interrupted(&sandbox, &running.end());
    assert_eq!(forks(&record), 0);
    assert!(!fs::read_dir(&drivers).unwrap().flatten().any(|entry| building(&entry)));
}

#[test]
fn while_it_is_asked_why_the_times_are_kept() {
    let sandbox = Sandbox::new();
    let words = "bench open-close --methods native:open,native:openat,native:fopen --latencies --time 1 \
                 --precision 50 -o r.json";
    let mut running = Running::start(&sandbox, words);
    running.wait_for("single operations' times", |running| {
        let takes_times = |pid: &u32| {
            // A child that has not become its driver yet still has fathom's own words.
            fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| {
                let has = |wanted: &[u8]| line.split(|&byte| byte == 0).any(|word| word == wanted);
                has(b"--latencies") && !has(b"bench")
            })
        };
        running.descendants().into_iter().find(takes_times)
    });
    running.signal(Signal::INT);
    let record = assert_interrupted(&sandbox, &running.end());
    assert!(forks(&record) > 0, "the times were taken before");
    assert_eq!(record.experiments[0].comparisons[0].stop, StopReason::Interrupted);
}

#[test]
fn an_interrupt_of_the_times_of_an_entry_that_explains_keeps_them() {
    let sandbox = Sandbox::new();
    let words =
        "bench open-close --methods native:open,native:openat --why --time 300 --precision 0.0001 -o r.json";
    let mut running = Running::start(&sandbox, words);
    let first = running.wait_for("a timed driver", Running::timed_driver);
    running.wait_for("another fork", |now| now.timed_driver().filter(|&pid| pid != first));
    running.signal(Signal::INT);
    let record = assert_interrupted(&sandbox, &running.end());
    assert!(forks(&record) > 0);
}

#[test]
fn while_data_is_made() {
    const SIZE: u64 = 512 << 20;
    let sandbox = Sandbox::new();
    let mut running = Running::start(
        &sandbox,
        "bench read-whole --methods native:pread --size 512MiB --time 300 -o r.json",
    );
    // Some of the file is there, and far from all.
    running.wait_for("data", |_| {
        let folder = sandbox.scratch_directories().into_iter().next()?;
        let sizes =
            fs::read_dir(folder).ok()?.flatten().filter_map(|entry| entry.metadata().ok()).map(|m| m.len());
        sizes.max().filter(|size| (1 << 20..SIZE / 2).contains(size))
    });
    running.signal(Signal::INT);
    let record = assert_interrupted(&sandbox, &running.end());
    assert_eq!(record.experiments[0].comparisons.len(), 0);
}

#[test]
fn while_calls_are_counted() {
    if !has(Capability::Strace) {
        // Whoever may not run strace may not trace at all.
        return;
    }
    let sandbox = Sandbox::new();
    // Twenty thousand calls per operation, each of which stops twice.
    let words = "bench read-whole --methods native:pread --size 20000 --block 1 --time 300 -o r.json";
    let mut running = Running::start(&sandbox, words);
    running.wait_for("a traced driver", Running::traced_driver);
    running.signal(Signal::INT);
    let record = assert_interrupted(&sandbox, &running.end());
    let comparison = &record.experiments[0].comparisons[0];
    assert_eq!(
        (comparison.forks.len(), &comparison.stop),
        (0, &StopReason::Interrupted),
        "it was still counting"
    );
    let reason = format!("{:?}", comparison.counts[0]);
    assert!(reason.contains("interrupted"), "{reason}");
}

#[test]
fn while_the_clock_runs() {
    let sandbox = Sandbox::new();
    let mut running = Running::start(&sandbox, LONG);
    let first = running.wait_for("a timed driver", Running::timed_driver);
    // A driver of another fork means that one fork is complete.
    running.wait_for("another fork", |now| now.timed_driver().filter(|&pid| pid != first));
    running.signal(Signal::INT);
    let record = assert_interrupted(&sandbox, &running.end());
    let comparison = &record.experiments[0].comparisons[0];
    assert_eq!(comparison.stop, StopReason::Interrupted);
    assert!(!comparison.forks.is_empty(), "complete forks are kept");
    assert!(comparison.counts.iter().all(|counts| counts.value().is_some()) || !has(Capability::Strace));
}

#[test]
fn while_cold_samples_are_taken() {
    if !has(Capability::Disk) {
        return;
    }
    let sandbox = Sandbox::new();
    let words = "bench read-whole --methods native:pread,native:read --cache cold --size 1MiB --time 300 --precision 0.0001 -o r.json";
    let mut running = Running::start(&sandbox, words);
    let first = running.wait_for("a timed driver", Running::timed_driver);
    running.wait_for("another fork", |now| now.timed_driver().filter(|&pid| pid != first));
    running.signal(Signal::INT);
    let record = assert_interrupted(&sandbox, &running.end());
    assert!(forks(&record) > 0);
}

#[test]
fn sigterm_and_sighup_end_it_in_order_too() {
    for signal in [Signal::TERM, Signal::HUP] {
        let sandbox = Sandbox::new();
        let mut running = Running::start(&sandbox, LONG);
        running.wait_for("a timed driver", Running::timed_driver);
        running.signal(signal);
        assert_interrupted(&sandbox, &running.end());
    }
}

#[test]
fn between_two_experiments_the_first_is_kept() {
    let sandbox = Sandbox::new();
    let words = "bench open-close open-read-close --methods native:* --time 1 --precision 90 -o r.json";
    let mut running = Running::start(&sandbox, words);
    running.wait_for("the second experiment", |now| {
        let command = fs::read_to_string(format!("/proc/{}/cmdline", now.timed_driver()?)).ok()?;
        command.contains("open-read-close").then_some(())
    });
    running.signal(Signal::INT);
    let record = assert_interrupted(&sandbox, &running.end());
    assert!(!record.experiments[0].comparisons[0].forks.is_empty());
    assert_ne!(record.experiments[0].comparisons[0].stop, StopReason::Interrupted);
}

#[test]
fn a_killed_driver_is_named_with_its_signal() {
    let sandbox = Sandbox::new();
    let mut running = Running::start(&sandbox, LONG);
    let first = running.wait_for("a timed driver", Running::timed_driver);
    let driver = running.wait_for("another fork", |now| now.timed_driver().filter(|&pid| pid != first));
    send(driver, Signal::KILL);
    let ended = running.end();
    assert_eq!(ended.code, Some(2), "{}{}", ended.out, ended.err);
    sandbox.assert_nothing_left();
    let record = sandbox.record("r.json");
    assert!(!record.complete);
    let comparison = &record.experiments[0].comparisons[0];
    let StopReason::Failed(reason) = &comparison.stop else { panic!("{:?}", comparison.stop) };
    let words = format!("the native driver (pid {driver}) was killed by SIGKILL");
    assert!(reason.contains(&words), "{reason}");
    assert!(!comparison.forks.is_empty(), "complete forks are kept");
    assert!(ended.out.contains("SIGKILL"), "{}", ended.out);
    sandbox.fathom("show r.json").assert().code(0).stdout(says("SIGKILL"));
}

#[test]
fn after_a_killed_fathom_drivers_go_and_the_next_run_clears_up() {
    let sandbox = Sandbox::new();
    let mut running = Running::start(&sandbox, LONG);
    running.wait_for("a timed driver", Running::timed_driver);
    running.signal(Signal::KILL);
    assert_eq!(running.end().signal, Some(9));
    let begun = Instant::now();
    while !sandbox.processes().is_empty() {
        assert!(
            begun.elapsed() < Duration::from_mins(1),
            "drivers outlive fathom: {:?}",
            sandbox.processes()
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    let left = sandbox.scratch_directories();
    assert!(!left.is_empty(), "a killed process cannot clear up");
    assert!(!sandbox.file("r.json").exists());
    let next = sandbox
        .fathom("bench open-close --methods native:open --time 0.05 --full -o r.json")
        .assert()
        .code(0);
    let said = String::from_utf8_lossy(&next.get_output().stdout).replace('\n', " ");
    assert!(said.contains("left by process"), "{said}");
    let record = sandbox.record("r.json");
    let told = record.warnings.iter().filter(|warning| warning.code == "left-over");
    assert_eq!(told.count(), left.len(), "{:?}", record.warnings);
    sandbox.assert_nothing_left();
}
