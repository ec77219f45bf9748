//! Calls that a tracee, stopped at the return of one of its own, makes for the tracer.

use fathom_sys::ptrace_support::{self as ptrace, Resume, SyscallStop};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitStatus};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;

/// A thread that makes calls for the tracer until this goes; then it is as before.
pub(super) struct Injection {
    pid: Pid,
    /// Its registers at the stop, and at the end.
    pub(super) registers: libc::user_regs_struct,
    blocked: u64,
    /// Where it makes them: at first the call that it has just made.
    pub(super) site: u64,
    memory: File,
    stopped_meanwhile: bool,
    /// It ended meanwhile, or another thread of it executed a program; nobody else has heard of it.
    pub(super) ended: Option<WaitStatus>,
}

impl Injection {
    pub(super) fn begin(pid: Pid) -> Option<Self> {
        let registers = ptrace::registers(pid).ok()?;
        let memory = OpenOptions::new().read(true).write(true).open(format!("/proc/{pid}/mem")).ok()?;
        let blocked = ptrace::blocked_signals(pid).ok()?;
        // SIGKILL and SIGSTOP come nevertheless.
        ptrace::set_blocked_signals(pid, u64::MAX).ok()?;
        let site = registers.rip.wrapping_sub(2);
        Some(Self { pid, registers, blocked, site, memory, stopped_meanwhile: false, ended: None })
    }

    /// Makes a call; negative results are errnos.
    pub(super) fn call(&mut self, number: libc::c_long, arguments: [u64; 6]) -> Option<i64> {
        if self.ended.is_some() {
            return None;
        }
        let [rdi, rsi, rdx, r10, r8, r9] = arguments;
        let call = libc::user_regs_struct {
            rip: self.site,
            rax: number.cast_unsigned(),
            orig_rax: u64::MAX,
            rdi,
            rsi,
            rdx,
            r10,
            r8,
            r9,
            ..self.registers
        };
        ptrace::set_registers(self.pid, &call).ok()?;
        loop {
            ptrace::resume(self.pid, Resume::Syscall(0)).ok()?;
            let status = ptrace::wait_for(self.pid).ok()?;
            let raw = status.as_raw();
            if !status.stopped() || raw >> 16 == libc::PTRACE_EVENT_EXEC {
                self.ended = Some(status);
                return None;
            }
            if raw >> 8 == libc::SIGSTOP || raw >> 16 == libc::PTRACE_EVENT_STOP {
                self.stopped_meanwhile = true;
            } else if let Ok(SyscallStop::Exit { result, .. }) = ptrace::syscall_stop(self.pid) {
                return Some(result);
            }
        }
    }

    /// Writes also where the program itself may not.
    pub(super) fn write(&self, address: u64, bytes: &[u8]) -> io::Result<()> {
        self.memory.write_all_at(bytes, address)
    }

    /// Has the thread go on as it would have, or with other registers. An error that no end
    /// explains leaves it where it stands.
    pub(super) fn end(self) -> Result<Option<WaitStatus>, Errno> {
        if self.ended.is_some() {
            return Ok(self.ended);
        }
        let restored = ptrace::set_registers(self.pid, &self.registers)
            .and_then(|()| ptrace::set_blocked_signals(self.pid, self.blocked));
        if self.stopped_meanwhile {
            // It took the signal; the process is to stop as it was asked to.
            let _ = rustix::process::kill_process(self.pid, Signal::STOP);
        }
        match restored {
            // Killed while it stood: its end is told by the next wait.
            Err(Errno::SRCH) | Ok(()) => Ok(None),
            Err(errno) => Err(errno),
        }
    }
}
