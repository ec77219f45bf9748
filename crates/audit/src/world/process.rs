//! Processes, their tables of descriptors and their directories.

use super::import_path::Walk;
use super::open_file::FileNumber;
use super::place::PlaceId;
use fathom_events::Mappings;
use std::collections::BTreeMap;

/// A descriptor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Descriptor {
    pub(crate) file: FileNumber,
    pub(crate) close_on_exec: bool,
    /// True where the program itself asked for this number, or took close-on-exec away.
    pub(crate) is_placed: bool,
}

/// A table of descriptors; threads and `CLONE_FILES` share one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    pub(crate) descriptors: BTreeMap<i32, Descriptor>,
    /// Numbers that this table closed and did not open again, with how many it had made by then.
    pub(crate) closed: BTreeMap<i32, u64>,
    /// Descriptors that were ever put into it at the lowest free number.
    pub(crate) made: u64,
    pub(super) users: u32,
}

/// The number of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct TableNumber(pub(super) u64);

/// How far a program is with its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The dynamic loader is at work.
    Loading,
    /// The program's own code runs.
    Running,
}

/// A process.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Process {
    /// Its calls so far.
    pub(super) calls: u64,
    pub(crate) table: TableNumber,
    /// The current directory.
    pub(crate) directory: PlaceId,
    /// What `/` is to it; `None` where that is the root itself.
    pub(crate) root: Option<PlaceId>,
    pub(crate) mask: Option<u32>,
    /// What its calls mapped where.
    pub(crate) mappings: Mappings,
    /// The program, once an exec was seen.
    pub(crate) program: Option<PlaceId>,
    pub(crate) phase: Phase,
    /// True once the dynamic loader was seen at one of its own files.
    pub(super) has_loader: bool,
    /// What the dynamic loader looked for last, in vain.
    pub(super) missed: Option<PlaceId>,
    /// The language's runtime, by the index of the knowledge that tells it.
    pub(crate) runtime: Option<usize>,
    /// True when its program measures files: it reads the same bytes again by design.
    pub(crate) is_measurer: bool,
    /// True when its first call came before the fork that made it returned.
    pub(super) is_early: bool,
    /// True when it ever made a thread.
    pub(crate) has_threads: bool,
    /// True once code that its runtime was given to run may run.
    pub(super) runs_own_code: bool,
    /// The script that its interpreter was started with, as far as its name tells.
    pub(super) script: Option<PlaceId>,
    /// What each of its last threads to ask for something that may be a module asked for.
    pub(super) modules: Vec<AskedModule>,
    /// True when it executed a program since it began.
    pub(super) has_executed: bool,
}

/// A thread.
#[derive(Debug, Default)]
pub(crate) struct Thread {
    /// Its calls so far.
    pub(crate) calls: u64,
    /// How long it slept between them, in ns, as far as that was seen.
    pub(crate) slept_ns: u64,
    /// The directory that its interpreter may be looking for code in.
    pub(super) searched: Option<PlaceId>,
    /// Directories that it may be searching one after the other.
    pub(super) walk: Walk,
    /// A table of its own, after `unshare`.
    pub(super) table: Option<TableNumber>,
}

/// What a thread asked for that may be a module.
#[derive(Debug, Clone, Copy)]
pub(super) struct AskedModule {
    pub(super) thread: u32,
    pub(super) place: PlaceId,
    /// True once it was asked for a second time, without following a link.
    pub(super) is_twice: bool,
}
