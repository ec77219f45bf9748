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
//!    of the runtime, or of other threads alone, must also be equally frequent in
//!    every run of n, since small differences are equal by chance; and one of
//!    other threads alone, or by which threads wait and wake, must come at least
//!    once in eight operations.
//! 3. Equal and at least one per operation on the operation's thread alone (or
//!    on the other threads alone) while the rest amounts to less: that part
//!    belongs to the operations, the rest is background. Where the rest comes less
//!    than once in eight operations this goes before rule 2: few are equal by chance.
//! 4. A call by which runtimes schedule, allocate and collect that comes close to
//!    the same whole number per operation in every repetition: that number
//!    belongs to the operations, the few more or less are background (a heap that
//!    grows by `mmap` beside files that are mapped).
//! 5. Less than one per operation, and either from other threads only, or a call
//!    of runtimes, or a mere restart after a signal, or not made oftener by 2n
//!    operations than by n in some repetition: background. So are, at any rate,
//!    the sleep of another thread, which follows the clock, which the tracer
//!    stretches, and not the operations, or its asking who it is; and a runtime's
//!    call whose number is far from proportional to that of the operations.
//! 6. Else it belongs to the operations and varies. The median decides, so an
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
    /// To the operations as often as this in n of them, on all threads; what is
    /// more or less is background.
    InsideWhole(i64),
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

/// A call is scarce when it is rarer than once in so many operations.
const SCARCE: u64 = 8;

/// Calls that follow the clock.
const SLEEPS: [&str; 2] = ["clock_nanosleep", "nanosleep"];

/// Calls by which threads learn who they are: never part of what another does.
const IDENTITIES: [&str; 2] = ["getpid", "gettid"];

impl Differences {
    /// Of all threads together.
    pub(crate) fn total(&self) -> Vec<i64> {
        self.own.iter().zip(&self.others).map(|(own, others)| own + others).collect()
    }
}

/// Where a call belongs, for runs of `n` and `2n` operations.
pub(crate) fn classify(key: CallKey, differences: &Differences, n: u64) -> Class {
    let Differences { own, others, .. } = differences;
    let total = differences.total();
    if is_zero(&total) {
        Class::Absent
    } else if is_stray_beside(others, own, n) {
        Class::InsideOwn
    } else if is_stray_beside(own, others, n) {
        Class::InsideOthers
    } else if is_equal(&total) && !is_chance(key, differences, n) {
        Class::Inside
    } else if is_equal(own) && !is_rare(own, n) && is_rare(others, n) {
        Class::InsideOwn
    } else if is_equal(others) && !is_rare(others, n) && is_rare(own, n) {
        Class::InsideOthers
    } else if let Some(whole) = whole_number(key, &total, n) {
        Class::InsideWhole(whole)
    } else if is_background(key, &total, is_zero(own), n) {
        Class::Background
    } else {
        Class::Inside
    }
}

/// Where a call belongs that was counted in one operation of a long one: those by which
/// threads wait and learn who they are, and what runtimes do on other threads, are the
/// runtime's; of the rest nothing speaks against the operation.
pub(crate) fn classify_once(key: CallKey, differences: &Differences) -> Class {
    let Differences { own, others, .. } = differences;
    if is_zero(&differences.total()) {
        Class::Absent
    } else if is_wait(key) || key.is_restart() || IDENTITIES.contains(&key.call.name().as_ref()) {
        Class::Background
    } else if !is_runtime_call(key) || is_zero(others) {
        Class::Inside
    } else if is_zero(own) {
        Class::Background
    } else {
        Class::InsideOwn
    }
}

/// Whether some threads' calls are few and chance beside the exact ones of the rest.
fn is_stray_beside(few: &[i64], exact: &[i64], n: u64) -> bool {
    !is_zero(few) && is_below(few, n / SCARCE) && is_equal(exact) && !is_rare(exact, n)
}

/// Whether equal differences say nothing: small ones of the runtime's own calls
/// and of other threads alone.
fn is_chance(key: CallKey, differences: &Differences, n: u64) -> bool {
    let total = differences.total();
    let from_others = is_zero(&differences.own);
    let scarce = is_below(&total, (n / SCARCE).max(2));
    let unrelated = !is_equal(&differences.shorter) || (scarce && (from_others || is_wait(key)));
    (from_others || is_runtime_call(key)) && is_rare(&total, n) && unrelated
}

/// Calls of n operations, when all differences are close to the same multiple of n.
fn whole_number(key: CallKey, total: &[i64], n: u64) -> Option<i64> {
    let (n, scarce) = (i64::try_from(n).ok()?, i64::try_from(n / SCARCE).ok()?);
    let whole = (median(total) + n / 2).div_euclid(n) * n;
    let close = total.iter().all(|difference| (difference - whole).abs() < scarce);
    (is_runtime_call(key) && whole > 0 && close).then_some(whole)
}

fn is_background(key: CallKey, total: &[i64], from_others: bool, n: u64) -> bool {
    let refuted = total.iter().any(|difference| *difference <= 0);
    let rare = is_rare(total, n) && (from_others || refuted || is_runtime_call(key));
    let name = key.call.name();
    let aside = SLEEPS.contains(&name.as_ref()) || IDENTITIES.contains(&name.as_ref());
    // Fewer calls in the longer run: not the operations' own.
    median(total) < 0 || rare || (from_others && aside) || (is_runtime_call(key) && is_erratic(total))
}

/// Whether differences are spread over more than half of their median.
fn is_erratic(differences: &[i64]) -> bool {
    let least = differences.iter().min().copied().unwrap_or(0);
    let most = differences.iter().max().copied().unwrap_or(0);
    2 * (most - least) > median(differences)
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
    median(differences).unsigned_abs() < limit
}

fn median(differences: &[i64]) -> i64 {
    let mut sorted = differences.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or(0)
}

fn is_wait(key: CallKey) -> bool {
    WAITS.contains(&key.call.name().as_ref()) || SLEEPS.contains(&key.call.name().as_ref())
}

fn is_runtime_call(key: CallKey) -> bool {
    key.is_restart() || RUNTIME_CALLS.contains(&key.call.name().as_ref())
}

#[cfg(test)]
mod tests;
