//! A system call under one condition: what prices are taken of, what breakdowns and counts ask a
//! price for, and how either is said in words.

pub mod call_form;

use crate::{CacheState, CallOutcome, FileKind};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// A call, and all that its price depends on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CallCondition {
    /// The kernel's name of the call, `io_uring:openat` for an operation of a ring; or an event that
    /// is priced like one: `minor-fault-file`, `minor-fault-anonymous`, `major-fault`,
    /// `page-cache-fill` (per page brought in from the device, the CPU's part).
    pub call: String,
    /// How it is made.
    pub form: CallForm,
    /// How it ends.
    pub outcome: CallOutcome,
    /// Components of the path walked, for calls that take one.
    pub path_components: Option<u32>,
    /// Bytes moved or mapped, for calls that do.
    pub size_bytes: Option<u64>,
    /// The page cache's state, where it matters.
    pub cache: Option<CacheState>,
}

/// How a call is made: its arguments and its file, as far as they bear on its price.
///
/// In words it is what [`fmt::Display`] writes and [`FromStr`] reads:
/// `O_CREAT of a new file`, `by descriptor, AT_EMPTY_PATH, of a directory`.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CallForm {
    /// Flags or the command.
    pub flags: CallFlags,
    /// How the file is named; `None` where a call has one way only.
    pub by: Option<ReachedBy>,
    /// What its descriptor leads to; `None` for a regular file, for a directory in calls of
    /// directories alone, and for calls without a descriptor.
    pub on: Option<FileKind>,
    /// What the arguments do not show.
    pub state: Option<FileState>,
}

/// Flags and commands as the kernel names them: `O_WRONLY|O_CREAT`, `F_GETFL`, or none.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallFlags(Cow<'static, str>);

/// How a call names its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReachedBy {
    /// By a descriptor alone.
    Descriptor,
    /// By a path below a directory.
    Path,
    /// By a path from the root.
    AbsolutePath,
}

