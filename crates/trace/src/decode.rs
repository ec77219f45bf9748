//! Arguments and results of one call as a recipe shows them: what a reader
//! compares between methods, without descriptors, addresses and left-over registers.

mod flags;

pub(crate) use flags::ACCESS_MODE;

use crate::call::{Call, errno_name};
use crate::met::Met;
use crate::region::Event;
use std::path::{Path, PathBuf};

/// The measured files, which a recipe writes `FILE`, their directories, `DIR`, and
/// what a driver makes, `NEW`.
#[derive(Debug, Clone, Default)]
pub struct DataPaths {
    files: Vec<PathBuf>,
    written: Option<PathBuf>,
}

impl DataPaths {
    /// The files given to a driver, as given.
    pub fn new(files: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        Self { files: files.into_iter().map(Into::into).collect(), written: None }
    }

    /// The same with the directory below which a driver writes: what lies in
    /// it is written `NEW`.
    #[must_use]
    pub fn with_written(self, directory: Option<PathBuf>) -> Self {
        Self { written: directory, ..self }
    }

    /// A path as a recipe writes it. One relative to a directory's descriptor
    /// is known by its name.
    fn shown(&self, path: &str, relative: bool) -> String {
        let path_is = |file: &PathBuf| Path::new(path) == file.as_path();
        let name_is =
            |file: &PathBuf| file.file_name().is_some_and(|name| Path::new(path) == Path::new(name));
        let parent_is = |file: &PathBuf| file.parent().is_some_and(|parent| Path::new(path) == parent);
        if self.files.iter().any(path_is) || (relative && self.files.iter().any(name_is)) {
            "FILE".to_owned()
        } else if !path.is_empty() && self.files.iter().any(parent_is) {
            "DIR".to_owned()
        } else if self.written.as_ref().is_some_and(|directory| Path::new(path).starts_with(directory)) {
            "NEW".to_owned()
        } else if path.is_empty() {
            "\"\"".to_owned()
        } else {
            path.to_owned()
        }
    }
}

/// The argument by which a call's price goes, in words.
pub(crate) fn price_words(call: Call, word: u64) -> String {
    match call.name().as_ref() {
        "open" | "openat" | "openat2" | "creat" => flags::open_flags(word),
        "newfstatat" | "statx" | "faccessat2" if word != 0 => flags::at_flags(word),
        "fcntl" => flags::fcntl_command(word),
        "ioctl" => flags::ioctl_request(word),
        "epoll_ctl" => flags::epoll_operation(word),
        "futex" => flags::futex_operation(word),
        "lseek" => flags::seek_whence(word),
        "fadvise64" => flags::file_advice(word),
        "madvise" => flags::memory_advice(word),
        "mmap" if word != 0 => flags::map_flags(word),
        "munmap" | "fsync" | "fdatasync" | "syncfs" => Met::text(word).to_owned(),
        _ => String::new(),
    }
}

/// The arguments worth reading, separated by commas.
pub(crate) fn arguments(event: &Event, data: &DataPaths) -> String {
    let [_, second, third, fourth, fifth, sixth] = event.arguments;
    let paths = shown_paths(event, data);
    let after_path = |more: String| listed([paths.clone(), more]);
    match event.call.name().as_ref() {
        "open" => after_path(opening(second, third)),
        "openat" => after_path(opening(third, fourth)),
        "openat2" => after_path(event.open_flags.map_or_else(|| "?".to_owned(), flags::open_flags)),
        "access" => after_path(flags::access_mode(second)),
        "faccessat" => after_path(flags::access_mode(third)),
        "faccessat2" => after_path(format!("{}, {}", flags::access_mode(third), flags::at_flags(fourth))),
        "newfstatat" | "fstatat64" => after_path(flags::at_flags(fourth)),
        "statx" => after_path(format!("{}, {}", flags::at_flags(third), flags::statx_mask(fourth))),
        "fcntl" => control(second, third),
        "ioctl" => flags::ioctl_request(second),
        "read" | "write" | "getdents64" => third.to_string(),
        "pread64" | "pwrite64" => format!("{third}, offset {fourth}"),
        "readv" | "writev" => buffers(third),
        "preadv" | "pwritev" => format!("{}, offset {fourth}", buffers(third)),
        "preadv2" | "pwritev2" => {
            format!("{}, offset {}, {}", buffers(third), fourth.cast_signed(), flags::read_flags(sixth))
        }
        "lseek" => format!("{}, {}", second.cast_signed(), flags::seek_whence(third)),
        "readahead" => format!("offset {second}, {third}"),
        "fadvise64" => format!("offset {second}, {third}, {}", flags::file_advice(fourth)),
        "mmap" => mapping(second, third, fourth, sixth),
        "munmap" => second.to_string(),
        "mprotect" => format!("{second}, {}", flags::protection(third)),
        "madvise" => format!("{second}, {}", flags::memory_advice(third)),
        "mremap" => format!("{second}, {third}"),
        "epoll_ctl" => flags::epoll_operation(second),
        "futex" => flags::futex_operation(second),
        "io_uring_enter" => format!("submit {second}, wait for {third}"),
        "copy_file_range" => fifth.to_string(),
        "sendfile" => fourth.to_string(),
        "close" | "fstat" | "fsync" | "fdatasync" | "dup" | "getpid" | "gettid" | "sched_yield"
        | "rt_sigreturn" | "brk" | "fstatfs" | "epoll_wait" | "epoll_pwait" | "nanosleep"
        | "clock_nanosleep" => String::new(),
        _ if paths.is_empty() => short_numbers(&event.arguments),
        _ => paths,
    }
}

