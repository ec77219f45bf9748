//! What one price is of: a call under one condition.

use fathom_model::CacheState;
use serde::{Deserialize, Serialize};

/// A call and all that its price depends on, in the words of `fathom_model::Price`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Condition {
    pub(super) call: String,
    pub(super) what: String,
    pub(super) errno: Option<String>,
    pub(super) depth: Option<u32>,
    pub(super) size_bytes: Option<u64>,
    pub(super) cache: Option<CacheState>,
}

impl Condition {
    /// A call that succeeds.
    pub(super) fn of(call: &str, what: &str) -> Self {
        let (call, what) = (call.to_owned(), what.to_owned());
        Self { call, what, errno: None, depth: None, size_bytes: None, cache: None }
    }

    /// It fails.
    pub(super) fn failing(self, errno: &str) -> Self {
        Self { errno: Some(errno.to_owned()), ..self }
    }

    /// So many components of a path are walked.
    pub(super) fn deep(self, depth: u32) -> Self {
        Self { depth: Some(depth), ..self }
    }

    /// So many bytes are moved, mapped or given up.
    pub(super) fn sized(self, bytes: usize) -> Self {
        Self { size_bytes: Some(bytes as u64), ..self }
    }

    /// The pages it needs are in the page cache, or are not.
    pub(super) fn cached(self, state: CacheState) -> Self {
        Self { cache: Some(state), ..self }
    }

    /// True of what is derived or touched, and is no call.
    pub(super) fn is_call(&self) -> bool {
        !self.call.contains('-')
    }
}
