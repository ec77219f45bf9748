//! Files of events written, read, cut, damaged, and of other versions.

use super::*;
use crate::{
    CallOutcome, FileAction, FileEvent, FileFacts, FileKind, OpenFlags, PathTable, RunningProcess, StackId,
    Target,
};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

fn header() -> TraceHeader {
    TraceHeader { subject: "ls -l".to_owned(), directory: Some("/srv".to_owned()), ..TraceHeader::default() }
}

/// `count` events of three kinds, some with paths that are no UTF-8.
fn events(count: u64) -> (Vec<FileEvent>, PathTable) {
    let mut paths = PathTable::new();
    let events = (0..count).map(|number| {
        let name = [b"/data/\xff".as_slice(), (number % 300).to_string().as_bytes()].concat();
        let target = Target::path(paths.number(OsStr::from_bytes(&name)));
        let facts =
            FileFacts { kind: Some(FileKind::Regular), size_bytes: Some(number), ..FileFacts::default() };
        let (call, action) = match number % 3 {
            0 => ("openat", FileAction::Open { target, flags: OpenFlags(0x8_0000), mode: 0 }),
            1 => ("fstat", FileAction::Stat { target, facts: Some(Box::new(facts)), mask: 0 }),
            _ => ("close", FileAction::Close { descriptor: 3 }),
        };
        FileEvent {
            // Threads return in turns: a clock may go back a little.
            at_ns: 1000 * number + if number % 5 == 0 { 3000 } else { 0 },
            process: 10,
            thread: 10 + u32::try_from(number % 2).unwrap(),
            call,
            action,
            outcome: if number % 7 == 0 { CallOutcome::Failed(2) } else { CallOutcome::Value(-1 + 4) },
            // The first frame has none up to its middle.
            took_ns: (number > 4000 && !number.is_multiple_of(9)).then_some(number % 1000),
            waited_ns: (number > 5000).then_some(number % 10),
            slept_ns: (number % 6000 == 5999).then_some(number),
            stack: number.is_multiple_of(4).then_some(StackId(9)),
        }
    });
    (events.collect(), paths)
}

fn written(events: &[FileEvent], paths: &PathTable) -> Vec<u8> {
    let mut writer = TraceWriter::new(Vec::new(), &header()).unwrap();
    for event in events {
        writer.write(event.clone(), paths).unwrap();
    }
    let fact = KeptFact { label: "ended".to_owned(), text: "exit 0".to_owned() };
    let stacks = vec![KeptStack { number: 9, frames: vec!["main".to_owned()] }];
    writer
        .finish(TraceEnd {
            events: 0,
            exit_code: Some(0),
            signal: None,
            cpu_ns: Some(3_000_000),
            facts: vec![fact],
            stacks,
        })
        .unwrap()
}

/// What can be read, with its end where it is whole.
type Whole = (Vec<FileEvent>, PathTable, Option<TraceEnd<String>>);

fn read(bytes: &[u8]) -> Result<Whole, TraceFileError> {
    let mut reader = TraceReader::new(bytes)?;
    assert_eq!(reader.header(), &header());
    let mut events = Vec::new();
    while let Some(event) = reader.next_event()? {
        events.push(event);
    }
    let end = reader.end()?;
    Ok((events, reader.paths().clone(), end))
}

#[test]
fn what_was_written_is_read_again() {
    let (events, paths) = events(30_000);
    let bytes = written(&events, &paths);
    let (read, read_paths, end) = read(&bytes).unwrap();
    assert!(read == events, "events are the same");
    assert!(read_paths.paths_from(0).eq(paths.paths_from(0)), "paths are the same, in order");
    let end = end.unwrap();
    assert_eq!((end.events, end.facts[0].text.as_str(), end.stacks[0].number), (30_000, "exit 0", 9));
    assert!(bytes.len() < 30_000 * 8, "{} bytes", bytes.len());
}

