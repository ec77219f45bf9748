//! Scenarios: experiments whose result is not a time but what became of
//! something. Running them is `lab`'s.

use crate::words::Word;

/// What can be tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scenario {
    /// Opens without close, a race of stat and open, a swapped symbolic link.
    Pitfalls,
    /// A configuration replaced under its readers and its watchers.
    HotReload,
    /// A directory opened for writing, on every file system.
    WriteDirectory,
    /// Configuration files that are missing, unreadable, cut short or malformed.
    ConfigErrors,
    /// Threads that read one file by one descriptor.
    SharedDescriptor,
    /// Lengths of names and paths, sizes of files, inodes that run out.
    Limits,
    /// What memory files and files of tmpfs do and do not do.
    MemoryFiles,
    /// What Go's tools and runtime do with files and benchmarks.
    GoRuntime,
    /// Allocations of Go's without a file, and what its collector does meanwhile.
    Allocations,
    /// The first read of a fresh process, after several preparations.
    FirstRead,
}

impl Word for Scenario {
    const KIND: &'static str = "scenario";
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::Pitfalls, "pitfalls"),
        (Self::HotReload, "hot-reload"),
        (Self::WriteDirectory, "write-directory"),
        (Self::ConfigErrors, "config-errors"),
        (Self::SharedDescriptor, "shared-descriptor"),
        (Self::Limits, "limits"),
        (Self::MemoryFiles, "memory-files"),
        (Self::GoRuntime, "go-runtime"),
        (Self::Allocations, "allocations"),
        (Self::FirstRead, "first-read"),
    ];
}
