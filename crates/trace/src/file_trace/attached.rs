//! All processes of a group that runs already, by ptrace: those that are there, what they make, and, when it is
//! next looked, whoever was put in from elsewhere. It takes no privilege beyond that to trace them.
//!
//! They live on when the watch ends, also where Fathom is killed: the kernel lets tracees go whose tracer is gone.

use super::calls::Calls;
use super::outbox::{self, Outbox};
use super::ring::{AttachmentEnd, Observed, RingOptions, listed, mounts_of, running, see_from};
use super::watcher::{Watch, Watcher};
use crate::availability::explain_refusal;
use crate::error::TraceError;
use crate::session::{Cut, io_error};
use crate::stops::{Leftovers, Live, Stops, Tracing};
use rustix::io::Errno;
use rustix::process::Pid;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

/// How often it is looked who is in the group, and whether the watch is to end.
const LOOK: Duration = Duration::from_millis(20);
/// Stops follow each other: so often it is looked for the next one without a rest.
const EAGER: u32 = 200;
const REST: Duration = Duration::from_micros(500);
/// A thread that has not stopped by then to be let go is in a call that nothing ends: the kernel lets it go when
/// its tracer ends.
const PATIENCE: Duration = Duration::from_secs(10);
/// A process may make threads faster than they are listed, but not for ever.
const LISTINGS: u32 = 100;

/// Gives what happens in a group to `sink` until nobody is left in it, or the watch is to end. `processes` tells
/// who is in it. `Err` where the kernel refuses to trace the first one.
pub fn trace_group(
    processes: &(dyn Fn() -> Vec<u32> + Sync),
    options: &RingOptions<'_>,
    sink: &mut dyn FnMut(Observed<'_>),
) -> Result<AttachmentEnd, TraceError> {
    let (outbox, inbox) = outbox::queue(false);
    thread::scope(|scope| {
        let tracing = thread::Builder::new().spawn_scoped(scope, move || trace(processes, options, outbox));
        let tracing = tracing.map_err(|error| io_error("clone", error))?;
        inbox.deliver_observed(sink);
        tracing.join().map_err(|_| io_error("trace", io::Error::other("the tracer's watch panicked")))?
    })
}

fn trace(
    processes: &dyn Fn() -> Vec<u32>,
    options: &RingOptions<'_>,
    outbox: Outbox,
) -> Result<AttachmentEnd, TraceError> {
    let own = rustix::thread::gettid();
    let live = Live::default();
    let tracing = Tracing {
        leftovers: Leftovers::Awaited,
        at_exec: None,
        filtered: false,
        placement: None,
        hook: None,
    };
    let watcher = Watcher::new(Arc::new(Calls::new()), outbox, None).in_group();
    let mut group = Group {
        stops: Stops::attached(own, &live, tracing, watcher),
        live: &live,
        own,
        known: BTreeSet::new(),
        views: BTreeMap::new(),
        refused: BTreeMap::new(),
        has_begun: false,
        came_in: 0,
    };
    let cut = group.run(processes, options);
    group.let_go();
    let Group { stops, refused, came_in, .. } = group;
    let (failed, watcher) = stops.finish();
    let Watch { events, processes, mut reservations, members, .. } = watcher.finish();
    let cut = cut?;
    reservations.came_in(came_in);
    if let Some(errno) = failed {
        return Err(io_error("ptrace", errno.into()));
    }
    if let Some(errno) = refused.values().next() {
        let reason = explain_refusal(*errno);
        if processes == 0 {
            let first = refused.keys().next().copied().unwrap_or(0);
            return Err(TraceError::Forbidden { program: format!("process {first}"), reason });
        }
        reservations.not_traced(refused.len() as u64, reason);
    }
    Ok(AttachmentEnd {
        status: None,
        cut: cut.map(Into::into),
        events,
        processes,
        unseen: reservations.into_vec(),
        stacks: None,
        without_stack: 0,
        members,
    })
}

struct Group<'a> {
    stops: Stops<'a, Watcher>,
    live: &'a Live,
    /// The thread that traces.
    own: Pid,
    /// Processes that were looked at.
    known: BTreeSet<u32>,
    /// By mount namespace, how paths in it begin: the first is the group's own.
    views: BTreeMap<PathBuf, String>,
    /// Processes that cannot be traced, and why.
    refused: BTreeMap<u32, Errno>,
    /// Whether it was looked who was there at the beginning, and how many came in later, put in by others.
    has_begun: bool,
    came_in: u64,
}

