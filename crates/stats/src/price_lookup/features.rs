//! What of a condition bears on the price of its call, feature by feature, so that two
//! conditions can be held against each other; for each family of calls.

use fathom_model::{CallCondition, FileKind, FileState, ReachedBy};
use std::collections::BTreeSet;

/// One thing that tells a condition apart from others of its call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Feature<'a> {
    /// A flag or command.
    Flag(&'a str),
    /// By descriptor, of a call that takes a path as well.
    Descriptor,
    /// No regular file.
    On(FileKind),
    /// What the arguments do not show.
    State(&'a FileState),
}

/// Features that bear on the price.
pub(crate) type Features<'a> = BTreeSet<Feature<'a>>;

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

/// What of a condition bears on its price, without what another feature says already.
pub(crate) fn features(condition: &CallCondition) -> Features<'_> {
    let (family, form) = (Family::of(&condition.call), &condition.form);
    let mut features: Features<'_> = form.flags.names().filter_map(|flag| of_flag(family, flag)).collect();
    if family == Family::Stat && form.by == Some(ReachedBy::Descriptor) {
        features.insert(Feature::Descriptor);
    }
    let other_kind = form.on.filter(|kind| !matches!(kind, FileKind::Regular | FileKind::Other));
    // A listing is of a directory in any case.
    features.extend(other_kind.filter(|_| family != Family::List).map(Feature::On));
    let states = form.state.iter().flat_map(|state| of_state(family, state));
    features.extend(states.map(Feature::State));
    if family == Family::Open { settled(features) } else { features }
}

/// One feature for flags that take the same way through the kernel; none where a flag changes nothing.
fn of_flag(family: Family, flag: &str) -> Option<Feature<'_>> {
    let flag = match (family, flag) {
        (Family::Open, "O_RDWR") => "O_WRONLY",
        (Family::Stat, "AT_EMPTY_PATH") => return Some(Feature::Descriptor),
        (Family::Map, "MADV_NORMAL" | "MADV_RANDOM") => "MADV_SEQUENTIAL",
        (Family::Other, "POSIX_FADV_NORMAL" | "POSIX_FADV_RANDOM") => "POSIX_FADV_SEQUENTIAL",
        (Family::Other, "TCGETS2") => "TCGETS",
        _ => flag,
    };
    let bears = match family {
        Family::Open => flag.starts_with("O_") && !IDLE_FLAGS.contains(&flag),
        Family::Read | Family::Write => flag.starts_with("RWF_"),
        Family::Map => matches!(flag, "MAP_ANONYMOUS" | "MAP_POPULATE") || flag.starts_with("MADV_"),
        Family::Other => {
            matches!(flag, "TCGETS" | "TIOCGWINSZ" | "FIONREAD")
                || COMMANDS.iter().any(|prefix| flag.starts_with(prefix))
        }
        Family::Close
        | Family::Stat
        | Family::Sync
        | Family::Unmap
        | Family::List
        | Family::Copy
        | Family::Event => false,
    };
    bears.then_some(Feature::Flag(flag))
}

/// The states that one is: an empty file is an existing one. None where prices of the family do
/// not tell it apart.
fn of_state(family: Family, state: &FileState) -> &[FileState] {
    use FileState as S;
    match state {
        S::ExistingEmptyFile => &[S::ExistingFile, S::ExistingEmptyFile],
        S::TruncatedAndWritten => &[S::WrittenOver, S::TruncatedAndWritten],
        // An end is an end.
        S::NoNames => &[S::AtEnd],
        S::NewFile
        | S::ExistingFile
        | S::WrittenOver
        | S::AtEnd
        | S::OverLargeFolios
        | S::Appending
        | S::Clean
        | S::OneDirtyPage
        | S::Untouched
        | S::MemoryWritten
        | S::ManyNames
        | S::EmptyDirectory
        | S::MappedAround
        | S::Other(_) => std::slice::from_ref(state),
        // Of reads, pages that come alone or ahead are told apart by the cache's state.
        S::ReadAhead if family == Family::Event => std::slice::from_ref(state),
        S::ReadAhead
        | S::OpenForReading
        | S::RegularFile
        | S::InOrder
        | S::OverCached
        | S::ToNothing
        | S::LongerByHole
        | S::OfFile
        | S::OfMemory
        | S::FileRead
        | S::InTurnWithNormal
        | S::OfCachedPages
        | S::OfUntouchedMemory
        | S::HeapEndAsked
        | S::NothingSubmitted
        | S::WritableInTurn
        | S::OfNobody
        | S::MaskAsked
        | S::FewNames
        | S::ToNewName
        | S::OverExistingFile
        | S::MappedAlone
        | S::FirstWrite
        | S::OneByOne => &[],
    }
}

/// An open's features without what another says already.
fn settled(mut features: Features<'_>) -> Features<'_> {
    let write_only = Feature::Flag("O_WRONLY");
    let truncates = Feature::Flag("O_TRUNC");
    let makes = features.contains(&Feature::Flag("O_CREAT")) || features.contains(&truncates);
    if features.iter().any(|feature| matches!(feature, Feature::Flag(_)) && *feature != write_only) {
        features.remove(&write_only);
    }
    if !makes {
        features.remove(&Feature::State(&FileState::ExistingFile));
    }
    if features.contains(&Feature::State(&FileState::NewFile)) {
        features.remove(&truncates);
    }
    features
}

impl Feature<'_> {
    /// True of one without which it is another call's price: another command, memory
    /// and not a file, by descriptor and not by path, no file at all.
    pub(crate) fn decides(&self, call: &str) -> bool {
        match (self, Family::of(call)) {
            (Self::Descriptor | Self::State(FileState::Other(_)), _) => true,
            (Self::On(kind), _) => *kind != FileKind::Directory,
            (Self::State(state), Family::Read | Family::Write | Family::List | Family::Copy) => {
                **state == FileState::AtEnd
            }
            (Self::Flag(flag), Family::Map) => *flag == "MAP_ANONYMOUS" || flag.starts_with("MADV_"),
            (Self::Flag(flag), Family::Other) => !flag.starts_with("SEEK_"),
            (Self::State(_) | Self::Flag(_), _) => false,
        }
    }
}

/// A listing of more bytes than this is nearer to one of hundreds of names than of tens.
pub(crate) const MANY_NAMES_BYTES: u64 = 2048;

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

/// True of a call that walks a path.
pub(crate) fn takes_path(call: &str) -> bool {
    let call = plain_name(call);
    matches!(Family::of(call), Family::Open | Family::Stat)
        || ["access", "readlink", "unlink", "rename", "mkdir", "rmdir", "symlink", "link", "faccess", "chmod"]
            .iter()
            .any(|name| call.starts_with(name))
}
