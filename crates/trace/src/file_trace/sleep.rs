//! How long threads sleep between their calls. A loop that asks at a beat and a loop that works on a busy machine
//! look the same by the clock; the kernel's account of a thread tells them apart: how long it ran, and how long it
//! waited for a CPU. What is left of the time, it slept.

use fathom_sys::clock::{monotonic_ns, process_cpu_ns};
use rustc_hash::FxHashMap;
use std::fs;

/// Shorter times between two calls are not looked at: a look reads some files of /proc.
const LONG_NS: u64 = 5_000_000;
/// The account of a thread that runs may be so old: a tick of the slowest clock that kernels are built with.
const TICK_NS: u64 = 10_000_000;
/// So many times as long as a look took none is made: where many threads wait for a while each, few are looked at.
const REST: u64 = 30;

/// What is known of the threads that are followed.
#[derive(Debug, Default)]
pub(super) struct Sleeps {
    threads: FxHashMap<u32, Thread>,
    /// The thread of the call before: most calls are of the same thread as the one before.
    current: Option<(u32, Thread)>,
    accounts: Accounts,
    /// No account is taken before this time.
    rests_until_ns: u64,
}

#[derive(Debug, Clone, Copy)]
struct Thread {
    /// When its last call returned.
    returned_ns: u64,
    account: Option<Account>,
}

/// Times in ns, the first of `CLOCK_MONOTONIC`, the others since the thread began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Account {
    at_ns: u64,
    /// On a CPU, or waiting for one.
    busy_ns: u64,
    /// It is running now: what it ran since the last tick may be missing.
    runs: bool,
    /// How long Fathom's own threads ran or waited for a CPU: a thread that is traced stands until they get to it.
    own_ns: u64,
}

/// Where accounts come from.
#[derive(Debug, Clone, Copy)]
struct Accounts(fn(u32) -> Option<Account>);

impl Default for Accounts {
    fn default() -> Self {
        Self(account)
    }
}

impl Sleeps {
    /// Takes in a call by its thread, from its beginning (its return, where that is not known) to its return, in ns
    /// of `CLOCK_MONOTONIC`. Returns how long the thread slept before it since its call before, at least, in ns;
    /// `None` where that was short or is not known.
    pub(super) fn before_call(&mut self, thread: u32, began_ns: u64, returned_ns: u64) -> Option<u64> {
        if self.current.is_none_or(|(current, _)| current != thread) {
            let known = self.threads.remove(&thread);
            let entry = (thread, known.unwrap_or(Thread { returned_ns: 0, account: None }));
            if let Some((other, state)) = self.current.replace(entry) {
                self.threads.insert(other, state);
            }
        }
        let (_, state) = self.current.as_mut()?;
        let before_ns = std::mem::replace(&mut state.returned_ns, returned_ns);
        let gap_ns = began_ns.saturating_sub(before_ns);
        if before_ns == 0 || gap_ns < LONG_NS || returned_ns < self.rests_until_ns {
            return None;
        }
        let asked_ns = monotonic_ns();
        let now = (self.accounts.0)(thread);
        let told_ns = monotonic_ns();
        self.rests_until_ns = told_ns + REST * (told_ns - asked_ns);
        let before = std::mem::replace(&mut state.account, now);
        slept_ns(before?, now?, (before_ns, gap_ns))
    }

    /// A thread stood at its last call's return until then.
    pub(super) fn stood(&mut self, thread: u32, until_ns: u64) {
        if let Some((_, state)) = self.current.as_mut().filter(|(current, _)| *current == thread) {
            state.returned_ns = state.returned_ns.max(until_ns);
        }
    }

    /// A thread that has ended: its number may be another one's next.
    pub(super) fn forget(&mut self, thread: u32) {
        self.threads.remove(&thread);
        self.current = self.current.filter(|(current, _)| *current != thread);
    }
}

/// How long a thread slept in a gap that began then and was so long, by two accounts, the later of which was taken
/// after the gap's end. Everything that cannot be told apart from sleep counts as none. `None` of two threads.
fn slept_ns(before: Account, now: Account, (began_ns, gap_ns): (u64, u64)) -> Option<u64> {
    let busy_ns = now.busy_ns.checked_sub(before.busy_ns)? + if now.runs { TICK_NS } else { 0 };
    let own_ns = now.own_ns.saturating_sub(before.own_ns);
    let passed_ns = now.at_ns.saturating_sub(before.at_ns);
    // What passed between the account before and the gap, and between the gap and this one, may all have been sleep.
    let late_ns = now.at_ns.saturating_sub(began_ns + gap_ns);
    let elsewhere_ns = began_ns.saturating_sub(before.at_ns) + late_ns;
    Some(passed_ns.saturating_sub(busy_ns + own_ns + elsewhere_ns).min(gap_ns))
}

