//! Which rules judge a run: what was left out is not known to be absent.

use crate::finding::RuleId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rules of `only`, or all where it names none, without those of `ignore`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuleChoice {
    /// These alone; empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<RuleId>,
    /// None of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<RuleId>,
}

impl RuleChoice {
    /// True of a rule that judges.
    pub fn has(&self, rule: RuleId) -> bool {
        (self.only.is_empty() || self.only.contains(&rule)) && !self.ignore.contains(&rule)
    }

    /// True when every rule judges.
    pub fn is_all(&self) -> bool {
        self.only.is_empty() && self.ignore.is_empty()
    }
}
