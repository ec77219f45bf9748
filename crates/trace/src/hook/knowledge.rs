//! Where things stand in the memory that threads of a program share to know what calls would answer:
//! two counts, and an entry for each descriptor. Each thread remembers its own answers, after it.

use crate::call::Call;
use crate::repetition::{DESCRIPTORS, EFFECTS, Effect};

/// How often something was changed that an answer may rest on. It rises after the change.
pub(super) const CHANGES: usize = 0;
/// How often descriptors may have become others, of which nothing is known then.
pub(super) const SCRAMBLES: usize = 8;
/// Numbers that were given out, of which none comes twice.
pub(super) const SERIAL: usize = 16;
/// For each descriptor an entry of four words.
pub(super) const DESCRIPTORS_AT: usize = 64;
/// 2 to the power of this: bytes of an entry.
pub(super) const ENTRY_BITS: u32 = 5;
/// Of an entry: what was opened, and when, as a number.
pub(super) const OPENED: usize = 0;
/// `SCRAMBLES` and one more, as it was before the open; else nothing is known.
pub(super) const SINCE: usize = 8;
/// Where it stands, in bytes; with its highest bit set, a number that is another after each call that moves it to
/// where nothing tells.
pub(super) const POSITION: usize = 16;
/// The highest bit.
pub(super) const NOT_KNOWN_BIT: u32 = 63;
/// Which flags it has: 0 as it was opened, else a number of the flags.
pub(super) const FLAGS: usize = 24;
/// All of that.
pub(super) const BYTES: usize = 0x1_0000;

/// The answers of a thread: 2 to the power of this many. There is no room for so many of each thread below where
/// sanitizers have their memory: those that get the first blocks have many, and few make most of the calls. What
/// is not used takes no memory.
pub(super) const fn answer_bits(block: usize) -> u32 {
    if block < WITH_MANY { 14 } else { 10 }
}
const WITH_MANY: usize = 16;
/// 2 to the power of this: bytes of one.
pub(super) const ANSWER_SIZE_BITS: u32 = 9;
/// Where the answers of a block begin, behind those of the blocks before it.
pub(super) const fn answers_at(block: usize) -> usize {
    let many = if block < WITH_MANY { block } else { WITH_MANY };
    (many << (answer_bits(0) + ANSWER_SIZE_BITS))
        + ((block - many) << (answer_bits(WITH_MANY) + ANSWER_SIZE_BITS))
}
/// Of an answer: what was asked, `CHANGES` as it was before, the result, how many bytes were left.
pub(super) const KEY: usize = 0;
pub(super) const WHEN: usize = 8;
pub(super) const RESULT: usize = 16;
pub(super) const LENGTH: usize = 24;
/// And the bytes.
pub(super) const LEFT: usize = 32;
pub(super) const MOST_LEFT_BYTES: usize = (1 << ANSWER_SIZE_BITS) - LEFT;

const _: () = assert!(DESCRIPTORS_AT + ((DESCRIPTORS as usize) << ENTRY_BITS) <= BYTES);

/// What is not known any more after a call that the hook's code did not make.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Loss {
    pub(super) changes: bool,
    pub(super) scrambles: bool,
    /// A descriptor, and the word of its entry.
    pub(super) of_descriptor: Option<(i32, usize)>,
}

impl Loss {
    /// By a call that is about to be made.
    pub(super) fn of_call(call: Call, arguments: [u64; 6]) -> Self {
        let everything = Self { changes: true, scrambles: true, of_descriptor: None };
        if call.foreign {
            return everything;
        }
        let name = call.name();
        #[expect(clippy::cast_possible_truncation, reason = "the kernel takes the lower half")]
        let low = |position: usize| (arguments[position] as u32).cast_signed();
        let of = |word: usize| Self { of_descriptor: Some((low(0), word)), ..Self::default() };
        let changes = |changes: bool| Self { changes, ..Self::default() };
        let opening = |flags: i32| changes(flags & (libc::O_CREAT | libc::O_TRUNC | 0o20_000_000) != 0);
        let effect = EFFECTS.iter().find(|(known, _)| *known == name).map(|(_, effect)| *effect);
        match (effect, name.as_ref()) {
            (_, "open") => opening(low(1)),
            (_, "openat") => opening(low(2)),
            (_, "lseek") => of(POSITION),
            (_, "fcntl") => match low(1) {
                libc::F_GETFD | libc::F_GETFL => Self::default(),
                libc::F_SETFL => of(FLAGS),
                _ => everything,
            },
            (_, "ioctl") if low(1) != 0x5401 => everything,
            // A thread of the same program has the same descriptors; another process shares positions.
            (_, "clone") if arguments[0] & SHARES_DESCRIPTORS == SHARES_DESCRIPTORS => Self::default(),
            (Some(Effect::None | Effect::ByArguments), _) => Self::default(),
            (Some(Effect::Changes), _) => changes(true),
            (Some(Effect::Forgets), _) => of(SINCE),
            (Some(Effect::Moves), _) => of(POSITION),
            (Some(Effect::Writes), _) => Self { changes: true, ..of(POSITION) },
            (None, _) => everything,
        }
    }
}

const SHARES_DESCRIPTORS: u64 = (libc::CLONE_VM | libc::CLONE_FILES).cast_unsigned() as u64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_call_takes_away_is_by_its_name_and_arguments() {
        let of = |name: &str, arguments: [u64; 6]| Loss::of_call(Call::named(name).unwrap(), arguments);
        let everything = Loss { changes: true, scrambles: true, of_descriptor: None };
        assert_eq!(of("dup2", [3, 4, 0, 0, 0, 0]), everything);
        assert_eq!(of("fork", [0; 6]), everything);
        assert_eq!(of("newfstatat", [0; 6]), Loss::default());
        assert_eq!(of("close", [7, 0, 0, 0, 0, 0]).of_descriptor, Some((7, SINCE)));
        let write = of("write", [7, 0, 0, 0, 0, 0]);
        assert_eq!((write.changes, write.scrambles, write.of_descriptor), (true, false, Some((7, POSITION))));
        assert!(!of("openat", [0; 6]).changes && of("openat", [0, 0, 0o100, 0, 0, 0]).changes);
        assert_eq!(of("fcntl", [5, 0, 0, 0, 0, 0]), everything, "F_DUPFD");
        assert_eq!(of("fcntl", [5, 4, 0, 0, 0, 0]).of_descriptor, Some((5, FLAGS)));
    }
}
