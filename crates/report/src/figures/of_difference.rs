//! The figures of two audits side by side: the newer side's, with the older one's beside each.

use super::{Figure, FigureForm, Figures, Quantity};
use crate::audit::{difference, words};
use crate::export_error::ExportError;
use fathom_audit::{AuditDifference, FindingChange};

/// Two audits as figures. Pure.
///
/// # Errors
///
/// Those of writing JSON.
pub fn audit_difference_figures(found: &AuditDifference, form: FigureForm) -> Result<String, ExportError> {
    let (before, after) = (&found.before, &found.after);
    let subject = if after.subject.is_empty() { &after.name } else { &after.subject };
    let is_whole = before.gaps.is_empty() && after.gaps.is_empty();
    let seen = if is_whole { "" } else { " (not all seen)" };
    let labels = [("subject", subject.clone()), ("complete", is_whole.to_string())];
    let named = |quantity, what: &str, old: f64, new: f64| {
        let figure = Figure::new(quantity, format!("{subject}: {what}{seen}"), new).labels(&labels);
        Figure { before: Some(old), ..figure }
    };
    let mut figures = vec![named(Quantity::AllCalls, "file calls", before.calls as f64, after.calls as f64)];
    if let (Some(old), Some(new)) = (before.price_ns, after.price_ns) {
        let without = format!("{} calls without a price", after.calls_without_price);
        figures.push(named(Quantity::PricedTime, "price of calls", old, new).extra(without));
    }
    figures.extend(found.calls.iter().map(|row| {
        let shown = difference::call(row);
        let figure = named(Quantity::Calls, &shown, row.before as f64, row.after as f64);
        figure.label("call", row.call.clone()).label("outcome", difference::outcome(row))
    }));
    if found.findings_not_compared.is_none() {
        for change in [FindingChange::New, FindingChange::More, FindingChange::Fewer, FindingChange::Gone] {
            let word = difference::word(change);
            let is_live = found.findings.iter().filter(|row| row.change == change && !row.suppressed);
            let count = is_live.count() as f64;
            let figure = Figure::new(Quantity::Findings, format!("{subject}: findings, {word}{seen}"), count);
            // Fewer and gone are no cost: smaller is not better.
            let is_worse = matches!(change, FindingChange::New | FindingChange::More);
            let figure = figure.labels(&labels).label("change", word);
            figures.push(Figure { name: figure.name.filter(|_| is_worse), ..figure });
        }
        let rows = found.findings.iter().filter(|row| row.change != FindingChange::Same && !row.suppressed);
        figures.extend(rows.map(|row| {
            let program = row.program.as_ref().map(|program| format!(", by {program}"));
            let what = format!("{} {}{}", row.rule, row.title, program.unwrap_or_default());
            let figure = named(Quantity::FindingCases, &what, row.before as f64, row.after as f64);
            let severity = words::severity(row.severity);
            let figure = figure.label("rule", row.rule.to_string()).label("pattern", row.pattern.to_string());
            let figure = figure.label("severity", severity).label("title", row.title.clone());
            figure.extra(format!("{severity}, {}", difference::word(row.change)))
        }));
    }
    let about = vec![
        ("fathom", found.fathom_version.clone()),
        ("before", before.name.clone()),
        ("after", after.name.clone()),
        (
            "findings_not_compared",
            found
                .findings_not_compared
                .clone()
                .or_else(|| difference::rules_of_one_side(found))
                .unwrap_or_default(),
        ),
        ("complete", is_whole.to_string()),
    ];
    Figures { about, figures }.written(form, "no calls")
}
