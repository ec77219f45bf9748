//! Supervision of a program's calls: chosen ones wait until their supervisor lets them
//! pass or makes them fail (seccomp's user notification). For tests of what happens
//! when a call fails; unlike ptrace it leaves the program free to trace others.
//!
//! Which calls fail is decided by who supervises.

use crate::error::SysError;
use crate::seccomp_filter::{FilterOutcome, SeccompFilter};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, PidfdGetfdFlags, WaitId, WaitIdOptions, pidfd_getfd, pidfd_open, waitid,
};
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A call that waits for its supervisor.
#[derive(Debug, Clone, Copy)]
pub struct CallNotice {
    id: u64,
    /// The thread that makes it.
    pub tid: u32,
    /// Its number.
    pub number: u32,
    /// Its arguments.
    pub arguments: [u64; 6],
}

/// Where the supervisor hears of calls. Once it is closed, supervised calls fail with ENOSYS.
#[derive(Debug)]
pub struct CallListener {
    notices: OwnedFd,
    process: OwnedFd,
}

/// What woke a supervisor.
#[derive(Debug, Clone, Copy)]
pub enum Woken {
    /// A call waits.
    ByCall(CallNotice),
    /// Nothing happened in the time that was given, or a call was given up.
    ByClock,
    /// The supervised process has ended. Its children may go on, and their calls with them.
    ByEnd,
    /// Nobody is left whose calls could be supervised.
    ByNobody,
}

const GO: u8 = b'y';

/// Starts `command` with a filter that was made by [`SeccompFilter::notifying`], and runs `serve`,
/// which has to answer calls until the process has ended: those of the process before its exec too.
///
/// `command` is spent, and must not be started again. Errors: the program cannot be started, or the
/// kernel refuses the filter or a look at the process.
pub fn supervise<T>(
    command: &mut Command,
    filter: &SeccompFilter,
    serve: impl FnOnce(Pid, &CallListener) -> T,
) -> io::Result<(Child, T)> {
    let (mut ours, theirs) = UnixStream::pair()?;
    let channel = Arc::new(AtomicI32::new(theirs.as_raw_fd()));
    filter_before_exec(command, Arc::clone(&channel), ours.as_raw_fd(), filter.clone());
    // `spawn` returns only after the exec, and the exec waits for us: hence the thread.
    thread::scope(|scope| {
        let starter = thread::Builder::new().spawn_scoped(scope, move || {
            let started = command.spawn();
            drop(theirs);
            started
        })?;
        let served = listen(&mut ours).map(|(pid, listener)| {
            // One that has gone meanwhile is told by `spawn`'s own error.
            let _ = ours.write_all(&[GO]);
            serve(pid, &listener)
        });
        drop(ours);
        let child = starter.join().map_err(|_| io::Error::other("the thread that starts it panicked"))??;
        Ok((child, served?))
    })
}

