//! Several perf events writing into one ring.

use crate::SysError;
use std::os::fd::AsRawFd;

/// `PERF_EVENT_IOC_SET_OUTPUT`: no argument in the sense of `_IOC`.
const SET_OUTPUT: libc::Ioctl = rustix::ioctl::opcode::none(b'$', 5) as libc::Ioctl;

/// Makes the event `from` write its records into the ring of the event `into`.
/// `EINVAL` when they count on different CPUs or `into` has no ring.
pub fn redirect(from: &impl AsRawFd, into: &impl AsRawFd) -> Result<(), SysError> {
    // SAFETY: the call takes numbers, no memory; both owners are borrowed, hence open.
    let status = unsafe { libc::ioctl(from.as_raw_fd(), SET_OUTPUT, into.as_raw_fd()) };
    if status == 0 { Ok(()) } else { Err(SysError::last("ioctl PERF_EVENT_IOC_SET_OUTPUT")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_perf_event_is_refused() {
        let null = std::fs::File::open("/dev/null").unwrap();
        assert_eq!(redirect(&null, &null).unwrap_err().errno(), Some(rustix::io::Errno::NOTTY));
    }
}
