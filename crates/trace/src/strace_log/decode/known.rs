//! Every call by its name, and which function reads those of the file path.

use super::Decoding;
use fathom_events::{Advice, CallName, DescriptorKind, FileAction};
use std::collections::HashMap;
use syscalls::Sysno;

/// Reads the arguments of one call; `None` where they are not understood.
pub(in crate::strace_log) type Decoder = fn(&mut Decoding<'_, '_>) -> Option<FileAction>;

/// Every call that is known by name: how it is read, if it is of the file path.
pub(in crate::strace_log) fn known_calls() -> HashMap<&'static [u8], Option<(CallName, Decoder)>> {
    let others = Sysno::iter().map(|sysno| (sysno.name().as_bytes(), None));
    let others = others.chain(OF_32_BITS.map(|name| (name.as_bytes(), None)));
    let tables = [DATA, DESCRIPTORS, NAMES, PROCESSES].into_iter().flatten();
    let decoded = tables.map(|(name, decoder)| (name.as_bytes(), Some((*name, *decoder))));
    others.chain(decoded).collect()
}

/// Calls of 32-bit programs that are no file calls and have no name on 64 bits.
const OF_32_BITS: [&str; 24] = [
    "_newselect",
    "clock_gettime64",
    "clock_nanosleep_time64",
    "futex_time64",
    "getegid32",
    "geteuid32",
    "getgid32",
    "getgroups32",
    "getresgid32",
    "getresuid32",
    "getuid32",
    "ppoll_time64",
    "pselect6_time64",
    "recvmmsg_time64",
    "sched_rr_get_interval_time64",
    "set_thread_area",
    "setgid32",
    "setuid32",
    "sigaction",
    "sigprocmask",
    "sigreturn",
    "socketcall",
    "ugetrlimit",
    "waitpid",
];

type Table = &'static [(&'static str, Decoder)];

const DATA: Table = &[
    ("read", |call| call.read()),
    ("pread64", |call| call.read_at()),
    ("pread", |call| call.read_at()),
    ("readv", |call| call.read_pieces(None)),
    ("preadv", |call| call.read_pieces(Some(3))),
    ("preadv2", |call| call.read_pieces(Some(3))),
    ("write", |call| call.write()),
    ("pwrite64", |call| call.write_at()),
    ("pwrite", |call| call.write_at()),
    ("writev", |call| call.write_pieces(None)),
    ("pwritev", |call| call.write_pieces(Some(3))),
    ("pwritev2", |call| call.write_pieces(Some(3))),
    ("lseek", |call| call.seek(2)),
    ("_llseek", |call| call.long_seek()),
    ("llseek", |call| call.long_seek()),
    ("truncate", |call| call.truncate(false)),
    ("truncate64", |call| call.truncate(false)),
    ("ftruncate", |call| call.truncate(true)),
    ("ftruncate64", |call| call.truncate(true)),
    ("fallocate", |call| call.allocate()),
    ("fsync", |call| call.sync(false)),
    ("fdatasync", |call| call.sync(true)),
    ("sync_file_range", |call| call.sync(true)),
    ("sync_file_range2", |call| call.sync(true)),
    ("syncfs", |call| call.sync(false)),
    ("sync", |_| Some(Decoding::sync_all())),
    ("copy_file_range", |call| call.copy(0, Some(1), 2, Some(3), 4)),
    ("splice", |call| call.copy(0, Some(1), 2, Some(3), 4)),
    ("sendfile", |call| call.copy(1, Some(2), 0, None, 3)),
    ("sendfile64", |call| call.copy(1, Some(2), 0, None, 3)),
    ("msync", |_| Some(FileAction::Other)),
    ("mmap", |call| call.map()),
    ("mmap2", |call| call.map()),
    ("munmap", |call| call.unmap()),
    ("mremap", |call| call.remap()),
    ("madvise", |call| call.advise_memory()),
    ("fadvise64", |call| call.advise()),
    ("fadvise64_64", |call| call.advise()),
    ("arm_fadvise64_64", |call| call.advise_after(1)),
    ("readahead", |call| call.advise_as(Advice::WillNeed)),
    ("getdents", |call| call.list()),
    ("getdents64", |call| call.list()),
];

