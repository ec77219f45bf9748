//! Names of flags, commands and advices, as the manual pages write them.

/// `O_ACCMODE` as the kernel has it; musl's has `O_PATH` in it.
pub(crate) const ACCESS_MODE: i32 = 3;

/// Builds `(value, name)` pairs from constants of libc.
macro_rules! names {
    ($($name:ident),+ $(,)?) => { [$((i64::from(libc::$name), stringify!($name))),+] };
}

#[cfg(target_arch = "aarch64")]
const O_LARGEFILE: i64 = 0o400_000;
#[cfg(not(target_arch = "aarch64"))]
const O_LARGEFILE: i64 = 0o100_000;

/// `O_RDONLY|O_CLOEXEC`.
pub(super) fn open_flags(value: u64) -> String {
    let value = low_half(value);
    let access = name_of(value & i64::from(ACCESS_MODE), &names!(O_RDONLY, O_WRONLY, O_RDWR));
    // Compound flags come before their parts.
    let known = names!(
        O_TMPFILE,
        O_SYNC,
        O_DSYNC,
        O_APPEND,
        O_CREAT,
        O_EXCL,
        O_TRUNC,
        O_DIRECT,
        O_DIRECTORY,
        O_NOATIME,
        O_NOCTTY,
        O_NOFOLLOW,
        O_NONBLOCK,
        O_PATH,
        O_CLOEXEC,
    );
    let rest = value & !i64::from(ACCESS_MODE) & !O_LARGEFILE;
    let large = if value & O_LARGEFILE == 0 { "" } else { "|O_LARGEFILE" };
    let more = if rest == 0 { String::new() } else { format!("|{}", set_of(rest, &known)) };
    format!("{access}{large}{more}")
}

/// True when the flags make `open` take a mode.
pub(super) fn open_takes_mode(value: u64) -> bool {
    let tmpfile = i64::from(libc::O_TMPFILE);
    low_half(value) & i64::from(libc::O_CREAT) != 0 || low_half(value) & tmpfile == tmpfile
}

pub(super) fn fcntl_command(value: u64) -> String {
    let known = names!(
        F_DUPFD,
        F_DUPFD_CLOEXEC,
        F_GETFD,
        F_SETFD,
        F_GETFL,
        F_SETFL,
        F_GETLK,
        F_SETLK,
        F_SETLKW,
        F_OFD_GETLK,
        F_OFD_SETLK,
        F_OFD_SETLKW,
        F_GETPIPE_SZ,
        F_SETPIPE_SZ,
        F_ADD_SEALS,
        F_GET_SEALS,
    );
    name_of(low_half(value), &known)
}

pub(super) fn descriptor_flags(value: u64) -> String {
    set_of(low_half(value), &names!(FD_CLOEXEC))
}

pub(super) fn at_flags(value: u64) -> String {
    set_of(
        low_half(value),
        &names!(
            AT_EMPTY_PATH,
            AT_SYMLINK_NOFOLLOW,
            AT_NO_AUTOMOUNT,
            AT_SYMLINK_FOLLOW,
            AT_STATX_FORCE_SYNC,
            AT_STATX_DONT_SYNC
        ),
    )
}

pub(super) fn statx_mask(value: u64) -> String {
    let known = names!(
        STATX_ALL,
        STATX_BASIC_STATS,
        STATX_BTIME,
        STATX_TYPE,
        STATX_MODE,
        STATX_NLINK,
        STATX_UID,
        STATX_GID,
        STATX_ATIME,
        STATX_MTIME,
        STATX_CTIME,
        STATX_INO,
        STATX_SIZE,
        STATX_BLOCKS,
        STATX_MNT_ID,
        STATX_DIOALIGN,
    );
    set_of(low_half(value), &known)
}

pub(super) fn access_mode(value: u64) -> String {
    match low_half(value) {
        0 => "F_OK".to_owned(),
        mode => set_of(mode, &names!(R_OK, W_OK, X_OK)),
    }
}

pub(super) fn seek_whence(value: u64) -> String {
    name_of(low_half(value), &names!(SEEK_SET, SEEK_CUR, SEEK_END, SEEK_DATA, SEEK_HOLE))
}

pub(super) fn protection(value: u64) -> String {
    match low_half(value) {
        0 => "PROT_NONE".to_owned(),
        bits => set_of(bits, &names!(PROT_READ, PROT_WRITE, PROT_EXEC)),
    }
}

