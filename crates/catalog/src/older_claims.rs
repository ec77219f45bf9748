//! Claims in records from before a check that names no operation or no cache state was given its part's.

use crate::{Entry, SHIPPED};
use fathom_model::{Check, Claim, Subject};

/// Completes the claims that a record keeps of a shipped experiment where nothing but those two names
/// tells them from today's; the others stay as they are.
pub fn complete_older_claims(experiment: &str, claims: &mut [Claim]) {
    let Some(file) = SHIPPED.iter().find(|file| file.name == experiment && !claims.is_empty()) else {
        return;
    };
    let Ok(entry) = Entry::parse(file.file, file.text) else { return };
    for kept in claims {
        let Some(today) = entry.claims().find(|claim| claim.name == kept.name) else { continue };
        let completed = Claim {
            checks: completed(&kept.checks, &today.checks),
            fair: kept.fair.clone().zip(today.fair.as_ref()).map(|(mut fair, today)| {
                fair.checks = completed(&fair.checks, &today.checks);
                fair
            }),
            ..kept.clone()
        };
        if completed.checks == today.checks && completed.fair == today.fair {
            *kept = completed;
        }
    }
}

/// The kept checks with what they leave open and today's name.
fn completed(kept: &[Check], today: &[Check]) -> Vec<Check> {
    let mut kept = kept.to_vec();
    for (check, today) in kept.iter_mut().zip(today) {
        let (Subject::Variants { of, to, .. }, Subject::Variants { of: today_of, to: today_to, .. }) =
            (&mut check.subject, &today.subject)
        else {
            continue;
        };
        for (conditions, today) in std::iter::once((of, today_of)).chain(to.as_mut().zip(today_to.as_ref())) {
            conditions.operation = conditions.operation.or(today.operation);
            conditions.cache = conditions.cache.or(today.cache);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped(experiment: &str) -> Vec<Claim> {
        let file = SHIPPED.iter().find(|file| file.name == experiment).unwrap();
        Entry::parse(file.file, file.text).unwrap().claims().cloned().collect()
    }

    fn open_conditions(claims: &mut [Claim]) {
        for check in claims.iter_mut().flat_map(|claim| &mut claim.checks) {
            if let Subject::Variants { of, to, .. } = &mut check.subject {
                for conditions in std::iter::once(of).chain(to.as_mut()) {
                    (conditions.operation, conditions.cache) = (None, None);
                }
            }
        }
    }

    #[test]
    fn open_conditions_are_completed() {
        let today = shipped("open-go");
        let mut kept = today.clone();
        open_conditions(&mut kept);
        assert_ne!(kept, today);
        complete_older_claims("open-go", &mut kept);
        assert_eq!(kept, today);
    }

    #[test]
    fn a_claim_that_says_something_else_stays() {
        let mut kept = shipped("open-go");
        open_conditions(&mut kept);
        let odd = kept.iter_mut().find(|claim| !claim.checks.is_empty()).unwrap();
        odd.checks[0].region.low = Some(-7.0);
        let name = odd.name.clone();
        let before = kept.clone();
        complete_older_claims("open-go", &mut kept);
        let of = |claims: &[Claim]| claims.iter().find(|claim| claim.name == name).cloned();
        assert_eq!(of(&kept), of(&before));
        let mut own = before.clone();
        complete_older_claims("an-experiment-of-mine", &mut own);
        assert_eq!(own, before);
    }
}