/// Hears which process it is, and takes the listener that it opens.
fn listen(channel: &mut UnixStream) -> io::Result<(Pid, CallListener)> {
    const PATIENCE: Duration = Duration::from_secs(10);
    let mut announced = [[0; 4]; 2];
    for number in &mut announced {
        channel.read_exact(number)?;
    }
    let [pid, number] = announced.map(i32::from_ne_bytes);
    let pid = Pid::from_raw(pid).ok_or_else(|| io::Error::other("no process id"))?;
    let process = pidfd_open(pid, PidfdFlags::empty())?;
    let begun = Instant::now();
    loop {
        if is_listener(pid, number) {
            let notices = pidfd_getfd(&process, number, PidfdGetfdFlags::empty())?;
            return Ok((pid, CallListener { notices, process }));
        }
        if begun.elapsed() > PATIENCE || has_ended(&process) {
            return Err(io::Error::other("the filter was refused"));
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// True once a descriptor of a process is a listener.
fn is_listener(pid: Pid, number: i32) -> bool {
    std::fs::read_link(format!("/proc/{pid}/fd/{number}"))
        .is_ok_and(|target| target.to_string_lossy().contains("seccomp notify"))
}

fn has_ended(process: &OwnedFd) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    waitid(WaitId::PidFd(process.as_fd()), options).map_or(true, |status| status.is_some())
}

fn filter_before_exec(
    command: &mut Command,
    channel: Arc<AtomicI32>,
    parents_end: i32,
    filter: SeccompFilter,
) {
    let announce_and_wait = move || {
        let fd = channel.load(Ordering::SeqCst);
        // SAFETY: in the forked child this descriptor is the inherited copy, used by nobody here.
        unsafe { libc::close(parents_end) };
        // The listener gets the lowest number that is free, and it cannot be told afterwards: write may
        // be supervised. Others that other threads supervise with were inherited, and are not ours.
        // SAFETY: dup(2) and close(2) of a descriptor that is ours; async-signal-safe.
        let number = unsafe {
            let number = libc::dup(fd);
            libc::close(number);
            number
        };
        let words = [std::process::id().cast_signed(), number];
        // SAFETY: write(2) of a stack buffer of the given length; async-signal-safe.
        let sent = unsafe { libc::write(fd, words.as_ptr().cast(), size_of_val(&words)) };
        if let FilterOutcome::Refused(errno) = filter.install_with_listener() {
            return Err(io::Error::from_raw_os_error(errno.raw_os_error()));
        }
        let mut answer = 0_u8;
        // SAFETY: read(2) into one byte of the stack; async-signal-safe.
        let received = unsafe { libc::read(fd, (&raw mut answer).cast(), 1) };
        if sent != 8 || received != 1 || answer != GO {
            return Err(io::Error::from_raw_os_error(libc::ECANCELED));
        }
        Ok(())
    };
    // SAFETY: the closure makes only async-signal-safe calls and does not allocate.
    unsafe { command.pre_exec(announce_and_wait) };
}

impl CallListener {
    /// Waits for the next call, or for the end of the process unless `ended` says that it is known.
    pub fn wait(&self, timeout: Duration, ended: bool) -> Result<Woken, SysError> {
        let mut watched =
            [PollFd::new(&self.notices, PollFlags::IN), PollFd::new(&self.process, PollFlags::IN)];
        let count = if ended { 1 } else { 2 };
        let limit = Timespec::try_from(timeout).map_err(|_| SysError::of("poll")(Errno::INVAL))?;
        match poll(&mut watched[..count], Some(&limit)) {
            Err(Errno::INTR) => return Ok(Woken::ByClock),
            other => other.map_err(SysError::of("poll"))?,
        };
        let [notices, process] = [watched[0].revents(), watched[1].revents()];
        if notices.contains(PollFlags::IN) {
            return self.receive();
        }
        Ok(match () {
            () if !process.is_empty() => Woken::ByEnd,
            () if notices.contains(PollFlags::HUP) => Woken::ByNobody,
            () => Woken::ByClock,
        })
    }

    fn receive(&self) -> Result<Woken, SysError> {
        // SAFETY: the structure is plain integers; the kernel wants it zeroed.
        let mut notice: libc::seccomp_notif = unsafe { std::mem::zeroed() };
        // SAFETY: this request fills one such structure.
        let outcome = unsafe { libc::ioctl(self.raw(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut notice) };
        if outcome != 0 {
            let error = SysError::last("ioctl(SECCOMP_IOCTL_NOTIF_RECV)");
            // Its thread was killed before we asked, or a signal woke it or us.
            let is_gone = matches!(error.errno(), Some(Errno::NOENT | Errno::INTR));
            return if is_gone { Ok(Woken::ByClock) } else { Err(error) };
        }
        Ok(Woken::ByCall(CallNotice {
            id: notice.id,
            tid: notice.pid,
            number: notice.data.nr.cast_unsigned(),
            arguments: notice.data.args,
        }))
    }

    /// Lets a call pass as if nobody supervised it.
    pub fn let_pass(&self, notice: &CallNotice) -> Result<(), SysError> {
        self.send(notice, 0, 1) // SECCOMP_USER_NOTIF_FLAG_CONTINUE
    }

    /// Makes a call fail that then never happened.
    pub fn make_fail(&self, notice: &CallNotice, errno: Errno) -> Result<(), SysError> {
        self.send(notice, -errno.raw_os_error(), 0)
    }

    fn send(&self, notice: &CallNotice, error: i32, flags: u32) -> Result<(), SysError> {
        let answer = libc::seccomp_notif_resp { id: notice.id, val: 0, error, flags };
        // SAFETY: this request reads one such structure.
        let outcome = unsafe { libc::ioctl(self.raw(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw const answer) };
        let error = || SysError::last("ioctl(SECCOMP_IOCTL_NOTIF_SEND)");
        // Who was killed meanwhile needs no answer.
        if outcome == 0 || error().errno() == Some(Errno::NOENT) { Ok(()) } else { Err(error()) }
    }

    fn raw(&self) -> i32 {
        AsFd::as_fd(&self.notices).as_raw_fd()
    }

    /// The process, as a descriptor.
    pub fn process(&self) -> BorrowedFd<'_> {
        self.process.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seccomp_filter::Chosen;

    #[cfg(target_arch = "x86_64")]
    const HERE: u32 = 0xC000_003E;
    #[cfg(target_arch = "aarch64")]
    const HERE: u32 = 0xC000_00B7;

    /// Runs `cat /dev/null` of which the n-th `openat` fails; its own text and exit code.
    fn cat_failing(nth: usize, errno: Errno) -> (String, Option<i32>) {
        let number = u32::try_from(libc::SYS_openat).unwrap();
        let filter = SeccompFilter::notifying(Chosen {
            architecture: HERE,
            calls: &[number],
            by_first_argument: &[],
            passing_at: &[],
            place_first: false,
        });
        let folder = tempfile::tempdir().unwrap();
        let said = folder.path().join("said");
        let mut command = Command::new("cat");
        command.arg("/dev/null").env("LC_ALL", "C").stderr(std::fs::File::create(&said).unwrap());
        let (mut child, ()) = supervise(&mut command, &filter, |_, listener| {
            let mut seen = 0;
            while let Ok(woken) = listener.wait(Duration::from_secs(1), false) {
                match woken {
                    Woken::ByCall(notice) => {
                        seen += 1;
                        if seen == nth {
                            listener.make_fail(&notice, errno).unwrap();
                        } else {
                            listener.let_pass(&notice).unwrap();
                        }
                    }
                    Woken::ByClock => {}
                    Woken::ByEnd | Woken::ByNobody => break,
                }
            }
        })
        .unwrap();
        let code = child.wait().unwrap().code();
        (std::fs::read_to_string(said).unwrap(), code)
    }

    #[test]
    fn the_chosen_call_fails_and_the_others_pass() {
        assert_eq!(cat_failing(usize::MAX, Errno::IO), (String::new(), Some(0)));
        let failed = (1..100).map(|nth| cat_failing(nth, Errno::MFILE)).find(|(_, code)| *code == Some(1));
        let (said, _) = failed.expect("one of them is the open of its file");
        assert!(said.contains("Too many open files"), "{said}");
    }

    #[test]
    fn each_of_several_at_a_time_hears_of_its_own_calls() {
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..25 {
                        assert_eq!(cat_failing(usize::MAX, Errno::IO), (String::new(), Some(0)));
                    }
                });
            }
        });
    }

    #[test]
    fn a_program_that_does_not_exist_is_an_error() {
        let filter = SeccompFilter::notifying(Chosen {
            architecture: HERE,
            calls: &[],
            by_first_argument: &[],
            passing_at: &[],
            place_first: false,
        });
        let started = supervise(&mut Command::new("/no/such/program"), &filter, |_, listener| {
            while !matches!(listener.wait(Duration::from_secs(1), false), Ok(Woken::ByEnd | Woken::ByNobody))
            {
            }
        });
        assert_eq!(started.unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
