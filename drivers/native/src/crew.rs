//! Threads that share the work of an operation or a batch. They exist before
//! the clock starts and wait; nothing is allocated when work is handed out.

use std::fmt;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// Waiting threads, numbered from 0; they end when the crew goes.
pub(crate) struct Crew {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

/// What a thread does with its number.
type Work = dyn Fn(usize) + Sync;

struct Shared {
    state: Mutex<State>,
    /// There is work, or the end.
    handed_out: Condvar,
    /// The last thread is done.
    done: Condvar,
}

struct State {
    /// Counts the work handed out, by which a thread knows what is new.
    round: u64,
    work: Option<Pointer>,
    /// Threads that are not done yet.
    left: usize,
    ending: bool,
}

/// The caller's work, which outlives the round: `share` waits for its end.
#[derive(Clone, Copy)]
struct Pointer(*const Work);

// SAFETY: the work is `Sync`, so that several threads may have it.
unsafe impl Send for Pointer {}

impl Crew {
    /// Starts so many threads.
    pub(crate) fn start(threads: usize) -> io::Result<Self> {
        let state = State { round: 0, work: None, left: 0, ending: false };
        let (handed_out, done) = (Condvar::new(), Condvar::new());
        let shared = Arc::new(Shared { state: Mutex::new(state), handed_out, done });
        let mut crew = Self { shared, threads: Vec::with_capacity(threads) };
        for number in 0..threads {
            let shared = Arc::clone(&crew.shared);
            let builder = std::thread::Builder::new().name(format!("crew {number}"));
            crew.threads.push(builder.spawn(move || shared.obey(number))?);
        }
        Ok(crew)
    }

    /// Has every thread do the work once, and waits for the last.
    pub(crate) fn share(&self, work: &(dyn Fn(usize) + Sync)) {
        // SAFETY: only the lifetime changes. No thread has the work after this
        // function, which waits until each is done.
        let work = unsafe { std::mem::transmute::<&(dyn Fn(usize) + Sync), &'static Work>(work) };
        let mut state = self.shared.lock();
        state.work = Some(Pointer(work));
        state.left = self.threads.len();
        state.round += 1;
        // Threads that wake while it is locked would have to wait again.
        drop(state);
        self.shared.handed_out.notify_all();
        let mut state = self.shared.lock();
        while state.left > 0 {
            state = self.shared.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.work = None;
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.shared.lock().ending = true;
        self.shared.handed_out.notify_all();
        for thread in self.threads.drain(..) {
            // A thread that panicked has said so already.
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Crew {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Crew").field("threads", &self.threads.len()).finish_non_exhaustive()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn obey(&self, number: usize) {
        let mut seen = 0;
        loop {
            let mut state = self.lock();
            while state.round == seen && !state.ending {
                state = self.handed_out.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            let (false, Some(Pointer(work))) = (state.ending, state.work) else { return };
            seen = state.round;
            drop(state);
            let _present = Present;
            // SAFETY: `share` keeps the work alive until this thread is done.
            unsafe { (*work)(number) };
            let mut state = self.lock();
            state.left -= 1;
            if state.left == 0 {
                self.done.notify_one();
            }
        }
    }
}

/// A thread at work. If it panicked, the caller would wait for it forever.
struct Present;

impl Drop for Present {
    fn drop(&mut self) {
        if std::thread::panicking() {
            std::process::abort();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn every_thread_does_each_work_once() {
        for threads in [1, 2, 7] {
            let crew = Crew::start(threads).unwrap();
            let sums: Vec<AtomicUsize> = (0..threads).map(|_| AtomicUsize::new(0)).collect();
            for round in 1..=100 {
                crew.share(&|number| {
                    sums[number].fetch_add(round, Ordering::Relaxed);
                });
            }
            assert!(sums.iter().all(|sum| sum.load(Ordering::Relaxed) == 5050), "{threads}");
        }
    }
}
