//! sigaction(2), asked and not set: what a signal does to this process now.

use std::mem::MaybeUninit;

/// True when a signal is ignored: `nohup`, or a shell that starts a job in the
/// background, made it so before this program began.
pub fn is_ignored(signal: i32) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action nothing changes; the kernel fills the old one, which outlives the call.
    let asked = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) };
    // SAFETY: filled by the kernel, and all zeroes is a value too (the default action).
    let action = unsafe { action.assume_init() };
    asked == 0 && action.sa_sigaction == libc::SIG_IGN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_that_rust_ignores_is_ignored_and_others_are_not() {
        // Rust's runtime ignores SIGPIPE before main.
        assert!(is_ignored(libc::SIGPIPE));
        assert!(!is_ignored(libc::SIGUSR2));
        assert!(!is_ignored(0), "no signal at all");
    }
}