/// Declares the states with their words, each in one line.
macro_rules! file_states {
    ($($(#[$about:meta])* $name:ident = $words:literal,)+) => {
        /// What a call meets that its arguments do not show: the file's state, what was done to it
        /// before, where in it the call works.
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum FileState {
            $($(#[$about])* $name,)+
            /// One that this Fathom does not know, in the words of the list that has it.
            Other(String),
        }

        impl FileState {
            /// The states that are known.
            pub const KNOWN: &'static [Self] = &[$(Self::$name),+];

            /// The state in words.
            pub fn words(&self) -> &str {
                match self {
                    $(Self::$name => $words,)+
                    Self::Other(words) => words,
                }
            }
        }
    };
}

file_states! {
    /// An open makes the file.
    NewFile = "of a new file",
    /// An open that could make the file finds it.
    ExistingFile = "of an existing file",
    /// The same, and the file holds nothing.
    ExistingEmptyFile = "of an existing empty file",
    /// A close after reads.
    OpenForReading = "of a file open for reading",
    /// A close after cached bytes were written over.
    WrittenOver = "of a file written over",
    /// A close after `O_TRUNC` and writes.
    TruncatedAndWritten = "of a file truncated and written",
    /// What an epoll instance is to watch.
    RegularFile = "of a regular file",
    /// Blocks one after the other, into a buffer that is used again.
    InOrder = "in order, reused buffer",
    /// Nothing is left to read.
    AtEnd = "at the end of the file",
    /// Cached bytes are written over.
    OverCached = "over cached pages",
    /// The same where the file was written in blocks of 1 MiB.
    OverLargeFolios = "over cached pages, large folios",
    /// Bytes are added at the end.
    Appending = "appending",
    /// A file is cut to nothing; the size is what it held.
    ToNothing = "to nothing",
    /// A file grows without writes.
    LongerByHole = "longer by a hole",
    /// A sync of what is on the device already.
    Clean = "of a clean file",
    /// A sync that has a page to write.
    OneDirtyPage = "with one dirty page",
    /// A mapping of a file.
    OfFile = "of a file",
    /// A mapping of memory.
    OfMemory = "of memory",
    /// Nobody touched the mapping.
    Untouched = "untouched",
    /// Every page of a mapped file was read.
    FileRead = "of a file, every page read",
    /// Every page of mapped memory was written.
    MemoryWritten = "of memory, every page written",
    /// Advice that undoes itself at every second call.
    InTurnWithNormal = "and MADV_NORMAL in turn",
    /// Advice about what is cached.
    OfCachedPages = "of cached pages",
    /// Advice about what nobody touched.
    OfUntouchedMemory = "of untouched memory",
    /// `brk` that changes nothing.
    HeapEndAsked = "asking where the heap ends",
    /// `io_uring_enter` of a ring that has nothing to do.
    NothingSubmitted = "with nothing to submit",
    /// `mprotect` that undoes itself at every second call.
    WritableInTurn = "read-only and writable in turn",
    /// Nobody waits.
    OfNobody = "of nobody",
    /// `rt_sigprocmask` that changes nothing.
    MaskAsked = "asking for the mask",
    /// A listing of 18 names, two of them `.` and `..`.
    FewNames = "18 names",
    /// A listing of 258 names.
    ManyNames = "258 names",
    /// A listing that has nothing left.
    NoNames = "at the end of the directory",
    /// A directory that is removed.
    EmptyDirectory = "of an empty directory",
    /// A rename to a name that is free.
    ToNewName = "to a new name",
    /// A rename over a file.
    OverExistingFile = "over an existing file",
    /// A fault that maps cached pages of a file, as many as the size holds.
    MappedAround = "read, pages around it mapped too",
    /// A fault that maps the one page of its mapping.
    MappedAlone = "read, alone in its mapping",
    /// A fault that makes a page of memory.
    FirstWrite = "written for the first time",
    /// A page brought in, by random access without read-ahead.
    OneByOne = "one by one, POSIX_FADV_RANDOM",
    /// Pages brought in in order, with read-ahead.
    ReadAhead = "in order, with read-ahead",
}

/// Words of kept lists that are written otherwise now.
const OLDER_WORDS: [(&str, &str); 2] = [
    ("of a file, MAP_SHARED", "MAP_SHARED of a file"),
    ("of memory, MAP_ANONYMOUS", "MAP_ANONYMOUS of memory"),
];

impl CallCondition {
    /// A call of this form that succeeds.
    pub fn new(call: impl Into<String>, form: CallForm) -> Self {
        let outcome = CallOutcome::Succeeded;
        Self { call: call.into(), form, outcome, path_components: None, size_bytes: None, cache: None }
    }

    /// The same, and it fails with this errno.
    #[must_use]
    pub fn failing(self, errno: impl Into<String>) -> Self {
        Self { outcome: CallOutcome::Failed(errno.into()), ..self }
    }

    /// The same by a path of so many components.
    #[must_use]
    pub fn deep(self, path_components: u32) -> Self {
        Self { path_components: Some(path_components), ..self }
    }

    /// The same of so many bytes.
    #[must_use]
    pub fn sized(self, bytes: usize) -> Self {
        Self { size_bytes: Some(bytes as u64), ..self }
    }

    /// The same with the pages that it needs in the page cache, or not.
    #[must_use]
    pub fn cached(self, state: CacheState) -> Self {
        Self { cache: Some(state), ..self }
    }

    /// The errno's name where it fails.
    pub fn errno(&self) -> Option<&str> {
        self.outcome.errno()
    }

    /// False of faults and pages, which are priced like calls.
    pub fn is_call(&self) -> bool {
        !self.call.contains('-')
    }
}

/// `openat=ENOENT (O_RDONLY)`, without path and size.
impl fmt::Display for CallCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.call)?;
        if let Some(errno) = self.errno() {
            write!(f, "={errno}")?;
        }
        let form = self.form.to_string();
        if form.is_empty() { Ok(()) } else { write!(f, " ({form})") }
    }
}

impl CallForm {
    /// The same on what a descriptor of this kind leads to.
    #[must_use]
    pub fn on(self, kind: FileKind) -> Self {
        Self { on: Some(kind), ..self }
    }

    /// The same of a file in this state.
    #[must_use]
    pub fn of(self, state: FileState) -> Self {
        Self { state: Some(state), ..self }
    }
}

impl fmt::Display for CallForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let below = match self.by {
            Some(ReachedBy::Descriptor) => "by descriptor",
            Some(ReachedBy::Path) => "by path",
            Some(ReachedBy::AbsolutePath) | None => "",
        };
        let kind = self.on.and_then(kind_words).unwrap_or_default();
        let state = self.state.as_ref().map_or("", FileState::words);
        let absolute = if self.by == Some(ReachedBy::AbsolutePath) { ABSOLUTE } else { "" };
        let mut before = "";
        for part in
            [below, self.flags.as_str(), kind, state, absolute].into_iter().filter(|part| !part.is_empty())
        {
            // What flags are applied to follows them without a comma.
            let goes_on = before == self.flags.as_str() && below.is_empty();
            let separator = if before.is_empty() {
                ""
            } else if goes_on {
                " "
            } else {
                ", "
            };
            write!(f, "{separator}{part}")?;
            before = part;
        }
        Ok(())
    }
}

