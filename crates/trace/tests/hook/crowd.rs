//! Programs that have several threads before they make calls, under the hook.

use crate::subject::{Seen, trace};
use crate::{HOOKED, can_hook};
use fathom_events::FileAction;
use fathom_trace::FileTraceOptions;
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A compiled program, and the file that it reads.
pub(crate) struct Crowd {
    folder: TempDir,
}

impl Crowd {
    /// `None` where there is no compiler, which is said.
    pub(crate) fn compile(compiler: &str, words: &[&str], source: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file"), "crowd").unwrap();
        let source = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hook")).join(source);
        let mut command = Command::new(compiler);
        command.args(words).arg(folder.path().join("crowd")).arg(source).current_dir(folder.path());
        let Ok(status) = command.env("GOCACHE", folder.path().join("cache")).status() else {
            eprintln!("skipped: no {compiler}");
            return None;
        };
        assert!(status.success());
        Some(Self { folder })
    }

    fn of_c() -> Option<Self> {
        Self::compile("cc", &["-O1", "-pthread", "-o"], "crowd.c")
    }

    pub(crate) fn run(&self, words: &[&str], options: &FileTraceOptions<'_>) -> Seen {
        let mut command = Command::new(self.folder.path().join("crowd"));
        command.args(words).arg(self.folder.path().join("file")).stdin(Stdio::null());
        let seen = trace(command.env_remove("LD_LIBRARY_PATH"), options);
        // It compares every answer with the one that is right.
        assert_eq!(seen.end.status.code(), Some(0), "{words:?}: {:?}", seen.end.hook);
        seen
    }
}

/// Calls with how they ended, and how often: of the whole program, since numbers of threads differ.
fn calls(seen: &Seen) -> BTreeMap<(&'static str, Option<i32>), u64> {
    let mut calls = BTreeMap::new();
    for event in &seen.events {
        // The C library keeps stacks of threads, and maps as many as there are at once. How many calls
        // a signal breaks off, to be made again, is a matter of time.
        let is_broken_off = event.outcome.errno().is_some_and(|errno| (512..=516).contains(&errno));
        if !matches!(event.call, "mmap" | "munmap" | "mprotect" | "madvise") && !is_broken_off {
            *calls.entry((event.call, event.outcome.errno())).or_default() += 1;
        }
    }
    calls
}

/// Most of its calls were made without a stop.
fn assert_mostly_hooked(seen: &Seen) {
    let tally = seen.end.hook.clone().unwrap();
    assert_eq!(tally.refusals, Vec::<String>::new());
    assert!(tally.hooked > 9 * tally.stopped, "{tally:?}");
}

#[test]
fn places_are_patched_while_other_threads_call_there() {
    let (Some(crowd), true) = (Crowd::of_c(), can_hook()) else { return };
    let stopped = crowd.run(&["threads", "40"], &FileTraceOptions::default());
    for _ in 0..5 {
        let seen = crowd.run(&["threads", "40"], &HOOKED);
        assert_eq!(calls(&seen), calls(&stopped));
        assert_mostly_hooked(&seen);
    }
}

#[test]
fn whoever_jumps_to_an_instruction_behind_a_call_gets_there() {
    let (Some(crowd), true) = (Crowd::of_c(), can_hook()) else { return };
    let stopped = crowd.run(&["jumps", "8"], &FileTraceOptions::default());
    let seen = crowd.run(&["jumps", "8"], &HOOKED);
    assert_eq!(calls(&seen), calls(&stopped));
    assert_mostly_hooked(&seen);
    assert_eq!(seen.end.hook.unwrap().left, BTreeMap::new());
}

#[test]
fn signals_come_while_places_are_patched() {
    let (Some(crowd), true) = (Crowd::of_c(), can_hook()) else { return };
    let seen = crowd.run(&["alarmed", "200"], &HOOKED);
    assert_mostly_hooked(&seen);
    let calls = calls(&seen);
    assert_eq!(calls[&("close", None)], 200 * 40 + calls_outside("close"));
    assert_eq!(calls[&("openat", Some(libc::ENOENT))], 200 * 40);
}

