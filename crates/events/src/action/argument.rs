//! What the arguments of calls on the file path say: flags, kinds of files, what a file is, advice.

use serde::{Deserialize, Serialize};

/// Flags of an open, as bits of Linux's own numbers on `x86_64`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OpenFlags(pub u32);

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FileKind {
    /// A regular file.
    Regular,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A character device.
    Character,
    /// A block device.
    Block,
    /// A pipe with or without a name.
    Pipe,
    /// A socket.
    Socket,
}

/// Which file it is, whatever it is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FileIdentity {
    /// The device's number.
    pub device: u64,
    /// The inode's number.
    pub inode: u64,
}

/// What a call said of a file, as far as the source tells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    /// Which file.
    pub identity: Option<FileIdentity>,
    /// What it is.
    pub kind: Option<FileKind>,
    /// Permission bits.
    pub permissions: Option<u16>,
    /// Its owner.
    pub owner: Option<u32>,
    /// Its size, in bytes.
    pub size_bytes: Option<u64>,
    /// When its content changed last, in ns since the epoch.
    pub modified_ns: Option<i64>,
    /// When anything of it changed last, in ns since the epoch.
    pub changed_ns: Option<i64>,
}

/// From where a position is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Whence {
    /// From the beginning.
    Start,
    /// From the position.
    Current,
    /// From the end.
    End,
    /// To data or to a hole.
    DataOrHole,
}

/// What `fcntl` is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ControlCommand {
    /// Tell the descriptor's flags.
    GetDescriptorFlags,
    /// Set them; whether close-on-exec is among them.
    SetDescriptorFlags {
        /// Close-on-exec.
        close_on_exec: bool,
    },
    /// Tell the open file's flags.
    GetStatusFlags,
    /// Set them.
    SetStatusFlags(OpenFlags),
    /// Take, test or release a lock.
    Lock,
    /// Another, by its number.
    Other(u32),
}

/// What `fadvise` is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Advice {
    /// Nothing special.
    Normal,
    /// Blocks in no order.
    Random,
    /// One block after the other.
    Sequential,
    /// Soon.
    WillNeed,
    /// Not soon.
    DontNeed,
    /// Once.
    NoReuse,
    /// Another number, which is no advice.
    Other(u32),
}

/// What `madvise` is told, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryAdvice(pub i32);

/// What a new descriptor leads to where that is no file with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DescriptorKind {
    /// A pipe.
    Pipe,
    /// A socket.
    Socket,
    /// Epoll, inotify, timers, signals, events, BPF, perf …
    Kernel,
    /// A file in memory without a name in any directory.
    MemoryFile,
}
