//! Threads, other versions, and output in the midst of lines.

use crate::shown::shown;
use crate::{read, read_text, text};
use fathom_events::{CallOutcome, FileAction, FileEvent};
use fathom_trace::NoteKind;
use std::path::Path;

#[test]
fn calls_of_threads_are_put_together() {
    for log in ["threads_file", "threads_stderr"] {
        let read = read(log);
        let killed: &[_] = if log == "threads_stderr" { &[(NoteKind::Foreign, 1)] } else { &[] };
        assert_eq!(read.notes, killed, "the shell's `Killed` is no line of strace's");
        let first = read.events[0].process;
        let calls = |name: &str| -> Vec<&FileEvent> {
            read.events.iter().filter(|event| event.process == first && event.call == name).collect()
        };
        // Three threads: each reads a byte, opens a file, locks, writes and closes it.
        for name in ["flock", "write", "close"] {
            let threads: Vec<_> =
                calls(name).iter().filter(|event| event.thread != first).map(|event| event.thread).collect();
            assert_eq!(threads.len(), 3, "{log} {name}");
        }
        let made: Vec<_> =
            calls("clone3").iter().map(|event| (event.action.clone(), event.outcome)).collect();
        let is_thread = |action: &FileAction| {
            matches!(
                action,
                FileAction::Fork { is_thread: true, shares_descriptors: true, shares_directory: true }
            )
        };
        assert_eq!(made.iter().filter(|(action, _)| is_thread(action)).count(), 3, "{log}");
        let spawned = made.iter().find(|(action, _)| !is_thread(action)).unwrap().1.value().unwrap();
        let position = |wanted: &dyn Fn(&FileEvent) -> bool| read.events.iter().position(wanted).unwrap();
        let fork = position(&|event| event.outcome == CallOutcome::Value(spawned) && event.call == "clone3");
        let child = position(&|event| i64::from(event.process) == spawned);
        assert!(fork < child, "{log}: a process is made before it does anything");
        assert!(matches!(read.events.last().unwrap().action, FileAction::Exit { code: None, whole: true }));
        let whole = |event: &&FileEvent| matches!(event.action, FileAction::Exit { whole: true, .. });
        assert_eq!(read.events.iter().filter(whole).count(), 2, "{log}: each process ends once");
    }
}

#[test]
fn python_and_a_shell_are_read_without_a_doubt() {
    let python = read("python");
    assert_eq!((python.notes, python.events.len()), (vec![], 114));
    let shell = read("shell");
    assert_eq!(shell.notes, []);
    let named = |name: &str| shell.events.iter().filter(|event| event.call == name).count();
    assert_eq!(
        [named("execve"), named("pipe2"), named("unlinkat")],
        ["execve(", "pipe2(", "unlinkat("].map(|call| lines_with("shell", call))
    );
}