/// What the call gave: a number, `address`, or the errno's name.
pub(crate) fn result(event: &Event) -> String {
    if event.failed {
        return i32::try_from(-event.result).map_or_else(|_| event.result.to_string(), errno_name);
    }
    match event.call.name().as_ref() {
        "mmap" | "brk" | "mremap" => "address".to_owned(),
        _ => event.result.to_string(),
    }
}

fn shown_paths(event: &Event, data: &DataPaths) -> String {
    // Of the calls with a directory's descriptor, all have it as first argument.
    let relative = event.call.path_arguments().next() == Some(1);
    let shown: Vec<_> = event.paths.iter().map(|path| data.shown(path, relative)).collect();
    shown.join(", ")
}

fn opening(open_flags: u64, mode: u64) -> String {
    let mode =
        if flags::open_takes_mode(open_flags) { format!("{:04o}", mode & 0o7777) } else { String::new() };
    listed([flags::open_flags(open_flags), mode])
}

fn control(command: u64, argument: u64) -> String {
    let name = flags::fcntl_command(command);
    let value = match name.as_str() {
        "F_SETFD" => flags::descriptor_flags(argument),
        "F_SETFL" => flags::open_flags(argument),
        "F_DUPFD" | "F_DUPFD_CLOEXEC" | "F_SETPIPE_SZ" => argument.to_string(),
        _ => String::new(),
    };
    listed([name, value])
}

fn mapping(length: u64, protection: u64, map_flags: u64, offset: u64) -> String {
    let place = if flags::is_anonymous(map_flags) { String::new() } else { format!("offset {offset}") };
    let kind = format!("{length}, {}, {}", flags::protection(protection), flags::map_flags(map_flags));
    listed([kind, place])
}

fn buffers(count: u64) -> String {
    format!("{count} {}", if count == 1 { "buffer" } else { "buffers" })
}

/// Joins what is not empty.
fn listed(parts: [String; 2]) -> String {
    let present: Vec<_> = parts.into_iter().filter(|text| !text.is_empty()).collect();
    present.join(", ")
}

