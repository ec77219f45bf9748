//! The loop over the stops of all tracees: what each stop means and how the
//! tracee goes on. Signals are passed on as they came, group-stops are kept.

use crate::call::Call;
use crate::recorder::{Memory, Recorder};
use fathom_sys::ptrace_support::{self as ptrace, Resume, SyscallStop};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitStatus};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The threads that are traced now, for whoever must kill them.
#[derive(Debug, Default)]
pub(crate) struct Live(Mutex<BTreeSet<i32>>);

/// The loop's state.
#[derive(Debug)]
pub(crate) struct Stops<'a> {
    root: Pid,
    live: &'a Live,
    recorder: Recorder,
    ended: Option<WaitStatus>,
}

const SYSCALL_STOP: i32 = libc::SIGTRAP | 0x80;
/// `PTRACE_EVENT_STOP`: the first stop of a new tracee, and every group-stop.
const EVENT_STOP: i32 = 128;
const PAGE_BYTES: u64 = 4096;
const LONGEST_PATH_BYTES: usize = 4096;

impl Live {
    /// Kills every traced process.
    pub(crate) fn kill_all(&self) {
        for pid in self.lock().iter().filter_map(|pid| Pid::from_raw(*pid)) {
            // One that has just ended needs no killing.
            let _ = rustix::process::kill_process(pid, Signal::KILL);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeSet<i32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'a> Stops<'a> {
    /// The loop for a program that waits at its exec.
    pub(crate) fn new(root: Pid, live: &'a Live, recorder: Recorder) -> Self {
        live.lock().insert(id(root));
        Self { root, live, recorder, ended: None }
    }

    /// Runs until every tracee is gone. What the program leaves behind at its
    /// end is killed. Returns how it ended and what was recorded.
    pub(crate) fn run_to_end(mut self) -> Result<(WaitStatus, Recorder), Errno> {
        let errno = loop {
            match ptrace::wait_traced() {
                Ok((pid, status)) => self.handle(pid, status),
                Err(errno) => break errno,
            }
        };
        match self.ended {
            Some(status) if errno == Errno::CHILD => Ok((status, self.recorder)),
            _ => Err(errno),
        }
    }

    fn handle(&mut self, pid: Pid, status: WaitStatus) {
        if status.stopped() {
            let how = self.answer(pid, status.as_raw());
            if self.ended.is_some() {
                self.live.kill_all();
            }
            // A tracee that was killed while stopped is gone: its end is reported next.
            let _ = ptrace::resume(pid, how);
        } else {
            self.end(pid, status);
        }
    }

    fn end(&mut self, pid: Pid, status: WaitStatus) {
        self.recorder.finish_thread(id(pid));
        self.live.lock().remove(&id(pid));
        if pid == self.root {
            self.ended = Some(status);
        }
        if self.ended.is_some() {
            self.live.kill_all();
        }
    }

    fn answer(&mut self, pid: Pid, raw_status: i32) -> Resume {
        let signal = (raw_status >> 8) & 0xff;
        match raw_status >> 16 {
            0 if signal == SYSCALL_STOP => self.record(pid),
            0 => return Resume::Syscall(signal),
            EVENT_STOP => {
                self.live.lock().insert(id(pid));
                if matches!(signal, libc::SIGSTOP | libc::SIGTSTP | libc::SIGTTIN | libc::SIGTTOU) {
                    return Resume::Listen;
                }
            }
            libc::PTRACE_EVENT_EXEC => self.rename(pid),
            libc::PTRACE_EVENT_CLONE | libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_VFORK => self.adopt(pid),
            _ => {}
        }
        Resume::Syscall(0)
    }

    fn record(&mut self, pid: Pid) {
        match ptrace::syscall_stop(pid) {
            Ok(SyscallStop::Entry { architecture, number, arguments }) => {
                self.recorder.enter(id(pid), Call::new(architecture, number), arguments);
            }
            Ok(SyscallStop::Exit { result, failed }) => {
                self.recorder.leave(id(pid), result, failed, &mut TraceeMemory(pid));
            }
            Ok(SyscallStop::Other) | Err(_) => {}
        }
    }

    /// After an exec by a thread, the thread has the id of its process.
    fn rename(&mut self, pid: Pid) {
        let Some(former) = event_id(pid) else { return };
        if former != id(pid) {
            self.recorder.rename_thread(former, id(pid));
            self.live.lock().remove(&former);
        }
    }

    fn adopt(&mut self, parent: Pid) {
        if let Some(child) = event_id(parent) {
            self.live.lock().insert(child);
        }
    }
}

fn id(pid: Pid) -> i32 {
    pid.as_raw_nonzero().get()
}

fn event_id(pid: Pid) -> Option<i32> {
    ptrace::event_message(pid).ok().and_then(|message| i32::try_from(message).ok())
}

struct TraceeMemory(Pid);

impl Memory for TraceeMemory {
    fn text(&mut self, address: u64) -> Option<String> {
        let mut text = Vec::new();
        let mut next = address;
        while text.len() < LONGEST_PATH_BYTES {
            // To the end of the page at most: the next one may not be mapped.
            let mut piece = [0; 256];
            let length = usize::try_from(PAGE_BYTES - next % PAGE_BYTES).unwrap_or(256).min(256);
            let copied = ptrace::read_memory(self.0, next, &mut piece[..length]).ok().filter(|n| *n > 0)?;
            if let Some(end) = piece[..copied].iter().position(|byte| *byte == 0) {
                text.extend_from_slice(&piece[..end]);
                break;
            }
            text.extend_from_slice(&piece[..copied]);
            next = next.checked_add(copied as u64)?;
        }
        Some(String::from_utf8_lossy(&text).into_owned())
    }

    fn word(&mut self, address: u64) -> Option<u64> {
        let mut bytes = [0; 8];
        let copied = ptrace::read_memory(self.0, address, &mut bytes).ok()?;
        (copied == bytes.len()).then(|| u64::from_ne_bytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_across_pieces_and_pages() {
        let me = rustix::process::getpid();
        for length in [0, 1, 255, 256, 3000] {
            let long = "x".repeat(length) + "\0tail";
            let text = TraceeMemory(me).text(long.as_ptr().addr() as u64).unwrap();
            assert_eq!(text, "x".repeat(length));
        }
        assert_eq!(TraceeMemory(me).text(8), None, "nothing is mapped there");
    }
}
