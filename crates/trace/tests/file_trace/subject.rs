//! The program that is traced, and what a trace of it gave.

use fathom_events::{CallOutcome, FileAction, FileEvent, FileFacts, PathTable, Target};
use fathom_trace::{FileTraceEnd, FileTraceOptions, trace_files};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/file_trace/subject.c");

/// The compiled program in a folder that goes away.
pub(crate) struct Subject {
    folder: TempDir,
}

/// What a trace gave.
pub(crate) struct Seen {
    pub(crate) events: Vec<FileEvent>,
    pub(crate) paths: PathTable,
    pub(crate) end: FileTraceEnd,
}

impl Subject {
    /// `None` where there is no compiler, which is said.
    pub(crate) fn compile() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("subject");
        let status = Command::new("cc").args(["-w", "-pthread", "-o"]).arg(program).arg(SOURCE).status();
        if status.is_err() {
            eprintln!("skipped: no C compiler");
            return None;
        }
        assert!(status.unwrap().success());
        Some(Self { folder })
    }

    /// It, about to do this in a fresh directory that always has the same name.
    pub(crate) fn command(&self, mode: &str) -> Command {
        let work = self.folder.path().join("work");
        if work.exists() {
            std::fs::remove_dir_all(&work).unwrap();
        }
        std::fs::create_dir(&work).unwrap();
        let mut command = Command::new(self.folder.path().join("subject"));
        // Cargo's own, where the loader of every program would search.
        command.arg(mode).arg(work).stdin(Stdio::null()).env_remove("LD_LIBRARY_PATH");
        command
    }
}

impl Subject {
    /// A file in the directory of the last command.
    #[allow(dead_code, reason = "not every test that shares this looks there")]
    pub(crate) fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join("work").join(name)
    }
}

impl Seen {
    /// The path that an open names.
    pub(crate) fn path(&self, event: &FileEvent) -> String {
        let FileAction::Open { target: Target::Path { path, .. }, .. } = event.action else {
            return String::new();
        };
        self.paths.path(path).to_string_lossy().into_owned()
    }

    /// The last part of a path.
    #[allow(dead_code, reason = "not every test that shares this asks for it")]
    pub(crate) fn name(&self, target: Target) -> String {
        let Target::Path { path, .. } = target else { return String::new() };
        let path = self.paths.path(path).to_string_lossy().into_owned();
        path.rsplit('/').next().unwrap_or_default().to_owned()
    }
}

/// Checks that every process begins before it calls and ends after; what was executed.
#[allow(dead_code, reason = "not every test that shares this asks for it")]
pub(crate) fn whole_lives(seen: &Seen) -> Vec<String> {
    let (mut known, mut ended) = (BTreeSet::from([seen.events[0].process]), BTreeSet::new());
    let mut executed = Vec::new();
    for event in &seen.events {
        assert!(known.contains(&event.process), "{event:?} before its process began");
        assert!(!ended.contains(&event.process), "{event:?} after its process ended");
        match &event.action {
            FileAction::Fork { is_thread: false, .. } => {
                let child = event.outcome.value().unwrap();
                assert!(known.insert(u32::try_from(child).unwrap()), "{event:?}");
            }
            FileAction::Execute { target } if event.outcome == CallOutcome::Value(0) => {
                executed.push(seen.name(*target));
            }
            FileAction::Exit { whole: true, .. } => assert!(ended.insert(event.process)),
            _ => {}
        }
    }
    assert_eq!(known, ended);
    assert_eq!(seen.end.processes, u64::try_from(known.len()).unwrap());
    executed.sort();
    executed
}

/// What the mode `young-calls` does, whether this kernel knows the calls or not.
#[allow(dead_code, reason = "not every test that shares this asks for it")]
pub(crate) const YOUNG_ACTIONS: [&str; 5] = [
    "setxattrat ChangeAttributes missing follow",
    "getxattrat GetAttribute missing",
    "listxattrat GetAttribute descriptor",
    "removexattrat ChangeAttributes missing follow",
    "file_getattr GetAttribute missing follow",
];

/// The events that are about attributes of files, in order.
#[allow(dead_code, reason = "not every test that shares this asks for it")]
pub(crate) fn actions_on_attributes(seen: &Seen) -> Vec<String> {
    let told = |event: &FileEvent| {
        let (action, target) = match event.action {
            FileAction::ChangeAttributes { target } => ("ChangeAttributes", target),
            FileAction::GetAttribute { target } => ("GetAttribute", target),
            _ => return None,
        };
        let what = match target {
            Target::Path { follow, .. } => {
                format!("{}{}", seen.name(target), if follow { " follow" } else { "" })
            }
            Target::Descriptor(_) => "descriptor".to_owned(),
        };
        Some(format!("{} {action} {what}", event.call))
    };
    seen.events.iter().filter_map(told).collect()
}

/// An event with its paths, and without what differs from run to run.
pub(crate) fn sentence(event: &FileEvent, paths: &PathTable) -> String {
    let mut event = event.clone();
    match &mut event.action {
        FileAction::Stat { facts: Some(facts), .. } => {
            let (kind, size_bytes) = (facts.kind, facts.size_bytes);
            **facts = FileFacts { kind, size_bytes, ..FileFacts::default() };
        }
        FileAction::Map { .. } | FileAction::Remap { .. } if event.outcome.value().is_some() => {
            event.outcome = CallOutcome::Value(0);
        }
        FileAction::Unmap { address, .. } | FileAction::AdviseMemory { address, .. } => *address = 0,
        _ => {}
    }
    let words = format!("{} {:?} {:?}", event.call, event.action, event.outcome);
    let mut pieces = words.split("PathId(");
    let mut sentence = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (number, rest) = piece.split_once(')').unwrap();
        let path = paths.paths_from(number.parse().unwrap()).next().unwrap();
        let _ = write!(sentence, "\"{}\"{rest}", path.display());
    }
    sentence
}

/// Traces a command to its end.
pub(crate) fn trace(command: &mut Command, options: &FileTraceOptions<'_>) -> Seen {
    let (mut events, mut paths) = (Vec::new(), PathTable::new());
    let end = trace_files(command, options, &mut |event, table| {
        events.push(event);
        paths = table.clone();
    });
    let end = end.unwrap();
    assert_eq!(end.events, u64::try_from(events.len()).unwrap());
    Seen { events, paths, end }
}

/// Whether strace can be used, which is said.
#[allow(dead_code, reason = "not every test that shares this compares with it")]
pub(crate) fn can_strace() -> bool {
    let tried = Command::new("strace").args(["-o", "/dev/null", "true"]).status();
    if !tried.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no strace that works");
        return false;
    }
    true
}
