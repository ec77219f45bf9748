//! Scripted stops: every order in which the kernel may tell of them.

use super::*;
use crate::witness::Memory;
use fathom_model::Reading;

/// A thread of a process, as `/proc` would show it.
struct Thread {
    process: i32,
    name: &'static str,
}

impl Memory for Thread {
    fn copy(&self, _address: u64, _buffer: &mut [u8]) -> usize {
        0
    }
}

impl Tracee for Thread {
    fn text(&self, address: u64) -> Option<String> {
        match address {
            1 => Some("/etc//passwd".to_owned()),
            2 => Some("/dev/null".to_owned()),
            _ => None,
        }
    }
    fn file_kind(&self, descriptor: i32) -> Option<FileKind> {
        [FileKind::Other, FileKind::Regular].get(usize::try_from(descriptor).unwrap()).copied()
    }
    fn process(&self) -> Option<i32> {
        Some(self.process)
    }
    fn name(&self) -> Option<String> {
        Some(self.name.to_owned())
    }
    fn executed_path(&self) -> Option<std::ffi::OsString> {
        None
    }
    fn program(&self) -> ExecutedProgram {
        let path = Reading::Value(format!("/bin/{}", self.name).into());
        ExecutedProgram { path, arguments: vec![self.name.to_owned()], privilege_lost: None }
    }
}

const SHELL: Thread = Thread { process: 10, name: "sh" };
const CHILD: Thread = Thread { process: 11, name: "sh" };

fn begun() -> Tally {
    let mut tally = Tally::default();
    tally.executed(10, 10, &SHELL);
    tally.leave(10, 0, false, &SHELL);
    tally
}

fn enter(tally: &mut Tally, tid: i32, name: &str, arguments: [u64; 6]) {
    tally.enter(tid, Call::named(name).unwrap(), arguments, &SHELL);
}

fn exited(code: i32) -> ExitStatus {
    ExitStatus::from_raw(code << 8)
}

fn calls(thread: &CountedThread) -> Vec<(&str, &CallOutcome, u64)> {
    thread.calls.iter().map(|tally| (tally.call.as_str(), &tally.outcome, tally.count)).collect()
}

const DONE: CallOutcome = CallOutcome::Succeeded;
const NEVER: CallOutcome = CallOutcome::NeverReturned;

#[test]
fn the_exec_that_begins_it_is_counted_and_so_is_the_call_that_ends_it() {
    let mut tally = begun();
    enter(&mut tally, 10, "exit_group", [3, 0, 0, 0, 0, 0]);
    tally.ended(10, exited(3));
    let (processes, _) = tally.finish();
    assert_eq!(processes.len(), 1);
    assert_eq!((processes[0].pid, &processes[0].end), (10, &ProcessEnd::Exited(3)));
    assert_eq!(calls(&processes[0].threads[0]), [("execve", &DONE, 1), ("exit_group", &NEVER, 1)]);
    assert_eq!(processes[0].programs[0].arguments, ["sh"]);
}

#[test]
fn failures_count_by_errno_and_restarts_are_calls() {
    let mut tally = begun();
    for result in [-512, 11, -10] {
        enter(&mut tally, 10, "wait4", [0; 6]);
        tally.leave(10, result, result < 0, &SHELL);
    }
    enter(&mut tally, 10, "rt_sigreturn", [0; 6]);
    tally.leave(10, -4, true, &SHELL);
    let (processes, _) = tally.finish();
    let failed = |errno: &str| CallOutcome::Failed(errno.to_owned());
    assert_eq!(
        calls(&processes[0].threads[0]),
        [
            ("execve", &DONE, 1),
            ("rt_sigreturn", &DONE, 1),
            ("wait4", &DONE, 1),
            ("wait4", &failed("ECHILD"), 1),
            ("wait4", &failed("ERESTARTSYS"), 1)
        ]
    );
    assert_eq!(processes[0].end, ProcessEnd::Unknown);
}

#[test]
fn a_child_has_its_parent_whoever_tells_of_it_first() {
    let expected = [(10, None), (11, Some(0))];
    let parents = |tally: Tally| {
        let (processes, _) = tally.finish();
        processes.iter().map(|process| (process.pid, process.parent)).collect::<Vec<_>>()
    };
    let mut told_by_maker = begun();
    told_by_maker.born(11, &CHILD);
    told_by_maker.made_by(11, 10);
    assert_eq!(parents(told_by_maker), expected);

    let mut ended_before = begun();
    ended_before.born(11, &CHILD);
    ended_before.ended(11, exited(0));
    ended_before.made_by(11, 10);
    assert_eq!(parents(ended_before), expected);
}

#[test]
fn an_id_that_is_used_again_is_another_process() {
    let mut tally = begun();
    for _ in 0..2 {
        tally.born(11, &CHILD);
        tally.made_by(11, 10);
        enter(&mut tally, 11, "getpid", [0; 6]);
        tally.leave(11, 11, false, &CHILD);
        tally.ended(11, ExitStatus::from_raw(9));
    }
    let (processes, _) = tally.finish();
    assert_eq!(processes.len(), 3);
    for process in &processes[1..] {
        assert_eq!((process.parent, process.calls()), (Some(0), 1));
        assert_eq!(process.end, ProcessEnd::Killed("SIGKILL".to_owned()));
    }
}

