//! A call's arguments and what it left in memory, as the action that it was.

mod descriptors;
mod names;

use super::calls::{At, CloseOnExec, Follow, Shape};
use super::memory;
use crate::witness::Memory;
use fathom_events::{DescriptorKind, EntryForm, FileAction, PathId, PathTable, Target, Whence};
use std::ffi::OsString;

/// What has to be read before the call is made.
#[derive(Debug, Clone, Default)]
pub(super) struct Early {
    /// The program of an exec: its memory is gone afterwards.
    path: Option<OsString>,
    /// Offsets that the call moves on.
    offsets: [Option<u64>; 2],
}

/// A call that returned; negative results are errnos.
pub(super) struct Call<'a> {
    pub(super) arguments: [u64; 6],
    pub(super) early: &'a Early,
    /// `None` where it never returned.
    pub(super) result: Option<i64>,
    pub(super) memory: &'a dyn Memory,
}

const EMPTY_PATH: u32 = libc::AT_EMPTY_PATH.cast_unsigned();
const CLOSE_RANGE_CLOEXEC: u32 = 4;
const CLONE_FS: u64 = 0x200;
const CLONE_FILES: u64 = 0x400;
const CLONE_THREAD: u64 = 0x1_0000;

impl Early {
    /// Reads it at the call's entry.
    pub(super) fn read(shape: Shape, arguments: [u64; 6], memory: &dyn Memory) -> Self {
        let offset = |position: usize| memory.word(arguments[position]).filter(|_| arguments[position] != 0);
        match shape {
            Shape::Execute(At::Path(at) | At::Below(_, at)) => {
                Self { path: memory::path(memory, arguments[at]), ..Self::default() }
            }
            Shape::CopyFileRange | Shape::Splice => Self { path: None, offsets: [offset(1), offset(3)] },
            Shape::SendFile => Self { path: None, offsets: [offset(2), None] },
            // Its structure is read here, since the child may share the memory that holds it.
            Shape::CloneWithStructure => Self { path: None, offsets: [offset(0), None] },
            _ => Self::default(),
        }
    }

    /// What it was, from memory as it is when the call has returned this: offsets have moved on.
    pub(super) fn before(shape: Shape, arguments: [u64; 6], memory: &dyn Memory, result: i64) -> Self {
        let mut early = Self::read(shape, arguments, memory);
        if matches!(shape, Shape::CopyFileRange | Shape::Splice | Shape::SendFile) {
            let moved = u64::try_from(result).unwrap_or(0);
            early.offsets = early.offsets.map(|offset| offset.map(|offset| offset.wrapping_sub(moved)));
        }
        early
    }

    /// Of an exec of this path.
    pub(super) fn of_exec(path: OsString) -> Self {
        Self { path: Some(path), ..Self::default() }
    }
}

/// The flags with which a thread or process is made.
pub(super) fn clone_flags(shape: Shape, arguments: [u64; 6], early: &Early) -> u64 {
    match shape {
        Shape::Clone => arguments[0],
        Shape::CloneWithStructure => early.offsets[0].unwrap_or(0),
        _ => 0,
    }
}

/// What a thread or process that is made with these flags shares with its maker.
pub(super) fn fork_action(flags: u64) -> FileAction {
    FileAction::Fork {
        shares_descriptors: flags & CLONE_FILES != 0,
        shares_directory: flags & CLONE_FS != 0,
        is_thread: flags & CLONE_THREAD != 0,
    }
}

