//! Small traces in every form, letter by letter where the form is text.

use super::*;
use fathom_events::{CallOutcome, FileAction, OpenFlags, Target};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// A process that opens a file with a hostile name, reads it, forks a child that closes what it
/// inherited, and ends.
fn events() -> (Vec<FileEvent>, PathTable) {
    let mut paths = PathTable::new();
    let hostile = paths.number(OsStr::from_bytes(b"d/\xe2\x80\xaea\nb\xff"));
    let program = paths.number(OsStr::new("/usr/bin/app"));
    let event = |at_ns, process, call, action, outcome, took_ns| FileEvent {
        at_ns,
        process,
        thread: process,
        call,
        action,
        outcome,
        took_ns,
        waited_ns: None,
        slept_ns: None,
        stack: None,
    };
    let value = CallOutcome::Value;
    let fork = FileAction::Fork { shares_descriptors: false, shares_directory: false, is_thread: false };
    let read = FileAction::Read { descriptor: 3, bytes: 100, offset: None, pieces: 1 };
    let exit = |code| FileAction::Exit { code: Some(code), whole: true };
    let open = FileAction::Open { target: Target::path(hostile), flags: OpenFlags(0x8_0000), mode: 0 };
    let events = vec![
        event(0, 10, "execve", FileAction::Execute { target: Target::path(program) }, value(0), None),
        event(5_000, 10, "openat", open, value(3), Some(2_500)),
        event(9_000, 10, "read", read, value(7), Some(1_000)),
        event(10_000, 10, "fork", fork, value(11), None),
        event(11_000, 11, "close", FileAction::Close { descriptor: 3 }, value(0), Some(500)),
        event(12_000, 11, "close", FileAction::Close { descriptor: 3 }, CallOutcome::Failed(9), Some(500)),
        event(13_000, 11, "exit_group", exit(0), CallOutcome::Unfinished, None),
        event(14_000, 10, "exit_group", exit(3), CallOutcome::Unfinished, None),
    ];
    (events, paths)
}

fn exported(format: EventFormat) -> (Vec<u8>, EventsWritten) {
    let (events, paths) = events();
    let mut surveyor = EventSurveyor::new(None);
    for event in &events {
        surveyor.observe(event, &paths);
    }
    let survey = surveyor.finish();
    let source = EventSource {
        subject: "app",
        capture: "ptrace",
        command: &["app".to_owned()],
        began_epoch_ns: Some(1_700_000_000_000_000_000),
        running: None,
        facts: &[],
        stacks: &HashMap::new(),
        survey: &survey,
        marks: &FindingMarks::default(),
    };
    let mut out = Vec::new();
    let mut exporter = export_events(format, source, &mut out).unwrap();
    for _ in 0..event_passes(format, &survey) {
        for event in &events {
            exporter.take(event, &paths).unwrap();
        }
    }
    let written = exporter.finish().unwrap();
    (out, written)
}

#[test]
fn what_strace_would_print() {
    let (text, written) = exported(EventFormat::Strace);
    assert_eq!(
        String::from_utf8(text).unwrap(),
        "10 1700000000.000000000 execve(\"/usr/bin/app\", ?, ?) = 0\n\
         10 1700000000.000002500 openat(AT_FDCWD, \"d/\\342\\200\\256a\\nb\\377\", O_RDONLY|O_CLOEXEC) = 3 <0.000002500>\n\
         10 1700000000.000008000 read(3, \"\"..., 100) = 7 <0.000001000>\n\
         10 1700000000.000010000 fork() = 11\n\
         11 1700000000.000010500 close(3) = 0 <0.000000500>\n\
         11 1700000000.000011500 close(3) = -1 EBADF <0.000000500>\n\
         11 1700000000.000013000 +++ exited with 0 +++\n\
         10 1700000000.000014000 +++ exited with 3 +++\n"
    );
    assert_eq!((written.slices, written.instants), (4, 4));
}

#[test]
fn chromes_events_have_times_lives_and_names_that_hide_nothing() {
    let (text, written) = exported(EventFormat::Chrome);
    let trace: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let of = |kind: &str| events.iter().filter(|event| event["ph"] == kind).collect::<Vec<_>>();
    let opened = of("X")[0];
    assert_eq!((&opened["ts"], &opened["dur"]), (&2.5.into(), &2.5.into()));
    assert_eq!(opened["args"]["path"], "d/\\u{202e}a\\nb\\xff");
    assert_eq!(of("X")[1]["args"]["file"], "d/\\u{202e}a\\nb\\xff");
    assert_eq!((of("X").len(), of("i").len()), (4, 4));
    // One life in the parent, one in the child, which inherited it.
    let lives: Vec<_> = of("b").iter().map(|event| (event["pid"].as_u64(), event["ts"].as_f64())).collect();
    assert_eq!(lives, [(Some(10), Some(5.0)), (Some(11), Some(10.0))]);
    let ends: Vec<_> = of("e").iter().map(|event| (event["id"].clone(), event["ts"].as_f64())).collect();
    assert_eq!(ends, [("0x2".into(), Some(11.0)), ("0x1".into(), Some(14.0))]);
    assert_eq!(written.lifetimes, 2);
    assert!(!String::from_utf8(text).unwrap().contains('\u{202e}'));
}

#[test]
fn speedscope_has_a_profile_a_thread_with_balanced_calls() {
    let (text, _) = exported(EventFormat::Speedscope);
    let file: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let profiles = file["profiles"].as_array().unwrap();
    assert_eq!(profiles.len(), 2);
    let mut opened = 0;
    for profile in profiles {
        let (mut open, mut last) = (Vec::new(), 0);
        for event in profile["events"].as_array().unwrap() {
            let at = event["at"].as_u64().unwrap();
            assert!(at >= last, "{profile}");
            last = at;
            if event["type"] == "O" {
                opened += 1;
                open.push(event["frame"].clone());
            } else {
                assert_eq!(open.pop(), Some(event["frame"].clone()));
            }
        }
        assert!(open.is_empty());
    }
    assert_eq!(opened, 8);
    let frames: Vec<_> = file["shared"]["frames"].as_array().unwrap().iter().map(|of| &of["name"]).collect();
    assert!(frames.contains(&&"openat d/\\u{202e}a\\nb\\xff".into()), "{frames:?}");
}

#[test]
fn perfetto_is_made_of_whole_packets() {
    let (bytes, written) = exported(EventFormat::Perfetto);
    let (mut at, mut packets) = (0, 0);
    while at < bytes.len() {
        assert_eq!(bytes[at], 0x0a, "field 1 of `Trace`");
        at += 1;
        let (mut length, mut shift) = (0_usize, 0);
        loop {
            let byte = bytes[at];
            at += 1;
            length |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                break;
            }
        }
        at += length;
        packets += 1;
    }
    assert_eq!(at, bytes.len());
    // Two for each slice and each life, one for each instant; tracks, processes, the head.
    assert!(packets > 2 * 4 + 4 + 2 * 2, "{packets}");
    assert_eq!((written.slices, written.lifetimes), (4, 2));
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_begins_and_ends_as_such() {
    let (bytes, written) = exported(EventFormat::Parquet);
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    assert_eq!((written.slices, written.instants), (4, 4));
}
