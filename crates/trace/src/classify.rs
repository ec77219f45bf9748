//! Which calls belong to the operations and which to the runtime: the one place
//! that decides it, from differences alone.
//!
//! For every call and result, each repetition gives a difference: calls in the
//! run of 2n operations less calls in the run of n. What is made once per run,
//! however often, cancels. The rules, first match wins:
//!
//! 1. All differences are 0: the call has nothing to do with the operations.
//! 2. Equal in every repetition: it belongs to the operations, exactly, whatever
//!    thread made it (a thread pool's I/O, a goroutine that moved). A rare call
//!    of the runtime must also be equally frequent in every run of n, since
//!    small differences are equal by chance; and a call by which threads wait
//!    and wake must come at least once in eight operations.
//! 3. Equal and at least one per operation on the operation's thread alone (or
//!    on the other threads alone) while the rest amounts to less: that part
//!    belongs to the operations, the rest is background.
//! 4. Less than one per operation, and either from other threads only, or a call
//!    by which runtimes schedule and collect, or a mere restart after a signal:
//!    background. So is, at any rate, the sleep of another thread: it follows
//!    the clock, which the tracer stretches, and not the operations.
//! 5. Else it belongs to the operations and varies. The median decides, so an
//!    exact call into which one repetition mixed a stray one still gives its integer.

use crate::call::CallKey;

/// The differences of one call and result, by who made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Differences {
    /// Of the operation's thread, one per repetition.
    pub(crate) own: Vec<i64>,
    /// Of all other threads.
    pub(crate) others: Vec<i64>,
    /// Calls of all threads in the run of n, one per repetition.
    pub(crate) shorter: Vec<i64>,
}

/// Where a call belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Nowhere: it cancels.
    Absent,
    /// To the operations, on all threads.
    Inside,
    /// To the operations on their thread; background on others.
    InsideOwn,
    /// To the operations on other threads; background on their own.
    InsideOthers,
    /// To the runtime.
    Background,
}

/// Calls by which runtimes and allocators schedule, wait, wake and collect.
const RUNTIME_CALLS: [&str; 31] = [
    "brk",
    "clock_nanosleep",
    "clone",
    "clone3",
    "epoll_pwait",
    "epoll_pwait2",
    "epoll_wait",
    "exit",
    "futex",
    "futex_wait",
    "futex_waitv",
    "futex_wake",
    "getpid",
    "getrusage",
    "gettid",
    "madvise",
    "membarrier",
    "mmap",
    "mprotect",
    "munmap",
    "nanosleep",
    "poll",
    "ppoll",
    "restart_syscall",
    "rseq",
    "rt_sigprocmask",
    "rt_sigreturn",
    "sched_yield",
    "set_robust_list",
    "sigaltstack",
    "tgkill",
];

/// Calls by which threads wait for and wake each other: they come when the
/// scheduler wants, so one in many operations is nobody's.
const WAITS: [&str; 9] = [
    "epoll_pwait",
    "epoll_wait",
    "futex",
    "getpid",
    "restart_syscall",
    "rt_sigprocmask",
    "rt_sigreturn",
    "sched_yield",
    "tgkill",
];

/// A wait is scarce when it is rarer than once in so many operations.
const SCARCE: u64 = 8;

/// Calls that follow the clock.
const SLEEPS: [&str; 2] = ["clock_nanosleep", "nanosleep"];

impl Differences {
    /// Of all threads together.
    pub(crate) fn total(&self) -> Vec<i64> {
        self.own.iter().zip(&self.others).map(|(own, others)| own + others).collect()
    }
}

/// Where a call belongs, for runs of `n` and `2n` operations.
pub(crate) fn classify(key: CallKey, differences: &Differences, n: u64) -> Class {
    let Differences { own, others, shorter } = differences;
    let total = differences.total();
    if is_zero(&total) {
        Class::Absent
    } else if is_equal(&total) && !is_chance(key, &total, shorter, n) {
        Class::Inside
    } else if is_equal(own) && !is_rare(own, n) && is_rare(others, n) {
        Class::InsideOwn
    } else if is_equal(others) && !is_rare(others, n) && is_rare(own, n) {
        Class::InsideOthers
    } else if is_background(key, &total, is_zero(own), n) {
        Class::Background
    } else {
        Class::Inside
    }
}

/// Whether equal differences say nothing: small ones of the runtime's own calls.
fn is_chance(key: CallKey, total: &[i64], shorter: &[i64], n: u64) -> bool {
    let scarce = is_below(total, (n / SCARCE).max(2));
    is_runtime_call(key) && is_rare(total, n) && (!is_equal(shorter) || (scarce && is_wait(key)))
}

