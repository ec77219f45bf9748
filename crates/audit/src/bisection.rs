//! Which commit changed a count: what `fathom bisect` measured and found.

use crate::change::RunsDifference;
use crate::commit::Commit;
use crate::finding::Owner;
use fathom_events::family_of;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of this form. It rises when a reader of the older form would misread the newer one.
pub const BISECTION_VERSION: u32 = 1;

/// What tells this kind of file from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BisectionKind {
    /// A search for the commit that changed a count.
    Bisection,
}

/// A search for the commit that changed a count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bisection {
    /// What this file is.
    pub kind: BisectionKind,
    /// The form of this value.
    pub schema_version: u32,
    /// Version of the Fathom that wrote it.
    pub fathom_version: String,
    /// When it was begun, RFC 3339 in UTC.
    pub created: String,
    /// What was counted, or the budget that was held, as it was written.
    pub question: String,
    /// True of a budget.
    pub is_budget: bool,
    /// What of: `calls`, `bytes`, `ns`, `findings`, `processes`.
    pub unit: String,
    /// The command's words.
    pub command: Vec<String>,
    /// What was run before, by a shell.
    pub build: Option<String>,
    /// How calls were captured.
    pub capture: Option<String>,
    /// The older end.
    pub good: BisectionEnd,
    /// The newer end.
    pub bad: BisectionEnd,
    /// Commits after the older end, up to the newer one.
    pub commits: u64,
    /// Steps that these need at most, where none is skipped.
    pub steps_at_most: u32,
    /// Counted runs of each step.
    pub runs_per_step: u32,
    /// Every step, in order.
    pub steps: Vec<BisectionStep>,
    /// What came of it.
    pub outcome: BisectionOutcome,
    /// What else is to be known.
    pub notes: Vec<String>,
    /// What was replaced in it before it was written, where something was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redacted: Option<String>,
}

/// One end of the search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BisectionEnd {
    /// What the user called it.
    pub name: String,
    /// The commit.
    pub commit: Commit,
    /// What each counted run gave, in the unit; empty where none was taken.
    pub values: Vec<f64>,
}

/// One commit between the ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BisectionStep {
    /// The commit.
    pub commit: Commit,
    /// What each counted run gave, in the unit.
    pub values: Vec<f64>,
    /// Which side it is on.
    pub side: StepSide,
}

/// Which side of the change a commit is on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StepSide {
    /// As the older end.
    Good,
    /// Not as the older end.
    Bad,
    /// It cannot be known, for this reason.
    Skipped(String),
}

/// What came of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BisectionOutcome {
    /// One commit changed it; it and its parent were both measured.
    Found(Box<FoundCommit>),
    /// One of these did: those between them could not be measured.
    Among(Vec<Commit>),
    /// There is nothing to be found, or it cannot be, for this reason.
    NotFound(String),
}

/// The commit that changed the count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FoundCommit {
    /// The commit.
    pub commit: Commit,
    /// What each of its counted runs gave.
    pub values: Vec<f64>,
    /// The parent that it is compared with.
    pub parent: Commit,
    /// What each counted run of the parent gave.
    pub parent_values: Vec<f64>,
    /// How all calls differ, from the parent to it; those that the question is about stand first.
    pub calls: RunsDifference,
}

/// Puts those first that a question is about (`openat(*.json)`, `stat <= 5`), then those of the program's
/// own code; among those of one kind the order stays. Pure.
pub fn put_asked_first(calls: &mut RunsDifference, question: &str) {
    // Patterns of paths stand in parentheses.
    let named = question.split('(').enumerate().map(|(number, part)| match number {
        0 => part,
        _ => part.split_once(')').map_or("", |(_, rest)| rest),
    });
    let words: Vec<_> = named
        .flat_map(|part| part.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_'))
        .collect();
    let is_asked =
        |call: &str| words.contains(&call) || family_of(call).is_some_and(|it| words.contains(&it));
    calls.changes.sort_by_key(|row| (!is_asked(&row.class.call), row.class.owner != Owner::Yours));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::{CallChange, CountRange};
    use crate::classed_calls::{CallClass, CallTarget, OutcomeClass};

    #[test]
    fn what_was_asked_about_stands_first_then_what_is_the_programs() {
        let row = |call: &str, owner: Owner| CallChange {
            class: CallClass {
                call: call.to_owned(),
                target: CallTarget::Path,
                outcome: OutcomeClass::Succeeded,
                path: String::new(),
                owner,
                program: String::new(),
            },
            paths: 1,
            line: None,
            base: CountRange::default(),
            head: CountRange { low: 1, high: 1 },
            unit_ns: None,
            total_ns: None,
        };
        let order = |question: &str| {
            let rows = [
                row("lseek", Owner::Runtime),
                row("read", Owner::Yours),
                row("openat", Owner::Runtime),
                row("newfstatat", Owner::Yours),
            ];
            let mut calls = RunsDifference {
                changes: rows.into(),
                same: 0,
                varying: 0,
                base: CountRange::default(),
                head: CountRange::default(),
            };
            put_asked_first(&mut calls, question);
            calls.changes.iter().map(|row| row.class.call.clone()).collect::<Vec<_>>()
        };
        assert_eq!(order("openat(*.json)"), ["openat", "read", "newfstatat", "lseek"]);
        assert_eq!(order("open <= 5"), ["openat", "read", "newfstatat", "lseek"], "a family");
        assert_eq!(order("stat <= 5")[0], "newfstatat");
        assert_eq!(
            order("openat(/srv/lseek/*) <= 1 per read(*)")[..2],
            ["read", "openat"],
            "no call is a path"
        );
        assert_eq!(order("calls"), ["read", "newfstatat", "lseek", "openat"]);
    }
}
