//! Puts calls where they belong: into the marked region or the gap in which
//! they were entered. It makes no system call; memory is read by who calls it.

use crate::call::{Call, CallKey};
use crate::course::{Course, is_enough};
use crate::region::{Counts, Event, Region};
use crate::witness::{Tracee, Witness};
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

const BEGIN: &str = "/fathom-mark/begin";
const END: &str = "/fathom-mark/end";

/// Collects the calls of a run.
#[derive(Debug)]
pub(crate) struct Recorder {
    regions: Vec<Region>,
    between: Vec<Counts>,
    pending: BTreeMap<i32, Pending>,
    open: bool,
    callers: BTreeSet<i32>,
    events_per_region: usize,
    entries: u64,
    fault: Option<String>,
    /// Of a run that may end early.
    course: Option<Arc<Course>>,
    /// Regions when enough was seen; what came after is not part of the run.
    kept: Option<usize>,
    /// When the first region began, and the last.
    began: Option<(Duration, Duration)>,
}

/// The calls of a run in their places.
#[derive(Debug)]
pub(crate) struct Recorded {
    pub(crate) regions: Vec<Region>,
    pub(crate) between: Vec<Counts>,
    pub(crate) threads: u32,
    pub(crate) mark_fault: Option<String>,
    pub(crate) unfinished: Option<Region>,
}

#[derive(Debug)]
struct Pending {
    call: Call,
    arguments: [u64; 6],
    place: Place,
    sequence: u64,
}

#[derive(Debug, Clone, Copy)]
enum Place {
    Region(usize),
    Between(usize),
}

impl Recorder {
    /// A recorder at the start of a run.
    pub(crate) fn new(events_per_region: usize, course: Option<Arc<Course>>) -> Self {
        Self {
            regions: Vec::new(),
            between: vec![Counts::new()],
            pending: BTreeMap::new(),
            open: false,
            callers: BTreeSet::new(),
            events_per_region,
            entries: 0,
            fault: None,
            course,
            kept: None,
            began: None,
        }
    }

    /// What was recorded; of a run that was cut, up to there.
    pub(crate) fn finish(mut self, was_cut: bool) -> Recorded {
        let mut unfinished = None;
        if let Some(kept) = self.kept {
            self.regions.truncate(kept);
            self.between.truncate(kept + 1);
        } else if self.open && was_cut {
            unfinished = self.regions.pop();
        } else if self.open {
            self.complain(format!("region {} has no end", self.regions.len()));
        }
        for region in self.regions.iter_mut().chain(&mut unfinished) {
            region.events.sort_by_key(|event| event.sequence);
        }
        let threads = u32::try_from(self.callers.len()).unwrap_or(u32::MAX);
        Recorded { regions: self.regions, between: self.between, threads, mark_fault: self.fault, unfinished }
    }

    /// A thread is gone; a call that never returns was still made.
    fn finish_thread(&mut self, tid: i32) {
        if let Some(Pending { call, arguments, place, sequence }) = self.pending.remove(&tid) {
            let paths = Vec::new();
            self.count(
                place,
                Event { tid, call, arguments, result: 0, failed: false, paths, open_flags: None, sequence },
            );
        }
    }

    fn has_room(&self, region: usize) -> bool {
        self.regions[region].events.len() < self.events_per_region
    }

    fn begin(&mut self, tid: i32) {
        if self.open {
            self.complain(format!("region {} begins again before its end", self.regions.len()));
            return;
        }
        self.open = true;
        self.regions.push(Region::new(tid));
        let now = self.course.as_ref().map(|course| course.elapsed());
        self.began = now.map(|now| (self.began.map_or(now, |(first, _)| first), now));
    }

    fn end(&mut self) {
        if !self.open {
            self.complain(format!("an end without a begin after region {}", self.regions.len()));
            return;
        }
        self.open = false;
        self.between.push(Counts::new());
        let Some((region, course)) = self.regions.last().zip(self.course.as_ref()) else { return };
        let Some((first, last)) = self.began else { return };
        let since = |began| course.elapsed().saturating_sub(began);
        if self.kept.is_none() && is_enough(self.regions.len() - 1, region.calls(), since(last), since(first))
        {
            course.end();
            self.kept = Some(self.regions.len());
        }
    }

