//! Traces of file calls: the same calls as strace tells, and programs that go on as
//! they would without a tracer.

#![expect(clippy::unwrap_used, reason = "functions shared by tests fail as tests do")]
#![expect(clippy::print_stderr, reason = "skips are said")]

#[path = "file_trace/strace_text.rs"]
mod strace_text;
#[path = "file_trace/subject.rs"]
mod subject;

use fathom_events::{CallOutcome, FileAction, PathTable};
use fathom_trace::{FileTraceOptions, StraceLog, Unseen, trace_files};
use std::collections::BTreeMap;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use strace_text::{Row, assert_same, by_thread, renumbered, strace, strace_log};
use subject::{
    Seen, Subject, YOUNG_ACTIONS, actions_on_attributes, can_strace, sentence, trace, whole_lives,
};

const EXPECT_REFUSAL: &str = "FATHOM_TEST_EXPECT_REFUSED_FILTER";
const EVERY_CALL: FileTraceOptions<'static> = FileTraceOptions {
    time_limit: None,
    signal: None,
    stop: None,
    at_exec: None,
    every_call: true,
    unbound: false,
    stacks: false,
    fewer_stacks: false,
    hook: false,
    repetition: None,
};

#[test]
fn calls_are_those_that_strace_tells_in_the_same_order() {
    let (Some(subject), true) = (Subject::compile(), can_strace()) else { return };
    let theirs = renumbered(strace(&mut subject.command("calls")));
    assert!(theirs.len() > 100, "{}", theirs.len());
    let filtered = trace(&mut subject.command("calls"), &FileTraceOptions::default());
    assert_same(&renumbered(rows(&filtered)), &theirs);
    assert_eq!(filtered.end.unseen, []);
    let unfiltered = trace(&mut subject.command("calls"), &EVERY_CALL);
    assert_same(&renumbered(rows(&unfiltered)), &theirs);
}

#[test]
fn arguments_and_results_are_those_of_the_program() {
    let Some(subject) = Subject::compile() else { return };
    let seen = trace(&mut subject.command("calls"), &FileTraceOptions::default());
    let said: Vec<_> = seen.events.iter().map(|event| sentence(event, &seen.paths)).collect();
    let mut rest = said.iter();
    for expected in include_str!("file_trace/calls.expected").lines() {
        assert!(rest.any(|sentence| sentence == expected), "{expected}\nis not, or not there, in {said:#?}");
    }
}

#[test]
fn young_calls_are_seen_with_what_they_name() {
    let Some(subject) = Subject::compile() else { return };
    let seen = trace(&mut subject.command("young-calls"), &FileTraceOptions::default());
    assert_eq!(actions_on_attributes(&seen), YOUNG_ACTIONS);
}

#[test]
fn a_log_of_straces_reads_as_the_same_events() {
    let (Some(subject), true) = (Subject::compile(), can_strace()) else { return };
    let text = strace_log(&mut subject.command("calls"), &["-v"]);
    let (mut log, mut paths) = (StraceLog::new(text.as_bytes()), PathTable::new());
    let mut theirs = Vec::new();
    while let Some(event) = log.next_event(&mut paths).unwrap() {
        theirs.push(sentence(&event, &paths));
    }
    let seen = trace(&mut subject.command("calls"), &FileTraceOptions::default());
    let ours: Vec<_> = seen.events.iter().map(|event| sentence(event, &seen.paths)).collect();
    assert!(ours.len() > 100, "{}", ours.len());
    let differing: Vec<_> = ours.iter().zip(&theirs).filter(|(ours, theirs)| ours != theirs).collect();
    assert!(
        differing.is_empty() && ours.len() == theirs.len(),
        "{} {} {differing:#?}",
        ours.len(),
        theirs.len()
    );
}