const DESCRIPTORS: Table = &[
    ("close", |call| call.close()),
    ("close_range", |call| call.close_range()),
    ("dup", |call| call.duplicate()),
    ("dup2", |call| call.duplicate_to(false)),
    ("dup3", |call| call.duplicate_to(true)),
    ("fcntl", |call| call.control()),
    ("fcntl64", |call| call.control()),
    ("ioctl", |call| call.control_device()),
    ("flock", |call| call.lock()),
    ("epoll_ctl", |call| call.watch()),
    ("pipe", |call| call.make_pair(DescriptorKind::Pipe, 0, None)),
    ("pipe2", |call| call.make_pair(DescriptorKind::Pipe, 0, Some(1))),
    ("socketpair", |call| call.make_pair(DescriptorKind::Socket, 3, Some(1))),
    ("socket", |call| call.make(DescriptorKind::Socket, Some(1))),
    ("accept", |call| call.make(DescriptorKind::Socket, None)),
    ("accept4", |call| call.make(DescriptorKind::Socket, Some(3))),
    ("eventfd", |call| call.make(DescriptorKind::Kernel, None)),
    ("eventfd2", |call| call.make(DescriptorKind::Kernel, Some(1))),
    ("epoll_create", |call| call.make(DescriptorKind::Kernel, None)),
    ("epoll_create1", |call| call.make(DescriptorKind::Kernel, Some(0))),
    ("inotify_init", |call| call.make(DescriptorKind::Kernel, None)),
    ("inotify_init1", |call| call.make(DescriptorKind::Kernel, Some(0))),
    ("fanotify_init", |call| call.make(DescriptorKind::Kernel, Some(0))),
    ("timerfd_create", |call| call.make(DescriptorKind::Kernel, Some(1))),
    ("timerfd", |call| call.make(DescriptorKind::Kernel, None)),
    ("signalfd", |call| call.make_signals(None)),
    ("signalfd4", |call| call.make_signals(Some(3))),
    ("userfaultfd", |call| call.make(DescriptorKind::Kernel, Some(0))),
    ("perf_event_open", |call| call.make(DescriptorKind::Kernel, Some(4))),
    ("pidfd_open", |call| call.make_closed_on_exec(DescriptorKind::Kernel)),
    ("pidfd_getfd", |call| call.make_closed_on_exec(DescriptorKind::Kernel)),
    ("io_uring_setup", |call| call.make_closed_on_exec(DescriptorKind::Kernel)),
    ("memfd_create", |call| call.make(DescriptorKind::MemoryFile, Some(1))),
    ("memfd_secret", |call| call.make(DescriptorKind::MemoryFile, Some(0))),
];