/// The leading arguments that look like numbers, of a call nothing is known about.
fn short_numbers(arguments: &[u64; 6]) -> String {
    let numbers = arguments.iter().take(3).take_while(|value| **value < 1 << 20);
    numbers.map(u64::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;

    fn event(name: &str, arguments: [u64; 6], paths: &[&str], result: i64) -> Event {
        let paths = paths.iter().map(|path| (*path).to_owned()).collect();
        let call = Call::named(name).unwrap();
        Event {
            tid: 1,
            call,
            arguments,
            result,
            failed: result < 0,
            paths,
            open_flags: Some(0o2_000_000),
            sequence: 0,
        }
    }

    fn check(name: &str, arguments: [u64; 6], paths: &[&str], expected: &str) {
        let data = DataPaths::new(["/srv/scratch/data-0", "/srv/scratch/data-1"]);
        assert_eq!(super::arguments(&event(name, arguments, paths, 0), &data), expected, "{name}");
    }

    const CWD: u64 = 0xffff_ff9c;

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn open_flags_are_named_from_literal_values() {
        check("openat", [CWD, 1, 0o2_000_000, 0, 0, 0], &["/srv/scratch/data-1"], "FILE, O_RDONLY|O_CLOEXEC");
        check("openat", [CWD, 1, 0o100_000, 0, 0, 0], &["/srv/scratch/data-1"], "FILE, O_RDONLY|O_LARGEFILE");
        check("openat", [CWD, 1, 0o101, 0o644, 0, 0], &["/new"], "/new, O_WRONLY|O_CREAT, 0644");
        check(
            "openat",
            [CWD, 1, 0o20_200_002, 0o600, 0, 0],
            &["/srv/scratch"],
            "DIR, O_RDWR|O_TMPFILE, 0600",
        );
        check("openat", [CWD, 1, 0o40_000, 0, 0, 0], &["/srv/scratch/data-0"], "FILE, O_RDONLY|O_DIRECT");
        check("openat", [CWD, 1, 0x4000_0000, 0, 0, 0], &["/x"], "/x, O_RDONLY|0x40000000");
        check("open", [1, 0o4_010_000, 0, 0, 0, 0], &["/x"], "/x, O_RDONLY|O_SYNC");
        check("openat2", [CWD, 1, 2, 24, 0, 0], &["/x"], "/x, O_RDONLY|O_CLOEXEC");
    }

    #[test]
    fn data_paths_are_known_whole_and_below_a_directory() {
        check("openat", [5, 1, 0, 0, 0, 0], &["data-1"], "FILE, O_RDONLY");
        #[cfg(target_arch = "x86_64")]
        check("open", [1, 0, 0, 0, 0, 0], &["data-1"], "data-1, O_RDONLY");
        check("newfstatat", [3, 1, 1, 0x1000, 0, 0], &[""], "\"\", AT_EMPTY_PATH");
        check("newfstatat", [CWD, 1, 1, 0, 0, 0], &["/srv/scratch"], "DIR, 0");
        check("readlink", [1, 1, 4096, 0, 0, 0], &["/srv"], "/srv");
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn commands_and_advice_have_names() {
        check("fcntl", [3, 3, 0, 0, 0, 0], &[], "F_GETFL");
        check("fcntl", [3, 2, 1, 0, 0, 0], &[], "F_SETFD, FD_CLOEXEC");
        check("fcntl", [3, 4, 0o4000, 0, 0, 0], &[], "F_SETFL, O_RDONLY|O_NONBLOCK");
        check("fadvise64", [3, 0, 0, 2, 0, 0], &[], "offset 0, 0, POSIX_FADV_SEQUENTIAL");
        check("madvise", [1 << 40, 8192, 4, 0, 0, 0], &[], "8192, MADV_DONTNEED");
        check("epoll_ctl", [4, 1, 3, 9, 0, 0], &[], "EPOLL_CTL_ADD");
        check("ioctl", [3, 0x5401, 9, 0, 0, 0], &[], "TCGETS");
        check("futex", [1 << 40, 0x81, 1, 0, 0, 0], &[], "FUTEX_WAKE");
        check("lseek", [3, u64::MAX, 1, 0, 0, 0], &[], "-1, SEEK_CUR");
        check("statx", [CWD, 1, 0x100, 0xfff, 0, 0], &["/x"], "/x, AT_SYMLINK_NOFOLLOW, STATX_ALL");
        check("access", [1, 4, 0, 0, 0, 0], &["/x"], "/x, R_OK");
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn sizes_and_mappings() {
        check("read", [3, 1 << 40, 65536, 0, 0, 0], &[], "65536");
        check("pread64", [3, 1 << 40, 4096, 8192, 0, 0], &[], "4096, offset 8192");
        check("mmap", [0, 4096, 1, 1, 3, 8192], &[], "4096, PROT_READ, MAP_SHARED, offset 8192");
        check(
            "mmap",
            [0, 4096, 3, 0x22, u64::MAX, 0],
            &[],
            "4096, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS",
        );
        check(
            "preadv2",
            [3, 1 << 40, 1, u64::MAX, 0, 0x88],
            &[],
            "1 buffer, offset -1, RWF_NOWAIT|RWF_DONTCACHE",
        );
        check("close", [3, 7, 7, 7, 0, 0], &[], "");
        check("socket", [1, 2, 1 << 40, 0, 0, 0], &[], "1, 2");
    }

    #[test]
    fn results_are_numbers_names_or_addresses() {
        assert_eq!(result(&event("epoll_ctl", [0; 6], &[], -1)), "EPERM");
        assert_eq!(result(&event("openat", [0; 6], &[], 3)), "3");
        assert_eq!(result(&event("mmap", [0; 6], &[], 0x7f00_0000_0000)), "address");
    }
}