#[test]
fn threads_that_are_seen_before_what_made_them_ended() {
    let read = read_text(EARLY.as_bytes());
    assert_eq!(read.notes, []);
    let told: Vec<_> = read
        .events
        .iter()
        .map(|event| format!("{}/{} {}", event.process, event.thread, shown(event, &read.paths)))
        .collect();
    let expected = [
        "7/7 clone thread=true files=true = child",
        "7/8 close 3 = 0",
        "7/7 vfork thread=false files=false = child",
        "9/9 dup2 Duplicate { descriptor: 4, to: Some(1), close_on_exec: false } = 1",
        "9/9 execve \"/bin/true\" = 0",
        "9/9 exit_group None = unfinished",
        "7/7 read unknown = unfinished",
        "7/7 execve \"/bin/false\" = 0",
        "7/7 close 5 = 0",
        "7/7 clone thread=false files=false = child",
        "11/11 clone thread=true files=true = child",
        "11/12 close 5 = 0",
        "7/7 clone thread=false files=false = child",
        "13/13 close 6 = 0",
        "13/13 close 7 = 0",
        "7/7 exit_group Some(1) = unfinished",
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_process_ends_after_all_that_its_threads_did() {
    let calls = "7 clone(child_stack=0x7, flags=CLONE_VM|CLONE_FILES|CLONE_THREAD) = 8
8 fsync(3 <unfinished ...>
7 exit_group(3) = ?
8 <... fsync resumed> <unfinished ...>) = ?
";
    let ends = "8 +++ exited with 3 +++\n7 +++ exited with 3 +++\n";
    for log in [[calls, ends].concat(), calls.to_owned()] {
        let read = read_text(log.as_bytes());
        let told: Vec<_> =
            read.events[1..].iter().map(|event| (event.thread, shown(event, &read.paths))).collect();
        let expected = [
            (8, "fsync Sync { descriptor: Some(3), data_only: false } = unfinished"),
            (8, "exit Some(3) = unfinished"),
            (7, "exit_group Some(3) = unfinished"),
        ];
        assert_eq!(told, expected.map(|(thread, call)| (thread, call.to_owned())), "{log}");
        let whole = |event: &FileEvent| matches!(event.action, FileAction::Exit { whole: true, .. });
        assert_eq!(read.events.iter().map(whole).collect::<Vec<_>>(), [false, false, false, true]);
    }
}

#[test]
fn a_call_is_told_at_its_return() {
    let log = r#"7 10:00:00.000000 read(0,  <unfinished ...>
8 10:00:00.500000 close(0) = 0 <0.250000>
7 10:00:01.000000 <... read resumed>"a", 1) = 1 <1.000000>
7 10:00:02.000000 clone( <unfinished ...>
9 10:00:03.000000 close(3) = 0
7 10:00:04.000000 <... clone resumed> child_stack=0, flags=CLONE_VM) = 9
"#;
    let read = read_text(log.as_bytes());
    let told: Vec<_> = read.events.iter().map(|event| (event.call, event.at_ns / 1_000_000)).collect();
    assert_eq!(told, [("close", 750), ("read", 1000), ("clone", 3000), ("close", 3000)]);
}

#[test]
fn the_first_directory_is_that_before_any_other() {
    let open = "7 openat(AT_FDCWD</srv/a b>, \"x\", O_RDONLY) = 3</srv/a b/x>\n";
    assert_eq!(read_text(open.as_bytes()).directory.as_deref(), Some(Path::new("/srv/a b")));
    let later = format!("7 chdir(\"/srv/a b\") = 0\n{open}");
    assert_eq!(read_text(later.as_bytes()).directory, None);
    let failed = format!("7 chdir(\"/no\") = -1 ENOENT (No such file or directory)\n{open}");
    assert!(read_text(failed.as_bytes()).directory.is_some());
}

#[test]
fn only_the_next_of_straces_lines_continues_a_torn_one() {
    let read = read_text(b"7 read(3, \"abc\n7 close(3) = 0\n, 5) = 3\n");
    assert_eq!(read.notes, [(NoteKind::Foreign, 1), (NoteKind::Cut, 1)]);
    assert_eq!(read.events.iter().map(|event| event.call).collect::<Vec<_>>(), ["close"]);
}

/// One line per call, cut nowhere: strace's own words counted.
fn lines_with(log: &str, call: &str) -> usize {
    String::from_utf8_lossy(&text(log)).lines().filter(|line| line.contains(call)).count()
}

#[test]
fn old_versions_and_torn_lines_are_read() {
    let read = read_text(OLD.as_bytes());
    assert_eq!(read.notes, [(NoteKind::Foreign, 2)], "the lines `b` and `c`");
    let calls: Vec<_> = read.events.iter().map(|event| shown(event, &read.paths)).collect();
    let expected = [
        r#"execve "/bin/sh" = 0"#,
        r#"open "/etc/ld.so.cache" 0x80000 = 3"#,
        "fstat64 3 Regular 20 = 0",
        "clone thread=false files=false = child",
        "read 3 20 = EINTRless 512",
        "readv 3 2 pieces 12 = 12",
        r#"stat64 "/x" = -2"#,
        "_llseek 3 5 Current = 25",
        "write 2 6 = 6",
        "fcntl64 3 SetDescriptorFlags { close_on_exec: true } = 0",
        r#"execve "/bin/true" = 0"#,
        "exit_group Some(0) = unfinished",
        "exit_group Some(3) = unfinished",
    ];
    assert_eq!(calls, expected);
}

/// Forms of versions 4 and of 32-bit programs, and lines torn by other output.
const OLD: &str = r#"execve("/bin/sh", ["sh", "-c", "a"], [/* 20 vars */]) = 0
open("/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3
fstat64(3, {st_mode=S_IFREG|0644, st_size=20, ...}) = 0
clone(child_stack=0, flags=CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLDProcess 43 attached
, child_tidptr=0xb7) = 43
[pid    42] read(3,  <unfinished ...>
[pid    43] set_robust_list(0x7, 24) = 0
[pid    42] <... read resumed> 0x7ff, 20) = ? ERESTARTSYS (To be restarted if SA_RESTART is set)
[pid    42] --- SIGCHLD (Child exited) @ 0 (0) ---
[pid    42] readv(3, [{"ab", 2}, {"0123456789", 10}], 2) = 12
[pid    42] stat64("/x", 0xbf) = -1 ENOENT (No such file or directory)
[pid    42] _llseek(3, 5, [25], SEEK_CUR) = 0
[pid    42] write(2, "a\nb\nc\n", 6a
b
c
) = 6
[pid    42] fcntl64(3, F_SETFD, FD_CLOEXEC) = 0
[pid    43] execve("/bin/true", ["true"], [/* 20 vars */]) = 0
[pid    43] exit_group(0)               = ?
Process 43 detached
exit_group(3)                           = ?
"#;

/// `clone` whose arguments come when it ends, `vfork`, a program executed by a thread,
/// and two calls of which either could have made a thread.
const EARLY: &str = r#"7     clone( <unfinished ...>
8     set_robust_list(0x7, 24)          = 0
8     close(3)                          = 0
7     <... clone resumed> child_stack=0x7, flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_SIGHAND|CLONE_THREAD, tls=0x7) = 8
7     vfork( <unfinished ...>
9     dup2(4, 1)                        = 1
9     execve("/bin/true", ["true"], 0x7 /* 0 vars */ <unfinished ...>
7     <... vfork resumed> )             = 9
9     <... execve resumed> )            = 0
9     +++ killed by SIGTERM +++
7     read(0,  <unfinished ...>
8     execve("/bin/false", ["false"], 0x7 /* 0 vars */ <pid changed to 7 ...>
7     +++ superseded by execve in pid 8 +++
7     <... execve resumed> )            = 0
7     close(5)                          = 0
7     clone(child_stack=NULL, flags=SIGCHLD) = 11
7     clone(child_stack=NULL, flags=SIGCHLD <unfinished ...>
11    clone(child_stack=0x7, flags=CLONE_VM|CLONE_FILES|CLONE_THREAD <unfinished ...>
12    close(5)                          = 0
13    close(6)                          = 0
11    <... clone resumed>)              = 12
13    close(7)                          = 0
7     <... clone resumed>)              = 13
7     ???( <detached ...>
7     <... ??? resumed>)                = ?
7     exit_group(1)                     = ?
7     +++ exited with 1 +++
"#;
