//! Under which condition a call was made, as prices tell conditions apart: small while
//! events stream by, in words at the end.

mod errno;

pub use errno::errno_name;
pub(crate) use errno::{
    EACCES, EAGAIN, EBADF, EEXIST, EINTR, EINVAL, ENOENT, ENOSYS, ENOTDIR, ENOTTY, EOPNOTSUPP, EPERM, EROFS,
    errno_of, program_errno,
};

use crate::open_flags;
use fathom_events::{Advice, CallName, CallOutcome, ControlCommand, FileAction, FileEvent, Target, Whence};
use fathom_model as model;

/// `ioctl`'s request for the settings of a terminal.
pub(crate) const TERMINAL_SETTINGS: u32 = 0x5401;
/// `MAP_ANONYMOUS`.
const ANONYMOUS: u32 = 0x20;

/// The word of a call on memory without a file: it is no call on a file, and in no sum of those.
pub(crate) const ANONYMOUS_MEMORY: &str = "MAP_ANONYMOUS";

/// The word of a write that returns when its data is on the device (`O_SYNC` has the flag, too).
pub(crate) const DATA_SYNC: &str = "O_DSYNC";

/// The condition of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CallKey {
    call: CallName,
    end: End,
    words: Words,
    /// In few bits, of which there are more than a path of the kernel's has words.
    components: Option<u16>,
    size_class: Option<SizeClass>,
    on: Option<On>,
    /// It depends on the file system, and is on another one than prices are taken for.
    is_elsewhere: bool,
}

/// Bytes rounded up to a power of two, by one more than its exponent: rules keep thousands of keys.
/// 0 is no byte at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct SizeClass(u8);

impl SizeClass {
    fn of(bytes: u64) -> Self {
        Self(bytes.checked_sub(1).map_or(0, |below| {
            let exponent = (u64::BITS - below.leading_zeros()).min(u64::BITS - 1);
            u8::try_from(exponent + 1).unwrap_or(u8::MAX)
        }))
    }

    fn bytes(self) -> u64 {
        self.0.checked_sub(1).map_or(0, |exponent| 1 << exponent)
    }
}

/// What prices tell apart of what a descriptor leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum On {
    Regular,
    Directory,
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum End {
    Succeeded,
    Failed(i32),
    NeverReturned,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Words {
    Open(u32),
    Fixed(Word),
}

/// What an open that may create or empty its file met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Met {
    /// A device, or what the kernel makes up: nothing is created or emptied.
    MadeUp,
    /// Nothing, as far as was seen.
    Nothing,
    Existing,
    /// What was made and written in this run: whether it is on the device is not known.
    Unwritten,
    Empty,
}

/// Calls of one condition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Amount {
    pub(crate) calls: u64,
    pub(crate) bytes: u64,
}

impl Amount {
    /// One call more, which moved so many bytes.
    pub(crate) fn add(&mut self, bytes: u64) {
        self.calls += 1;
        self.bytes += bytes;
    }

    /// So many of `of` calls, with their part of the bytes.
    pub(crate) fn scaled(self, calls: u64, of: u64) -> Self {
        // In 128 bits: bytes times calls goes beyond 64.
        let bytes = u128::from(self.bytes) * u128::from(calls) / u128::from(of.max(1));
        Self { calls, bytes: u64::try_from(bytes).unwrap_or(self.bytes) }
    }
}

impl CallKey {
    /// The condition of an event, and the bytes it moved.
    pub(crate) fn of(event: &FileEvent, components: Option<u32>, on: Option<On>) -> (Self, u64) {
        let bytes = bytes_of(event);
        let end = match event.outcome {
            CallOutcome::Value(_) | CallOutcome::Unknown => End::Succeeded,
            CallOutcome::Failed(errno) => End::Failed(program_errno(errno)),
            CallOutcome::Unfinished => End::NeverReturned,
        };
        let size_class = bytes.map(SizeClass::of);
        let components = components.map(|components| u16::try_from(components).unwrap_or(u16::MAX));
        (
            Self {
                call: event.call,
                end,
                words: words_of(event),
                components,
                size_class,
                on,
                is_elsewhere: false,
            },
            bytes.unwrap_or(0),
        )
    }

