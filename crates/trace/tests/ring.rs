//! The ring: the same events as ptrace gives, in the same order, none lost, and programs
//! that go on as they would.
#![expect(clippy::disallowed_methods, reason = "a test may panic where no thread can be made")]
#![expect(clippy::unwrap_used, reason = "functions shared by tests fail as tests do")]
#![expect(clippy::print_stderr, reason = "skips are said")]

#[path = "ring/attached.rs"]
mod attached;
#[path = "ring/by_ring.rs"]
mod by_ring;
#[path = "ring/counts.rs"]
mod counts;
#[path = "ring/durations.rs"]
mod durations;
#[path = "ring/requests.rs"]
mod requests;
#[path = "ring/stacks.rs"]
mod stacks;
#[path = "file_trace/strace_text.rs"]
mod strace_text;
#[path = "file_trace/subject.rs"]
mod subject;

use by_ring::{of_files, rows, trace_by_ring};
use fathom_events::{CallOutcome, FileAction};
use fathom_trace::{FileTraceOptions, RingOptions, Unseen};
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use strace_text::{assert_same, by_thread, renumbered, strace};
use subject::{Subject, YOUNG_ACTIONS, actions_on_attributes, can_strace, sentence, trace, whole_lives};

const PLAIN: RingOptions<'static> = RingOptions { time_limit: None, signal: None, stop: None };

#[test]
fn calls_are_those_that_strace_tells_in_the_same_order() {
    let (Some(subject), true) = (Subject::compile(), can_strace()) else { return };
    let Some(seen) = trace_by_ring(&mut subject.command("calls"), &PLAIN) else { return };
    let theirs = renumbered(strace(&mut subject.command("calls")));
    assert!(theirs.len() > 80, "{}", theirs.len());
    assert_same(&renumbered(rows(&seen)), &theirs);
    assert_eq!(seen.end.unseen, []);
}

#[test]
fn young_calls_are_seen_with_what_they_name() {
    let Some(subject) = Subject::compile() else { return };
    let Some(seen) = trace_by_ring(&mut subject.command("young-calls"), &PLAIN) else { return };
    assert_eq!(actions_on_attributes(&seen), YOUNG_ACTIONS);
}

#[test]
fn arguments_and_results_are_those_that_ptrace_tells() {
    let Some(subject) = Subject::compile() else { return };
    let Some(ours) = trace_by_ring(&mut subject.command("calls"), &PLAIN) else { return };
    let theirs = trace(&mut subject.command("calls"), &FileTraceOptions::default());
    let ours: Vec<_> = ours.events.iter().map(|event| sentence(event, &ours.paths)).collect();
    let theirs: Vec<_> = theirs.events.iter().map(|event| sentence(event, &theirs.paths)).collect();
    let differing: Vec<_> = ours.iter().zip(&theirs).filter(|(ours, theirs)| ours != theirs).collect();
    assert!(
        differing.is_empty() && ours.len() == theirs.len() && ours.len() > 80,
        "{} {} {differing:#?}",
        ours.len(),
        theirs.len()
    );
}

#[test]
fn every_thread_and_process_makes_the_calls_that_ptrace_tells_of_it() {
    let Some(subject) = Subject::compile() else { return };
    let Some(ours) = trace_by_ring(&mut subject.command("threads"), &PLAIN) else { return };
    let ours = by_thread(of_files(rows(&ours)));
    let theirs = trace(&mut subject.command("threads"), &FileTraceOptions::default());
    let theirs = by_thread(of_files(rows(&theirs)));
    assert_eq!((ours.len(), theirs.len()), (4, 4));
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_same(ours, theirs);
    }
    let script = "(cd / && ls > /dev/null); cat /etc/passwd > /dev/null; \
                  (read line < /etc/passwd; exit 3) || exec sh -c ':'";
    let command = || {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]).env_remove("LD_LIBRARY_PATH").stdin(Stdio::null());
        command
    };
    let ours = by_thread(rows(&trace_by_ring(&mut command(), &PLAIN).unwrap()));
    let theirs = by_thread(rows(&trace(&mut command(), &FileTraceOptions::default())));
    assert_eq!((ours.len(), theirs.len()), (4, 4), "the shell, two it runs and one subshell");
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_same(ours, theirs);
    }
}

