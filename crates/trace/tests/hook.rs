//! Traces by the hook: the same events as by ptrace alone, and programs that go on as they would.

#![cfg(target_arch = "x86_64")]
#![expect(clippy::unwrap_used, reason = "functions shared by tests fail as tests do")]
#![expect(clippy::print_stderr, reason = "skips are said")]

#[path = "hook/crowd.rs"]
mod crowd;
#[path = "hook/harm.rs"]
mod harm;
#[path = "hook/served.rs"]
mod served;
#[path = "hook/stacks.rs"]
mod stacks;
#[path = "file_trace/subject.rs"]
mod subject;

use fathom_events::{FileAction, FileEvent};
use fathom_trace::{
    FileTraceOptions, Question, Questions, Repetition, Treatment, hook_availability, is_repeatable,
};
use std::collections::{BTreeMap, BTreeSet};
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
    fewer_stacks: false,
    hook: true,
    repetition: None,
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

/// A program that asks, and what it said: its highest descriptor, and reads by the kernel's count.
struct Asking {
    folder: tempfile::TempDir,
}

impl Asking {
    fn compile() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/again.c");
        let status = Command::new("cc")
            .args(["-O1", "-w", "-o"])
            .arg(folder.path().join("again"))
            .arg(source)
            .status();
        if status.is_err() {
            eprintln!("skipped: no C compiler");
            return None;
        }
        assert!(status.unwrap().success());
        Some(Self { folder })
    }

    fn run(&self, options: &FileTraceOptions<'_>) -> (Seen, i64, i64) {
        let said = self.folder.path().join("said");
        let mut command = Command::new(self.folder.path().join("again"));
        command.arg(self.folder.path()).arg("50").stdin(Stdio::null()).env_remove("LD_LIBRARY_PATH");
        let mut seen = trace(command.stdout(std::fs::File::create(&said).unwrap()), options);
        // What the kernel counts is as long as its numbers.
        seen.events.retain(|event| !matches!(event.action, FileAction::Read { bytes: 1023, .. }));
        assert_eq!(seen.end.status.code(), Some(0), "{:?}", seen.end.hook);
        let said = std::fs::read_to_string(said).unwrap();
        let numbers: Vec<i64> = said.split_whitespace().map(|number| number.parse().unwrap()).collect();
        (seen, numbers[0], numbers[1])
    }
}

/// What all calls of these names ask.
fn questions_of(seen: &Seen, names: &[&str]) -> BTreeSet<Question> {
    let mut questions = Questions::new();
    let asked = seen.events.iter().map(|event| (event, questions.ask(event, &seen.paths)));
    let meant = asked.filter(|(event, _)| names.contains(&event.call) && is_repeatable(event));
    meant.filter_map(|(_, question)| question).collect()
}

#[test]
fn calls_made_again_are_no_events_and_the_kernel_counts_them() {
    let (Some(asking), true) = (Asking::compile(), can_hook()) else { return };
    let (plain, highest, reads) = asking.run(&HOOKED);
    let names = ["newfstatat", "stat", "access", "openat", "fstat", "lseek", "ioctl", "fcntl", "pread64"];
    let questions = questions_of(&plain, &names);
    let mut never = None;
    for times in [0, 1, 3] {
        let again = Repetition::new(questions.clone(), Treatment::Again(times)).unwrap();
        let options = FileTraceOptions { repetition: Some(&again), ..HOOKED };
        let (seen, highest_now, reads_now) = asking.run(&options);
        // All went on as before: the same events, numbers of descriptors, positions, answers.
        assert_same(&seen, &plain);
        assert_eq!(highest_now, highest);
        let tally = seen.end.hook.unwrap();
        assert_eq!((tally.left_open, &tally.refusals), (0, &Vec::new()));
        let preads = tally.treated["pread64"];
        // The first one at a place stops.
        assert!(preads.calls >= 49 && preads.times == preads.calls * u64::from(times), "{preads:?}");
        let counted = u64::try_from(reads_now - reads).unwrap();
        assert_eq!(counted, preads.times, "by the kernel");
        for name in ["access", "openat", "lseek", "ioctl", "fcntl"] {
            let treated = tally.treated[name];
            assert!(
                treated.calls >= 49 && treated.times == treated.calls * u64::from(times),
                "{name}: {treated:?}"
            );
        }
        assert!(tally.treated.values().all(|treated| treated.calls > 0));
        let calls: u64 = tally.treated.values().map(|treated| treated.calls).sum();
        assert_eq!(*never.get_or_insert(calls), calls);
    }
}

#[test]
fn calls_that_are_not_meant_are_not_made_again() {
    let (Some(asking), true) = (Asking::compile(), can_hook()) else { return };
    let (plain, _, reads) = asking.run(&HOOKED);
    let stats = questions_of(&plain, &["newfstatat", "stat"]);
    let missing: BTreeSet<_> = {
        let mut questions = Questions::new();
        let asked = plain.events.iter().map(|event| (event, questions.ask(event, &plain.paths)));
        asked
            .filter(|(event, _)| event.outcome.errno() == Some(libc::ENOENT))
            .filter_map(|(_, asked)| asked)
            .collect()
    };
    let meant: BTreeSet<_> = stats.intersection(&missing).copied().collect();
    let again = Repetition::new(meant, Treatment::Again(2)).unwrap();
    let (seen, _, reads_now) = asking.run(&FileTraceOptions { repetition: Some(&again), ..HOOKED });
    let tally = seen.end.hook.unwrap();
    assert_eq!(reads_now, reads);
    let times: u64 = tally.treated.values().map(|treated| treated.times).sum();
    assert!((98..=100).contains(&times), "50 looks at a missing file: {tally:?}");
}

#[test]
fn calls_are_delayed_by_as_much_as_was_asked_for() {
    let (Some(asking), true) = (Asking::compile(), can_hook()) else { return };
    let (plain, ..) = asking.run(&HOOKED);
    let delay = std::time::Duration::from_millis(2);
    let accesses: BTreeSet<_> = {
        let mut questions = Questions::new();
        let asked = plain.events.iter().map(|event| (event, questions.ask(event, &plain.paths)));
        asked.filter(|(event, _)| event.call == "access").filter_map(|(_, asked)| asked).collect()
    };
    let delayed = Repetition::new(accesses, Treatment::Delayed(delay)).unwrap();
    let (seen, ..) = asking.run(&FileTraceOptions { repetition: Some(&delayed), ..HOOKED });
    assert_same(&seen, &plain);
    let treated = seen.end.hook.unwrap().treated["access"];
    assert!(treated.times >= 49 && treated.took >= delay * 49, "{treated:?}");
}
