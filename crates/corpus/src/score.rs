//! How often the audit was right, over cases.
//!
//! Recall is the share of cases whose `before` was found with its exact count. Precision is the
//! share of findings that are right, where a finding is one rule in one program; findings that
//! a case allows with a reason are in neither.

use crate::case::Case;
use crate::verdict::Verdict;
use fathom_audit::RuleId;
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// Sums by rule.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Score {
    /// Of each rule that has a case or found something.
    pub rules: BTreeMap<RuleId, Tally>,
}

/// Sums of one rule, or of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Cases about it.
    pub cases: u64,
    /// Those whose `before` was found with its exact count.
    pub found: u64,
    /// Its findings that are right, in programs of all cases.
    pub right: u64,
    /// Its findings that are wrong.
    pub wrong: u64,
    /// Its findings that a case has a reason for.
    pub allowed: u64,
}

impl Score {
    /// Adds what came out for a case.
    pub fn add(&mut self, case: &Case, verdict: &Verdict) {
        let own = self.rules.entry(case.words.rule).or_default();
        own.cases += 1;
        own.found += u64::from(verdict.is_found);
        for (rule, _) in &verdict.right {
            self.rules.entry(*rule).or_default().right += 1;
        }
        for (rule, _) in &verdict.wrong {
            self.rules.entry(*rule).or_default().wrong += 1;
        }
        for (rule, _) in &verdict.allowed {
            self.rules.entry(*rule).or_default().allowed += 1;
        }
    }

    /// Of all rules together.
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        for tally in self.rules.values() {
            total += *tally;
        }
        total
    }
}

impl Tally {
    /// The share of findings that are right; `None` where nothing was found.
    pub fn precision(&self) -> Option<f64> {
        let all = self.right + self.wrong;
        (all > 0).then(|| self.right as f64 / all as f64)
    }

    /// The share of cases that were found; `None` where there is none.
    pub fn recall(&self) -> Option<f64> {
        (self.cases > 0).then(|| self.found as f64 / self.cases as f64)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.cases += other.cases;
        self.found += other.found;
        self.right += other.right;
        self.wrong += other.wrong;
        self.allowed += other.allowed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_what_there_is() {
        let mut sum = Tally { cases: 4, found: 3, right: 3, wrong: 1, allowed: 9 };
        assert_eq!((sum.precision(), sum.recall()), (Some(0.75), Some(0.75)));
        sum += Tally { cases: 1, found: 1, right: 4, ..Tally::default() };
        assert_eq!((sum.precision(), sum.recall()), (Some(0.875), Some(0.8)));
        assert_eq!((Tally::default().precision(), Tally::default().recall()), (None, None));
    }
}
