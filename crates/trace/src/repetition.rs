//! Calls that are made once more, or delayed, inside the program: which of them, by a number that
//! the hook's code computes of each call as it is made, and that is computed here of its event.
//!
//! Only calls that ask have a question: to make them again changes nothing that the program or
//! anybody else can tell from its files (`is_repeatable`). The number is of the call, of its path as
//! the program gave it or of how its descriptor was opened, and of what its flags say; times,
//! buffers and offsets are not in it.

#[cfg(target_arch = "x86_64")]
mod effects;

use crate::call::Call;
#[cfg(target_arch = "x86_64")]
pub(crate) use effects::{EFFECTS, Effect};
use fathom_events::{ControlCommand, FileAction, FileEvent, PathTable, Target, Whence};
use std::collections::{BTreeSet, HashMap};
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;
use std::time::Duration;

/// What a call asks, as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Question(pub(crate) u64);

/// What is done at the calls that are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Treatment {
    /// Each is made so many times more, after itself. 0 leaves it as it is, with the same watching.
    Again(u32),
    /// The program sleeps so long behind each. 0 leaves it as it is.
    Delayed(Duration),
    /// Each whose answer is known from a call before is not made: the program gets that answer.
    Elided(Elision),
}

/// What is done with a call whose answer is known from a call before. Everything but that is alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Elision {
    /// It is made.
    Made,
    /// It is made, and its answer held against the one that is known.
    Compared,
    /// It is not made.
    Answered,
}

/// Which calls are treated, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repetition {
    pub(crate) questions: BTreeSet<Question>,
    pub(crate) treatment: Treatment,
    pub(crate) windows: Option<Arc<Windows>>,
}

/// What is done changes inside each thread, from one window of its calls to the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Windows {
    /// So many consecutive calls of a thread are a window: of those that are treated or, where they are left out,
    /// whose answer is known.
    pub calls: u32,
    /// What is done in each two windows of a thread, pair by pair, again from the beginning after the last: how
    /// often calls are made again; where they are left out, 1 is left out and 0 made.
    pub pairs: Vec<[u32; 2]>,
}

impl Windows {
    /// What is done in a window of a thread, by its number from 0.
    pub fn amount(&self, number: u64) -> u32 {
        let pair = usize::try_from(number / 2).unwrap_or(0) % self.pairs.len().max(1);
        self.pairs.get(pair).map_or(0, |pair| pair[usize::from(number % 2 == 1)])
    }
}

/// More questions than these are refused: the hook's table has twice the room.
pub const MOST_QUESTIONS: usize = 8192;

impl Repetition {
    /// Of so many questions; `None` where there are more than [`MOST_QUESTIONS`].
    pub fn new(questions: BTreeSet<Question>, treatment: Treatment) -> Option<Self> {
        (questions.len() <= MOST_QUESTIONS).then_some(Self { questions, treatment, windows: None })
    }

    /// The same calls, treated otherwise.
    #[must_use]
    pub fn with(&self, treatment: Treatment) -> Self {
        Self { questions: self.questions.clone(), treatment, windows: None }
    }

    /// The same with what is done changing from window to window. A treatment of [`Treatment::Again`] or
    /// [`Treatment::Elided`] says which of the two it is; how often is by window.
    #[must_use]
    pub fn in_windows(self, windows: Windows) -> Self {
        Self { windows: Some(Arc::new(windows)), ..self }
    }
}

/// What of a call's arguments is in its question: positions of arguments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// The descriptor: how it was opened where the call names no path, else its number.
    pub(crate) descriptor: Option<usize>,
    /// Taken in whole, 64 bits.
    pub(crate) wide: Option<usize>,
    /// The lower 32 bits of it.
    pub(crate) narrow: Option<usize>,
    /// Its path is in it.
    pub(crate) path: bool,
    /// It makes a descriptor, which has to be closed where the call is made again.
    pub(crate) opens: bool,
    /// Arguments that the answer rests on, and which are not in the question.
    pub(crate) extra: [Option<usize>; 2],
}

