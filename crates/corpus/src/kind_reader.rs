//! Events as kinds of calls: which program a process is, and what its descriptors were opened as.

use crate::kinds::CallKind;
use fathom_events::{FileAction, FileEvent, PathId, PathTable, Target};
use std::collections::BTreeMap;

/// Follows the processes of a trace.
#[derive(Debug, Default)]
pub(crate) struct KindReader {
    running: BTreeMap<u32, Running>,
}

/// What is known of a process: its program, and what its descriptors were opened as. Those that an exec
/// closes stay: another file takes their number.
#[derive(Debug, Clone, Default)]
struct Running {
    program: String,
    descriptors: BTreeMap<i32, String>,
}

impl KindReader {
    /// The kind of an event, in the order of events; none of a call that a signal broke off, which is a
    /// matter of time: it is told again when it was made again.
    pub(crate) fn kind(&mut self, event: &FileEvent, paths: &PathTable) -> Option<CallKind> {
        let errno = event.outcome.errno();
        (!errno.is_some_and(|errno| (512..=516).contains(&errno))).then(|| self.follow(event, paths))
    }

    fn follow(&mut self, event: &FileEvent, paths: &PathTable) -> CallKind {
        let running = &mut self.running;
        let process = running.entry(event.process).or_default();
        let named = |id: PathId| without_numbers(&paths.path(id).to_string_lossy());
        let mut places = Vec::new();
        for target in event.action.targets().into_iter().flatten() {
            match target {
                Target::Path { path, .. } => places.push(named(*path)),
                Target::Descriptor(descriptor) => places.extend(process.descriptors.get(descriptor).cloned()),
            }
        }
        let descriptor = event.action.descriptor();
        places.extend(descriptor.and_then(|descriptor| process.descriptors.get(&descriptor).cloned()));
        let mut place = places.join(" and ");
        let mut born = None;
        match (&event.action, event.outcome.descriptor()) {
            (FileAction::Open { .. } | FileAction::Duplicate { .. }, Some(descriptor)) => {
                process.descriptors.insert(descriptor, place.clone());
            }
            (FileAction::Close { descriptor }, _) => drop(process.descriptors.remove(descriptor)),
            (FileAction::Execute { .. }, Some(_)) => process.program.clone_from(&place),
            (FileAction::Fork { is_thread: false, .. }, Some(child)) => born = Some((child, process.clone())),
            (FileAction::Exit { code, whole: true }, _) => place = format!("code {code:?}"),
            _ => {}
        }
        let program = process.program.clone();
        if let Some((child, parent)) = born {
            // The child's first calls may be told before.
            let child = running.entry(child.unsigned_abs()).or_default();
            if child.program.is_empty() {
                *child = parent;
            }
        }
        CallKind { program, call: event.call.to_owned(), errno: event.outcome.errno(), place }
    }
}

/// Numbers of processes and of what is made for a moment differ from run to run.
fn without_numbers(path: &str) -> String {
    let mut plain = String::new();
    for letter in path.chars() {
        match letter {
            '0'..='9' if plain.ends_with('#') => {}
            '0'..='9' => plain.push('#'),
            _ => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_events::{CallOutcome, OpenFlags};
    use std::ffi::OsStr;

    fn event(process: u32, call: &'static str, action: FileAction, outcome: CallOutcome) -> FileEvent {
        FileEvent {
            at_ns: 0,
            process,
            thread: process,
            call,
            action,
            outcome,
            took_ns: None,
            waited_ns: None,
            slept_ns: None,
            stack: None,
        }
    }

    #[test]
    fn a_read_has_the_path_of_its_descriptor_also_in_a_child() {
        let mut paths = PathTable::new();
        let target = Target::path(paths.number(OsStr::new("/tmp/run-123/data")));
        let mut reader = KindReader::default();
        let open = FileAction::Open { target, flags: OpenFlags::default(), mode: 0 };
        let fork = FileAction::Fork { shares_descriptors: false, shares_directory: false, is_thread: false };
        let reading = || FileAction::Read { descriptor: 3, bytes: 9, offset: None, pieces: 1 };
        let _open = reader.kind(&event(7, "openat", open, CallOutcome::Value(3)), &paths);
        let _fork = reader.kind(&event(7, "clone", fork, CallOutcome::Value(8)), &paths);
        let read = reader.kind(&event(8, "read", reading(), CallOutcome::Failed(5)), &paths).unwrap();
        assert!(reader.kind(&event(8, "read", reading(), CallOutcome::Failed(512)), &paths).is_none());
        assert_eq!((read.place.as_str(), read.errno), ("/tmp/run-#/data", Some(5)));
    }
}
