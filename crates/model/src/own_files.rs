//! Files of the user's, as a record names them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The files of the user's that were read instead of data sets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OwnFilesFacts {
    /// The files, in the order in which operations took them.
    pub files: Vec<OwnFileFacts>,
    /// The type of the file system on which they lie.
    pub file_system: String,
    /// How they were chosen, when they were drawn from a tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawn: Option<String>,
    /// True when their pages were evicted from the page cache, for cold samples.
    pub evicted: bool,
}

/// One of them, as it was when the run began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OwnFileFacts {
    /// The path, absolute.
    pub path: PathBuf,
    /// The file itself, where the path leads through symbolic links.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leads_to: Option<PathBuf>,
    /// Its size.
    pub size_bytes: u64,
    /// When it was last written to.
    pub modified: String,
    /// What of it was not on the device, such as a hole: reading that reads no device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_written: Option<String>,
}
