//! What stops a reading altogether, where a reason in its place is not enough.

use fathom_sys::SysError;
use rustix::io::Errno;
use std::path::PathBuf;

/// Why nothing can be said of a place.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    /// The directory cannot be opened.
    #[error("open {}: {errno}", path.display())]
    Open {
        /// The directory.
        path: PathBuf,
        /// The kernel's error.
        errno: Errno,
    },
    /// A call on the directory was refused.
    #[error("{}: {error}", path.display())]
    Call {
        /// The directory.
        path: PathBuf,
        /// The call and its error.
        error: SysError,
    },
}
