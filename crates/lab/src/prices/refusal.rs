//! Why something could not be priced.

use fathom_sys::SysError;
use rustix::io::Errno;

/// Why something could not be priced.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct Refusal(pub(super) String);

impl From<Errno> for Refusal {
    fn from(errno: Errno) -> Self {
        let name = fathom_trace::name_of_errno(errno.raw_os_error());
        let text = std::io::Error::from(errno).to_string();
        let words = text.split(" (os error").next().unwrap_or(&text).to_owned();
        Self(format!("{words} ({name})"))
    }
}

impl From<std::io::Error> for Refusal {
    fn from(error: std::io::Error) -> Self {
        match Errno::from_io_error(&error) {
            Some(errno) => Self::from(errno),
            None => Self(error.to_string()),
        }
    }
}

impl From<SysError> for Refusal {
    fn from(error: SysError) -> Self {
        match error.errno() {
            Some(Errno::NOSYS) => Self("this kernel or architecture has no such call".to_owned()),
            Some(errno) => Self::from(errno),
            None => Self(error.to_string()),
        }
    }
}

/// The answer of a call that has to fail in one way.
pub(super) fn failing_with<T>(wanted: Errno, answer: Result<T, Errno>) -> Result<(), Errno> {
    answer.map_or_else(
        |errno| if errno == wanted { Ok(()) } else { Err(errno) },
        // It went well where it must not: no call of these fails so.
        |_| Err(Errno::NOTUNIQ),
    )
}
