//! A log of strace's tells what our own tracer sees.

use crate::shown::by_process;
use crate::{Read, read_text};
use fathom_events::PathTable;
use fathom_trace::{FileTraceOptions, trace_files};
use std::process::{Command, Stdio};

const SCRIPT: &str = "cd /; for i in 1 2 3; do : < etc/passwd; done; cat /etc/passwd | wc -l; \
    test -e /no/such; ls -l /etc/passwd; (umask 077; exec cat /dev/null)";

#[test]
fn a_log_tells_what_our_tracer_sees() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut strace = Command::new("strace");
    strace.args(["-f", "-o"]).arg(file.path()).args(["sh", "-c", SCRIPT]);
    let ran = silenced(&mut strace).status().is_ok_and(|status| status.success());
    if !ran || fathom_trace::availability().is_err() {
        eprintln!("skipped: no strace that works, or no tracer of ours");
        return;
    }
    let log = read_text(&std::fs::read(file.path()).unwrap());
    assert_eq!(log.notes, []);

    let (mut events, mut paths) = (Vec::new(), PathTable::new());
    let mut command = Command::new("sh");
    command.args(["-c", SCRIPT]);
    let options = FileTraceOptions::default();
    trace_files(silenced(&mut command), &options, &mut |event, table| {
        paths = table.clone();
        events.push(event);
    })
    .unwrap();
    let traced = Read { events, paths, notes: Vec::new(), directory: None };

    let (log, traced) = (comparable(&log), comparable(&traced));
    assert!(log.len() >= 5 && log.iter().map(Vec::len).sum::<usize>() > 100, "{log:?}");
    for (log, traced) in log.iter().zip(&traced) {
        for (log, traced) in log.iter().zip(traced) {
            assert_eq!(log, traced);
        }
        assert_eq!(log.len(), traced.len());
    }
    assert_eq!(log.len(), traced.len());
}

fn silenced(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null())
}

/// What each process did but for memory, whose addresses are never the same, and
/// standard output, which is.
fn comparable(read: &Read) -> Vec<Vec<String>> {
    let is_memory =
        |event: &&String| ["mmap", "munmap", "mremap", "madvise"].iter().any(|call| event.starts_with(call));
    let mut processes: Vec<Vec<String>> = by_process(read)
        .iter()
        .map(|events| events.iter().filter(|event| !is_memory(event)).cloned().collect())
        .collect();
    // Those of a pipeline run beside each other.
    processes.sort();
    processes
}
