//! What a ptrace tracer needs and the safe libraries lack: starting a program
//! that is seized before its exec, resuming with any signal number, the kernel's
//! account of a system-call stop, and reading another process's memory.
//!
//! It does not decide anything: the loop over stops lives in the `trace` crate.

mod beside;
mod spawning;

pub use beside::{
    TraceeChange, detach_with, interrupt, next_change, poll_traced, seize_for_calls, seize_running, take_end,
    take_stop,
};
pub use spawning::{SpawnTracedError, spawn_filtered, spawn_traced};

use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions, WaitStatus};
use std::io;

/// How a stopped tracee goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resume {
    /// To the next system-call stop, delivering this signal (0: none).
    Syscall(i32),
    /// To the next stop that is none of a system call, unless a filter hands one
    /// over; delivering this signal (0: none).
    Continue(i32),
    /// Not at all: it stays in its group-stop until SIGCONT.
    Listen,
}

/// A system-call stop as the kernel tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyscallStop {
    /// The call is about to be made, or a filter hands it over.
    Entry {
        /// The audit architecture, which says whose numbers these are.
        architecture: u32,
        /// The call's number.
        number: u64,
        /// Its arguments.
        arguments: [u64; 6],
        /// The address after the instruction that makes it.
        instruction: u64,
    },
    /// The call has returned.
    Exit {
        /// The address at which the program goes on.
        instruction: u64,
        /// What it returned; the negated errno when it failed.
        result: i64,
        /// True when it failed.
        failed: bool,
    },
    /// The stop is none of a system call.
    Other,
}

/// What C libraries call a request of ptrace(2): glibc and musl have different integers.
#[cfg(target_env = "musl")]
type Request = libc::c_int;
#[cfg(not(target_env = "musl"))]
type Request = libc::c_uint;

/// `struct ptrace_syscall_info`, which not every C library has. The words are, at an entry, number
/// and arguments; at an exit, the result and a byte that says whether it is an error.
#[repr(C)]
#[derive(Debug, Default)]
struct SyscallInfo {
    op: u8,
    padding: [u8; 3],
    architecture: u32,
    instruction: u64,
    stack: u64,
    words: [u64; 8],
}

const GET_SYSCALL_INFO: Request = 0x420e;
const GET_SIGNAL_MASK: Request = 0x420a;
const SET_SIGNAL_MASK: Request = 0x420b;
const AT_ENTRY: u8 = 1;
const AT_EXIT: u8 = 2;
const AT_FILTER: u8 = 3;
/// `NT_PRSTATUS`: the registers of a program.
const GENERAL_REGISTERS: usize = 1;

/// Resumes a stopped tracee of the calling thread.
pub fn resume(pid: Pid, how: Resume) -> Result<(), Errno> {
    match how {
        Resume::Syscall(signal) => ptrace(libc::PTRACE_SYSCALL, pid, 0, usize::try_from(signal).unwrap_or(0)),
        Resume::Continue(signal) => ptrace(libc::PTRACE_CONT, pid, 0, usize::try_from(signal).unwrap_or(0)),
        Resume::Listen => ptrace(libc::PTRACE_LISTEN, pid, 0, 0),
    }
}

/// Lets a stopped tracee of the calling thread go on untraced.
pub fn detach(pid: Pid) -> Result<(), Errno> {
    ptrace(libc::PTRACE_DETACH, pid, 0, 0)
}

/// What a tracee, stopped by a system call, is about to do or has done.
pub fn syscall_stop(pid: Pid) -> Result<SyscallStop, Errno> {
    let mut info = SyscallInfo::default();
    ptrace(GET_SYSCALL_INFO, pid, size_of_val(&info), (&raw mut info).addr())?;
    let [first, second, third, fourth, fifth, sixth, seventh, _] = info.words;
    Ok(match info.op {
        AT_ENTRY | AT_FILTER => SyscallStop::Entry {
            architecture: info.architecture,
            number: first,
            arguments: [second, third, fourth, fifth, sixth, seventh],
            instruction: info.instruction,
        },
        AT_EXIT => SyscallStop::Exit {
            instruction: info.instruction,
            result: first.cast_signed(),
            failed: second.to_ne_bytes()[0] != 0,
        },
        _ => SyscallStop::Other,
    })
}

