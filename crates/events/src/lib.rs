//! What programs do with files, call by call: the one form in which every source
//! of events (a tracer, a ring of the kernel's, a log of strace's) gives them and
//! in which they are judged. Durations are a tracer's and price nothing.

mod action;
mod call_shape;
mod call_table;
mod durability;
mod mappings;
mod mounts;
mod open_flags;
mod path_table;
mod running;
mod trace_file;

pub use action::{
    Advice, ControlCommand, DescriptorKind, FileAction, FileFacts, FileIdentity, FileKind, MemoryAdvice,
    OpenFlags, Target, Whence,
};
pub use call_shape::{At, CloseOnExec, EntryForm, Follow, LoggedShape, Shape};
pub use call_table::{call_families, calls, family_of, shape_of};
pub use durability::{SyncFinds, reaches_device};
pub use mappings::{MappedFrom, Mappings};
pub use mounts::{Mount, MountTable, is_below, is_made_up_path};
pub use path_table::{PathId, PathTable};
pub use running::{RunningDescriptor, RunningProcess};
pub use trace_file::{
    KeptFact, KeptStack, TRACE_FILE_VERSION, TraceEnd, TraceFileError, TraceHeader, TraceReader, TraceWriter,
    is_trace_file,
};

use serde::{Deserialize, Serialize};

/// A call that returned, or that never will.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEvent {
    /// When it returned, in ns since the trace began; 0 where the source has no clock.
    pub at_ns: u64,
    /// The process: its thread group.
    pub process: u32,
    /// The thread that made the call.
    pub thread: u32,
    /// The kernel's name of the call: `openat`.
    pub call: CallName,
    /// What it was to do.
    pub action: FileAction,
    /// What came of it.
    pub outcome: CallOutcome,
    /// How long the source saw it last, in ns, up to `at_ns`; `None` where it has no beginning of
    /// the call. It is as long as the watching made it, and prices nothing.
    pub took_ns: Option<u64>,
    /// How much of that its thread was blocked, until it ran again: for a device, a lock, another
    /// process. `None` where the source does not see it; a tracer's stops would be in it.
    pub waited_ns: Option<u64>,
    /// How long its thread slept between its call before and this one, at least, in ns: it neither ran
    /// nor waited for a CPU. `None` where that is not known, and where the two are near each other.
    pub slept_ns: Option<u64>,
    /// Where in the program, where the source was asked for stacks: a number that the
    /// source explains.
    pub stack: Option<StackId>,
}

/// The kernel's name of a call, one of few.
pub type CallName = &'static str;

/// A stack as its source numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StackId(pub u32);

/// What came of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallOutcome {
    /// It returned this, 0 or above (an address is above).
    Value(i64),
    /// It failed with this errno.
    Failed(i32),
    /// It never returned: the thread ended in it, or the trace did.
    Unfinished,
    /// The source does not tell.
    Unknown,
}

impl CallOutcome {
    /// The value, of a call that succeeded.
    pub fn value(self) -> Option<i64> {
        match self {
            Self::Value(value) => Some(value),
            Self::Failed(_) | Self::Unfinished | Self::Unknown => None,
        }
    }

    /// The descriptor, of a call that made one.
    pub fn descriptor(self) -> Option<i32> {
        self.value().and_then(|value| i32::try_from(value).ok())
    }

    /// The errno, of a call that failed.
    pub fn errno(self) -> Option<i32> {
        match self {
            Self::Failed(errno) => Some(errno),
            Self::Value(_) | Self::Unfinished | Self::Unknown => None,
        }
    }
}
