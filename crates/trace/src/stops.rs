//! The loop over the stops of all tracees: what each stop means and how the
//! tracee goes on. Signals are passed on as they came, group-stops are kept.

mod attached;
mod births;
mod live;
mod untraced_child;

pub(crate) use live::Live;

use crate::call::Call;
use crate::hook::{Hook, HookPlan};
use crate::hooking::HookTally;
use crate::placement::Placement;
use crate::tracee::StoppedThread;
use crate::witness::Witness;
use births::{Announced, Births, Released};
use fathom_sys::ptrace_support::{self as ptrace, Resume, SyscallStop};
use rustix::io::Errno;
use rustix::process::{Pid, WaitStatus};
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use untraced_child::UntracedChildren;

/// What becomes of processes that outlive the program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Leftovers {
    /// They are killed.
    #[default]
    Killed,
    /// They are traced to their ends.
    Awaited,
}

/// Called when the program stands at its exec, before its first instruction.
pub(crate) type AtExec<'a> = Option<&'a (dyn Fn(Pid) + Sync)>;

/// What the loop goes by.
#[derive(Clone, Copy)]
pub(crate) struct Tracing<'a> {
    /// What becomes of processes that outlive the program.
    pub(crate) leftovers: Leftovers,
    /// Called at the program's exec.
    pub(crate) at_exec: AtExec<'a>,
    /// Whether a filter chooses the calls to stop at.
    pub(crate) filtered: bool,
    /// Who is told of stops, to bind tracer and tracees to one CPU.
    pub(crate) placement: Option<&'a Placement>,
    /// By which most calls are made without a stop.
    pub(crate) hook: Option<&'a HookPlan>,
}

/// The loop's state.
pub(crate) struct Stops<'a, W> {
    root: Pid,
    live: &'a Live,
    tracing: Tracing<'a>,
    births: Births,
    untraced_children: UntracedChildren,
    /// Threads that a filter handed over and whose call is still to return.
    inside: BTreeSet<i32>,
    witness: W,
    ended: Option<WaitStatus>,
    /// The first refusal of the kernel that no end of a tracee explains. What was traced so far is
    /// not whole: everything is killed, so that nobody stays stopped for ever.
    refused: Option<Errno>,
    hook: Option<Hook>,
    /// How long each thread stood at its stops, of programs that are hooked.
    held: BTreeMap<i32, Duration>,
    /// The tracees ran before, and live on.
    is_attached: bool,
    /// Each of them is let go at its next stop.
    is_leaving: bool,
}

const SYSCALL_STOP: i32 = libc::SIGTRAP | 0x80;
/// `PTRACE_EVENT_STOP`: the first stop of a new tracee, and every group-stop.
const EVENT_STOP: i32 = 128;
/// Between looks at what the hook has noted: while calls come, and when none has come for a while.
const SHORTEST_PAUSE: Duration = Duration::from_micros(200);
const LONGEST_PAUSE: Duration = Duration::from_millis(5);

impl<'a, W: Witness> Stops<'a, W> {
    /// The loop for a program that waits at its exec.
    pub(crate) fn new(root: Pid, live: &'a Live, tracing: Tracing<'a>, witness: W) -> Self {
        live.insert(id(root));
        Self {
            root,
            live,
            tracing,
            births: Births::default(),
            untraced_children: UntracedChildren::default(),
            inside: BTreeSet::new(),
            witness,
            ended: None,
            refused: None,
            hook: tracing.hook.cloned().map(Hook::new),
            held: BTreeMap::new(),
            is_attached: false,
            is_leaving: false,
        }
    }

