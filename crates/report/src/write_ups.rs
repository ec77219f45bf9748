//! Write-ups with what was found: each statement's verdict, the numbers behind it, and why.

mod junit;
#[cfg(test)]
mod tests;
mod text;
mod why;

use crate::export_error::ExportError;
use crate::table_text::TableForm;
use crate::verdicts::{found_here, rows_table};
use fathom_claims::{Judgement, judge_statement};
use fathom_model::{ClaimPath, StatementKind, StatementVerdict, WriteUp};
pub use junit::write_ups_as_junit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
pub use text::render_write_ups;

/// The version of the form of verified write-ups.
pub const WRITE_UPS_VERSION: u32 = 1;

/// Documents, statement by statement, and the verdicts on the claims that they rest on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VerifiedWriteUps {
    /// The form of this file.
    pub schema_version: u32,
    /// The documents.
    pub write_ups: Vec<VerifiedWriteUp>,
    /// The verdicts on their claims.
    pub judgement: Judgement,
}

/// A document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VerifiedWriteUp {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Who wrote it.
    pub author: String,
    /// When, where it is stated.
    pub date: Option<String>,
    /// On what its figures were taken, where it is stated.
    pub hardware: Option<String>,
    /// Its statements, in its order.
    pub statements: Vec<VerifiedStatement>,
}

/// A statement with its verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VerifiedStatement {
    /// Its name in the document.
    pub id: String,
    /// What it is in the document.
    pub kind: StatementKind,
    /// The section it stands in.
    pub section: String,
    /// What it says.
    pub says: String,
    /// How it is tested.
    pub how: Option<String>,
    /// The claims that the verdict comes from.
    pub claims: Vec<ClaimPath>,
    /// The verdict.
    pub verdict: StatementVerdict,
    /// The numbers found here, in words; empty where there are none.
    pub found: String,
    /// Why, in one sentence.
    pub why: String,
}

impl VerifiedWriteUps {
    /// The documents by this judgement. With `claimed_only`, without the statements of whose
    /// claims the judgement holds none: those that were not asked for.
    pub fn new(write_ups: &[WriteUp], judgement: Judgement, claimed_only: bool) -> Self {
        let verified = |write_up: &WriteUp| {
            let judged = write_up.statements.iter().map(|statement| judge_statement(statement, &judgement));
            let wanted = judged.filter(|judged| !claimed_only || !judged.claims.is_empty());
            let statements = wanted.map(|judged| {
                let statement = judged.statement;
                VerifiedStatement {
                    id: statement.id.clone(),
                    kind: statement.kind,
                    section: statement.section.clone(),
                    says: statement.says.clone(),
                    how: statement.how.clone(),
                    claims: statement.claims.clone(),
                    verdict: judged.verdict,
                    found: found_here(&judged.claims),
                    why: why::reason(&judged),
                }
            });
            VerifiedWriteUp {
                name: write_up.name.clone(),
                title: write_up.title.clone(),
                author: write_up.author.clone(),
                date: write_up.date.clone(),
                hardware: write_up.hardware.clone(),
                statements: statements.collect(),
            }
        };
        let write_ups = write_ups.iter().map(verified).collect();
        Self { schema_version: WRITE_UPS_VERSION, write_ups, judgement }
    }

    /// True when a statement of any document has this verdict.
    pub fn has(&self, verdict: StatementVerdict) -> bool {
        self.write_ups.iter().flat_map(|write_up| &write_up.statements).any(|row| row.verdict == verdict)
    }
}

impl VerifiedWriteUp {
    /// How many statements have this verdict.
    pub fn count(&self, verdict: StatementVerdict) -> usize {
        self.statements.iter().filter(|statement| statement.verdict == verdict).count()
    }

    /// `42 statements: 20 supported, 6 refuted, …`
    pub fn tally(&self) -> String {
        let counted = StatementVerdict::ALL.map(|verdict| (self.count(verdict), verdict.word()));
        let said: Vec<String> =
            counted.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
        let all = crate::quantity::things(self.statements.len() as u64, "statement");
        if said.is_empty() { all } else { format!("{all}: {}", said.join(", ")) }
    }
}

/// Verdicts on statements as one table. Pure.
///
/// # Errors
///
/// Those of writing CSV.
pub fn write_ups_table(verified: &VerifiedWriteUps, form: TableForm) -> Result<String, ExportError> {
    let rows = verified.write_ups.iter().flat_map(|document| {
        document.statements.iter().map(|statement| {
            vec![
                document.name.clone(),
                statement.id.clone(),
                statement.verdict.word().to_owned(),
                statement.says.clone(),
                statement.found.clone(),
                statement.why.clone(),
            ]
        })
    });
    rows_table("document", rows.collect()).written(form)
}
