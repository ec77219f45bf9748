//! What the ring gave of a command.

use crate::strace_text::Row;
use crate::subject::Seen;
use fathom_events::{FileAction, PathTable};
use fathom_trace::{RingCapture, RingOptions, RingWants};
use std::process::Command;

const REQUIRED: &str = "FATHOM_TEST_REQUIRE";

/// Programs that watch; `None` where there can be none, which is said, or a failure where
/// it was said that there can.
pub(crate) fn capture(stacks: bool) -> Option<RingCapture> {
    match RingCapture::prepare(RingWants { stacks, times: true, waits: false, cgroup: None }) {
        Ok(capture) => Some(capture),
        Err(refusal) => {
            let required = std::env::var(REQUIRED).unwrap_or_default();
            assert!(!required.split(',').any(|one| one.trim() == "ring"), "no ring: {refusal}");
            eprintln!("skipped: no ring: {refusal}");
            None
        }
    }
}

/// Watches a command to its end.
pub(crate) fn trace_by_ring(command: &mut Command, options: &RingOptions<'_>) -> Option<Seen> {
    traced(command, options, false)
}

/// The same with stacks.
pub(crate) fn trace_with_stacks(command: &mut Command) -> Option<Seen> {
    traced(command, &RingOptions::default(), true)
}

fn traced(command: &mut Command, options: &RingOptions<'_>, with_stacks: bool) -> Option<Seen> {
    let (mut events, mut paths) = (Vec::new(), PathTable::new());
    let end = capture(with_stacks)?.trace_files(command, options, &mut |event, table| {
        events.push(event);
        for path in table.paths_from(paths.len()) {
            paths.number(path);
        }
    });
    let end = end.unwrap();
    assert_eq!(end.events, u64::try_from(events.len()).unwrap());
    Some(Seen { events, paths, end })
}

/// Calls in strace's words, ends left out.
pub(crate) fn rows(seen: &Seen) -> Vec<Row> {
    let calls = seen.events.iter().filter(|event| !matches!(event.action, FileAction::Exit { .. }));
    calls.map(|event| Row::of_event(event, &seen.paths)).collect()
}

/// Memory is not the same from run to run: the C library's arenas depend on who comes first.
pub(crate) fn of_files(rows: Vec<Row>) -> Vec<Row> {
    let files = rows.into_iter().filter(|row| matches!(row.call.as_str(), "openat" | "read" | "close"));
    files.map(Row::without_descriptor).collect()
}
