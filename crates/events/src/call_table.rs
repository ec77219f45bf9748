//! Every call of the file path: its name, the family that budgets know it by, and what its
//! arguments are. A new call is one line here: tracers, the kernel's ring, logs of strace's,
//! counts and budgets read this table.

use crate::call_shape::{At, CloseOnExec, EntryForm, Follow, LoggedShape, Shape};
use crate::{CallName, DescriptorKind};

const CLOSE_ON_EXEC: u32 = libc::O_CLOEXEC.cast_unsigned();
const PATH: At = At::Path(0);
const FILE: At = At::Descriptor(0);
const BELOW: At = At::Below(0, 1);

/// Of calls that no budget counts by their family.
const NO_FAMILY: &str = "";

/// A family and its calls. The calls of 32-bit programs and names of older kernels stand in
/// logs; which are missing on an architecture is found out from the names.
#[rustfmt::skip]
const TABLE: &[(&str, &[(CallName, Shape)])] = {
    use CloseOnExec::{Always as AlwaysClosed, Bit, Never as NeverClosed};
    use DescriptorKind::{Kernel, MemoryFile, Pipe, Socket};
    use Follow::{Always, If, Never, Unless};
    use Shape::{
        Access, Advise, AdviseMemory, Affinity, Allocate, ChangeAttributes, ChangeDirectory, ChangeMode,
        ChangeRoot, Clone, CloneWithStructure, Close, CloseRange, Control, CopyFileRange, Create,
        CurrentDirectory, DeviceControl, Duplicate, DuplicateTo, Execute, ExtendedStat, FilterCalls, Fork,
        GetAttribute, Link, List, Lock, Logged, MakeDirectory, MakeRing, MakeSignals, Map, Mask, Names, Open,
        OpenHow, Other, ReadAhead, ReadLink, Remap, Remove, Rename, Seek, SendFile, Splice, Stat,
        StatFileSystem, SymbolicLink, Sync, Truncate, Unmap, Unshare, Watch,
    };
    &[
        ("open", &[
            ("open", Open { at: PATH, flags: 1, mode: 2 }),
            ("openat", Open { at: BELOW, flags: 2, mode: 3 }),
            ("openat2", OpenHow),
            ("creat", Create),
            ("open_by_handle_at", Other),
        ]),
        ("close", &[
            ("close", Close),
            ("close_range", CloseRange),
        ]),
        ("read", &[
            ("read", transfer(false, false, false)),
            ("pread64", transfer(false, false, true)),
            ("pread", transfer(false, false, true)),
            ("readv", transfer(false, true, false)),
            ("preadv", transfer(false, true, true)),
            ("preadv2", transfer(false, true, true)),
        ]),
        ("write", &[
            ("write", transfer(true, false, false)),
            ("pwrite64", transfer(true, false, true)),
            ("pwrite", transfer(true, false, true)),
            ("writev", transfer(true, true, false)),
            ("pwritev", transfer(true, true, true)),
            ("pwritev2", transfer(true, true, true)),
        ]),
        ("copy", &[
            ("copy_file_range", CopyFileRange),
            ("sendfile", SendFile),
            ("sendfile64", SendFile),
            ("splice", Splice),
        ]),
        ("stat", &[
            ("stat", Stat { at: PATH, buffer: 1, follow: Always }),
            ("lstat", Stat { at: PATH, buffer: 1, follow: Never }),
            ("fstat", Stat { at: FILE, buffer: 1, follow: Always }),
            ("newfstatat", Stat { at: BELOW, buffer: 2, follow: Unless(3) }),
            ("statx", ExtendedStat),
            ("stat64", Stat { at: PATH, buffer: 1, follow: Always }),
            ("lstat64", Stat { at: PATH, buffer: 1, follow: Never }),
            ("fstat64", Stat { at: FILE, buffer: 1, follow: Always }),
            ("fstatat64", Stat { at: BELOW, buffer: 2, follow: Unless(3) }),
            ("oldstat", Stat { at: PATH, buffer: 1, follow: Always }),
            ("oldlstat", Stat { at: PATH, buffer: 1, follow: Never }),
            ("oldfstat", Stat { at: FILE, buffer: 1, follow: Always }),
        ]),
        ("statfs", &[
            ("statfs", StatFileSystem(PATH)),
            ("fstatfs", StatFileSystem(FILE)),
            ("statfs64", StatFileSystem(PATH)),
            ("fstatfs64", StatFileSystem(FILE)),
        ]),
        ("access", &[
            ("access", Access { at: PATH, mode: 1, follow: Always }),
            ("faccessat", Access { at: BELOW, mode: 2, follow: Always }),
            ("faccessat2", Access { at: BELOW, mode: 2, follow: Unless(3) }),
        ]),
        ("readlink", &[
            ("readlink", ReadLink { at: PATH, buffer: 1 }),
            ("readlinkat", ReadLink { at: BELOW, buffer: 2 }),
        ]),
        ("list", &[
            ("getdents", List { form: EntryForm::Old }),
            ("getdents64", List { form: EntryForm::Long }),
        ]),
        ("seek", &[
            ("lseek", Seek),
            ("_llseek", Logged(LoggedShape::LongSeek)),
            ("llseek", Logged(LoggedShape::LongSeek)),
        ]),
        ("map", &[
            ("mmap", Map),
            ("mmap2", Map),
            ("mremap", Remap),
        ]),
        ("unmap", &[
            ("munmap", Unmap),
        ]),
        ("advise", &[
            ("madvise", AdviseMemory),
            ("fadvise64", Advise),
            ("fadvise64_64", Advise),
            ("readahead", ReadAhead),
        ]),
        ("sync", &[
            ("fsync", Sync { one: true, data_only: false }),
            ("fdatasync", Sync { one: true, data_only: true }),
            ("sync_file_range", Sync { one: true, data_only: true }),
            ("syncfs", Sync { one: true, data_only: false }),
            ("sync", Sync { one: false, data_only: false }),
            ("msync", Other),
        ]),
        ("truncate", &[
            ("truncate", Truncate(PATH)),
            ("ftruncate", Truncate(FILE)),
            ("truncate64", Truncate(PATH)),
            ("ftruncate64", Truncate(FILE)),
            ("fallocate", Allocate),
        ]),
        ("mkdir", &[
            ("mkdir", MakeDirectory { at: PATH, mode: 1 }),
            ("mkdirat", MakeDirectory { at: BELOW, mode: 2 }),
        ]),
        ("remove", &[
            ("unlink", Remove { at: PATH, flags: None, directory: false }),
            ("unlinkat", Remove { at: BELOW, flags: Some(2), directory: false }),
            ("rmdir", Remove { at: PATH, flags: None, directory: true }),
        ]),
        ("rename", &[
            ("rename", Rename { from: PATH, to: At::Path(1), flags: None }),
            ("renameat", Rename { from: BELOW, to: At::Below(2, 3), flags: None }),
            ("renameat2", Rename { from: BELOW, to: At::Below(2, 3), flags: Some(4) }),
        ]),
        ("link", &[
            ("link", Link { from: PATH, to: At::Path(1), follow: Never }),
            ("linkat", Link { from: BELOW, to: At::Below(2, 3), follow: If(4) }),
            ("symlink", SymbolicLink { at: At::Path(1) }),
            ("symlinkat", SymbolicLink { at: At::Below(1, 2) }),
        ]),
        ("attribute", &[
            ("chmod", ChangeMode { at: PATH, mode: 1, follow: Always }),
            ("fchmod", ChangeMode { at: FILE, mode: 1, follow: Always }),
            ("fchmodat", ChangeMode { at: BELOW, mode: 2, follow: Always }),
            ("fchmodat2", ChangeMode { at: BELOW, mode: 2, follow: Unless(3) }),
            ("chown", ChangeAttributes { at: PATH, follow: Always }),
            ("fchown", ChangeAttributes { at: FILE, follow: Always }),
            ("lchown", ChangeAttributes { at: PATH, follow: Never }),
            ("fchownat", ChangeAttributes { at: BELOW, follow: Unless(4) }),
            ("utime", ChangeAttributes { at: PATH, follow: Always }),
            ("utimes", ChangeAttributes { at: PATH, follow: Always }),
            ("futimesat", ChangeAttributes { at: BELOW, follow: Always }),
            ("utimensat", ChangeAttributes { at: BELOW, follow: Unless(3) }),
            ("setxattr", ChangeAttributes { at: PATH, follow: Always }),
            ("lsetxattr", ChangeAttributes { at: PATH, follow: Never }),
            ("fsetxattr", ChangeAttributes { at: FILE, follow: Always }),
            ("removexattr", ChangeAttributes { at: PATH, follow: Always }),
            ("lremovexattr", ChangeAttributes { at: PATH, follow: Never }),
            ("fremovexattr", ChangeAttributes { at: FILE, follow: Always }),
            ("getxattr", GetAttribute { at: PATH, follow: Always }),
            ("lgetxattr", GetAttribute { at: PATH, follow: Never }),
            ("fgetxattr", GetAttribute { at: FILE, follow: Always }),
            ("listxattr", GetAttribute { at: PATH, follow: Always }),
            ("llistxattr", GetAttribute { at: PATH, follow: Never }),
            ("flistxattr", GetAttribute { at: FILE, follow: Always }),
            ("setxattrat", ChangeAttributes { at: BELOW, follow: Unless(2) }),
            ("removexattrat", ChangeAttributes { at: BELOW, follow: Unless(2) }),
            ("getxattrat", GetAttribute { at: BELOW, follow: Unless(2) }),
            ("listxattrat", GetAttribute { at: BELOW, follow: Unless(2) }),
            ("file_getattr", GetAttribute { at: BELOW, follow: Unless(4) }),
        ]),
        ("directory", &[
            ("chdir", ChangeDirectory(PATH)),
            ("fchdir", ChangeDirectory(FILE)),
            ("getcwd", CurrentDirectory),
            ("chroot", ChangeRoot),
        ]),
        ("dup", &[
            ("dup", Duplicate),
            ("dup2", DuplicateTo { flags: None }),
            ("dup3", DuplicateTo { flags: Some(2) }),
        ]),
        ("control", &[
            ("fcntl", Control),
            ("fcntl64", Control),
            ("ioctl", DeviceControl),
            ("flock", Lock),
            ("epoll_ctl", Watch),
        ]),
        ("make", &[
            ("pipe", make_pair(Pipe, 0, NeverClosed)),
            ("pipe2", make_pair(Pipe, 0, Bit(1, CLOSE_ON_EXEC))),
            ("socket", make(Socket, Bit(1, CLOSE_ON_EXEC))),
            ("socketpair", make_pair(Socket, 3, Bit(1, CLOSE_ON_EXEC))),
            ("accept", make(Socket, NeverClosed)),
            ("accept4", make(Socket, Bit(3, CLOSE_ON_EXEC))),
            ("eventfd", make(Kernel, NeverClosed)),
            ("eventfd2", make(Kernel, Bit(1, CLOSE_ON_EXEC))),
            ("memfd_create", make(MemoryFile, Bit(1, libc::MFD_CLOEXEC))),
            ("epoll_create", make(Kernel, NeverClosed)),
            ("epoll_create1", make(Kernel, Bit(0, CLOSE_ON_EXEC))),
            ("inotify_init", make(Kernel, NeverClosed)),
            ("inotify_init1", make(Kernel, Bit(0, CLOSE_ON_EXEC))),
            ("fanotify_init", make(Kernel, Bit(0, libc::FAN_CLOEXEC))),
            ("timerfd_create", make(Kernel, Bit(1, CLOSE_ON_EXEC))),
            ("signalfd", MakeSignals(NeverClosed)),
            ("signalfd4", MakeSignals(Bit(3, CLOSE_ON_EXEC))),
            ("userfaultfd", make(Kernel, Bit(0, CLOSE_ON_EXEC))),
            ("perf_event_open", make(Kernel, Bit(4, 8))),
            ("pidfd_open", make(Kernel, AlwaysClosed)),
            ("pidfd_getfd", make(Kernel, AlwaysClosed)),
            ("io_uring_setup", MakeRing),
        ]),
        ("fork", &[
            ("fork", Fork),
            ("vfork", Fork),
            ("clone", Clone),
            ("clone3", CloneWithStructure),
        ]),
        ("exec", &[
            ("execve", Execute(PATH)),
            ("execveat", Execute(BELOW)),
        ]),
        (NO_FAMILY, &[
            ("mknod", Names(PATH)),
            ("mknodat", Names(BELOW)),
            ("pivot_root", Other),
            ("mount", Other),
            ("umount2", Other),
            ("name_to_handle_at", Names(BELOW)),
            ("inotify_add_watch", Names(At::Path(1))),
            ("umask", Mask),
            ("io_setup", Other),
            ("io_submit", Other),
            ("io_getevents", Other),
            ("io_pgetevents", Other),
            ("unshare", Unshare),
            ("seccomp", FilterCalls),
            ("prctl", FilterCalls),
            ("sched_getaffinity", Affinity),
            ("sched_setaffinity", Affinity),
            ("sync_file_range2", Sync { one: true, data_only: true }),
            ("arm_fadvise64_64", Logged(LoggedShape::AdviseEarly)),
            ("chown32", ChangeAttributes { at: PATH, follow: Always }),
            ("lchown32", ChangeAttributes { at: PATH, follow: Never }),
            ("fchown32", ChangeAttributes { at: FILE, follow: Always }),
            ("utimensat_time64", ChangeAttributes { at: BELOW, follow: Unless(3) }),
            ("timerfd", make(Kernel, NeverClosed)),
            ("memfd_secret", make(MemoryFile, Bit(0, CLOSE_ON_EXEC))),
            ("exit", Logged(LoggedShape::Exit { whole: false })),
            ("_exit", Logged(LoggedShape::Exit { whole: false })),
            ("exit_group", Logged(LoggedShape::Exit { whole: true })),
        ]),
    ]
};

