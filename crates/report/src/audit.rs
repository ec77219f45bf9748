//! An audit in the forms that people and other tools read. What the forms have in common
//! is here: which findings stand together, and under which heading.

pub(crate) mod budgets;
pub(crate) mod difference;
mod lines;
mod rules;
mod sarif;
mod table;
mod text;
pub(crate) mod timeline;
mod tree;
mod waits;
pub(crate) mod words;

pub use budgets::unmet_budgets;
pub use difference::{audit_difference_table, render_audit_difference};
pub use lines::render_audit_lines;
pub use rules::render_audit_rules;
pub use sarif::audit_sarif;
pub use table::audit_csv;
pub use text::render_audit;
pub use tree::{call_tree_csv, render_call_tree, waits_in_words};
pub use waits::{file_waits_in_words, latencies_csv, latencies_in_words};

use fathom_audit::{Audit, Finding, FindingClass, Owner};

/// Findings that stand together, in the order of the audit.
#[derive(Debug, Clone)]
pub(crate) struct Group<'a> {
    pub(crate) kind: GroupKind,
    pub(crate) findings: Vec<&'a Finding>,
}

/// Why findings stand together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GroupKind {
    /// Something is at stake, whoever wrote the code.
    Dangers,
    /// Time is, in the program's own code.
    Costs,
    /// Time is, in code that its user did not write.
    NotYours,
    /// Somebody decided to live with them.
    Suppressed,
    /// They are far too small to matter.
    Trifles,
}

impl GroupKind {
    /// What stands above them.
    pub(crate) fn heading(self) -> &'static str {
        match self {
            Self::Dangers => "Dangers",
            Self::Costs => "Costs, most expensive first",
            Self::NotYours => "Not yours: the runtime, the C library, the loader",
            Self::Suppressed => "Suppressed",
            Self::Trifles => "Negligible: true, and too small to matter",
        }
    }

    fn of(finding: &Finding) -> Self {
        if finding.suppressed.is_some() {
            Self::Suppressed
        } else if finding.class == FindingClass::Correctness {
            Self::Dangers
        } else if finding.owner_by_calls == Owner::Yours {
            Self::Costs
        } else {
            Self::NotYours
        }
    }
}

/// What is far too small to matter, as a group of its own.
pub(crate) fn trifles(audit: &Audit) -> Option<Group<'_>> {
    let group = Group { kind: GroupKind::Trifles, findings: audit.trifles.iter().collect() };
    (!group.findings.is_empty()).then_some(group)
}

/// The findings of an audit by where they stand; groups without any are left out.
pub(crate) fn groups(audit: &Audit) -> Vec<Group<'_>> {
    let kinds = [GroupKind::Dangers, GroupKind::Costs, GroupKind::NotYours, GroupKind::Suppressed];
    let of = |kind| Group {
        kind,
        findings: audit.findings.iter().filter(|finding| GroupKind::of(finding) == kind).collect(),
    };
    kinds.into_iter().map(of).filter(|group| !group.findings.is_empty()).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Three programs with one danger, own and foreign costs, one that is lived with, and stacks.
    pub(crate) fn sample() -> Audit {
        serde_json::from_str(include_str!("../tests/audits/sample.json")).expect("it is kept")
    }

    #[test]
    fn every_finding_stands_in_one_group() {
        let audit = sample();
        let groups = groups(&audit);
        let kinds: Vec<_> = groups.iter().map(|group| group.kind).collect();
        let all = [GroupKind::Dangers, GroupKind::Costs, GroupKind::NotYours, GroupKind::Suppressed];
        assert_eq!(kinds, all);
        assert_eq!(groups.iter().map(|group| group.findings.len()).sum::<usize>(), audit.findings.len());
    }
}
