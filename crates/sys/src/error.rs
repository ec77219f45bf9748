//! The error of a refused or misbehaving system call.

use rustix::io::Errno;

/// Why a wrapped call gave no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SysError {
    /// The kernel refused.
    #[error("{call}: {errno}")]
    Refused {
        /// The kernel's name of the call.
        call: &'static str,
        /// Its error.
        errno: Errno,
    },
    /// The kernel answered something that makes no sense.
    #[error("{call}: {what}")]
    Nonsense {
        /// The kernel's name of the call.
        call: &'static str,
        /// What it answered.
        what: String,
    },
}

impl SysError {
    /// The kernel's error, if it gave one.
    pub fn errno(&self) -> Option<Errno> {
        match self {
            Self::Refused { errno, .. } => Some(*errno),
            Self::Nonsense { .. } => None,
        }
    }

    /// Names the call that an errno of rustix came from.
    pub(crate) fn of(call: &'static str) -> impl Fn(Errno) -> Self {
        move |errno| Self::Refused { call, errno }
    }

    /// The error that the C library's `errno` holds now.
    pub(crate) fn last(call: &'static str) -> Self {
        let code = std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO);
        Self::Refused { call, errno: Errno::from_raw_os_error(code) }
    }
}
