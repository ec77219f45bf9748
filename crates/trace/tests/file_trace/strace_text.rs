//! What strace tells, and events in the same words: call, paths, result.

use fathom_events::{CallOutcome, FileAction, FileEvent, PathId, PathTable, Target};
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

/// A call of a thread.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Row {
    pub(crate) thread: u32,
    pub(crate) call: String,
    paths: Vec<String>,
    result: String,
}

/// Calls of the traced classes that are none of the file path.
const OTHERS: [&str; 15] = [
    "mprotect",
    "brk",
    "wait4",
    "poll",
    "ppoll",
    "pselect6",
    "select",
    "epoll_wait",
    "epoll_pwait",
    "kill",
    "tgkill",
    "rt_sigaction",
    "getsockopt",
    "exit",
    "exit_group",
];
const CLASSES: &str = "trace=%file,%desc,%process,%memory,%network,close_range,umask,memfd_create,sync";

/// Runs a command under strace; calls in the order of their returns, ends left out.
pub(crate) fn strace(command: &mut Command) -> Vec<Row> {
    let text = strace_log(command, &[]);
    let mut begun: BTreeMap<u32, String> = BTreeMap::new();
    let mut rows = Vec::new();
    for line in text.lines() {
        let (thread, said) = line.split_once(' ').unwrap();
        let (thread, said) = (thread.parse().unwrap(), said.trim_start());
        if let Some(start) = said.strip_suffix(" <unfinished ...>") {
            begun.insert(thread, start.to_owned());
        } else if let Some((_, end)) =
            said.strip_prefix("<... ").and_then(|rest| rest.split_once(" resumed>"))
        {
            rows.extend(Row::of_line(thread, &(begun.remove(&thread).unwrap() + end)));
        } else {
            rows.extend(Row::of_line(thread, said));
        }
    }
    rows
}

/// What strace writes of a command, with these options besides the usual ones.
pub(crate) fn strace_log(command: &mut Command, options: &[&str]) -> String {
    let log = tempfile::NamedTempFile::new().unwrap();
    let mut strace = Command::new("strace");
    strace.args(["-f", "-s", "4096", "-e", CLASSES, "-e", "signal=none"]).args(options);
    strace.arg("-o").arg(log.path()).env_remove("LD_LIBRARY_PATH");
    assert!(strace.arg(command.get_program()).args(command.get_args()).status().unwrap().success());
    String::from_utf8_lossy(&fs::read(log.path()).unwrap()).into_owned()
}

/// The same with threads numbered from 0 in the order of their first calls.
pub(crate) fn renumbered(rows: Vec<Row>) -> Vec<Row> {
    let mut known = Vec::new();
    let mut number = |thread: u32| {
        if !known.contains(&thread) {
            known.push(thread);
        }
        known.iter().position(|other| *other == thread).and_then(|at| u32::try_from(at).ok()).unwrap()
    };
    rows.into_iter().map(|row| Row { thread: number(row.thread), ..row }).collect()
}

/// The calls of each thread, in an order that does not depend on their numbers.
pub(crate) fn by_thread(rows: Vec<Row>) -> Vec<Vec<Row>> {
    let mut threads: BTreeMap<u32, Vec<Row>> = BTreeMap::new();
    for row in rows {
        threads.entry(row.thread).or_default().push(Row { thread: 0, ..row });
    }
    let mut threads: Vec<_> = threads.into_values().collect();
    threads.sort();
    threads
}

/// Says where two lists begin to differ.
pub(crate) fn assert_same(ours: &[Row], theirs: &[Row]) {
    let longest = ours.len().max(theirs.len());
    if let Some(at) = (0..longest).find(|at| ours.get(*at) != theirs.get(*at)) {
        let around = |rows: &[Row]| {
            format!("{:#?}", &rows[at.saturating_sub(1).min(rows.len())..rows.len().min(at + 3)])
        };
        panic!(
            "call {at} of {} and {}: ours {}\ntheirs {}",
            ours.len(),
            theirs.len(),
            around(ours),
            around(theirs)
        );
    }
}

impl Row {
    /// With a descriptor that threads race for left out.
    pub(crate) fn without_descriptor(mut self) -> Self {
        if self.call == "openat" && self.result.parse::<i32>().is_ok() {
            "a descriptor".clone_into(&mut self.result);
        }
        self
    }

