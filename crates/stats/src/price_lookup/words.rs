//! The words that bear on the price of a call: which of those in its arguments, its
//! flags or in the phrase of a price are kept, for each family of calls.

use std::collections::BTreeSet;

/// Calls whose conditions are told apart in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Open,
    Close,
    Stat,
    Read,
    Write,
    Sync,
    Map,
    Unmap,
    List,
    /// Bytes that the kernel moves from one file to another.
    Copy,
    /// What is no call of its own: faults, pages.
    Event,
    Other,
}

impl Family {
    /// The family of a call by its kernel name.
    pub(crate) fn of(call: &str) -> Self {
        match plain_name(call) {
            "open" | "openat" | "openat2" | "creat" => Self::Open,
            "close" => Self::Close,
            "stat" | "lstat" | "newfstatat" | "fstatat64" | "statx" => Self::Stat,
            "read" | "readv" | "pread64" | "preadv" | "preadv2" => Self::Read,
            "write" | "writev" | "pwrite64" | "pwritev" | "pwritev2" => Self::Write,
            "fsync" | "fdatasync" | "syncfs" | "sync_file_range" => Self::Sync,
            "mmap" | "mremap" | "madvise" | "mprotect" => Self::Map,
            "munmap" => Self::Unmap,
            "getdents64" => Self::List,
            "copy_file_range" | "sendfile" | "splice" => Self::Copy,
            event if event.contains('-') => Self::Event,
            _ => Self::Other,
        }
    }
}

/// The call that an operation of a ring stands for: `openat` of `io_uring:openat`.
pub(crate) fn plain_name(call: &str) -> &str {
    call.strip_prefix("io_uring:").unwrap_or(call)
}

/// The words of a text that bear on the price of the call.
pub(crate) fn kept_words<'a>(call: &str, text: &'a str) -> BTreeSet<&'a str> {
    let family = Family::of(call);
    words(text).map(|word| one_word(family, word)).filter(|word| bears(family, word)).collect()
}

/// One word for what has several, or takes the same way through the kernel.
fn one_word(family: Family, word: &str) -> &str {
    match (family, word) {
        (Family::Open, "O_RDWR") => "O_WRONLY",
        (Family::Stat, "AT_EMPTY_PATH") => "descriptor",
        (Family::Write, "appending") => "append",
        (Family::Map, "MADV_NORMAL" | "MADV_RANDOM") => "MADV_SEQUENTIAL",
        (Family::List, "258") => "many",
        (Family::Other, "POSIX_FADV_NORMAL" | "POSIX_FADV_RANDOM") => "POSIX_FADV_SEQUENTIAL",
        (Family::Other, "TCGETS2") => "TCGETS",
        _ => word,
    }
}

fn bears(family: Family, word: &str) -> bool {
    let is = |known: &[&str]| known.contains(&word);
    match family {
        Family::Open => is(&["new", "existing", "empty"]) || (word.starts_with("O_") && !is(&IDLE_FLAGS)),
        Family::Stat => is(&["descriptor", "directory"]),
        Family::Close => is(&["written", "truncated", "epoll", "directory"]),
        Family::Read => is(&["end", "eventfd"]) || word.starts_with("RWF_"),
        Family::Write => is(&["append", "eventfd", "large"]) || word.starts_with("RWF_"),
        Family::Sync => is(&["dirty", "clean"]),
        Family::Map => is(&["MAP_ANONYMOUS", "MAP_POPULATE"]) || word.starts_with("MADV_"),
        Family::Unmap => is(&["untouched", "memory"]),
        Family::List => is(&["end", "many"]),
        Family::Copy => is(&["end"]),
        Family::Event => is(&[AROUND, AHEAD]),
        Family::Other => {
            is(&["TCGETS", "TIOCGWINSZ", "FIONREAD", "directory"])
                || COMMANDS.iter().any(|prefix| word.starts_with(prefix))
        }
    }
}

/// True of a word without which it is another call's price: another command, memory
/// and not a file, by descriptor and not by path.
pub(crate) fn decides(call: &str, word: &str) -> bool {
    match Family::of(call) {
        Family::Stat => word == "descriptor",
        Family::Close => word == "epoll",
        Family::Read | Family::Write => matches!(word, "end" | "eventfd"),
        Family::Map => word == "MAP_ANONYMOUS" || word.starts_with("MADV_"),
        Family::List | Family::Copy => word == "end",
        Family::Other => is_flag(word) && !word.starts_with("SEEK_"),
        Family::Open | Family::Sync | Family::Unmap | Family::Event => false,
    }
}

/// True of a word that stands in the arguments of a call. The others tell what was
/// before: of which state the file was, what had been done to it.
pub(crate) fn is_flag(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_uppercase())
}

/// A listing of more bytes than this is nearer to one of hundreds of names than of tens.
pub(crate) const MANY_NAMES_BYTES: u64 = 2048;

/// A fault that maps cached pages around it too.
pub(crate) const AROUND: &str = "around";
/// Pages that are brought in many at once.
pub(crate) const AHEAD: &str = "ahead";

/// Flags that change nothing of what the kernel does to open a file.
const IDLE_FLAGS: [&str; 9] = [
    "O_RDONLY",
    "O_CLOEXEC",
    "O_LARGEFILE",
    "O_NOATIME",
    "O_NOCTTY",
    "O_NONBLOCK",
    "O_NOFOLLOW",
    "O_EXCL",
    "O_APPEND",
];

/// How the commands of calls with several begin.
const COMMANDS: [&str; 5] = ["F_", "POSIX_FADV_", "FUTEX_", "EPOLL_CTL_", "SEEK_"];

/// Without what another word says already.
pub(crate) fn settled<'a>(call: &str, mut words: BTreeSet<&'a str>) -> BTreeSet<&'a str> {
    if Family::of(call) == Family::Open {
        let makes = words.contains("O_CREAT") || words.contains("O_TRUNC");
        if words.iter().any(|word| word.starts_with("O_") && *word != "O_WRONLY") {
            words.remove("O_WRONLY");
        }
        if !makes {
            words.remove("existing");
        }
        if words.contains("new") {
            words.remove("O_TRUNC");
        }
    }
    words
}

/// True of a call that walks a path.
pub(crate) fn takes_path(call: &str) -> bool {
    let call = plain_name(call);
    matches!(Family::of(call), Family::Open | Family::Stat)
        || ["access", "readlink", "unlink", "rename", "mkdir", "rmdir", "symlink", "link", "faccess", "chmod"]
            .iter()
            .any(|name| call.starts_with(name))
}

/// The words of a text: flags stay whole.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}
