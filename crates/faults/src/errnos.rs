//! Which calls can fail and with what, as their manual pages have it: faults that no
//! kernel gives prove nothing.

use rustix::io::Errno;
use std::fs;
use syscalls::Sysno;

/// On what a call has to work for an errno to be possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum On {
    /// Anything.
    Anything,
    /// A descriptor (the first argument) of a regular file.
    File,
    /// A descriptor of a pipe or a socket.
    Stream,
    /// A wait at a futex.
    FutexWait,
    /// A request of `ioctl` that asks a device or a file system, and does not set a flag.
    Asked,
    /// Memory other than the stack of signal handlers that Rust's library gives each thread: it
    /// panics where there is none, before any code of ours runs in that thread.
    Memory,
}

/// A way in which calls of one kind fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    /// The call.
    pub call: Sysno,
    /// Its error, by number.
    errno: i32,
}

impl Kind {
    /// The error.
    pub fn errno(self) -> Errno {
        Errno::from_raw_os_error(self.errno)
    }

    /// What the call is about: one of [`GROUPS`].
    pub fn group(self) -> &'static str {
        group(self.call)
    }

    /// The error's name.
    pub fn errno_name(self) -> &'static str {
        NAMES.iter().find(|(errno, _)| *errno == self.errno()).map_or("?", |(_, name)| name)
    }
}

/// What a call is about.
pub(crate) fn group(call: Sysno) -> &'static str {
    match call.name() {
        "mmap" | "mremap" | "mprotect" | "madvise" | "mlock" => MEMORY,
        "clone" | "clone3" | "fork" | "vfork" | "wait4" | "waitid" | "kill" | "tgkill"
        | "pidfd_send_signal" | "setpgid" | "setsid" => "processes",
        "poll" | "ppoll" | "select" | "pselect6" | "epoll_wait" | "epoll_pwait" | "epoll_pwait2"
        | "nanosleep" | "clock_nanosleep" | "futex" => "waits",
        "ptrace" | "process_vm_readv" | "bpf" | "perf_event_open" | "prctl" | "prlimit64" | "setrlimit"
        | "sched_setaffinity" | "sched_getaffinity" | "mount" | "umount2" | "unshare" | "setns" => "kernel",
        "pipe" | "pipe2" | "socketpair" | "socket" | "eventfd2" | "epoll_create1" | "epoll_ctl"
        | "pidfd_open" | "pidfd_getfd" | "sendto" | "sendmsg" | "recvfrom" | "recvmsg" | "memfd_create" => {
            "pipes"
        }
        _ => FILES,
    }
}

/// Calls on files and directories.
pub(crate) const FILES: &str = "files";
/// Calls on memory.
pub(crate) const MEMORY: &str = "memory";
/// Groups of calls.
pub const GROUPS: &[&str] = &[FILES, MEMORY, "pipes", "processes", "waits", "kernel"];

const NAMES: &[(Errno, &str)] = &[
    (Errno::ACCESS, "EACCES"),
    (Errno::AGAIN, "EAGAIN"),
    (Errno::BUSY, "EBUSY"),
    (Errno::CHILD, "ECHILD"),
    (Errno::DQUOT, "EDQUOT"),
    (Errno::FBIG, "EFBIG"),
    (Errno::INTR, "EINTR"),
    (Errno::INVAL, "EINVAL"),
    (Errno::IO, "EIO"),
    (Errno::MFILE, "EMFILE"),
    (Errno::NFILE, "ENFILE"),
    (Errno::NOBUFS, "ENOBUFS"),
    (Errno::NOENT, "ENOENT"),
    (Errno::NOLCK, "ENOLCK"),
    (Errno::NOMEM, "ENOMEM"),
    (Errno::NOSPC, "ENOSPC"),
    (Errno::NOSYS, "ENOSYS"),
    (Errno::OPNOTSUPP, "EOPNOTSUPP"),
    (Errno::PERM, "EPERM"),
    (Errno::PIPE, "EPIPE"),
    (Errno::ROFS, "EROFS"),
    (Errno::SRCH, "ESRCH"),
];

