//! Starts a program seized before its exec, with a system-call filter where one is wanted.

use super::{Resume, resume};
use crate::seccomp_filter::{FilterOutcome, SeccompFilter};
use rustix::io::Errno;
use rustix::process::Pid;
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

const GO: u8 = b'y';
const GIVE_UP: u8 = b'n';
/// What a child says of its filter: an errno, or one of these, which are none.
const FILTERED: u8 = 0;
const FILTERED_WITHOUT_NEW_PRIVILEGES: u8 = 255;

/// Starts `command` seized by the calling thread, so that every one of its
/// threads and children is followed and all of them die with this thread. The
/// first thing to wait for is the stop at its exec (`PTRACE_EVENT_EXEC`); no
/// instruction of the program has run by then.
///
/// The process belongs to the tracer's `wait_traced`, hence no `Child`.
/// `command` is spent: it may be started again, untraced.
pub fn spawn_traced(command: &mut Command) -> Result<Pid, SpawnTracedError> {
    spawn(command, None).map(|(pid, _)| pid)
}

/// The same with a filter that hands calls to the tracer, unless the kernel refuses it.
pub fn spawn_filtered(
    command: &mut Command,
    filter: &SeccompFilter,
) -> Result<(Pid, FilterOutcome), SpawnTracedError> {
    let (pid, outcome) = spawn(command, Some(filter.clone()))?;
    Ok((pid, outcome.unwrap_or(FilterOutcome::Refused(Errno::IO))))
}

fn spawn(
    command: &mut Command,
    filter: Option<SeccompFilter>,
) -> Result<(Pid, Option<FilterOutcome>), SpawnTracedError> {
    let (mut ours, theirs) = UnixStream::pair().map_err(SpawnTracedError::Start)?;
    let channel = Arc::new(AtomicI32::new(theirs.as_raw_fd()));
    let filtered = filter.is_some();
    hold_before_exec(command, Arc::clone(&channel), ours.as_raw_fd(), filter);
    // `spawn` returns only after the exec, and the exec waits for us: hence the thread.
    thread::scope(|scope| {
        let starter = thread::Builder::new().spawn_scoped(scope, move || {
            let started = command.spawn();
            channel.store(-1, Ordering::SeqCst);
            drop(theirs);
            started
        });
        let starter = starter.map_err(SpawnTracedError::Start)?;
        let seized = seize_announced(&mut ours, filtered);
        let mut outcome = None;
        if let Some(Ok(pid)) = seized {
            // A filter of all calls stops it also where it says what became of that.
            pass_stops_before_exec(pid);
            outcome = filtered.then(|| read_outcome(&mut ours)).flatten();
        }
        drop(ours);
        let started = starter.join().map_err(|_| other_error("the thread that starts it panicked"))?;
        match (seized, started) {
            (Some(Err(errno)), _) => Err(SpawnTracedError::Seize(errno)),
            (_, Err(error)) => Err(SpawnTracedError::Start(error)),
            (Some(Ok(pid)), Ok(_)) => Ok((pid, outcome)),
            (None, Ok(_)) => Err(other_error("it started without announcing itself")),
        }
    })
}

fn hold_before_exec(
    command: &mut Command,
    channel: Arc<AtomicI32>,
    parents_end: i32,
    filter: Option<SeccompFilter>,
) {
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
        if sent != 4 || received != 1 || answer != GO {
            return Err(io::Error::from_raw_os_error(libc::ECANCELED));
        }
        if let Some(filter) = &filter {
            let said = outcome_byte(filter.install());
            // SAFETY: send(2) of one byte on the stack; async-signal-safe.
            unsafe { libc::send(fd, (&raw const said).cast(), 1, libc::MSG_NOSIGNAL) };
        }
        Ok(())
    };
    // SAFETY: the closure makes only async-signal-safe calls and does not allocate.
    unsafe { command.pre_exec(announce_and_wait) };
}

