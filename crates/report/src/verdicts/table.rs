//! Many verdicts in a table: the sum first, then a line or two for each claim.

use super::words::region_in_words;
use super::{found_of_claim, ink, sum};
use crate::options::TextOptions;
use crate::page::{Ink, Page};
use fathom_claims::{JudgedCheck, JudgedClaim, Judgement, Verdict};
use std::collections::BTreeSet;

/// Columns of the verdict: those of `inconclusive`, and the space around it.
const VERDICT: usize = 15;

/// Renders the table.
pub(super) fn render(judgement: &Judgement, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    sum(&mut page, judgement);
    for of_one in judgement.claims.chunk_by(|a, b| a.experiment == b.experiment) {
        page.blank();
        page.paragraph(0, Ink::Heading, &of_one[0].experiment);
        of_one
            .iter()
            .filter(|claim| claim.verdict != Verdict::Untestable)
            .for_each(|claim| row(&mut page, claim));
        untestable(&mut page, of_one);
    }
    page.blank();
    page.paragraph(0, Ink::Faint, "What stands behind each: --full, or --claim NAME for one.");
    page.finish()
}

/// The verdict with the sentence; of those that do not simply hold, what was found.
fn row(page: &mut Page, claim: &JudgedClaim) {
    let verdict = format!("  {:width$}", claim.verdict.word(), width = VERDICT - 2);
    page.hanging(&verdict, VERDICT, ink(claim.verdict), &format!("{} [{}]", claim.sentence, claim.name));
    let found = found_of_claim(claim);
    let found = format!("{found}{}", claimed(claim));
    let told = match claim.verdict {
        Verdict::Supported | Verdict::Untestable => return,
        _ if found.starts_with(';') || found.is_empty() => claim.because.clone(),
        Verdict::Refuted => format!("found: {found}"),
        Verdict::Confounded | Verdict::Inconclusive => format!("{}; found: {found}", claim.because),
    };
    page.hanging(&" ".repeat(VERDICT), VERDICT, Ink::Faint, &told);
}

/// Where the figures had to lie, where that is one region for all that do not.
fn claimed(claim: &JudgedClaim) -> String {
    let is_outside = |check: &&JudgedCheck| {
        check.instances.iter().any(|instance| !matches!(instance.verdict, Verdict::Supported))
    };
    let outside = claim.checks.iter().filter(is_outside);
    let regions: BTreeSet<String> = outside.map(|check| region_in_words(&check.check)).collect();
    let mut regions = regions.into_iter();
    match (regions.next(), regions.next()) {
        (Some(region), None) => format!("; claimed: {region}"),
        _ => String::new(),
    }
}

/// What could not be tested, once for each reason.
fn untestable(page: &mut Page, claims: &[JudgedClaim]) {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for claim in claims.iter().filter(|claim| claim.verdict == Verdict::Untestable) {
        match reasons.iter_mut().find(|(reason, _)| *reason == claim.because) {
            Some((_, names)) => names.push(&claim.name),
            None => reasons.push((&claim.because, vec![&claim.name])),
        }
    }
    for (reason, names) in reasons {
        let verdict = format!("  {:width$}", Verdict::Untestable.word(), width = VERDICT - 2);
        page.hanging(&verdict, VERDICT, Ink::Plain, &format!("{reason}: {}", names.join(", ")));
    }
}