/// Descriptors above are not followed.
pub(crate) const DESCRIPTORS: i32 = 1024;

const fn on_path(descriptor: Option<usize>, narrow: Option<usize>) -> Shape {
    Shape { descriptor, wide: None, narrow, path: true, opens: false, extra: [None; 2] }
}

const fn with(first: usize, second: Option<usize>, shape: Shape) -> Shape {
    Shape { extra: [Some(first), second], ..shape }
}

const fn on_descriptor(wide: Option<usize>, narrow: Option<usize>) -> Shape {
    Shape { descriptor: Some(0), wide, narrow, path: false, opens: false, extra: [None; 2] }
}

/// Calls that have a question.
pub(crate) const SHAPES: [(&str, Shape); 20] = [
    ("stat", on_path(None, None)),
    ("lstat", on_path(None, None)),
    ("newfstatat", with(3, None, on_path(Some(0), None))),
    ("statx", with(2, Some(3), on_path(Some(0), None))),
    ("access", on_path(None, Some(1))),
    ("faccessat", on_path(Some(0), Some(2))),
    ("faccessat2", with(3, None, on_path(Some(0), Some(2)))),
    ("readlink", with(2, None, on_path(None, None))),
    ("readlinkat", with(3, None, on_path(Some(0), None))),
    ("open", Shape { opens: true, ..on_path(None, Some(1)) }),
    ("openat", Shape { opens: true, ..on_path(Some(0), Some(2)) }),
    ("fstat", on_descriptor(None, None)),
    ("lseek", on_descriptor(Some(1), Some(2))),
    ("fcntl", on_descriptor(None, Some(1))),
    ("ioctl", on_descriptor(None, Some(1))),
    ("pread64", on_descriptor(None, None)),
    ("epoll_ctl", with(0, None, Shape { descriptor: Some(2), ..on_descriptor(None, Some(1)) })),
    // These change what they are about: they may be delayed, and are never made again.
    ("fsync", on_descriptor(None, None)),
    ("fdatasync", on_descriptor(None, None)),
    ("read", on_descriptor(None, None)),
];

/// True of a call that has a question with a path in it.
pub(crate) fn has_path(call: &str) -> bool {
    SHAPES.iter().any(|(name, shape)| *name == call && shape.path)
}

/// What is mixed into the number, and by what it is multiplied (FNV-1a of 64 bits).
pub(crate) const SEED: u64 = 0xcbf2_9ce4_8422_2325;
pub(crate) const PRIME: u64 = 0x0100_0000_01b3;

fn mix(number: u64, word: u64) -> u64 {
    (number ^ word).wrapping_mul(PRIME)
}

/// Follows events, and says what each asks.
#[derive(Debug, Default)]
pub struct Questions {
    /// By thread and descriptor: what the open asked. The hook's code remembers by thread, too.
    opened: HashMap<(u32, i32), u64>,
}

impl Questions {
    /// Nothing was opened yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// What a call asks; `None` of one whose question the hook does not know. Every event has to be
    /// told, in order.
    pub fn ask(&mut self, event: &FileEvent, paths: &PathTable) -> Option<Question> {
        let (_, shape) = SHAPES.iter().find(|(name, _)| *name == event.call)?;
        let number = Call::named(event.call)?.number;
        let asked = self.number(number, *shape, event, paths)?;
        if shape.opens
            && let Some(descriptor) = event.outcome.descriptor()
        {
            self.opened.insert((event.thread, descriptor), asked);
        }
        Some(Question(asked))
    }