#[test]
fn chains_of_processes_are_followed_and_begin_before_they_call() {
    let script =
        "cat /etc/passwd | tr a b | wc -l > /dev/null; (cd / && ls > /dev/null); exec sh -c 'exit 7'";
    let Some(seen) = trace_by_ring(Command::new("sh").args(["-c", script]), &PLAIN) else { return };
    assert_eq!(seen.end.status.code(), Some(7));
    assert_eq!(seen.end.unseen, []);
    let executed = whole_lives(&seen);
    assert_eq!(executed, ["cat", "ls", "sh", "sh", "tr", "wc"]);
    assert!(seen.events.is_sorted_by_key(|event| event.at_ns));
}

#[test]
fn two_hundred_threads_are_followed() {
    let Some(subject) = Subject::compile() else { return };
    let Some(seen) = trace_by_ring(&mut subject.command("many-threads"), &PLAIN) else { return };
    assert_eq!(seen.end.status.code(), Some(0));
    let mut opens: BTreeMap<u32, u32> = BTreeMap::new();
    for event in &seen.events {
        if matches!(event.action, FileAction::Open { .. }) && event.thread != event.process {
            *opens.entry(event.thread).or_default() += 1;
        }
    }
    assert_eq!(opens.len(), 200);
    assert!(opens.values().all(|count| *count == 5), "{opens:?}");
    let made = FileAction::Fork { is_thread: true, shares_descriptors: true, shares_directory: true };
    assert_eq!(seen.events.iter().filter(|event| event.action == made).count(), 200);
    assert_eq!(seen.end.processes, 1);
}

#[test]
fn an_exec_by_a_thread_goes_on_as_the_process() {
    let Some(subject) = Subject::compile() else { return };
    let Some(seen) = trace_by_ring(&mut subject.command("exec-of-thread"), &PLAIN) else { return };
    assert_eq!(seen.end.status.code(), Some(6));
    let executed: Vec<_> =
        seen.events.iter().filter(|event| matches!(event.action, FileAction::Execute { .. })).collect();
    assert_eq!(executed.len(), 2);
    assert_eq!(executed[1].thread, executed[1].process);
    let after = seen.events.iter().skip_while(|event| event.at_ns <= executed[1].at_ns);
    assert!(after.clone().count() > 5);
    assert!(after.clone().all(|event| event.process == executed[0].process));
    let wholes =
        seen.events.iter().filter(|event| matches!(event.action, FileAction::Exit { whole: true, .. }));
    assert_eq!(
        wholes.map(|event| event.action.clone()).collect::<Vec<_>>(),
        [FileAction::Exit { code: Some(6), whole: true }]
    );
}

#[test]
fn ends_are_the_programs_own() {
    let end = |script: &str| Some(trace_by_ring(Command::new("sh").args(["-c", script]), &PLAIN)?.end);
    let Some(ended) = end("exit 42") else { return };
    assert_eq!(ended.status.code(), Some(42));
    assert_eq!(end("kill -TERM $$").unwrap().status.signal(), Some(libc::SIGTERM));
    let capture = fathom_trace::RingCapture::prepare(fathom_trace::RingWants::default()).unwrap();
    let error = capture.trace_files(&mut Command::new("/no/such/program"), &PLAIN, &mut |_, _| ());
    assert!(error.unwrap_err().to_string().contains("/no/such/program"));
    let Some(subject) = Subject::compile() else { return };
    for (mode, code) in [("stopped", 3), ("interrupted", 0), ("own-filter", 0), ("killed", 0)] {
        let seen = trace_by_ring(&mut subject.command(mode), &PLAIN).unwrap();
        assert_eq!(seen.end.status.code(), Some(code), "{mode}");
        assert_eq!(seen.end.unseen, [], "{mode}");
    }
}

