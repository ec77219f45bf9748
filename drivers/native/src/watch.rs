//! inotify, made safe: whether any of the files that are watched has changed.

use super::failure::Failure;
use super::ffi;
use super::posix::{self, Fd};
use std::ffi::CStr;
use std::mem::MaybeUninit;

const EAGAIN: i32 = 11;

/// What makes held data outdated: other contents, or another file of that name.
const CHANGES: u32 = ffi::IN_MODIFY | ffi::IN_ATTRIB | ffi::IN_DELETE_SELF | ffi::IN_MOVE_SELF;

/// An inotify descriptor.
#[derive(Debug)]
pub(crate) struct Watch(Fd);

impl Watch {
    /// `inotify_init1(IN_NONBLOCK)`.
    pub(crate) fn start() -> Result<Self, Failure> {
        // SAFETY: no memory is passed.
        posix::owned(unsafe { ffi::inotify_init1(ffi::IN_NONBLOCK) }, "inotify_init1").map(Self)
    }

    /// `inotify_add_watch`.
    pub(crate) fn add(&self, path: &CStr) -> Result<(), Failure> {
        // SAFETY: the path ends in a null byte.
        let watch = unsafe { ffi::inotify_add_watch(self.0.number(), path.as_ptr(), CHANGES) };
        if watch < 0 { Err(Failure::last("inotify_add_watch")) } else { Ok(()) }
    }

    /// A `read` that does not wait: nothing to read is no news.
    #[inline]
    pub(crate) fn has_news(&self) -> Result<bool, Failure> {
        let mut events = [MaybeUninit::uninit(); 4096];
        match self.0.read(&mut events) {
            Ok(events) => Ok(!events.is_empty()),
            Err(failure) if failure.errno == EAGAIN => Ok(false),
            Err(failure) => Err(failure),
        }
    }
}
