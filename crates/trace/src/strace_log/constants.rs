//! Names of Linux's numbers as strace prints them. The numbers are those of
//! `x86_64`, which events have too, whichever machine reads the log.

use std::collections::HashMap;
use std::sync::LazyLock;
use syscalls::Errno;

/// Makes a function that tells the number of a name.
macro_rules! numbers {
    ($(#[$about:meta])* $function:ident: $($name:literal = $number:expr),+ $(,)?) => {
        $(#[$about])*
        pub(super) fn $function(name: &[u8]) -> Option<u64> {
            match std::str::from_utf8(name).ok()? {
                $($name => Some($number),)+
                _ => None,
            }
        }
    };
}

/// Results by which the kernel says that a signal struck and the call is to be made again.
const RESTARTS: [(&str, i32); 4] =
    [("ERESTARTSYS", 512), ("ERESTARTNOINTR", 513), ("ERESTARTNOHAND", 514), ("ERESTART_RESTARTBLOCK", 516)];

/// The largest errno that programs see.
const LAST_ERRNO: i32 = 133;

static ERRNOS: LazyLock<HashMap<&'static str, i32>> = LazyLock::new(|| {
    let named = (1..=LAST_ERRNO).filter_map(|number| Some((Errno::new(number).name()?, number)));
    named.chain(RESTARTS).chain([("EWOULDBLOCK", 11), ("EDEADLOCK", 35), ("ENOTSUP", 95)]).collect()
});

/// The number of an errno.
pub(super) fn errno(name: &[u8]) -> Option<i32> {
    // By far the most frequent.
    if name == b"ENOENT" {
        return Some(2);
    }
    ERRNOS.get(std::str::from_utf8(name).ok()?).copied()
}

numbers! {
    /// Flags of opens and of what makes descriptors.
    open_flag:
    "O_RDONLY" = 0, "O_WRONLY" = 1, "O_RDWR" = 2, "O_ACCMODE" = 3, "O_CREAT" = 0o100, "O_EXCL" = 0o200,
    "O_NOCTTY" = 0o400, "O_TRUNC" = 0o1000, "O_APPEND" = 0o2000, "O_NONBLOCK" = 0o4000, "O_NDELAY" = 0o4000,
    "O_DSYNC" = 0o10_000, "FASYNC" = 0o20_000, "O_ASYNC" = 0o20_000, "O_DIRECT" = 0o40_000,
    "O_LARGEFILE" = 0o100_000, "O_DIRECTORY" = 0o200_000, "O_NOFOLLOW" = 0o400_000, "O_NOATIME" = 0o1_000_000,
    "O_CLOEXEC" = 0o2_000_000, "__O_SYNC" = 0o4_000_000, "O_SYNC" = 0o4_010_000, "O_PATH" = 0o10_000_000,
    "__O_TMPFILE" = 0o20_000_000, "O_TMPFILE" = 0o20_200_000,
}

numbers! {
    /// Whether a flag of any call that makes descriptors says to close them on exec.
    close_on_exec:
    "O_CLOEXEC" = 1, "SOCK_CLOEXEC" = 1, "EFD_CLOEXEC" = 1, "MFD_CLOEXEC" = 1, "EPOLL_CLOEXEC" = 1,
    "IN_CLOEXEC" = 1, "TFD_CLOEXEC" = 1, "SFD_CLOEXEC" = 1, "FAN_CLOEXEC" = 1, "PERF_FLAG_FD_CLOEXEC" = 1,
}

numbers! {
    /// Flags of calls relative to a directory.
    at_flag:
    "AT_SYMLINK_NOFOLLOW" = 0x100, "AT_EACCESS" = 0x200, "AT_REMOVEDIR" = 0x200, "AT_SYMLINK_FOLLOW" = 0x400,
    "AT_NO_AUTOMOUNT" = 0x800, "AT_EMPTY_PATH" = 0x1000, "AT_STATX_SYNC_AS_STAT" = 0,
    "AT_STATX_FORCE_SYNC" = 0x2000, "AT_STATX_DONT_SYNC" = 0x4000, "AT_RECURSIVE" = 0x8000,
    "AT_EXECVE_CHECK" = 0x10000,
}

