//! Settings: what an experiment can vary beside files, blocks and buffers. One
//! table says for each what it is called, which values it has and who obeys it.

mod values;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
pub use values::{SettingValue, Settings};

/// Something that a variant sets beside its files, blocks and buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Setting {
    /// Threads that share the work.
    Threads,
    /// Reads in flight at once.
    QueueDepth,
    /// What `hash` computes.
    Algorithm,
    /// What `search` counts.
    Pattern,
    /// What stands where `create` and `write-block` write.
    Existing,
    /// Bytes that `create` writes into each file.
    Write,
    /// When `create` closes.
    Close,
    /// What makes written data durable.
    Sync,
    /// Operations of every batch, instead of as many as fill 100 µs.
    Operations,
    /// Components of the path, which then begins in the driver's directory.
    PathDepth,
    /// Symbolic links between the path and the file.
    Symlinks,
    /// Other names in the file's directory.
    Entries,
    /// Entries of an access control list on the file and its directory.
    Acl,
    /// A device that is opened instead of the file, by its name.
    NamedDevice,
    /// The user as whom the driver runs.
    User,
    /// The library that stands between the driver and the C library.
    Preload,
    /// Read-ahead of the device, in KiB.
    ReadAhead,
    /// Variables set in the driver's environment.
    Environment,
    /// Whether blocks are run and thrown away before those that count.
    WarmUp,
    /// Whether one further run of each variant is watched over its time.
    Timeline,
    /// Bytes that `truncate` leaves of each file.
    Keep,
    /// Whether ranks work in one directory or file, or each in its own.
    Sharing,
    /// Whose files a rank works on: those of the rank so many further.
    RankShift,
    /// Levels of directories below the one of a batch.
    TreeDepth,
    /// Directories in each directory of them.
    TreeBranch,
    /// Directories in each one that is made or removed; 0 where they lie side by side.
    Nesting,
    /// Processes that perform each batch at once, each on its own; 1 where there is no launcher.
    Ranks,
}

/// The values that a setting can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingKind {
    /// A whole number from the first to the second.
    Count(u64, u64),
    /// A number of bytes, written like `10 B` or `4 KiB`, up to this.
    Size(u64),
    /// One of these words.
    Words(&'static [&'static str]),
    /// Any text.
    Text,
}

impl Setting {
    /// Every setting, in the order of labels.
    pub const ALL: [Self; 27] = [
        Self::Threads,
        Self::QueueDepth,
        Self::Algorithm,
        Self::Pattern,
        Self::Existing,
        Self::Write,
        Self::Close,
        Self::Sync,
        Self::Operations,
        Self::PathDepth,
        Self::Symlinks,
        Self::Entries,
        Self::Acl,
        Self::NamedDevice,
        Self::User,
        Self::Preload,
        Self::ReadAhead,
        Self::Environment,
        Self::WarmUp,
        Self::Timeline,
        Self::Keep,
        Self::Sharing,
        Self::RankShift,
        Self::TreeDepth,
        Self::TreeBranch,
        Self::Nesting,
        Self::Ranks,
    ];

