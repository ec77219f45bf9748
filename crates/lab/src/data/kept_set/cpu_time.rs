//! Processor time of this thread and of this process, user and system apart.

use fathom_model::Reading;
use std::time::Duration;

/// Processor time, in steps of the kernel's clock tick (10 ms as a rule).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CpuTime {
    /// In the program.
    pub user: Duration,
    /// In the kernel.
    pub system: Duration,
}

impl CpuTime {
    /// Of the calling thread.
    pub(super) fn of_thread() -> Reading<Self> {
        read("/proc/thread-self/stat")
    }

    /// Of the process, threads that have ended included.
    pub(super) fn of_process() -> Reading<Self> {
        read("/proc/self/stat")
    }

    /// What was used since `earlier`.
    #[must_use]
    pub(super) fn since(self, earlier: Self) -> Self {
        Self {
            user: self.user.saturating_sub(earlier.user),
            system: self.system.saturating_sub(earlier.system),
        }
    }

    /// Both together.
    pub fn total(self) -> Duration {
        self.user + self.system
    }
}

fn read(path: &str) -> Reading<CpuTime> {
    match std::fs::read_to_string(path) {
        Ok(text) => match parse(&text, rustix::param::clock_ticks_per_second()) {
            Some(time) => Reading::Value(time),
            None => Reading::unavailable(format!("{path} has another form")),
        },
        Err(error) => Reading::unavailable(format!("{path}: {error}")),
    }
}

fn parse(stat: &str, ticks_per_second: u64) -> Option<CpuTime> {
    // The name, in brackets, may hold anything; utime and stime are the 12th and 13th field after it.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut next = || {
        let ticks: u64 = fields.next()?.parse().ok()?;
        Some(Duration::from_micros(ticks.checked_mul(1_000_000)?.checked_div(ticks_per_second)?))
    };
    Some(CpuTime { user: next()?, system: next()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_are_found_behind_any_name() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194304 100 0 0 0 250 31 0 0 20 0 1 0 500 0 0";
        let time = parse(stat, 100).unwrap();
        assert_eq!((time.user, time.system), (Duration::from_millis(2500), Duration::from_millis(310)));
        assert_eq!(time.total(), Duration::from_millis(2810));
        assert_eq!(parse("7 (a) S 1", 100), None);
    }

    #[test]
    fn work_shows_in_the_thread_and_in_the_process() {
        let before = (*CpuTime::of_thread().value().unwrap(), *CpuTime::of_process().value().unwrap());
        let begun = std::time::Instant::now();
        let mut sum = 0_u64;
        let used = || CpuTime::of_thread().value().unwrap().since(before.0).total();
        while used() < Duration::from_millis(30) && begun.elapsed() < Duration::from_mins(1) {
            sum = std::hint::black_box(sum.wrapping_mul(3) + 1);
        }
        assert!(used() >= Duration::from_millis(30), "the thread's time stands still");
        let process = CpuTime::of_process().value().unwrap().since(before.1);
        assert!(process.total() >= Duration::from_millis(20), "{process:?}");
    }
}