#[test]
fn every_thread_makes_the_calls_that_strace_tells_of_it() {
    let (Some(subject), true) = (Subject::compile(), can_strace()) else { return };
    // Memory is not the same from run to run: the C library's arenas depend on who comes first.
    let of_files = |rows: Vec<Row>| {
        let files = rows.into_iter().filter(|row| matches!(row.call.as_str(), "openat" | "read" | "close"));
        files.map(Row::without_descriptor).collect()
    };
    let theirs = by_thread(of_files(strace(&mut subject.command("threads"))));
    let ours = trace(&mut subject.command("threads"), &FileTraceOptions::default());
    let ours = by_thread(of_files(rows(&ours)));
    assert_eq!((ours.len(), theirs.len()), (4, 4));
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_same(ours, theirs);
    }
}

#[test]
fn every_process_makes_the_calls_that_strace_tells_of_it() {
    if !can_strace() {
        return;
    }
    let script = "(cd / && ls > /dev/null); cat /etc/passwd > /dev/null; (read line < /etc/passwd; exit 3) || exec sh -c ':'";
    let command = || {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]).env_remove("LD_LIBRARY_PATH").stdin(Stdio::null());
        command
    };
    let theirs = by_thread(strace(&mut command()));
    let ours = by_thread(rows(&trace(&mut command(), &FileTraceOptions::default())));
    assert_eq!((ours.len(), theirs.len()), (4, 4), "the shell, two it runs and one subshell");
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_same(ours, theirs);
    }
}

#[test]
fn chains_of_processes_are_followed_and_begin_before_they_call() {
    let script =
        "cat /etc/passwd | tr a b | wc -l > /dev/null; (cd / && ls > /dev/null); exec sh -c 'exit 7'";
    for options in [FileTraceOptions::default(), EVERY_CALL] {
        let seen = trace(Command::new("sh").args(["-c", script]), &options);
        assert_eq!(seen.end.status.code(), Some(7));
        assert_eq!(seen.end.unseen, []);
        let executed = whole_lives(&seen);
        assert_eq!(executed, ["cat", "ls", "sh", "sh", "tr", "wc"]);
        assert!(seen.events.is_sorted_by_key(|event| event.at_ns));
    }
}

#[test]
fn two_hundred_threads_are_followed() {
    let Some(subject) = Subject::compile() else { return };
    let seen = trace(&mut subject.command("many-threads"), &FileTraceOptions::default());
    assert_eq!(seen.end.status.code(), Some(0));
    let mut opens: BTreeMap<u32, u32> = BTreeMap::new();
    for event in &seen.events {
        if matches!(event.action, FileAction::Open { .. }) && event.thread != event.process {
            *opens.entry(event.thread).or_default() += 1;
        }
    }
    assert_eq!(opens.len(), 200);
    assert!(opens.values().all(|count| *count == 5), "{opens:?}");
    let made = |action: &FileAction| {
        matches!(
            action,
            FileAction::Fork { is_thread: true, shares_descriptors: true, shares_directory: true }
        )
    };
    assert_eq!(seen.events.iter().filter(|event| made(&event.action)).count(), 200);
    assert_eq!(seen.end.processes, 1);
}

#[test]
fn an_exec_by_a_thread_goes_on_as_the_process() {
    let Some(subject) = Subject::compile() else { return };
    for options in [FileTraceOptions::default(), EVERY_CALL] {
        let seen = trace(&mut subject.command("exec-of-thread"), &options);
        assert_eq!(seen.end.status.code(), Some(6));
        let executed: Vec<_> =
            seen.events.iter().filter(|event| matches!(event.action, FileAction::Execute { .. })).collect();
        assert_eq!(executed.len(), 2);
        assert_eq!(executed[1].thread, executed[1].process);
        let after = seen.events.iter().skip_while(|event| event.at_ns <= executed[1].at_ns);
        assert!(after.clone().count() > 5);
        assert!(after.clone().all(|event| event.process == executed[0].process));
    }
}

#[test]
fn a_program_with_a_filter_of_its_own_keeps_it() {
    let Some(subject) = Subject::compile() else { return };
    let seen = trace(&mut subject.command("own-filter"), &FileTraceOptions::default());
    assert_eq!(seen.end.status.code(), Some(0));
    assert!(matches!(seen.end.unseen.as_slice(), [Unseen::OwnFilter { .. }]), "{:?}", seen.end.unseen);
    let last_open = seen.events.iter().rev().find(|event| matches!(event.action, FileAction::Open { .. }));
    assert_eq!(seen.path(last_open.unwrap()), "/", "opened behind its filter");
    assert_eq!(trace(&mut subject.command("own-filter"), &EVERY_CALL).end.unseen, []);
}

