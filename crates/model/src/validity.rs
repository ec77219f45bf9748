//! Why a comparison may not be one of what its sides are said to do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One reason, with what it rests on. Wording is `report`'s.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ValidityFlag {
    /// What is wrong.
    pub problem: ValidityProblem,
    /// The sides that it is about, by their index: variants of a comparison; of two commands 0 is the
    /// old one and 1 the new one.
    pub sides: Vec<usize>,
    /// The feature that is not what it seems, where it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feature: Option<Feature>,
    /// The errno of a refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errno: Option<String>,
    /// The file of which it was seen, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// How many bytes of data each side read, where it is about that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bytes: Vec<u64>,
}

/// What is wrong with a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ValidityProblem {
    /// Both sides are one program with the same arguments.
    SameProgram,
    /// What a side is named after, none of its calls did.
    NeverHappened,
    /// The kernel refused it, and the side went on without.
    Refused,
    /// It was done, and can do nothing here.
    WithoutEffect,
    /// A side read no data where the other one did.
    ReadNothing,
    /// The sides read different data, or answered differently.
    OtherData,
    /// A side works on another state of the page cache.
    OtherCacheState,
    /// Both sides make the same calls: what differs is not in calls.
    SameCalls,
}

impl ValidityProblem {
    /// True where the times of the sides are none of what they are said to compare. Sides that make
    /// the same calls may differ in all else.
    pub fn voids(self) -> bool {
        self != Self::SameCalls
    }

    /// The word for machines: `never-happened`.
    pub fn code(self) -> &'static str {
        match self {
            Self::SameProgram => "same-program",
            Self::NeverHappened => "never-happened",
            Self::Refused => "refused",
            Self::WithoutEffect => "without-effect",
            Self::ReadNothing => "read-nothing",
            Self::OtherData => "other-data",
            Self::OtherCacheState => "other-cache-state",
            Self::SameCalls => "same-calls",
        }
    }
}

/// Something that a program asks of the kernel, by which ways of doing I/O are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Feature {
    /// `io_uring`.
    IoUring,
    /// `O_DIRECT`.
    DirectIo,
    /// Advice on a file: `fadvise64`, `readahead`.
    FileAdvice,
    /// Advice on memory: `madvise`.
    MemoryAdvice,
    /// A file in memory: `mmap`.
    Mapping,
    /// `sendfile`.
    SendFile,
    /// `copy_file_range`.
    CopyFileRange,
    /// `splice`.
    Splice,
    /// `readv` and its kin.
    Vectored,
    /// `pread64` and its kin.
    Positioned,
    /// `statx`.
    Statx,
    /// `fsync`.
    Fsync,
    /// `fdatasync`.
    Fdatasync,
    /// `fallocate`.
    Fallocate,
}

impl Feature {
    /// Every one.
    pub const ALL: [Self; 14] = [
        Self::IoUring,
        Self::DirectIo,
        Self::FileAdvice,
        Self::MemoryAdvice,
        Self::Mapping,
        Self::SendFile,
        Self::CopyFileRange,
        Self::Splice,
        Self::Vectored,
        Self::Positioned,
        Self::Statx,
        Self::Fsync,
        Self::Fdatasync,
        Self::Fallocate,
    ];

    /// What people call it.
    pub fn word(self) -> &'static str {
        match self {
            Self::IoUring => "io_uring",
            Self::DirectIo => "O_DIRECT",
            Self::FileAdvice => "fadvise",
            Self::MemoryAdvice => "madvise",
            Self::Mapping => "mmap",
            Self::SendFile => "sendfile",
            Self::CopyFileRange => "copy_file_range",
            Self::Splice => "splice",
            Self::Vectored => "readv",
            Self::Positioned => "pread",
            Self::Statx => "statx",
            Self::Fsync => "fsync",
            Self::Fdatasync => "fdatasync",
            Self::Fallocate => "fallocate",
        }
    }

    /// The calls by which it happens, any of them.
    pub fn calls(self) -> &'static [&'static str] {
        match self {
            Self::IoUring => &["io_uring_enter"],
            // By a flag of an open, which counts do not show.
            Self::DirectIo => &[],
            Self::FileAdvice => &["fadvise64", "readahead"],
            Self::MemoryAdvice => &["madvise", "process_madvise"],
            Self::Mapping => &["mmap"],
            Self::SendFile => &["sendfile"],
            Self::CopyFileRange => &["copy_file_range"],
            Self::Splice => &["splice", "vmsplice", "tee"],
            Self::Vectored => &["readv", "writev", "preadv", "pwritev", "preadv2", "pwritev2"],
            Self::Positioned => &["pread64", "pwrite64", "preadv", "preadv2", "pwritev", "pwritev2"],
            Self::Statx => &["statx"],
            Self::Fsync => &["fsync"],
            Self::Fdatasync => &["fdatasync"],
            Self::Fallocate => &["fallocate"],
        }
    }
}
