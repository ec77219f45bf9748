//! Warnings are values: every renderer shows them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much a warning weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// A figure may be off; the text says which.
    Warning,
    /// The figures it names are not to be used.
    Fault,
}

/// The code of what stays on the disk, or was left there by an earlier run.
pub const LEFT_OVER: &str = "left-over";

/// Something a reader of the result must know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Warning {
    /// A stable word for machines: `loaded-host`.
    pub code: String,
    /// Its weight.
    pub severity: Severity,
    /// One sentence for a person.
    pub message: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Warning {
    /// A warning with a hint.
    pub fn new(severity: Severity, code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), severity, message: message.into(), hint: None }
    }

    /// The same warning with what to do about it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