#[test]
fn a_call_that_never_returns_was_still_made() {
    let Some(subject) = Subject::compile() else { return };
    let seen = trace(&mut subject.command("killed"), &FileTraceOptions::default());
    assert_eq!(seen.end.status.code(), Some(0), "the program saw its child killed by SIGKILL");
    let child = seen.events.iter().find(|event| event.outcome == CallOutcome::Unfinished).unwrap();
    assert!(matches!(child.action, FileAction::Read { bytes: 1, .. }), "{child:?}");
    let end = seen.events.iter().find(|event| event.process == child.process && event.call == "exit_group");
    assert_eq!(end.unwrap().action, FileAction::Exit { code: None, whole: true });
}

#[test]
fn a_stopped_program_goes_on_when_it_is_continued() {
    let Some(subject) = Subject::compile() else { return };
    for options in [FileTraceOptions::default(), EVERY_CALL] {
        assert_eq!(trace(&mut subject.command("stopped"), &options).end.status.code(), Some(3));
    }
}

#[test]
fn a_signal_breaks_a_call_off_as_it_would() {
    let Some(subject) = Subject::compile() else { return };
    let seen = trace(&mut subject.command("interrupted"), &FileTraceOptions::default());
    assert_eq!(seen.end.status.code(), Some(0), "the program saw EINTR once");
    let broken_off = seen
        .events
        .iter()
        .find(|event| fathom_trace::name_of_errno(event.outcome.errno().unwrap_or(0)) == "ERESTARTSYS");
    assert_eq!(broken_off.unwrap().call, "read");
}

#[test]
fn the_binding_to_a_cpu_is_not_seen_by_the_program() {
    let Some(subject) = Subject::compile() else { return };
    let untraced = subject.command("affinity").status().unwrap().code();
    let seen = trace(&mut subject.command("affinity"), &FileTraceOptions::default());
    assert_eq!(seen.end.status.code(), untraced);
    let opens = seen.events.iter().filter(|event| matches!(event.action, FileAction::Open { .. }));
    assert!(opens.count() >= 1000);
}

#[test]
fn what_cannot_be_seen_is_said() {
    let Some(subject) = Subject::compile() else { return };
    for (mode, is_said) in [
        ("ring", (|unseen| matches!(unseen, Unseen::Ring { rings: 1, .. })) as fn(&Unseen) -> bool),
        ("other-form", |unseen| matches!(unseen, Unseen::ForeignCalls { calls: 1, .. })),
    ] {
        if subject.command(mode).status().unwrap().code() != Some(0) {
            eprintln!("skipped: {mode} is impossible here");
            continue;
        }
        let seen = trace(&mut subject.command(mode), &FileTraceOptions::default());
        assert_eq!(seen.end.status.code(), Some(0));
        assert!(seen.end.unseen.len() == 1 && is_said(&seen.end.unseen[0]), "{:?}", seen.end.unseen);
    }
}

#[test]
fn ends_are_the_programs_own() {
    let end = |script: &str| trace(Command::new("sh").args(["-c", script]), &FileTraceOptions::default()).end;
    assert_eq!(end("exit 42").status.code(), Some(42));
    assert_eq!(end("kill -TERM $$").status.signal(), Some(libc::SIGTERM));
    let error = trace_files(&mut Command::new("/no/such/program"), &EVERY_CALL, &mut |_, _| ());
    assert!(error.unwrap_err().to_string().contains("/no/such/program"));
    let filtered = FileTraceOptions::default();
    let error = trace_files(&mut Command::new("/no/such/program"), &filtered, &mut |_, _| ());
    assert!(error.unwrap_err().to_string().contains("/no/such/program"));
}

