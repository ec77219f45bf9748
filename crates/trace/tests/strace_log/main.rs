//! Logs of a real strace, of the same programs in all its variants, read as events.

mod calls;
mod counts;
mod damage;
mod forms;
mod shown;
mod tracer;
mod variants;

use fathom_events::{FileEvent, PathTable};
use fathom_trace::{NoteKind, StraceLog};
use std::path::{Path, PathBuf};

/// A log that was read to its end.
struct Read {
    events: Vec<FileEvent>,
    paths: PathTable,
    notes: Vec<(NoteKind, u64)>,
    directory: Option<PathBuf>,
}

fn text(name: &str) -> Vec<u8> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/strace");
    std::fs::read(directory.join(format!("{name}.log"))).expect("a fixture")
}

fn read(name: &str) -> Read {
    read_text(&text(name))
}

fn read_text(text: &[u8]) -> Read {
    let mut log = StraceLog::new(text);
    let mut paths = PathTable::new();
    let mut events = Vec::new();
    while let Some(event) = log.next_event(&mut paths).expect("a log of strace's") {
        events.push(event);
    }
    let notes = log.notes().counts().collect();
    Read { events, paths, notes, directory: log.first_directory().map(Path::to_owned) }
}
