//! An audit as one line for each finding, as editors and `grep` take it:
//! `PLACE: RULE SEVERITY: SENTENCE`; and one for each budget that was not met.

use super::{budgets, words};
use crate::visible::visible;
use fathom_audit::{Audit, BudgetVerdict};
use std::fmt::Write as _;

/// The lines; empty where nothing was found. What is suppressed has none. Pure.
pub fn render_audit_lines(audit: &Audit) -> String {
    let mut text = String::new();
    for finding in audit.findings.iter().filter(|finding| finding.suppressed.is_none()) {
        let share = finding.price.value().and_then(words::share);
        let mut facts = vec![words::frequency(finding)];
        facts.extend(share);
        facts.extend(words::whose(finding));
        let paths = finding.place.paths.as_ref();
        let paths = paths.map(|paths| format!("; {}", words::paths(paths))).unwrap_or_default();
        let _infallible = writeln!(
            text,
            "{}: {} {}: {} ({}){}",
            visible(&words::place(finding)),
            finding.rule,
            words::severity(finding.severity),
            visible(&finding.title),
            facts.join(", "),
            visible(&paths),
        );
    }
    for outcome in audit.budgets.iter().filter(|outcome| outcome.verdict != BudgetVerdict::Met) {
        let verdict = budgets::verdict(outcome);
        let _infallible = writeln!(text, "budget: {verdict}: {}", visible(&budgets::sentence(outcome)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::tests::sample;

    #[test]
    fn each_finding_has_one_line_that_begins_with_its_place() {
        let mut audit = sample();
        audit.findings[0].title = "a sentence\nin two lines".to_owned();
        let text = render_audit_lines(&audit);
        insta::assert_snapshot!(text);
        let counting = audit.findings.iter().filter(|finding| finding.suppressed.is_none());
        assert_eq!(text.lines().count(), counting.count() + 1, "and a budget");
        audit.findings.clear();
        audit.budgets.clear();
        assert_eq!(render_audit_lines(&audit), "");
    }
}
