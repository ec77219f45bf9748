//! What a check found, and the table of findings.

use super::share::Share;
use fathom_stats::{Interval, Verdict, decide};
use std::fmt::Write;

/// How a finding stands to its criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The criterion is met.
    Passed,
    /// The criterion is not met.
    Failed,
    /// The interval reaches over the criterion's edge.
    Undecided,
    /// There is no criterion, or nothing could be measured.
    Reported,
}

impl Outcome {
    fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "**failed**",
            Self::Undecided => "undecided",
            Self::Reported => "reported",
        }
    }

    /// The rule by which claims are judged too: the whole interval inside the
    /// region, or none of it, from five values on.
    pub(super) fn of_interval(interval: Interval, region: Interval, n: usize) -> Self {
        match decide(interval, region, n) {
            Verdict::Supported => Self::Passed,
            Verdict::Refuted => Self::Failed,
            Verdict::Undecided => Self::Undecided,
        }
    }

    /// Fails when the share is shown to be above `limit`.
    pub(super) fn of_share(share: Share, limit: f64) -> Self {
        if share.lower_bound() > limit { Self::Failed } else { Self::Passed }
    }
}

/// One line of the table.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Finding {
    /// What is checked.
    pub(super) check: String,
    /// What was done.
    pub(super) done: String,
    /// Number of independent values.
    pub(super) n: usize,
    /// The result, with its interval.
    pub(super) result: String,
    /// The criterion; empty when there is none.
    pub(super) accept: String,
    /// Whether it is met.
    pub(super) outcome: Outcome,
}

impl Finding {
    /// A finding without a criterion.
    pub(super) fn reported(
        check: impl Into<String>,
        done: impl Into<String>,
        n: usize,
        result: impl Into<String>,
    ) -> Self {
        Self {
            check: check.into(),
            done: done.into(),
            n,
            result: result.into(),
            accept: String::new(),
            outcome: Outcome::Reported,
        }
    }

    /// The same, judged.
    #[must_use]
    pub(super) fn judged(self, accept: impl Into<String>, outcome: Outcome) -> Self {
        Self { accept: accept.into(), outcome, ..self }
    }
}

/// The findings as a Markdown table.
pub(super) fn table(findings: &[Finding]) -> String {
    let mut text =
        String::from("| check | what was done | n | result | accept | |\n|---|---|---:|---|---|---|\n");
    for finding in findings {
        let accept = if finding.accept.is_empty() { "–" } else { &finding.accept };
        let cells = [finding.check.as_str(), &finding.done, &finding.n.to_string(), &finding.result, accept];
        let cells = cells.map(|cell| cell.replace('|', "\\|").replace('\n', " "));
        writeln!(text, "| {} | {} |", cells.join(" | "), finding.outcome.word()).expect("a String takes all");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_passes_fails_or_leaves_it_open() {
        let region = Interval::new(0.95, 1.05);
        let outcome = |low, high, n| Outcome::of_interval(Interval::new(low, high), region, n);
        assert_eq!(outcome(0.99, 1.02, 6), Outcome::Passed);
        assert_eq!(outcome(1.06, 1.20, 6), Outcome::Failed);
        assert_eq!(outcome(0.99, 1.20, 6), Outcome::Undecided);
        assert_eq!(outcome(0.99, 1.02, 4), Outcome::Undecided, "too few values");
    }

    #[test]
    fn a_share_fails_when_it_is_shown_to_be_too_large() {
        assert_eq!(Outcome::of_share(Share::new(2, 8), 0.05), Outcome::Passed);
        assert_eq!(Outcome::of_share(Share::new(4, 8), 0.05), Outcome::Failed);
    }

    #[test]
    fn a_cell_cannot_break_the_table() {
        let finding = Finding::reported("a|b", "c\nd", 3, "e").judged("f", Outcome::Failed);
        let text = table(&[finding]);
        assert_eq!(text.lines().last(), Some("| a\\|b | c d | 3 | e | f | **failed** |"));
    }
}
