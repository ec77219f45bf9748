//! The calls that methods make by what they are, written out: raw ones, which
//! no version of a runtime changes, and Go's as of one version.

use fathom_model::{CountPass, Variant};
use std::collections::BTreeMap;

/// The runtime whose calls are written here.
const GO: &str = "go1.26";
/// Files of 10000 bytes (100000 for `read-block`), blocks of 4096.
#[rustfmt::skip]
const NATIVE: &[(&str, &str, &str)] = &[
    ("null", "null", ""),
    ("open-close", "null", ""),
    ("open-close", "open", "close 1, openat 1"),
    ("open-close", "openat", "close 1, openat 1"),
    ("open-close", "openat+dirfd", "close 1, openat 1"),
    ("open-close", "openat2", "close 1, openat2 1"),
    ("open-close", "open+O_PATH", "close 1, openat 1"),
    ("open-close", "open+O_DIRECT", "close 1, openat 1"),
    ("open-close", "open+O_CLOEXEC", "close 1, openat 1"),
    ("open-close", "open+O_NOATIME", "close 1, openat 1"),
    ("open-close", "syscall-openat", "close 1, openat 1"),
    ("open-read-close", "null", ""),
    ("open-read-close", "read", "close 1, openat 1, read 1"),
    ("open-read-close", "pread", "close 1, openat 1, pread64 1"),
    ("open-read-close", "preadv2", "close 1, openat 1, preadv2 1"),
    ("open-read-close", "readv", "close 1, openat 1, readv 1"),
    ("open-read-close", "mmap", "close 1, mmap 1, munmap 1, openat 1"),
    ("open-read-close", "O_DIRECT+pread", "close 1, openat 1, pread64 1"),
    ("read-whole", "null", ""),
    ("read-whole", "read", "close 1, openat 1, read 4"),
    ("read-whole", "pread", "close 1, openat 1, pread64 4"),
    ("read-whole", "preadv2", "close 1, openat 1, preadv2 4"),
    ("read-whole", "readv", "close 1, openat 1, readv 4"),
    ("read-whole", "O_DIRECT+pread", "close 1, openat 1, pread64 3"),
    ("read-block", "null", ""),
    ("read-block", "read", "lseek 1, read 1"),
    ("read-block", "pread", "pread64 1"),
    ("read-block", "preadv2", "preadv2 1"),
    ("read-block", "readv", "lseek 1, readv 1"),
    ("read-block", "mmap", ""),
    ("read-block", "mmap+MADV_RANDOM", ""),
    ("read-block", "pread+FADV_RANDOM", "pread64 1"),
    ("read-block", "O_DIRECT+pread", "pread64 1"),
];

/// As above; `os.Open` asks whether the file can be polled, and it cannot.
#[rustfmt::skip]
const GO_1_26: &[(&str, &str, &str)] = &[
    ("null", "null", ""),
    ("open-close", "null", ""),
    ("open-close", "os.Open", "close 1, epoll_ctl=EPERM 1, fcntl 4, openat 1"),
    ("open-close", "os.OpenFile+O_DIRECT", "close 1, epoll_ctl=EPERM 1, fcntl 4, openat 1"),
    ("open-close", "os.OpenFile+O_CLOEXEC", "close 1, epoll_ctl=EPERM 1, fcntl 4, openat 1"),
    ("open-close", "syscall.Open", "close 1, openat 1"),
    ("open-close", "unix.Open", "close 1, openat 1"),
    ("open-read-close", "os.Open+Read", "close 1, epoll_ctl=EPERM 1, fcntl 4, openat 1, read 1"),
    ("open-read-close", "syscall.Open+Pread", "close 1, openat 1, pread64 1"),
    ("read-whole", "syscall.Open+Pread", "close 1, openat 1, pread64 4"),
    ("read-block", "os.File.ReadAt", "pread64 1"),
    ("read-block", "syscall.Pread", "pread64 1"),
    ("read-block", "os.File.Seek+Read", "lseek 1, read 1"),
    ("read-block", "mmap", ""),
];

/// Where the counts of an operation's methods are not those written here.
pub(crate) fn differences(runtime: &str, operation: &str, counted: &[(&Variant, &CountPass)]) -> Vec<String> {
    let is_go = runtime.starts_with("go");
    if is_go && !runtime.starts_with(GO) {
        eprintln!("skipped: the table of calls is that of {GO}, not of {runtime}");
        return Vec::new();
    }
    let table = if is_go { GO_1_26 } else { NATIVE };
    let known = table.iter().filter(|(of, ..)| *of == operation);
    let known: BTreeMap<&str, &str> = known.map(|&(_, method, calls)| (method, calls)).collect();
    let mut wrong = Vec::new();
    for (variant, pass) in counted {
        let found = calls(pass);
        match known.get(variant.method.name.as_str()) {
            Some(&calls) if calls != found => wrong.push(format!("{}: {found}, not {calls}", variant.method)),
            _ => {}
        }
    }
    wrong
}

/// The calls per operation by name: `close 1, epoll_ctl=EPERM 1, openat 1`.
pub(crate) fn calls(pass: &CountPass) -> String {
    let mut all: Vec<String> = pass
        .inside
        .iter()
        .map(|count| {
            let errno = count.errno.as_ref().map(|errno| format!("={errno}")).unwrap_or_default();
            format!("{}{errno} {}", count.call, count.per_operation())
        })
        .collect();
    all.sort_unstable();
    all.join(", ")
}
