//! Whether a run stayed within its budgets, as data.

use crate::finding::Frame;
use fathom_model::Reading;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether a run stayed within a budget.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BudgetOutcome {
    /// The budget as it was written.
    pub budget: String,
    /// The file and line that it was written in, where it was not on the command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written_at: Option<String>,
    /// What of: `calls`, `bytes`, `ns`, `findings`, `processes`.
    pub unit: String,
    /// The number that stands in it, in that unit.
    pub limit: f64,
    /// What the run did, in that unit; per what it is counted per.
    pub measured: Reading<f64>,
    /// How much that is all together, where it is counted per something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// By what that was divided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub divided_by: Option<u64>,
    /// Whether it stayed within it.
    pub verdict: BudgetVerdict,
    /// Why it is not known, where it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_known: Option<String>,
    /// On how many different paths what is counted happened; `None` where some of it was on none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paths: Option<u64>,
    /// Where it did not: the calls that make the most of it, with paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<BudgetCalls>,
}

/// Whether a run stayed within a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BudgetVerdict {
    /// It did, and all that counts was seen.
    Met,
    /// It did not; what was not seen cannot mend that.
    NotMet,
    /// Part of what counts was not seen, not judged or did not happen.
    NotKnown,
}

/// Calls of one kind on one path that count in a budget.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BudgetCalls {
    /// The kernel's name of the call.
    pub call: String,
    /// The errno it failed with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errno: Option<String>,
    /// The path, where one is known.
    pub path: Option<String>,
    /// How many, or how many bytes.
    pub amount: u64,
    /// Of those, how many are known to come from the place in the code that `frames` show: the most; `None`
    /// where no place is known, or all come from there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub here: Option<u64>,
    /// The source's number of the user's stack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack: Option<u32>,
    /// That stack, the innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<Frame>,
}