#[test]
fn a_file_cut_anywhere_is_read_up_to_its_last_whole_frame() {
    let (events, paths) = events(20_000);
    let bytes = written(&events, &paths);
    let mut lengths = std::collections::BTreeSet::new();
    for cut in (0..bytes.len()).step_by(97).chain([bytes.len() - 1]) {
        match read(&bytes[..cut]) {
            Ok((read, _, end)) => {
                assert!(end.is_none() && read == events[..read.len()], "cut at {cut}");
                lengths.insert(read.len());
            }
            Err(TraceFileError::Foreign) => assert!(cut < MAGIC.len()),
            Err(TraceFileError::NoHeader) => assert!(cut < 300, "cut at {cut}"),
            Err(other) => panic!("cut at {cut}: {other}"),
        }
    }
    assert_eq!(lengths.into_iter().collect::<Vec<_>>(), [0, 8192, 16384, 20_000]);
}

#[test]
fn a_changed_byte_is_never_taken_for_an_event() {
    let (events, paths) = events(500);
    let bytes = written(&events, &paths);
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        match read(&changed) {
            // Only a size can look like a file that was cut short.
            Ok((read, _, end)) => assert!(end.is_none() && (read.is_empty() || read == events), "at {at}"),
            Err(TraceFileError::Damaged { .. } | TraceFileError::NoHeader) => {}
            Err(TraceFileError::Foreign) => assert!(at < MAGIC.len()),
            Err(TraceFileError::Version { .. }) => assert!((MAGIC.len()..MAGIC.len() + 4).contains(&at)),
            Err(other) => panic!("at {at}: {other}"),
        }
    }
}

