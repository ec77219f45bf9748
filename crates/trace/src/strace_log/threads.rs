//! Whose a line is: threads, their processes, and calls that have not ended yet.

use fathom_events::{CallName, Shape};
use std::collections::BTreeMap;

/// A call that is known by name, and what its arguments are if it is of the file path.
pub(super) type KnownCall = (&'static [u8], Option<(CallName, Shape)>);

/// A call whose end is not printed yet.
#[derive(Debug, PartialEq)]
pub(super) struct Pending {
    pub(super) call: KnownCall,
    /// Its arguments as far as they are printed.
    pub(super) text: Vec<u8>,
    /// The line of its beginning.
    pub(super) line: u64,
    /// The thread that it made, which was seen before its end.
    pub(super) child: Option<u32>,
}

impl Pending {
    /// True when the call makes a thread.
    pub(super) fn makes_thread(&self) -> bool {
        matches!(self.call.0, b"clone" | b"clone3" | b"fork" | b"vfork")
    }
}

/// With more threads than this, those are forgotten that a call said to end: a log
/// may be without the lines of their ends (`-qqq`).
const MANY_THREADS: usize = 1 << 12;

/// All threads of a log that have not ended.
#[derive(Debug, Default)]
pub(super) struct Threads {
    alive: BTreeMap<u32, Thread>,
    /// The thread of lines that name none.
    unnamed: u32,
    /// By which number lines name it later, when there are others.
    unnamed_is: Option<u32>,
    /// The last line's, for the next is mostly the same thread's.
    last: Option<(u32, u32)>,
}

/// A thread that is met for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Met {
    /// It.
    pub(super) thread: u32,
    /// The thread in whose unfinished call it was made, where that is sure.
    pub(super) made_by: Option<u32>,
    /// Several could have made it.
    pub(super) unsure: bool,
}

/// A thread whose end no line told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Left {
    pub(super) thread: u32,
    pub(super) process: u32,
    pub(super) code: Option<i32>,
}

#[derive(Debug, Clone, Copy)]
struct Leaving {
    code: Option<i32>,
    is_told: bool,
}

#[derive(Debug)]
struct Thread {
    process: u32,
    pending: Option<Pending>,
    /// It is ending, with this code.
    leaves: Option<Leaving>,
}

impl Threads {
    /// Gives the thread of lines that name none.
    pub(super) fn name_unnamed(&mut self, thread: u32) {
        self.unnamed = thread;
    }

    /// The thread of a line, which may be new. `resumed` is the call that the line
    /// is the rest of.
    pub(super) fn meet(&mut self, number: Option<u32>, resumed: Option<&[u8]>) -> Met {
        let thread = number.map_or_else(|| self.only_one(), |number| self.without_alias(number));
        let known = Met { thread, made_by: None, unsure: false };
        if self.last.is_some_and(|(last, _)| last == thread) || self.alive.contains_key(&thread) {
            return known;
        }
        if number.is_none() {
            self.begin(thread, thread);
            return known;
        }
        if self.unnamed_resumes(resumed) {
            return Met { thread: self.alias(thread), ..known };
        }
        let mut makers = self.alive.iter().filter(|(_, thread)| is_making(thread)).map(|(maker, _)| *maker);
        match (makers.next(), makers.next()) {
            (Some(maker), None) => return Met { made_by: Some(maker), ..known },
            (Some(_), Some(_)) => {
                drop(makers);
                self.begin(thread, thread);
                return Met { unsure: true, ..known };
            }
            (None, _) => {}
        }
        if self.alive.contains_key(&self.unnamed) && self.unnamed_is.is_none() && self.unnamed == 0 {
            return Met { thread: self.alias(thread), ..known };
        }
        self.begin(thread, thread);
        known
    }

    /// True for a thread that was not seen yet.
    pub(super) fn is_new(&self, thread: u32) -> bool {
        !self.alive.contains_key(&self.without_alias(thread))
    }

    /// A thread begins.
    pub(super) fn begin(&mut self, thread: u32, process: u32) {
        self.last = None;
        self.alive.insert(thread, Thread { process, pending: None, leaves: None });
    }

    /// A thread is of this process, whatever was thought before.
    pub(super) fn belongs(&mut self, thread: u32, process: u32) {
        self.last = None;
        self.alive.entry(thread).or_insert(Thread { process, pending: None, leaves: None }).process = process;
    }

    /// A thread is no more; gives its call that will not end and whether its end
    /// was told already.
    pub(super) fn end(&mut self, thread: u32) -> (Option<Pending>, bool) {
        self.last = None;
        let Some(thread) = self.alive.remove(&thread) else { return (None, false) };
        (thread.pending, thread.leaves.is_some_and(|leaves| leaves.is_told))
    }

    /// A call says that its thread or the whole process ends. Where that is all there
    /// is to come of them gives whether the process ends; else their ends will tell.
    pub(super) fn leaves(&mut self, thread: u32, code: Option<i32>, whole: bool) -> Option<bool> {
        let process = self.process(thread);
        let mut mates =
            self.alive.iter().filter(|(number, other)| **number != thread && other.process == process);
        let is_alone = mates.next().is_none();
        let is_told = is_alone || (!whole && thread != process);
        for (number, other) in &mut self.alive {
            if *number == thread || (whole && other.process == process) {
                other.leaves = Some(Leaving { code, is_told });
            }
        }
        is_told.then_some(is_alone && (whole || thread == process))
    }

