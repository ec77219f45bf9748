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
}

impl Word for Scenario {
    const KIND: &'static str = "scenario";
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::Pitfalls, "pitfalls"),
        (Self::HotReload, "hot-reload"),
        (Self::WriteDirectory, "write-directory"),
        (Self::ConfigErrors, "config-errors"),
    ];
}
