//! The monotonic clock.

use rustix::time::{ClockId, Timespec, clock_getres, clock_gettime};

/// `CLOCK_MONOTONIC`, in ns, through the vDSO where there is one.
pub fn monotonic_ns() -> u64 {
    nanoseconds(clock_gettime(ClockId::Monotonic))
}

/// What `clock_getres` says of `CLOCK_MONOTONIC`, in ns.
pub fn resolution_ns() -> u64 {
    nanoseconds(clock_getres(ClockId::Monotonic))
}

fn nanoseconds(time: Timespec) -> u64 {
    let seconds = u64::try_from(time.tv_sec).expect("the monotonic clock starts at 0");
    seconds * 1_000_000_000 + u64::try_from(time.tv_nsec).expect("below 10^9")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_clock_moves_by_the_time_slept() {
        let before = monotonic_ns();
        std::thread::sleep(Duration::from_millis(5));
        assert!(monotonic_ns() - before >= 5_000_000);
        assert!((1..=100_000_000).contains(&resolution_ns()));
    }
}