    /// True of the same condition, where its call's name lies at the same place: sooner known than
    /// equality, and most names are the same few.
    pub(crate) fn is_very(&self, other: &Self) -> bool {
        let numbers =
            |key: &Self| (key.words, key.end, key.components, key.size_class, key.on, key.is_elsewhere);
        std::ptr::eq(self.call, other.call) && numbers(self) == numbers(other)
    }

    /// Words of the path that it names; 0 where it names none.
    pub(crate) fn components(&self) -> usize {
        self.components.map_or(0, usize::from)
    }

    /// The same call with another word: what its file was like, as prices tell it apart.
    pub(crate) fn with_word(self, word: Word) -> Self {
        Self { words: Words::Fixed(word), ..self }
    }

    /// The same call on another file system than that of the directory in which the command was started.
    pub(crate) fn on_other_file_system(self) -> Self {
        Self { is_elsewhere: true, ..self }
    }

    /// The same open, of a file of which this is known; other calls stay as they are.
    pub(crate) fn with_met(self, met: Met) -> Self {
        let Words::Open(flags) = self.words else { return self };
        let flags = match met {
            Met::MadeUp => flags & !(open_flags::CREATE | open_flags::TRUNCATE | open_flags::EXCLUSIVE),
            Met::Nothing => flags | open_flags::OF_NEW,
            Met::Existing => flags | open_flags::OF_EXISTING,
            Met::Unwritten => flags | open_flags::OF_UNWRITTEN,
            Met::Empty => flags | open_flags::OF_EMPTY,
        };
        Self { words: Words::Open(flags), ..self }
    }

    /// The same call by a path with so many components fewer, one at least.
    pub(crate) fn with_fewer_components(self, fewer: u32) -> Self {
        let fewer = u16::try_from(fewer).unwrap_or(u16::MAX);
        let components = self.components.map(|components| components.saturating_sub(fewer).max(1));
        Self { components, ..self }
    }

    /// One call that copies so many bytes in the kernel, of the file that this key reads.
    pub(crate) fn for_copying(self, bytes: u64) -> Self {
        let size_class = Some(SizeClass::of(bytes.max(1)));
        Self {
            call: "copy_file_range",
            words: Words::Fixed(Word::Nothing),
            components: None,
            size_class,
            ..self
        }
    }

    /// In words.
    pub(crate) fn condition(self, amount: Amount) -> model::CountedCalls {
        model::CountedCalls {
            call: self.call.to_owned(),
            outcome: match self.end {
                End::Succeeded => model::CallOutcome::Succeeded,
                End::Failed(errno) => model::CallOutcome::Failed(errno_name(errno)),
                End::NeverReturned => model::CallOutcome::NeverReturned,
            },
            flags: {
                let flags = match self.words {
                    Words::Open(flags) => open_flags::words(flags),
                    Words::Fixed(word) => word.text().to_owned(),
                };
                match (self.is_elsewhere, flags.is_empty()) {
                    (false, _) => flags,
                    (true, true) => model::OTHER_FILE_SYSTEM.to_owned(),
                    (true, false) => format!("{flags}|{}", model::OTHER_FILE_SYSTEM),
                }
            },
            path_components: self.components.map(u32::from),
            size_class_bytes: self.size_class.map(SizeClass::bytes),
            on: self.on.map(|on| match on {
                On::Regular => model::FileKind::Regular,
                On::Directory => model::FileKind::Directory,
                On::Other => model::FileKind::Other,
            }),
            bytes: amount.bytes,
            count: amount.calls,
        }
    }
}

