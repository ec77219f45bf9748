//! Prices: what a call, a fault, a page costs on one machine and file system, untraced.

use crate::{CacheState, Environment, Estimate, Floors, Noise, PlaceFacts, Reading};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The untraced price of one thing under one condition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Price {
    /// The kernel's name of the call, or `minor-fault-file`, `minor-fault-anonymous`,
    /// `major-fault`, `page-cache-fill` (per page brought in from the device, the CPU's part).
    pub call: String,
    /// What of it: `O_RDONLY`, `O_CREAT of a new file`, `at the end of the file`.
    pub what: String,
    /// The errno's name where it fails; `None` where it succeeds.
    pub errno: Option<String>,
    /// Components of the path walked, for calls that take one.
    pub depth: Option<u32>,
    /// Bytes moved or mapped, for calls that do.
    pub size_bytes: Option<u64>,
    /// The page cache's state, where it matters.
    pub cache: Option<CacheState>,
    /// Time that passes, in ns.
    pub wall_ns: Estimate,
    /// Time on a CPU, in ns; the rest of `wall_ns` is waiting.
    pub cpu_ns: Estimate,
}

/// What of a call is priced: the one table of phrases for `Price::what`.
pub mod price_what {
    /// `openat`: opened for reading; also where that fails with an errno.
    pub const READ_ONLY: &str = "O_RDONLY";
    /// The same by a path from the root.
    pub const READ_ONLY_ABSOLUTE: &str = "O_RDONLY by absolute path";
    /// An existing file opened for writing.
    pub const WRITE_ONLY: &str = "O_WRONLY";
    /// A file made.
    pub const CREATE_NEW: &str = "O_CREAT of a new file";
    /// A file that was there already.
    pub const CREATE_EXISTING: &str = "O_CREAT of an existing file";
    /// A file emptied; `size_bytes` is what it held.
    pub const CREATE_TRUNCATE: &str = "O_CREAT|O_TRUNC of an existing file";
    /// `openat` of a file that is empty already.
    pub const CREATE_TRUNCATE_EMPTY: &str = "O_CREAT|O_TRUNC of an existing empty file";
    /// Past the page cache.
    pub const DIRECT: &str = "O_DIRECT";
    /// A handle only.
    pub const PATH: &str = "O_PATH";
    /// A directory.
    pub const DIRECTORY: &str = "O_DIRECTORY";
    /// `close` of a file that was opened for reading.
    pub const AFTER_READING: &str = "of a file open for reading";
    /// `close` of a file whose cached bytes were written over.
    pub const AFTER_WRITING: &str = "of a file written over";
    /// `close` of a file that was emptied by `O_TRUNC` and written.
    pub const AFTER_TRUNCATING: &str = "of a file truncated and written";
    /// `close` of a directory.
    pub const OF_CLOSED_DIRECTORY: &str = "of a directory";
    /// `close` of an epoll instance.
    pub const OF_EPOLL: &str = "of an epoll instance";
    /// A call on an open file.
    pub const BY_DESCRIPTOR: &str = "by descriptor";
    /// The same on a directory.
    pub const OF_OPEN_DIRECTORY: &str = "by descriptor, of a directory";
    /// `newfstatat` as the C library's `fstat` makes it.
    pub const EMPTY_PATH: &str = "by descriptor, AT_EMPTY_PATH";
    /// The same on a directory.
    pub const EMPTY_PATH_DIRECTORY: &str = "by descriptor, AT_EMPTY_PATH, of a directory";
    /// A call by path.
    pub const BY_PATH: &str = "by path";
    /// `faccessat2` with the effective user's rights.
    pub const EFFECTIVE: &str = "by path, AT_EACCESS";
    /// `lseek` to a place in the file.
    pub const SEEK_SET: &str = "SEEK_SET";
    /// `ioctl`.
    pub const TERMINAL_SETTINGS: &str = "TCGETS";
    /// `fcntl`.
    pub const GET_FLAGS: &str = "F_GETFL";
    /// `fcntl`.
    pub const SET_FLAGS: &str = "F_SETFL";
    /// `fcntl`.
    pub const GET_DESCRIPTOR_FLAGS: &str = "F_GETFD";
    /// `fcntl`.
    pub const SET_DESCRIPTOR_FLAGS: &str = "F_SETFD";
    /// `fadvise64`.
    pub const ADVISE_SEQUENTIAL: &str = "POSIX_FADV_SEQUENTIAL";
    /// `epoll_ctl`.
    pub const EPOLL_ADD_FILE: &str = "EPOLL_CTL_ADD of a regular file";
    /// Bytes of a file one after the other, into a buffer that is used again.
    pub const IN_ORDER: &str = "in order, reused buffer";
    /// `read` and its kin where nothing is left.
    pub const AT_END: &str = "at the end of the file";
    /// Bytes that are cached written over.
    pub const OVERWRITING: &str = "over cached pages";
    /// The same where the file was written in blocks of 1 MiB.
    pub const OVERWRITING_LARGE: &str = "over cached pages, large folios";
    /// Bytes added at the end.
    pub const APPENDING: &str = "appending";
    /// `read` and `write` of an eventfd.
    pub const OF_EVENTFD: &str = "of an eventfd";
    /// `ftruncate` to 0; `size_bytes` is what the file held.
    pub const TO_NOTHING: &str = "to nothing";
    /// `ftruncate` beyond the end.
    pub const LONGER: &str = "longer by a hole";
    /// `fsync` with nothing to write.
    pub const CLEAN: &str = "of a clean file";
    /// `fsync` with one dirty page.
    pub const ONE_DIRTY_PAGE: &str = "with one dirty page";
    /// `mmap` of a file.
    pub const MAP_FILE: &str = "of a file, MAP_SHARED";
    /// `mmap` of memory.
    pub const MAP_ANONYMOUS: &str = "of memory, MAP_ANONYMOUS";
    /// `munmap` of what nobody touched.
    pub const UNTOUCHED: &str = "untouched";
    /// `munmap` of a file of which every page was read.
    pub const TOUCHED_FILE: &str = "of a file, every page read";
    /// `munmap` of memory of which every page was written.
    pub const TOUCHED_MEMORY: &str = "of memory, every page written";
    /// `madvise`.
    pub const MADV_SEQUENTIAL: &str = "MADV_SEQUENTIAL and MADV_NORMAL in turn";
    /// `madvise`.
    pub const MADV_WILLNEED: &str = "MADV_WILLNEED of cached pages";
    /// `madvise`.
    pub const MADV_DONTNEED: &str = "MADV_DONTNEED of untouched memory";
    /// `brk`.
    pub const ASK_BREAK: &str = "asking where the heap ends";
    /// `io_uring_enter` of a ring that has nothing to do.
    pub const NOTHING_SUBMITTED: &str = "with nothing to submit";
    /// `mprotect`.
    pub const PROTECT: &str = "read-only and writable in turn";
    /// `futex`.
    pub const WAKE_NOBODY: &str = "FUTEX_WAKE of nobody";
    /// `rt_sigprocmask`.
    pub const ASK_MASK: &str = "asking for the mask";
    /// A call that is priced in one way only.
    pub const PLAIN: &str = "";
    /// `getdents64` that gives 18 names, two of them `.` and `..`.
    pub const FEW_NAMES: &str = "18 names";
    /// `getdents64` that gives 258 names.
    pub const MANY_NAMES: &str = "258 names";
    /// `getdents64` where nothing is left.
    pub const NO_NAMES: &str = "at the end of the directory";
    /// A name removed, or given; of an empty file where `size_bytes` is 0.
    pub const OF_FILE: &str = "of a file";
    /// `unlinkat` with `AT_REMOVEDIR`.
    pub const OF_DIRECTORY: &str = "of an empty directory";
    /// `rename` to a name that is free.
    pub const TO_NEW_NAME: &str = "to a new name";
    /// `rename` over a file.
    pub const OVER_FILE: &str = "over an existing file";
    /// A fault that maps cached pages of a file, as many as `size_bytes` holds.
    pub const MAPPED_READ: &str = "read, pages around it mapped too";
    /// A fault that maps the one page of its mapping.
    pub const MAPPED_READ_ALONE: &str = "read, alone in its mapping";
    /// A fault that makes a page of memory.
    pub const MEMORY_WRITE: &str = "written for the first time";
    /// A page of a file brought in, by random access without read-ahead.
    pub const ONE_BY_ONE: &str = "one by one, POSIX_FADV_RANDOM";
    /// Pages of a file brought in in order, with read-ahead.
    pub const READ_AHEAD: &str = "in order, with read-ahead";
}

/// What could not be priced here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unpriced {
    /// The call, and what of it.
    pub call: String,
    /// Why not.
    pub reason: String,
}

/// The prices of one place on one machine, as `fathom prices` keeps them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PriceList {
    /// The form of this file.
    pub schema_version: u32,
    /// Version of the Fathom that wrote it.
    pub fathom_version: String,
    /// When it was begun, RFC 3339 in UTC.
    pub created: String,
    /// The machine.
    pub environment: Environment,
    /// What the cheapest calls cost in the same session.
    pub floors: Reading<Floors>,
    /// What disturbed the machine meanwhile.
    pub noise: Reading<Noise>,
    /// The place.
    pub place: PlaceFacts,
    /// Processes that each price rests on.
    pub processes: u32,
    /// The prices.
    pub prices: Vec<Price>,
    /// What could not be priced.
    pub unpriced: Vec<Unpriced>,
}
