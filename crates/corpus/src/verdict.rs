//! Whether the audit said of the programs of a case what it has to say.

use crate::bench::{Bench, BenchError, Seen};
use crate::case::{Case, CorpusError, Part};
use fathom_audit::RuleId;

/// What came out for one case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verdict {
    /// True when `before` was found with its exact count.
    pub is_found: bool,
    /// Findings that are right: a rule in a program, however often it counts.
    pub right: Vec<(RuleId, Part)>,
    /// Findings that are wrong, or have the wrong count.
    pub wrong: Vec<(RuleId, Part)>,
    /// Findings in `after` and the look-alike that the case has a reason for.
    pub allowed: Vec<(RuleId, Part)>,
    /// Everything that is not as it should be, in words.
    pub problems: Vec<String>,
}

/// Runs the three programs of a case and judges them; the look-alike a second time without the
/// guard that spares it, since one that no guard has to spare shows nothing. What was seen comes
/// with it.
pub fn examine(bench: &Bench, case: &Case) -> Result<(Verdict, [Seen; 3]), CaseError> {
    let [before, after, look_alike] = Part::ALL.map(|part| bench.run(case, part));
    let seen = [before?, after?, look_alike?];
    let mut verdict = judge(case, &seen);
    if let Some(guard) = case.guard()?
        && bench.count_without(case, guard)? == 0
    {
        verdict.problems.push(format!("look_alike is spared without the guard `{}`, too", guard.name));
    }
    Ok((verdict, seen))
}

/// A case that could not be judged.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// Its folder is not what it has to be.
    #[error(transparent)]
    Form(#[from] CorpusError),
    /// A program could not be looked at.
    #[error(transparent)]
    Bench(#[from] BenchError),
}

/// Judges what was seen of `before`, `after` and the look-alike, in this order.
pub fn judge(case: &Case, seen: &[Seen; 3]) -> Verdict {
    let mut verdict = Verdict::default();
    for (part, seen) in Part::ALL.into_iter().zip(seen) {
        verdict.look(case, part, seen);
    }
    let [before, after, _] = seen;
    if before.printed.trim().is_empty() || before.printed != after.printed {
        verdict.problems.push(format!(
            "before and after do not the same: they printed `{}` and `{}`",
            before.printed.trim(),
            after.printed.trim()
        ));
    }
    for rule in case.words.allowed.keys() {
        if !verdict.allowed.iter().any(|(found, _)| found == rule) {
            verdict.problems.push(format!("`allowed` has {rule}, which finds nothing"));
        }
    }
    verdict
}

impl Verdict {
    fn look(&mut self, case: &Case, part: Part, seen: &Seen) {
        if seen.ended != "exit 0" {
            self.problems.push(format!("{} ended with: {}", part.stem(), seen.ended));
        }
        for (rule, wanted) in wanted(case, part) {
            if !seen.found.contains_key(&rule) {
                self.problems.push(format!("{}: {rule} finds nothing, not {wanted}", part.stem()));
            }
        }
        for (&rule, &count) in &seen.found {
            let wanted = wanted(case, part).find(|(wanted, _)| *wanted == rule).map(|(_, count)| count);
            let is_allowed = part != Part::Before && case.words.allowed.contains_key(&rule);
            if wanted == Some(count) {
                self.is_found |= rule == case.words.rule;
                self.right.push((rule, part));
            } else if is_allowed {
                self.allowed.push((rule, part));
            } else {
                self.wrong.push((rule, part));
                let wanted = wanted.map_or_else(|| "nothing".to_owned(), |count| count.to_string());
                self.problems.push(format!("{}: {rule} counts {count}, not {wanted}", part.stem()));
            }
        }
    }
}

/// What has to be found in a program, with its count.
fn wanted(case: &Case, part: Part) -> impl Iterator<Item = (RuleId, u64)> + '_ {
    let own = (case.words.rule, case.words.count);
    let also = case.words.also.iter().map(|(rule, count)| (*rule, *count));
    std::iter::once(own).chain(also).filter(move |_| part == Part::Before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CaseWords, Language};

    fn case() -> Case {
        let words = CaseWords {
            rule: RuleId(4),
            language: Language::Shell,
            reference: "x#1".to_owned(),
            summary: "asks".to_owned(),
            count: 20,
            guard: None,
            also: [(RuleId(3), 5)].into(),
            allowed: [(RuleId(46), "it has to".to_owned())].into(),
            needs: None,
            everywhere: false,
        };
        Case { name: "R04-x".to_owned(), folder: "x".into(), words }
    }

    fn seen(found: &[(u16, u64)]) -> Seen {
        let found = found.iter().map(|(rule, count)| (RuleId(*rule), *count)).collect();
        Seen { found, printed: "sum 3\n".to_owned(), ended: "exit 0".to_owned(), told: Vec::new() }
    }

    #[test]
    fn a_case_that_is_as_it_should_be_has_no_problems() {
        let verdict = judge(&case(), &[seen(&[(4, 20), (3, 5)]), seen(&[(46, 2)]), seen(&[])]);
        assert_eq!(verdict.problems, Vec::<String>::new());
        assert!(verdict.is_found && verdict.wrong.is_empty());
        assert_eq!((verdict.right.len(), verdict.allowed.len()), (2, 1));
    }

    #[test]
    fn a_wrong_count_is_neither_found_nor_right() {
        let verdict = judge(&case(), &[seen(&[(4, 19), (3, 5)]), seen(&[(46, 2)]), seen(&[])]);
        assert!(!verdict.is_found);
        assert_eq!(verdict.wrong, [(RuleId(4), Part::Before)]);
        assert_eq!(verdict.problems, ["before: R04 counts 19, not 20"]);
    }

    #[test]
    fn whatever_is_not_expected_is_a_problem() {
        let mut after = seen(&[(4, 1)]);
        (after.printed, after.ended) = ("other".to_owned(), "exit 1".to_owned());
        let verdict = judge(&case(), &[seen(&[(4, 20)]), after, seen(&[(13, 1)])]);
        assert!(verdict.is_found);
        assert_eq!(verdict.wrong, [(RuleId(4), Part::After), (RuleId(13), Part::LookAlike)]);
        let problems = verdict.problems.join("; ");
        for words in ["R03 finds nothing", "ended with: exit 1", "look_alike: R13 counts 1, not nothing"] {
            assert!(problems.contains(words), "{problems}");
        }
        assert!(problems.contains("do not the same") && problems.contains("`allowed` has R46"), "{problems}");
    }
}
