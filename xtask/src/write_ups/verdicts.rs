//! The tables of docs/verdicts.md: every statement of every document, and every claim.

use super::pages::{counts, share_settled, verdict_word};
use super::{row, table};
use crate::reference::prose;
use crate::section::replace_section;
use anyhow::Context;
use fathom_claims::{JudgedClaim, Judgement, Verdict};
use fathom_report::{VerifiedWriteUp, VerifiedWriteUps, found_of_claim};

/// Every verdict, in the order of the tally.
const VERDICTS: [Verdict; 5] =
    [Verdict::Supported, Verdict::Refuted, Verdict::Confounded, Verdict::Inconclusive, Verdict::Untestable];

/// The page with its tables renewed; what stands around them is written by hand.
pub(super) fn renewed(page: &str, verified: &VerifiedWriteUps) -> anyhow::Result<String> {
    let put = |page: &str, section: &str, text: &str| {
        replace_section(page, &format!("<!-- {section} -->"), &format!("<!-- /{section} -->"), text)
            .with_context(|| format!("docs/verdicts.md has no markers for {section}"))
    };
    let page = put(page, "statements", &statements(&verified.write_ups))?;
    put(&page, "claims", &claims(&verified.judgement))
}

fn statements(write_ups: &[VerifiedWriteUp]) -> String {
    let sections = write_ups.iter().map(|write_up| {
        let VerifiedWriteUp { name, title, statements, .. } = write_up;
        let rows = statements.iter().map(|statement| {
            let verdict = verdict_word(statement.verdict).to_owned();
            row([prose(&statement.says), verdict, prose(&statement.why)])
        });
        format!(
            "### {name}\n\n[{}](write-ups/{name}.md), {} statements: {}; with a verdict or a reason: {}\n\n{}",
            prose(title),
            statements.len(),
            counts(write_up),
            share_settled(write_up),
            table(&["it says", "verdict", "why"], rows)
        )
    });
    sections.collect::<Vec<_>>().join("\n\n")
}

fn claims(judgement: &Judgement) -> String {
    let counted = VERDICTS.map(|verdict| {
        let n = judgement.claims.iter().filter(|claim| claim.verdict == verdict).count();
        (n > 0).then(|| format!("{n} {}", verdict.word()))
    });
    let counted: Vec<String> = counted.into_iter().flatten().collect();
    let mut pieces = vec![format!("{} claims: {}", judgement.claims.len(), counted.join(", "))];
    let by_experiment = judgement.claims.chunk_by(|one, other| one.experiment == other.experiment);
    for claims in by_experiment {
        pieces.push(format!("### {}", claims[0].experiment));
        pieces.push(table(&["claim", "reported", "verdict", "found"], claims.iter().map(claim_row)));
    }
    pieces.join("\n\n")
}

fn claim_row(claim: &JudgedClaim) -> String {
    let found = match found_of_claim(claim) {
        found if found.is_empty() => claim.because.clone(),
        found => found,
    };
    row([
        format!("{}: \"{}\"", claim.name, prose(&claim.sentence)),
        claim.reported.as_deref().map_or_else(|| "–".to_owned(), prose),
        claim.verdict.word().to_owned(),
        prose(&found),
    ])
}
