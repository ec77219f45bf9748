//! What is done at calls changes from window to window of a thread's calls, as a table says it, and each window has
//! as many calls as it should.

#![cfg(target_arch = "x86_64")]
#![expect(clippy::unwrap_used, reason = "functions shared by tests fail as tests do")]
#![expect(clippy::print_stderr, reason = "skips are said")]

use fathom_events::FileEvent;
use fathom_trace::{
    Elision, FileTraceOptions, HookTally, Question, Questions, Repetition, Treatment, Window, Windows,
    hook_availability, trace_files,
};
use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};

const TURNS: u64 = 2000;
const CALLS: u32 = 100;

/// Its calls with their ends, what the hook counted, how many reads the kernel did, and what was asked.
struct Run {
    calls: Vec<String>,
    hook: HookTally,
    reads: u64,
    asked: BTreeSet<Question>,
}

fn compiled() -> Option<tempfile::TempDir> {
    if let Err(reason) = hook_availability() {
        assert!(reason.contains("FSGSBASE") || reason.contains("in force"), "{reason}");
        eprintln!("skipped: {reason}");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/windows/loops.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-O1", "-w", "-pthread", "-o"]).arg(folder.path().join("loops")).arg(source);
    let Ok(status) = compiler.status() else {
        eprintln!("skipped: no C compiler");
        return None;
    };
    assert!(status.success());
    fs::write(folder.path().join("one"), "0123456789").unwrap();
    Some(folder)
}

/// Calls of one name are meant.
fn run(
    folder: &tempfile::TempDir,
    words: &[&str],
    name: &str,
    repetition: Option<&Repetition>,
    hook: bool,
) -> Run {
    let mut command = Command::new(folder.path().join("loops"));
    command.arg(folder.path()).args(words).stdin(Stdio::null()).env_remove("LD_LIBRARY_PATH");
    command.stdout(fs::File::create(folder.path().join("printed")).unwrap());
    let options = FileTraceOptions { hook, repetition, ..FileTraceOptions::default() };
    let (mut questions, mut asked, mut calls) = (Questions::new(), BTreeSet::new(), Vec::new());
    let end = trace_files(&mut command, &options, &mut |event: FileEvent, paths| {
        let question = questions.ask(&event, paths).filter(|_| event.call == name);
        asked.extend(question.filter(|_| event.outcome.value().is_some()));
        calls.push(format!("{} {:?}", event.call, event.outcome.errno()));
    })
    .unwrap();
    assert_eq!(end.status.code(), Some(0), "{:?}", end.hook);
    let printed = fs::read_to_string(folder.path().join("printed")).unwrap();
    Run { calls, hook: end.hook.unwrap_or_default(), reads: printed.trim().parse().unwrap(), asked }
}

fn pairs() -> Vec<[u32; 2]> {
    vec![[0, 1], [1, 0], [0, 0], [3, 0], [0, 3]]
}

fn in_windows(plain: &Run, treatment: Treatment) -> Repetition {
    let repetition = Repetition::new(plain.asked.clone(), treatment).unwrap();
    repetition.in_windows(Windows { calls: CALLS, pairs: pairs() })
}

/// Each has its calls and its amount, and they follow each other.
fn look_at_windows(windows: &[Window], times: impl Fn(u32) -> u32) {
    let table: Vec<_> = pairs().into_iter().flatten().collect();
    for (number, window) in windows.iter().enumerate() {
        assert_eq!(window.number, number as u64);
        assert_eq!(window.amount, table[number % table.len()], "{window:?}");
        assert_eq!(window.calls, u64::from(CALLS), "{window:?}");
        assert_eq!(window.times, u64::from(CALLS * times(window.amount)), "{window:?}");
        assert!(window.cpu_ns.is_some_and(|cpu| cpu > 0) && window.wall_ns > 0, "{window:?}");
    }
    // The first calls stop, and one more between two windows.
    assert!((windows.len() as u64 + 2) * (u64::from(CALLS) + 1) >= TURNS, "{}", windows.len());
}

#[test]
fn each_window_has_its_calls_made_again_as_the_table_says() {
    let Some(folder) = compiled() else { return };
    let words = [TURNS.to_string()];
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let stops = run(&folder, &words, "pread64", None, false);
    let repetition = in_windows(&stops, Treatment::Again(1));
    let toggled = run(&folder, &words, "pread64", Some(&repetition), true);
    assert_eq!(toggled.calls, stops.calls);
    look_at_windows(&toggled.hook.windows, |amount| amount);
    let made: u64 = toggled.hook.windows.iter().map(|window| window.times).sum();
    let treated = toggled.hook.treated["pread64"];
    assert!(treated.times >= made && treated.times <= made + 3 * u64::from(CALLS), "{treated:?} {made}");
    // The kernel counts them all.
    assert_eq!(toggled.reads, stops.reads + treated.times);
    assert!(toggled.hook.windows.iter().all(|window| window.all_calls >= 2 * u64::from(CALLS) - 1));
}

#[test]
fn each_window_has_its_answers_given_as_the_table_says() {
    let Some(folder) = compiled() else { return };
    let words = [TURNS.to_string()];
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let name = if cfg!(target_env = "musl") { "stat" } else { "newfstatat" };
    let stops = run(&folder, &words, name, None, false);
    let repetition = in_windows(&stops, Treatment::Elided(Elision::Made));
    let toggled = run(&folder, &words, name, Some(&repetition), true);
    assert_eq!(toggled.calls, stops.calls);
    look_at_windows(&toggled.hook.windows, |amount| amount.min(1));
}

#[test]
fn threads_have_windows_of_their_own() {
    let Some(folder) = compiled() else { return };
    // What their descriptors were opened as is not known where the first opens stop.
    let name = if cfg!(target_env = "musl") { "stat" } else { "newfstatat" };
    let turns = TURNS.to_string();
    let words = [turns.as_str(), "threads"];
    let stops = run(&folder, &words, name, None, false);
    let repetition = in_windows(&stops, Treatment::Again(1));
    let toggled = run(&folder, &words, name, Some(&repetition), true);
    let windows = &toggled.hook.windows;
    let threads: BTreeSet<_> = windows.iter().map(|window| window.thread).collect();
    assert_eq!(threads.len(), 2);
    for thread in threads {
        let own: Vec<_> = windows.iter().filter(|window| window.thread == thread).copied().collect();
        look_at_windows(&own, |amount| amount);
    }
}