impl Group<'_> {
    /// Until the watch is to end.
    fn run(
        &mut self,
        processes: &dyn Fn() -> Vec<u32>,
        options: &RingOptions<'_>,
    ) -> Result<Option<Cut>, TraceError> {
        let started = Instant::now();
        let (mut looked, mut idle): (Option<Instant>, u32) = (None, 0);
        loop {
            if looked.is_none_or(|looked| looked.elapsed() >= LOOK) {
                looked = Some(Instant::now());
                let members = processes();
                self.look(&members);
                if !self.refused.is_empty() && self.live.is_empty() {
                    return Ok(None);
                }
                if !self.known.is_empty() && members.is_empty() && self.live.is_empty() {
                    return Ok(None);
                }
                let asked = options.signal.map_or(0, |signal| signal.swap(0, Ordering::SeqCst));
                if let Some(number) = i32::try_from(asked).ok().filter(|number| *number != 0) {
                    return Ok(Some(Cut::Signaled(number)));
                }
                if let Some(limit) = options.time_limit.filter(|limit| started.elapsed() > *limit) {
                    return Ok(Some(Cut::TimedOut(limit)));
                }
            }
            match self.stops.step() {
                Ok(true) => idle = 0,
                Ok(false) | Err(Errno::CHILD) => {
                    idle = idle.saturating_add(1);
                    if idle < EAGER {
                        thread::yield_now();
                    } else {
                        thread::sleep(REST);
                    }
                }
                Err(errno) => return Err(io_error("waitpid", errno.into())),
            }
            if self.stops.is_refused() {
                return Ok(None);
            }
        }
    }

    /// Has those traced who are in the group and are not yet.
    fn look(&mut self, members: &[u32]) {
        // A number that nobody has any more may be another one's later.
        self.known.retain(|process| members.contains(process));
        for process in members {
            if !self.known.insert(*process) {
                continue;
            }
            let seized = self.seize(*process);
            if seized.is_empty() {
                // One that a tracee has made is traced by the kernel's doing, also before its maker is heard.
                continue;
            }
            let mut found = running(*process);
            if let Some(namespace) = mounts_of(*process) {
                let is_first = self.views.is_empty();
                let outside = || if is_first { String::new() } else { format!("/proc/{process}/root") };
                see_from(self.views.entry(namespace).or_insert_with(outside), &mut found);
            }
            self.stops.witness().meet(&found, &seized);
            self.came_in += u64::from(self.has_begun);
        }
        self.has_begun |= !members.is_empty();
    }

    /// Seizes all threads of a process that nobody traces.
    fn seize(&mut self, process: u32) -> Vec<i32> {
        let mut seized = Vec::new();
        for _ in 0..LISTINGS {
            let new: Vec<Pid> = listed(process, "task")
                .filter_map(|thread| Pid::from_raw(i32::try_from(thread).ok()?))
                .filter(|thread| !self.live.has(thread.as_raw_nonzero().get()))
                .collect();
            let mut is_new = false;
            for thread in new {
                match self.stops.seize(thread) {
                    Ok(()) => {
                        seized.push(thread.as_raw_nonzero().get());
                        is_new = true;
                    }
                    Err(Errno::SRCH) => {}
                    Err(errno) => {
                        if tracer_of(thread) != Some(self.own) && seized.is_empty() {
                            self.refused.insert(process, errno);
                        }
                    }
                }
            }
            if !is_new {
                break;
            }
        }
        seized
    }

    /// Lets all go, and waits until they went.
    fn let_go(&mut self) {
        self.stops.let_all_go();
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            match self.stops.step() {
                Ok(true) => {}
                Ok(false) => thread::sleep(REST),
                Err(_) => return,
            }
        }
    }
}

/// The thread that traces another.
fn tracer_of(thread: Pid) -> Option<Pid> {
    let status = fs::read_to_string(format!("/proc/{thread}/status")).ok()?;
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"))?;
    Pid::from_raw(tracer.trim().parse().ok()?)
}
