//! How a call moves the position and the size of an open file, and what it tells of its kind.

use super::OpenFile;
use crate::open_flags;
use fathom_events::{ControlCommand, FileAction, FileEvent, FileKind, OpenFlags, Whence};

/// Moves position and size of a file, and learns what it is.
pub(super) fn move_on(file: &mut OpenFile, event: &FileEvent) {
    let value = event.outcome.value().and_then(|value| u64::try_from(value).ok());
    file.is_stream |= is_sign_of_stream(file, event);
    match (&event.action, value) {
        (FileAction::Read { offset, bytes, .. }, Some(came)) => {
            file.bytes_read += came;
            if offset.is_none() {
                file.was_short = 0 < came && came < *bytes;
                file.position = file.position.map(|position| position + came);
            }
        }
        (FileAction::Write { offset, .. }, Some(went)) => {
            file.bytes_written += went;
            let begin = offset.or(file.position);
            if offset.is_none() {
                file.is_appended |= open_flags::has(file.flags, open_flags::APPEND);
                file.position = file.position.map(|position| position + went);
            }
            file.size_bytes = file.size_bytes.zip(begin).map(|(size, begin)| size.max(begin + went));
        }
        (FileAction::Seek { whence, .. }, Some(position)) => {
            file.was_short = false;
            file.position = Some(position);
            file.is_appended = false;
            if *whence == Whence::End && matches!(event.action, FileAction::Seek { offset: 0, .. }) {
                file.size_bytes = Some(position);
            }
        }
        (FileAction::Seek { .. }, None) if event.outcome.errno() == Some(29) => {
            file.kind = file.kind.or(Some(FileKind::Pipe));
        }
        (FileAction::Stat { facts: Some(facts), .. }, Some(_)) => {
            file.kind = facts.kind.or(file.kind);
            file.identity = facts.identity.or(file.identity);
            file.size_bytes = facts.size_bytes.or(file.size_bytes);
        }
        (FileAction::Truncate { bytes, .. }, Some(_)) => file.size_bytes = Some(*bytes),
        (FileAction::Allocate { .. }, Some(_)) => file.size_bytes = None,
        (FileAction::Copy { from_offset: None, .. }, Some(came)) => {
            file.position = file.position.map(|position| position + came);
        }
        (FileAction::List { .. }, Some(_)) => {
            file.kind = Some(FileKind::Directory);
            file.position = None;
        }
        (FileAction::Control { command: ControlCommand::SetStatusFlags(flags), .. }, Some(_)) => {
            const SETTABLE: u32 = open_flags::APPEND | open_flags::DIRECT | 0x800;
            file.flags = OpenFlags(file.flags.0 & !SETTABLE | flags.0 & SETTABLE);
        }
        _ => {}
    }
}

/// `EAGAIN` and `EPIPE`: nothing there yet, nobody there any more.
const OF_STREAMS: [i32; 2] = [11, 32];

/// True of what is not seen on regular files. One that grows meanwhile is taken for none, too.
fn is_sign_of_stream(file: &OpenFile, event: &FileEvent) -> bool {
    match &event.action {
        FileAction::Read { offset: None, .. } if file.was_short && event.outcome.value() > Some(0) => true,
        FileAction::Read { .. } | FileAction::Write { .. } => {
            event.outcome.errno().is_some_and(|errno| OF_STREAMS.contains(&errno))
        }
        // Epoll takes no regular files.
        FileAction::Watch { add: true, .. } => event.outcome.value().is_some(),
        _ => false,
    }
}