impl Call<'_> {
    /// The action, with its paths numbered.
    pub(super) fn action(&self, shape: Shape, paths: &mut PathTable) -> FileAction {
        match shape {
            Shape::Open { .. } | Shape::Create | Shape::OpenHow => self.open(shape, paths),
            Shape::Close => FileAction::Close { descriptor: self.descriptor(0) },
            Shape::CloseRange => FileAction::CloseRange {
                first: self.low(0),
                last: self.low(1),
                mark_only: self.low(2) & CLOSE_RANGE_CLOEXEC != 0,
            },
            Shape::Transfer { write, vector, offset } => self.transfer(write, vector, offset),
            Shape::Seek => FileAction::Seek {
                descriptor: self.descriptor(0),
                offset: self.arguments[1].cast_signed(),
                whence: match self.low(2) {
                    0 => Whence::Start,
                    1 => Whence::Current,
                    2 => Whence::End,
                    _ => Whence::DataOrHole,
                },
            },
            Shape::Stat { at, buffer, follow } => FileAction::Stat {
                target: self.target(at, follow, paths),
                facts: self.succeeded().and_then(|_| self.facts(buffer)),
                mask: 0,
            },
            Shape::ExtendedStat => FileAction::Stat {
                target: self.target(At::Below(0, 1), Follow::Unless(2), paths),
                facts: self
                    .succeeded()
                    .and_then(|_| memory::extended_facts(self.memory, self.arguments[4]))
                    .map(Box::new),
                mask: self.low(3),
            },
            Shape::StatFileSystem(at) => {
                FileAction::StatFileSystem { target: self.target(at, Follow::Always, paths) }
            }
            Shape::Access { at, mode, follow } => {
                FileAction::Access { target: self.target(at, follow, paths), mode: self.low(mode) }
            }
            Shape::ReadLink { at, buffer } => FileAction::ReadLink {
                target: self.target(at, Follow::Never, paths),
                to: self.succeeded().and_then(|length| self.left(buffer, length, paths)),
            },
            Shape::List { form } => self.list(form),
            Shape::CurrentDirectory => FileAction::CurrentDirectory {
                // The length counts the NUL.
                path: self.succeeded().and_then(|length| self.left(0, length - 1, paths)),
            },
            Shape::Make { kind, pair, close_on_exec } => self.make(kind, pair, close_on_exec),
            Shape::MakeSignals(_) if self.descriptor(0) >= 0 => FileAction::Other,
            Shape::MakeSignals(close_on_exec) => self.make(DescriptorKind::Kernel, None, close_on_exec),
            Shape::MakeRing => self.make(DescriptorKind::Kernel, None, CloseOnExec::Always),
            Shape::Clone | Shape::CloneWithStructure | Shape::Fork => {
                fork_action(clone_flags(shape, self.arguments, self.early))
            }
            Shape::Unshare if self.arguments[0] & CLONE_FILES != 0 => FileAction::OwnDescriptors,
            Shape::Execute(at) => self.execute(at, paths),
            Shape::CopyFileRange | Shape::SendFile | Shape::Splice => self.copy(shape),
            _ => self.name_action(shape, paths).unwrap_or_else(|| self.descriptor_action(shape)),
        }
    }

    fn list(&self, form: EntryForm) -> FileAction {
        let told =
            self.succeeded().and_then(|length| memory::entries(self.memory, self.arguments[1], length, form));
        FileAction::List {
            descriptor: self.descriptor(0),
            entries: told.map(|told| told.count),
            undecided: told.map(|told| told.undecided),
        }
    }

    fn target(&self, at: At, follow: Follow, paths: &mut PathTable) -> Target {
        let flag = |position: usize, bit: i32| self.low(position) & bit.cast_unsigned() != 0;
        let (follow, flags) = match follow {
            Follow::Always => (true, None),
            Follow::Never => (false, None),
            Follow::Unless(flags) => (!flag(flags, libc::AT_SYMLINK_NOFOLLOW), Some(flags)),
            Follow::If(flags) => (flag(flags, libc::AT_SYMLINK_FOLLOW), Some(flags)),
        };
        let (directory, position) = match at {
            At::Descriptor(position) => return Target::Descriptor(self.descriptor(position)),
            At::Path(position) => (Target::CURRENT_DIRECTORY, position),
            At::Below(directory, position) => (self.descriptor(directory), position),
        };
        let address = self.arguments[position];
        let path = memory::path(self.memory, address).unwrap_or_default();
        let may_be_empty = address == 0 || flags.is_some_and(|flags| self.low(flags) & EMPTY_PATH != 0);
        // The descriptor itself is meant, as the C library's fstat and futimens do it.
        let itself = path.is_empty() && may_be_empty;
        if itself && directory != Target::CURRENT_DIRECTORY {
            return Target::Descriptor(directory);
        }
        Target::Path { directory, path: paths.number(&path), follow }
    }

    fn path(&self, position: usize, paths: &mut PathTable) -> PathId {
        paths.number(&memory::path(self.memory, self.arguments[position]).unwrap_or_default())
    }

    /// A path that the call left behind.
    fn left(&self, position: usize, length: i64, paths: &mut PathTable) -> Option<PathId> {
        let path = memory::path_of_length(self.memory, self.arguments[position], length)?;
        Some(paths.number(&path))
    }

    fn facts(&self, buffer: usize) -> Option<Box<fathom_events::FileFacts>> {
        memory::facts(self.memory, self.arguments[buffer]).map(Box::new)
    }

    fn succeeded(&self) -> Option<i64> {
        self.result.filter(|result| *result >= 0)
    }

    fn descriptor(&self, position: usize) -> i32 {
        self.low(position).cast_signed()
    }

    fn low(&self, position: usize) -> u32 {
        low(self.arguments[position])
    }
}

/// The lower half, which is all that the kernel takes of an `int`.
fn low(word: u64) -> u32 {
    u32::try_from(word & u64::from(u32::MAX)).unwrap_or(0)
}
