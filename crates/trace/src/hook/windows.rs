//! Where what is done at the calls that are meant changes from window to window of a thread's calls: which window
//! each thread is in, and what it took.
//!
//! The hook's code counts the calls of a window, and has the thread's next call stop behind the last one. A window
//! ends as the thread stands at that call, and the next begins as it stands behind it: what the tracer does there,
//! which tells of all that was noted meanwhile, is in no window. Where a thread stops within a window, that is counted.

use super::arena::Record;
use super::draining::Now;
use super::page::ANSWERED;
use super::{Hook, block, locked};
use crate::hooking::Window;
use crate::repetition::{Repetition, Treatment, Windows};
use rustix::process::Pid;
use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// What is to be done in windows.
#[derive(Debug, Clone)]
pub(super) struct WindowPlan {
    windows: Arc<Windows>,
    elides: bool,
}

/// Threads with their windows.
#[derive(Debug, Default)]
pub(super) struct WindowLog {
    threads: HashMap<i32, ThreadWindows>,
    /// Those that are whole.
    pub(super) done: Vec<Window>,
}

#[derive(Debug)]
struct ThreadWindows {
    /// What the kernel says of its time on CPUs.
    times: Option<File>,
    next: u64,
    open: Option<OpenWindow>,
}

#[derive(Debug, Default)]
struct OpenWindow {
    window: Window,
    /// On CPUs and ready to run, in ns, when it began.
    times: Option<[u64; 2]>,
    /// Of its first call, and of the end of its last one so far, by the time stamp counter.
    began: Option<u64>,
    ended: u64,
}

impl WindowPlan {
    pub(super) fn new(repetition: &Repetition) -> Option<Self> {
        let elides = matches!(repetition.treatment, Treatment::Elided(_));
        repetition.windows.clone().map(|windows| Self { windows, elides })
    }

    fn arm(&self, amount: u32) -> u64 {
        match (self.elides, amount) {
            (true, 0) => 0,
            (true, _) => ANSWERED,
            (false, amount) => amount.into(),
        }
    }
}

impl WindowLog {
    /// A thread stopped: within its window, if it is in one.
    pub(super) fn stopped(&mut self, tid: i32) {
        if let Some(open) = self.open(tid) {
            open.window.stops += 1;
        }
    }

    /// A call of a thread was noted.
    pub(super) fn noted(&mut self, tid: i32, record: &Record<'_>, elides: bool) {
        let Some(open) = self.open(tid) else { return };
        open.window.all_calls += 1;
        open.began.get_or_insert(record.word(block::BEGAN));
        let bit = if elides { block::IS_KNOWN } else { block::IS_MEANT };
        if record.half(block::TREATED) & u64::from(bit) != 0 {
            open.window.calls += 1;
            open.window.times += record.half(block::TIMES);
            open.ended = record.word(block::RETURNED) + record.word(block::TREATED_TICKS);
        }
    }

    pub(super) fn gone(&mut self, tid: i32) {
        self.threads.remove(&tid);
    }

    fn open(&mut self, tid: i32) -> Option<&mut OpenWindow> {
        self.threads.get_mut(&tid)?.open.as_mut()
    }

    /// The thread stands at its first call after the window.
    fn close(&mut self, tid: i32, now: &Now) {
        let Some(thread) = self.threads.get_mut(&tid) else { return };
        let Some(OpenWindow { mut window, times, began, ended }) = thread.open.take() else { return };
        // The call at which it stands is the next one's.
        window.stops = window.stops.saturating_sub(1);
        if let (Some(before), Some(after)) = (times, thread.times.as_ref().and_then(read_times)) {
            let [on_cpu, ready] = [0, 1].map(|which| after[which].saturating_sub(before[which]));
            (window.cpu_ns, window.ready_ns) = (Some(on_cpu), ready);
        }
        let ticks = began.map_or(0, |began| ended.saturating_sub(began));
        window.wall_ns = u64::try_from(now.span(ticks).as_nanos()).unwrap_or(u64::MAX);
        self.done.push(window);
    }
}

impl Hook {
    /// A thread stands at a call that stopped it, which ends its window where all calls of that were made.
    pub(super) fn end_window(&mut self, tid: i32) {
        if self.plan.windows.is_none() {
            return;
        }
        self.windows.stopped(tid);
        if self.is_window_over(tid) {
            self.windows.close(tid, &self.clock.now());
        }
    }

    /// And behind it, which begins the next one.
    pub(super) fn begin_window(&mut self, pid: Pid) {
        let tid = pid.as_raw_nonzero().get();
        let Some(plan) = self.plan.windows.clone() else { return };
        if self.windows.open(tid).is_some() || !self.is_window_over(tid) {
            return;
        }
        let thread = self.windows.threads.entry(tid).or_insert_with(|| ThreadWindows {
            times: File::open(format!("/proc/{tid}/schedstat")).ok(),
            next: 0,
            open: None,
        });
        let (number, times) = (thread.next, thread.times.as_ref().and_then(read_times));
        let amount = plan.windows.amount(number);
        let window = Window { thread: tid.unsigned_abs(), number, amount, ..Window::default() };
        thread.next += 1;
        thread.open = Some(OpenWindow { window, times, ..OpenWindow::default() });
        if let Some(thread) = self.threads.get(&tid)
            && let (Some((block, _)), Some(space)) = (thread.block, self.spaces.get(&thread.space))
            && let Some(arena) = &space.arena
        {
            locked(arena).begin_window(block, plan.arm(amount), plan.windows.calls.into());
        }
    }

    /// Before the first one it is over, too.
    fn is_window_over(&self, tid: i32) -> bool {
        let Some(thread) = self.threads.get(&tid) else { return false };
        let (Some((block, _)), Some(space)) = (thread.block, self.spaces.get(&thread.space)) else {
            return false;
        };
        space.arena.as_ref().is_some_and(|arena| locked(arena).is_window_over(block))
    }

    pub(super) fn elides_in_windows(&self) -> Option<bool> {
        self.plan.windows.as_ref().map(|plan| plan.elides)
    }
}

/// How long a thread was on CPUs, and ready to run, in ns; `None` where the kernel does not count that.
fn read_times(file: &File) -> Option<[u64; 2]> {
    let mut bytes = [0; 80];
    let read = file.read_at(&mut bytes, 0).ok()?;
    let text = std::str::from_utf8(&bytes[..read]).ok()?;
    let mut words = text.split_ascii_whitespace().map(|word| word.parse::<u64>().ok());
    let times = [words.next()??, words.next()??];
    (times[0] > 0).then_some(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_says_how_long_a_thread_ran() {
        let file = File::open("/proc/self/schedstat").unwrap();
        let before = read_times(&file).unwrap();
        let mut sum = 0_u64;
        // Long enough to be seen by any clock.
        while read_times(&file).unwrap()[0] == before[0] {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(read_times(&file).unwrap()[0] > before[0], "{sum}");
    }
}
