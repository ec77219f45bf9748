//! What a ptrace tracer needs and the safe libraries lack: starting a program
//! that is seized before its exec, resuming with any signal number, the kernel's
//! account of a system-call stop, and reading another process's memory.
//!
//! It does not decide anything: the loop over stops lives in the `trace` crate.

use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions, WaitStatus};
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;

/// Why a traced program did not start.
#[derive(Debug, thiserror::Error)]
pub enum SpawnTracedError {
    /// The program could not be started at all.
    #[error("start: {0}")]
    Start(#[source] io::Error),
    /// It could be started, and the kernel refused to let us trace it.
    #[error("ptrace(PTRACE_SEIZE): {0}")]
    Seize(#[source] Errno),
}

/// How a stopped tracee goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resume {
    /// To the next system-call stop, delivering this signal (0: none).
    Syscall(i32),
    /// Not at all: it stays in its group-stop until SIGCONT.
    Listen,
}

/// A system-call stop as the kernel tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyscallStop {
    /// The call is about to be made.
    Entry {
        /// The audit architecture, which says whose numbers these are.
        architecture: u32,
        /// The call's number.
        number: u64,
        /// Its arguments.
        arguments: [u64; 6],
    },
    /// The call has returned.
    Exit {
        /// What it returned; the negated errno when it failed.
        result: i64,
        /// True when it failed.
        failed: bool,
    },
    /// The stop is none of a system call.
    Other,
}

const GO: u8 = b'y';
const GIVE_UP: u8 = b'n';

/// Starts `command` seized by the calling thread, so that every one of its
/// threads and children is followed and all of them die with this thread. The
/// first thing to wait for is the stop at its exec (`PTRACE_EVENT_EXEC`); no
/// instruction of the program has run by then.
///
/// The process belongs to the tracer's `wait_traced`, hence no `Child`.
/// `command` is spent: it may be started again, untraced.
pub fn spawn_traced(command: &mut Command) -> Result<Pid, SpawnTracedError> {
    let (mut ours, theirs) = UnixStream::pair().map_err(SpawnTracedError::Start)?;
    let channel = Arc::new(AtomicI32::new(theirs.as_raw_fd()));
    hold_before_exec(command, Arc::clone(&channel), ours.as_raw_fd());
    // `spawn` returns only after the exec, and the exec waits for us: hence the thread.
    thread::scope(|scope| {
        let starter = scope.spawn(move || {
            let started = command.spawn();
            channel.store(-1, Ordering::SeqCst);
            drop(theirs);
            started
        });
        let seized = seize_announced(&mut ours);
        drop(ours);
        let started = starter.join().map_err(|_| other_error("the thread that starts it panicked"))?;
        match (seized, started) {
            (Some(Err(errno)), _) => Err(SpawnTracedError::Seize(errno)),
            (_, Err(error)) => Err(SpawnTracedError::Start(error)),
            (Some(Ok(pid)), Ok(_)) => Ok(pid),
            (None, Ok(_)) => Err(other_error("it started without announcing itself")),
        }
    })
}

/// Resumes a stopped tracee of the calling thread.
pub fn resume(pid: Pid, how: Resume) -> Result<(), Errno> {
    match how {
        Resume::Syscall(signal) => ptrace(libc::PTRACE_SYSCALL, pid, 0, usize::try_from(signal).unwrap_or(0)),
        Resume::Listen => ptrace(libc::PTRACE_LISTEN, pid, 0, 0),
    }
}

/// What a tracee, stopped by a system call, is about to do or has done.
pub fn syscall_stop(pid: Pid) -> Result<SyscallStop, Errno> {
    // SAFETY: the structure is plain integers, for which zero is a value.
    let mut info: libc::ptrace_syscall_info = unsafe { std::mem::zeroed() };
    ptrace(libc::PTRACE_GET_SYSCALL_INFO, pid, size_of_val(&info), (&raw mut info).addr())?;
    Ok(match info.op {
        libc::PTRACE_SYSCALL_INFO_ENTRY => {
            // SAFETY: `op` says which member the kernel wrote.
            let entry = unsafe { info.u.entry };
            SyscallStop::Entry { architecture: info.arch, number: entry.nr, arguments: entry.args }
        }
        libc::PTRACE_SYSCALL_INFO_EXIT => {
            // SAFETY: `op` says which member the kernel wrote.
            let exit = unsafe { info.u.exit };
            SyscallStop::Exit { result: exit.sval, failed: exit.is_error != 0 }
        }
        _ => SyscallStop::Other,
    })
}

