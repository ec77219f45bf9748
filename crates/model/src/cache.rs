//! Cache states, and what proved them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The state of the page cache that a variant asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CacheState {
    /// Every page of the files is in the page cache before and after.
    Warm,
    /// No page of the files is in the page cache before.
    Cold,
}

impl CacheState {
    /// The word used in catalogs and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Warm => "warm",
            Self::Cold => "cold",
        }
    }
}

impl fmt::Display for CacheState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What is known of the dentry and inode of the files at the start of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DentryState {
    /// In memory: the same path was looked up just before.
    Warm,
    /// Not looked at: ranks ran on other hosts.
    Unknown,
    /// Dropped by `/proc/sys/vm/drop_caches` with no descriptor of ours open.
    Dropped,
}

/// How far a cache state can be believed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// The kernel showed the state before (and for warm, after) every sample kept.
    Proven,
    /// The kernel would not tell; the reason.
    Unknown(String),
    /// The place has no such state (memory file systems are never cold); the reason.
    NotApplicable(String),
}

/// How many samples were thrown away for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VoidCount {
    /// The reason, as a phrase.
    pub reason: String,
    /// How many samples it voided.
    pub samples: u64,
}

/// What the residency checks of one variant showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CacheEvidence {
    /// The state that was asked for.
    pub state: CacheState,
    /// Whether it held.
    pub proof: Proof,
    /// The state of the dentries.
    pub dentry: DentryState,
    /// Pages the files of the data set have in all.
    pub file_pages: u64,
    /// Residency checks made.
    pub checks: u64,
    /// Most pages found resident before a kept sample (0 when proven cold).
    pub resident_pages_before_max: Option<u64>,
    /// Fewest pages found resident before a kept sample (all when proven warm).
    pub resident_pages_before_min: Option<u64>,
    /// Bytes the driver's process caused to be read from a device during kept
    /// samples, and how many operations they served (`/proc/PID/io`).
    pub device_read_bytes: crate::Reading<u64>,
    /// Operations during which `device_read_bytes` was counted.
    pub device_read_operations: u64,
    /// Samples thrown away, by reason.
    pub void: Vec<VoidCount>,
}
