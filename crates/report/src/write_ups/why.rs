//! Why a statement has its verdict, in one sentence. A written reason is said only for the
//! verdict that it was written for.

use crate::verdicts::words::{check_in_words, effect_in_short, region_in_words};
use fathom_claims::{Instance, JudgedCheck, JudgedClaim, JudgedStatement, Verdict};
use fathom_model::StatementVerdict;

/// The sentence.
pub(super) fn reason(judged: &JudgedStatement<'_>) -> String {
    let statement = judged.statement;
    if let Some(written) = statement.why.get(&judged.verdict).or(statement.untestable.as_ref()) {
        return written.clone();
    }
    let Some(claim) = judged.deciding else { return "left out: it was not asked for".to_owned() };
    let because = match judged.verdict {
        StatementVerdict::Supported if statement.claims.len() > 1 => {
            return format!("each of its {} claims holds", statement.claims.len());
        }
        StatementVerdict::Refuted => refuted(claim),
        // Its other claims hold.
        StatementVerdict::Inconclusive if claim.verdict == Verdict::Untestable => {
            format!("a part cannot be tested: {}", claim.because)
        }
        _ => claim.because.clone(),
    };
    if statement.claims.len() > 1 { format!("{}: {because}", claim.name) } else { because }
}

/// The first number that refutes, against what was claimed.
fn refuted(claim: &JudgedClaim) -> String {
    let refuting = claim.checks.iter().find_map(|check| {
        let against = |instance: &&Instance| instance.verdict == Verdict::Refuted;
        Some((check, check.instances.iter().find(against)?))
    });
    let Some((check, instance)) = refuting else { return claim.because.clone() };
    let Some(effect) = &instance.effect else { return claim.because.clone() };
    let place = if instance.place.is_empty() { String::new() } else { format!(" in {}", instance.place) };
    let JudgedCheck { check, .. } = check;
    format!(
        "{}: {}{place}, claimed {}",
        check_in_words(check),
        effect_in_short(effect),
        region_in_words(check)
    )
}
