//! What is said of a commit.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A commit of the user's repository.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Commit {
    /// Its name, in full.
    pub id: String,
    /// Who wrote it.
    pub author: String,
    /// When it was committed, RFC 3339.
    pub committed: String,
    /// The first line of its message.
    pub subject: String,
}

impl Commit {
    /// The beginning of its name.
    pub fn short(&self) -> &str {
        const DIGITS: usize = 10;
        self.id.get(..DIGITS).unwrap_or(&self.id)
    }
}
