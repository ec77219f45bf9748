//! The forms in which calls are priced.

use super::ReachedBy::{AbsolutePath, Descriptor, Path};
use super::{CallFlags, CallForm, FileState as S, ReachedBy};
use crate::FileKind::{self, Directory, Epoll, Eventfd};
use std::borrow::Cow::Borrowed;

const fn form(
    flags: &'static str,
    by: Option<ReachedBy>,
    on: Option<FileKind>,
    state: Option<S>,
) -> CallForm {
    CallForm { flags: CallFlags(Borrowed(flags)), by, on, state }
}

/// A call that is priced in one way only.
pub const PLAIN: CallForm = form("", None, None, None);
/// `openat`: opened for reading; also where that fails with an errno.
pub const READ_ONLY: CallForm = form("O_RDONLY", None, None, None);
/// The same by a path from the root.
pub const READ_ONLY_ABSOLUTE: CallForm = form("O_RDONLY", Some(AbsolutePath), None, None);
/// An existing file opened for writing.
pub const WRITE_ONLY: CallForm = form("O_WRONLY", None, None, None);
/// A file made.
pub const CREATE_NEW: CallForm = form("O_CREAT", None, None, Some(S::NewFile));
/// A file that was there already.
pub const CREATE_EXISTING: CallForm = form("O_CREAT", None, None, Some(S::ExistingFile));
/// A file emptied; the size is what it held.
pub const CREATE_TRUNCATE: CallForm = form("O_CREAT|O_TRUNC", None, None, Some(S::ExistingFile));
/// `openat` of a file that is empty already.
pub const CREATE_TRUNCATE_EMPTY: CallForm = form("O_CREAT|O_TRUNC", None, None, Some(S::ExistingEmptyFile));
/// Past the page cache.
pub const DIRECT: CallForm = form("O_DIRECT", None, None, None);
/// A handle only.
pub const PATH: CallForm = form("O_PATH", None, None, None);
/// A directory.
pub const DIRECTORY: CallForm = form("O_DIRECTORY", None, None, None);
/// `close` of a file that was opened for reading.
pub const AFTER_READING: CallForm = form("", None, None, Some(S::OpenForReading));
/// `close` of a file whose cached bytes were written over.
pub const AFTER_WRITING: CallForm = form("", None, None, Some(S::WrittenOver));
/// `close` of a file that was emptied by `O_TRUNC` and written.
pub const AFTER_TRUNCATING: CallForm = form("", None, None, Some(S::TruncatedAndWritten));
/// `close` of a directory.
pub const OF_CLOSED_DIRECTORY: CallForm = form("", None, Some(Directory), None);
/// `close` of an epoll instance.
pub const OF_EPOLL: CallForm = form("", None, Some(Epoll), None);
/// A call on an open file.
pub const BY_DESCRIPTOR: CallForm = form("", Some(Descriptor), None, None);
/// The same on a directory.
pub const OF_OPEN_DIRECTORY: CallForm = form("", Some(Descriptor), Some(Directory), None);
/// `newfstatat` as the C library's `fstat` makes it.
pub const EMPTY_PATH: CallForm = form("AT_EMPTY_PATH", Some(Descriptor), None, None);
/// The same on a directory.
pub const EMPTY_PATH_DIRECTORY: CallForm = form("AT_EMPTY_PATH", Some(Descriptor), Some(Directory), None);
/// A call by path.
pub const BY_PATH: CallForm = form("", Some(Path), None, None);
/// `faccessat2` with the effective user's rights.
pub const EFFECTIVE: CallForm = form("AT_EACCESS", Some(Path), None, None);
/// `lseek` to a place in the file.
pub const SEEK_SET: CallForm = form("SEEK_SET", None, None, None);
/// `ioctl`.
pub const TERMINAL_SETTINGS: CallForm = form("TCGETS", None, None, None);
/// `fcntl`.
pub const GET_FLAGS: CallForm = form("F_GETFL", None, None, None);
/// `fcntl`.
pub const SET_FLAGS: CallForm = form("F_SETFL", None, None, None);
/// `fcntl`.
pub const GET_DESCRIPTOR_FLAGS: CallForm = form("F_GETFD", None, None, None);
/// `fcntl`.
pub const SET_DESCRIPTOR_FLAGS: CallForm = form("F_SETFD", None, None, None);
/// `fadvise64`.
pub const ADVISE_SEQUENTIAL: CallForm = form("POSIX_FADV_SEQUENTIAL", None, None, None);
/// `epoll_ctl`.
pub const EPOLL_ADD_FILE: CallForm = form("EPOLL_CTL_ADD", None, None, Some(S::RegularFile));
/// Bytes of a file one after the other, into a buffer that is used again.
pub const IN_ORDER: CallForm = form("", None, None, Some(S::InOrder));
/// `read` and its kin where nothing is left.
pub const AT_END: CallForm = form("", None, None, Some(S::AtEnd));
/// Bytes that are cached written over.
pub const OVERWRITING: CallForm = form("", None, None, Some(S::OverCached));
/// The same where the file was written in blocks of 1 MiB.
pub const OVERWRITING_LARGE: CallForm = form("", None, None, Some(S::OverLargeFolios));
/// Bytes added at the end.
pub const APPENDING: CallForm = form("", None, None, Some(S::Appending));
/// `read` and `write` of an eventfd.
pub const OF_EVENTFD: CallForm = form("", None, Some(Eventfd), None);
/// `ftruncate` to 0; the size is what the file held.
pub const TO_NOTHING: CallForm = form("", None, None, Some(S::ToNothing));
/// `ftruncate` beyond the end.
pub const LONGER: CallForm = form("", None, None, Some(S::LongerByHole));
/// `fsync` with nothing to write.
pub const CLEAN: CallForm = form("", None, None, Some(S::Clean));
/// `fsync` with one dirty page.
pub const ONE_DIRTY_PAGE: CallForm = form("", None, None, Some(S::OneDirtyPage));
/// `mmap` of a file.
pub const MAP_FILE: CallForm = form("MAP_SHARED", None, None, Some(S::OfFile));
/// `mmap` of memory.
pub const MAP_ANONYMOUS: CallForm = form("MAP_ANONYMOUS", None, None, Some(S::OfMemory));
/// `munmap` of what nobody touched.
pub const UNTOUCHED: CallForm = form("", None, None, Some(S::Untouched));
/// `munmap` of a file of which every page was read.
pub const TOUCHED_FILE: CallForm = form("", None, None, Some(S::FileRead));
/// `munmap` of memory of which every page was written.
pub const TOUCHED_MEMORY: CallForm = form("", None, None, Some(S::MemoryWritten));
/// `madvise`.
pub const MADV_SEQUENTIAL: CallForm = form("MADV_SEQUENTIAL", None, None, Some(S::InTurnWithNormal));
/// `madvise`.
pub const MADV_WILLNEED: CallForm = form("MADV_WILLNEED", None, None, Some(S::OfCachedPages));
/// `madvise`.
pub const MADV_DONTNEED: CallForm = form("MADV_DONTNEED", None, None, Some(S::OfUntouchedMemory));
/// `brk`.
pub const ASK_BREAK: CallForm = form("", None, None, Some(S::HeapEndAsked));
/// `io_uring_enter` of a ring that has nothing to do.
pub const NOTHING_SUBMITTED: CallForm = form("", None, None, Some(S::NothingSubmitted));
/// `mprotect`.
pub const PROTECT: CallForm = form("", None, None, Some(S::WritableInTurn));
/// `futex`.
pub const WAKE_NOBODY: CallForm = form("FUTEX_WAKE", None, None, Some(S::OfNobody));
/// `rt_sigprocmask`.
pub const ASK_MASK: CallForm = form("", None, None, Some(S::MaskAsked));
/// `getdents64` that gives 18 names, two of them `.` and `..`.
pub const FEW_NAMES: CallForm = form("", None, None, Some(S::FewNames));
/// `getdents64` that gives 258 names.
pub const MANY_NAMES: CallForm = form("", None, None, Some(S::ManyNames));
/// `getdents64` where nothing is left.
pub const NO_NAMES: CallForm = form("", None, None, Some(S::NoNames));
/// A name removed, or given; of an empty file where the size is 0.
pub const OF_FILE: CallForm = form("", None, None, Some(S::OfFile));
/// `unlinkat` with `AT_REMOVEDIR`.
pub const OF_DIRECTORY: CallForm = form("", None, None, Some(S::EmptyDirectory));
/// `rename` to a name that is free.
pub const TO_NEW_NAME: CallForm = form("", None, None, Some(S::ToNewName));
/// `rename` over a file.
pub const OVER_FILE: CallForm = form("", None, None, Some(S::OverExistingFile));
/// A fault that maps cached pages of a file, as many as the size holds.
pub const MAPPED_READ: CallForm = form("", None, None, Some(S::MappedAround));
/// A fault that maps the one page of its mapping.
pub const MAPPED_READ_ALONE: CallForm = form("", None, None, Some(S::MappedAlone));
/// A fault that makes a page of memory.
pub const MEMORY_WRITE: CallForm = form("", None, None, Some(S::FirstWrite));
/// A page of a file brought in, by random access without read-ahead.
pub const ONE_BY_ONE: CallForm = form("", None, None, Some(S::OneByOne));
/// Pages of a file brought in in order, with read-ahead.
pub const READ_AHEAD: CallForm = form("", None, None, Some(S::ReadAhead));
