//! Names that budgets use: the kernel's calls of the file path, and families of them.

/// A family and the calls that belong to it. A call stands in one family, which may have
/// its name.
pub(super) const FAMILIES: [(&str, &[&str]); 27] = [
    ("open", &["open", "openat", "openat2", "creat", "open_by_handle_at"]),
    ("close", &["close", "close_range"]),
    ("read", &["read", "pread64", "pread", "readv", "preadv", "preadv2"]),
    ("write", &["write", "pwrite64", "pwrite", "writev", "pwritev", "pwritev2"]),
    ("copy", &["copy_file_range", "sendfile", "sendfile64", "splice"]),
    (
        "stat",
        &[
            "stat",
            "lstat",
            "fstat",
            "newfstatat",
            "statx",
            "stat64",
            "lstat64",
            "fstat64",
            "fstatat64",
            "oldstat",
            "oldlstat",
            "oldfstat",
        ],
    ),
    ("statfs", &["statfs", "fstatfs", "statfs64", "fstatfs64"]),
    ("access", &["access", "faccessat", "faccessat2"]),
    ("readlink", &["readlink", "readlinkat"]),
    ("list", &["getdents", "getdents64"]),
    ("seek", &["lseek", "_llseek", "llseek"]),
    ("map", &["mmap", "mmap2", "mremap"]),
    ("unmap", &["munmap"]),
    ("advise", &["madvise", "fadvise64", "fadvise64_64", "readahead"]),
    ("sync", &["fsync", "fdatasync", "sync_file_range", "syncfs", "sync", "msync"]),
    ("truncate", &["truncate", "ftruncate", "truncate64", "ftruncate64", "fallocate"]),
    ("mkdir", &["mkdir", "mkdirat"]),
    ("remove", &["unlink", "unlinkat", "rmdir"]),
    ("rename", &["rename", "renameat", "renameat2"]),
    ("link", &["link", "linkat", "symlink", "symlinkat"]),
    (
        "attribute",
        &[
            "chmod",
            "fchmod",
            "fchmodat",
            "fchmodat2",
            "chown",
            "fchown",
            "lchown",
            "fchownat",
            "utime",
            "utimes",
            "futimesat",
            "utimensat",
            "setxattr",
            "lsetxattr",
            "fsetxattr",
            "removexattr",
            "lremovexattr",
            "fremovexattr",
            "getxattr",
            "lgetxattr",
            "fgetxattr",
            "listxattr",
            "llistxattr",
            "flistxattr",
        ],
    ),
    ("directory", &["chdir", "fchdir", "getcwd", "chroot"]),
    ("dup", &["dup", "dup2", "dup3"]),
    ("control", &["fcntl", "fcntl64", "ioctl", "flock", "epoll_ctl"]),
    (
        "make",
        &[
            "pipe",
            "pipe2",
            "socket",
            "socketpair",
            "accept",
            "accept4",
            "eventfd",
            "eventfd2",
            "memfd_create",
            "epoll_create",
            "epoll_create1",
            "inotify_init",
            "inotify_init1",
            "fanotify_init",
            "timerfd_create",
            "signalfd",
            "signalfd4",
            "userfaultfd",
            "perf_event_open",
            "pidfd_open",
            "pidfd_getfd",
            "io_uring_setup",
        ],
    ),
    ("fork", &["fork", "vfork", "clone", "clone3"]),
    ("exec", &["execve", "execveat"]),
];

/// Names that headers have for calls that strace, and so Fathom, calls otherwise.
const ALIASES: [(&str, &str); 1] = [("fstatat", "newfstatat")];

/// The calls of a family.
pub(super) fn calls_of(family: &str) -> Option<&'static [&'static str]> {
    FAMILIES.iter().find(|(name, _)| *name == family).map(|(_, calls)| *calls)
}

/// The call of this name, by a word that lives on.
pub(super) fn call_named(name: &str) -> Option<&'static str> {
    let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name);
    FAMILIES.iter().flat_map(|(_, calls)| calls.iter()).find(|call| **call == name).copied()
}

/// Every family and every call.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().flat_map(|(family, calls)| std::iter::once(*family).chain(calls.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_stands_in_one_family_and_a_familys_name_is_no_call_of_another() {
        let calls: Vec<_> = FAMILIES.iter().flat_map(|(_, calls)| calls.iter()).collect();
        let once: std::collections::BTreeSet<_> = calls.iter().collect();
        assert_eq!(once.len(), calls.len());
        for (family, calls) in FAMILIES {
            assert!(call_named(family).is_none() || calls.contains(&family), "{family}");
        }
    }
}
