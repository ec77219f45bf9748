//! The same run of the same program under other options tells the same.

use crate::shown::{by_process, shown};
use crate::{read, text};
use fathom_events::{FileAction, FileKind, PathTable};
use fathom_trace::StraceLog;
use std::collections::BTreeMap;
use std::path::Path;

/// What was made by the same program under different options.
const VARIANTS: [&str; 12] = [
    "plain",
    "clock_duration_paths",
    "everything",
    "relative",
    "seconds_hex",
    "hex_paths",
    "stacks",
    "numbers_places_names",
    "both_times",
    "verbose_constants",
    "raw_constants",
    "stderr",
];

#[test]
fn every_variant_of_a_run_tells_the_same() {
    let plain = by_process(&read("files_plain"));
    assert_eq!(plain.iter().map(Vec::len).collect::<Vec<_>>(), [48, 4]);
    for variant in VARIANTS {
        let read = read(&format!("files_{variant}"));
        assert_eq!(by_process(&read), plain, "{variant}");
        assert_eq!(read.notes, [], "{variant}");
    }
}

#[test]
fn logs_of_single_threads_tell_what_each_did() {
    let plain = by_process(&read("files_plain"));
    for (name, thread, told) in
        [("files_first_thread", 70, &plain[0]), ("files_second_thread", 71, &plain[1])]
    {
        let text = text(name);
        let mut log = StraceLog::new(&text[..]).of_thread(thread);
        let mut paths = PathTable::new();
        let mut calls = Vec::new();
        while let Some(event) = log.next_event(&mut paths).unwrap() {
            assert_eq!((event.process, event.thread), (thread, thread));
            calls.push(shown(&event, &paths));
        }
        assert_eq!(&calls, told);
        assert!(log.notes().is_empty());
    }
}

#[test]
fn a_run_is_told_as_the_program_made_it() {
    let read = read("files_everything");
    let mut expected = Vec::from(EXPECTED);
    let own = read.events.iter().filter(|event| event.process == read.events[0].process);
    for event in own {
        assert_eq!(shown(event, &read.paths), expected.remove(0));
    }
    assert_eq!(expected, [""; 0]);
    assert_eq!(read.directory.as_deref(), Some(Path::new("/srv/data")));
    let facts = read.events.iter().find_map(|event| match &event.action {
        FileAction::Stat { facts, .. } => facts.clone(),
        _ => None,
    });
    let undecided: Vec<_> = read.events.iter().filter_map(|event| undecided(&event.action)).collect();
    assert_eq!(undecided, [1, 0], "one of the entries is a link");
    let facts = facts.unwrap();
    assert_eq!(
        (facts.kind, facts.permissions, facts.size_bytes),
        (Some(FileKind::Regular), Some(0o644), Some(109))
    );
    assert_eq!((facts.owner, facts.identity.unwrap().inode), (Some(0), 9));
    assert!(facts.modified_ns.unwrap() % 1_000_000_000 > 0 && facts.changed_ns >= facts.modified_ns);
}

#[test]
fn times_begin_with_the_log_and_go_on() {
    for variant in ["clock_duration_paths", "everything", "relative", "both_times"] {
        let events = read(&format!("files_{variant}")).events;
        assert!(events.windows(2).all(|two| two[0].at_ns <= two[1].at_ns), "{variant}");
        let last = events.last().unwrap().at_ns;
        assert!((20_000_000..1_000_000_000).contains(&last), "{variant}: {last}, with a sleep of 20 ms");
    }
    assert!(read("files_plain").events.iter().all(|event| event.at_ns == 0));
}

#[test]
fn stacks_are_numbered_and_lead_to_their_frames() {
    let mut log = StraceLog::new(text("files_stacks").leak() as &[u8]);
    let mut paths = PathTable::new();
    let mut frames = BTreeMap::new();
    while let Some(event) = log.next_event(&mut paths).unwrap() {
        // Of an exit strace prints the stack after the end, when it is nobody's.
        assert_eq!(event.stack.is_none(), event.call == "exit_group", "{event:?}");
        if let Some(stack) = event.stack {
            frames.insert(event.call, log.frames(stack));
        }
    }
    let functions: Vec<_> = frames["execve"].iter().map(|frame| frame.function.as_deref().unwrap()).collect();
    assert_eq!(functions, ["execve", "main"]);
    let main = &frames["execve"][1];
    assert_eq!((main.object.as_str(), main.offset_bytes), ("/srv/data/files", Some(0x37d)));
    assert_eq!(main.address, Some(0x1992));
}

fn undecided(action: &FileAction) -> Option<u32> {
    match action {
        FileAction::List { undecided, .. } => *undecided,
        _ => None,
    }
}

/// What the first process of `files` does, by reading its source.
const EXPECTED: [&str; 48] = [
    r#"execve "./files" = 0"#,
    r#"readlink "/proc/self/exe" to Some("/srv/data/files") = 15"#,
    r#"openat "notes \"one\"\n.txt" 0x80242 = 3"#,
    "write 3 54 = 54",
    "pwrite64 3 9 at 100 = 9",
    "writev 3 2 pieces 5 = 5",
    "newfstatat 3 Regular 109 = 0",
    "lseek 3 0 Start = 0",
    "read 3 64 = 64",
    "read 3 64 = 45",
    "read 3 64 = 0",
    "pread64 3 16 at 8 = 16",
    "fsync Sync { descriptor: Some(3), data_only: false } = 0",
    "dup Duplicate { descriptor: 3, to: None, close_on_exec: false } = 4",
    "fcntl 4 SetDescriptorFlags { close_on_exec: true } = 0",
    "fcntl 4 GetStatusFlags = 32770",
    "mmap Map { descriptor: Some(3), offset: 0, bytes: 109, protection: 1, flags: 2 } = 140737354096640",
    "munmap Unmap { address: 140737354096640, bytes: 109 } = 0",
    "close 4 = 0",
    r#"unlink "notes \"one\"\n.txt" directory=false = 0"#,
    "ftruncate Truncate { target: Descriptor(3), bytes: 10 } = 0",
    "close 3 = 0",
    r#"mkdir "d" 755 = 0"#,
    r#"symlink "../elsewhere, or (not)" "d/link" = 0"#,
    r#"readlink "d/link" to Some("../elsewhere, or (not)") = 22"#,
    r#"newfstatat "missing" = -2"#,
    r#"newfstatat "d/link" Link 22 = 0"#,
    r#"statx "d" Directory 60 = 0"#,
    r#"access "d" = 0"#,
    r#"openat "d" 0x10000 = 3"#,
    "getdents64 3 Some(3) = 72",
    "getdents64 3 Some(0) = 0",
    r#"newfstatat 3:"link" Link 22 = 0"#,
    r#"renameat 3:"link" "moved" = 0"#,
    "close 3 = 0",
    "pipe2 MakeDescriptors { kind: Pipe, made: [Some(3), Some(4)], close_on_exec: true } = 0",
    "clone thread=false files=false = child",
    "read 3 1 = 1",
    "close 3 = 0",
    "close 4 = 0",
    "socket MakeDescriptors { kind: Socket, made: [Some(3), None], close_on_exec: true } = 3",
    "close 3 = 0",
    r#"openat "/dev/null" 0x401 = 3"#,
    "ioctl DeviceControl { descriptor: 3, request: 21505 } = -25",
    r#"unlinkat "moved" directory=false = 0"#,
    r#"rmdir "d" directory=true = 0"#,
    "close 99 = -9",
    "exit_group Some(5) = unfinished",
];
