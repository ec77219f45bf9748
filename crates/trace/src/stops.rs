//! The loop over the stops of all tracees: what each stop means and how the
//! tracee goes on. Signals are passed on as they came, group-stops are kept.

use crate::call::Call;
use crate::tracee::StoppedThread;
use crate::witness::Witness;
use fathom_sys::ptrace_support::{self as ptrace, Resume, SyscallStop};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitStatus};
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The threads that are traced now, for whoever must signal or kill them.
#[derive(Debug, Default)]
pub(crate) struct Live {
    threads: Mutex<BTreeSet<i32>>,
    delivered: AtomicU64,
}

/// What becomes of processes that outlive the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leftovers {
    /// They are killed.
    Killed,
    /// They are traced to their ends.
    Awaited,
}

/// Called when the program stands at its exec, before its first instruction.
pub(crate) type AtExec<'a> = Option<&'a (dyn Fn(Pid) + Sync)>;

/// The loop's state.
pub(crate) struct Stops<'a, W> {
    root: Pid,
    live: &'a Live,
    leftovers: Leftovers,
    at_exec: AtExec<'a>,
    /// Threads that stopped before their maker told of them; true when they have
    /// ended since.
    unannounced: BTreeMap<i32, bool>,
    witness: W,
    ended: Option<WaitStatus>,
}

const SYSCALL_STOP: i32 = libc::SIGTRAP | 0x80;
/// `PTRACE_EVENT_STOP`: the first stop of a new tracee, and every group-stop.
const EVENT_STOP: i32 = 128;

impl Live {
    /// Kills every traced process.
    pub(crate) fn kill_all(&self) {
        self.signal_all(Signal::KILL);
    }

    /// Sends a signal to every traced process.
    pub(crate) fn signal_all(&self, signal: Signal) {
        for pid in self.lock().iter().filter_map(|pid| Pid::from_raw(*pid)) {
            // One that has just ended needs no signal.
            let _ = rustix::process::kill_process(pid, signal);
        }
    }

    /// Sends a signal to one of them. False when it is not there.
    pub(crate) fn signal(&self, pid: Pid, signal: Signal) -> bool {
        let threads = self.lock();
        threads.contains(&id(pid)) && rustix::process::kill_process(pid, signal).is_ok()
    }

    /// Whether a signal of this number was delivered to any of them since
    /// deliveries were forgotten.
    pub(crate) fn was_delivered(&self, number: i32) -> bool {
        self.delivered.load(Ordering::Relaxed) & signal_bit(number) != 0
    }

    /// Forgets which signals were delivered.
    pub(crate) fn forget_delivered(&self) {
        self.delivered.store(0, Ordering::Relaxed);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeSet<i32>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'a, W: Witness> Stops<'a, W> {
    /// The loop for a program that waits at its exec.
    pub(crate) fn new(
        root: Pid,
        live: &'a Live,
        leftovers: Leftovers,
        at_exec: AtExec<'a>,
        witness: W,
    ) -> Self {
        live.lock().insert(id(root));
        Self { root, live, leftovers, at_exec, unannounced: BTreeMap::new(), witness, ended: None }
    }

    /// Runs until every tracee is gone. Returns how the program ended and its witness.
    pub(crate) fn run_to_end(mut self) -> Result<(WaitStatus, W), Errno> {
        let errno = loop {
            match ptrace::wait_traced() {
                Ok((pid, status)) => self.handle(pid, status),
                Err(errno) => break errno,
            }
        };
        match self.ended {
            Some(status) if errno == Errno::CHILD => Ok((status, self.witness)),
            _ => Err(errno),
        }
    }

    fn handle(&mut self, pid: Pid, status: WaitStatus) {
        if status.stopped() {
            let how = self.answer(pid, status.as_raw());
            self.clear_leftovers();
            // A tracee that was killed while stopped is gone: its end is reported next.
            let _ = ptrace::resume(pid, how);
        } else {
            self.end(pid, status);
        }
    }

    fn end(&mut self, pid: Pid, status: WaitStatus) {
        self.witness.ended(id(pid), ExitStatus::from_raw(status.as_raw()));
        self.live.lock().remove(&id(pid));
        if let Some(ended) = self.unannounced.get_mut(&id(pid)) {
            *ended = true;
        }
        if pid == self.root {
            self.ended = Some(status);
        }
        self.clear_leftovers();
    }

    fn clear_leftovers(&self) {
        if self.ended.is_some() && self.leftovers == Leftovers::Killed {
            self.live.kill_all();
        }
    }

    fn answer(&mut self, pid: Pid, raw_status: i32) -> Resume {
        let signal = (raw_status >> 8) & 0xff;
        match raw_status >> 16 {
            0 if signal == SYSCALL_STOP => self.record(pid),
            0 => {
                self.live.delivered.fetch_or(signal_bit(signal), Ordering::Relaxed);
                return Resume::Syscall(signal);
            }
            EVENT_STOP => {
                self.notice(pid);
                if matches!(signal, libc::SIGSTOP | libc::SIGTSTP | libc::SIGTTIN | libc::SIGTTOU) {
                    return Resume::Listen;
                }
            }
            libc::PTRACE_EVENT_EXEC => self.executed(pid),
            libc::PTRACE_EVENT_CLONE | libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_VFORK => self.adopt(pid),
            _ => {}
        }
        Resume::Syscall(0)
    }

    fn record(&mut self, pid: Pid) {
        match ptrace::syscall_stop(pid) {
            Ok(SyscallStop::Entry { architecture, number, arguments }) => {
                let call = Call::new(architecture, number);
                self.witness.enter(id(pid), call, arguments, &StoppedThread(pid));
            }
            Ok(SyscallStop::Exit { result, failed }) => {
                self.witness.leave(id(pid), result, failed, &StoppedThread(pid));
            }
            Ok(SyscallStop::Other) | Err(_) => {}
        }
    }

    /// After an exec by a thread, the thread has the id of its process.
    fn executed(&mut self, pid: Pid) {
        let former = event_id(pid).unwrap_or(id(pid));
        if former != id(pid) {
            self.live.lock().remove(&former);
        }
        self.witness.executed(id(pid), former, &StoppedThread(pid));
        if pid == self.root
            && let Some(at_exec) = self.at_exec.take()
        {
            at_exec(pid);
        }
    }

    /// A thread that stops for the first time may be ahead of its maker's word.
    fn notice(&mut self, pid: Pid) {
        if self.live.lock().insert(id(pid)) {
            self.unannounced.insert(id(pid), false);
            self.witness.born(id(pid), &StoppedThread(pid));
        }
    }

    fn adopt(&mut self, maker: Pid) {
        let Some(child) = event_id(maker) else { return };
        // It may have run to its end already; another process may have its id by now.
        if self.unannounced.remove(&child).is_none()
            && let Some(pid) = Pid::from_raw(child)
        {
            self.live.lock().insert(child);
            self.witness.born(child, &StoppedThread(pid));
        }
        self.witness.made_by(child, id(maker));
    }
}

/// Real-time signals beyond the 64th do not exist.
fn signal_bit(number: i32) -> u64 {
    u32::try_from(number - 1).ok().and_then(|bit| 1_u64.checked_shl(bit)).unwrap_or(0)
}

fn id(pid: Pid) -> i32 {
    pid.as_raw_nonzero().get()
}

fn event_id(pid: Pid) -> Option<i32> {
    ptrace::event_message(pid).ok().and_then(|message| i32::try_from(message).ok())
}