numbers! {
    /// What `statx` is asked for.
    statx_mask:
    "STATX_TYPE" = 1, "STATX_MODE" = 2, "STATX_NLINK" = 4, "STATX_UID" = 8, "STATX_GID" = 0x10,
    "STATX_ATIME" = 0x20, "STATX_MTIME" = 0x40, "STATX_CTIME" = 0x80, "STATX_INO" = 0x100,
    "STATX_SIZE" = 0x200, "STATX_BLOCKS" = 0x400, "STATX_BASIC_STATS" = 0x7ff, "STATX_BTIME" = 0x800,
    "STATX_ALL" = 0xfff, "STATX_MNT_ID" = 0x1000, "STATX_DIOALIGN" = 0x2000, "STATX_MNT_ID_UNIQUE" = 0x4000,
    "STATX_SUBVOL" = 0x8000, "STATX_WRITE_ATOMIC" = 0x1_0000, "STATX_DIO_READ_ALIGN" = 0x2_0000,
}

numbers! {
    /// Kinds and permissions of files.
    file_mode:
    "S_IFIFO" = 0o010_000, "S_IFCHR" = 0o020_000, "S_IFDIR" = 0o040_000, "S_IFBLK" = 0o060_000,
    "S_IFREG" = 0o100_000, "S_IFLNK" = 0o120_000, "S_IFSOCK" = 0o140_000,
    "S_ISUID" = 0o4000, "S_ISGID" = 0o2000, "S_ISVTX" = 0o1000,
}

numbers! {
    /// What `access` asks.
    access_mode: "F_OK" = 0, "X_OK" = 1, "W_OK" = 2, "R_OK" = 4,
}

numbers! {
    /// From where `lseek` counts.
    whence: "SEEK_SET" = 0, "SEEK_CUR" = 1, "SEEK_END" = 2, "SEEK_DATA" = 3, "SEEK_HOLE" = 4,
}

numbers! {
    /// Commands of `fcntl`.
    control_command:
    "F_DUPFD" = 0, "F_GETFD" = 1, "F_SETFD" = 2, "F_GETFL" = 3, "F_SETFL" = 4, "F_GETLK" = 5, "F_SETLK" = 6,
    "F_SETLKW" = 7, "F_SETOWN" = 8, "F_GETOWN" = 9, "F_SETSIG" = 10, "F_GETSIG" = 11, "F_GETLK64" = 5,
    "F_SETLK64" = 6, "F_SETLKW64" = 7, "F_SETOWN_EX" = 15, "F_GETOWN_EX" = 16, "F_OFD_GETLK" = 36,
    "F_OFD_SETLK" = 37, "F_OFD_SETLKW" = 38, "F_SETLEASE" = 1024, "F_GETLEASE" = 1025, "F_NOTIFY" = 1026,
    "F_DUPFD_QUERY" = 1027, "F_DUPFD_CLOEXEC" = 1030, "F_SETPIPE_SZ" = 1031, "F_GETPIPE_SZ" = 1032,
    "F_ADD_SEALS" = 1033, "F_GET_SEALS" = 1034, "F_GET_RW_HINT" = 1035, "F_SET_RW_HINT" = 1036,
    "F_GET_FILE_RW_HINT" = 1037, "F_SET_FILE_RW_HINT" = 1038,
}

numbers! {
    /// Flags of a descriptor.
    descriptor_flag: "FD_CLOEXEC" = 1,
}

numbers! {
    /// `PROT_` and `MAP_` bits, whose names do not meet.
    map_bit:
    "PROT_NONE" = 0, "PROT_READ" = 1, "PROT_WRITE" = 2, "PROT_EXEC" = 4, "PROT_SEM" = 8,
    "PROT_GROWSDOWN" = 0x0100_0000, "PROT_GROWSUP" = 0x0200_0000,
    "MAP_FILE" = 0, "MAP_SHARED" = 1, "MAP_PRIVATE" = 2, "MAP_SHARED_VALIDATE" = 3, "MAP_DROPPABLE" = 8,
    "MAP_FIXED" = 0x10, "MAP_ANONYMOUS" = 0x20, "MAP_ANON" = 0x20, "MAP_32BIT" = 0x40,
    "MAP_GROWSDOWN" = 0x100, "MAP_DENYWRITE" = 0x800, "MAP_EXECUTABLE" = 0x1000, "MAP_LOCKED" = 0x2000,
    "MAP_NORESERVE" = 0x4000, "MAP_POPULATE" = 0x8000, "MAP_NONBLOCK" = 0x1_0000, "MAP_STACK" = 0x2_0000,
    "MAP_HUGETLB" = 0x4_0000, "MAP_SYNC" = 0x8_0000, "MAP_FIXED_NOREPLACE" = 0x10_0000,
}