#[test]
fn threads_belong_to_their_process_and_name_themselves() {
    let mut tally = begun();
    tally.born(12, &SHELL);
    tally.made_by(12, 10);
    enter(&mut tally, 12, "prctl", [PR_SET_NAME, 0, 0, 0, 0, 0]);
    tally.leave(12, 0, false, &Thread { process: 10, name: "worker" });
    tally.ended(12, exited(0));
    tally.ended(10, exited(0));
    let (processes, _) = tally.finish();
    let threads: Vec<_> = processes[0].threads.iter().map(|t| (t.tid, t.name.as_str())).collect();
    assert_eq!(threads, [(10, "sh"), (12, "worker")]);
}

#[test]
fn an_exec_by_a_thread_ends_the_others_and_goes_on_as_the_first() {
    let mut tally = begun();
    tally.born(12, &SHELL);
    tally.made_by(12, 10);
    enter(&mut tally, 10, "futex", [0; 6]);
    enter(&mut tally, 12, "execve", [0; 6]);
    let after = Thread { process: 10, name: "cat" };
    tally.executed(10, 12, &after);
    tally.leave(10, 0, false, &after);
    enter(&mut tally, 10, "exit_group", [0; 6]);
    tally.ended(10, exited(0));
    let (processes, _) = tally.finish();
    let [first, second] = processes[0].threads.as_slice() else { panic!("{processes:?}") };
    assert_eq!(calls(first), [("execve", &DONE, 2), ("exit_group", &NEVER, 1), ("futex", &NEVER, 1)]);
    assert!(second.calls.is_empty());
    let programs: Vec<_> = processes[0].programs.iter().map(|p| p.arguments[0].as_str()).collect();
    assert_eq!((programs, first.name.as_str()), (vec!["sh", "cat"], "cat"));
}

#[test]
fn an_open_of_a_device_creates_and_empties_nothing() {
    let mut tally = begun();
    let flags = u64::from((libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC).cast_unsigned());
    for path in [1, 2] {
        enter(&mut tally, 10, "openat", [0, path, flags, 0, 0, 0]);
        tally.leave(10, 3, false, &SHELL);
    }
    let (_, conditions) = tally.finish();
    let opens = conditions.iter().filter(|condition| condition.call == "openat");
    let flags: Vec<_> = opens.map(|condition| condition.flags.as_str()).collect();
    assert_eq!(flags, ["O_WRONLY", "O_WRONLY|O_CREAT|O_TRUNC"]);
}

#[test]
fn conditions_tell_flags_paths_and_sizes_apart() {
    let mut tally = begun();
    let flags = u64::from((libc::O_WRONLY | libc::O_CREAT | libc::O_CLOEXEC).cast_unsigned());
    for (flags, result) in [(flags, 3), (0, -2), (0, -2)] {
        enter(&mut tally, 10, "openat", [0, 1, flags, 0, 0, 0]);
        tally.leave(10, result, result < 0, &SHELL);
    }
    for result in [5, 7, 0] {
        enter(&mut tally, 10, "read", [3, 0, 4096, 0, 0, 0]);
        tally.leave(10, result, false, &SHELL);
    }
    let (_, conditions) = tally.finish();
    let of = |name: &str| {
        let found = conditions.iter().filter(|condition| condition.call == name);
        let shown =
            found.map(|c| (c.flags.as_str(), c.path_components, c.size_class_bytes, c.bytes, c.count));
        shown.collect::<Vec<_>>()
    };
    assert_eq!(
        of("openat"),
        [("O_WRONLY|O_CREAT", Some(2), None, 0, 1), ("O_RDONLY", Some(2), None, 0, 2)],
        "what succeeded, then what failed"
    );
    assert_eq!(of("read"), [("", None, Some(0), 0, 1), ("", None, Some(8), 12, 2)]);
    assert_eq!(of("execve"), [("", None, None, 0, 1)]);
}

#[test]
fn conditions_tell_what_a_descriptor_stands_for() {
    let mut tally = begun();
    let nowhere = u64::MAX;
    let cwd = u64::from(libc::AT_FDCWD.cast_unsigned());
    let empty = u64::from(libc::AT_EMPTY_PATH.cast_unsigned());
    for (name, arguments) in [
        ("write", [0; 6]),
        ("write", [1, 0, 0, 0, 0, 0]),
        ("close", [1, 0, 0, 0, 0, 0]),
        ("mmap", [0, 4096, 0, 0, 1, 0]),
        ("mmap", [0, 4096, 0, 0, nowhere, 0]),
        ("newfstatat", [1, 1, 0, empty, 0, 0]),
        ("newfstatat", [1, 1, 0, 0, 0, 0]),
        ("newfstatat", [cwd, 1, 0, empty, 0, 0]),
        ("dup", [1, 0, 0, 0, 0, 0]),
    ] {
        enter(&mut tally, 10, name, arguments);
        tally.leave(10, 0, false, &SHELL);
    }
    // It was a pipe, and was never read.
    enter(&mut tally, 10, "read", [0; 6]);
    tally.ended(10, ExitStatus::from_raw(9));
    let (_, conditions) = tally.finish();
    let of = |name: &str| {
        let found = conditions.iter().filter(|condition| condition.call == name);
        found.map(|condition| (condition.on, condition.count)).collect::<Vec<_>>()
    };
    let (regular, other) = (Some(FileKind::Regular), Some(FileKind::Other));
    assert_eq!(of("write"), [(regular, 1), (other, 1)]);
    assert_eq!(of("close"), [(regular, 1)]);
    assert_eq!(of("mmap"), [(None, 1), (regular, 1)]);
    assert_eq!(
        of("newfstatat"),
        [(None, 1), (None, 1), (regular, 1)],
        "by path, of the directory, of a file"
    );
    assert_eq!((of("dup"), of("read")), (vec![(None, 1)], vec![(other, 1)]));
}
