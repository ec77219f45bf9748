//! What `fathom what-if --as` writes: the question, and what came of it.

use super::{FileSystemModel, TripEstimate};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of this form. It rises when a reader of the older form would misread the newer one.
pub const WHAT_IF_VERSION: u32 = 1;

/// What tells this kind of file from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WhatIfKind {
    /// A program on another file system.
    WhatIf,
}

/// A program on another file system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WhatIf {
    /// What this file is.
    pub kind: WhatIfKind,
    /// The form of this value.
    pub schema_version: u32,
    /// Version of the Fathom that wrote it.
    pub fathom_version: String,
    /// When, RFC 3339 in UTC.
    pub created: String,
    /// What was watched: the command, the log.
    pub subject: String,
    /// The command's words; empty where they are not known.
    pub command: Vec<String>,
    /// How calls were captured, and when: `ptrace`, `a kept trace of 2026-11-20, by ring`.
    pub capture: String,
    /// The file system.
    pub file_system: FileSystemModel,
    /// What a round trip takes, in ns.
    pub round_trip_ns: u64,
    /// The directories whose files are on it; none where they are not known.
    pub directories: Vec<String>,
    /// By arithmetic.
    pub estimate: TripEstimate,
    /// What was not seen of the run.
    pub gaps: Vec<String>,
    /// What was replaced in it before it was written, where something was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redacted: Option<String>,
}

impl WhatIf {
    /// True where something of the run was not seen, so that there may be more round trips.
    pub fn is_partly_unknown(&self) -> bool {
        !self.gaps.is_empty()
    }
}