const NAMES: Table = &[
    ("open", |call| call.open()),
    ("openat", |call| call.open_at()),
    ("openat2", |call| call.open_how()),
    ("creat", |call| call.create()),
    ("stat", |call| call.stat_path(true)),
    ("stat64", |call| call.stat_path(true)),
    ("oldstat", |call| call.stat_path(true)),
    ("lstat", |call| call.stat_path(false)),
    ("lstat64", |call| call.stat_path(false)),
    ("oldlstat", |call| call.stat_path(false)),
    ("fstat", |call| call.stat_descriptor()),
    ("fstat64", |call| call.stat_descriptor()),
    ("oldfstat", |call| call.stat_descriptor()),
    ("newfstatat", |call| call.stat_at()),
    ("fstatat64", |call| call.stat_at()),
    ("statx", |call| call.stat_masked()),
    ("statfs", |call| call.stat_file_system(false)),
    ("statfs64", |call| call.stat_file_system(false)),
    ("fstatfs", |call| call.stat_file_system(true)),
    ("fstatfs64", |call| call.stat_file_system(true)),
    ("access", |call| call.access()),
    ("faccessat", |call| call.access_at()),
    ("faccessat2", |call| call.access_at()),
    ("readlink", |call| call.read_link()),
    ("readlinkat", |call| call.read_link_at()),
    ("mkdir", |call| call.make_directory()),
    ("mkdirat", |call| call.make_directory_at()),
    ("rmdir", |call| call.remove(true)),
    ("unlink", |call| call.remove(false)),
    ("unlinkat", |call| call.remove_at()),
    ("rename", |call| call.rename()),
    ("renameat", |call| call.rename_at()),
    ("renameat2", |call| call.rename_at()),
    ("link", |call| call.link()),
    ("linkat", |call| call.link_at()),
    ("symlink", |call| call.symbolic_link(false)),
    ("symlinkat", |call| call.symbolic_link(true)),
    ("chmod", |call| call.change_mode()),
    ("fchmod", |call| call.change_mode_of_descriptor()),
    ("fchmodat", |call| call.change_mode_at()),
    ("fchmodat2", |call| call.change_mode_at()),
    ("chown", |call| call.change_attributes(true)),
    ("chown32", |call| call.change_attributes(true)),
    ("lchown", |call| call.change_attributes(false)),
    ("lchown32", |call| call.change_attributes(false)),
    ("fchown", |call| call.change_attributes_of_descriptor()),
    ("fchown32", |call| call.change_attributes_of_descriptor()),
    ("fchownat", |call| call.change_attributes_at(4)),
    ("utime", |call| call.change_attributes(true)),
    ("utimes", |call| call.change_attributes(true)),
    ("futimesat", |call| call.change_attributes_at(7)),
    ("utimensat", |call| call.change_attributes_at(3)),
    ("utimensat_time64", |call| call.change_attributes_at(3)),
    ("setxattr", |call| call.change_attributes(true)),
    ("lsetxattr", |call| call.change_attributes(false)),
    ("fsetxattr", |call| call.change_attributes_of_descriptor()),
    ("removexattr", |call| call.change_attributes(true)),
    ("lremovexattr", |call| call.change_attributes(false)),
    ("fremovexattr", |call| call.change_attributes_of_descriptor()),
    ("getxattr", |call| call.attribute(true)),
    ("lgetxattr", |call| call.attribute(false)),
    ("fgetxattr", |call| call.attribute_of_descriptor()),
    ("listxattr", |call| call.attribute(true)),
    ("llistxattr", |call| call.attribute(false)),
    ("flistxattr", |call| call.attribute_of_descriptor()),
];

const PROCESSES: Table = &[
    ("chdir", |call| call.go_to_path()),
    ("fchdir", |call| call.go_to_descriptor()),
    ("chroot", |call| call.change_root()),
    ("getcwd", |call| call.current_directory()),
    ("umask", |call| call.mask()),
    ("clone", |call| call.clone_process()),
    ("clone3", |call| call.clone_process()),
    ("fork", |_| Some(Decoding::fork())),
    ("vfork", |_| Some(Decoding::fork())),
    ("execve", |call| call.execute()),
    ("execveat", |call| call.execute_at()),
    ("unshare", |call| call.unshare()),
    ("exit", |call| call.exit(false)),
    ("_exit", |call| call.exit(false)),
    ("exit_group", |call| call.exit(true)),
    ("inotify_add_watch", |_| Some(FileAction::Other)),
    ("io_setup", |_| Some(FileAction::Other)),
    ("io_submit", |_| Some(FileAction::Other)),
    ("io_getevents", |_| Some(FileAction::Other)),
    ("io_pgetevents", |_| Some(FileAction::Other)),
    ("name_to_handle_at", |_| Some(FileAction::Other)),
    ("open_by_handle_at", |_| Some(FileAction::Other)),
    ("mknod", |_| Some(FileAction::Other)),
    ("mknodat", |_| Some(FileAction::Other)),
    ("mount", |_| Some(FileAction::Other)),
    ("umount2", |_| Some(FileAction::Other)),
    ("pivot_root", |_| Some(FileAction::Other)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_is_read_once_and_has_a_name_that_is_kept() {
        let tables = [DATA, DESCRIPTORS, NAMES, PROCESSES];
        let calls = known_calls();
        let decoded = calls.values().flatten().count();
        assert_eq!(decoded, tables.iter().map(|table| table.len()).sum::<usize>(), "no name stands twice");
        assert!(calls[&b"openat"[..]].is_some_and(|(name, _)| name == "openat"));
        assert_eq!(calls.get(&b"futex"[..]).map(Option::is_some), Some(false));
        assert!(!calls.contains_key(&b"no_such_call"[..]));
    }
}