const ABSOLUTE: &str = "by absolute path";

/// Kinds that are said; a regular file is not, and of the others there is no price.
const KINDS: [(FileKind, &str); 3] = [
    (FileKind::Directory, "of a directory"),
    (FileKind::Eventfd, "of an eventfd"),
    (FileKind::Epoll, "of an epoll instance"),
];

fn kind_words(kind: FileKind) -> Option<&'static str> {
    KINDS.iter().find(|(known, _)| *known == kind).map(|(_, words)| *words)
}

/// Reads what is written, now or by older versions, in kept lists: the only place where
/// a condition is taken from words.
impl FromStr for CallForm {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let text = OLDER_WORDS.iter().find(|(older, _)| *older == text).map_or(text, |(_, now)| now);
        let (by, rest) = None
            .or_else(|| Some((ReachedBy::Descriptor, text.strip_prefix("by descriptor")?)))
            .or_else(|| Some((ReachedBy::Path, text.strip_prefix("by path")?)))
            .or_else(|| Some((ReachedBy::AbsolutePath, text.strip_suffix(ABSOLUTE)?)))
            .map_or((None, text), |(by, rest)| (Some(by), rest));
        let rest = rest.trim_matches([',', ' ']);
        let is_of_flag = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '_' | '|');
        let end = rest.find(|c| !is_of_flag(c)).unwrap_or(rest.len());
        let has_flags = rest.starts_with(|c: char| c.is_ascii_uppercase());
        let (flags, rest) = if has_flags { rest.split_at(end) } else { ("", rest) };
        let rest = rest.trim_start_matches([',', ' ']);
        let on = KINDS.iter().find(|(_, words)| *words == rest).map(|(kind, _)| *kind);
        let state = (on.is_none() && !rest.is_empty()).then(|| FileState::from_words(rest));
        Ok(Self { flags: CallFlags::from(flags), by, on, state })
    }
}

impl FileState {
    fn from_words(words: &str) -> Self {
        let known = Self::KNOWN.iter().find(|state| state.words() == words);
        known.cloned().unwrap_or_else(|| Self::Other(words.to_owned()))
    }
}

impl CallFlags {
    /// `O_WRONLY|O_CREAT`; empty where there are none.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// One by one.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.split('|').filter(|name| !name.is_empty())
    }

    /// True where this one is among them.
    pub fn has(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }
}

impl<'a> FromIterator<&'a str> for CallFlags {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        Self(Cow::Owned(names.into_iter().collect::<Vec<_>>().join("|")))
    }
}

impl From<&str> for CallFlags {
    fn from(text: &str) -> Self {
        Self(Cow::Owned(text.to_owned()))
    }
}

#[cfg(test)]
mod tests;
