//! When a thread runs.

use crate::SysError;

/// Has the calling thread run as soon as it can, before all threads of the usual kind (`SCHED_FIFO`, the lowest
/// priority). What it starts is of the usual kind. Takes root, `CAP_SYS_NICE` or a limit (`RLIMIT_RTPRIO`).
pub fn run_before_others() -> Result<(), SysError> {
    // The kernel's parameter is this number alone. musl's own function refuses whatever it is asked.
    let priority: libc::c_int = 1;
    let policy = libc::SCHED_FIFO | libc::SCHED_RESET_ON_FORK;
    // SAFETY: the kernel reads the number, which outlives the call; 0 is the calling thread.
    match unsafe { libc::syscall(libc::SYS_sched_setscheduler, 0, policy, &raw const priority) } {
        0 => Ok(()),
        _ => Err(SysError::last("sched_setscheduler")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_of_one_thread_alone() {
        // SAFETY: without arguments but a thread's number; 0 is the calling one.
        let policy = || unsafe { libc::sched_getscheduler(0) };
        let before = policy();
        let inside = std::thread::spawn(move || run_before_others().map(|()| policy())).join().unwrap();
        match inside {
            Ok(policy) => assert_eq!(policy & !libc::SCHED_RESET_ON_FORK, libc::SCHED_FIFO),
            // Whoever may not is told so.
            Err(error) => assert_eq!(error.errno(), Some(rustix::io::Errno::PERM), "{error}"),
        }
        assert_eq!(policy(), before);
    }
}
