//! Whether a waste was found, and whether its count is what strace counted.

use super::{BlindRun, Waste, Watched};
use fathom_audit::RuleId;
use std::collections::BTreeMap;

/// How often each rule counted in a program.
pub type Counts = BTreeMap<RuleId, u64>;

impl Watched {
    /// What was found, by rule.
    pub fn counts(&self) -> Counts {
        counts(self.findings.iter())
    }

    /// The same with what is too small to be reported.
    pub fn all_counts(&self) -> Counts {
        counts(self.findings.iter().chain(&self.negligible))
    }
}

fn counts<'found>(findings: impl Iterator<Item = &'found super::Found>) -> Counts {
    let mut counts = Counts::new();
    for found in findings {
        *counts.entry(found.rule).or_default() += found.count;
    }
    counts
}

impl Waste {
    /// The run of which findings are counted.
    pub fn run_of<'run>(&self, run: &'run BlindRun) -> &'run Watched {
        if self.everywhere { &run.whole } else { &run.own }
    }

    /// The rule of this waste that counts most often, where the clean program has at most half as
    /// much of it.
    pub fn found(&self, waste: &Counts, clean: &Counts) -> Option<(RuleId, u64)> {
        let of = |counts: &Counts, rule| counts.get(rule).copied().unwrap_or_default();
        let found = self.rules.iter().map(|rule| (*rule, of(waste, rule), of(clean, rule)));
        let found = found.filter(|(_, waste, clean)| *waste > 0 && clean * 2 <= *waste);
        found.max_by_key(|(_, waste, _)| *waste).map(|(rule, waste, _)| (rule, waste))
    }
}

/// Whether a count is one that strace counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// It is a number of the wasteful program, or by how much it differs from the clean one's, by
    /// two calls or a twentieth at most.
    Same,
    /// It is another.
    Other,
    /// Nothing was counted there.
    Unknown,
}

impl Agreement {
    /// Compares a count with what `case.toml` has `seen`: `stat by path: 160 (clean: 0); …`
    /// or `newfstatat of x/*: 160 [0]; …`.
    pub fn of(count: u64, seen: &str) -> Self {
        let pairs: Vec<_> = seen.split([';', ',']).filter_map(pair).flatten().collect();
        let is_near = |number: u64| number.abs_diff(count) <= 2.max(number / 20);
        if pairs.iter().any(|(waste, clean)| is_near(*waste) || is_near(waste.abs_diff(*clean))) {
            Self::Same
        } else if pairs.is_empty() {
            Self::Unknown
        } else {
            Self::Other
        }
    }
}

/// `reads: 256 (clean: 3)`, `reads: 256 [3]` or `reads 256+2 [1+2]`, of which each number and the sum count.
fn pair(text: &str) -> Option<Vec<(u64, u64)>> {
    let bracketed = |open, close| {
        let (before, after) = text.rsplit_once(open)?;
        Some((before, after.trim().strip_suffix(close)?))
    };
    let (before, clean) = bracketed(" (clean: ", ')').or_else(|| bracketed(" [", ']'))?;
    let numbers = |text: &str| text.trim().split('+').map(|number| number.parse().ok()).collect();
    let (waste, clean): (Option<Vec<u64>>, Option<Vec<u64>>) =
        (numbers(before.trim().rsplit(' ').next()?), numbers(clean));
    let (waste, clean) = (waste?, clean?);
    let sums = (waste.iter().sum(), clean.iter().sum());
    Some(waste.into_iter().zip(clean).chain([sums]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waste() -> Waste {
        Waste { number: 1, words: "x".to_owned(), rules: vec![RuleId(13), RuleId(14)], everywhere: false }
    }

    fn counts(all: &[(u16, u64)]) -> Counts {
        all.iter().map(|(rule, count)| (RuleId(*rule), *count)).collect()
    }

    #[test]
    fn a_waste_is_found_by_its_rules_and_hardly_in_the_clean_program() {
        let found = |wasteful, clean| waste().found(&counts(wasteful), &counts(clean));
        assert_eq!(found(&[(13, 10), (3, 99)], &[]), Some((RuleId(13), 10)));
        assert_eq!(found(&[(13, 10), (14, 20)], &[(13, 5)]), Some((RuleId(14), 20)));
        assert_eq!(found(&[(13, 10)], &[(13, 5)]), Some((RuleId(13), 10)));
        assert_eq!(found(&[(13, 10)], &[(13, 6)]), None);
        assert_eq!(found(&[(3, 10)], &[]), None);
        assert_eq!(found(&[], &[]), None);
    }

    #[test]
    fn counts_are_compared_with_what_strace_counted() {
        let seen = "opens of files: 100 (clean: 100); closes of files: 30 (clean: 100)";
        assert_eq!(Agreement::of(70, seen), Agreement::Same);
        assert_eq!(Agreement::of(104, seen), Agreement::Same);
        assert_eq!(Agreement::of(50, seen), Agreement::Other);
        let bracketed = "read = 0 on keys: 90 [0]; all reads on keys: 180 [90]";
        assert_eq!(Agreement::of(91, bracketed), Agreement::Same);
        assert_eq!(Agreement::of(135, bracketed), Agreement::Other);
        let summed = "read of strip.txt 857+40 [1+1], lseek 20 [0]";
        for (count, agreement) in [(857, Agreement::Same), (897, Agreement::Same), (20, Agreement::Same)] {
            assert_eq!(Agreement::of(count, summed), agreement);
        }
        assert_eq!(Agreement::of(300, summed), Agreement::Other);
        assert_eq!(Agreement::of(50, "failed looks at objects: 80; creates: 80"), Agreement::Unknown);
    }
}
