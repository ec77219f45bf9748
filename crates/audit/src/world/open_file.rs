//! An open file description: what descriptors made by `dup` and `fork` share.

use super::place::PlaceId;
use crate::call_key::CallKey;
use crate::open_flags;
use crate::signs::Trail;
use fathom_events::{DescriptorKind, FileIdentity, FileKind, OpenFlags, StackId};

/// The number of an open file, never given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FileNumber(pub(crate) u64);

/// What was done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deed {
    Made,
    Read,
    Write,
    Seek,
    Stat,
    Control,
    Other,
}

/// The call made on it last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LastCall {
    pub(crate) deed: Deed,
    pub(crate) thread: u32,
    /// The number of the event.
    pub(crate) number: u64,
}

/// An open file as it is before the call that is looked at.
#[expect(clippy::struct_excessive_bools, reason = "they are facts that do not depend on each other")]
#[derive(Debug, Clone)]
pub(crate) struct OpenFile {
    pub(crate) number: FileNumber,
    /// Where it was opened; `None` of pipes, sockets and what the trace did not see opened.
    pub(crate) place: Option<PlaceId>,
    pub(crate) flags: OpenFlags,
    pub(crate) kind: Option<FileKind>,
    pub(crate) descriptor_kind: Option<DescriptorKind>,
    pub(crate) identity: Option<FileIdentity>,
    /// The position, where it follows from what was seen; after a write with `O_APPEND` it
    /// follows from nothing (`is_appended`).
    pub(crate) position: Option<u64>,
    pub(crate) is_appended: bool,
    /// The size that a call told, and writes since.
    pub(crate) size_bytes: Option<u64>,
    /// True when several processes have it: each may move the position.
    pub(crate) is_shared: bool,
    /// True when it was open before the trace knew of it.
    pub(crate) is_inherited: bool,
    /// True of a connection that the process accepted: somebody asks it for something.
    pub(crate) is_accepted: bool,
    /// True when this open made the file.
    pub(crate) is_new: bool,
    pub(crate) is_loaders: bool,
    /// True when its interpreter loads code from it.
    pub(crate) is_runtimes: bool,
    pub(crate) opened_at: u64,
    pub(crate) opened_by: u32,
    pub(crate) opened_stack: Option<StackId>,
    pub(crate) opened_key: Option<CallKey>,
    pub(crate) last: LastCall,
    pub(crate) bytes_read: u64,
    pub(crate) bytes_written: u64,
    /// True when it gave less than was asked for and then more, or had nothing yet: no regular
    /// file does that, whatever it is.
    pub(crate) is_stream: bool,
    /// True when the last read brought less than it asked for.
    pub(crate) was_short: bool,
    /// Calls on it that its runtime makes by itself.
    pub(crate) trail: Trail,
    pub(super) references: u32,
}

impl OpenFile {
    /// True of a regular file on a file system, as far as can be told: what a path led to
    /// is taken for one until a call says otherwise, or it behaves as none does.
    pub(crate) fn is_plain(&self, is_excluded_place: bool) -> bool {
        let is_odd = self.flags.0 & (open_flags::DIRECTORY | open_flags::PATH_ONLY) != 0
            && !open_flags::has(self.flags, open_flags::TEMPORARY);
        match self.kind {
            Some(kind) => kind == FileKind::Regular && !is_excluded_place,
            None => self.place.is_some() && !is_odd && !is_excluded_place && !self.is_stream,
        }
    }

    /// True when one descriptor leads to it and no other.
    pub(crate) fn is_last_reference(&self) -> bool {
        self.references <= 1
    }

    /// True when the call made on it last was that, by whichever thread: a runtime with threads of its
    /// own, as Go's, may go on in another one between two calls.
    pub(crate) fn was_last(&self, deed: Deed) -> bool {
        self.last.deed == deed
    }

    /// The same of that thread: a position that threads share is another's, too.
    pub(crate) fn was_last_by(&self, deed: Deed, thread: u32) -> bool {
        self.last.deed == deed && self.last.thread == thread
    }
}