numbers! {
    /// What `madvise` is told.
    memory_advice:
    "MADV_NORMAL" = 0, "MADV_RANDOM" = 1, "MADV_SEQUENTIAL" = 2, "MADV_WILLNEED" = 3, "MADV_DONTNEED" = 4,
    "MADV_FREE" = 8, "MADV_REMOVE" = 9, "MADV_DONTFORK" = 10, "MADV_DOFORK" = 11, "MADV_MERGEABLE" = 12,
    "MADV_UNMERGEABLE" = 13, "MADV_HUGEPAGE" = 14, "MADV_NOHUGEPAGE" = 15, "MADV_DONTDUMP" = 16,
    "MADV_DODUMP" = 17, "MADV_WIPEONFORK" = 18, "MADV_KEEPONFORK" = 19, "MADV_COLD" = 20,
    "MADV_PAGEOUT" = 21, "MADV_POPULATE_READ" = 22, "MADV_POPULATE_WRITE" = 23, "MADV_DONTNEED_LOCKED" = 24,
    "MADV_COLLAPSE" = 25, "MADV_HWPOISON" = 100, "MADV_SOFT_OFFLINE" = 101,
    "MADV_GUARD_INSTALL" = 102, "MADV_GUARD_REMOVE" = 103,
}

numbers! {
    /// What `fadvise` is told.
    file_advice:
    "POSIX_FADV_NORMAL" = 0, "POSIX_FADV_RANDOM" = 1, "POSIX_FADV_SEQUENTIAL" = 2,
    "POSIX_FADV_WILLNEED" = 3, "POSIX_FADV_DONTNEED" = 4, "POSIX_FADV_NOREUSE" = 5,
}

numbers! {
    /// Bits of `fallocate`.
    allocate_mode:
    "FALLOC_FL_KEEP_SIZE" = 1, "FALLOC_FL_PUNCH_HOLE" = 2, "FALLOC_FL_NO_HIDE_STALE" = 4,
    "FALLOC_FL_COLLAPSE_RANGE" = 8, "FALLOC_FL_ZERO_RANGE" = 0x10, "FALLOC_FL_INSERT_RANGE" = 0x20,
    "FALLOC_FL_UNSHARE_RANGE" = 0x40, "FALLOC_FL_WRITE_ZEROES" = 0x80,
}

numbers! {
    /// Bits of `renameat2`.
    rename_flag: "RENAME_NOREPLACE" = 1, "RENAME_EXCHANGE" = 2, "RENAME_WHITEOUT" = 4,
}

numbers! {
    /// Bits of `close_range`.
    close_range_flag: "CLOSE_RANGE_UNSHARE" = 2, "CLOSE_RANGE_CLOEXEC" = 4,
}

numbers! {
    /// The three of clone's flags that events tell; a bit of ours each.
    clone_flag: "CLONE_FILES" = 1, "CLONE_FS" = 2, "CLONE_THREAD" = 4,
}

numbers! {
    /// What epoll is told to do.
    epoll_operation: "EPOLL_CTL_ADD" = 1, "EPOLL_CTL_DEL" = 2, "EPOLL_CTL_MOD" = 3,
}

numbers! {
    /// Directions of a request to a device.
    device_direction: "_IOC_NONE" = 0, "_IOC_WRITE" = 1, "_IOC_READ" = 2,
}

