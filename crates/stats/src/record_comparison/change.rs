//! What a ratio of two sessions says.

use serde::Serialize;

/// What a ratio of two sessions says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Less in the new record: the interval lies below 1.
    Lower,
    /// More: it lies above 1.
    Higher,
    /// The interval holds 1.
    NotShown,
    /// Too few forks for any statement.
    TooFewForks,
    /// An A/A control is at fault: nothing is to be concluded.
    ControlFault,
}