const fn make(kind: DescriptorKind, close_on_exec: CloseOnExec) -> Shape {
    Shape::Make { kind, pair: None, close_on_exec }
}

const fn make_pair(kind: DescriptorKind, pair: usize, close_on_exec: CloseOnExec) -> Shape {
    Shape::Make { kind, pair: Some(pair), close_on_exec }
}

const fn transfer(write: bool, vector: bool, offset: bool) -> Shape {
    Shape::Transfer { write, vector, offset }
}

/// Every call with what its arguments are.
pub fn calls() -> impl Iterator<Item = (CallName, Shape)> {
    TABLE.iter().flat_map(|(_, calls)| calls.iter().copied())
}

/// What the arguments of the call of this name are.
pub fn shape_of(name: &str) -> Option<Shape> {
    calls().find(|(call, _)| *call == name).map(|(_, shape)| shape)
}

/// The family of the call of this name.
pub fn family_of(name: &str) -> Option<&'static str> {
    call_families().find(|(_, calls)| calls.clone().any(|call| call == name)).map(|(family, _)| family)
}

/// Every family with its calls. A call stands in one family, which may have its name.
pub fn call_families() -> impl Iterator<Item = (&'static str, impl Iterator<Item = CallName> + Clone)> {
    let families = TABLE.iter().filter(|(family, _)| *family != NO_FAMILY);
    families.map(|(family, calls)| (*family, calls.iter().map(|(call, _)| *call)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_call_stands_in_one_family_and_a_familys_name_is_no_call_of_another() {
        let once: BTreeSet<_> = calls().map(|(call, _)| call).collect();
        assert_eq!(once.len(), calls().count());
        for (family, mut calls) in call_families() {
            assert!(shape_of(family).is_none() || calls.any(|call| call == family), "{family}");
        }
    }

    #[test]
    fn paths_are_where_the_manual_has_them() {
        let paths = |call: &str| shape_of(call).unwrap().paths().collect::<Vec<_>>();
        assert_eq!(paths("open"), [0]);
        assert_eq!(paths("openat2"), [1]);
        assert_eq!(paths("renameat2"), [1, 3]);
        assert_eq!(paths("symlinkat"), [0, 2]);
        assert_eq!(paths("inotify_add_watch"), [1]);
        assert!(paths("fstat").is_empty() && paths("epoll_ctl").is_empty());
    }
}
