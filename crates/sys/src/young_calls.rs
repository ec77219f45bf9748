//! System calls that are younger than the oldest kernels Fathom runs on: whether this kernel has one.

/// Linux's numbers from 424 on are the same on every architecture. Each of these refuses
/// arguments that are all -1 before it does anything.
const YOUNG: [(&str, libc::c_long); 7] = [
    ("io_uring_setup", 425),
    ("clone3", 435),
    ("close_range", 436),
    ("openat2", 437),
    ("pidfd_getfd", 438),
    ("faccessat2", 439),
    ("fchmodat2", 452),
];

/// True of a call that the kernel, or a filter of a container's, says it does not have (`ENOSYS`).
/// Of calls that every kernel has, false.
pub fn is_missing(name: &str) -> bool {
    let Some((_, number)) = YOUNG.iter().find(|(young, _)| *young == name) else { return false };
    // SAFETY: no memory is at an address of -1, and no file, process or flag has that number.
    let outcome = unsafe { libc::syscall(*number, -1_i64, -1_i64, -1_i64, -1_i64, -1_i64, -1_i64) };
    outcome < 0 && std::io::Error::last_os_error().raw_os_error() == Some(libc::ENOSYS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_missing_where_the_kernel_says_so() {
        assert!(!is_missing("openat"));
        let path = c"/";
        // SAFETY: a path of the C library's form and numbers.
        let answer = unsafe { libc::syscall(439, libc::AT_FDCWD, path.as_ptr(), 0, 0) };
        assert_eq!(is_missing("faccessat2"), answer != 0);
    }
}