/// Calls by name, since no architecture has all of them; errors; on what.
type Row = (&'static [&'static str], &'static [Errno], On);

/// `brk` is not here: it says its failure by another value than an errno. Nor is `munmap`, at
/// whose failure the C library aborts, and what cannot fail but by a wrong argument.
/// A descriptor of a directory, a pipe or a socket is closed whatever happens, hence `close` of files alone.
const TABLE: &[Row] = {
    use On::{Anything, Asked, File, FutexWait, Memory, Stream};
    &[
        (
            &["openat", "open"],
            &[Errno::MFILE, Errno::NFILE, Errno::IO, Errno::ACCESS, Errno::NOMEM, Errno::INTR],
            Anything,
        ),
        (&["openat2"], &[Errno::MFILE, Errno::IO, Errno::NOSYS], Anything),
        (&["read", "pread64", "readv", "preadv2"], &[Errno::IO, Errno::INTR], File),
        (&["read"], &[Errno::INTR], Stream),
        (
            &["write", "pwrite64", "writev"],
            &[Errno::IO, Errno::NOSPC, Errno::DQUOT, Errno::FBIG, Errno::INTR],
            File,
        ),
        (&["write"], &[Errno::PIPE, Errno::INTR], Stream),
        (&["close"], &[Errno::IO, Errno::NOSPC, Errno::DQUOT, Errno::INTR], File),
        (
            &["fstat", "newfstatat", "statx", "stat", "lstat"],
            &[Errno::IO, Errno::NOMEM, Errno::ACCESS],
            Anything,
        ),
        (&["getdents64"], &[Errno::IO, Errno::NOMEM], Anything),
        (&["mkdir", "mkdirat"], &[Errno::NOSPC, Errno::DQUOT, Errno::ACCESS, Errno::ROFS], Anything),
        (&["unlink", "unlinkat", "rmdir"], &[Errno::IO, Errno::BUSY, Errno::ACCESS], Anything),
        (
            &["rename", "renameat", "renameat2", "linkat", "symlinkat"],
            &[Errno::IO, Errno::NOSPC, Errno::DQUOT, Errno::ACCESS],
            Anything,
        ),
        (
            &["fsync", "fdatasync", "syncfs", "sync_file_range"],
            &[Errno::IO, Errno::NOSPC, Errno::DQUOT],
            Anything,
        ),
        (
            &["ftruncate", "fallocate", "copy_file_range", "sendfile"],
            &[Errno::IO, Errno::NOSPC, Errno::INTR],
            Anything,
        ),
        (
            &["chmod", "fchmod", "fchmodat", "fchown", "utimensat"],
            &[Errno::IO, Errno::PERM, Errno::ROFS],
            Anything,
        ),
        (
            &["readlink", "readlinkat", "getcwd", "access", "faccessat", "faccessat2"],
            &[Errno::IO, Errno::NOMEM, Errno::ACCESS],
            Anything,
        ),
        (&["chdir", "fchdir"], &[Errno::IO, Errno::ACCESS], Anything),
        (&["statfs", "fstatfs"], &[Errno::IO, Errno::NOMEM, Errno::INTR], Anything),
        (&["getxattr", "lgetxattr", "fgetxattr", "setxattr"], &[Errno::IO, Errno::OPNOTSUPP], Anything),
        (&["fadvise64"], &[Errno::INVAL], Anything),
        (&["cachestat"], &[Errno::PERM, Errno::NOSYS, Errno::OPNOTSUPP], Anything),
        (&["mincore"], &[Errno::NOMEM, Errno::AGAIN], Anything),
        (&["flock"], &[Errno::AGAIN, Errno::INTR, Errno::NOLCK], Anything),
        (&["fcntl"], &[Errno::MFILE, Errno::AGAIN, Errno::INTR], Anything),
        (&["dup", "dup2", "dup3"], &[Errno::MFILE, Errno::INTR], Anything),
        (&["ioctl"], &[Errno::IO, Errno::INTR, Errno::PERM], Asked),
        (&["mmap", "mremap"], &[Errno::NOMEM], Memory),
        (&["mmap"], &[Errno::AGAIN, Errno::PERM], File),
        (&["mprotect", "madvise", "mlock"], &[Errno::NOMEM], Memory),
        (&["clone3"], &[Errno::AGAIN, Errno::NOMEM, Errno::NOSYS], Anything),
        (&["clone", "fork", "vfork"], &[Errno::AGAIN, Errno::NOMEM], Anything),
        (&["wait4", "waitid"], &[Errno::INTR, Errno::CHILD], Anything),
        (&["ptrace"], &[Errno::SRCH, Errno::PERM, Errno::IO], Anything),
        (&["process_vm_readv"], &[Errno::SRCH, Errno::PERM, Errno::NOMEM], Anything),
        (&["kill", "tgkill", "pidfd_send_signal"], &[Errno::PERM, Errno::SRCH], Anything),
        (&["pipe2", "pipe", "socketpair", "socket"], &[Errno::MFILE, Errno::NFILE, Errno::NOMEM], Anything),
        (
            &[
                "eventfd2",
                "epoll_create1",
                "memfd_create",
                "pidfd_open",
                "pidfd_getfd",
                "timerfd_create",
                "signalfd4",
                "inotify_init1",
            ],
            &[Errno::MFILE, Errno::NOMEM, Errno::NOSYS],
            Anything,
        ),
        (&["poll", "ppoll", "select", "pselect6"], &[Errno::INTR], Anything),
        (
            &["epoll_wait", "epoll_pwait", "epoll_pwait2", "nanosleep", "clock_nanosleep"],
            &[Errno::INTR],
            Anything,
        ),
        (&["epoll_ctl"], &[Errno::NOMEM, Errno::NOSPC], Anything),
        (&["futex"], &[Errno::INTR, Errno::AGAIN], FutexWait),
        (&["sendto", "sendmsg"], &[Errno::PIPE, Errno::INTR, Errno::NOBUFS], Anything),
        (&["recvfrom", "recvmsg"], &[Errno::INTR], Anything),
        (&["bpf"], &[Errno::PERM, Errno::AGAIN, Errno::NOMEM, Errno::INVAL], Anything),
        (&["perf_event_open"], &[Errno::MFILE, Errno::ACCESS, Errno::NOENT, Errno::NOMEM], Anything),
        (&["prctl", "prlimit64", "setrlimit"], &[Errno::PERM, Errno::INVAL], Anything),
        (
            &["sched_setaffinity", "sched_getaffinity", "setpriority", "sched_setscheduler"],
            &[Errno::PERM, Errno::INVAL],
            Anything,
        ),
        (&["getrandom"], &[Errno::INTR, Errno::NOSYS], Anything),
        (&["mount", "umount2", "unshare", "setns"], &[Errno::PERM, Errno::BUSY, Errno::NOMEM], Anything),
        (&["io_uring_setup"], &[Errno::PERM, Errno::NOMEM, Errno::NOSYS], Anything),
        (&["setpgid", "setsid"], &[Errno::PERM, Errno::ACCESS], Anything),
    ]
};

