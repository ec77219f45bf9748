//! How long calls took, and how much of that they waited.

use crate::by_ring::trace_by_ring;
use crate::subject::Subject;
use crate::{PLAIN, by_ring::capture};
use fathom_events::{CallOutcome, FileAction};
use fathom_trace::{RingCapture, RingWants};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::collections::HashMap;
use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

const DELAY: Duration = Duration::from_millis(150);

#[test]
fn an_open_that_is_blocked_waits_as_long_as_it_is() {
    if capture(false).is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (fifo, number) = (folder.path().join("fifo"), folder.path().join("pid"));
    mknodat(CWD, &fifo, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    let script = "echo $$ > pid; mv pid pid.whole; exec cat fifo";
    let seen = thread::scope(|scope| {
        scope.spawn(|| {
            let number = loop {
                match fs::read_to_string(number.with_extension("whole")) {
                    Ok(text) => break text.trim().to_owned(),
                    Err(_) => thread::sleep(Duration::from_millis(1)),
                }
            };
            let of_cat =
                |file: &str| fs::read_to_string(format!("/proc/{number}/{file}")).unwrap_or_default();
            let open = libc::SYS_openat.to_string();
            // Blocked in an open, which is that of the pipe: nobody else lets it wait.
            let is_blocked = || {
                of_cat("comm") == "cat\n"
                    && of_cat("stat").contains(") S ")
                    && of_cat("syscall").split(' ').next() == Some(&open)
            };
            while !is_blocked() {
                thread::sleep(Duration::from_millis(1));
            }
            thread::sleep(DELAY);
            fs::write(&fifo, "").unwrap();
        });
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(folder.path()).stdin(Stdio::null());
        trace_by_ring(&mut command, &PLAIN).unwrap()
    });
    let opens = seen.events.iter().filter(|event| matches!(event.action, FileAction::Open { .. }));
    let longest = opens.max_by_key(|event| event.waited_ns).unwrap();
    let delay_ns = u64::try_from(DELAY.as_nanos()).unwrap();
    assert!(longest.waited_ns.unwrap() >= delay_ns, "{longest:?}");
    assert!(longest.took_ns >= longest.waited_ns, "{longest:?}");
}

/// Of a script whose processes sleep, wait for each other and then for a pipe, the waits of its events.
fn waits_alone(script: &str, folder: &std::path::Path) -> Vec<(FileAction, u64)> {
    let ring = RingCapture::prepare(RingWants { waits: true, ..RingWants::default() }).unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", script]).current_dir(folder).stdin(Stdio::null());
    let mut waits = Vec::new();
    let end = ring.trace_files(&mut command, &PLAIN, &mut |event, _| {
        assert_eq!(event.took_ns, None, "{event:?}");
        waits.extend(event.waited_ns.filter(|ns| *ns > 0).map(|ns| (event.action, ns)));
    });
    assert!(end.unwrap().status.success());
    waits
}

/// As long as the script sleeps each time.
const SLEEP_NS: u64 = 1_500_000_000;

#[test]
fn waits_alone_are_those_of_the_call_that_waited_and_of_no_other() {
    if capture(false).is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    mknodat(CWD, folder.path().join("fifo"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    // Sleeping and waiting for a child are no calls on files; an open of a pipe that nobody reads is one.
    let script = "sleep 1.5; true < fifo & sleep 1.5; echo > fifo; wait; sleep 1.5; true < /dev/null";
    let waits = waits_alone(script, folder.path());
    let long: Vec<_> = waits.iter().filter(|(_, ns)| *ns >= SLEEP_NS / 2).collect();
    assert!(
        matches!(&long[..], [(FileAction::Open { .. }, ns)] if *ns < 20 * SLEEP_NS),
        "{long:?} of {waits:?}"
    );
}

#[test]
fn calls_of_a_thread_follow_each_other_and_wait_no_longer_than_they_take() {
    let Some(subject) = Subject::compile() else { return };
    for kind in ["calls", "threads"] {
        let Some(seen) = trace_by_ring(&mut subject.command(kind), &PLAIN) else { return };
        let mut ended: HashMap<u32, u64> = HashMap::new();
        for event in &seen.events {
            let is_life = matches!(
                event.action,
                FileAction::Fork { .. } | FileAction::Execute { .. } | FileAction::Exit { .. }
            );
            assert!(
                event.took_ns.is_some() || is_life || event.outcome == CallOutcome::Unfinished,
                "no duration: {event:?}"
            );
            let took_ns = event.took_ns.unwrap_or(0);
            assert!(event.waited_ns.unwrap_or(0) <= took_ns, "{event:?}");
            let before = ended.insert(event.thread, event.at_ns).unwrap_or(0);
            // A fork is told when the child is made, before it returns.
            assert!(is_life || event.at_ns - took_ns >= before, "{before} {event:?}");
        }
    }
}

#[test]
fn where_times_are_not_wanted_none_are_told() {
    if capture(false).is_none() {
        return;
    }
    let plain = RingCapture::prepare(RingWants::default()).unwrap();
    let mut calls = 0;
    let end = plain.trace_files(&mut Command::new("true"), &PLAIN, &mut |event, _| {
        calls += 1;
        assert_eq!((event.took_ns, event.waited_ns), (None, None), "{event:?}");
    });
    assert!(end.is_ok() && calls > 5, "{calls}");
}