    /// Runs until every tracee is gone. Returns how the program ended and its witness; an error
    /// is the call that the kernel refused, with its errno.
    pub(crate) fn run_to_end(self) -> Result<(WaitStatus, W, Option<HookTally>), (&'static str, Errno)>
    where
        W: Send,
    {
        // Not beside runs that are compared: what is told costs a program that has less to wait for more.
        let is_told_beside = self.tracing.hook.is_some_and(|plan| !plan.treats());
        let shared = Mutex::new(self);
        let errno = thread::scope(|scope| {
            let (alive, ended) = channel::<()>();
            if is_told_beside {
                let shared = &shared;
                // Where there is none, calls are told when something stops.
                let _ = thread::Builder::new().spawn_scoped(scope, move || {
                    HookPlan::warm_up();
                    tell_beside(shared, &ended);
                });
            }
            let _alive = alive;
            loop {
                let early = locked(&shared).hook.as_mut().and_then(Hook::next_end);
                match early.map_or_else(ptrace::wait_traced, Ok) {
                    Ok((pid, status)) => {
                        let stopped = Instant::now();
                        locked(&shared).handle(pid, status, stopped);
                    }
                    Err(errno) => break errno,
                }
            }
        });
        let this = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        if errno != Errno::CHILD {
            this.live.kill_all();
        }
        match (this.refused, this.ended) {
            (Some(refused), _) => Err(("ptrace", refused)),
            (None, Some(status)) if errno == Errno::CHILD => {
                let longest = this.held.values().max().copied().unwrap_or_default();
                let held_others = this.held.values().sum::<Duration>().saturating_sub(longest);
                let tally = this.hook.map(Hook::tally);
                let tally = tally.map(|tally| HookTally { held: longest, held_others, ..tally });
                Ok((status, this.witness, tally))
            }
            _ => Err(("waitpid", errno)),
        }
    }

    /// Tells of the calls that the hook has noted. False when there were none.
    fn drain(&mut self) -> bool {
        self.hook.as_mut().is_some_and(|hook| hook.drain(&mut self.witness))
    }

    fn handle(&mut self, pid: Pid, status: WaitStatus, stopped: Instant) {
        if self.is_leaving && status.stopped() {
            return self.leave(pid, status.as_raw());
        }
        self.drain();
        if status.stopped() {
            let how = self.answer(pid, status.as_raw());
            self.clear_leftovers();
            if self.tracing.hook.is_some_and(HookPlan::treats) {
                self.witness.settle();
            }
            if let Some(how) = how {
                self.resume(pid, how);
            }
            if self.hook.is_some() {
                *self.held.entry(id(pid)).or_default() += stopped.elapsed();
            }
        } else {
            self.end(pid, status);
        }
    }

    fn resume(&mut self, pid: Pid, how: Resume) {
        let how = match how {
            // A call that was handed over is followed to its return.
            Resume::Syscall(signal) if self.tracing.filtered && !self.inside.contains(&id(pid)) => {
                Resume::Continue(signal)
            }
            how => how,
        };
        if let Some(hook) = &mut self.hook {
            hook.arm(pid);
        }
        if let Err(errno) = ptrace::resume(pid, how) {
            self.refuse(pid, errno);
        }
    }

    fn refuse(&mut self, pid: Pid, errno: Errno) {
        // A tracee that was killed while stopped is gone: its end is reported next. One that stands
        // there still would be waited for in vain.
        if errno != Errno::SRCH || is_stopped(pid) {
            self.refused.get_or_insert(errno);
            if self.is_attached {
                self.let_all_go();
            } else {
                self.live.kill_all();
            }
        }
    }

    fn end(&mut self, pid: Pid, status: WaitStatus) {
        if let Some(placement) = self.tracing.placement {
            placement.ended(pid);
        }
        self.inside.remove(&id(pid));
        self.untraced_children.forget(id(pid));
        let released = self.births.end(id(pid));
        self.let_go(released);
        if let Some(hook) = &mut self.hook {
            hook.ended(id(pid), &mut self.witness);
        }
        self.witness.ended(id(pid), ExitStatus::from_raw(status.as_raw()));
        self.live.remove(id(pid));
        if pid == self.root {
            self.ended = Some(status);
        }
        self.clear_leftovers();
    }

    fn clear_leftovers(&self) {
        if self.ended.is_some() && self.tracing.leftovers == Leftovers::Killed {
            self.live.kill_all();
        }
    }

    /// How a stopped thread goes on; `None` when it does not yet.
    fn answer(&mut self, pid: Pid, raw_status: i32) -> Option<Resume> {
        let signal = (raw_status >> 8) & 0xff;
        match raw_status >> 16 {
            0 if signal == SYSCALL_STOP => self.record(pid),
            0 => {
                self.live.note_delivered(signal);
                let signal = match &mut self.hook {
                    Some(hook) => hook.signal(pid, signal, &mut self.witness),
                    None => signal,
                };
                return Some(Resume::Syscall(signal));
            }
            libc::PTRACE_EVENT_SECCOMP => self.record(pid),
            EVENT_STOP => {
                let how = if ptrace::stops_a_group(signal) { Resume::Listen } else { Resume::Syscall(0) };
                let held = self.notice(pid, how);
                return (!held).then_some(how);
            }
            libc::PTRACE_EVENT_EXEC => self.executed(pid),
            libc::PTRACE_EVENT_CLONE | libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_VFORK => self.adopt(pid),
            _ => {}
        }
        Some(Resume::Syscall(0))
    }

    fn record(&mut self, pid: Pid) {
        if let Some(placement) = self.tracing.placement {
            placement.stopped(pid);
        }
        match ptrace::syscall_stop(pid) {
            Ok(SyscallStop::Entry { architecture, number, arguments, instruction }) => {
                let call = Call::new(architecture, number);
                if let Some(hook) = &mut self.hook
                    && hook.enters(pid, call, arguments, instruction, &mut self.witness)
                {
                    return;
                }
                if let Some(placement) = self.tracing.placement {
                    placement.calls(call);
                }
                if self.tracing.filtered {
                    self.inside.insert(id(pid));
                    self.untraced_children.enter(pid, call, arguments[0]);
                }
                if call.makes_a_thread() {
                    self.births.begin(id(pid));
                }
                match self.hook.as_ref().and_then(|hook| hook.at_site(pid, instruction)) {
                    // Its stack is walked as if the program made the call itself.
                    Some(at_site) => self.witness.enter(id(pid), call, arguments, &at_site),
                    None => self.witness.enter(id(pid), call, arguments, &StoppedThread(pid)),
                }
            }
            Ok(SyscallStop::Exit { result, failed, instruction }) => {
                self.inside.remove(&id(pid));
                self.untraced_children.leave(pid);
                let released = self.births.finish(id(pid));
                self.let_go(released);
                self.witness.leave(id(pid), result, failed, &StoppedThread(pid));
                if let Some(hook) = &mut self.hook {
                    hook.left(pid, instruction, result, &self.witness);
                }
            }
            Ok(SyscallStop::Other) => {}
            Err(errno) => self.refuse(pid, errno),
        }
    }

    /// After an exec by a thread, the thread has the id of its process.
    fn executed(&mut self, pid: Pid) {
        let former = event_id(pid).unwrap_or(id(pid));
        if former != id(pid) {
            self.live.remove(former);
            let released = self.births.lose(id(pid));
            self.let_go(released);
            self.inside.remove(&former);
            if let Some(hook) = &mut self.hook {
                // The first thread is gone without a word.
                hook.break_off(id(pid), &mut self.witness);
            }
        }
        if self.tracing.filtered {
            self.inside.insert(id(pid));
        }
        self.witness.executed(id(pid), former, &StoppedThread(pid));
        if let Some(hook) = &mut self.hook {
            hook.executed(pid, former);
        }
        if pid == self.root
            && let Some(at_exec) = self.tracing.at_exec.take()
        {
            at_exec(pid);
        }
    }

    /// A thread that stops for the first time may be ahead of its maker's word: then
    /// it is held. True when it is.
    fn notice(&mut self, pid: Pid, how: Resume) -> bool {
        if !self.live.insert(id(pid)) {
            return false;
        }
        self.witness.born(id(pid), &StoppedThread(pid));
        self.births.arrive(id(pid), how)
    }

    fn adopt(&mut self, maker: Pid) {
        self.untraced_children.leave(maker);
        let Some(child) = event_id(maker) else { return };
        let Some(pid) = Pid::from_raw(child) else { return };
        // It may have run to its end already; another process may have its id by now.
        let announced = self.births.announce(child);
        if announced == Announced::First {
            self.live.insert(child);
            self.witness.born(child, &StoppedThread(pid));
        }
        if self.witness.made_by(child, id(maker)) && self.tracing.filtered {
            // Nothing is learned at its return, so that it has no stop there.
            self.inside.remove(&id(maker));
        }
        if let Some(hook) = &mut self.hook {
            hook.made(child, id(maker));
        }
        if let Announced::Held(how) = announced {
            self.resume(pid, how);
        }
        let released = self.births.finish(id(maker));
        self.let_go(released);
    }

    fn let_go(&mut self, released: Released) {
        for (tid, how) in released {
            if let Some(pid) = Pid::from_raw(tid) {
                self.resume(pid, how);
            }
        }
    }
}

/// Tells of calls while the program makes more, so that who stops does not wait until all before are told.
fn tell_beside<W: Witness>(shared: &Mutex<Stops<'_, W>>, ended: &Receiver<()>) {
    let mut pause = SHORTEST_PAUSE;
    while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        pause = if locked(shared).drain() { SHORTEST_PAUSE } else { LONGEST_PAUSE.min(pause * 2) };
    }
}

fn locked<'l, 'a, W>(shared: &'l Mutex<Stops<'a, W>>) -> MutexGuard<'l, Stops<'a, W>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// True of a thread that a tracer has stopped.
fn is_stopped(pid: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name, in brackets, may hold anything.
    stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('t'))
}

fn id(pid: Pid) -> i32 {
    pid.as_raw_nonzero().get()
}

fn event_id(pid: Pid) -> Option<i32> {
    ptrace::event_message(pid).ok().and_then(|message| i32::try_from(message).ok())
}