/// The account of a thread; `None` where the kernel keeps none, or the thread is gone.
fn account(thread: u32) -> Option<Account> {
    let [ran_ns, waited_ns, turns] = scheduler_times(&format!("/proc/{thread}/schedstat"))?;
    // A kernel without these accounts says three zeros.
    if turns == 0 {
        return None;
    }
    let state = fs::read(format!("/proc/{thread}/stat")).ok()?;
    let name_ends = state.iter().rposition(|byte| *byte == b')')?;
    let runs = state.get(name_ends + 2) == Some(&b'R');
    let threads = fs::read_dir("/proc/self/task").ok()?;
    let own = threads
        .flatten()
        .filter_map(|entry| scheduler_times(&entry.path().join("schedstat").to_string_lossy()));
    let own_ns = process_cpu_ns() + own.map(|[_, waited_ns, _]| waited_ns).sum::<u64>();
    Some(Account { at_ns: monotonic_ns(), busy_ns: ran_ns + waited_ns, runs, own_ns })
}

/// What `/proc/TID/schedstat` says: ns on a CPU, ns waiting for one, and how often it got one.
pub(super) fn scheduler_times(file: &str) -> Option<[u64; 3]> {
    let text = fs::read_to_string(file).ok()?;
    let mut times = text.split_ascii_whitespace().map_while(|time| time.parse().ok());
    Some([times.next()?, times.next()?, times.next()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn at(at_ms: u64, busy_ms: u64, own_ms: u64) -> Account {
        Account { at_ns: at_ms * MS, busy_ns: busy_ms * MS, runs: false, own_ns: own_ms * MS }
    }

    #[test]
    fn what_is_left_of_a_gap_is_sleep() {
        let slept = |before, now, began_ms, gap_ms| {
            slept_ns(before, now, (began_ms * MS, gap_ms * MS)).map(|slept| slept / MS)
        };
        assert_eq!(slept(at(100, 50, 0), at(200, 51, 0), 100, 100), Some(99));
        // It worked, or waited for a CPU all the time.
        assert_eq!(slept(at(100, 50, 0), at(200, 149, 0), 100, 100), Some(1));
        // It may have stood for as long as Fathom was on its way.
        assert_eq!(slept(at(100, 50, 0), at(200, 50, 70), 100, 100), Some(30));
        // In the gap, not before it and not behind it.
        assert_eq!(slept(at(100, 50, 0), at(200, 50, 0), 180, 20), Some(20));
        assert_eq!(slept(at(100, 50, 0), at(200, 70, 0), 180, 20), Some(0));
        assert_eq!(slept(at(100, 50, 0), at(200, 50, 0), 100, 40), Some(40));
        assert_eq!(slept(at(150, 50, 0), at(200, 50, 0), 100, 100), Some(50));
        // What runs may have run since the last tick.
        let runs = Account { runs: true, ..at(200, 50, 0) };
        assert_eq!(slept(at(100, 50, 0), runs, 100, 100), Some(90));
        // Another thread with the same number.
        assert_eq!(slept(at(100, 50, 0), at(200, 1, 0), 100, 100), None);
    }

    #[test]
    fn a_thread_that_sleeps_is_told_from_one_that_works() {
        let own = rustix::thread::gettid().as_raw_nonzero().get().unsigned_abs();
        let mut sleeps = Sleeps {
            accounts: Accounts(|thread| Some(Account { own_ns: 0, ..account(thread)? })),
            ..Sleeps::default()
        };
        let mut gaps = [(); 3].map(|()| {
            let began = monotonic_ns();
            std::thread::sleep(std::time::Duration::from_millis(60));
            let told = sleeps.before_call(own, monotonic_ns(), monotonic_ns());
            (monotonic_ns() - began, told)
        });
        assert_eq!(gaps[0].1, None, "there was no call before");
        assert_eq!(gaps[1].1, None, "there was no account before");
        let (passed, slept) = std::mem::take(&mut gaps[2]);
        // Of itself it sees that it runs: a tick is taken off.
        assert!(
            slept.is_some_and(|slept| slept <= passed && slept > 30 * MS - TICK_NS),
            "{slept:?} of {passed}"
        );
        let mut turns = 0_u64;
        for _ in 0..3 {
            let until = process_cpu_ns() + 60 * MS;
            while process_cpu_ns() < until {
                turns += 1;
            }
            let told = sleeps.before_call(own, monotonic_ns(), monotonic_ns());
            assert!(told.is_none_or(|slept| slept < 30 * MS), "{told:?} after {turns}");
        }
        sleeps.forget(own);
        assert_eq!(sleeps.before_call(own, monotonic_ns(), monotonic_ns()), None);
    }

    #[test]
    fn calls_in_a_row_and_of_threads_in_turns_ask_nothing() {
        let mut sleeps = Sleeps { accounts: Accounts(|_| panic!("asked")), ..Sleeps::default() };
        for call in 1..1000 {
            let began_ns = MS * call;
            let thread = u32::try_from(call % 3).unwrap();
            assert_eq!(sleeps.before_call(thread, began_ns, began_ns + 10), None);
        }
        assert_eq!(sleeps.threads.len(), 2);
        (0..3).for_each(|thread| sleeps.forget(thread));
        assert!(sleeps.threads.is_empty() && sleeps.current.is_none());
    }
}
