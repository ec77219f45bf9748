//! The numbers found for claims, short enough for a cell of a table.

use super::words::{effect_in_short, effect_value, number_in_words};
use fathom_claims::{Effect, JudgedCheck, JudgedClaim};

/// More cases of one check than these are given as a range.
const CASES_MAX: usize = 2;
/// More checks of one kind than these are left to the evidence.
const CHECKS_MAX: usize = 4;

/// The numbers behind a statement.
pub(crate) fn found_here(claims: &[&JudgedClaim]) -> String {
    let mut found: Vec<String> = Vec::new();
    for said in claims.iter().map(|claim| found_of_claim(claim)).filter(|said| !said.is_empty()) {
        if !found.contains(&said) {
            found.push(said);
        }
    }
    found.join("; ")
}

/// The numbers behind a claim: `time saved 33.8 % [18.6 %, 49.7 %]; fair: 0.7 %`.
pub fn found_of_claim(claim: &JudgedClaim) -> String {
    let fair = claim.fair.iter().map(|fair| ("fair: ", fair.checks.as_slice()));
    let sides = std::iter::once(("", claim.checks.as_slice())).chain(fair);
    let said = sides.filter_map(|(prefix, checks)| {
        let found = found_by_checks(checks);
        (!found.is_empty()).then(|| format!("{prefix}{found}"))
    });
    said.collect::<Vec<_>>().join("; ")
}

/// The checks' numbers, those of one kind behind one label.
fn found_by_checks(checks: &[JudgedCheck]) -> String {
    let mut kinds: Vec<(String, Vec<String>)> = Vec::new();
    for check in checks {
        let Some(found) = found_by(check) else { continue };
        let kind = number_in_words(&check.check);
        match kinds.last_mut() {
            Some((known, all)) if *known == kind => all.push(found),
            _ => kinds.push((kind, vec![found])),
        }
    }
    let said = kinds.into_iter().map(|(kind, mut all)| {
        // The same everywhere is said once.
        if all.iter().all(|found| *found == all[0]) {
            all.truncate(1);
        }
        let more = match all.len().saturating_sub(CHECKS_MAX) {
            0 => String::new(),
            more => format!(", {more} more"),
        };
        format!("{kind} {}{more}", all.into_iter().take(CHECKS_MAX).collect::<Vec<_>>().join(", "))
    });
    said.collect::<Vec<_>>().join("; ")
}

/// Each case, once; where there are many, from the least to the most.
fn found_by(check: &JudgedCheck) -> Option<String> {
    let effects: Vec<&Effect> =
        check.instances.iter().filter_map(|instance| instance.effect.as_ref()).collect();
    let mut cases: Vec<String> = Vec::new();
    for case in effects.iter().map(|effect| effect_in_short(effect)) {
        if !cases.contains(&case) {
            cases.push(case);
        }
    }
    if cases.len() <= CASES_MAX {
        return (!cases.is_empty()).then(|| cases.join(" and "));
    }
    let least = effects.iter().min_by(|one, two| one.value.total_cmp(&two.value))?;
    let most = effects.iter().max_by(|one, two| one.value.total_cmp(&two.value))?;
    Some(format!("{} to {} in {} cases", effect_value(least), effect_value(most), effects.len()))
}
