//! What a call on the file path is to do, with its arguments decoded.

mod argument;

pub use argument::{
    Advice, ControlCommand, DescriptorKind, FileFacts, FileIdentity, FileKind, MemoryAdvice, OpenFlags,
    Whence,
};

use super::PathId;
use serde::{Deserialize, Serialize};

/// The descriptor that stands for the current directory.
pub(super) const CURRENT_DIRECTORY: i32 = -100;

/// What a call names: an open file, or a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// A descriptor.
    Descriptor(i32),
    /// A path, relative to a directory's descriptor where it does not begin with `/`.
    Path {
        /// The directory's descriptor; `Target::CURRENT_DIRECTORY` for the current one.
        directory: i32,
        /// The path as the program gave it.
        path: PathId,
        /// Whether a symbolic link at its end is followed.
        follow: bool,
    },
}

impl Target {
    /// The descriptor that stands for the current directory (`AT_FDCWD`).
    pub const CURRENT_DIRECTORY: i32 = CURRENT_DIRECTORY;

    /// A path below the current directory, or an absolute one.
    pub fn path(path: PathId) -> Self {
        Self::Path { directory: CURRENT_DIRECTORY, path, follow: true }
    }
}

/// What a call is to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum FileAction {
    /// Open a file; the outcome is its descriptor.
    Open {
        /// Which.
        target: Target,
        /// How.
        flags: OpenFlags,
        /// Permissions of a file that is made.
        mode: u32,
    },
    /// Close a descriptor.
    Close {
        /// Which.
        descriptor: i32,
    },
    /// Close descriptors, or mark them to be closed on exec.
    CloseRange {
        /// The first.
        first: u32,
        /// The last.
        last: u32,
        /// Only mark them.
        mark_only: bool,
    },
    /// Read; the outcome is the bytes that came.
    Read {
        /// From which.
        descriptor: i32,
        /// Bytes asked for.
        bytes: u64,
        /// From there, and the position stays; at the position where `None`.
        offset: Option<u64>,
        /// How many pieces of memory.
        pieces: u32,
    },
    /// Write; the outcome is the bytes that went.
    Write {
        /// Into which.
        descriptor: i32,
        /// Bytes given.
        bytes: u64,
        /// To there, and the position stays; at the position where `None`.
        offset: Option<u64>,
        /// How many pieces of memory.
        pieces: u32,
    },
    /// Move the position; the outcome is the new one.
    Seek {
        /// Of which.
        descriptor: i32,
        /// By or to how much.
        offset: i64,
        /// From where.
        whence: Whence,
    },
    /// Tell of a file.
    Stat {
        /// Which.
        target: Target,
        /// What it said; `None` where it failed or the source does not tell.
        facts: Option<Box<FileFacts>>,
        /// What `statx` was asked for; 0 for the other calls.
        mask: u32,
    },
    /// Tell of the file system that a file lies on.
    StatFileSystem {
        /// Which file.
        target: Target,
    },
    /// Tell whether something is allowed.
    Access {
        /// Which.
        target: Target,
        /// What: bits of `R_OK`, `W_OK`, `X_OK`; 0 whether it is there.
        mode: u32,
    },
    /// Read a symbolic link.
    ReadLink {
        /// Which.
        target: Target,
        /// Where it leads.
        to: Option<PathId>,
    },
    /// List a directory; the outcome is bytes of entries, 0 at the end.
    List {
        /// Which.
        descriptor: i32,
        /// Entries that came, where the source tells.
        entries: Option<u32>,
        /// How many of them are links, or did not say what they are: these have to be asked.
        undecided: Option<u32>,
    },
    /// Make a directory.
    MakeDirectory {
        /// Which.
        target: Target,
        /// Its permissions.
        mode: u32,
    },
    /// Remove a name.
    Remove {
        /// Which.
        target: Target,
        /// That of a directory.
        directory: bool,
    },
    /// Give a file another name.
    Rename {
        /// The old name.
        from: Target,
        /// The new name.
        to: Target,
        /// Bits of `renameat2`.
        flags: u32,
    },
    /// Give a file a further name.
    Link {
        /// The file.
        from: Target,
        /// The further name.
        to: Target,
    },
    /// Make a symbolic link.
    SymbolicLink {
        /// Where it leads.
        to: PathId,
        /// The link.
        target: Target,
    },
    /// Cut or extend a file.
    Truncate {
        /// Which.
        target: Target,
        /// To how many bytes.
        bytes: u64,
    },
    /// Reserve or free space.
    Allocate {
        /// Of which.
        descriptor: i32,
        /// Bits of `fallocate`.
        mode: u32,
    },
    /// Set permissions.
    ChangeMode {
        /// Of which.
        target: Target,
        /// To which.
        mode: u32,
    },
    /// Set owner or times or extended attributes.
    ChangeAttributes {
        /// Of which.
        target: Target,
    },
    /// Tell an extended attribute, or list them.
    GetAttribute {
        /// Of which.
        target: Target,
    },
    /// Another descriptor for the same open file; the outcome is it.
    Duplicate {
        /// Of which.
        descriptor: i32,
        /// The number that was asked for, where it must be that.
        to: Option<i32>,
        /// Whether it is closed on exec.
        close_on_exec: bool,
    },
    /// Control a descriptor or its open file.
    Control {
        /// Which.
        descriptor: i32,
        /// How.
        command: ControlCommand,
    },
    /// Control a device.
    DeviceControl {
        /// Which.
        descriptor: i32,
        /// The request's number.
        request: u32,
    },
    /// Lock a whole file.
    Lock {
        /// Which.
        descriptor: i32,
    },
    /// Have epoll watch a descriptor, or no more.
    Watch {
        /// Which is watched.
        descriptor: i32,
        /// True when it is added.
        add: bool,
    },
    /// Map a file or memory; the outcome is the address.
    Map {
        /// Which file; `None` for memory.
        descriptor: Option<i32>,
        /// From where in the file.
        offset: u64,
        /// How much.
        bytes: u64,
        /// `PROT_` bits.
        protection: u32,
        /// `MAP_` bits.
        flags: u32,
    },
    /// Unmap.
    Unmap {
        /// From where.
        address: u64,
        /// How much.
        bytes: u64,
    },
    /// Move or resize a mapping, or the heap.
    Remap {
        /// How much there is then.
        bytes: u64,
    },
    /// Say how memory is going to be used.
    AdviseMemory {
        /// From where.
        address: u64,
        /// How much.
        bytes: u64,
        /// How.
        advice: MemoryAdvice,
    },
    /// Say how a file is going to be used.
    Advise {
        /// Which.
        descriptor: i32,
        /// From where.
        offset: u64,
        /// How much; 0 to the end.
        bytes: u64,
        /// How.
        advice: Advice,
    },
    /// Have a file's data reach the device.
    Sync {
        /// Which; `None` for all files.
        descriptor: Option<i32>,
        /// Only its data.
        data_only: bool,
    },
    /// Copy inside the kernel; the outcome is the bytes.
    Copy {
        /// From which.
        from: i32,
        /// Into which.
        to: i32,
        /// Bytes asked for.
        bytes: u64,
        /// At this offset of the source, whose position stays; at its position where `None`.
        from_offset: Option<u64>,
        /// The same of the destination.
        to_offset: Option<u64>,
    },
    /// Go to another directory.
    ChangeDirectory {
        /// Which.
        target: Target,
    },
    /// Have `/` be another directory.
    ChangeRoot {
        /// Which.
        target: Target,
    },
    /// Tell the current directory.
    CurrentDirectory {
        /// What it said.
        path: Option<PathId>,
    },
    /// Set the permissions that are not given to new files.
    Mask {
        /// Which.
        mode: u32,
    },
    /// Make descriptors that lead to no file with a path.
    MakeDescriptors {
        /// What they lead to.
        kind: DescriptorKind,
        /// Which were made, where it succeeded.
        made: [Option<i32>; 2],
        /// Whether they are closed on exec.
        close_on_exec: bool,
    },
    /// Make a process or a thread; the outcome is its number.
    Fork {
        /// Both have one table of descriptors.
        shares_descriptors: bool,
        /// Both have one current directory.
        shares_directory: bool,
        /// It is a thread of the same process.
        is_thread: bool,
    },
    /// Become another program.
    Execute {
        /// Which.
        target: Target,
    },
    /// Have a table of descriptors of its own (`unshare`).
    OwnDescriptors,
    /// The thread or the process ends.
    Exit {
        /// With which code; `None` by a signal or unknown.
        code: Option<i32>,
        /// The whole process.
        whole: bool,
    },
    /// A call on the file path that rules do not look into.
    Other,
}

