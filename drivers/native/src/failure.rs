//! How things fail: an operation (answered as an error line) or the whole run
//! (an exit code). It does not print.

use std::{fmt, io};

/// A call or API that failed; the batch knows the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The call or API, as its user writes it.
    pub(crate) call: &'static str,
    /// The error number.
    pub(crate) errno: i32,
}

/// Why a run cannot take place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The arguments are wrong: exit code 2.
    Usage(String),
    /// The file system, the kernel or the C library refuses: exit code 77.
    Unsupported(String),
}

/// What stands for an end of file where bytes were due (errno ENODATA).
const ENODATA: i32 = 61;
const EIO: i32 = 5;

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} answers {}", self.call, io::Error::from_raw_os_error(self.errno))
    }
}

impl Failure {
    /// The failure of the C library call just made.
    #[cold]
    pub(crate) fn last(call: &'static str) -> Self {
        Self::of(call, &io::Error::last_os_error())
    }

    /// The failure that std reported.
    #[cold]
    pub(crate) fn of(call: &'static str, error: &io::Error) -> Self {
        let substitute = if error.kind() == io::ErrorKind::UnexpectedEof { ENODATA } else { EIO };
        Self { call, errno: error.raw_os_error().unwrap_or(substitute) }
    }

    /// The file ended before the bytes that were due.
    #[cold]
    pub(crate) fn short(call: &'static str) -> Self {
        Self { call, errno: ENODATA }
    }
}