/// The calls that can fail at all.
pub(crate) fn failing_calls() -> Vec<Sysno> {
    let names = TABLE.iter().flat_map(|(calls, _, _)| *calls);
    let mut calls: Vec<Sysno> = names.filter_map(|name| name.parse().ok()).collect();
    calls.sort_unstable();
    calls.dedup();
    calls
}

/// How this call of process `pid`, which is about to be made, can fail.
pub(crate) fn possible(pid: u32, call: Sysno, arguments: &[u64; 6]) -> Vec<Kind> {
    let rows =
        TABLE.iter().filter(|(calls, _, on)| calls.contains(&call.name()) && on.holds(pid, call, arguments));
    rows.flat_map(|(_, errnos, _)| errnos.iter().map(|errno| Kind { call, errno: errno.raw_os_error() }))
        .collect()
}

impl On {
    fn holds(self, pid: u32, call: Sysno, arguments: &[u64; 6]) -> bool {
        const FUTEX_COMMAND: u64 = 0x7f;
        const FUTEX_WAITS: [u64; 2] = [0, 9];
        const ANONYMOUS: u64 = 0x20;
        const STACK: u64 = 0x20_000;
        const SETS_FLAG: [u64; 2] = [0x5421, 0x5451];
        const PAGE: u64 = 4096;
        match self {
            Self::Anything => true,
            Self::File => {
                // The descriptor of a mapping is its fifth argument.
                let is_mapping = call == Sysno::mmap;
                (!is_mapping || arguments[3] & ANONYMOUS == 0)
                    && is_file(pid, arguments[if is_mapping { 4 } else { 0 }])
            }
            Self::Stream => target(pid, arguments[0])
                .is_some_and(|target| target.starts_with("pipe:") || target.starts_with("socket:")),
            Self::Asked => !SETS_FLAG.contains(&arguments[1]),
            Self::Memory => match call.name() {
                "mmap" => arguments[3] & STACK == 0 || arguments[2] == 0,
                "mprotect" => arguments[1] != PAGE || arguments[2] != 0,
                _ => true,
            },
            Self::FutexWait => FUTEX_WAITS.contains(&(arguments[1] & FUTEX_COMMAND)),
        }
    }
}

