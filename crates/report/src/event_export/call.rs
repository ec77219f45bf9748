//! What is said of a call beside its name, in the words of its manual page.

use super::descriptors::Leads;
use super::timeline::{Step, descriptor, target};
use fathom_audit::{errno_name, open_flag_words};
use fathom_events::{CallOutcome, DescriptorKind, FileAction, PathId, Target};
use std::borrow::Cow;

/// One of a call's facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value<'a> {
    /// A path of the events' table.
    Path(PathId),
    /// A text that has nothing hidden in it.
    Text(Cow<'a, str>),
    /// A number.
    Number(i64),
}

/// Tells a call's facts one after the other: those that are known.
pub(super) fn describe(step: &Step<'_>, tell: &mut dyn FnMut(&'static str, Value<'_>)) {
    let event = step.event;
    match target(&event.action) {
        Some(Target::Path { directory, path, .. }) => {
            tell("path", Value::Path(*path));
            if *directory >= 0 {
                tell("directory", Value::Number(i64::from(*directory)));
            }
        }
        Some(Target::Descriptor(_)) | None => {}
    }
    if let Some(path) = second_path(&event.action) {
        tell("second_path", Value::Path(path));
    }
    if let Some(number) = descriptor(&event.action) {
        tell("descriptor", Value::Number(i64::from(number)));
    }
    if let Some(leads) = &step.leads {
        tell("file", leads_to(leads));
    }
    if let Some(bytes) = bytes(&event.action) {
        tell("bytes", Value::Number(signed(bytes)));
    }
    if let Some(offset) = offset(&event.action) {
        tell("offset", Value::Number(signed(offset)));
    }
    if let FileAction::Open { flags, .. } = &event.action {
        tell("flags", Value::Text(open_flag_words(flags.0).into()));
    }
    match event.outcome {
        CallOutcome::Value(value) => tell("result", Value::Number(value)),
        CallOutcome::Failed(errno) => tell("error", Value::Text(errno_name(errno).into())),
        CallOutcome::Unfinished if matches!(event.action, FileAction::Exit { .. }) => {}
        CallOutcome::Unfinished => tell("outcome", Value::Text("never returned".into())),
        CallOutcome::Unknown => tell("outcome", Value::Text("not known".into())),
    }
    if let FileAction::Exit { code: Some(code), .. } = &event.action {
        tell("code", Value::Number(i64::from(*code)));
    }
}

/// What a descriptor leads to, as a fact.
pub(super) fn leads_to(leads: &Leads) -> Value<'_> {
    match leads {
        Leads::To(path) => Value::Path(*path),
        Leads::ToOld(text) => Value::Text(Cow::Borrowed(text)),
        Leads::ToKind(kind) => Value::Text(kind_word(*kind).into()),
    }
}

/// The other path that an action names.
pub(super) fn second_path(action: &FileAction) -> Option<PathId> {
    match action {
        FileAction::Rename { to: Target::Path { path, .. }, .. }
        | FileAction::Link { to: Target::Path { path, .. }, .. }
        | FileAction::SymbolicLink { to: path, .. }
        | FileAction::ReadLink { to: Some(path), .. }
        | FileAction::CurrentDirectory { path: Some(path) } => Some(*path),
        _ => None,
    }
}

/// How many bytes were asked for.
pub(super) fn bytes(action: &FileAction) -> Option<u64> {
    match action {
        FileAction::Read { bytes, .. }
        | FileAction::Write { bytes, .. }
        | FileAction::Truncate { bytes, .. }
        | FileAction::Map { bytes, .. }
        | FileAction::Unmap { bytes, .. }
        | FileAction::Remap { bytes }
        | FileAction::AdviseMemory { bytes, .. }
        | FileAction::Advise { bytes, .. }
        | FileAction::Copy { bytes, .. } => Some(*bytes),
        _ => None,
    }
}

/// From or to where, where the call says it.
pub(super) fn offset(action: &FileAction) -> Option<u64> {
    match action {
        FileAction::Read { offset, .. } | FileAction::Write { offset, .. } => *offset,
        FileAction::Map { offset, descriptor: Some(_), .. } | FileAction::Advise { offset, .. } => {
            Some(*offset)
        }
        FileAction::Copy { from_offset, .. } => *from_offset,
        _ => None,
    }
}

/// What a descriptor without a path leads to.
pub(super) fn kind_word(kind: DescriptorKind) -> &'static str {
    match kind {
        DescriptorKind::Pipe => "pipe",
        DescriptorKind::Socket => "socket",
        DescriptorKind::Kernel => "kernel object",
        DescriptorKind::MemoryFile => "memory file",
    }
}

/// Numbers of the kernel's are addresses at most: they fit.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
