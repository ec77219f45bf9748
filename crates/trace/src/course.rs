//! How far a traced run has come: the time that its watcher reads, and the word of its
//! recorder that it has seen enough. Runs of long operations end early by it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// From so many calls on, one operation after another of the same process is enough.
const LONG_CALLS: u64 = 100_000;
/// From so many on, the first operation of the process is.
const LONGEST_CALLS: u64 = 1_000_000;
/// And so is an operation that takes so long, …
const LONGEST_FIRST: Duration = Duration::from_secs(3);
/// … one after another that does, …
const LONG_SECOND: Duration = Duration::from_millis(700);
/// … and whatever is over so long after the first began.
const LONG_RUN: Duration = Duration::from_secs(8);

/// Shared by the thread that watches the time and the one that records.
#[derive(Debug, Default)]
pub(crate) struct Course {
    elapsed_ms: AtomicU64,
    enough: AtomicBool,
}

impl Course {
    /// So much time has passed.
    pub(crate) fn set_elapsed(&self, elapsed: Duration) {
        self.elapsed_ms.store(u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    pub(crate) fn elapsed(&self) -> Duration {
        Duration::from_millis(self.elapsed_ms.load(Ordering::Relaxed))
    }

    /// Nothing more is needed.
    pub(crate) fn end(&self) {
        self.enough.store(true, Ordering::SeqCst);
    }

    pub(crate) fn is_enough(&self) -> bool {
        self.enough.load(Ordering::SeqCst)
    }
}

/// Whether a run that begins with batches of 1, 0 and 1 operations need not go on behind
/// the region of this number, in which so many calls were made. Both times say nothing of how long
/// the runtime took to start: beside load that is seconds, and operations would seem long.
pub(crate) fn is_enough(region: usize, calls: u64, took: Duration, since_first: Duration) -> bool {
    match region {
        0 => calls >= LONGEST_CALLS || took >= LONGEST_FIRST,
        1 => false,
        2 => calls >= LONG_CALLS || took >= LONG_SECOND,
        _ => since_first >= LONG_RUN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_calls_or_much_time_end_a_run_and_few_of_both_do_not() {
        let soon = Duration::from_millis(100);
        let is_enough = |region, calls, time| is_enough(region, calls, time, time);
        assert!(!is_enough(0, 262_144, soon) && is_enough(2, 262_144, soon));
        assert!(is_enough(0, 1_650_000, soon), "a call for every line");
        assert!(!is_enough(0, 7, soon) && !is_enough(2, 7, soon) && !is_enough(9, 7, soon));
        let second = Duration::from_secs(1);
        assert!(!is_enough(0, 7, second) && is_enough(2, 7, second) && !is_enough(4, 7, second));
        assert!(is_enough(0, 7, second * 4) && is_enough(5, 7, second * 10));
        assert!(!is_enough(1, 0, second * 50), "a run without operations tells nothing");
    }
}