fn is_file(pid: u32, fd: u64) -> bool {
    target(pid, fd).is_some_and(|target| {
        target.starts_with('/')
            && fs::metadata(format!("/proc/{pid}/fd/{fd}")).is_ok_and(|found| found.is_file())
    })
}

fn target(pid: u32, fd: u64) -> Option<String> {
    let target = fs::read_link(format!("/proc/{pid}/fd/{fd}")).ok()?;
    Some(target.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_errno_of_the_table_has_a_name() {
        for (calls, errnos, _) in TABLE {
            for errno in *errnos {
                let kind =
                    Kind { call: calls[0].parse().unwrap_or(Sysno::read), errno: errno.raw_os_error() };
                assert_ne!(kind.errno_name(), "?", "{errno:?}");
            }
        }
    }

    #[test]
    fn no_errno_is_given_to_a_call_twice() {
        // Rows that hold of different descriptors may name the same errno, those that hold together not.
        let file = tempfile::tempfile().unwrap();
        let fd = std::os::fd::AsRawFd::as_raw_fd(&file).cast_unsigned().into();
        for call in failing_calls() {
            let found = possible(std::process::id(), call, &[fd, fd, fd, 0, fd, 0]);
            let unlike: std::collections::BTreeSet<_> = found.iter().collect();
            assert_eq!(unlike.len(), found.len(), "{call}");
        }
    }

    #[test]
    fn a_close_can_fail_for_a_file_and_for_nothing_else() {
        use std::os::fd::AsRawFd;
        let us = std::process::id();
        let close = |fd: i32| possible(us, Sysno::close, &[fd.cast_unsigned().into(), 0, 0, 0, 0, 0]);
        let file = tempfile::tempfile().unwrap();
        let folder = fs::File::open("/").unwrap();
        assert_eq!(close(file.as_raw_fd()).len(), 4);
        assert_eq!(close(folder.as_raw_fd()), []);
    }

    #[test]
    fn a_futex_fails_where_it_waits() {
        let futex = |operation| possible(1, Sysno::futex, &[0, operation, 0, 0, 0, 0]).len();
        assert_eq!((futex(128), futex(129)), (2, 0));
    }
}
