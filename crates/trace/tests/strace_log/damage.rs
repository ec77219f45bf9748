//! Logs that are cut, damaged or none of strace's.

use crate::{read_text, text};
use fathom_events::PathTable;
use fathom_trace::{NoteKind, StraceError, StraceLog};
use proptest::prelude::*;

#[test]
fn a_log_cut_anywhere_is_noted_and_read_up_to_there() {
    let whole = text("files_clock_duration_paths");
    for end in (300..whole.len()).step_by(7).filter(|end| whole[*end - 1] != b'\n') {
        let read = read_text(&whole[..end]);
        assert_eq!(read.notes, [(NoteKind::Cut, 1)], "at byte {end}");
        let lines = whole[..end].iter().rposition(|byte| *byte == b'\n').unwrap();
        assert_eq!(read.events, read_text(&whole[..=lines]).events, "at byte {end}");
    }
}

#[test]
fn a_line_cut_in_the_midst_of_a_log_costs_no_other_line() {
    let whole = String::from_utf8(text("files_everything")).unwrap();
    let lines: Vec<_> = whole.lines().collect();
    let all = read_text(whole.as_bytes()).events.len();
    let broken = lines.iter().position(|line| line.contains("renameat(")).unwrap();
    for end in 0..lines[broken].len() - 24 {
        let mut cut = lines.clone();
        cut[broken] = &cut[broken][..end];
        let read = read_text((cut.join("\n") + "\n").as_bytes());
        assert!(read.events.len() >= all - 1, "at {end}");
        assert!(end == 0 || !read.notes.is_empty(), "at {end}: {}", cut[broken]);
    }
}

#[test]
fn a_foreign_file_is_refused_by_its_first_line() {
    let foreign = |text: &str| {
        let mut log = StraceLog::new(text.as_bytes());
        log.next_event(&mut PathTable::new()).unwrap_err()
    };
    for text in [
        "hello\nworld\n",
        "int main(void) {\n  close(3);\n}\n",
        "% time     seconds  usecs/call\n",
        "\x7fELF\0\0",
    ] {
        let first =
            text.lines().next().unwrap().chars().filter(|letter| !letter.is_control()).collect::<String>();
        let error = foreign(text);
        assert!(matches!(error, StraceError::Foreign { .. }), "{error}");
        assert!(error.to_string().contains(first.trim_end_matches('\0')), "{error}");
    }
    assert!(read_text(b"").events.is_empty());
    let endless = "nothing of strace's\n".repeat(1000);
    let mut log = StraceLog::new(endless.as_bytes());
    assert!(log.next_event(&mut PathTable::new()).is_err());
    assert_eq!(log.lines(), 100, "it is not read to its end");
}

proptest! {
    #[test]
    fn no_input_panics(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let mut log = StraceLog::new(&bytes[..]);
        let mut paths = PathTable::new();
        while let Ok(Some(_)) = log.next_event(&mut paths) {}
    }

    #[test]
    fn no_damage_to_a_log_panics(
        name in prop::sample::select(vec!["files_everything", "files_stderr", "files_stacks", "threads_stderr", "shell"]),
        damages in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..80, "[ -~\n]{0,6}"), 1..6),
    ) {
        let mut bytes = text(name);
        for (at, length, instead) in damages {
            let at = at.index(bytes.len());
            let end = (at + length).min(bytes.len());
            bytes.splice(at..end, instead.into_bytes());
        }
        let mut log = StraceLog::new(&bytes[..]);
        let mut paths = PathTable::new();
        let mut events = 0;
        while let Ok(Some(_)) = log.next_event(&mut paths) {
            events += 1;
        }
        prop_assert!(events > 0);
    }
}
