//! wait4(2): the end of a child, and what it and its own awaited children used; getrusage(2):
//! what all awaited children used.

use crate::SysError;
use rustix::process::Pid;
use std::mem::MaybeUninit;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// What a child used, its own awaited children included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChildUsage {
    /// Time on CPUs in user mode, in ns (the kernel gives µs).
    pub user_ns: u64,
    /// Time on CPUs in the kernel, in ns.
    pub system_ns: u64,
    /// Page faults that needed no I/O.
    pub minor_faults: u64,
    /// Page faults that waited for a device.
    pub major_faults: u64,
    /// Times it gave up a CPU by itself.
    pub voluntary_switches: u64,
    /// Times a CPU was taken from it.
    pub involuntary_switches: u64,
    /// The most memory that it, or the largest of its children, had at once; never below
    /// what this process had when it started it, for an exec does not reset the mark.
    pub peak_resident_bytes: u64,
}

/// Waits for a child of this process and reaps it. `ECHILD` when it is none, or
/// was reaped already.
pub fn reap(child: Pid) -> Result<(ExitStatus, ChildUsage), SysError> {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    let mut status = 0;
    loop {
        // SAFETY: the kernel fills both, which outlive the call.
        let reaped =
            unsafe { libc::wait4(child.as_raw_nonzero().get(), &raw mut status, 0, usage.as_mut_ptr()) };
        if reaped >= 0 {
            break;
        }
        let error = SysError::last("wait4");
        if error.errno() != Some(rustix::io::Errno::INTR) {
            return Err(error);
        }
    }
    // SAFETY: filled by the kernel, and all zeroes would be a value too.
    let usage = unsafe { usage.assume_init() };
    Ok((ExitStatus::from_raw(status), used(usage)))
}

/// What all children used that this process has awaited, with their own awaited children.
pub fn of_awaited() -> Result<ChildUsage, SysError> {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the kernel fills it, and it outlives the call.
    if unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr()) } != 0 {
        return Err(SysError::last("getrusage"));
    }
    // SAFETY: filled by the kernel, and all zeroes would be a value too.
    Ok(used(unsafe { usage.assume_init() }))
}

fn used(usage: libc::rusage) -> ChildUsage {
    ChildUsage {
        user_ns: nanoseconds(usage.ru_utime),
        system_ns: nanoseconds(usage.ru_stime),
        minor_faults: usage.ru_minflt.cast_unsigned(),
        major_faults: usage.ru_majflt.cast_unsigned(),
        voluntary_switches: usage.ru_nvcsw.cast_unsigned(),
        involuntary_switches: usage.ru_nivcsw.cast_unsigned(),
        peak_resident_bytes: usage.ru_maxrss.cast_unsigned() * 1024,
    }
}

fn nanoseconds(time: libc::timeval) -> u64 {
    time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_usec.cast_unsigned() * 1000
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[expect(clippy::zombie_processes, reason = "it is reaped by its id")]
    fn run(script: &str) -> (ExitStatus, ChildUsage) {
        let child = Command::new("/bin/sh").args(["-c", script]).spawn().unwrap();
        reap(Pid::from_child(&child)).unwrap()
    }

    #[test]
    fn the_end_and_the_use_of_a_child_come_together() {
        let (status, usage) = run("exit 7");
        assert_eq!(status.code(), Some(7));
        assert!(usage.minor_faults > 0 && usage.peak_resident_bytes > 100_000, "{usage:?}");
        let (status, _) = run("kill -9 $$");
        assert_eq!(status.signal(), Some(9));
    }

    #[test]
    fn who_was_awaited_is_in_the_sum_of_all() {
        let before = of_awaited().unwrap();
        let (_, usage) = run("i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done");
        let after = of_awaited().unwrap();
        // Other tests await children meanwhile.
        assert!(after.user_ns + after.system_ns >= before.user_ns + before.system_ns + usage.user_ns);
    }

    #[test]
    fn awaited_grandchildren_are_in_it() {
        let work = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done";
        let (_, own) = run(work);
        let (_, grandchild) = run(&format!("/bin/sh -c '{work}'; :"));
        let (_, none) = run(":");
        for usage in [own, grandchild] {
            assert!(usage.user_ns + usage.system_ns > none.user_ns + none.system_ns, "{usage:?} {none:?}");
        }
    }

    #[test]
    #[expect(clippy::zombie_processes, reason = "it is reaped by its id")]
    fn who_was_reaped_already_is_no_child() {
        let child = Command::new("/bin/true").spawn().unwrap();
        let pid = Pid::from_child(&child);
        reap(pid).unwrap();
        assert_eq!(reap(pid).unwrap_err().errno(), Some(rustix::io::Errno::CHILD));
    }
}