    /// The word used in catalogs, records and on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Threads => "threads",
            Self::QueueDepth => "queue-depth",
            Self::Algorithm => "algorithm",
            Self::Pattern => "pattern",
            Self::Existing => "existing",
            Self::Write => "write",
            Self::Close => "close",
            Self::Sync => "sync",
            Self::Operations => "operations",
            Self::PathDepth => "path-depth",
            Self::Symlinks => "symlinks",
            Self::Entries => "entries",
            Self::Acl => "acl",
            Self::NamedDevice => "named-device",
            Self::User => "user",
            Self::Preload => "preload",
            Self::ReadAhead => "read-ahead",
            Self::Environment => "environment",
            Self::WarmUp => "warm-up",
            Self::Timeline => "timeline",
            Self::Keep => "keep",
            Self::Sharing => "sharing",
            Self::RankShift => "rank-shift",
            Self::TreeDepth => "tree-depth",
            Self::TreeBranch => "tree-branch",
            Self::Nesting => "nesting",
            Self::Ranks => "ranks",
        }
    }

    /// One line on what it sets.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Threads => {
                "threads that share the work of one search or read-whole, or of a batch of read-block"
            }
            Self::QueueDepth => "reads in flight at once, for methods that can have several",
            Self::Algorithm => "what hash computes",
            Self::Pattern => "the text that search counts, byte for byte; no regular expression",
            Self::Existing => "what stands where create and write-block write, beforehand",
            Self::Write => "bytes that create writes into each file",
            Self::Close => "when create closes: each file at once, all after the last, none inside the clock",
            Self::Sync => "what makes written data durable, inside the clock",
            Self::Operations => "operations of every batch; 0 stands for as many as take 100 µs",
            Self::PathDepth => {
                "components of the path, from the driver's directory; 0 stands for the full path"
            }
            Self::Symlinks => "symbolic links followed from the path to the file",
            Self::Entries => "other names in the directory of the file",
            Self::Acl => "named users in the access control lists of the file and its directory",
            Self::NamedDevice => "a device that is opened instead of the file, which asks no file system",
            Self::User => "the user as whom the driver runs; `self` is who runs Fathom",
            Self::Preload => {
                "a library before the C library: none, one that passes every call on, one that can elide fstat"
            }
            Self::ReadAhead => {
                "read-ahead of the device in KiB, set while measuring; `device` leaves it alone"
            }
            Self::Environment => "variables of the driver's environment: `GOMAXPROCS=2 OTHER=x`",
            Self::WarmUp => "whether blocks are run and thrown away before those that count",
            Self::Timeline => {
                "whether one further run of each variant is watched: every operation's time, dirty pages, writeback"
            }
            Self::Keep => "bytes that truncate leaves of each file",
            Self::Sharing => {
                "with --ranks: whether all ranks write in one directory or file, or each in its own"
            }
            Self::RankShift => {
                "with --ranks: whose files a rank reads, looks up or removes: those that the rank so many further made just before; 0 stands for its own, or when reading for files that all ranks share"
            }
            Self::TreeDepth => {
                "with --ranks: levels of directories below that of a batch, over which its files are spread"
            }
            Self::TreeBranch => "with --ranks: directories in each directory of that tree",
            Self::Nesting => {
                "with --ranks: directories in each directory that is made or removed, which are a tree then; 0 stands for side by side"
            }
            Self::Ranks => "processes that perform every batch at once; given by --ranks",
        }
    }

    /// The values it can have.
    pub fn kind(self) -> SettingKind {
        match self {
            Self::Threads => SettingKind::Count(1, 256),
            Self::Ranks => SettingKind::Count(1, 65_536),
            Self::RankShift => SettingKind::Count(0, 65_535),
            Self::TreeBranch => SettingKind::Count(1, 10_000),
            Self::Nesting => SettingKind::Count(0, 1_000_000),
            Self::QueueDepth => SettingKind::Count(1, 4096),
            Self::Algorithm => SettingKind::Words(&["md5", "xxh64"]),
            Self::Existing => SettingKind::Words(&["fresh", "empty", "data"]),
            Self::Write | Self::Keep => SettingKind::Size(1 << 30),
            Self::Close => SettingKind::Words(&["each", "all", "none"]),
            Self::Sync => SettingKind::Words(&["none", "fsync", "syncfs"]),
            Self::Operations => SettingKind::Count(0, 100_000_000),
            Self::PathDepth => SettingKind::Count(0, 256),
            Self::Symlinks => SettingKind::Count(0, 40),
            Self::Entries => SettingKind::Count(0, 10_000_000),
            Self::Acl | Self::TreeDepth => SettingKind::Count(0, 100),
            Self::Preload => SettingKind::Words(&["none", "pass-on", "elide-fstat"]),
            Self::NamedDevice => SettingKind::Words(&["none", "/dev/null"]),
            Self::WarmUp => SettingKind::Words(&["on", "off"]),
            Self::Timeline => SettingKind::Words(&["off", "on"]),
            Self::Sharing => SettingKind::Words(&["common", "own"]),
            Self::Pattern | Self::User | Self::ReadAhead | Self::Environment => SettingKind::Text,
        }
    }

    /// The value it has unless something else is said.
    pub fn default_value(self) -> SettingValue {
        match self {
            Self::Threads | Self::QueueDepth | Self::Ranks | Self::TreeBranch => SettingValue::Number(1),
            Self::Algorithm => "md5".into(),
            Self::Pattern => "ERROR".into(),
            Self::Existing => "fresh".into(),
            Self::Close => "each".into(),
            Self::Sync | Self::Preload | Self::NamedDevice => "none".into(),
            Self::Write
            | Self::Keep
            | Self::Operations
            | Self::PathDepth
            | Self::Symlinks
            | Self::Entries
            | Self::RankShift
            | Self::TreeDepth
            | Self::Nesting
            | Self::Acl => SettingValue::Number(0),
            Self::User => "self".into(),
            Self::ReadAhead => "device".into(),
            Self::Environment => "".into(),
            Self::WarmUp => "on".into(),
            Self::Timeline => "off".into(),
            Self::Sharing => "common".into(),
        }
    }

    /// The argument by which a driver is told; `None` where Fathom itself obeys it.
    pub fn argument(self) -> Option<&'static str> {
        match self {
            // The protocol's word for it is older.
            Self::Pattern => Some("word"),
            // And this one is for how many bytes files of its own have in the end.
            Self::Keep => Some("write"),
            Self::Threads
            | Self::QueueDepth
            | Self::Algorithm
            | Self::Existing
            | Self::Write
            | Self::Close
            | Self::Sync
            | Self::Sharing
            | Self::RankShift
            | Self::TreeDepth
            | Self::TreeBranch
            | Self::Nesting => Some(self.word()),
            Self::Operations
            | Self::PathDepth
            | Self::Symlinks
            | Self::Entries
            | Self::Acl
            | Self::NamedDevice
            | Self::User
            | Self::Preload
            | Self::ReadAhead
            | Self::Environment
            | Self::WarmUp
            | Self::Timeline
            | Self::Ranks => None,
        }
    }

    /// The value in the words of a label: `4 threads`, `fresh`, `close all`.
    pub fn label(self, value: &SettingValue) -> String {
        match self {
            Self::Threads | Self::Symlinks | Self::Entries | Self::Operations | Self::Ranks => {
                let singular = value == &SettingValue::Number(1);
                let word = match (self, singular) {
                    (Self::Threads, true) => "thread",
                    (Self::Ranks, true) => "rank",
                    (Self::Symlinks, true) => "symlink",
                    (Self::Operations, true) => "operation",
                    (Self::Entries, _) => "other entries",
                    (_, _) => self.word(),
                };
                format!("{value} {word}")
            }
            Self::Write | Self::Keep => match value {
                SettingValue::Number(0) => format!("{self} nothing"),
                SettingValue::Number(bytes) if bytes.is_multiple_of(1024) => {
                    format!("{self} {} KiB", bytes / 1024)
                }
                _ => format!("{self} {value} B"),
            },
            Self::QueueDepth => format!("queue depth {value}"),
            Self::PathDepth if value == &SettingValue::Number(0) => "full path".to_owned(),
            Self::PathDepth => format!("path of {value}"),
            Self::Acl => format!("ACL of {value}"),
            Self::NamedDevice if value.to_string() == "none" => "a file".to_owned(),
            Self::ReadAhead if value.to_string() != "device" => format!("read-ahead {value} KiB"),
            Self::ReadAhead => "read-ahead of the device".to_owned(),
            Self::Environment if value.to_string().is_empty() => "plain environment".to_owned(),
            Self::Existing | Self::Algorithm | Self::Environment | Self::NamedDevice => value.to_string(),
            Self::Pattern
            | Self::Close
            | Self::Sync
            | Self::User
            | Self::Preload
            | Self::WarmUp
            | Self::Timeline
            | Self::Sharing
            | Self::RankShift
            | Self::TreeDepth
            | Self::TreeBranch
            | Self::Nesting => {
                format!("{} {value}", self.word().replace('-', " "))
            }
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_serde_and_defaults_are_of_the_kind() {
        for setting in Setting::ALL {
            assert_eq!(serde_json::to_value(setting).unwrap(), setting.word());
            let default = setting.default_value();
            let fits = match (setting.kind(), &default) {
                (SettingKind::Count(least, most), SettingValue::Number(number)) => {
                    (least..=most).contains(number)
                }
                (SettingKind::Size(most), SettingValue::Number(number)) => *number <= most,
                (SettingKind::Words(words), SettingValue::Text(text)) => words.contains(&text.as_str()),
                (SettingKind::Text, SettingValue::Text(_)) => true,
                _ => false,
            };
            assert!(fits, "{setting}: {default}");
        }
    }
}
