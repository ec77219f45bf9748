//! Processes and threads by numbers of our own: the kernel gives theirs anew.

use fathom_events::{FileAction, FileEvent};
use rustc_hash::FxHashMap;

/// A process, from its making to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Process {
    /// The kernel's number.
    pub(super) pid: u32,
    /// Who made it, by its number among all; `None` of one that nobody saw begin.
    pub(super) parent: Option<u32>,
}

/// All processes, numbered in the order in which they were met.
#[derive(Debug, Default)]
pub(super) struct Processes {
    all: Vec<Process>,
    alive: FxHashMap<u32, u32>,
}

impl Processes {
    /// The process of an event; true where it was not met before.
    pub(super) fn meet(&mut self, pid: u32) -> (u32, bool) {
        if let Some(known) = self.alive.get(&pid) {
            return (*known, false);
        }
        (self.begin(pid, None), true)
    }

    /// A process that another makes.
    pub(super) fn begin(&mut self, pid: u32, parent: Option<u32>) -> u32 {
        let number = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        self.all.push(Process { pid, parent });
        self.alive.insert(pid, number);
        number
    }

    /// Its number is free from now on.
    pub(super) fn end(&mut self, pid: u32) {
        self.alive.remove(&pid);
    }

    /// One of them.
    pub(super) fn get(&self, number: u32) -> Process {
        self.all[number as usize]
    }

    /// How many were met.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }
}

/// The process that an event made, and whether it shares its maker's descriptors.
pub(super) fn made(event: &FileEvent) -> Option<(u32, bool)> {
    let FileAction::Fork { is_thread: false, shares_descriptors, .. } = event.action else { return None };
    let pid = event.outcome.value().and_then(|pid| u32::try_from(pid).ok()).filter(|pid| *pid > 0)?;
    Some((pid, shares_descriptors))
}
