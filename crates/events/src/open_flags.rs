//! Flags of an open as a machine numbers them, and as events number them: four of them have
//! other bits on arm64.

use crate::OpenFlags;

/// Bits of `x86_64`, and those by which arm64 means the same: direct I/O, large files, directories
/// alone, no symbolic link at the end. `O_TMPFILE` has the bit of directories in it.
const OF_ARM64: [(u32, u32); 4] =
    [(0o40_000, 0o200_000), (0o100_000, 0o400_000), (0o200_000, 0o40_000), (0o400_000, 0o100_000)];
/// Most architectures number as `x86_64` does.
const ALIKE: [(u32, u32); 0] = [];

impl OpenFlags {
    /// The flags that this machine's kernel means by these bits.
    pub fn native(bits: u32) -> Self {
        if cfg!(target_arch = "aarch64") {
            Self::numbered(&OF_ARM64, bits)
        } else {
            Self::numbered(&ALIKE, bits)
        }
    }

    /// Where the architecture has these bits elsewhere.
    fn numbered(elsewhere: &[(u32, u32)], bits: u32) -> Self {
        let moved = elsewhere.iter().fold(0, |all, (_, theirs)| all | theirs);
        let found = elsewhere.iter().filter(|(_, theirs)| bits & theirs != 0);
        Self(found.fold(bits & !moved, |flags, (ours, _)| flags | ours))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // By arch/arm64/include/uapi/asm/fcntl.h and include/uapi/asm-generic/fcntl.h.
    #[test]
    fn flags_of_arm64_are_those_of_x86_64_by_other_bits() {
        let read = |bits| OpenFlags::numbered(&OF_ARM64, bits).0;
        assert_eq!(read(0o200_000), 0o40_000, "O_DIRECT");
        assert_eq!(read(0o400_000), 0o100_000, "O_LARGEFILE");
        assert_eq!(read(0o40_000), 0o200_000, "O_DIRECTORY");
        assert_eq!(read(0o100_000), 0o400_000, "O_NOFOLLOW");
        assert_eq!(read(0o20_040_000), 0o20_200_000, "O_TMPFILE");
        assert_eq!(read(0o2_000_101), 0o2_000_101, "O_WRONLY|O_CREAT|O_CLOEXEC are the same everywhere");
        assert_eq!(read(0o740_000), 0o740_000, "all four");
    }

    #[test]
    fn flags_of_x86_64_are_as_they_are() {
        assert_eq!(OpenFlags::numbered(&ALIKE, u32::MAX).0, u32::MAX);
        assert_eq!(OpenFlags::numbered(&ALIKE, 0o240_000).0, 0o240_000);
    }
}
