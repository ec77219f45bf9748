//! Events as words to compare.

use crate::Read;
use fathom_events::{CallOutcome, FileAction, FileEvent, FileKind, PathTable, Target};

/// What each process did, in the order in which they come first.
pub(crate) fn by_process(read: &Read) -> Vec<Vec<String>> {
    let mut order = Vec::new();
    let mut each = Vec::new();
    for event in &read.events {
        let position = order.iter().position(|process| *process == event.process).unwrap_or_else(|| {
            order.push(event.process);
            each.push(Vec::new());
            each.len() - 1
        });
        each[position].push(shown(event, &read.paths));
    }
    each
}

/// An event without numbers of processes and without what only some variants tell.
pub(crate) fn shown(event: &FileEvent, paths: &PathTable) -> String {
    let quoted = |path| format!("{:?}", paths.path(path).to_string_lossy());
    let target = |target: &Target| match target {
        Target::Descriptor(descriptor) => descriptor.to_string(),
        Target::Path { directory: Target::CURRENT_DIRECTORY, path, .. } => quoted(*path),
        Target::Path { directory, path, .. } => format!("{directory}:{}", quoted(*path)),
    };
    let what = match &event.action {
        FileAction::Open { target: which, flags, .. } => format!("{} {:#x}", target(which), flags.0),
        FileAction::Close { descriptor } => descriptor.to_string(),
        FileAction::Read { descriptor, bytes, offset, pieces }
        | FileAction::Write { descriptor, bytes, offset, pieces } => {
            let at = offset.map(|offset| format!(" at {offset}")).unwrap_or_default();
            let pieces = if *pieces == 1 { String::new() } else { format!(" {pieces} pieces") };
            format!("{descriptor}{pieces} {bytes}{at}")
        }
        FileAction::Seek { descriptor, offset, whence } => format!("{descriptor} {offset} {whence:?}"),
        FileAction::Stat { target: which, facts, .. } => {
            let facts = facts.as_ref().map(|facts| {
                let kind = facts.kind.expect("a kind");
                // Of devices strace tells their number instead.
                let is_device = matches!(kind, FileKind::Character | FileKind::Block);
                let size =
                    if is_device { String::new() } else { format!(" {}", facts.size_bytes.expect("a size")) };
                format!(" {kind:?}{size}")
            });
            format!("{}{}", target(which), facts.unwrap_or_default())
        }
        FileAction::ReadLink { target: which, to } => {
            format!("{} to {:?}", target(which), to.map(|to| paths.path(to)))
        }
        FileAction::Execute { target: which } | FileAction::Access { target: which, .. } => target(which),
        FileAction::Rename { from, to, .. } => format!("{} {}", target(from), target(to)),
        FileAction::SymbolicLink { to, target: link } => format!("{} {}", quoted(*to), target(link)),
        FileAction::Remove { target: which, directory } => format!("{} directory={directory}", target(which)),
        FileAction::Control { descriptor, command } => format!("{descriptor} {command:?}"),
        FileAction::Fork { is_thread, shares_descriptors, .. } => {
            format!("thread={is_thread} files={shares_descriptors}")
        }
        FileAction::Exit { code, .. } => format!("{code:?}"),
        FileAction::MakeDirectory { target: which, mode } => format!("{} {mode:o}", target(which)),
        FileAction::List { descriptor, entries, .. } => format!("{descriptor} {entries:?}"),
        FileAction::Other => "unknown".to_owned(),
        other => named(format!("{other:?}"), paths),
    };
    let outcome = match (event.outcome, &event.action) {
        (CallOutcome::Value(_), FileAction::Fork { .. }) => "child".to_owned(),
        (CallOutcome::Value(value), _) => value.to_string(),
        (CallOutcome::Failed(errno), _) if errno >= 512 => format!("EINTRless {errno}"),
        (CallOutcome::Failed(errno), _) => format!("-{errno}"),
        (CallOutcome::Unfinished, _) => "unfinished".to_owned(),
        (CallOutcome::Unknown, _) => "unknown".to_owned(),
    };
    [event.call, " ", &what, " = ", &outcome].concat()
}

/// A text with paths in place of their numbers.
pub(crate) fn named(mut text: String, paths: &PathTable) -> String {
    for (number, path) in paths.paths_from(0).enumerate() {
        text = text.replace(&format!("PathId({number})"), &format!("{:?}", path.to_string_lossy()));
    }
    text
}