fn bytes_of(event: &FileEvent) -> Option<u64> {
    let came = || event.outcome.value().and_then(|value| u64::try_from(value).ok());
    match &event.action {
        FileAction::Read { .. }
        | FileAction::Write { .. }
        | FileAction::List { .. }
        | FileAction::Copy { .. } => came(),
        FileAction::Map { bytes, .. }
        | FileAction::Unmap { bytes, .. }
        | FileAction::AdviseMemory { bytes, .. } => Some(*bytes),
        _ => None,
    }
}

fn words_of(event: &FileEvent) -> Words {
    Words::Fixed(match &event.action {
        FileAction::Open { flags, .. } => return Words::Open(open_flags::priced(*flags)),
        FileAction::Stat { target: Target::Descriptor(_), .. } if event.call != "fstat" => Word::EmptyPath,
        FileAction::Seek { whence, .. } => Word::of_seek(*whence),
        FileAction::Control { command, .. } => Word::of_control(*command),
        FileAction::DeviceControl { request: TERMINAL_SETTINGS, .. } => Word::TerminalSettings,
        FileAction::Watch { add: true, .. } => Word::WatchAdd,
        FileAction::Watch { .. } => Word::WatchRemove,
        FileAction::Advise { advice, .. } => Word::of_advice(*advice),
        FileAction::Map { flags, .. } if flags & ANONYMOUS != 0 => Word::Anonymous,
        _ => Word::Nothing,
    })
}

/// What tells conditions of one call apart, in the order of its texts: rules keep thousands of keys,
/// and a text takes sixteen bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Word {
    Nothing,
    EmptyPath,
    WatchAdd,
    WatchRemove,
    GetDescriptorFlags,
    GetStatusFlags,
    SetDescriptorFlags,
    SetStatusFlags,
    SetLock,
    Anonymous,
    MapFile,
    DataSync,
    AdviseDontNeed,
    AdviseNoReuse,
    AdviseNormal,
    AdviseRandom,
    AdviseSequential,
    AdviseWillNeed,
    SeekCurrent,
    SeekData,
    SeekEnd,
    SeekStart,
    TerminalSettings,
    Clean,
    Dirty,
}