    fn number(&self, number: u64, shape: Shape, event: &FileEvent, paths: &PathTable) -> Option<u64> {
        let opened = |descriptor: i32| {
            let is_followed = (0..DESCRIPTORS).contains(&descriptor);
            is_followed.then(|| self.opened.get(&(event.thread, descriptor)).copied().unwrap_or(0))
        };
        let mut asked = mix(SEED, number);
        let target = match &event.action {
            FileAction::Open { target, .. }
            | FileAction::Stat { target, .. }
            | FileAction::Access { target, .. }
            | FileAction::ReadLink { target, .. } => Some(*target),
            _ => None,
        };
        let descriptor = match (&event.action, target) {
            (_, Some(Target::Descriptor(descriptor))) => Some(descriptor),
            (
                FileAction::Seek { descriptor, .. }
                | FileAction::Control { descriptor, .. }
                | FileAction::DeviceControl { descriptor, .. }
                | FileAction::Read { descriptor, .. }
                | FileAction::Watch { descriptor, .. }
                | FileAction::Sync { descriptor: Some(descriptor), .. },
                _,
            ) => Some(*descriptor),
            _ => None,
        };
        match (shape.descriptor, descriptor, target) {
            (Some(_), Some(descriptor), _) => asked = mix(asked, opened(descriptor)?),
            (Some(_), None, Some(Target::Path { directory, .. })) => {
                asked = mix(asked, u64::from(directory.cast_unsigned()));
            }
            (None, _, _) => {}
            (Some(_), None, _) => return None,
        }
        if shape.wide.is_some() {
            let FileAction::Seek { offset, .. } = event.action else { return None };
            asked = mix(asked, offset.cast_unsigned());
        }
        if shape.narrow.is_some() {
            asked = mix(asked, u64::from(narrow(&event.action)?));
        }
        if shape.path {
            let path = match target {
                Some(Target::Path { path, .. }) => paths.path(path).as_bytes(),
                // An empty path: `newfstatat(fd, "", …)`.
                Some(Target::Descriptor(_)) if shape.descriptor.is_some() => b"",
                _ => return None,
            };
            asked = path.iter().chain(&[0]).fold(asked, |asked, byte| mix(asked, u64::from(*byte)));
        }
        Some(asked)
    }
}

fn narrow(action: &FileAction) -> Option<u32> {
    Some(match action {
        FileAction::Open { flags, .. } => flags.0,
        FileAction::Access { mode, .. } => *mode,
        FileAction::Seek { whence, .. } => match whence {
            Whence::Start => 0,
            Whence::Current => 1,
            Whence::End => 2,
            Whence::DataOrHole => return None,
        },
        FileAction::Control { command, .. } => match command {
            ControlCommand::GetDescriptorFlags => libc::F_GETFD.cast_unsigned(),
            ControlCommand::GetStatusFlags => libc::F_GETFL.cast_unsigned(),
            ControlCommand::SetStatusFlags(_) => libc::F_SETFL.cast_unsigned(),
            _ => return None,
        },
        FileAction::DeviceControl { request, .. } => *request,
        FileAction::Watch { add: true, .. } => libc::EPOLL_CTL_ADD.cast_unsigned(),
        _ => return None,
    })
}

/// True of a call that only asks: made once more, it changes no file, no descriptor and no
/// position. An open has to be of what opening does nothing to, which the caller has looked at.
pub fn is_repeatable(event: &FileEvent) -> bool {
    const ONLY_ASKS_TERMINAL: u32 = 0x5401;
    const CHANGES: u32 = 0o3 | 0o100 | 0o1000 | 0o20_000_000;
    const O_DIRECTORY: u32 = 0o200_000;
    let is_known = SHAPES.iter().any(|(name, _)| *name == event.call);
    is_known
        && match &event.action {
            FileAction::Stat { .. }
            | FileAction::Access { .. }
            | FileAction::ReadLink { .. }
            | FileAction::Seek { offset: 0, whence: Whence::Current, .. } => true,
            // O_TMPFILE has O_DIRECTORY in it, which alone makes nothing.
            FileAction::Open { flags, .. } => flags.0 & !O_DIRECTORY & CHANGES == 0,
            FileAction::Control { command, .. } => {
                matches!(command, ControlCommand::GetStatusFlags | ControlCommand::GetDescriptorFlags)
            }
            FileAction::DeviceControl { request, .. } => *request == ONLY_ASKS_TERMINAL,
            FileAction::Read { offset: Some(_), .. } => event.call == "pread64",
            _ => false,
        }
}