/// Of the program's loader.
fn calls_outside(call: &str) -> u64 {
    let crowd = Crowd::of_c().unwrap();
    calls(&crowd.run(&["threads", "0"], &FileTraceOptions::default()))[&(call, None)]
}

#[test]
fn ten_thousand_threads_are_told_whole() {
    let (Some(crowd), true) = (Crowd::of_c(), can_hook()) else { return };
    let stopped = crowd.run(&["short-threads", "10000"], &FileTraceOptions::default());
    let seen = crowd.run(&["short-threads", "10000"], &HOOKED);
    assert_eq!(calls(&seen), calls(&stopped));
    let made = seen.events.iter().filter(|event| matches!(event.action, FileAction::Fork { .. })).count();
    assert_eq!(made, 10_001);
    let mut opens: BTreeMap<u32, u32> = BTreeMap::new();
    let ends = seen.events.iter().filter(|event| matches!(event.action, FileAction::Exit { .. })).count();
    assert_eq!(ends, 10_002);
    for event in seen.events.iter().filter(|event| event.call == "openat") {
        *opens.entry(event.process).or_default() += 1;
    }
    assert_eq!(opens.len(), 1, "one process");
    assert_eq!(calls(&seen)[&("openat", None)], 10_000 + calls_outside("openat"));
    assert!(seen.end.hook.unwrap().hooked > 15_000);
}

#[test]
fn five_hundred_children_are_told_whole() {
    let (Some(crowd), true) = (Crowd::of_c(), can_hook()) else { return };
    let stopped = crowd.run(&["children", "500"], &FileTraceOptions::default());
    let seen = crowd.run(&["children", "500"], &HOOKED);
    assert_eq!(calls(&seen), calls(&stopped));
}

#[test]
fn a_thousand_goroutines_are_told_whole() {
    let Some(crowd) = Crowd::compile("go", &["build", "-o"], "crowd.go") else { return };
    if !can_hook() {
        return;
    }
    // What the runtime asks for itself depends on how many threads it makes.
    let of_program = |seen: &Seen| {
        let asked = calls(seen).into_iter();
        asked.filter(|((call, errno), _)| *call == "openat" || errno.is_some()).collect::<Vec<_>>()
    };
    let stopped = crowd.run(&["1000"], &FileTraceOptions::default());
    let seen = crowd.run(&["1000"], &HOOKED);
    assert_eq!(of_program(&seen), of_program(&stopped));
    assert_mostly_hooked(&seen);
}

#[test]
fn an_ordinary_user_without_capabilities_is_enough() {
    let (Some(crowd), true) = (Crowd::of_c(), can_hook()) else { return };
    // The test itself again, with nothing that root has; and as root of a namespace of its own.
    let ways: [&[&str]; 2] = [
        &["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--bounding-set=-all"],
        &["unshare", "-Ur"],
    ];
    std::fs::set_permissions(crowd.folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let program = crowd.folder.path().join("test");
    std::fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    for way in ways {
        let tried = Command::new(way[0]).args(&way[1..]).arg("true").output();
        if !tried.is_ok_and(|output| output.status.success()) {
            eprintln!("skipped: `{}` is not to be had here", way.join(" "));
            continue;
        }
        let mut command = Command::new(way[0]);
        command.args(&way[1..]).arg(&program).args(["--exact", "crowd::hooks_what_it_is_given", "--ignored"]);
        let output = command.env(GIVEN, crowd.folder.path()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{way:?}: {said}");
    }
}

/// Names the folder of a program that is compiled already.
const GIVEN: &str = "FATHOM_TEST_CROWD";

#[test]
#[ignore = "run by another test, as another user"]
fn hooks_what_it_is_given() {
    let Some(folder) = std::env::var_os(GIVEN).map(PathBuf::from) else { return };
    let mut command = Command::new(folder.join("crowd"));
    command.args(["threads", "20"]).arg(folder.join("file")).stdin(Stdio::null());
    let seen = trace(&mut command, &HOOKED);
    assert_eq!(seen.end.status.code(), Some(0));
    assert_mostly_hooked(&seen);
}
