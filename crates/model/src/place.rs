//! Places: where the files of a data set lie, and the facts of each.

use crate::Reading;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

/// Where files lie.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// A directory of some file system; a scratch directory is made inside it.
    Directory(PathBuf),
    /// Anonymous memory files (`memfd_create`), opened through `/proc/self/fd`.
    Memfd,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(path) => write!(f, "{}", path.display()),
            Self::Memfd => f.write_str("memfd"),
        }
    }
}

/// What is known of the block device under a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceFacts {
    /// The kernel's name: `vda`.
    pub name: String,
    /// `major:minor`.
    pub number: String,
    /// The I/O scheduler in use.
    pub scheduler: Reading<String>,
    /// Read-ahead, in KiB.
    pub read_ahead_kib: Reading<u64>,
    /// The largest request, in KiB.
    pub max_sectors_kib: Reading<u64>,
    /// Logical block size, in bytes.
    pub logical_block_bytes: Reading<u64>,
    /// True for a rotating disk, as the device reports it.
    pub rotational: Reading<bool>,
    /// The model, where the device has one.
    pub model: Reading<String>,
}

/// The facts of a place, kept in every record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlaceFacts {
    /// The place.
    pub place: Place,
    /// The file system's type: `ext4`, `tmpfs`.
    pub file_system: String,
    /// `f_type` of statfs, in hexadecimal.
    pub magic: String,
    /// True when the file system keeps its files in memory only.
    pub in_memory: bool,
    /// Where it is mounted.
    pub mount_point: Reading<PathBuf>,
    /// Mount options, those of the mount and those of the file system.
    pub mount_options: Reading<Vec<String>>,
    /// The journal: `journaled (jbd2/vda-8)`, `no journal`, or why it is not known.
    pub journal: Reading<String>,
    /// The block device.
    pub device: Reading<DeviceFacts>,
    /// Block size of the file system, in bytes.
    pub block_bytes: u64,
    /// Bytes of the kernel's object for one inode of the file system.
    #[serde(default = "not_looked_at")]
    pub inode_bytes: Reading<u64>,
    /// Alignment that direct I/O asks for, in bytes (`STATX_DIOALIGN`).
    pub direct_io_alignment_bytes: Reading<u32>,
    /// Components of the path of the files, as measured: `/a/b/f` has 3.
    pub path_depth: Reading<u32>,
}

fn not_looked_at() -> Reading<u64> {
    Reading::unavailable("not looked at when this record was made")
}
