//! Who did what when: each event with its process, the file behind its descriptor, when it began,
//! and which descriptors' lives begin and end with it.

use super::descriptors::{Changes, Descriptors, Leads, Lifetime};
use super::processes::{Process, Processes, made};
use fathom_events::{FileAction, FileEvent, RunningProcess, Target};
use rustc_hash::FxHashMap;

/// Follows events.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    processes: Processes,
    descriptors: Descriptors,
    /// When the last call of a thread ended.
    ended_ns: FxHashMap<(u32, u32), u64>,
    changes: Changes,
    /// Processes that are met with the next event.
    met: Vec<u32>,
    events: u64,
    /// Calls whose beginning had to be moved.
    pub(super) moved: u64,
}

/// An event and what was found of it.
#[derive(Debug)]
pub(super) struct Step<'a> {
    /// Its number among all, from 1.
    pub(super) number: u64,
    pub(super) event: &'a FileEvent,
    /// Its process, by its number among all.
    pub(super) process: u32,
    /// When it began, where that is known.
    pub(super) began_ns: Option<u64>,
    /// What its descriptor leads to.
    pub(super) leads: Option<Leads>,
    /// Processes that were met with it, in their order.
    pub(super) met: Vec<u32>,
    /// Descriptors' lives that began with it.
    pub(super) begun: Vec<Lifetime>,
    /// Those that ended.
    pub(super) ended: Vec<Lifetime>,
}

impl Timeline {
    /// One that knows of a process which ran before.
    pub(super) fn new(running: Option<&RunningProcess>) -> Self {
        let mut timeline = Self::default();
        if let Some(running) = running {
            let process = timeline.meet(running.process);
            timeline.descriptors.meet_running(process, running, &mut timeline.changes);
        }
        timeline
    }

    /// Takes an event in.
    pub(super) fn follow<'a>(&mut self, event: &'a FileEvent) -> Step<'a> {
        self.events += 1;
        let process = self.meet(event.process);
        let leads =
            descriptor(&event.action).and_then(|number| self.descriptors.leads(process, number).cloned());
        let began_ns = self.began(event, process);
        if let Some((pid, shares)) = made(event) {
            self.processes.end(pid);
            let child = self.processes.begin(pid, Some(process));
            self.descriptors.fork(process, shares, &mut self.changes);
            self.met.push(child);
        }
        self.descriptors.follow(process, event, &mut self.changes);
        if matches!(event.action, FileAction::Exit { whole: true, .. }) {
            self.processes.end(event.process);
        }
        if matches!(event.action, FileAction::Exit { .. }) {
            self.ended_ns.remove(&(process, event.thread));
        }
        let Changes { mut begun, mut ended } = std::mem::take(&mut self.changes);
        if !begun.is_empty() && !ended.is_empty() {
            // What begins and ends at once has no life to show.
            let both = |one: &[Lifetime], other: &Lifetime| one.iter().any(|of| of.id == other.id);
            let kept: Vec<_> = ended.iter().filter(|of| !both(&begun, of)).cloned().collect();
            begun.retain(|of| !both(&ended, of));
            ended = kept;
        }
        Step {
            number: self.events,
            event,
            process,
            began_ns,
            leads,
            met: std::mem::take(&mut self.met),
            begun,
            ended,
        }
    }

    /// A process by its number.
    pub(super) fn process(&self, number: u32) -> Process {
        self.processes.get(number)
    }

    fn meet(&mut self, pid: u32) -> u32 {
        let (process, is_new) = self.processes.meet(pid);
        if is_new {
            self.descriptors.meet();
            self.met.push(process);
        }
        process
    }

    /// When a call began: never before the one before it on its thread ended. Sources round times,
    /// and requests of `io_uring` overlap.
    fn began(&mut self, event: &FileEvent, process: u32) -> Option<u64> {
        let before = self.ended_ns.insert((process, event.thread), event.at_ns).unwrap_or(0);
        let began = event.at_ns.saturating_sub(event.took_ns?);
        if began < before {
            self.moved += 1;
        }
        Some(began.max(before.min(event.at_ns)))
    }
}

/// The descriptor that an action is about.
pub(super) fn descriptor(action: &FileAction) -> Option<i32> {
    action.descriptor().or_else(|| match target(action) {
        Some(Target::Descriptor(descriptor)) => Some(*descriptor),
        _ => None,
    })
}

/// The file that an action names.
pub(super) fn target(action: &FileAction) -> Option<&Target> {
    action.targets()[0]
}
