//! Where tracer and tracees run: on one CPU while a single thread makes all the
//! stops, since waking another CPU at each stop costs three to five times as much;
//! wherever the scheduler puts them otherwise, so that threads are not serialized.
//!
//! A program never sees the binding: it is lifted before a call that would tell of
//! it, change it or hand it down to a new thread.

use crate::call::Call;
use rustix::process::Pid;
use rustix::thread::{CpuSet, gettid, sched_getaffinity, sched_getcpu, sched_setaffinity};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Binds and releases. Shared by the tracer's thread and the one that watches it.
#[derive(Debug)]
pub(crate) struct Placement {
    state: Mutex<State>,
    /// Calls that must not meet a binding.
    lifting: Vec<Call>,
}

#[derive(Debug)]
struct State {
    tracer: Option<(Pid, CpuSet)>,
    runner: Option<Pid>,
    /// Stops of the runner since another thread stopped, or since the last look at the clock.
    streak: u32,
    streak_began: Instant,
    /// So many stops are worth a binding now.
    needed: u32,
    last_stop: Instant,
    /// Who is bound, and where it was allowed to run before.
    bound: Option<(Pid, CpuSet)>,
}

/// So many stops of one thread in a row, in this time, are worth a binding: few, since many programs make
/// twenty calls and end. Each time another thread comes while one is bound it takes twice as many, up to
/// the second number, since threads that take turns would be bound and released for ever.
const STREAK: u32 = 4;
const LONGEST_STREAK: u32 = 32;
const STREAK_TIME: Duration = Duration::from_millis(8);
/// A thread that has not stopped for this long is computing or waiting.
const IDLE: Duration = Duration::from_millis(5);
const LIFTING: [&str; 6] = ["clone", "clone3", "fork", "vfork", "sched_getaffinity", "sched_setaffinity"];

impl Placement {
    /// Nobody is bound yet.
    pub(crate) fn new() -> Self {
        let now = Instant::now();
        let state = State {
            tracer: None,
            runner: None,
            streak: 0,
            streak_began: now,
            needed: STREAK,
            last_stop: now,
            bound: None,
        };
        let lifting = LIFTING.iter().filter_map(|name| Call::named(name)).collect();
        Self { state: Mutex::new(state), lifting }
    }

    /// A thread has stopped; told by the tracer's thread.
    pub(crate) fn stopped(&self, thread: Pid) {
        let mut state = self.lock();
        let now = Instant::now();
        state.last_stop = now;
        if state.runner != Some(thread) {
            if state.bound.is_some() {
                state.needed = LONGEST_STREAK.min(state.needed * 2);
            }
            state.release();
            state.runner = Some(thread);
            state.begin_streak(now);
        } else if state.bound.is_none() {
            state.streak += 1;
            if state.streak == state.needed {
                if now.duration_since(state.streak_began) < STREAK_TIME {
                    state.bind(thread);
                }
                state.begin_streak(now);
            }
        }
    }

    /// The thread is about to make this call.
    pub(crate) fn calls(&self, call: Call) {
        if self.lifting.contains(&call) || call.foreign {
            let mut state = self.lock();
            state.release();
            state.begin_streak(Instant::now());
        }
    }

    /// A thread is gone.
    pub(crate) fn ended(&self, thread: Pid) {
        let mut state = self.lock();
        if state.bound.as_ref().is_some_and(|(bound, _)| *bound == thread) {
            // Its number may be another's soon.
            state.bound = None;
            state.release_tracer();
        }
    }

    /// Lifts the binding of a thread that computes or waits.
    pub(crate) fn release_idle(&self) {
        let mut state = self.lock();
        if state.last_stop.elapsed() > IDLE {
            state.release();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn begin_streak(&mut self, now: Instant) {
        self.streak = 0;
        self.streak_began = now;
    }

    fn bind(&mut self, thread: Pid) {
        let tracer = gettid();
        let (Ok(its_own), Ok(ours)) = (sched_getaffinity(Some(thread)), sched_getaffinity(None)) else {
            return;
        };
        let here = Some(sched_getcpu()).filter(|cpu| its_own.is_set(*cpu));
        let common = || (0..CpuSet::MAX_CPU).find(|cpu| its_own.is_set(*cpu) && ours.is_set(*cpu));
        let Some(cpu) = here.or_else(common) else { return };
        let mut one = CpuSet::new();
        one.set(cpu);
        // Refused where the program has become somebody else: it stays free then.
        if sched_setaffinity(Some(thread), &one).is_ok() {
            self.bound = Some((thread, its_own));
            self.tracer = Some((tracer, ours));
            let _ = sched_setaffinity(None, &one);
        }
    }

    fn release(&mut self) {
        if let Some((thread, its_own)) = self.bound.take() {
            // It may have ended.
            let _ = sched_setaffinity(Some(thread), &its_own);
            self.release_tracer();
        }
    }

    fn release_tracer(&mut self) {
        if let Some((tracer, ours)) = self.tracer.take() {
            let _ = sched_setaffinity(Some(tracer), &ours);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::thread;

    fn cpus(thread: Pid) -> u32 {
        sched_getaffinity(Some(thread)).unwrap().count()
    }

    /// A thread that waits while its affinity is played with.
    fn with_thread(test: impl FnOnce(Pid)) {
        let ((tell, told), (go, gone)) = (channel(), channel::<()>());
        thread::scope(|scope| {
            scope.spawn(move || {
                tell.send(gettid()).unwrap();
                let _ = gone.recv();
            });
            test(told.recv().unwrap());
            drop(go);
        });
    }

    #[test]
    fn a_thread_that_makes_all_the_stops_is_bound_until_another_stops() {
        let before = cpus(gettid());
        with_thread(|other| {
            let placement = Placement::new();
            for _ in 0..=STREAK {
                placement.stopped(other);
            }
            assert_eq!((cpus(other), cpus(gettid())), (1, 1));
            placement.stopped(gettid());
            assert_eq!((cpus(other), cpus(gettid())), (before, before));
        });
    }

    #[test]
    fn threads_that_take_turns_are_bound_later_and_later() {
        with_thread(|other| {
            let placement = Placement::new();
            for needed in [STREAK, 2 * STREAK, 4 * STREAK] {
                for _ in 0..needed {
                    assert!(placement.lock().bound.is_none());
                    placement.stopped(other);
                }
                placement.stopped(other);
                assert_eq!(cpus(other), 1);
                placement.stopped(gettid());
            }
        });
    }

    #[test]
    fn the_binding_is_lifted_before_calls_that_would_meet_it() {
        let before = cpus(gettid());
        with_thread(|other| {
            let placement = Placement::new();
            for name in ["clone", "sched_getaffinity"] {
                for _ in 0..=STREAK {
                    placement.stopped(other);
                }
                assert_eq!(cpus(other), 1);
                placement.calls(Call::named("openat").unwrap());
                assert_eq!(cpus(other), 1);
                placement.calls(Call::named(name).unwrap());
                assert_eq!((cpus(other), cpus(gettid())), (before, before), "{name}");
            }
        });
    }

    #[test]
    fn a_thread_that_stays_away_is_released() {
        let before = cpus(gettid());
        with_thread(|other| {
            let placement = Placement::new();
            for _ in 0..=STREAK {
                placement.stopped(other);
            }
            thread::sleep(IDLE * 2);
            placement.release_idle();
            assert_eq!((cpus(other), cpus(gettid())), (before, before));
        });
    }
}