impl FileAction {
    /// The descriptor that it is about, where it is about one and names no file.
    pub fn descriptor(&self) -> Option<i32> {
        match self {
            Self::Close { descriptor }
            | Self::Read { descriptor, .. }
            | Self::Write { descriptor, .. }
            | Self::Seek { descriptor, .. }
            | Self::List { descriptor, .. }
            | Self::Allocate { descriptor, .. }
            | Self::Duplicate { descriptor, .. }
            | Self::Control { descriptor, .. }
            | Self::DeviceControl { descriptor, .. }
            | Self::Lock { descriptor }
            | Self::Watch { descriptor, .. }
            | Self::Advise { descriptor, .. }
            | Self::Copy { from: descriptor, .. } => Some(*descriptor),
            Self::Map { descriptor, .. } | Self::Sync { descriptor, .. } => *descriptor,
            _ => None,
        }
    }

    /// The files that it names: the second of what has two names.
    pub fn targets(&self) -> [Option<&Target>; 2] {
        match self {
            Self::Open { target, .. }
            | Self::Stat { target, .. }
            | Self::StatFileSystem { target }
            | Self::Access { target, .. }
            | Self::ReadLink { target, .. }
            | Self::MakeDirectory { target, .. }
            | Self::Remove { target, .. }
            | Self::SymbolicLink { target, .. }
            | Self::Truncate { target, .. }
            | Self::ChangeMode { target, .. }
            | Self::ChangeAttributes { target }
            | Self::GetAttribute { target }
            | Self::ChangeDirectory { target }
            | Self::ChangeRoot { target }
            | Self::Execute { target } => [Some(target), None],
            Self::Rename { from, to, .. } | Self::Link { from, to } => [Some(from), Some(to)],
            _ => [None; 2],
        }
    }
}