    /// `openat(AT_FDCWD, "x", O_RDONLY) = -1 ENOENT (…)`; `None` of what is no call.
    fn of_line(thread: u32, said: &str) -> Option<Self> {
        let (call, rest) = said.split_once('(')?;
        if said.starts_with(['+', '-']) || OTHERS.contains(&call) {
            return None;
        }
        let (arguments, result) = rest.rsplit_once(") = ").or_else(|| {
            let (arguments, result) = rest.rsplit_once(" = ")?;
            Some((arguments.trim_end().strip_suffix(')')?, result))
        })?;
        let mut words = result.split_whitespace();
        let result = match (words.next()?, words.next()) {
            ("-1", Some(errno)) => errno.to_owned(),
            (value, _) => value.to_owned(),
        };
        let paths = if has_paths(call) { quoted(arguments) } else { Vec::new() };
        Some(Self { thread, call: call.to_owned(), paths, result: plain(call, &result) })
    }

    /// An event in the same words.
    pub(crate) fn of_event(event: &FileEvent, paths: &PathTable) -> Self {
        let result = match event.outcome {
            CallOutcome::Value(value) => value.to_string(),
            CallOutcome::Failed(errno) => fathom_trace::name_of_errno(errno),
            CallOutcome::Unfinished | CallOutcome::Unknown => "?".to_owned(),
        };
        let named = |id: &PathId| paths.path(*id).to_string_lossy().into_owned();
        Self {
            thread: event.thread,
            call: event.call.to_owned(),
            paths: ids(&event.action).iter().map(named).filter(|path| !path.is_empty()).collect(),
            result: plain(event.call, &result),
        }
    }
}

/// The paths of an action in the order of the arguments.
fn ids(action: &FileAction) -> Vec<PathId> {
    let id = |target: &Target| match target {
        Target::Path { path, .. } => Some(*path),
        Target::Descriptor(_) => None,
    };
    match action {
        FileAction::Rename { from, to, .. } | FileAction::Link { from, to } => {
            id(from).into_iter().chain(id(to)).collect()
        }
        FileAction::SymbolicLink { to, target } => std::iter::once(*to).chain(id(target)).collect(),
        FileAction::ReadLink { target, to } => id(target).into_iter().chain(*to).collect(),
        FileAction::CurrentDirectory { path } => path.iter().copied().collect(),
        FileAction::Open { target, .. }
        | FileAction::Stat { target, .. }
        | FileAction::StatFileSystem { target }
        | FileAction::Access { target, .. }
        | FileAction::MakeDirectory { target, .. }
        | FileAction::Remove { target, .. }
        | FileAction::Truncate { target, .. }
        | FileAction::ChangeMode { target, .. }
        | FileAction::ChangeAttributes { target }
        | FileAction::GetAttribute { target }
        | FileAction::ChangeDirectory { target }
        | FileAction::ChangeRoot { target }
        | FileAction::Execute { target } => id(target).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn has_paths(call: &str) -> bool {
    !matches!(call, "read" | "write" | "memfd_create") && !call.starts_with('p') && !call.ends_with('v')
}

/// What stands between quotes and is not empty. Names of attributes are no paths, nor are a program's words.
fn quoted(arguments: &str) -> Vec<String> {
    let all = arguments.split('"').skip(1).step_by(2).filter(|text| !text.is_empty());
    let paths = all.filter(|text| !text.starts_with("user.")).map(str::to_owned);
    if arguments.contains("\", [\"") { paths.take(1).collect() } else { paths.collect() }
}

/// Results that differ from run to run, in words.
fn plain(call: &str, result: &str) -> String {
    let succeeded = result.starts_with(|first: char| first.is_ascii_digit());
    match call {
        "mmap" | "mremap" if succeeded => "address".to_owned(),
        "clone" | "clone3" | "fork" | "vfork" if succeeded => "thread".to_owned(),
        "umask" => {
            let octal = u32::from_str_radix(
                result.trim_start_matches('0'),
                if result.starts_with('0') { 8 } else { 10 },
            );
            octal.unwrap_or(0).to_string()
        }
        _ => {
            let hexadecimal =
                result.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
            hexadecimal.map_or_else(|| result.to_owned(), |value| value.to_string())
        }
    }
}
