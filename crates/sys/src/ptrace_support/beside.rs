//! Tracees that ran before they were seized: they run on without a stop, and what happens to them is looked
//! at before it is taken, since the end of a child belongs to whoever started it.

use super::{last_errno, ptrace};
use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions, WaitStatus};

/// What such a tracee stops at by itself: its execs, and where it makes threads and processes, which stop too.
const OPTIONS: i32 = libc::PTRACE_O_TRACEEXEC
    | libc::PTRACE_O_TRACECLONE
    | libc::PTRACE_O_TRACEFORK
    | libc::PTRACE_O_TRACEVFORK;

/// What a tracee waits to have looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceeChange {
    /// It has stopped.
    Stopped,
    /// It has ended.
    Ended,
}

/// Makes a thread that runs a tracee of the calling thread. It is not stopped, and lives on when its tracer
/// ends. Threads and processes that it makes are tracees too.
pub fn seize_running(thread: Pid) -> Result<(), Errno> {
    ptrace(libc::PTRACE_SEIZE, thread, 0, usize::try_from(OPTIONS).unwrap_or(0))
}

/// The same of a thread that is to be stopped at each of its calls, from the stop on that
/// [`interrupt`] brings about.
pub fn seize_for_calls(thread: Pid) -> Result<(), Errno> {
    let options = OPTIONS | libc::PTRACE_O_TRACESYSGOOD;
    ptrace(libc::PTRACE_SEIZE, thread, 0, usize::try_from(options).unwrap_or(0))
}

/// Has a tracee that runs stop soon, without a signal. A call that it waits in is made again, or fails as by
/// a signal that nobody handles, where the kernel does not make such calls again (`epoll_wait`).
pub fn interrupt(thread: Pid) -> Result<(), Errno> {
    ptrace(libc::PTRACE_INTERRUPT, thread, 0, 0)
}

/// Lets a stopped tracee of the calling thread go on untraced, with the signal that it stopped for (0: none).
pub fn detach_with(thread: Pid, signal: i32) -> Result<(), Errno> {
    ptrace(libc::PTRACE_DETACH, thread, 0, usize::try_from(signal).unwrap_or(0))
}

/// A tracee of the calling thread that has stopped or ended, if there is one already. `ECHILD` when there is no
/// tracee.
pub fn poll_traced() -> Result<Option<(Pid, WaitStatus)>, Errno> {
    let options = (libc::__WALL | libc::__WNOTHREAD).cast_unsigned();
    rustix::process::wait(WaitOptions::from_bits_retain(options) | WaitOptions::NOHANG)
}

/// Waits until a tracee of the calling thread has stopped or ended, and leaves it so. `ECHILD` when there is
/// none.
pub fn next_change() -> Result<(Pid, TraceeChange), Errno> {
    let (process, code, _) = wait(libc::P_ALL, 0, libc::WEXITED | libc::WSTOPPED | libc::WNOWAIT)?;
    let change = match code {
        libc::CLD_EXITED | libc::CLD_KILLED | libc::CLD_DUMPED => TraceeChange::Ended,
        _ => TraceeChange::Stopped,
    };
    Ok((Pid::from_raw(process).ok_or(Errno::CHILD)?, change))
}

/// Takes the stop of a tracee: its signal, and which event of ptrace it is, 0 where it is none. `None` where
/// it is stopped no more, since it was killed.
pub fn take_stop(thread: Pid) -> Result<Option<(i32, i32)>, Errno> {
    let thread = thread.as_raw_nonzero().get().cast_unsigned();
    let (process, _, status) = wait(libc::P_PID, thread, libc::WSTOPPED | libc::WNOHANG)?;
    Ok((process != 0).then_some((status & 0xff, status >> 8)))
}

/// Takes the end of a tracee that has ended, which is told to its parent then.
pub fn take_end(thread: Pid) -> Result<(), Errno> {
    let thread = thread.as_raw_nonzero().get().cast_unsigned();
    wait(libc::P_PID, thread, libc::WEXITED | libc::WNOHANG).map(|_| ())
}

/// Who changed, what it did, and its status.
fn wait(whom: libc::idtype_t, id: libc::id_t, what: i32) -> Result<(i32, i32, i32), Errno> {
    loop {
        // SAFETY: a structure of integers and addresses, all of which may be 0.
        let mut change: libc::siginfo_t = unsafe { std::mem::zeroed() };
        let options = what | libc::__WALL | libc::__WNOTHREAD;
        // SAFETY: waitid(2) writes into `change` alone.
        let result = unsafe { libc::waitid(whom, id, &raw mut change, options) };
        if result == 0 {
            // SAFETY: what waitid(2) tells is of this form; all of it is 0 where nothing has changed.
            return Ok(unsafe { (change.si_pid(), change.si_code, change.si_status()) });
        }
        match last_errno() {
            Errno::INTR => {}
            errno => return Err(errno),
        }
    }
}
