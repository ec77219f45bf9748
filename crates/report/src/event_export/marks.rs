//! Findings at the events that show them: an audit names, of each finding, up to six calls where it
//! occurred most often.

use fathom_audit::{Audit, Finding, FindingClass, Owner, Severity};
use std::collections::BTreeMap;

/// What is said at one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    /// The rule and what happens: `R03 repeated stat() of the same path`.
    pub(super) title: String,
    /// The rule alone.
    pub(super) rule: String,
    /// Further facts.
    pub(super) facts: Vec<(&'static str, String)>,
}

/// The findings of an audit, by the number of the event that each is marked at.
#[derive(Debug, Clone, Default)]
pub struct FindingMarks {
    marks: BTreeMap<u64, Vec<Mark>>,
    count: u64,
}

impl FindingMarks {
    /// Each finding at the first call of its example; those that somebody lives with too, which say so.
    pub fn of(audit: &Audit) -> Self {
        let mut found = Self::default();
        for finding in audit.findings.iter().chain(&audit.trifles) {
            let Some(first) = finding.example.iter().map(|call| call.number).min() else { continue };
            found.marks.entry(first).or_default().push(mark(finding));
            found.count += 1;
        }
        found
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Those of an event.
    pub(super) fn at(&self, event: u64) -> &[Mark] {
        self.marks.get(&event).map_or(&[], Vec::as_slice)
    }
}

fn mark(finding: &Finding) -> Mark {
    let severity = match finding.severity {
        Severity::High => "high",
        Severity::Warn => "warn",
        Severity::Info => "info",
    };
    let class = match finding.class {
        FindingClass::Correctness => "correctness",
        FindingClass::Cost => "cost",
    };
    let owner = match finding.owner {
        Owner::Yours => "yours",
        Owner::Runtime => "runtime",
        Owner::Libc => "libc",
        Owner::Loader => "loader",
    };
    let mut facts = vec![
        ("severity", severity.to_owned()),
        ("class", class.to_owned()),
        ("owner", owner.to_owned()),
        ("count", finding.count.to_string()),
        ("fix", finding.fix.clone()),
    ];
    if let Some(suppression) = &finding.suppressed {
        facts.push(("suppressed", suppression.reason.clone()));
    }
    let rule = finding.rule.to_string();
    Mark { title: format!("{rule} {}", finding.title), rule, facts }
}