/// The registers of a stopped tracee of the calling thread.
pub fn registers(pid: Pid) -> Result<libc::user_regs_struct, Errno> {
    // SAFETY: the structure is plain integers, for which zero is a value.
    let mut registers: libc::user_regs_struct = unsafe { std::mem::zeroed() };
    let mut room = libc::iovec { iov_base: (&raw mut registers).cast(), iov_len: size_of_val(&registers) };
    ptrace(libc::PTRACE_GETREGSET, pid, GENERAL_REGISTERS, (&raw mut room).addr())?;
    Ok(registers)
}

/// Gives a stopped tracee of the calling thread other registers.
pub fn set_registers(pid: Pid, registers: &libc::user_regs_struct) -> Result<(), Errno> {
    let mut registers = *registers;
    let mut room = libc::iovec { iov_base: (&raw mut registers).cast(), iov_len: size_of_val(&registers) };
    ptrace(libc::PTRACE_SETREGSET, pid, GENERAL_REGISTERS, (&raw mut room).addr())
}

/// The signals that a stopped tracee of the calling thread blocks, a bit for each from `SIGHUP` on.
pub fn blocked_signals(pid: Pid) -> Result<u64, Errno> {
    let mut blocked = 0_u64;
    ptrace(GET_SIGNAL_MASK, pid, size_of_val(&blocked), (&raw mut blocked).addr())?;
    Ok(blocked)
}

/// Has a stopped tracee of the calling thread block other signals. `SIGKILL` and `SIGSTOP` cannot be.
pub fn set_blocked_signals(pid: Pid, blocked: u64) -> Result<(), Errno> {
    let mut blocked = blocked;
    ptrace(SET_SIGNAL_MASK, pid, size_of_val(&blocked), (&raw mut blocked).addr())
}

/// True of the signals by which a whole process is stopped.
pub fn stops_a_group(signal: i32) -> bool {
    matches!(signal, libc::SIGSTOP | libc::SIGTSTP | libc::SIGTTIN | libc::SIGTTOU)
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

/// Waits until this tracee of the calling thread stops or ends.
pub fn wait_for(pid: Pid) -> Result<WaitStatus, Errno> {
    let options = WaitOptions::from_bits_retain(libc::__WALL.cast_unsigned());
    loop {
        match rustix::process::waitpid(Some(pid), options) {
            Ok(Some((_, status))) => return Ok(status),
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

/// Copies memory of another process, pieces one behind the other, each an address and a number of bytes,
/// into `buffer`. Returns the bytes copied, up to the first piece that cannot be read whole.
pub fn read_memory_pieces(pid: Pid, pieces: &[(u64, usize)], buffer: &mut [u8]) -> Result<usize, Errno> {
    let remote: Result<Vec<_>, _> = pieces
        .iter()
        .map(|&(address, iov_len)| {
            let base = usize::try_from(address).map_err(|_| Errno::FAULT)?;
            Ok(libc::iovec { iov_base: std::ptr::without_provenance_mut(base), iov_len })
        })
        .collect();
    let (remote, mut copied) = (remote?, 0);
    // The kernel takes so many at a time.
    for remote in remote.chunks(1024) {
        let wanted = remote.iter().map(|piece| piece.iov_len).sum();
        let room = buffer.get_mut(copied..).filter(|room| room.len() >= wanted).ok_or(Errno::INVAL)?;
        let local = libc::iovec { iov_base: room.as_mut_ptr().cast(), iov_len: wanted };
        let count = remote.len() as libc::c_ulong;
        // SAFETY: `local` covers a part of `buffer` that is as large; the kernel checks `remote`.
        let read = unsafe {
            libc::process_vm_readv(pid.as_raw_nonzero().get(), &raw const local, 1, remote.as_ptr(), count, 0)
        };
        let read = usize::try_from(read).map_err(|_| last_errno())?;
        copied += read;
        if read < wanted {
            break;
        }
    }
    Ok(copied)
}

fn ptrace(request: Request, pid: Pid, address: usize, data: usize) -> Result<(), Errno> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};
    use std::thread;

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
        let at = |index: usize| text.as_ptr().addr() as u64 + index as u64;
        let pieces = [(at(13), 5), (at(6), 1)];
        assert_eq!(read_memory_pieces(me, &pieces, &mut copy), Ok(6));
        assert_eq!(&copy[..6], b"opens-");
        assert_eq!(read_memory_pieces(me, &pieces, &mut copy[..5]), Err(Errno::INVAL));
        assert_eq!(
            read_memory_pieces(me, &[(at(0), 3), (8, 8)], &mut copy),
            Ok(3),
            "nothing is mapped there"
        );
        let many = vec![(at(0), 1); 3000];
        assert_eq!(read_memory_pieces(me, &many, &mut [0; 3000]), Ok(3000));
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
