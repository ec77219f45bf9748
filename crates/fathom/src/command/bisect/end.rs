//! One end of a search.

use fathom_audit::{BisectionEnd, Commit};

/// A commit and how it was named.
#[derive(Debug)]
pub(super) struct End {
    pub(super) name: String,
    pub(super) commit: Commit,
}

impl End {
    /// As the report has it.
    pub(super) fn with(&self, values: &[f64]) -> BisectionEnd {
        BisectionEnd { name: self.name.clone(), commit: self.commit.clone(), values: values.to_vec() }
    }
}