    fn complain(&mut self, fault: String) {
        self.fault.get_or_insert(fault);
    }

    fn count(&mut self, place: Place, event: Event) {
        let key = CallKey::of(&event);
        match place {
            Place::Between(index) => *self.between[index].entry(key).or_default() += 1,
            Place::Region(index) => {
                let room = self.has_room(index);
                let region = &mut self.regions[index];
                let counts =
                    if event.tid == region.operation_tid { &mut region.own } else { &mut region.others };
                *counts.entry(key).or_default() += 1;
                if room {
                    region.events.push(event);
                } else {
                    region.events_dropped += 1;
                }
            }
        }
    }
}

impl Witness for Recorder {
    fn enter(&mut self, tid: i32, call: Call, arguments: [u64; 6], _tracee: &dyn Tracee) {
        self.callers.insert(tid);
        self.entries += 1;
        let place = if self.open {
            Place::Region(self.regions.len() - 1)
        } else {
            Place::Between(self.regions.len())
        };
        self.pending.insert(tid, Pending { call, arguments, place, sequence: self.entries });
    }

    fn leave(&mut self, tid: i32, result: i64, failed: bool, tracee: &dyn Tracee) {
        let Some(Pending { call, arguments, place, sequence }) = self.pending.remove(&tid) else { return };
        // What rt_sigreturn seems to return is a register of the interrupted code.
        let failed = failed && call.name() != "rt_sigreturn";
        let mut event =
            Event { tid, call, arguments, result, failed, paths: Vec::new(), open_flags: None, sequence };
        // Marks name a path that does not exist, so paths of successful calls need no reading.
        let kept = matches!(place, Place::Region(region) if self.has_room(region));
        if failed || kept {
            read_arguments(&mut event, tracee);
        }
        if failed && event.paths.iter().any(|path| path == BEGIN) {
            self.begin(tid);
        } else if failed && event.paths.iter().any(|path| path == END) {
            self.end();
        } else {
            self.count(place, event);
        }
    }

    /// After an exec by a thread, the thread has the id of its process.
    fn executed(&mut self, pid: i32, former: i32, _tracee: &dyn Tracee) {
        if former != pid {
            // The first thread is gone without a word.
            self.finish_thread(pid);
            if let Some(pending) = self.pending.remove(&former) {
                self.pending.insert(pid, pending);
            }
        }
    }

    fn ended(&mut self, tid: i32, _status: ExitStatus) {
        self.finish_thread(tid);
    }
}