    /// Forgets threads that a call said to end, when they are many or all are to be;
    /// gives those whose ends are not told, first threads last.
    pub(super) fn take_left(&mut self, all: bool) -> Vec<Left> {
        if !all && self.alive.len() <= MANY_THREADS {
            return Vec::new();
        }
        self.last = None;
        let numbers: Vec<_> =
            self.alive.iter().filter(|(_, thread)| thread.leaves.is_some()).map(|(n, _)| *n).collect();
        if !all && numbers.len() <= MANY_THREADS {
            return Vec::new();
        }
        let mut left: Vec<_> = numbers.into_iter().filter_map(|number| self.take_one_left(number)).collect();
        left.sort_by_key(|left| (left.process, left.thread == left.process));
        left
    }

    /// The same of one thread, whose number is another's from now on.
    pub(super) fn take_one_left(&mut self, number: u32) -> Option<Left> {
        let Leaving { code, is_told } = self.alive.get(&number)?.leaves?;
        let thread = self.alive.remove(&number)?;
        self.last = None;
        (!is_told).then_some(Left { thread: number, process: thread.process, code })
    }

    /// The process of a thread.
    pub(super) fn process(&mut self, thread: u32) -> u32 {
        if let Some((last, process)) = self.last
            && last == thread
        {
            return process;
        }
        let Some(known) = self.alive.get(&thread) else { return thread };
        self.last = Some((thread, known.process));
        known.process
    }

    /// Keeps a call until its end; gives one that was kept before.
    pub(super) fn keep(&mut self, thread: u32, pending: Pending) -> Option<Pending> {
        let thread = self.alive.entry(thread);
        let thread =
            thread.or_insert_with_key(|number| Thread { process: *number, pending: None, leaves: None });
        thread.pending.replace(pending)
    }

    /// Takes the call that has not ended.
    pub(super) fn take(&mut self, thread: u32) -> Option<Pending> {
        self.alive.get_mut(&thread)?.pending.take()
    }

    /// Takes the first call of any thread that has not ended.
    pub(super) fn take_any(&mut self) -> Option<(u32, Pending)> {
        self.alive.iter_mut().find_map(|(number, thread)| Some((*number, thread.pending.take()?)))
    }

    /// Whose a line is that names none: strace names none while there is but one.
    fn only_one(&self) -> u32 {
        let mut alive = self.alive.keys();
        match (alive.next(), alive.next()) {
            (Some(one), None) => *one,
            _ => self.unnamed,
        }
    }

    fn without_alias(&self, number: u32) -> u32 {
        if self.unnamed_is == Some(number) { self.unnamed } else { number }
    }

    fn alias(&mut self, number: u32) -> u32 {
        self.unnamed_is = Some(number);
        self.unnamed
    }

    /// True when the line is the rest of a call that the unnamed thread began.
    fn unnamed_resumes(&self, resumed: Option<&[u8]>) -> bool {
        let pending = self.alive.get(&self.unnamed).and_then(|thread| thread.pending.as_ref());
        let same = pending.zip(resumed).is_some_and(|(pending, name)| pending.call.0 == name);
        same && self.unnamed_is.is_none() && self.unnamed == 0
    }
}

fn is_making(thread: &Thread) -> bool {
    thread.pending.as_ref().is_some_and(|pending| pending.makes_thread() && pending.child.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pending(name: &'static str) -> Pending {
        Pending { call: (name.as_bytes(), None), text: Vec::new(), line: 1, child: None }
    }

    #[test]
    fn the_unnamed_thread_is_known_by_its_number_later() {
        let mut threads = Threads::default();
        assert_eq!(threads.meet(None, None).thread, 0);
        threads.keep(0, pending("read"));
        threads.begin(8, 8);
        assert_eq!(threads.meet(Some(8), None).thread, 8);
        assert_eq!(threads.meet(Some(7), Some(b"read")).thread, 0);
        threads.end(8);
        assert_eq!([threads.meet(Some(7), None).thread, threads.meet(None, None).thread], [0, 0]);
        threads.begin(9, 9);
        threads.end(0);
        assert_eq!(threads.meet(None, None).thread, 9, "the only one left");
    }

    #[test]
    fn the_rest_of_a_call_is_its_own_threads_not_that_of_what_it_made() {
        let mut threads = Threads::default();
        threads.begin(0, 0);
        threads.keep(0, pending("vfork"));
        let met = threads.meet(Some(7), Some(b"vfork"));
        assert_eq!(met, Met { thread: 0, made_by: None, unsure: false });
    }

    #[test]
    fn a_new_thread_is_of_the_call_that_makes_one() {
        let mut threads = Threads::default();
        threads.begin(5, 5);
        threads.keep(5, pending("clone"));
        assert_eq!(threads.meet(Some(6), None), Met { thread: 6, made_by: Some(5), unsure: false });
        threads.begin(4, 4);
        threads.keep(4, pending("vfork"));
        assert_eq!(threads.meet(Some(6), None), Met { thread: 6, made_by: None, unsure: true });
    }

    #[test]
    fn a_process_ends_when_the_last_of_its_threads_does() {
        let mut threads = Threads::default();
        threads.begin(5, 5);
        assert_eq!(threads.leaves(5, Some(1), false), Some(true), "it is alone");
        assert_eq!(threads.end(5), (None, true));
        threads.begin(5, 5);
        threads.begin(6, 5);
        threads.begin(7, 5);
        assert_eq!(threads.leaves(6, Some(0), false), Some(false));
        assert_eq!(threads.leaves(5, Some(0), false), None, "others go on");
        assert_eq!(threads.leaves(7, Some(2), true), None);
        let left = |thread| Left { thread, process: 5, code: Some(2) };
        assert_eq!(threads.take_left(true), [left(6), left(7), left(5)]);
    }
}