/// The message of an event stop: the former thread id of an exec, the new id of a clone.
pub fn event_message(pid: Pid) -> Result<u64, Errno> {
    let mut message: libc::c_ulong = 0;
    ptrace(libc::PTRACE_GETEVENTMSG, pid, 0, (&raw mut message).addr())?;
    Ok(message)
}

/// Waits until a tracee of the calling thread stops or ends. Children of other
/// threads are left alone. `ECHILD` when there is none.
pub fn wait_traced() -> Result<(Pid, WaitStatus), Errno> {
    let options = WaitOptions::from_bits_retain((libc::__WALL | libc::__WNOTHREAD).cast_unsigned());
    loop {
        match rustix::process::wait(options) {
            Ok(Some(change)) => return Ok(change),
            Ok(None) | Err(Errno::INTR) => {}
            Err(errno) => return Err(errno),
        }
    }
}

/// Copies memory of another process from `address` on, up to the first page
/// that cannot be read. Returns the bytes copied.
pub fn read_memory(pid: Pid, address: u64, buffer: &mut [u8]) -> Result<usize, Errno> {
    let base = usize::try_from(address).map_err(|_| Errno::FAULT)?;
    let local = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
    let remote = libc::iovec { iov_base: std::ptr::without_provenance_mut(base), iov_len: buffer.len() };
    // SAFETY: `local` covers `buffer` alone; the kernel checks `remote`.
    let copied = unsafe {
        libc::process_vm_readv(pid.as_raw_nonzero().get(), &raw const local, 1, &raw const remote, 1, 0)
    };
    usize::try_from(copied).map_err(|_| last_errno())
}

fn hold_before_exec(command: &mut Command, channel: Arc<AtomicI32>, parents_end: i32) {
    let announce_and_wait = move || {
        let fd = channel.load(Ordering::SeqCst);
        if fd < 0 {
            return Ok(());
        }
        // SAFETY: in the forked child this descriptor is the inherited copy, used by nobody here.
        unsafe { libc::close(parents_end) };
        let pid = std::process::id().to_ne_bytes();
        // SAFETY: write(2) and read(2) on stack buffers of the given length; both are async-signal-safe.
        let sent = unsafe { libc::write(fd, pid.as_ptr().cast(), pid.len()) };
        let mut answer = 0_u8;
        // SAFETY: as above.
        let received = unsafe { libc::read(fd, (&raw mut answer).cast(), 1) };
        if sent == 4 && received == 1 && answer == GO {
            Ok(())
        } else {
            Err(io::Error::from_raw_os_error(libc::ECANCELED))
        }
    };
    // SAFETY: the closure makes only async-signal-safe calls and does not allocate.
    unsafe { command.pre_exec(announce_and_wait) };
}

/// Seizes the process that announces itself; `None` when none does.
fn seize_announced(channel: &mut UnixStream) -> Option<Result<Pid, Errno>> {
    let mut announced = [0; 4];
    channel.read_exact(&mut announced).ok()?;
    let pid = Pid::from_raw(i32::from_ne_bytes(announced))?;
    let options = libc::PTRACE_O_EXITKILL
        | libc::PTRACE_O_TRACESYSGOOD
        | libc::PTRACE_O_TRACEEXEC
        | libc::PTRACE_O_TRACECLONE
        | libc::PTRACE_O_TRACEFORK
        | libc::PTRACE_O_TRACEVFORK;
    let seized = ptrace(libc::PTRACE_SEIZE, pid, 0, usize::try_from(options).unwrap_or(0));
    let answer = if seized.is_ok() { GO } else { GIVE_UP };
    // A child that has gone meanwhile is told by `spawn`'s own error.
    let _ = channel.write_all(&[answer]);
    Some(seized.map(|()| pid))
}

