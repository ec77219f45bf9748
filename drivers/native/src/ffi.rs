//! The C library's functions, and the kernel's constants and structures, that
//! the driver uses. Declarations only; `posix`, `stdio` and `clock` call them.

use std::ffi::{c_char, c_int, c_long, c_uint, c_void};

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
compile_error!("the native driver knows the system call numbers of Linux on x86_64 and aarch64 only");

pub(crate) const AT_FDCWD: c_int = -100;
pub(crate) const O_RDONLY: c_int = 0;
pub(crate) const O_WRONLY: c_int = 1;
pub(crate) const O_NOATIME: c_int = 0o1_000_000;
pub(crate) const O_CLOEXEC: c_int = 0o2_000_000;
pub(crate) const O_PATH: c_int = 0o10_000_000;
pub(crate) const SEEK_SET: c_int = 0;
pub(crate) const PROT_READ: c_int = 1;
pub(crate) const MAP_PRIVATE: c_int = 0x2;
pub(crate) const MAP_POPULATE: c_int = 0x8000;
pub(crate) const MADV_RANDOM: c_int = 1;
pub(crate) const MADV_SEQUENTIAL: c_int = 2;
pub(crate) const MADV_WILLNEED: c_int = 3;
pub(crate) const POSIX_FADV_RANDOM: c_int = 1;
pub(crate) const POSIX_FADV_SEQUENTIAL: c_int = 2;
pub(crate) const AT_EMPTY_PATH: c_int = 0x1000;
pub(crate) const STATX_MTIME: c_uint = 0x40;
pub(crate) const STATX_INO: c_uint = 0x100;
pub(crate) const STATX_SIZE: c_uint = 0x200;
pub(crate) const STATX_DIOALIGN: c_uint = 0x2000;
pub(crate) const CLOCK_MONOTONIC: c_int = 1;
pub(crate) const CLOCK_PROCESS_CPUTIME_ID: c_int = 2;
pub(crate) const CLOCK_THREAD_CPUTIME_ID: c_int = 3;
pub(crate) const RUSAGE_SELF: c_int = 0;
pub(crate) const RUSAGE_THREAD: c_int = 1;
pub(crate) const IN_NONBLOCK: c_int = 0o4000;
pub(crate) const IN_MODIFY: u32 = 0x2;
pub(crate) const IN_ATTRIB: u32 = 0x4;
pub(crate) const IN_DELETE_SELF: u32 = 0x400;
pub(crate) const IN_MOVE_SELF: u32 = 0x800;
pub(crate) const F_OK: c_int = 0;
pub(crate) const SYS_OPENAT2: c_long = 437;

pub(crate) use machine::{O_DIRECT, O_DIRECTORY, SYS_CLOSE, SYS_OPENAT, SYS_STATX};

#[cfg(target_arch = "x86_64")]
pub(crate) mod machine {
    //! Where `x86_64` differs.
    use std::ffi::{c_int, c_long};

    pub(crate) const O_DIRECT: c_int = 0o40_000;
    pub(crate) const O_DIRECTORY: c_int = 0o200_000;
    pub(crate) const SYS_OPEN: c_long = 2;
    pub(crate) const SYS_CLOSE: c_long = 3;
    pub(crate) const SYS_OPENAT: c_long = 257;
    pub(crate) const SYS_STATX: c_long = 332;

    /// A system call by the machine's own instruction.
    ///
    /// # Safety
    /// The arguments must be what the kernel asks of that call.
    #[inline]
    pub(crate) unsafe fn system_call(number: c_long, arguments: [usize; 4]) -> isize {
        let [first, second, third, fourth] = arguments;
        let result;
        // SAFETY: the kernel's calling convention; it destroys rcx and r11 alone.
        unsafe {
            std::arch::asm!(
                "syscall",
                inlateout("rax") number => result,
                in("rdi") first, in("rsi") second, in("rdx") third, in("r10") fourth,
                out("rcx") _, out("r11") _,
                options(nostack),
            );
        }
        result
    }
}

#[cfg(target_arch = "aarch64")]
pub(crate) mod machine {
    //! Where aarch64 differs.
    use std::ffi::{c_int, c_long};

    pub(crate) const O_DIRECT: c_int = 0o200_000;
    pub(crate) const O_DIRECTORY: c_int = 0o40_000;
    pub(crate) const SYS_CLOSE: c_long = 57;
    pub(crate) const SYS_OPENAT: c_long = 56;
    pub(crate) const SYS_STATX: c_long = 291;

    /// A system call by the machine's own instruction.
    ///
    /// # Safety
    /// The arguments must be what the kernel asks of that call.
    #[inline]
    pub(crate) unsafe fn system_call(number: c_long, arguments: [usize; 4]) -> isize {
        let [first, second, third, fourth] = arguments;
        let result;
        // SAFETY: the kernel's calling convention; it changes x0 alone.
        unsafe {
            std::arch::asm!(
                "svc 0",
                in("x8") number,
                inlateout("x0") first => result,
                in("x1") second, in("x2") third, in("x3") fourth,
                options(nostack),
            );
        }
        result
    }
}

/// `struct timespec`.
#[derive(Default)]
#[repr(C)]
pub(crate) struct Timespec {
    pub(crate) seconds: i64,
    pub(crate) nanoseconds: i64,
}

/// `struct iovec`.
#[repr(C)]
pub(crate) struct Iovec {
    pub(crate) base: *mut c_void,
    pub(crate) length: usize,
}

/// `struct open_how` of openat2.
#[derive(Default)]
#[repr(C)]
pub(crate) struct OpenHow {
    pub(crate) flags: u64,
    pub(crate) mode: u64,
    pub(crate) resolve: u64,
}

