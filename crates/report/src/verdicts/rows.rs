//! Verdicts as one table: a row for each claim.

use super::found_of_claim;
use crate::export_error::ExportError;
use crate::table_text::{TableForm, TextTable};
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

/// Rows under a header that begins with what they belong to.
pub(crate) fn table(first: &'static str, rows: Vec<Vec<String>>) -> TextTable {
    TextTable {
        header: vec![first, "name", "verdict", "claimed", "found here", "why"],
        figures: vec![false; 6],
        rows,
    }
}
