//! The monotonic clock, and the CPU clock of a thread.

use rustix::time::{ClockId, Timespec, clock_getres, clock_gettime};

/// `CLOCK_MONOTONIC`, in ns, through the vDSO where there is one.
pub fn monotonic_ns() -> u64 {
    nanoseconds(clock_gettime(ClockId::Monotonic))
}

/// `CLOCK_THREAD_CPUTIME_ID`: time that the calling thread was on a CPU, in ns. A
/// system call.
pub fn thread_cpu_ns() -> u64 {
    nanoseconds(clock_gettime(ClockId::ThreadCPUTime))
}

/// `CLOCK_PROCESS_CPUTIME_ID`: time that this process was on CPUs, in ns. A system call.
pub fn process_cpu_ns() -> u64 {
    nanoseconds(clock_gettime(ClockId::ProcessCPUTime))
}

/// The CPU's time stamp counter, in its own unit.
#[cfg(target_arch = "x86_64")]
pub fn time_stamp() -> u64 {
    // SAFETY: every CPU of this architecture has the instruction, which reads a counter alone.
    unsafe { std::arch::x86_64::_rdtsc() }
}

/// What `clock_getres` says of `CLOCK_MONOTONIC`, in ns.
pub fn resolution_ns() -> u64 {
    nanoseconds(clock_getres(ClockId::Monotonic))
}

fn nanoseconds(time: Timespec) -> u64 {
    let seconds = u64::try_from(time.tv_sec).expect("neither clock goes below 0");
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

    #[test]
    fn a_thread_that_sleeps_is_on_no_cpu() {
        let (cpu, wall) = (thread_cpu_ns(), monotonic_ns());
        std::thread::sleep(Duration::from_millis(20));
        let (cpu, wall) = (thread_cpu_ns() - cpu, monotonic_ns() - wall);
        assert!(0 < cpu && cpu < wall, "{cpu} of {wall}");
    }
}
