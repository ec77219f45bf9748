//! The words that bear on the price of a call: which of those in the arguments of
//! a step or in the phrase of a price are kept, for each family of calls.

use std::collections::BTreeSet;

/// Calls whose conditions are told apart in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    Open,
    Close,
    Stat,
    Read,
    Write,
    Sync,
    Map,
    Unmap,
    List,
    /// What is no call of its own: faults, pages.
    Event,
    Other,
}

impl Family {
    /// The family of a call by its kernel name.
    pub(super) fn of(call: &str) -> Self {
        match call {
            "open" | "openat" | "openat2" | "creat" => Self::Open,
            "close" => Self::Close,
            "stat" | "lstat" | "newfstatat" | "fstatat64" | "statx" => Self::Stat,
            "read" | "readv" | "pread64" | "preadv" | "preadv2" => Self::Read,
            "write" | "writev" | "pwrite64" | "pwritev" | "pwritev2" => Self::Write,
            "fsync" | "fdatasync" | "syncfs" | "sync_file_range" => Self::Sync,
            "mmap" | "mremap" | "madvise" | "mprotect" => Self::Map,
            "munmap" => Self::Unmap,
            "getdents64" => Self::List,
            event if event.contains('-') => Self::Event,
            _ => Self::Other,
        }
    }
}

/// The words of a text that bear on the price of the call.
pub(super) fn kept_words<'a>(call: &str, text: &'a str) -> BTreeSet<&'a str> {
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
        Family::Open => is(&["new", "existing"]) || (word.starts_with("O_") && !is(&IDLE_FLAGS)),
        Family::Stat => is(&["descriptor"]),
        Family::Close => is(&["written", "truncated", "epoll"]),
        Family::Read => is(&["end", "eventfd"]) || word.starts_with("RWF_"),
        Family::Write => is(&["append", "eventfd", "large"]) || word.starts_with("RWF_"),
        Family::Sync => is(&["dirty", "clean"]),
        Family::Map => is(&["MAP_ANONYMOUS", "MAP_POPULATE"]) || word.starts_with("MADV_"),
        Family::Unmap => is(&["untouched", "memory"]),
        Family::List => is(&["end", "many"]),
        Family::Event => is(&[AROUND, AHEAD]),
        Family::Other => {
            is(&["TCGETS", "TIOCGWINSZ", "FIONREAD", "directory"])
                || COMMANDS.iter().any(|prefix| word.starts_with(prefix))
        }
    }
}

/// A fault that maps cached pages around it too.
pub(super) const AROUND: &str = "around";
/// Pages that are brought in many at once.
pub(super) const AHEAD: &str = "ahead";

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
pub(super) fn settled<'a>(call: &str, mut words: BTreeSet<&'a str>) -> BTreeSet<&'a str> {
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
pub(super) fn takes_path(call: &str) -> bool {
    matches!(Family::of(call), Family::Open | Family::Stat)
        || ["access", "readlink", "unlink", "rename", "mkdir", "rmdir", "symlink", "link", "faccess", "chmod"]
            .iter()
            .any(|name| call.starts_with(name))
}

/// The words of a text: flags stay whole.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}
