//! Verdicts as one table: a row for each claim, or for each statement of published documents.

use crate::export_error::ExportError;
use crate::table_text::{TableForm, TextTable};
use crate::write_ups::{VerifiedWriteUps, found_of_claim};
use fathom_claims::{JudgedClaim, Judgement};

/// Verdicts on claims as one table. Pure.
///
/// # Errors
///
/// Those of writing CSV.
pub fn verdicts_table(judgement: &Judgement, form: TableForm) -> Result<String, ExportError> {
    let row = |claim: &JudgedClaim| {
        vec![
            claim.experiment.clone(),
            claim.name.clone(),
            claim.verdict.word().to_owned(),
            claim.sentence.clone(),
            found_of_claim(claim),
            claim.because.clone(),
        ]
    };
    table("experiment", judgement.claims.iter().map(row).collect()).written(form)
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
    table("document", rows.collect()).written(form)
}

fn table(first: &'static str, rows: Vec<Vec<String>>) -> TextTable {
    TextTable {
        header: vec![first, "name", "verdict", "claimed", "found here", "why"],
        figures: vec![false; 6],
        rows,
    }
}
