//! New threads between their first stop and the word of who made them: either may
//! come first. One that is early is held, so that who is told of both hears of a
//! thread before it hears from it.

use fathom_sys::ptrace_support::Resume;
use std::collections::{BTreeMap, BTreeSet};

/// Threads that are being made.
#[derive(Debug, Default)]
pub(super) struct Births {
    /// Threads that stopped before their maker told of them.
    unannounced: BTreeMap<i32, Unannounced>,
    /// Threads that are inside a call which makes a thread.
    making: BTreeSet<i32>,
}

/// What is known of a new thread when its maker tells of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Announced {
    /// It has not stopped yet.
    First,
    /// It stood at its first stop and may go on now.
    Held(Resume),
    /// It went on, or has ended.
    Gone,
}

/// Threads that may go on, and how.
pub(super) type Released = Vec<(i32, Resume)>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unannounced {
    Held(Resume),
    /// It runs: its maker may never tell.
    Running,
    Ended,
}

impl Births {
    /// A thread enters a call that makes another.
    pub(super) fn begin(&mut self, maker: i32) {
        self.making.insert(maker);
    }

    /// A thread has told of the one that it made, or made none.
    pub(super) fn finish(&mut self, maker: i32) -> Released {
        // Nobody is left who could tell of those that are held.
        if self.making.remove(&maker) && self.making.is_empty() { self.release() } else { Vec::new() }
    }

    /// A thread is gone: if it was making another, it will never tell of it.
    pub(super) fn lose(&mut self, maker: i32) -> Released {
        if self.making.remove(&maker) { self.release() } else { Vec::new() }
    }

    /// A thread that nobody told of stops for the first time. True when it has to wait.
    pub(super) fn arrive(&mut self, child: i32, how: Resume) -> bool {
        // The maker may have been killed before it could tell.
        let held = !self.making.is_empty();
        self.unannounced.insert(child, if held { Unannounced::Held(how) } else { Unannounced::Running });
        held
    }

    /// A maker tells of its thread.
    pub(super) fn announce(&mut self, child: i32) -> Announced {
        match self.unannounced.remove(&child) {
            None => Announced::First,
            Some(Unannounced::Held(how)) => Announced::Held(how),
            Some(Unannounced::Running | Unannounced::Ended) => Announced::Gone,
        }
    }

    /// A thread has ended, perhaps before its maker told of it.
    pub(super) fn end(&mut self, tid: i32) -> Released {
        if let Some(state) = self.unannounced.get_mut(&tid) {
            *state = Unannounced::Ended;
        }
        self.lose(tid)
    }

    /// Threads that are held and stay for no word of their maker's any more.
    pub(super) fn release(&mut self) -> Released {
        let mut released = Vec::new();
        for (child, state) in &mut self.unannounced {
            if let Unannounced::Held(how) = *state {
                *state = Unannounced::Running;
                released.push((*child, how));
            }
        }
        released
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GO: Resume = Resume::Syscall(0);

    #[test]
    fn an_early_thread_waits_for_its_makers_word() {
        let mut births = Births::default();
        births.begin(1);
        assert!(births.arrive(2, GO));
        assert_eq!(births.announce(2), Announced::Held(GO));
        assert_eq!(births.finish(1), []);
        births.begin(1);
        assert_eq!(births.announce(3), Announced::First);
    }

    #[test]
    fn a_thread_whose_maker_is_killed_goes_on() {
        let mut births = Births::default();
        births.begin(1);
        assert!(births.arrive(2, Resume::Listen));
        assert_eq!(births.end(1), [(2, Resume::Listen)]);
        assert!(!births.arrive(3, GO), "its maker has ended already");
        assert_eq!((births.announce(2), births.announce(3)), (Announced::Gone, Announced::Gone));
    }

    #[test]
    fn a_thread_that_only_another_maker_kept_waiting_goes_on_with_it() {
        let mut births = Births::default();
        births.begin(1);
        births.begin(5);
        assert!(births.arrive(2, GO), "of a maker that is gone, while 1 and 5 make others");
        assert_eq!(births.finish(1), []);
        assert_eq!(births.finish(5), [(2, GO)]);
    }

    #[test]
    fn a_held_thread_that_was_killed_is_not_let_go() {
        let mut births = Births::default();
        births.begin(1);
        assert!(births.arrive(2, GO));
        assert_eq!(births.end(2), []);
        assert_eq!(births.announce(2), Announced::Gone);
        assert_eq!(births.finish(1), []);
    }
}
