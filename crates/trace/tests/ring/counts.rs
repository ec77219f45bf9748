//! Calls counted in the kernel: of whom, how many, where, how long.

use crate::by_ring::capture;
use fathom_trace::{LiveCount, LiveCounts, LiveFile, LiveSubject, TraceError};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A shell in a directory that does what it is given line by line.
fn shell(directory: &Path) -> Child {
    Command::new("sh").stdin(Stdio::piped()).stdout(Stdio::piped()).current_dir(directory).spawn().unwrap()
}

fn counted_in<'a>(counts: &'a [LiveCount], call: &str, directory: &Path) -> Vec<&'a LiveCount> {
    let name = directory.file_name().unwrap().to_str().unwrap();
    let is_in = |count: &&LiveCount| match &count.file {
        LiveFile::In(found) => found.way.split('/').next_back() == Some(name),
        _ => false,
    };
    counts.iter().filter(|count| count.call == call).filter(is_in).collect()
}

#[test]
fn calls_of_a_process_and_its_children_are_counted_by_directory() {
    if capture(false).is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    fs::write(folder.join("file"), "content").unwrap();
    let mut shell = shell(&folder);
    let mut live = LiveCounts::begin(LiveSubject::Process(shell.id())).unwrap();
    let mut words = shell.stdin.take().unwrap();
    for _ in 0..23 {
        words.write_all(b"true < file\n").unwrap();
    }
    for _ in 0..5 {
        words.write_all(b"true < missing/file\n").unwrap();
    }
    words.write_all(b"cat file file; exit 0\n").unwrap();
    drop(words);
    assert!(shell.wait().unwrap().success());
    let (living, counts) = live.read().unwrap();
    assert_eq!(living, []);
    let opens = counted_in(&counts, "openat", &folder);
    let by_shell: Vec<_> = opens.iter().filter(|count| count.process == shell.id()).collect();
    assert_eq!(by_shell.len(), 1, "{counts:#?}");
    assert_eq!((by_shell[0].calls(), by_shell[0].failed, by_shell[0].untimed), (23, 0, 0));
    assert!(by_shell[0].took_ns > 23 * 100 && by_shell[0].latency.at_most_ns(0.5).unwrap() >= 256);
    let by_cat: Vec<_> = opens.iter().filter(|count| count.process != shell.id()).collect();
    assert_eq!(by_cat.iter().map(|count| count.calls()).sum::<u64>(), 2, "{counts:#?}");
    let missing: Vec<_> = counts
        .iter()
        .filter(|count| {
            count.process == shell.id() && count.call == "openat" && count.file == LiveFile::Unknown
        })
        .collect();
    assert_eq!((missing[0].calls(), missing[0].failed), (5, 5));
    // Two contents and two ends of files.
    let reads = counted_in(&counts, "read", &folder);
    assert_eq!(reads.iter().map(|count| count.calls()).sum::<u64>(), 4, "{counts:#?}");
    assert!(live.is_over() && live.uncounted() == 0);
    assert_eq!(live.read().unwrap(), (vec![], vec![]), "what has ended is told once");
}

#[test]
fn who_is_not_there_and_oneself_are_refused_by_name() {
    for (process, words) in [(std::process::id(), "fathom itself"), (4_194_303, "/proc/4194303: ")] {
        let error = LiveCounts::begin(LiveSubject::Process(process)).unwrap_err();
        assert!(
            matches!(error, TraceError::Forbidden { .. }) && error.to_string().contains(words),
            "{error}"
        );
    }
}