#[test]
fn a_signal_that_is_asked_for_reaches_the_program_and_a_limit_kills_it() {
    let Some(subject) = Subject::compile() else { return };
    // Not SIGINT: whoever runs tests in the background of a shell has it ignored.
    let signal = AtomicUsize::new(0);
    let ask = |_| signal.store(usize::try_from(libc::SIGTERM).unwrap(), Ordering::SeqCst);
    let options =
        FileTraceOptions { signal: Some(&signal), at_exec: Some(&ask), ..FileTraceOptions::default() };
    let end = trace(&mut subject.command("wait"), &options).end;
    assert_eq!(end.status.signal(), Some(libc::SIGTERM));
    assert_eq!(end.cut, Some(fathom_model::Cut::Interrupted("SIGTERM".to_owned())));
    let limit = Some(Duration::from_millis(200));
    let options = FileTraceOptions { time_limit: limit, ..FileTraceOptions::default() };
    let end = trace(&mut subject.command("wait"), &options).end;
    assert_eq!(
        (end.status.signal(), end.cut),
        (Some(libc::SIGKILL), Some(fathom_model::Cut::TimeLimit(0.2)))
    );
}

/// Run again by the next test, as somebody without privileges.
#[test]
fn an_ordinary_user_traces_and_is_told_of_lost_privileges() {
    let seen = trace(Command::new("cat").arg("/proc/self/status"), &FileTraceOptions::default());
    assert_eq!(seen.end.status.code(), Some(0));
    assert_eq!(seen.end.unseen, []);
    if rustix::process::getuid().is_root() {
        return;
    }
    let Some(program) =
        ["/usr/bin/su", "/bin/su", "/usr/bin/passwd"].into_iter().find(|path| is_setuid(path))
    else {
        eprintln!("skipped: no set-user-ID program");
        return;
    };
    let mut command = Command::new(program);
    command.arg("--help").stdout(Stdio::null()).stderr(Stdio::null());
    let seen = trace(&mut command, &FileTraceOptions::default());
    let said = seen.end.unseen.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert!(said.len() == 1 && said[0].contains("without the privilege"), "{said:?}");
}

/// Run again by the next test, where filters are refused.
#[test]
fn a_filter_is_set_or_its_refusal_is_said() {
    let seen =
        trace(Command::new("sh").args(["-c", "(cat /dev/null); exit 5"]), &FileTraceOptions::default());
    assert_eq!(seen.end.status.code(), Some(5));
    assert!(seen.events.iter().any(|event| seen.path(event) == "/dev/null"));
    // A container may have a filter of its own.
    let has_filter = !std::fs::read_to_string("/proc/self/status").unwrap().contains("Seccomp:\t0");
    assert!(has_filter || std::env::var_os(EXPECT_REFUSAL).is_none(), "the filter is there");
    let expected = if has_filter { vec![Unseen::InheritedFilter] } else { Vec::new() };
    assert_eq!(seen.end.unseen, expected);
}

#[test]
fn under_a_filter_the_program_is_stopped_at_every_call() {
    let Some(subject) = Subject::compile() else { return };
    let mut command = subject.command("refuse-filters");
    command.arg(std::env::current_exe().unwrap());
    command.args(["--exact", "a_filter_is_set_or_its_refusal_is_said"]).env(EXPECT_REFUSAL, "1");
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
fn it_works_without_privileges() {
    if !rustix::process::getuid().is_root() {
        eprintln!("skipped: the other tests show it, since they run without privileges");
        return;
    }
    // A copy that everybody may read, wherever the build lies.
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let copy = folder.path().join("tests");
    std::fs::copy(std::env::current_exe().unwrap(), &copy).unwrap();
    let output = Command::new(&copy)
        .args(["--exact", "an_ordinary_user_traces_and_is_told_of_lost_privileges", "--nocapture"])
        .current_dir("/")
        .uid(65_534)
        .gid(65_534)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    assert!(said.contains("NoNewPrivs:\t1") && said.contains("Seccomp:\t2"), "{said}");
}

fn is_setuid(path: &str) -> bool {
    std::fs::metadata(path).is_ok_and(|found| std::os::unix::fs::MetadataExt::mode(&found) & 0o4000 != 0)
}

fn rows(seen: &Seen) -> Vec<Row> {
    let calls = seen.events.iter().filter(|event| !matches!(event.action, FileAction::Exit { .. }));
    calls.map(|event| Row::of_event(event, &seen.paths)).collect()
}