impl Word {
    /// The kernel's word, or what there is to write.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::EmptyPath => "AT_EMPTY_PATH",
            Self::WatchAdd => "EPOLL_CTL_ADD",
            Self::WatchRemove => "EPOLL_CTL_DEL",
            Self::GetDescriptorFlags => "F_GETFD",
            Self::GetStatusFlags => "F_GETFL",
            Self::SetDescriptorFlags => "F_SETFD",
            Self::SetStatusFlags => "F_SETFL",
            Self::SetLock => "F_SETLK",
            Self::Anonymous => ANONYMOUS_MEMORY,
            Self::MapFile => "MAP_FILE",
            Self::DataSync => DATA_SYNC,
            Self::AdviseDontNeed => "POSIX_FADV_DONTNEED",
            Self::AdviseNoReuse => "POSIX_FADV_NOREUSE",
            Self::AdviseNormal => "POSIX_FADV_NORMAL",
            Self::AdviseRandom => "POSIX_FADV_RANDOM",
            Self::AdviseSequential => "POSIX_FADV_SEQUENTIAL",
            Self::AdviseWillNeed => "POSIX_FADV_WILLNEED",
            Self::SeekCurrent => "SEEK_CUR",
            Self::SeekData => "SEEK_DATA",
            Self::SeekEnd => "SEEK_END",
            Self::SeekStart => "SEEK_SET",
            Self::TerminalSettings => "TCGETS",
            Self::Clean => "clean",
            Self::Dirty => "dirty",
        }
    }

    /// That of a whence.
    pub(crate) fn of_seek(whence: Whence) -> Self {
        match whence {
            Whence::Start => Self::SeekStart,
            Whence::Current => Self::SeekCurrent,
            Whence::End => Self::SeekEnd,
            Whence::DataOrHole => Self::SeekData,
        }
    }

    /// That of a command of `fcntl`.
    pub(crate) fn of_control(command: ControlCommand) -> Self {
        match command {
            ControlCommand::GetDescriptorFlags => Self::GetDescriptorFlags,
            ControlCommand::SetDescriptorFlags { .. } => Self::SetDescriptorFlags,
            ControlCommand::GetStatusFlags => Self::GetStatusFlags,
            ControlCommand::SetStatusFlags(_) => Self::SetStatusFlags,
            ControlCommand::Lock => Self::SetLock,
            ControlCommand::Other(_) => Self::Nothing,
        }
    }

    /// That of an advice.
    pub(crate) fn of_advice(advice: Advice) -> Self {
        match advice {
            Advice::Normal => Self::AdviseNormal,
            Advice::Random => Self::AdviseRandom,
            Advice::Sequential => Self::AdviseSequential,
            Advice::WillNeed => Self::AdviseWillNeed,
            Advice::DontNeed => Self::AdviseDontNeed,
            Advice::NoReuse => Self::AdviseNoReuse,
            Advice::Other(_) => Self::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_events::{OpenFlags, PathTable};

    #[test]
    fn sizes_are_classed_by_powers_of_two_and_in_their_order() {
        let class = |bytes| SizeClass::of(bytes).bytes();
        assert_eq!(
            [0, 1, 2, 3, 4, 4097, 1 << 63, u64::MAX].map(class),
            [0, 1, 2, 4, 4, 8192, 1 << 63, 1 << 63]
        );
        assert!(SizeClass::of(0) < SizeClass::of(1) && SizeClass::of(1) < SizeClass::of(2));
        assert!(size_of::<CallKey>() <= 40, "{}", size_of::<CallKey>());
    }

    #[test]
    fn words_are_sorted_as_their_texts_are() {
        let last = Word::Dirty as u8;
        let all = [
            Word::Nothing,
            Word::EmptyPath,
            Word::WatchAdd,
            Word::WatchRemove,
            Word::GetDescriptorFlags,
            Word::GetStatusFlags,
            Word::SetDescriptorFlags,
            Word::SetStatusFlags,
            Word::SetLock,
            Word::Anonymous,
            Word::MapFile,
            Word::DataSync,
            Word::AdviseDontNeed,
            Word::AdviseNoReuse,
            Word::AdviseNormal,
            Word::AdviseRandom,
            Word::AdviseSequential,
            Word::AdviseWillNeed,
            Word::SeekCurrent,
            Word::SeekData,
            Word::SeekEnd,
            Word::SeekStart,
            Word::TerminalSettings,
            Word::Clean,
            Word::Dirty,
        ];
        assert_eq!(all.len(), usize::from(last) + 1);
        let is_in_order = |pair: &[Word]| pair[0] < pair[1] && pair[0].text() < pair[1].text();
        assert!(all.windows(2).all(is_in_order));
    }

    #[test]
    fn a_condition_has_the_words_that_prices_have() {
        let mut paths = PathTable::new();
        let path = paths.number(std::ffi::OsStr::new("/data/a"));
        let event = FileEvent {
            at_ns: 0,
            process: 1,
            thread: 1,
            call: "openat",
            action: FileAction::Open { target: Target::path(path), flags: OpenFlags(0x8_0000), mode: 0 },
            outcome: CallOutcome::Failed(2),
            took_ns: None,
            waited_ns: None,
            slept_ns: None,
            stack: None,
        };
        let (key, bytes) = CallKey::of(&event, Some(2), None);
        let condition = key.condition(Amount { calls: 3, bytes });
        assert_eq!((condition.call.as_str(), condition.flags.as_str()), ("openat", "O_RDONLY"));
        assert_eq!(condition.outcome, model::CallOutcome::Failed("ENOENT".to_owned()));
        assert_eq!((condition.path_components, condition.count), (Some(2), 3));
    }
}
