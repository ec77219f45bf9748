//! The clocks and the kernel's counters. Reading `monotonic_ns` makes no
//! system call where the kernel offers the vDSO; the others do make one.

use super::arguments::Plan;
use super::ffi::{self, Rusage, Timespec};

/// What is counted: this thread, or the process where several threads do the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    Thread,
    Process,
}

impl Scope {
    /// The kernel may have reads that are in flight together done by threads
    /// of its own, which count to the process.
    pub(crate) fn of(plan: &Plan) -> Self {
        if plan.threads > 1 || plan.queue_depth > 1 { Self::Process } else { Self::Thread }
    }
}

/// What the kernel counts of a thread or a process.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counters {
    /// Page faults served without a device.
    pub(crate) minflt: u64,
    /// Page faults that waited for a device.
    pub(crate) majflt: u64,
    /// Involuntary context switches.
    pub(crate) nivcsw: u64,
}

impl Counters {
    /// How far the counters moved since `before`.
    pub(crate) fn since(self, before: Self) -> Self {
        Self {
            minflt: self.minflt - before.minflt,
            majflt: self.majflt - before.majflt,
            nivcsw: self.nivcsw - before.nivcsw,
        }
    }
}

/// `CLOCK_MONOTONIC`, in ns.
#[inline]
pub(crate) fn monotonic_ns() -> u64 {
    clock_ns(ffi::CLOCK_MONOTONIC)
}

/// CPU time, in ns.
pub(crate) fn cpu_ns(scope: Scope) -> u64 {
    clock_ns(match scope {
        Scope::Thread => ffi::CLOCK_THREAD_CPUTIME_ID,
        Scope::Process => ffi::CLOCK_PROCESS_CPUTIME_ID,
    })
}

/// The counters since the thread or the process began.
pub(crate) fn counters(scope: Scope) -> Counters {
    let who = match scope {
        Scope::Thread => ffi::RUSAGE_THREAD,
        Scope::Process => ffi::RUSAGE_SELF,
    };
    let mut usage = Rusage::default();
    // SAFETY: the kernel fills the structure, which has its size.
    unsafe { ffi::getrusage(who, &raw mut usage) };
    Counters {
        minflt: usage.minflt.cast_unsigned(),
        majflt: usage.majflt.cast_unsigned(),
        nivcsw: usage.nivcsw.cast_unsigned(),
    }
}

#[inline]
fn clock_ns(clock: i32) -> u64 {
    let mut time = Timespec::default();
    // SAFETY: the C library fills the structure, which has its size.
    unsafe { ffi::clock_gettime(clock, &raw mut time) };
    time.seconds.cast_unsigned() * 1_000_000_000 + time.nanoseconds.cast_unsigned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_monotonic_clock_counts_a_sleep_and_the_cpu_clock_does_not() {
        let (wall, cpu) = (monotonic_ns(), cpu_ns(Scope::Thread));
        std::thread::sleep(Duration::from_millis(20));
        let (wall, cpu) = (monotonic_ns() - wall, cpu_ns(Scope::Thread) - cpu);
        assert!(wall >= 20_000_000, "{wall}");
        assert!(cpu < wall, "{cpu} of {wall}");
    }

    #[test]
    fn touching_new_pages_counts_minor_faults() {
        let before = counters(Scope::Thread);
        let mut pages = vec![0_u8; 8 << 20];
        for page in pages.chunks_mut(4096) {
            page[0] = std::hint::black_box(1);
        }
        assert!(counters(Scope::Thread).since(before).minflt > 0);
        assert_eq!(pages.iter().map(|&b| usize::from(b)).sum::<usize>(), (8 << 20) / 4096);
    }
}