pub(super) fn map_flags(value: u64) -> String {
    let known = names!(
        MAP_SHARED_VALIDATE,
        MAP_SHARED,
        MAP_PRIVATE,
        MAP_FIXED,
        MAP_ANONYMOUS,
        MAP_POPULATE,
        MAP_NORESERVE,
        MAP_STACK,
        MAP_HUGETLB,
        MAP_LOCKED,
        MAP_DENYWRITE,
        MAP_GROWSDOWN,
        MAP_FIXED_NOREPLACE,
        MAP_NONBLOCK,
    );
    set_of(low_half(value), &known)
}

/// True when a mapping has no file.
pub(super) fn is_anonymous(value: u64) -> bool {
    low_half(value) & i64::from(libc::MAP_ANONYMOUS) != 0
}

pub(super) fn memory_advice(value: u64) -> String {
    let known = names!(
        MADV_NORMAL,
        MADV_RANDOM,
        MADV_SEQUENTIAL,
        MADV_WILLNEED,
        MADV_DONTNEED,
        MADV_FREE,
        MADV_COLD,
        MADV_PAGEOUT,
        MADV_POPULATE_READ,
        MADV_POPULATE_WRITE,
        MADV_HUGEPAGE,
        MADV_NOHUGEPAGE,
        MADV_DONTFORK,
        MADV_DONTDUMP,
    );
    // MADV_COLLAPSE is younger than musl's headers.
    name_of(low_half(value), &[known.as_slice(), &[(25, "MADV_COLLAPSE")]].concat())
}

pub(super) fn file_advice(value: u64) -> String {
    let known = names!(
        POSIX_FADV_NORMAL,
        POSIX_FADV_RANDOM,
        POSIX_FADV_SEQUENTIAL,
        POSIX_FADV_WILLNEED,
        POSIX_FADV_DONTNEED,
        POSIX_FADV_NOREUSE,
    );
    name_of(low_half(value), &known)
}

pub(super) fn epoll_operation(value: u64) -> String {
    name_of(low_half(value), &names!(EPOLL_CTL_ADD, EPOLL_CTL_MOD, EPOLL_CTL_DEL))
}

pub(super) fn futex_operation(value: u64) -> String {
    let modifiers = i64::from(libc::FUTEX_PRIVATE_FLAG) | i64::from(libc::FUTEX_CLOCK_REALTIME);
    let known = names!(
        FUTEX_WAIT,
        FUTEX_WAKE,
        FUTEX_REQUEUE,
        FUTEX_CMP_REQUEUE,
        FUTEX_WAIT_BITSET,
        FUTEX_WAKE_BITSET
    );
    name_of(low_half(value) & !modifiers, &known)
}

pub(super) fn read_flags(value: u64) -> String {
    // RWF_DONTCACHE is younger than the C library's headers.
    let known = names!(RWF_HIPRI, RWF_DSYNC, RWF_SYNC, RWF_NOWAIT, RWF_APPEND);
    set_of(low_half(value), &[known.as_slice(), &[(0x80, "RWF_DONTCACHE")]].concat())
}

pub(super) fn ioctl_request(value: u64) -> String {
    let value = low_half(value);
    let known = [
        (0x5401, "TCGETS"),
        (0x802c_542a, "TCGETS2"),
        (0x5413, "TIOCGWINSZ"),
        (0x541b, "FIONREAD"),
        (0x5421, "FIONBIO"),
        (0x5451, "FIOCLEX"),
        (0x4004_9409, "FICLONE"),
    ];
    name_of(value, &known)
}

/// The kernel reads these arguments as 32-bit integers; the rest is left-over.
fn low_half(value: u64) -> i64 {
    (value & 0xffff_ffff).cast_signed()
}

fn name_of(value: i64, known: &[(i64, &str)]) -> String {
    let name = known.iter().find(|(number, _)| *number == value);
    name.map_or_else(|| format!("{value:#x}"), |(_, name)| (*name).to_owned())
}

fn set_of(mut bits: i64, known: &[(i64, &str)]) -> String {
    let mut names: Vec<String> = Vec::new();
    for (mask, name) in known {
        if *mask != 0 && bits & mask == *mask {
            names.push((*name).to_owned());
            bits &= !mask;
        }
    }
    if bits != 0 || names.is_empty() {
        names.push(if bits == 0 { "0".to_owned() } else { format!("{bits:#x}") });
    }
    names.join("|")
}
