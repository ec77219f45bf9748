//! An audit as CSV: a row for each finding, each budget, and each thing that was not judged.

use super::{budgets, words};
use crate::export_error::ExportError;
use crate::table_text::csv;
use crate::visible::visible_lines;
use fathom_audit::{Audit, BudgetOutcome, Finding, FindingClass, Owner};
use fathom_model::Reading;

const HEADER: [&str; 18] = [
    "what",
    "rule",
    "pattern",
    "severity",
    "class",
    "title",
    "count",
    "per_file_opened",
    "owner",
    "program",
    "place",
    "paths",
    "ns",
    "ns_low",
    "ns_high",
    "share",
    "fix",
    "note",
];

/// The audit as CSV. Pure.
///
/// # Errors
///
/// Those of writing CSV.
pub fn audit_csv(audit: &Audit) -> Result<String, ExportError> {
    let findings = audit.findings.iter().map(|found| finding("finding", found));
    let negligible = audit.trifles.iter().map(|found| finding("negligible", found));
    let budgets = audit.budgets.iter().map(budget);
    // What was not judged is a row too: a table without it would be good news.
    let gaps =
        audit.gaps.iter().map(|gap| row(&[("what", gap.kind.word().to_owned()), ("note", gap.text.clone())]));
    let text = csv(&HEADER, findings.chain(negligible).chain(budgets).chain(gaps))?;
    // A name must not steer the terminal that shows it.
    Ok(visible_lines(&text))
}

/// A row of these cells; the others are empty.
fn row(cells: &[(&str, String)]) -> Vec<String> {
    let cell = |name: &&str| cells.iter().find(|(column, _)| column == name).map(|(_, text)| text.clone());
    HEADER.iter().map(|name| cell(name).unwrap_or_default()).collect()
}

fn finding(what: &str, finding: &Finding) -> Vec<String> {
    let price = finding.price.value();
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let note = match (&finding.suppressed, &finding.price) {
        (Some(suppressed), _) => suppressed.reason.clone(),
        (None, Reading::Unavailable(reason)) => format!("no price: {reason}"),
        (None, Reading::Value(_)) => String::new(),
    };
    row(&[
        ("what", if finding.suppressed.is_some() { "suppressed" } else { what }.to_owned()),
        ("rule", finding.rule.to_string()),
        ("pattern", finding.pattern.to_string()),
        ("severity", words::severity(finding.severity).to_owned()),
        ("class", class(finding.class).to_owned()),
        ("title", finding.title.clone()),
        ("count", finding.count.to_string()),
        ("per_file_opened", number(finding.per_file_opened)),
        ("owner", owner(finding.owner_by_calls).to_owned()),
        ("program", finding.place.program.clone().unwrap_or_default()),
        ("place", words::place(finding)),
        ("paths", finding.place.paths.as_ref().map(words::paths).unwrap_or_default()),
        ("ns", number(price.map(|price| price.total_ns))),
        ("ns_low", number(price.and_then(|price| price.low_ns))),
        ("ns_high", number(price.and_then(|price| price.high_ns))),
        ("share", number(price.and_then(|price| price.share))),
        ("fix", finding.fix.clone()),
        ("note", note),
    ])
}

fn budget(outcome: &BudgetOutcome) -> Vec<String> {
    row(&[
        ("what", format!("budget {}", budgets::verdict(outcome).to_lowercase())),
        ("title", outcome.budget.clone()),
        ("count", outcome.measured.value().map(f64::to_string).unwrap_or_default()),
        ("note", budgets::sentence(outcome)),
    ])
}

fn class(class: FindingClass) -> &'static str {
    match class {
        FindingClass::Correctness => "danger",
        FindingClass::Cost => "cost",
    }
}

fn owner(owner: Owner) -> &'static str {
    match owner {
        Owner::Yours => "yours",
        Owner::Runtime => "runtime",
        Owner::Libc => "libc",
        Owner::Loader => "loader",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::tests::sample;

    #[test]
    fn an_audit_as_csv_reads_as_recorded() {
        let mut audit = sample();
        audit.findings[0].title = "a \"title\", with\na line".to_owned();
        audit.findings[1].title.push('\u{202e}');
        let text = audit_csv(&audit).unwrap();
        assert!(text.contains("\\u{202e}") && !text.contains('\u{202e}'), "{text}");
        insta::assert_snapshot!(text);
        let rows = csv::Reader::from_reader(text.as_bytes()).records().count();
        let expected = audit.findings.len() + audit.trifles.len() + audit.budgets.len() + audit.gaps.len();
        assert_eq!(rows, expected);
    }
}