/// Seizes the process that announces itself; `None` when none does.
fn seize_announced(channel: &mut UnixStream, filtered: bool) -> Option<Result<Pid, Errno>> {
    let mut announced = [0; 4];
    channel.read_exact(&mut announced).ok()?;
    let pid = Pid::from_raw(i32::from_ne_bytes(announced))?;
    let mut options = libc::PTRACE_O_EXITKILL
        | libc::PTRACE_O_TRACESYSGOOD
        | libc::PTRACE_O_TRACEEXEC
        | libc::PTRACE_O_TRACECLONE
        | libc::PTRACE_O_TRACEFORK
        | libc::PTRACE_O_TRACEVFORK;
    if filtered {
        options |= libc::PTRACE_O_TRACESECCOMP;
    }
    let seized = super::ptrace(libc::PTRACE_SEIZE, pid, 0, usize::try_from(options).unwrap_or(0));
    let answer = if seized.is_ok() { GO } else { GIVE_UP };
    // A child that does not hear us gives up when the channel is closed, and `spawn` says why.
    channel.write_all(&[answer]).ok()?;
    Some(seized.map(|()| pid))
}

/// Lets the child go on from what stops it on the way to its exec: a filter at each
/// attempt of it, a signal. The stop at the exec itself is left to be waited for.
fn pass_stops_before_exec(pid: Pid) {
    while let Some(stop) = peek_stop(pid) {
        let (signal, event) = (stop & 0xff, stop >> 8);
        let how = match event {
            libc::PTRACE_EVENT_EXEC => return,
            0 => Resume::Continue(signal),
            libc::PTRACE_EVENT_STOP if super::stops_a_group(signal) => Resume::Listen,
            _ => Resume::Continue(0),
        };
        if rustix::process::waitpid(Some(pid), wait_any_child()).is_err() || resume(pid, how).is_err() {
            return;
        }
    }
}

/// Waits for a stop without consuming it: the signal, and above it the event. `None` when it ends.
fn peek_stop(pid: Pid) -> Option<i32> {
    let id = libc::id_t::try_from(pid.as_raw_nonzero().get()).ok()?;
    let options = libc::WSTOPPED | libc::WEXITED | libc::WNOWAIT | libc::__WALL;
    loop {
        // SAFETY: the structure is plain integers and pointers that may be null.
        let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
        // SAFETY: waitid(2) writes one `siginfo_t`.
        let outcome = unsafe { libc::waitid(libc::P_PID, id, &raw mut info, options) };
        if outcome != 0 {
            if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted {
                continue;
            }
            return None;
        }
        // SAFETY: waitid(2) fills the member of a child's change.
        let status = unsafe { info.si_status() };
        return matches!(info.si_code, libc::CLD_TRAPPED | libc::CLD_STOPPED).then_some(status);
    }
}

fn wait_any_child() -> rustix::process::WaitOptions {
    rustix::process::WaitOptions::from_bits_retain(libc::__WALL.cast_unsigned())
}

fn outcome_byte(outcome: FilterOutcome) -> u8 {
    match outcome {
        FilterOutcome::Installed => FILTERED,
        FilterOutcome::InstalledWithoutNewPrivileges => FILTERED_WITHOUT_NEW_PRIVILEGES,
        FilterOutcome::Refused(errno) => u8::try_from(errno.raw_os_error()).unwrap_or(1),
    }
}

fn read_outcome(channel: &mut UnixStream) -> Option<FilterOutcome> {
    let mut said = [0];
    channel.read_exact(&mut said).ok()?;
    Some(match said[0] {
        FILTERED => FilterOutcome::Installed,
        FILTERED_WITHOUT_NEW_PRIVILEGES => FilterOutcome::InstalledWithoutNewPrivileges,
        errno => FilterOutcome::Refused(Errno::from_raw_os_error(i32::from(errno))),
    })
}

fn other_error(reason: &'static str) -> SpawnTracedError {
    SpawnTracedError::Start(io::Error::other(reason))
}
