//! The threads that are traced now, for whoever must signal or kill them.

use rustix::process::{Pid, Signal};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The threads that are traced now, for whoever must signal or kill them.
#[derive(Debug, Default)]
pub(crate) struct Live {
    threads: Mutex<BTreeSet<i32>>,
    delivered: AtomicU64,
}

impl Live {
    /// A thread is there. False when it was known.
    pub(super) fn insert(&self, tid: i32) -> bool {
        self.lock().insert(tid)
    }

    /// A thread is gone.
    pub(super) fn remove(&self, tid: i32) {
        self.lock().remove(&tid);
    }

    /// Whether a thread is there.
    pub(crate) fn has(&self, tid: i32) -> bool {
        self.lock().contains(&tid)
    }

    /// Whether nobody is.
    pub(crate) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// All of them.
    pub(super) fn all(&self) -> Vec<i32> {
        self.lock().iter().copied().collect()
    }

    /// A signal was delivered to one of them.
    pub(super) fn note_delivered(&self, number: i32) {
        self.delivered.fetch_or(signal_bit(number), Ordering::Relaxed);
    }

    /// Kills every traced process.
    pub(crate) fn kill_all(&self) {
        self.signal_all(Signal::KILL);
    }

    /// Sends a signal to every traced process.
    pub(crate) fn signal_all(&self, signal: Signal) {
        for pid in self.lock().iter().filter_map(|pid| Pid::from_raw(*pid)) {
            // One that has just ended needs no signal.
            let _ = rustix::process::kill_process(pid, signal);
        }
    }

    /// Sends a signal to one of them. False when it is not there.
    pub(crate) fn signal(&self, pid: Pid, signal: Signal) -> bool {
        let threads = self.lock();
        threads.contains(&pid.as_raw_nonzero().get()) && rustix::process::kill_process(pid, signal).is_ok()
    }

    /// Whether a signal of this number was delivered to any of them since
    /// deliveries were forgotten.
    pub(crate) fn was_delivered(&self, number: i32) -> bool {
        self.delivered.load(Ordering::Relaxed) & signal_bit(number) != 0
    }

    /// Forgets which signals were delivered.
    pub(crate) fn forget_delivered(&self) {
        self.delivered.store(0, Ordering::Relaxed);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeSet<i32>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Real-time signals beyond the 64th do not exist.
fn signal_bit(number: i32) -> u64 {
    u32::try_from(number - 1).ok().and_then(|bit| 1_u64.checked_shl(bit)).unwrap_or(0)
}
