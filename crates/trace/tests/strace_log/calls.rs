//! What each call is to do, from single lines.

use crate::shown::named;
use crate::{Read, read_text};
use fathom_events::{FileEvent, PathTable};
use std::fmt::Write;

/// Lines of strace's, each with what is read of it below, and what there is to note.
const TABLE: &str = include_str!("../fixtures/strace/calls.txt");

#[test]
fn each_call_is_read_as_it_is_meant() {
    let mut table = String::new();
    for line in TABLE.lines().filter(|line| !line.starts_with(' ')) {
        let Read { events, paths, notes, .. } = read_text(format!("munmap(0x1, 2) = 0\n{line}\n").as_bytes());
        writeln!(table, "{line}").expect("memory");
        for event in events.iter().filter(|event| event.call != "munmap") {
            writeln!(table, "    {}", whole(event, &paths)).expect("memory");
        }
        for (kind, _) in notes {
            writeln!(table, "    noted: {kind:?}").expect("memory");
        }
    }
    for (read, expected) in table.lines().zip(TABLE.lines()) {
        assert_eq!(read, expected);
    }
    assert_eq!(table.len(), TABLE.len());
}

/// An event with all that it tells.
fn whole(event: &FileEvent, paths: &PathTable) -> String {
    let text = named(format!("{:?} = {:?}", event.action, event.outcome), paths);
    text.replace("directory: -100, ", "")
}