fn ptrace(request: libc::c_uint, pid: Pid, address: usize, data: usize) -> Result<(), Errno> {
    let address: *mut libc::c_void = std::ptr::with_exposed_provenance_mut(address);
    let data: *mut libc::c_void = std::ptr::with_exposed_provenance_mut(data);
    // SAFETY: callers pass as `data` either a number or the address of a live
    // object as large as the request writes.
    let outcome = unsafe { libc::ptrace(request, pid.as_raw_nonzero().get(), address, data) };
    if outcome < 0 { Err(last_errno()) } else { Ok(()) }
}

fn last_errno() -> Errno {
    Errno::from_io_error(&io::Error::last_os_error()).unwrap_or(Errno::IO)
}

fn other_error(reason: &'static str) -> SpawnTracedError {
    SpawnTracedError::Start(io::Error::other(reason))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Stdio;

    /// Runs a program to its end and returns its calls (entries) and exit code.
    fn trace_to_end(root: Pid) -> (Vec<u64>, Option<i32>) {
        let mut numbers = Vec::new();
        let mut code = None;
        while let Ok((pid, status)) = wait_traced() {
            if status.exited() || status.signaled() {
                if pid == root {
                    code = status.exit_status();
                }
                continue;
            }
            if let Ok(SyscallStop::Entry { number, .. }) = syscall_stop(pid) {
                numbers.push(number);
            }
            resume(pid, Resume::Syscall(0)).unwrap();
        }
        (numbers, code)
    }

    #[test]
    fn every_call_of_a_program_is_seen_from_its_exec_on() {
        // In a process group of its own, where a wait for our group would miss it.
        let mut command = Command::new("/bin/sh");
        let root =
            spawn_traced(command.args(["-c", "exit 7"]).stdin(Stdio::null()).process_group(0)).unwrap();
        let (numbers, code) = trace_to_end(root);
        assert_eq!(code, Some(7));
        let exits = numbers.iter().filter(|n| **n == libc::SYS_exit_group.cast_unsigned()).count();
        assert_eq!(exits, 1, "{numbers:?}");
        assert!(
            !numbers.contains(&libc::SYS_execve.cast_unsigned()),
            "the exec itself is before the first stop"
        );
    }

    #[test]
    fn a_missing_program_is_a_start_error() {
        let error = spawn_traced(&mut Command::new("/no/such/program")).unwrap_err();
        assert!(
            matches!(&error, SpawnTracedError::Start(e) if e.kind() == io::ErrorKind::NotFound),
            "{error}"
        );
        assert_eq!(wait_traced().unwrap_err(), Errno::CHILD, "nothing is left to wait for");
    }

    #[test]
    fn children_that_are_not_traced_here_are_left_alone() {
        // Of another thread, as the tracer of Fathom has a thread of its own.
        let mut foreign =
            thread::spawn(|| Command::new("/bin/sh").args(["-c", "exit 3"]).spawn().unwrap()).join().unwrap();
        thread::spawn(|| {
            let root = spawn_traced(Command::new("/bin/sh").args(["-c", ":"])).unwrap();
            assert_eq!(trace_to_end(root).1, Some(0));
        })
        .join()
        .unwrap();
        assert_eq!(foreign.wait().unwrap().code(), Some(3));
    }

    #[test]
    fn memory_is_read_to_the_end_of_what_is_mapped() {
        let me = rustix::process::getpid();
        let text = b"twenty-three opens\0";
        let mut copy = [0; 19];
        assert_eq!(read_memory(me, text.as_ptr().addr() as u64, &mut copy), Ok(19));
        assert_eq!(&copy, text);
        assert_eq!(read_memory(me, 0, &mut copy), Err(Errno::FAULT));
    }

    #[test]
    fn a_spent_command_starts_again_untraced() {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "exit 5"]);
        let root = spawn_traced(&mut command).unwrap();
        assert_eq!(trace_to_end(root).1, Some(5));
        assert_eq!(command.status().unwrap().code(), Some(5));
    }
}
