//! Flags of an open, by Linux's numbers on `x86_64`, and their words.

use fathom_events::OpenFlags;

/// The bits that say for what a file is opened.
pub(crate) const ACCESS_MODE: u32 = 3;
pub(crate) const WRITE_ONLY: u32 = 1;
pub(crate) const READ_WRITE: u32 = 2;
pub(crate) const CREATE: u32 = 0x40;
pub(crate) const EXCLUSIVE: u32 = 0x80;
pub(crate) const TRUNCATE: u32 = 0x200;
pub(crate) const APPEND: u32 = 0x400;
/// `O_DSYNC`, which `O_SYNC` has too.
pub(crate) const DATA_SYNC: u32 = 0x1000;
pub(crate) const DIRECT: u32 = 0x4000;
pub(crate) const DIRECTORY: u32 = 0x1_0000;
pub(crate) const NO_FOLLOW: u32 = 0x2_0000;
pub(crate) const CLOSE_ON_EXEC: u32 = 0x8_0000;
pub(crate) const PATH_ONLY: u32 = 0x20_0000;
pub(crate) const TEMPORARY: u32 = 0x41_0000;

/// Of one that was made and written in this run, and not synced: perhaps nothing of it is on the device yet.
pub(crate) const OF_UNWRITTEN: u32 = 1 << 28;
/// Of a file that was not there before, as far as was seen: no flag of the kernel's, whose flags end below.
pub(crate) const OF_NEW: u32 = 1 << 29;
/// Of one that was there.
pub(crate) const OF_EXISTING: u32 = 1 << 30;
/// Of one that was there and held nothing.
pub(crate) const OF_EMPTY: u32 = 1 << 31;

/// Flags that change what an open costs.
const PRICED: u32 =
    ACCESS_MODE | CREATE | EXCLUSIVE | TRUNCATE | APPEND | DIRECT | 0x10_1000 | PATH_ONLY | TEMPORARY;

/// Words of single bits, in the order the kernel's manual lists them.
const WORDS: [(u32, &str); 19] = [
    (CREATE, "O_CREAT"),
    (EXCLUSIVE, "O_EXCL"),
    (0x100, "O_NOCTTY"),
    (TRUNCATE, "O_TRUNC"),
    (APPEND, "O_APPEND"),
    (0x800, "O_NONBLOCK"),
    (0x10_1000, "O_SYNC"),
    (DATA_SYNC, "O_DSYNC"),
    (DIRECT, "O_DIRECT"),
    (TEMPORARY, "O_TMPFILE"),
    (DIRECTORY, "O_DIRECTORY"),
    (NO_FOLLOW, "O_NOFOLLOW"),
    (0x4_0000, "O_NOATIME"),
    (CLOSE_ON_EXEC, "O_CLOEXEC"),
    (PATH_ONLY, "O_PATH"),
    (OF_UNWRITTEN, "unwritten"),
    (OF_NEW, "new"),
    (OF_EXISTING, "existing"),
    (OF_EMPTY, "empty"),
];

/// True when all these bits are set.
pub(crate) fn has(flags: OpenFlags, bits: u32) -> bool {
    flags.0 & bits == bits
}

/// True when the file can be written through it.
pub(crate) fn can_write(flags: OpenFlags) -> bool {
    matches!(flags.0 & ACCESS_MODE, WRITE_ONLY | READ_WRITE)
}

/// True when the file can be read through it.
pub(crate) fn can_read(flags: OpenFlags) -> bool {
    flags.0 & ACCESS_MODE != WRITE_ONLY && !has(flags, PATH_ONLY)
}

/// The bits a price depends on. Flags of the program's that are none do not pass for what was met.
pub(crate) fn priced(flags: OpenFlags) -> u32 {
    flags.0 & PRICED
}

/// True of an open that may create its file or empty it.
pub(crate) fn may_make(flags: OpenFlags) -> bool {
    flags.0 & (CREATE | TRUNCATE) != 0
}

/// The flags in words: `O_RDWR|O_CREAT`.
pub fn words(flags: u32) -> String {
    let access = match flags & ACCESS_MODE {
        0 => "O_RDONLY",
        WRITE_ONLY => "O_WRONLY",
        READ_WRITE => "O_RDWR",
        _ => "O_ACCMODE",
    };
    let mut words = vec![access];
    let mut left = flags;
    for (bits, word) in WORDS {
        if left & bits == bits {
            words.push(word);
            left &= !bits;
        }
    }
    words.join("|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_kernels() {
        assert_eq!(words(0), "O_RDONLY");
        assert_eq!(
            words(WRITE_ONLY | CREATE | TRUNCATE | CLOSE_ON_EXEC),
            "O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC"
        );
        assert_eq!(words(READ_WRITE | TEMPORARY), "O_RDWR|O_TMPFILE");
        assert_eq!(words(DIRECTORY), "O_RDONLY|O_DIRECTORY");
    }
}
