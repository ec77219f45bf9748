//! Actions on names: what they name, and how.

use super::{Call, low};
use crate::file_trace::calls::{At, Follow, Shape};
use fathom_events::{FileAction, OpenFlags, PathTable, Target};
use std::ffi::OsStr;

/// Of [`OpenFlags`].
const NO_FOLLOW: u32 = 0o400_000;
const NEW_ALONE: u32 = (libc::O_CREAT | libc::O_EXCL).cast_unsigned();
const AS_CREAT: u32 = (libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC).cast_unsigned();

impl Call<'_> {
    /// Actions on names.
    pub(super) fn name_action(&self, shape: Shape, paths: &mut PathTable) -> Option<FileAction> {
        Some(match shape {
            Shape::MakeDirectory { at, mode } => FileAction::MakeDirectory {
                target: self.target(at, Follow::Never, paths),
                mode: self.low(mode),
            },
            Shape::Remove { at, flags, directory } => FileAction::Remove {
                target: self.target(at, Follow::Never, paths),
                directory: directory
                    || flags.is_some_and(|flags| self.low(flags) & libc::AT_REMOVEDIR.cast_unsigned() != 0),
            },
            Shape::Rename { from, to, flags } => FileAction::Rename {
                from: self.target(from, Follow::Never, paths),
                to: self.target(to, Follow::Never, paths),
                flags: flags.map_or(0, |flags| self.low(flags)),
            },
            Shape::Link { from, to, follow } => FileAction::Link {
                from: self.target(from, follow, paths),
                to: self.target(to, Follow::Never, paths),
            },
            Shape::SymbolicLink { at } => FileAction::SymbolicLink {
                to: self.path(0, paths),
                target: self.target(at, Follow::Never, paths),
            },
            Shape::Truncate(at) => FileAction::Truncate {
                target: self.target(at, Follow::Always, paths),
                bytes: self.arguments[1],
            },
            Shape::ChangeMode { at, mode, follow } => {
                FileAction::ChangeMode { target: self.target(at, follow, paths), mode: self.low(mode) }
            }
            Shape::ChangeAttributes { at, follow } => {
                FileAction::ChangeAttributes { target: self.target(at, follow, paths) }
            }
            Shape::GetAttribute { at, follow } => {
                FileAction::GetAttribute { target: self.target(at, follow, paths) }
            }
            Shape::ChangeDirectory(at) => {
                FileAction::ChangeDirectory { target: self.target(at, Follow::Always, paths) }
            }
            Shape::ChangeRoot => {
                FileAction::ChangeRoot { target: self.target(At::Path(0), Follow::Always, paths) }
            }
            _ => return None,
        })
    }

    pub(super) fn open(&self, shape: Shape, paths: &mut PathTable) -> FileAction {
        let (at, flags, mode) = match shape {
            Shape::Open { at, flags, mode } => (at, OpenFlags::native(self.low(flags)).0, self.low(mode)),
            Shape::OpenHow => {
                let word = |offset| self.memory.word(self.arguments[2].wrapping_add(offset)).unwrap_or(0);
                (At::Below(0, 1), OpenFlags::native(low(word(0))).0, low(word(8)))
            }
            _ => (At::Path(0), AS_CREAT, self.low(1)),
        };
        let stays = flags & NO_FOLLOW != 0 || flags & NEW_ALONE == NEW_ALONE;
        // The argument is left over from something else when no file is made.
        let makes = flags & (libc::O_CREAT | (libc::O_TMPFILE & !libc::O_DIRECTORY)).cast_unsigned() != 0;
        FileAction::Open {
            target: self.target(at, if stays { Follow::Never } else { Follow::Always }, paths),
            flags: OpenFlags(flags),
            mode: if makes { mode } else { 0 },
        }
    }

    pub(super) fn execute(&self, at: At, paths: &mut PathTable) -> FileAction {
        let path = paths.number(self.early.path.as_deref().unwrap_or(OsStr::new("")));
        let target = match at {
            At::Below(directory, _) => {
                Target::Path { directory: self.descriptor(directory), path, follow: true }
            }
            At::Path(_) | At::Descriptor(_) => Target::path(path),
        };
        FileAction::Execute { target }
    }
}
