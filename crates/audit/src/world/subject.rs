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
        let [target, other_path] = action.targets();
        let descriptor = action.descriptor();
        target.map_or(Self { descriptor, ..Self::default() }, |target| Self {
            other_path,
            ..Self::about(target)
        })
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
