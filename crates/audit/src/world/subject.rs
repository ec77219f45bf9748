//! What a call is about: its descriptor, its path, its other path.

use super::open_file::Deed;
use fathom_events::{FileAction, Target};

/// The parts of a call that name files.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Subject<'a> {
    pub(crate) descriptor: Option<i32>,
    pub(crate) path: Option<&'a Target>,
    pub(crate) other_path: Option<&'a Target>,
}

impl<'a> Subject<'a> {
    /// That of an action.
    pub(crate) fn of(action: &'a FileAction) -> Self {
        match action {
            FileAction::Close { descriptor }
            | FileAction::Read { descriptor, .. }
            | FileAction::Write { descriptor, .. }
            | FileAction::Seek { descriptor, .. }
            | FileAction::List { descriptor, .. }
            | FileAction::Allocate { descriptor, .. }
            | FileAction::Duplicate { descriptor, .. }
            | FileAction::Control { descriptor, .. }
            | FileAction::DeviceControl { descriptor, .. }
            | FileAction::Lock { descriptor }
            | FileAction::Watch { descriptor, .. }
            | FileAction::Advise { descriptor, .. }
            | FileAction::Copy { from: descriptor, .. } => Self::on(*descriptor),
            FileAction::Map { descriptor, .. } | FileAction::Sync { descriptor, .. } => {
                Self { descriptor: *descriptor, ..Self::default() }
            }
            FileAction::Open { target, .. }
            | FileAction::Stat { target, .. }
            | FileAction::StatFileSystem { target }
            | FileAction::Access { target, .. }
            | FileAction::ReadLink { target, .. }
            | FileAction::MakeDirectory { target, .. }
            | FileAction::Remove { target, .. }
            | FileAction::SymbolicLink { target, .. }
            | FileAction::Truncate { target, .. }
            | FileAction::ChangeMode { target, .. }
            | FileAction::ChangeAttributes { target }
            | FileAction::GetAttribute { target }
            | FileAction::ChangeDirectory { target }
            | FileAction::ChangeRoot { target }
            | FileAction::Execute { target } => Self::about(target),
            FileAction::Rename { from, to, .. } | FileAction::Link { from, to } => {
                Self { other_path: Some(to), ..Self::about(from) }
            }
            _ => Self::default(),
        }
    }

    fn on(descriptor: i32) -> Self {
        Self { descriptor: Some(descriptor), ..Self::default() }
    }

    fn about(target: &'a Target) -> Self {
        match target {
            Target::Descriptor(descriptor) => Self::on(*descriptor),
            Target::Path { .. } => Self { path: Some(target), ..Self::default() },
        }
    }
}

/// What an action does to the file of its descriptor.
pub(crate) fn deed_of(action: &FileAction) -> Deed {
    match action {
        FileAction::Open { .. } | FileAction::Duplicate { .. } | FileAction::MakeDescriptors { .. } => {
            Deed::Made
        }
        FileAction::Read { .. } | FileAction::List { .. } => Deed::Read,
        FileAction::Write { .. } | FileAction::Truncate { .. } | FileAction::Allocate { .. } => Deed::Write,
        FileAction::Seek { .. } => Deed::Seek,
        FileAction::Stat { .. } => Deed::Stat,
        FileAction::Control { .. } => Deed::Control,
        _ => Deed::Other,
    }
}