fn is_background(key: CallKey, total: &[i64], from_others: bool, n: u64) -> bool {
    let rare = is_rare(total, n) && (from_others || is_runtime_call(key));
    rare || (from_others && SLEEPS.contains(&key.call.name().as_ref()))
}

fn is_zero(differences: &[i64]) -> bool {
    differences.iter().all(|difference| *difference == 0)
}

fn is_equal(differences: &[i64]) -> bool {
    differences.windows(2).all(|pair| pair[0] == pair[1])
}

/// Less than one per operation; the median, so that a single burst (a large
/// collection) does not count.
fn is_rare(differences: &[i64], n: u64) -> bool {
    is_below(differences, n)
}

fn is_below(differences: &[i64], limit: u64) -> bool {
    let mut sorted = differences.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).is_none_or(|median| median.unsigned_abs() < limit)
}

fn is_wait(key: CallKey) -> bool {
    WAITS.contains(&key.call.name().as_ref()) || SLEEPS.contains(&key.call.name().as_ref())
}

fn is_runtime_call(key: CallKey) -> bool {
    key.is_restart() || RUNTIME_CALLS.contains(&key.call.name().as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;

    fn check(name: &str, own: [i64; 3], others: [i64; 3], expected: Class) {
        check_with(name, own, others, [0; 3], expected);
    }

    fn check_with(name: &str, own: [i64; 3], others: [i64; 3], shorter: [i64; 3], expected: Class) {
        let key = CallKey { call: Call::named(name).unwrap(), errno: None };
        let differences =
            Differences { own: own.to_vec(), others: others.to_vec(), shorter: shorter.to_vec() };
        assert_eq!(classify(key, &differences, 96), expected, "{name} {own:?} {others:?}");
    }

    #[test]
    fn exact_calls_are_inside_whoever_makes_them() {
        check("openat", [96; 3], [0; 3], Class::Inside);
        check("futex", [12; 3], [0; 3], Class::Inside);
        check("pread64", [0; 3], [96; 3], Class::Inside);
        check("openat", [90, 40, 0], [6, 56, 96], Class::Inside);
    }

    #[test]
    fn what_cancels_is_nowhere() {
        check("read", [0; 3], [0; 3], Class::Absent);
    }

    #[test]
    fn varying_rare_calls_of_the_runtime_are_background() {
        check("futex", [3, 0, -2], [5, 1, 0], Class::Background);
        check("madvise", [0; 3], [0, 0, 700], Class::Background);
        check("openat", [0; 3], [1, 0, 0], Class::Background);
        check("rt_sigreturn", [1, 0, 0], [0; 3], Class::Background);
    }

    #[test]
    fn small_differences_that_are_equal_by_chance_are_background() {
        check_with("getpid", [1; 3], [0; 3], [2, 0, 1], Class::Background);
        check_with("mmap", [12; 3], [0; 3], [12; 3], Class::Inside);
        check_with("openat", [12; 3], [0; 3], [12, 13, 12], Class::Inside);
        check("epoll_pwait", [2; 3], [16, 16, 12], Class::Background);
        check("epoll_pwait", [1; 3], [0; 3], Class::Background);
        check("futex", [11; 3], [0; 3], Class::Background);
        check("lseek", [1; 3], [0; 3], Class::Inside);
    }

    #[test]
    fn sleeps_of_another_thread_follow_the_clock() {
        check("nanosleep", [0; 3], [137, 125, 92], Class::Background);
        check("nanosleep", [137, 125, 92], [0; 3], Class::Inside);
    }

    #[test]
    fn a_varying_call_of_the_operation_itself_stays_inside() {
        check("lseek", [11, 12, 13], [0; 3], Class::Inside);
        check("futex", [200, 190, 205], [0; 3], Class::Inside);
        check("mmap", [96, 97, 96], [0; 3], Class::Inside);
    }

    #[test]
    fn an_exact_part_is_freed_of_the_other_threads_noise() {
        check("mmap", [96; 3], [0, 2, 1], Class::InsideOwn);
        check("futex", [4, 0, 1], [96; 3], Class::InsideOthers);
    }

    #[test]
    fn the_list_is_sorted_and_names_calls() {
        assert!(RUNTIME_CALLS.is_sorted());
        let unknown: Vec<_> = RUNTIME_CALLS.iter().filter(|name| Call::named(name).is_none()).collect();
        assert!(unknown.is_empty() || !cfg!(target_arch = "x86_64"), "{unknown:?}");
    }
}