fn read_arguments(event: &mut Event, tracee: &dyn Tracee) {
    let addresses = event.call.path_arguments().map(|position| event.arguments[position]);
    event.paths = addresses.filter_map(|address| tracee.text(address)).collect();
    if event.call.name() == "openat2" {
        event.open_flags = tracee.word(event.arguments[2]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::witness::Memory;

    /// Addresses are indices of texts.
    struct Texts<'a>(&'a [&'a str]);

    impl Memory for Texts<'_> {
        fn copy(&self, _address: u64, _buffer: &mut [u8]) -> usize {
            0
        }
    }

    impl Tracee for Texts<'_> {
        fn text(&self, address: u64) -> Option<String> {
            self.0.get(usize::try_from(address).unwrap()).map(|text| (*text).to_owned())
        }
        fn file_kind(&self, _descriptor: i32) -> Option<fathom_model::FileKind> {
            unreachable!("a recorder asks for no file")
        }
        fn process(&self) -> Option<i32> {
            None
        }
        fn name(&self) -> Option<String> {
            None
        }
        fn executed_path(&self) -> Option<std::ffi::OsString> {
            None
        }
        fn program(&self) -> fathom_model::ExecutedProgram {
            unreachable!("a recorder asks for no program")
        }
    }

    const TEXTS: Texts<'static> = Texts(&[BEGIN, END, "/data"]);

    fn call(recorder: &mut Recorder, tid: i32, name: &str, address: u64, result: i64) {
        recorder.enter(tid, Call::named(name).unwrap(), [0, address, 0, 0, 0, 0], &TEXTS);
        recorder.leave(tid, result, result < 0, &TEXTS);
    }

    fn key(name: &str, errno: Option<i32>) -> CallKey {
        CallKey { call: Call::named(name).unwrap(), errno }
    }

    #[test]
    fn calls_fall_inside_or_outside_and_marks_nowhere() {
        let mut recorder = Recorder::new(1, None);
        call(&mut recorder, 1, "openat", 2, 3);
        call(&mut recorder, 1, "openat", 0, -2);
        call(&mut recorder, 1, "openat", 2, 3);
        call(&mut recorder, 1, "openat", 2, -2);
        call(&mut recorder, 2, "read", 2, 5);
        call(&mut recorder, 1, "openat", 1, -2);
        call(&mut recorder, 1, "write", 2, 5);
        let Recorded { regions, between, threads, mark_fault, .. } = recorder.finish(false);
        assert_eq!(mark_fault, None);
        let region = &regions[0];
        assert_eq!(region.own, Counts::from([(key("openat", None), 1), (key("openat", Some(2)), 1)]));
        assert_eq!(region.others, Counts::from([(key("read", None), 1)]));
        assert_eq!((region.events.len(), region.events_dropped), (1, 2));
        assert_eq!(region.events[0].paths, ["/data"]);
        assert_eq!(between[0], Counts::from([(key("openat", None), 1)]));
        assert_eq!(between[1], Counts::from([(key("write", None), 1)]));
        assert_eq!(threads, 2);
    }

    #[test]
    fn a_call_belongs_where_it_was_entered() {
        let mut recorder = Recorder::new(8, None);
        recorder.enter(2, Call::named("futex").unwrap(), [0; 6], &TEXTS);
        call(&mut recorder, 1, "openat", 0, -2);
        recorder.leave(2, 0, false, &TEXTS);
        recorder.enter(2, Call::named("futex").unwrap(), [0; 6], &TEXTS);
        call(&mut recorder, 1, "openat", 1, -2);
        recorder.finish_thread(2);
        let Recorded { regions, between, .. } = recorder.finish(false);
        assert_eq!(regions[0].others, Counts::from([(key("futex", None), 1)]));
        assert_eq!(between, [Counts::from([(key("futex", None), 1)]), Counts::new()]);
    }

    #[test]
    fn an_exec_by_a_thread_ends_the_call_of_the_first() {
        let mut recorder = Recorder::new(0, None);
        recorder.enter(1, Call::named("futex").unwrap(), [0; 6], &TEXTS);
        recorder.enter(2, Call::named("execve").unwrap(), [0; 6], &TEXTS);
        recorder.executed(1, 2, &TEXTS);
        recorder.leave(1, 0, false, &TEXTS);
        let gap = recorder.finish(false).between.remove(0);
        assert_eq!(gap, Counts::from([(key("futex", None), 1), (key("execve", None), 1)]));
    }

    #[test]
    fn a_return_from_a_signal_handler_never_fails() {
        let mut recorder = Recorder::new(0, None);
        call(&mut recorder, 1, "rt_sigreturn", 2, -1);
        let gap = recorder.finish(false).between.remove(0);
        assert_eq!(gap, Counts::from([(key("rt_sigreturn", None), 1)]));
    }

    #[test]
    fn a_start_that_takes_long_is_no_long_operation() {
        let course = Arc::new(Course::default());
        let mut recorder = Recorder::new(0, Some(course.clone()));
        let mut operation = |until_seconds| {
            call(&mut recorder, 1, "openat", 0, -2);
            course.set_elapsed(Duration::from_secs(until_seconds));
            call(&mut recorder, 1, "openat", 1, -2);
            course.is_enough()
        };
        // As much as two of an operation's limits are over before anything begins.
        course.set_elapsed(Duration::from_secs(6));
        let ended = [6, 6, 6, 6, 13, 14].map(&mut operation);
        assert_eq!(ended, [false, false, false, false, false, true]);
    }

    #[test]
    fn marks_that_do_not_match_are_said() {
        let faulty = |marks: &[u64]| {
            let mut recorder = Recorder::new(0, None);
            for mark in marks {
                call(&mut recorder, 1, "openat", *mark, -2);
            }
            recorder.finish(false).mark_fault.unwrap()
        };
        assert!(faulty(&[0]).contains("no end"));
        assert!(faulty(&[0, 0, 1]).contains("begins again"));
        assert!(faulty(&[1]).contains("without a begin"));
    }
}
