//! The names of the kernel's errors: `ENOENT`.

use rustix::io::Errno;
use std::io;

/// The name; the number of one without a name.
pub(super) fn errno_name(errno: Errno) -> String {
    fathom_trace::name_of_errno(errno.raw_os_error())
}

/// The same of an error of the standard library; its words when it is not the kernel's.
pub(super) fn error_name(error: &io::Error) -> String {
    Errno::from_io_error(error).map_or_else(|| error.to_string(), errno_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_their_names() {
        assert_eq!(errno_name(Errno::LOOP), "ELOOP");
        assert_eq!(errno_name(Errno::from_raw_os_error(4000)), "errno 4000");
        assert_eq!(error_name(&io::Error::from_raw_os_error(21)), "EISDIR");
        assert_eq!(error_name(&io::Error::other("no errno")), "no errno");
    }
}
