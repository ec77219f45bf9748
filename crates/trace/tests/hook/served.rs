//! Servers of runtimes under load: what was done with the file that they serve, by ptrace and by the hook.

use crate::subject::{Seen, trace};
use crate::{HOOKED, can_hook};
use fathom_events::{FileAction, Target};
use fathom_trace::FileTraceOptions;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hook");
const REQUESTS: u64 = 1000;

/// Opens of the file, and reads as only the server makes them, how they ended, and how often. Which
/// descriptor was whose cannot be told from the order of events: one is closed and given to another
/// before either thread says so.
fn calls_on(seen: &Seen, file: &OsStr) -> BTreeMap<(&'static str, Option<i64>, Option<i32>), u64> {
    let mut calls = BTreeMap::new();
    for event in &seen.events {
        let value = match event.action {
            // Numbers of descriptors depend on how many are open at once.
            FileAction::Open { target: Target::Path { path, .. }, .. } if seen.paths.path(path) == file => {
                event.outcome.value().map(|_| 0)
            }
            FileAction::Read { bytes: 4, offset: Some(1), .. } => event.outcome.value(),
            _ => continue,
        };
        *calls.entry((event.call, value, event.outcome.errno())).or_default() += 1;
    }
    calls
}

/// Runs a server by both ways.
fn compare(words: &[&OsStr], folder: &Path) {
    let file = folder.join("file");
    std::fs::write(&file, "crowd").unwrap();
    let run = |options: &FileTraceOptions<'_>| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(&file).arg(REQUESTS.to_string());
        command.stdin(Stdio::null()).env_remove("LD_LIBRARY_PATH");
        let seen = trace(&mut command, options);
        assert_eq!(seen.end.status.code(), Some(0), "{:?}", seen.end.hook);
        seen
    };
    let stopped = calls_on(&run(&FileTraceOptions::default()), file.as_os_str());
    let seen = run(&HOOKED);
    assert_eq!(calls_on(&seen, file.as_os_str()), stopped);
    assert_eq!(stopped[&("openat", Some(0), None)], REQUESTS);
    assert_eq!(stopped[&("pread64", Some(4), None)], REQUESTS);
    let tally = seen.end.hook.unwrap();
    assert_eq!(tally.refusals, Vec::<String>::new());
    assert!(tally.hooked > REQUESTS, "{tally:?}");
}

#[test]
fn node_serves_as_it_does_by_ptrace() {
    if Command::new("node").arg("--version").output().is_err() || !can_hook() {
        eprintln!("skipped: no node");
        return;
    }
    let (folder, source) = (tempfile::tempdir().unwrap(), Path::new(SOURCES).join("served.js"));
    compare(&[OsStr::new("node"), source.as_os_str()], folder.path());
}

#[test]
fn a_java_virtual_machine_serves_as_it_does_by_ptrace() {
    let folder = tempfile::tempdir().unwrap();
    let mut compile = Command::new("javac");
    compile.arg("-d").arg(folder.path()).arg(Path::new(SOURCES).join("Served.java"));
    let Ok(compiled) = compile.output() else {
        eprintln!("skipped: no javac");
        return;
    };
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    if can_hook() {
        let words = [OsStr::new("java"), OsStr::new("-cp"), folder.path().as_os_str(), OsStr::new("Served")];
        compare(&words, folder.path());
    }
}
