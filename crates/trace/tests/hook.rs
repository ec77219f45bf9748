//! Traces by the hook: the same events as by ptrace alone, and programs that go on as they would.

#![cfg(target_arch = "x86_64")]
#![expect(clippy::unwrap_used, reason = "functions shared by tests fail as tests do")]
#![expect(clippy::print_stderr, reason = "skips are said")]

#[path = "file_trace/subject.rs"]
mod subject;

use fathom_events::{FileAction, FileEvent};
use fathom_trace::{FileTraceOptions, hook_availability};
use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use subject::{Seen, Subject, sentence, trace};

const HOOKED: FileTraceOptions<'static> = FileTraceOptions {
    time_limit: None,
    signal: None,
    stop: None,
    at_exec: None,
    every_call: false,
    unbound: false,
    stacks: false,
    hook: true,
};

fn can_hook() -> bool {
    if let Err(reason) = hook_availability() {
        // What was missing is the machine's; code that cannot be made is ours.
        assert!(reason.contains("FSGSBASE") || reason.contains("in force"), "{reason}");
        eprintln!("skipped: {reason}");
        return false;
    }
    true
}

/// What each thread did, threads in the order of their first events.
fn by_thread(seen: &Seen) -> Vec<Vec<String>> {
    let mut order = BTreeMap::new();
    let mut threads: Vec<Vec<String>> = Vec::new();
    for event in &seen.events {
        let next = threads.len();
        let index = *order.entry(event.thread).or_insert(next);
        if index == next {
            threads.push(Vec::new());
        }
        let mut said = sentence(event, &seen.paths);
        if matches!(event.action, FileAction::Fork { .. }) {
            // Numbers of processes are others in every run.
            said.truncate(said.find("Value(").unwrap_or(said.len()));
        }
        threads[index].push(said);
    }
    threads
}

fn assert_same(ours: &Seen, theirs: &Seen) {
    let (ours, theirs) = (by_thread(ours), by_thread(theirs));
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.iter().zip(&theirs) {
        for (ours, theirs) in ours.iter().zip(theirs) {
            assert_eq!(ours, theirs);
        }
        assert_eq!(ours.len(), theirs.len());
    }
}

fn shell(script: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]).stdin(Stdio::null()).env_remove("LD_LIBRARY_PATH");
    command
}

/// Runs a command by ptrace and by the hook; returns what both saw, and how many calls were hooked.
fn both(mut command: impl FnMut() -> Command) -> (Seen, Seen, u64) {
    let stopped = trace(&mut command(), &FileTraceOptions::default());
    let hooked = trace(&mut command(), &HOOKED);
    assert_eq!(hooked.end.status, stopped.end.status);
    assert_eq!(hooked.end.unseen, stopped.end.unseen);
    let tally = hooked.end.hook.clone().unwrap();
    eprintln!("{tally:?}");
    assert_eq!(tally.refusals, Vec::<String>::new());
    (stopped, hooked, tally.hooked)
}

#[test]
fn every_kind_of_call_is_the_same_event() {
    let (Some(subject), true) = (Subject::compile(), can_hook()) else { return };
    let (stopped, seen, hooked) = both(|| subject.command("calls-again"));
    assert_eq!(seen.end.status.code(), Some(0));
    assert_same(&seen, &stopped);
    assert!(hooked > 300, "{hooked}");
}

#[test]
fn processes_that_come_of_hooked_ones_are_told_as_they_are() {
    if !can_hook() {
        return;
    }
    let script = "cd /; for name in 1 2 3 4 5 6 7 8 9; do read line < /etc/passwd; done; (cd / && ls > /dev/null); \
                  cat /etc/passwd > /dev/null; (for name in 1 2 3 4 5 6 7; do read line < /etc/passwd; done; exit 3) || exec sh -c 'exit 4'";
    let (stopped, seen, hooked) = both(|| shell(script));
    assert_eq!(seen.end.status.code(), Some(4));
    assert_same(&seen, &stopped);
    assert!(hooked > 20, "{hooked}");
    assert!(seen.events.is_sorted_by_key(|event| event.at_ns));
}

#[test]
fn signals_find_the_program_in_its_own_code_and_lose_no_call() {
    let (Some(subject), true) = (Subject::compile(), can_hook()) else { return };
    let seen = trace(&mut subject.command("alarmed"), &HOOKED);
    assert_eq!(seen.end.status.code(), Some(0), "{:?}", seen.end.hook);
    let process = seen.events[0].process;
    let made = |name: &str| {
        seen.events.iter().filter(|event| event.call == name && event.process == process).count()
    };
    let written = std::fs::metadata(subject.path("count")).unwrap().len();
    assert_eq!(made("write") as u64, written);
    let missing = seen.events.iter().filter(|event| event.outcome.errno() == Some(libc::ENOENT)).count();
    assert!(missing as u64 >= written, "{missing} of {written}");
    let again = |event: &&FileEvent| event.call == "read" && event.outcome.errno() == Some(512);
    assert!(seen.events.iter().any(|event| again(&event)), "a read that was broken off");
    assert!(seen.end.hook.unwrap().hooked > written);
}

#[test]
fn what_is_special_goes_the_slow_way_and_right() {
    let (Some(subject), true) = (Subject::compile(), can_hook()) else { return };
    for mode in ["own-gs", "own-filter", "killed", "stopped", "interrupted", "exec-of-thread", "late-threads"]
    {
        let alone = subject.command(mode).status().unwrap();
        let seen = trace(&mut subject.command(mode), &HOOKED);
        assert_eq!(seen.end.status, alone, "{mode}: {:?}", seen.end.hook);
    }
}

#[test]
fn threads_that_are_made_after_the_patch_have_blocks_of_their_own() {
    let (Some(subject), true) = (Subject::compile(), can_hook()) else { return };
    let seen = trace(&mut subject.command("opens-of-threads"), &HOOKED);
    assert_eq!(seen.end.status.code(), Some(0));
    let mut opens: BTreeMap<u32, u32> = BTreeMap::new();
    for event in seen.events.iter().filter(|event| event.call == "openat" && seen.path(event) == "/") {
        *opens.entry(event.thread).or_default() += 1;
    }
    assert_eq!(opens.len(), 201, "{:?}", seen.end.hook);
    let mut counts: Vec<_> = opens.into_values().collect();
    counts.sort_unstable();
    assert_eq!((counts[0], counts[199], counts[200]), (20, 20, 100));
}
