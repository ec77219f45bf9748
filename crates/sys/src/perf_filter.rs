//! Filters of perf events on tracepoints: count only the events whose fields
//! are so and so.

use crate::SysError;
use rustix::fd::{AsRawFd, RawFd};
use std::ffi::CStr;

/// `PERF_EVENT_IOC_SET_FILTER`: `_IOW('$', 6, char *)`.
const SET_FILTER: libc::Ioctl = libc::_IOW::<*mut libc::c_char>(b'$' as u32, 6);

/// Gives an event a filter in the language of Documentation/trace/events.rst
/// (`dev == 8388608`). Events inherited from it have it too. `EINVAL` where a field is
/// not one of the tracepoint's or the event is on no tracepoint.
pub fn set_filter(event: &impl AsRawFd, filter: &CStr) -> Result<(), SysError> {
    let fd: RawFd = event.as_raw_fd();
    // SAFETY: the kernel reads a string that ends in a null byte; on a descriptor of another
    // kind the call fails.
    let result = unsafe { libc::ioctl(fd, SET_FILTER, filter.as_ptr()) };
    if result != 0 {
        return Err(SysError::last("PERF_EVENT_IOC_SET_FILTER"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::io::Errno;

    #[test]
    fn what_is_no_event_is_refused() {
        let file = tempfile::tempfile().unwrap();
        let error = set_filter(&file, c"dev == 1").unwrap_err();
        assert_eq!(error.errno(), Some(Errno::NOTTY), "{error}");
    }
}
