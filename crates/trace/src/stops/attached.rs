//! Tracees that ran before: how they are seized while they run, and let go again.
//!
//! They are not ours: nothing that goes wrong here kills one, and if Fathom is killed the kernel lets them go on.

use super::{Live, SYSCALL_STOP, Stops, Tracing};
use crate::witness::Witness;
use fathom_sys::ptrace_support as ptrace;
use rustix::io::Errno;
use rustix::process::Pid;
use std::time::Instant;

impl<'a, W: Witness> Stops<'a, W> {
    /// The loop for threads that run already; nobody is traced yet.
    pub(crate) fn attached(own: Pid, live: &'a Live, tracing: Tracing<'a>, witness: W) -> Self {
        let this = Self { is_attached: true, ..Self::new(own, live, tracing, witness) };
        live.remove(super::id(own));
        this
    }

    /// Has a thread that runs be traced from its next call on. It stops at once, until the loop goes on.
    pub(crate) fn seize(&mut self, thread: Pid) -> Result<(), Errno> {
        ptrace::seize_for_calls(thread)?;
        // So that it is taken for no thread that somebody has just made.
        self.live.insert(super::id(thread));
        // One that has just ended is reported.
        let _ = ptrace::interrupt(thread);
        Ok(())
    }

    /// Deals with what a tracee did, if there is anything; `ECHILD` where there is no tracee.
    pub(crate) fn step(&mut self) -> Result<bool, Errno> {
        let Some((pid, status)) = ptrace::poll_traced()? else { return Ok(false) };
        self.handle(pid, status, Instant::now());
        Ok(true)
    }

    /// Lets every tracee go at its next stop, which comes soon: the loop has to go on until none is left.
    pub(crate) fn let_all_go(&mut self) {
        if std::mem::replace(&mut self.is_leaving, true) {
            return;
        }
        for (tid, _) in self.births.release() {
            // It stands at its first stop, which was taken.
            if let Some(pid) = Pid::from_raw(tid) {
                self.leave(pid, 0);
            }
        }
        for pid in self.live.all().into_iter().filter_map(Pid::from_raw) {
            // One that stands at a stop that is not taken yet needs none.
            let _ = ptrace::interrupt(pid);
        }
    }

    /// Whether the kernel refused something, so that all are being let go.
    pub(crate) fn is_refused(&self) -> bool {
        self.refused.is_some()
    }

    /// What the kernel refused, if it refused anything; and who was told.
    pub(crate) fn finish(self) -> (Option<Errno>, W) {
        (self.refused, self.witness)
    }

    /// The witness, for whoever seizes.
    pub(crate) fn witness(&mut self) -> &mut W {
        &mut self.witness
    }

    /// Lets a thread go that stands at a stop with this status. A signal that it stopped for reaches it; one that
    /// is stopped by job control stays so.
    pub(super) fn leave(&mut self, pid: Pid, raw_status: i32) {
        let signal = (raw_status >> 8) & 0xff;
        let is_signal = raw_status >> 16 == 0 && signal != SYSCALL_STOP;
        // One that was killed meanwhile is gone.
        let _ = ptrace::detach_with(pid, if is_signal { signal } else { 0 });
        self.live.remove(super::id(pid));
    }
}