#[test]
fn what_a_signal_breaks_off_and_what_never_returns_are_told_apart() {
    let Some(subject) = Subject::compile() else { return };
    let Some(seen) = trace_by_ring(&mut subject.command("interrupted"), &PLAIN) else { return };
    let broken_off = seen
        .events
        .iter()
        .find(|event| fathom_trace::name_of_errno(event.outcome.errno().unwrap_or(0)) == "ERESTARTSYS");
    assert_eq!(broken_off.unwrap().call, "read");
    let seen = trace_by_ring(&mut subject.command("killed"), &PLAIN).unwrap();
    let child = seen.events.iter().find(|event| event.outcome == CallOutcome::Unfinished).unwrap();
    assert!(matches!(child.action, FileAction::Read { bytes: 1, .. }), "{child:?}");
    let end = seen.events.iter().find(|event| event.process == child.process && event.call == "exit_group");
    assert_eq!(end.unwrap().action, FileAction::Exit { code: None, whole: true });
}

#[test]
fn a_signal_that_is_asked_for_reaches_the_program_and_a_limit_kills_it() {
    let Some(subject) = Subject::compile() else { return };
    let signal = AtomicUsize::new(usize::try_from(libc::SIGTERM).unwrap());
    let options = RingOptions { signal: Some(&signal), ..PLAIN };
    let Some(seen) = trace_by_ring(&mut subject.command("wait"), &options) else { return };
    assert_eq!(seen.end.status.signal(), Some(libc::SIGTERM));
    assert_eq!(seen.end.cut, Some(fathom_model::Cut::Interrupted("SIGTERM".to_owned())));
    assert_eq!(signal.load(Ordering::SeqCst), 0);
    let options = RingOptions { time_limit: Some(Duration::from_millis(200)), ..PLAIN };
    let end = trace_by_ring(Command::new("sh").args(["-c", "sleep 60 & sleep 60"]), &options).unwrap().end;
    assert_eq!(
        (end.status.signal(), end.cut),
        (Some(libc::SIGKILL), Some(fathom_model::Cut::TimeLimit(0.2)))
    );
}

#[test]
fn two_hundred_thousand_opens_are_two_hundred_thousand_events() {
    let Some(subject) = Subject::compile() else { return };
    let mut command = subject.command("opens");
    command.arg("200000");
    let (mut opens, mut closes) = (0, 0);
    let Some(capture) = by_ring::capture(false) else { return };
    let mut sink = |event: fathom_events::FileEvent, paths: &fathom_events::PathTable| match event.action {
        FileAction::Open { target: fathom_events::Target::Path { path, .. }, .. }
            if paths.path(path).to_string_lossy().ends_with("/counted") =>
        {
            opens += 1;
        }
        FileAction::Close { .. } => closes += 1,
        _ => {}
    };
    let end = capture.trace_files(&mut command, &PLAIN, &mut sink).unwrap();
    assert_eq!(end.unseen, []);
    assert_eq!(opens, 200_000);
    assert!(closes >= 200_000);
}

#[test]
fn a_path_in_a_page_that_was_never_touched_is_read() {
    let Some(subject) = Subject::compile() else { return };
    let Some(seen) = trace_by_ring(&mut subject.command("cold-page"), &PLAIN) else { return };
    assert_eq!(seen.end.status.code(), Some(0));
    let cold = seen.events.iter().filter(|event| seen.path(event) == "/etc/hostname-in-a-cold-page");
    assert_eq!(cold.count(), 3);
}

#[test]
fn calls_of_another_form_are_counted() {
    let Some(subject) = Subject::compile() else { return };
    if subject.command("other-form").status().unwrap().code() != Some(0) {
        eprintln!("skipped: other forms are impossible here");
        return;
    }
    let Some(seen) = trace_by_ring(&mut subject.command("other-form"), &PLAIN) else { return };
    assert!(
        matches!(seen.end.unseen.as_slice(), [Unseen::ForeignCalls { calls: 1, .. }]),
        "{:?}",
        seen.end.unseen
    );
}
