//! Waits for the end of what is followed; passes signals on, keeps the time limit.

use super::RingOptions;
use super::follower::Delivered;
use super::probe::Probe;
use crate::session::Cut;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};
use std::fs;
use std::io;
use std::process::{Child, ExitStatus};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

/// What came of a command.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) status: ExitStatus,
    pub(super) cut: Option<Cut>,
}

/// How often it is looked after.
const LOOK: Duration = Duration::from_millis(4);
/// How long a signal of the terminal may take to reach the program by itself.
const TERMINAL_DELAY: Duration = Duration::from_millis(100);

/// Waits for a command and all that it made.
pub(super) fn watch_child(
    mut child: Child,
    probe: &Probe,
    options: &RingOptions<'_>,
    delivered: &Delivered,
) -> io::Result<Watched> {
    let started = Instant::now();
    let (mut ended, mut cut) = (None, None);
    let end =
        Pid::from_raw(child.id().cast_signed()).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
    loop {
        if ended.is_none() && has_ended(child.id(), end.as_ref()) {
            ended = child.try_wait()?;
        }
        if let Some(status) = ended.filter(|_| probe.living() == 0) {
            return Ok(Watched { status, cut: cut.or_else(|| asked_signal(options).map(Cut::Signaled)) });
        }
        let is_stopped = options.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        let past = options.time_limit.filter(|limit| started.elapsed() > *limit);
        if let Some(reason) = is_stopped.then_some(Cut::Stopped).or(past.map(Cut::TimedOut)) {
            cut.get_or_insert(reason);
            // Again at every look: a child may be born between the list and the signal.
            signal_all(probe, Signal::KILL);
        } else if let Some(number) = asked_signal(options) {
            cut = Some(Cut::Signaled(number));
            pass_on(number, ended.is_none().then(|| child.id()), probe, delivered);
        } else {
            // Of before; what the terminal sends reaches both at once.
            delivered.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
        rest(end.as_ref().filter(|_| ended.is_none()));
    }
}

/// Whether a process has ended, or may have. Where a thread of ours traces the child, a wait for it would be
/// told of its stops, too, which nobody then ends.
fn has_ended(process: u32, end: Option<&OwnedFd>) -> bool {
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    end.map_or_else(
        || is_dead(process),
        |end| poll(&mut [PollFd::new(end, PollFlags::IN)], Some(&now)).is_ok_and(|ready| ready > 0),
    )
}

/// What the kernel's list of processes says of it. True where that cannot be read.
fn is_dead(process: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // Its name may hold anything.
    let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    state.is_none_or(|state| matches!(state, 'Z' | 'X'))
}

/// Until it is time for the next look, or a process has ended.
fn rest(end: Option<&OwnedFd>) {
    let pause = Timespec { tv_sec: 0, tv_nsec: i64::from(LOOK.subsec_nanos()) };
    let looked = end.map(|end| poll(&mut [PollFd::new(end, PollFlags::IN)], Some(&pause)));
    if looked.is_none_or(|looked| looked.is_err()) {
        thread::sleep(LOOK);
    }
}

/// Waits until nobody is left of a process that ran before, or the watch is to end.
pub(super) fn watch_running(probe: &Probe, options: &RingOptions<'_>) -> Option<Cut> {
    let started = Instant::now();
    while probe.living() > 0 {
        if let Some(number) = asked_signal(options) {
            return Some(Cut::Signaled(number));
        }
        if let Some(limit) = options.time_limit.filter(|limit| started.elapsed() > *limit) {
            return Some(Cut::TimedOut(limit));
        }
        thread::sleep(LOOK);
    }
    None
}

/// The same of a group, which is over when it was there and nobody is left.
pub(super) fn watch_group(
    probe: &Probe,
    options: &RingOptions<'_>,
    is_populated: &(dyn Fn() -> bool + Sync),
) -> Option<Cut> {
    let started = Instant::now();
    let mut was_there = false;
    loop {
        was_there |= probe.living() > 0 || probe.entered() > 0;
        if was_there && probe.living() == 0 && !is_populated() {
            return None;
        }
        if let Some(number) = asked_signal(options) {
            return Some(Cut::Signaled(number));
        }
        if let Some(limit) = options.time_limit.filter(|limit| started.elapsed() > *limit) {
            return Some(Cut::TimedOut(limit));
        }
        thread::sleep(LOOK);
    }
}

fn asked_signal(options: &RingOptions<'_>) -> Option<i32> {
    let number = options.signal?.swap(0, Ordering::SeqCst);
    i32::try_from(number).ok().filter(|number| *number != 0)
}

/// A terminal gives its signal to the whole foreground group, hence to the program too;
/// whoever signals Fathom alone means the program.
fn pass_on(number: i32, child: Option<u32>, probe: &Probe, delivered: &Delivered) {
    thread::sleep(TERMINAL_DELAY);
    let Some(signal) = Signal::from_named_raw(number) else { return };
    if delivered.lock().unwrap_or_else(PoisonError::into_inner).contains(&number) {
        return;
    }
    match child.and_then(|child| Pid::from_raw(i32::try_from(child).ok()?)) {
        Some(child) => {
            // Not waited for yet, so that its number is nobody else's.
            let _ = kill_process(child, signal);
        }
        None => signal_all(probe, signal),
    }
}

fn signal_all(probe: &Probe, signal: Signal) {
    for thread in probe.threads() {
        if let Some(thread) = i32::try_from(thread).ok().and_then(Pid::from_raw) {
            // It may have ended meanwhile.
            let _ = kill_process(thread, signal);
        }
    }
}
