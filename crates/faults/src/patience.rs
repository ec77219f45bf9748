//! When a run hangs: beside load one that works takes many times as long as alone, one that hangs does
//! nothing for any time.

use std::time::Duration;

/// Less than this part of the time on a CPU is no work: a wait that looks around now and then.
const WORK: u32 = 100;
/// What works for so many limits and does not end never will.
const LIMITS_MAX: u32 = 10;

/// Asked now and then whether a run has had its time.
#[derive(Debug)]
pub(crate) struct Patience {
    limit: Duration,
    until: Duration,
    cpu_time: Duration,
}

impl Patience {
    /// So long may nothing be done.
    pub(crate) fn new(limit: Duration) -> Self {
        Self { limit, until: limit, cpu_time: Duration::ZERO }
    }

    /// Whether the run hangs that has gone on for so long; its CPU time is asked for once a limit is over.
    pub(crate) fn is_over(&mut self, elapsed: Duration, cpu_time: impl FnOnce() -> Duration) -> bool {
        if elapsed <= self.until {
            return false;
        }
        let cpu_time = cpu_time();
        let has_worked = cpu_time.saturating_sub(self.cpu_time) >= self.limit / WORK;
        *self = Self { limit: self.limit, until: elapsed + self.limit, cpu_time };
        !has_worked || elapsed > self.limit * LIMITS_MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn what_works_goes_on_and_what_does_nothing_hangs() {
        let mut patience = Patience::new(SECOND * 30);
        assert!(!patience.is_over(SECOND * 29, || unreachable!("nobody asks before the limit")));
        assert!(!patience.is_over(SECOND * 31, || SECOND), "a second of CPU time beside load");
        assert!(!patience.is_over(SECOND * 60, || unreachable!("nor again at once")));
        assert!(!patience.is_over(SECOND * 62, || SECOND * 2));
        assert!(patience.is_over(SECOND * 93, || SECOND * 2));
    }

    #[test]
    fn a_loop_without_an_end_hangs_too() {
        let mut patience = Patience::new(SECOND);
        let ended = (2..100).step_by(2).find(|at| patience.is_over(SECOND * *at, || SECOND * *at));
        assert_eq!(ended, Some(12));
    }
}
