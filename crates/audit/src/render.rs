//! A call as text, the way a reader of system calls knows it.

use crate::call_key::{TERMINAL_SETTINGS, Word, errno_name};
use crate::open_flags;
use crate::world::{PlaceId, World};
use fathom_events::{CallOutcome, FileAction, FileEvent, FileKind, PathTable, Target};

/// Longer paths lose their beginning.
const PATH_CHARACTERS: usize = 60;

/// `openat("/data/a.json", O_RDONLY|O_CLOEXEC) = 3`.
pub(crate) fn rendered(
    event: &FileEvent,
    place: Option<PlaceId>,
    world: &World,
    paths: &PathTable,
) -> String {
    let target = |target: &Target| shown_target(target, place, world, paths);
    let given = |target: &Target| shown_target(target, None, world, paths);
    let arguments = match &event.action {
        FileAction::Open { target: which, flags, mode } => {
            let made = if open_flags::has(*flags, open_flags::CREATE) {
                format!(", {mode:#o}")
            } else {
                String::new()
            };
            format!("{}, {}{made}", target(which), open_flags::words(flags.0))
        }
        FileAction::Read { descriptor, bytes, offset, .. }
        | FileAction::Write { descriptor, bytes, offset, .. } => {
            let offset = offset.map(|offset| format!(", offset {offset}")).unwrap_or_default();
            format!("{descriptor}, {bytes} B{offset}")
        }
        FileAction::Seek { descriptor, offset, whence } => {
            format!("{descriptor}, {offset}, {}", Word::of_seek(*whence).text())
        }
        FileAction::Stat { target: which, facts, .. } => {
            let facts = facts.as_deref();
            let kind = facts.and_then(|facts| facts.kind).map(kind_word);
            let size = facts.and_then(|facts| facts.size_bytes).map(|size| format!("{size} B"));
            let told: Vec<_> = kind.map(str::to_owned).into_iter().chain(size).collect();
            let told = if told.is_empty() { String::new() } else { format!(", {{{}}}", told.join(", ")) };
            format!("{}{told}", target(which))
        }
        FileAction::Rename { from, to, .. } | FileAction::Link { from, to } => {
            format!("{}, {}", given(from), given(to))
        }
        FileAction::Control { descriptor, command } => {
            format!("{descriptor}, {}", Word::of_control(*command).text())
        }
        FileAction::DeviceControl { descriptor, request: TERMINAL_SETTINGS } => {
            format!("{descriptor}, TCGETS")
        }
        FileAction::DeviceControl { descriptor, request } => format!("{descriptor}, {request:#x}"),
        FileAction::Watch { descriptor, add } => {
            format!("{descriptor}, {}", if *add { "EPOLL_CTL_ADD" } else { "EPOLL_CTL_DEL" })
        }
        FileAction::Advise { descriptor, offset, bytes, advice } => {
            format!("{descriptor}, {offset}, {bytes}, {}", Word::of_advice(*advice).text())
        }
        FileAction::Map { descriptor: Some(descriptor), offset, bytes, .. } => {
            format!("{descriptor}, {bytes} B, offset {offset}")
        }
        FileAction::Map { bytes, .. } | FileAction::Unmap { bytes, .. } => format!("{bytes} B"),
        FileAction::Sync { descriptor: Some(descriptor), .. } => descriptor.to_string(),
        FileAction::Truncate { target: which, bytes } => format!("{}, {bytes} B", target(which)),
        FileAction::ChangeMode { target: which, mode }
        | FileAction::MakeDirectory { target: which, mode } => {
            format!("{}, {mode:#o}", target(which))
        }
        FileAction::Copy { from, to, bytes, .. } => format!("{from}, {to}, {bytes} B"),
        action => plain_arguments(action, &target),
    };
    format!("{}({arguments}){}", event.call, outcome(event))
}

fn plain_arguments(action: &FileAction, target: &dyn Fn(&Target) -> String) -> String {
    let subject = crate::world::Subject::of(action);
    match (subject.descriptor, subject.path) {
        (Some(descriptor), _) => descriptor.to_string(),
        (None, Some(path)) => target(path),
        (None, None) => String::new(),
    }
}

fn outcome(event: &FileEvent) -> String {
    match (event.outcome, &event.action) {
        (CallOutcome::Value(_), FileAction::Map { .. } | FileAction::Remap { .. }) => " = address".to_owned(),
        (CallOutcome::Value(value), _) => format!(" = {value}"),
        (CallOutcome::Failed(errno), _) => format!(" = {}", errno_name(errno)),
        (CallOutcome::Unfinished, _) => " never returned".to_owned(),
        (CallOutcome::Unknown, _) => String::new(),
    }
}

fn shown_target(target: &Target, place: Option<PlaceId>, world: &World, paths: &PathTable) -> String {
    match (target, place) {
        (Target::Descriptor(descriptor), _) => descriptor.to_string(),
        (Target::Path { .. }, Some(place)) => quoted(world.places.path(place)),
        (Target::Path { path, .. }, None) => quoted(&paths.path(*path).to_string_lossy()),
    }
}

/// A path in quotes; what would end its line or the quotes is escaped, as strace does it.
fn quoted(path: &str) -> String {
    // Rules keep examples of thousands of calls: one text is filled, and most letters stay as they are.
    let mut quoted = String::with_capacity(path.len() + 2);
    quoted.push('"');
    for letter in path.chars() {
        match letter {
            '"' | '\\' | '\n' | '\t' | '\r' => quoted.extend(letter.escape_default()),
            _ => quoted.push(letter),
        }
    }
    let length = quoted[1..].chars().count();
    if let Some(surplus) = length.checked_sub(PATH_CHARACTERS).filter(|surplus| *surplus > 0) {
        let cut: usize = quoted.chars().take(1 + surplus).map(char::len_utf8).sum();
        quoted.replace_range(1..cut, "…");
    }
    quoted.push('"');
    quoted
}

fn kind_word(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Regular => "regular",
        FileKind::Directory => "directory",
        FileKind::Link => "symbolic link",
        FileKind::Character => "character device",
        FileKind::Block => "block device",
        FileKind::Pipe => "pipe",
        FileKind::Socket => "socket",
    }
}

#[cfg(test)]
mod tests {
    use super::{PATH_CHARACTERS, quoted};

    #[test]
    fn a_name_stays_on_its_line_and_inside_its_quotes() {
        assert_eq!(quoted("/data/a, first b.txt"), r#""/data/a, first b.txt""#);
        assert_eq!(quoted("/data/a\n2. close(3)"), r#""/data/a\n2. close(3)""#);
        assert_eq!(quoted(r#"/data/"\x"#), r#""/data/\"\\x""#);
    }

    #[test]
    fn a_long_path_loses_its_beginning_by_letters() {
        let end = "ü".repeat(PATH_CHARACTERS);
        assert_eq!(quoted(&end), format!("\"{end}\""), "it is just short enough");
        assert_eq!(quoted(&format!("/ä/{end}")), format!("\"…{end}\""));
    }
}
