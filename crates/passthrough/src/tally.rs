//! What was asked for, and how long answers were held.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Requests of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestTally {
    /// Those that were held.
    pub held: u64,
    /// Those that were answered at once: nobody waits for them, or the client that is imitated does not ask.
    pub at_once: u64,
}

/// All requests of a mount.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServedRequests {
    /// By FUSE's name of the request: `LOOKUP`.
    pub by_kind: BTreeMap<Cow<'static, str>, RequestTally>,
    /// For how long answers were held together, by the clock, in ns.
    pub held_ns: u64,
    /// Requests that failed because the server itself could not go on: no more descriptors.
    pub exhausted: u64,
}

impl ServedRequests {
    /// Requests that were held.
    pub fn held(&self) -> u64 {
        self.by_kind.values().map(|kind| kind.held).sum()
    }

    /// Takes in those of another mount.
    pub(crate) fn add(&mut self, other: &Self) {
        for (kind, requests) in &other.by_kind {
            let sum = self.by_kind.entry(kind.clone()).or_default();
            sum.held += requests.held;
            sum.at_once += requests.at_once;
        }
        self.held_ns += other.held_ns;
        self.exhausted += other.exhausted;
    }

    /// All requests.
    pub fn all(&self) -> u64 {
        self.by_kind.values().map(|kind| kind.held + kind.at_once).sum()
    }
}