numbers! {
    /// Requests to devices that files see.
    device_request:
    "TCGETS" = 0x5401, "TCSETS" = 0x5402, "TCSETSW" = 0x5403, "TCSETSF" = 0x5404, "TCGETA" = 0x5405,
    "TCSETA" = 0x5406, "TCSBRK" = 0x5409, "TCXONC" = 0x540a, "TCFLSH" = 0x540b, "TIOCEXCL" = 0x540c,
    "TIOCSCTTY" = 0x540e, "TIOCGPGRP" = 0x540f, "TIOCSPGRP" = 0x5410, "TIOCOUTQ" = 0x5411,
    "TIOCGWINSZ" = 0x5413, "TIOCSWINSZ" = 0x5414, "FIONREAD" = 0x541b, "FIONBIO" = 0x5421,
    "TIOCNOTTY" = 0x5422, "TIOCGSID" = 0x5429, "TCGETS2" = 0x802c_542a, "TIOCGPTN" = 0x8004_5430,
    "TIOCSPTLCK" = 0x4004_5431, "TIOCGPTPEER" = 0x5441, "FIONCLEX" = 0x5450, "FIOCLEX" = 0x5451,
    "FIOASYNC" = 0x5452, "FIOQSIZE" = 0x5460, "FIBMAP" = 1, "FIGETBSZ" = 2, "FIFREEZE" = 0xc004_5877,
    "FITHAW" = 0xc004_5878, "FITRIM" = 0xc018_5879, "FICLONE" = 0x4004_9409, "FICLONERANGE" = 0x4020_940d,
    "FIDEDUPERANGE" = 0xc018_9436, "BTRFS_IOC_CLONE" = 0x4004_9409, "BTRFS_IOC_CLONE_RANGE" = 0x4020_940d,
    "FS_IOC_GETFLAGS" = 0x8008_6601, "FS_IOC_SETFLAGS" = 0x4008_6602, "FS_IOC_FIEMAP" = 0xc020_660b,
    "FS_IOC_FSGETXATTR" = 0x801c_581f, "FS_IOC_FSSETXATTR" = 0x401c_5820,
    "BLKROGET" = 0x125e, "BLKGETSIZE" = 0x1260, "BLKFLSBUF" = 0x1261, "BLKSSZGET" = 0x1268,
    "BLKDISCARD" = 0x1277, "BLKPBSZGET" = 0x127b, "BLKGETSIZE64" = 0x8008_1272,
    "PIDFD_GET_INFO" = 0xc040_ff0b, "SIOCGIFCONF" = 0x8912, "SIOCGIFFLAGS" = 0x8913, "SIOCGIFADDR" = 0x8915,
    "SIOCGIFINDEX" = 0x8933,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn numbers_are_the_kernels() {
        macro_rules! check {
            ($function:ident: $($name:ident),+) => {$(
                let number = $function(stringify!($name).as_bytes()).expect(stringify!($name));
                assert_eq!(number, u64::try_from(libc::$name).unwrap(), stringify!($name));
            )+};
        }
        check!(open_flag: O_CREAT, O_EXCL, O_TRUNC, O_APPEND, O_NONBLOCK, O_DSYNC, O_SYNC, O_DIRECT, O_DIRECTORY,
            O_NOFOLLOW, O_NOATIME, O_CLOEXEC, O_PATH, O_TMPFILE, O_NOCTTY, O_ASYNC);
        check!(at_flag: AT_SYMLINK_NOFOLLOW, AT_REMOVEDIR, AT_EACCESS, AT_SYMLINK_FOLLOW, AT_EMPTY_PATH,
            AT_NO_AUTOMOUNT, AT_STATX_DONT_SYNC, AT_STATX_FORCE_SYNC);
        check!(statx_mask: STATX_TYPE, STATX_MODE, STATX_NLINK, STATX_INO, STATX_SIZE, STATX_BASIC_STATS,
            STATX_BTIME, STATX_ALL, STATX_MNT_ID);
        check!(file_mode: S_IFIFO, S_IFCHR, S_IFDIR, S_IFBLK, S_IFREG, S_IFLNK, S_IFSOCK, S_ISUID, S_ISVTX);
        check!(control_command: F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_SETLK, F_SETLKW, F_DUPFD_CLOEXEC,
            F_OFD_SETLK, F_SETPIPE_SZ, F_ADD_SEALS, F_SETLEASE, F_GETOWN);
        check!(map_bit: PROT_EXEC, MAP_SHARED, MAP_FIXED, MAP_ANONYMOUS, MAP_POPULATE, MAP_DENYWRITE, MAP_STACK,
            MAP_HUGETLB, MAP_SYNC, MAP_FIXED_NOREPLACE, MAP_NORESERVE, MAP_LOCKED, MAP_GROWSDOWN);
        check!(memory_advice: MADV_WILLNEED, MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE, MADV_COLD,
            MADV_POPULATE_READ, MADV_DODUMP, MADV_COLLAPSE);
        check!(file_advice: POSIX_FADV_RANDOM, POSIX_FADV_SEQUENTIAL, POSIX_FADV_WILLNEED, POSIX_FADV_NOREUSE);
        check!(allocate_mode: FALLOC_FL_KEEP_SIZE, FALLOC_FL_PUNCH_HOLE, FALLOC_FL_ZERO_RANGE);
        check!(rename_flag: RENAME_NOREPLACE, RENAME_EXCHANGE, RENAME_WHITEOUT);
        check!(device_request: TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FICLONE, FIOCLEX, TIOCGPTN, TIOCSPTLCK,
            FS_IOC_GETFLAGS, TIOCGPGRP, TCSETSW, TIOCGSID);
        check!(epoll_operation: EPOLL_CTL_ADD, EPOLL_CTL_DEL, EPOLL_CTL_MOD);
        check!(whence: SEEK_SET, SEEK_END, SEEK_DATA, SEEK_HOLE);
    }

    #[test]
    fn errnos_are_known_also_those_no_program_sees() {
        assert_eq!([errno(b"ENOENT"), errno(b"EHWPOISON"), errno(b"EPERM")], [Some(2), Some(133), Some(1)]);
        assert_eq!(
            [errno(b"ENOTSUP"), errno(b"EAGAIN"), errno(b"ERESTARTSYS")],
            [Some(95), Some(11), Some(512)]
        );
        assert_eq!(errno(b"ENONSENSE"), None);
    }
}
