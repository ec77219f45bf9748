//! What the arguments of a call of the file path are: which of them are paths, descriptors,
//! flags and sizes.

use crate::DescriptorKind;

/// By which arguments a call names a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// A descriptor in this one.
    Descriptor(usize),
    /// A path in this one, below the current directory.
    Path(usize),
    /// A directory's descriptor in the first, a path in the second.
    Below(usize, usize),
}

/// Whether a symbolic link at the end of a path is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follow {
    /// It is.
    Always,
    /// It is not.
    Never,
    /// Unless `AT_SYMLINK_NOFOLLOW` is in this argument.
    Unless(usize),
    /// Only with `AT_SYMLINK_FOLLOW` in this argument.
    If(usize),
}

/// When a new descriptor is closed on exec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CloseOnExec {
    /// It stays open.
    Never,
    /// It is closed.
    Always,
    /// With this bit in this argument.
    Bit(usize, u32),
}

/// The forms of a directory's entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryForm {
    /// That of `getdents64`.
    Long,
    /// That of `getdents`.
    Old,
}

/// What only a log of calls has: no architecture with 64 bits makes such calls, or a tracer
/// learns of them in another way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoggedShape {
    /// `_llseek`, which puts the new position into memory.
    LongSeek,
    /// `fadvise64` with the advice right after the descriptor.
    AdviseEarly,
    /// The end of a thread, or of the whole process.
    Exit {
        /// True of the whole process.
        whole: bool,
    },
}

/// What a call's arguments are. Numbers are positions of arguments, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is named as the call or the argument that it is of")]
pub enum Shape {
    Open {
        at: At,
        flags: usize,
        mode: usize,
    },
    Create,
    OpenHow,
    Close,
    CloseRange,
    Transfer {
        write: bool,
        vector: bool,
        offset: bool,
    },
    Seek,
    Stat {
        at: At,
        buffer: usize,
        follow: Follow,
    },
    ExtendedStat,
    StatFileSystem(At),
    Access {
        at: At,
        mode: usize,
        follow: Follow,
    },
    ReadLink {
        at: At,
        buffer: usize,
    },
    List {
        form: EntryForm,
    },
    MakeDirectory {
        at: At,
        mode: usize,
    },
    Remove {
        at: At,
        flags: Option<usize>,
        directory: bool,
    },
    Rename {
        from: At,
        to: At,
        flags: Option<usize>,
    },
    Link {
        from: At,
        to: At,
        follow: Follow,
    },
    SymbolicLink {
        at: At,
    },
    Truncate(At),
    Allocate,
    ChangeMode {
        at: At,
        mode: usize,
        follow: Follow,
    },
    ChangeAttributes {
        at: At,
        follow: Follow,
    },
    GetAttribute {
        at: At,
        follow: Follow,
    },
    Duplicate,
    DuplicateTo {
        flags: Option<usize>,
    },
    Control,
    DeviceControl,
    Lock,
    Watch,
    Map,
    Unmap,
    Remap,
    AdviseMemory,
    Advise,
    ReadAhead,
    Sync {
        one: bool,
        data_only: bool,
    },
    CopyFileRange,
    SendFile,
    Splice,
    ChangeDirectory(At),
    ChangeRoot,
    CurrentDirectory,
    Mask,
    Make {
        kind: DescriptorKind,
        pair: Option<usize>,
        close_on_exec: CloseOnExec,
    },
    /// `signalfd`: makes a descriptor where it is given none.
    MakeSignals(CloseOnExec),
    Clone,
    CloneWithStructure,
    Fork,
    Unshare,
    Execute(At),
    /// What it does to what it names is not followed.
    Names(At),
    Other,
    /// As `Other`, and what comes of it is not seen.
    MakeRing,
    /// No event: it is followed to say that a program filters its own calls.
    FilterCalls,
    /// No event: the binding to a CPU is lifted before it.
    Affinity,
    /// Known from logs alone.
    Logged(LoggedShape),
}

impl Shape {
    /// By which arguments it names files; the second of those that name two.
    pub fn targets(self) -> [Option<At>; 2] {
        match self {
            Self::Open { at, .. }
            | Self::Stat { at, .. }
            | Self::StatFileSystem(at)
            | Self::Access { at, .. }
            | Self::ReadLink { at, .. }
            | Self::MakeDirectory { at, .. }
            | Self::Remove { at, .. }
            | Self::Truncate(at)
            | Self::ChangeMode { at, .. }
            | Self::ChangeAttributes { at, .. }
            | Self::GetAttribute { at, .. }
            | Self::ChangeDirectory(at)
            | Self::Execute(at)
            | Self::Names(at) => [Some(at), None],
            Self::Rename { from, to, .. } | Self::Link { from, to, .. } => [Some(from), Some(to)],
            Self::SymbolicLink { at } => [Some(At::Path(0)), Some(at)],
            Self::OpenHow | Self::ExtendedStat => [Some(At::Below(0, 1)), None],
            Self::Create | Self::ChangeRoot => [Some(At::Path(0)), None],
            Self::Close
            | Self::Transfer { .. }
            | Self::Seek
            | Self::List { .. }
            | Self::Allocate
            | Self::DeviceControl
            | Self::Lock
            | Self::Advise
            | Self::ReadAhead
            | Self::Sync { one: true, .. }
            | Self::Logged(LoggedShape::LongSeek | LoggedShape::AdviseEarly) => {
                [Some(At::Descriptor(0)), None]
            }
            Self::CopyFileRange | Self::Splice => [Some(At::Descriptor(0)), Some(At::Descriptor(2))],
            Self::SendFile => [Some(At::Descriptor(0)), Some(At::Descriptor(1))],
            Self::Watch => [Some(At::Descriptor(2)), None],
            Self::Map => [Some(At::Descriptor(4)), None],
            Self::CloseRange
            | Self::Duplicate
            | Self::DuplicateTo { .. }
            | Self::Control
            | Self::Unmap
            | Self::Remap
            | Self::AdviseMemory
            | Self::Sync { one: false, .. }
            | Self::CurrentDirectory
            | Self::Mask
            | Self::Make { .. }
            | Self::MakeSignals(_)
            | Self::Clone
            | Self::CloneWithStructure
            | Self::Fork
            | Self::Unshare
            | Self::Other
            | Self::MakeRing
            | Self::FilterCalls
            | Self::Affinity
            | Self::Logged(LoggedShape::Exit { .. }) => [None; 2],
        }
    }

    /// True of what names a file below a directory's descriptor, or means the descriptor itself.
    pub fn is_below_directory(self) -> bool {
        self.targets().into_iter().flatten().any(|at| matches!(at, At::Below(..)))
    }

    /// Which arguments are paths.
    pub fn paths(self) -> impl Iterator<Item = usize> {
        self.targets().into_iter().flatten().filter_map(|at| match at {
            At::Descriptor(_) => None,
            At::Path(position) | At::Below(_, position) => Some(position),
        })
    }
}