/// True of a call whose answer may be remembered: it only asks and made no descriptor, or it failed as it
/// will again, or sets what may be set already. What it is about has to be a file or directory, or not
/// there, which the caller has looked at.
pub fn is_answerable(event: &FileEvent) -> bool {
    let failed = event.outcome.errno();
    match &event.action {
        FileAction::Open { .. } => is_repeatable(event) && failed.is_some_and(is_lasting),
        FileAction::Watch { add: true, .. } => failed == Some(libc::EPERM),
        FileAction::Control { command: ControlCommand::SetStatusFlags(_), .. } => failed.is_none(),
        // A terminal's settings are not copied.
        FileAction::DeviceControl { .. } => is_repeatable(event) && failed == Some(libc::ENOTTY),
        FileAction::Read { .. } => false,
        _ => is_repeatable(event) && failed.is_none_or(is_lasting),
    }
}

/// Errors that come again as long as nothing changes. `EPERM` is one of `epoll_ctl` alone.
pub(crate) const LASTING: [i32; 7] =
    [libc::ENOENT, libc::EACCES, libc::ENOTDIR, libc::EINVAL, libc::ENOTTY, libc::ESPIPE, libc::ELOOP];

fn is_lasting(errno: i32) -> bool {
    LASTING.contains(&errno)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_events::{CallOutcome, OpenFlags};

    fn event(call: &'static str, action: FileAction, value: i64) -> FileEvent {
        let outcome = CallOutcome::Value(value);
        FileEvent {
            at_ns: 0,
            process: 1,
            thread: 1,
            call,
            action,
            outcome,
            took_ns: None,
            waited_ns: None,
            slept_ns: None,
            stack: None,
        }
    }

    #[test]
    fn descriptors_are_known_by_what_their_open_asked() {
        let mut paths = PathTable::new();
        let mut open = |path: &str| {
            let target = Target::path(paths.number(path.as_ref()));
            event("openat", FileAction::Open { target, flags: OpenFlags(0), mode: 0 }, 3)
        };
        let (first, other, again) = (open("a"), open("b"), open("a"));
        let stat = FileAction::Stat { target: Target::Descriptor(3), facts: None, mask: 0 };
        let stat = event("fstat", stat, 0);
        let mut questions = Questions::new();
        let asked: Vec<_> = [&first, &stat, &other, &stat, &again, &stat]
            .map(|event| questions.ask(event, &paths).unwrap())
            .into();
        assert_eq!((asked[0], asked[1]), (asked[4], asked[5]));
        assert_ne!(asked[1], asked[3]);
        assert_ne!(asked[0], asked[2]);
    }

    #[test]
    fn only_what_asks_may_be_made_again() {
        let mut paths = PathTable::new();
        let target = Target::path(paths.number("a".as_ref()));
        let open =
            |flags: u32| event("openat", FileAction::Open { target, flags: OpenFlags(flags), mode: 0 }, 3);
        assert!(is_repeatable(&open(0)) && is_repeatable(&open(0o2_200_000)));
        for changing in [1, 2, 0o100, 0o1000, 0o20_200_000] {
            assert!(!is_repeatable(&open(changing)), "{changing:o}");
        }
        let seek = |offset, whence| event("lseek", FileAction::Seek { descriptor: 3, offset, whence }, 0);
        assert!(is_repeatable(&seek(0, Whence::Current)));
        assert!(!is_repeatable(&seek(1, Whence::Current)) && !is_repeatable(&seek(0, Whence::End)));
        let read =
            |call, offset| event(call, FileAction::Read { descriptor: 3, bytes: 1, offset, pieces: 1 }, 1);
        assert!(is_repeatable(&read("pread64", Some(0))) && !is_repeatable(&read("read", None)));
        let request = |request| event("ioctl", FileAction::DeviceControl { descriptor: 0, request }, 0);
        assert!(is_repeatable(&request(0x5401)) && !is_repeatable(&request(0x5402)));
    }
}
