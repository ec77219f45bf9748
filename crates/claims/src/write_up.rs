//! Verdicts on the statements of write-ups, from the verdicts on their claims.

use crate::judge::{JudgedClaim, Judgement};
use crate::verdict::Verdict;
use fathom_model::{Statement, StatementVerdict};

/// A statement, its verdict, and the claims that it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedStatement<'a> {
    /// The statement.
    pub statement: &'a Statement,
    /// The verdict.
    pub verdict: StatementVerdict,
    /// Its claims, as far as they were judged.
    pub claims: Vec<&'a JudgedClaim>,
    /// The claim that the verdict is of: the first that keeps it from being supported; the
    /// first of all where it is. `None` for a statement without claims, and where the one
    /// that it is of was not judged.
    pub deciding: Option<&'a JudgedClaim>,
}

/// The verdict on a statement by these claims. One that the judgement does not hold was left out.
pub fn judge_statement<'a>(statement: &'a Statement, judgement: &'a Judgement) -> JudgedStatement<'a> {
    let parts: Vec<(StatementVerdict, Option<&JudgedClaim>)> = statement
        .claims
        .iter()
        .map(|path| {
            let claim = judgement
                .claims
                .iter()
                .find(|claim| claim.experiment == path.experiment && claim.name == path.claim);
            (claim.map_or(StatementVerdict::NotRun, of_claim), claim)
        })
        .collect();
    let (verdict, decided_by) = together(&parts);
    let is_it = |part: &&(StatementVerdict, Option<&JudgedClaim>)| part.0 == decided_by;
    JudgedStatement {
        statement,
        verdict,
        claims: parts.iter().filter_map(|(_, claim)| *claim).collect(),
        deciding: parts.iter().find(is_it).and_then(|(_, claim)| *claim),
    }
}

/// What a claim's verdict says of the statement that rests on it. What has checks could be
/// tried somewhere: that it was not says nothing of the statement, unless what it asks for is
/// missing from the machine itself.
fn of_claim(claim: &JudgedClaim) -> StatementVerdict {
    match claim.verdict {
        Verdict::Supported => StatementVerdict::Supported,
        Verdict::Refuted => StatementVerdict::Refuted,
        Verdict::Confounded => StatementVerdict::Confounded,
        Verdict::Inconclusive => StatementVerdict::Inconclusive,
        Verdict::Untestable if claim.checks.is_empty() || is_absent_here(claim) => {
            StatementVerdict::Untestable
        }
        Verdict::Untestable => StatementVerdict::NotRun,
    }
}

fn is_absent_here(claim: &JudgedClaim) -> bool {
    claim.checks.iter().flat_map(|check| &check.instances).any(|instance| instance.is_absent_here)
}

/// The verdict of all parts, and which part's verdict it comes from.
fn together(parts: &[(StatementVerdict, Option<&JudgedClaim>)]) -> (StatementVerdict, StatementVerdict) {
    use StatementVerdict::{Confounded, Inconclusive, NotRun, Refuted, Supported, Untestable};
    let any = |verdict| parts.iter().any(|(part, _)| *part == verdict);
    for verdict in [Refuted, Confounded, Inconclusive, NotRun] {
        if any(verdict) {
            return (verdict, verdict);
        }
    }
    match (any(Untestable), any(Supported)) {
        // A part that nothing can test leaves the whole open.
        (true, true) => (Inconclusive, Untestable),
        (false, true) => (Supported, Supported),
        _ => (Untestable, Untestable),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Evidence;
    use crate::instance::Instance;
    use crate::judge::JudgedCheck;
    use fathom_model::{Check, Fact, Region, StatementKind, Subject};
    use std::collections::BTreeMap;

    fn claim(name: &str, verdict: Verdict, has_checks: bool) -> JudgedClaim {
        let check = Check {
            subject: Subject::Fact(Fact::ReadAhead),
            region: Region::at_least(1.0),
            usual_margin: false,
        };
        let check = JudgedCheck { check, verdict, instances: Vec::new(), untestable: None };
        JudgedClaim {
            experiment: "mine".into(),
            name: name.into(),
            sentence: String::new(),
            source: String::new(),
            reported: None,
            verdict,
            because: String::new(),
            checks: if has_checks { vec![check] } else { Vec::new() },
            fair: None,
        }
    }

    /// A claim about an event that the kernel has not.
    fn absent() -> JudgedClaim {
        let mut absent = claim("absent", Verdict::Untestable, true);
        absent.checks[0].instances.push(Instance {
            place: String::new(),
            conditions: String::new(),
            of: None,
            to: None,
            effect: None,
            verdict: Verdict::Untestable,
            doubts: vec!["this kernel has no event block_rq_abort".into()],
            is_absent_here: true,
            evidence: Evidence::default(),
        });
        absent
    }

    fn judged(names: &[&str]) -> (StatementVerdict, Option<String>) {
        let judgement = Judgement {
            schema_version: 1,
            confidence: 0.95,
            shared_among: 0,
            claims: vec![
                claim("holds", Verdict::Supported, true),
                claim("fails", Verdict::Refuted, true),
                claim("turns", Verdict::Confounded, true),
                claim("open", Verdict::Inconclusive, true),
                claim("no-driver", Verdict::Untestable, true),
                claim("never", Verdict::Untestable, false),
                absent(),
            ],
        };
        let statement = Statement {
            id: "it".into(),
            kind: StatementKind::Statement,
            section: "a".into(),
            says: "b".into(),
            how: None,
            claims: names.iter().map(|name| format!("mine/{name}").parse().unwrap()).collect(),
            untestable: None,
            why: BTreeMap::new(),
        };
        let judged = judge_statement(&statement, &judgement);
        (judged.verdict, judged.deciding.map(|claim| claim.name.clone()))
    }

    #[test]
    fn a_statement_holds_when_all_its_claims_do() {
        for (names, verdict, deciding) in [
            (&["holds"][..], StatementVerdict::Supported, Some("holds")),
            (
                &["holds", "never", "open", "no-driver", "turns", "fails"],
                StatementVerdict::Refuted,
                Some("fails"),
            ),
            (&["absent"], StatementVerdict::Untestable, Some("absent")),
            (&["open", "no-driver", "turns"], StatementVerdict::Confounded, Some("turns")),
            (&["no-driver", "open"], StatementVerdict::Inconclusive, Some("open")),
            (&["never"], StatementVerdict::Untestable, Some("never")),
            (&[], StatementVerdict::Untestable, None),
        ] {
            assert_eq!(judged(names), (verdict, deciding.map(str::to_owned)), "{names:?}");
        }
    }

    #[test]
    fn what_was_not_tried_never_counts_as_good() {
        let left_out = (StatementVerdict::NotRun, None);
        assert_eq!(judged(&["holds", "not-judged"]), left_out);
        assert_eq!(judged(&["holds", "no-driver"]), (StatementVerdict::NotRun, Some("no-driver".to_owned())));
        assert_eq!(judged(&["never", "no-driver"]), (StatementVerdict::NotRun, Some("no-driver".to_owned())));
        assert_eq!(judged(&["holds", "never"]), (StatementVerdict::Inconclusive, Some("never".to_owned())));
    }
}