/// `struct rusage`.
#[derive(Default)]
#[repr(C)]
pub(crate) struct Rusage {
    times: [i64; 4],
    memory: [i64; 4],
    pub(crate) minflt: i64,
    pub(crate) majflt: i64,
    input_and_signals: [i64; 6],
    pub(crate) nvcsw: i64,
    pub(crate) nivcsw: i64,
}

/// `struct stat`: what is named stands at the same place on both machines;
/// aarch64's structure ends before this one does.
#[derive(Default)]
#[repr(C)]
pub(crate) struct Stat {
    device: u64,
    pub(crate) inode: u64,
    modes_and_owners: [u64; 4],
    pub(crate) size: i64,
    blocks_and_access: [u64; 4],
    pub(crate) modified: Timespec,
    after: [u64; 5],
}

/// `struct statx`, less what the driver does not read.
#[repr(C)]
pub(crate) struct Statx {
    pub(crate) mask: u32,
    modes_and_owners: [u32; 7],
    pub(crate) inode: u64,
    pub(crate) size: u64,
    blocks_and_times: [u64; 8],
    pub(crate) modified_seconds: i64,
    pub(crate) modified_nanoseconds: u32,
    devices_and_mount: [u32; 7],
    pub(crate) dio_memory_align: u32,
    pub(crate) dio_offset_align: u32,
    after: [u32; 24],
}

impl Statx {
    /// With every field 0.
    pub(crate) fn empty() -> Self {
        Self {
            mask: 0,
            modes_and_owners: [0; 7],
            inode: 0,
            size: 0,
            blocks_and_times: [0; 8],
            modified_seconds: 0,
            modified_nanoseconds: 0,
            devices_and_mount: [0; 7],
            dio_memory_align: 0,
            dio_offset_align: 0,
            after: [0; 24],
        }
    }
}

/// `FILE`.
#[repr(C)]
pub(crate) struct File {
    hidden: [u8; 0],
}

unsafe extern "C" {
    pub(crate) fn open(path: *const c_char, flags: c_int, ...) -> c_int;
    pub(crate) fn openat(directory: c_int, path: *const c_char, flags: c_int, ...) -> c_int;
    pub(crate) fn close(fd: c_int) -> c_int;
    pub(crate) fn access(path: *const c_char, mode: c_int) -> c_int;
    pub(crate) fn stat(path: *const c_char, stat: *mut Stat) -> c_int;
    pub(crate) fn fstat(fd: c_int, stat: *mut Stat) -> c_int;
    pub(crate) fn lseek(fd: c_int, offset: i64, whence: c_int) -> i64;
    pub(crate) fn read(fd: c_int, buffer: *mut c_void, count: usize) -> isize;
    pub(crate) fn pread(fd: c_int, buffer: *mut c_void, count: usize, offset: i64) -> isize;
    pub(crate) fn readv(fd: c_int, pieces: *const Iovec, count: c_int) -> isize;
    pub(crate) fn preadv2(fd: c_int, pieces: *const Iovec, count: c_int, offset: i64, flags: c_int) -> isize;
    pub(crate) fn posix_fadvise(fd: c_int, offset: i64, length: i64, advice: c_int) -> c_int;
    pub(crate) fn mmap(
        address: *mut c_void,
        length: usize,
        protection: c_int,
        flags: c_int,
        fd: c_int,
        offset: i64,
    ) -> *mut c_void;
    pub(crate) fn munmap(address: *mut c_void, length: usize) -> c_int;
    pub(crate) fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    pub(crate) fn memchr(bytes: *const c_void, byte: c_int, length: usize) -> *mut c_void;
    pub(crate) fn memmem(
        bytes: *const c_void,
        length: usize,
        word: *const c_void,
        word_length: usize,
    ) -> *mut c_void;
    pub(crate) fn inotify_init1(flags: c_int) -> c_int;
    pub(crate) fn inotify_add_watch(fd: c_int, path: *const c_char, mask: u32) -> c_int;
    pub(crate) fn fopen(path: *const c_char, mode: *const c_char) -> *mut File;
    pub(crate) fn fclose(stream: *mut File) -> c_int;
    pub(crate) fn fread(buffer: *mut c_void, size: usize, count: usize, stream: *mut File) -> usize;
    pub(crate) fn getline(line: *mut *mut c_char, capacity: *mut usize, stream: *mut File) -> isize;
    pub(crate) fn free(memory: *mut c_void);
    pub(crate) fn fseeko(stream: *mut File, offset: i64, whence: c_int) -> c_int;
    pub(crate) fn feof(stream: *mut File) -> c_int;
    pub(crate) fn ferror(stream: *mut File) -> c_int;
    pub(crate) fn syscall(number: c_long, ...) -> c_long;
    pub(crate) fn clock_gettime(clock: c_int, time: *mut Timespec) -> c_int;
    pub(crate) fn getrusage(who: c_int, usage: *mut Rusage) -> c_int;
    #[cfg(target_env = "gnu")]
    pub(crate) fn gnu_get_libc_version() -> *const c_char;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_have_the_kernel_s_size() {
        assert_eq!((size_of::<Rusage>(), size_of::<Stat>(), size_of::<Statx>()), (144, 144, 256));
        assert_eq!(std::mem::offset_of!(Statx, dio_memory_align), 0x98);
        assert_eq!(std::mem::offset_of!(Statx, modified_seconds), 0x70);
        assert_eq!((std::mem::offset_of!(Stat, inode), std::mem::offset_of!(Stat, modified)), (8, 88));
        assert_eq!((std::mem::offset_of!(Rusage, majflt), std::mem::offset_of!(Stat, size)), (72, 48));
    }
}
