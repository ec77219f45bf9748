//! Where a variant was found running, by sampling its stacks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A stack and how often it was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoldedStack {
    /// Frames from the outermost to the innermost, separated by `;`. Frames of
    /// the kernel end in `_[k]`, of code compiled at run time in `_[j]`.
    pub frames: String,
    /// Samples.
    pub samples: u64,
}

/// The samples of one variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Profile {
    /// Samples per second of CPU time that were asked for.
    pub frequency_hz: u64,
    /// Samples taken while the operations ran.
    pub samples: u64,
    /// Samples that the kernel's ring had no room for.
    pub lost: u64,
    /// The stacks, most frequent first.
    pub stacks: Vec<FoldedStack>,
    /// What a reader has to know: where stacks end, which names are missing, and why.
    pub notes: Vec<String>,
}
