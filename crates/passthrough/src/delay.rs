//! Holds answers, each until its own deadline. Answers to requests that came together are held together, as
//! on a network.

use crate::tally::ServedRequests;
use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Sleeping ends so long before the deadline; the rest is waited for on the CPU, since sleeps end late.
const SPIN: Duration = Duration::from_micros(150);

/// An answer, ready to be sent.
type Send = Box<dyn FnOnce() + std::marker::Send>;

#[derive(Debug)]
pub(crate) struct DelayLine {
    delay: Duration,
    waiting: Mutex<Waiting>,
    changed: Condvar,
    tally: Arc<Mutex<ServedRequests>>,
}

#[derive(Default)]
struct Waiting {
    /// All are held equally long: the first one in is the first one due.
    answers: VecDeque<(Instant, Send)>,
    is_over: bool,
}

impl std::fmt::Debug for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Waiting").field("answers", &self.answers.len()).finish_non_exhaustive()
    }
}

impl DelayLine {
    pub(crate) fn new(delay: Duration, tally: Arc<Mutex<ServedRequests>>) -> Self {
        Self { delay, waiting: Mutex::default(), changed: Condvar::new(), tally }
    }

    /// Starts the thread that lets answers go.
    pub(crate) fn run(self: &Arc<Self>) -> io::Result<()> {
        let line = Arc::clone(self);
        thread::Builder::new().name("fathom-delays".to_owned()).spawn(move || line.let_go())?;
        Ok(())
    }

    /// Sends an answer when its time has come; the request is done now.
    pub(crate) fn hold(&self, answer: Send) {
        if self.delay.is_zero() {
            answer();
            return;
        }
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.answers.push_back((Instant::now(), answer));
        drop(waiting);
        self.changed.notify_one();
    }

    /// Ends the thread; answers that are held still go at once.
    pub(crate) fn stop(&self) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).is_over = true;
        self.changed.notify_one();
    }

    fn let_go(&self) {
        // Where it may not, answers go late on a busy machine, and the clock says so.
        let _as_others = fathom_sys::scheduling::run_before_others();
        loop {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let (done, answer) = loop {
                if let Some(first) = waiting.answers.pop_front() {
                    break first;
                }
                if waiting.is_over {
                    return;
                }
                waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            };
            drop(waiting);
            let deadline = done + self.delay;
            let asleep = deadline.saturating_duration_since(Instant::now() + SPIN);
            if !asleep.is_zero() {
                thread::sleep(asleep);
            }
            while Instant::now() < deadline {
                std::hint::spin_loop();
            }
            let held = done.elapsed();
            let held_ns = u64::try_from(held.as_nanos()).unwrap_or(u64::MAX);
            self.tally.lock().unwrap_or_else(PoisonError::into_inner).held_ns += held_ns;
            answer();
        }
    }
}