#[test]
fn foreign_and_newer_files_are_told() {
    let newer = [&MAGIC[..], &(TRACE_FILE_VERSION + 1).to_le_bytes()].concat();
    for (bytes, words) in [
        (&b"{\"schema_version\": 1}"[..], "no file of events"),
        (b"", "no file of events"),
        (&newer, "its form is version 5, this Fathom reads versions 1 to 4"),
        (&MAGIC, "ends before its header"),
    ] {
        let error = TraceReader::new(bytes).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    assert!(is_trace_file(&newer) && !is_trace_file(b"FATHOM"));
}

#[test]
fn a_process_that_comes_in_is_told_before_the_event_that_follows() {
    let (events, paths) = events(2);
    let running = |process| RunningProcess {
        process,
        program: Some("/bin/sh".to_owned()),
        directory: Some("/srv".to_owned()),
        root: None,
        descriptors: Vec::new(),
    };
    let mut writer = TraceWriter::new(Vec::new(), &header()).unwrap();
    writer.meet(&running(7)).unwrap();
    let mut events = events.into_iter();
    writer.write(events.next().unwrap(), &paths).unwrap();
    writer.meet(&running(8)).unwrap();
    writer.write(events.next().unwrap(), &paths).unwrap();
    let end = TraceEnd::<()> {
        events: 0,
        exit_code: None,
        signal: None,
        cpu_ns: None,
        facts: vec![],
        stacks: vec![],
    };
    let bytes = writer.finish(end).unwrap();
    let mut reader = TraceReader::new(&bytes[..]).unwrap();
    for process in [7, 8] {
        reader.next_event().unwrap().unwrap();
        assert_eq!(reader.take_met(), [running(process)]);
    }
    assert!(reader.next_event().unwrap().is_none() && reader.take_met().is_empty());
}

/// Guards the form: where this fails, an event is written otherwise than it was, and
/// `TRACE_FILE_VERSION` has to rise (then put the new bytes here).
#[test]
fn the_form_of_events_is_that_of_its_version() {
    let (events, _) = events(3);
    let stored: Vec<_> = events.into_iter().map(|event| block::StoredEvent::of(event, 0, 1)).collect();
    let bytes = postcard::to_stdvec(&stored).unwrap();
    let known = [
        0x03, 0xf0, 0x2e, 0x0a, 0x0a, 0x01, 0x00, 0x01, 0xc7, 0x01, 0x00, 0x01, 0x80, 0x80, 0x20, 0x00, 0x01,
        0x04, 0x01, 0x09, 0xd0, 0x0f, 0x0a, 0x0b, 0x01, 0x06, 0x01, 0xc7, 0x01, 0x01, 0x01, 0x01, 0x00, 0x01,
        0x00, 0x00, 0x00, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x06, 0x00, 0xa0, 0x1f, 0x0a, 0x0a, 0x01, 0x01,
        0x06, 0x00, 0x06, 0x00,
    ];
    assert_eq!((TRACE_FILE_VERSION, &bytes[..]), (4, &known[..]));
    let last = postcard::to_stdvec(&[FileAction::OwnDescriptors, FileAction::Other]).unwrap();
    assert_eq!(last, [40, 42], "actions are known by their place in the list");
}

/// A trace of frames that the test makes: whatever they say, their checksums are right.
fn crafted(blocks: impl IntoIterator<Item = Vec<u8>>, end: Option<&[u8]>) -> Vec<u8> {
    let mut bytes = [&MAGIC[..], &TRACE_FILE_VERSION.to_le_bytes()].concat();
    frame::write(&mut bytes, frame::FrameKind::Header, &serde_json::to_vec(&header()).unwrap()).unwrap();
    for block in blocks {
        frame::write(&mut bytes, frame::FrameKind::Events, &block).unwrap();
    }
    if let Some(end) = end {
        frame::write(&mut bytes, frame::FrameKind::End, end).unwrap();
    }
    bytes
}

/// A block as postcard has it: so many paths, calls and events are said to follow.
fn block(paths: &[Vec<u8>], calls: &[&str], events: (usize, &[u8])) -> Vec<u8> {
    let mut bytes = postcard::to_stdvec(&(paths, calls, events.0)).unwrap();
    bytes.extend((0..events.0).flat_map(|_| events.1));
    // No durations, no waits and no sleeps.
    bytes.extend([0, 0, 0]);
    bytes
}

fn damage(bytes: &[u8]) -> String {
    match read(bytes) {
        Err(TraceFileError::Damaged { what, .. }) => what,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_frame_with_more_events_than_a_writer_puts_there_is_damaged() {
    let (events, paths) = events(2);
    let stored = postcard::to_stdvec(&block::StoredEvent::of(events[1].clone(), 0, 0)).unwrap();
    let names: Vec<_> = paths.paths_from(0).map(|path| path.as_bytes().to_vec()).collect();
    let whole = crafted([block(&names, &["fstat"], (8192, &stored))], None);
    assert_eq!(read(&whole).unwrap().0.len(), 8192);
    let what = damage(&crafted([block(&names, &["fstat"], (8193, &stored))], None));
    assert!(what.contains("a frame of events cannot be read"), "{what}");
    let mut lie = block(&[], &[], (0, &[]));
    lie.truncate(lie.len() - 3);
    // 2^40 events follow, it says.
    lie.extend([0x80, 0x80, 0x80, 0x80, 0x80, 0x20]);
    damage(&crafted([lie], None));
}

#[test]
fn a_file_of_version_1_is_read_and_has_no_durations() {
    let (events, paths) = events(2);
    let stored = postcard::to_stdvec(&block::StoredEvent::of(events[1].clone(), 0, 0)).unwrap();
    let names: Vec<_> = paths.paths_from(0).map(|path| path.as_bytes().to_vec()).collect();
    let mut of_1 = block(&names, &["fstat"], (3, &stored));
    of_1.truncate(of_1.len() - 3);
    let mut bytes = crafted([of_1], None);
    bytes[MAGIC.len()..MAGIC.len() + 4].copy_from_slice(&1_u32.to_le_bytes());
    let (read, _, _) = read(&bytes).unwrap();
    assert_eq!(read.len(), 3);
    assert!(read.iter().all(|event| event.took_ns.is_none() && event.call == "fstat"));
}

#[test]
fn a_file_of_version_2_is_read_and_has_durations_without_waits() {
    let (events, paths) = events(2);
    let stored = postcard::to_stdvec(&block::StoredEvent::of(events[1].clone(), 0, 0)).unwrap();
    let names: Vec<_> = paths.paths_from(0).map(|path| path.as_bytes().to_vec()).collect();
    let mut of_2 = block(&names, &["fstat"], (2, &stored));
    of_2.truncate(of_2.len() - 3);
    of_2.extend([2, 0, 8]);
    let mut bytes = crafted([of_2], None);
    bytes[MAGIC.len()..MAGIC.len() + 4].copy_from_slice(&2_u32.to_le_bytes());
    let (read, _, _) = read(&bytes).unwrap();
    assert_eq!(read.iter().map(|event| event.took_ns).collect::<Vec<_>>(), [None, Some(7)]);
    assert!(read.iter().all(|event| event.waited_ns.is_none()));
}

#[test]
fn a_file_of_version_3_is_read_and_tells_of_no_sleep() {
    let (events, paths) = events(2);
    let stored = postcard::to_stdvec(&block::StoredEvent::of(events[1].clone(), 0, 0)).unwrap();
    let names: Vec<_> = paths.paths_from(0).map(|path| path.as_bytes().to_vec()).collect();
    let mut of_3 = block(&names, &["fstat"], (2, &stored));
    of_3.truncate(of_3.len() - 3);
    of_3.extend([0, 2, 0, 6]);
    let mut bytes = crafted([of_3], None);
    bytes[MAGIC.len()..MAGIC.len() + 4].copy_from_slice(&3_u32.to_le_bytes());
    let (read, _, _) = read(&bytes).unwrap();
    assert_eq!(read.iter().map(|event| event.waited_ns).collect::<Vec<_>>(), [None, Some(5)]);
    assert!(read.iter().all(|event| event.slept_ns.is_none()));
}

#[test]
fn durations_for_another_number_of_events_are_damage() {
    let (events, paths) = events(2);
    let stored = postcard::to_stdvec(&block::StoredEvent::of(events[1].clone(), 0, 0)).unwrap();
    let names: Vec<_> = paths.paths_from(0).map(|path| path.as_bytes().to_vec()).collect();
    let mut wrong = block(&names, &["fstat"], (3, &stored));
    wrong.truncate(wrong.len() - 3);
    wrong.extend([2, 1, 1, 0, 0]);
    let what = damage(&crafted([wrong], None));
    assert!(what.contains("more or fewer durations"), "{what}");
}

#[test]
#[ignore = "long"]
fn paths_that_a_small_file_makes_much_of_are_damage() {
    let long = |number: usize| format!("{number}{}", "/".repeat(1 << 20)).into_bytes();
    let blocks = (0..80).map(|number| block(&[long(number)], &[], (0, &[])));
    let bytes = crafted(blocks, None);
    assert!(bytes.len() < 50_000, "{}", bytes.len());
    let what = damage(&bytes);
    assert!(what.contains("more than 16 times what the file takes and 64 MiB"), "{what}");
}

#[test]
#[ignore = "long"]
fn an_end_of_many_values_is_damage_and_is_not_written() {
    let mut end = br#"{"events":0,"facts":["#.to_vec();
    end.extend(br#"{"label":"","text":""},"#.repeat(1 << 20));
    end.extend(br#"{"label":"","text":""}]}"#);
    let mut bytes = crafted([], None);
    assert!(frame::write(&mut bytes, frame::FrameKind::End, &end).is_err());
    let stacks: Vec<_> =
        (0..1_500_000).map(|number| KeptStack { number, frames: Vec::<String>::new() }).collect();
    let writer = TraceWriter::new(Vec::new(), &header()).unwrap();
    let end = TraceEnd { events: 0, exit_code: Some(3), signal: None, cpu_ns: None, facts: vec![], stacks };
    let (_, _, end) = read(&writer.finish(end).unwrap()).unwrap();
    let end = end.unwrap();
    assert_eq!((end.exit_code, end.stacks.len()), (Some(3), 0));
    assert_eq!(end.facts[0].text, "1500000 stacks are left out: they take too much room");
}
