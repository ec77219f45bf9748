//! The figures of an audit: its calls, findings by severity and one by one, what could be saved, budgets.

use super::{Figure, FigureForm, Figures, Quantity};
use crate::audit::{budgets, words};
use crate::export_error::ExportError;
use fathom_audit::{Audit, BudgetVerdict, FactKind, Finding, Severity};

/// Of every audit, so that none is a 0 and not an absence.
const SEVERITIES: [Severity; 3] = [Severity::High, Severity::Warn, Severity::Info];

/// An audit as figures. Where not all was seen, figures have names of their own: lower bounds in the
/// series of whole audits would look like an improvement. Pure.
///
/// # Errors
///
/// Those of writing JSON.
pub fn audit_figures(audit: &Audit, form: FigureForm) -> Result<String, ExportError> {
    let subject = audit.fact(FactKind::Subject).unwrap_or("audit").to_owned();
    let is_whole = audit.gaps.is_empty();
    let seen = if is_whole { "" } else { " (not all seen: at least)" };
    let labels = [("subject", subject.clone()), ("complete", is_whole.to_string())];
    let gaps: Vec<String> =
        audit.gaps.iter().map(|gap| format!("{}: {}", gap.kind.word(), gap.text)).collect();
    let named = |quantity, what: &str, value| {
        Figure::new(quantity, format!("{subject}: {what}{seen}"), value).labels(&labels)
    };
    let all: u64 = audit.calls.iter().map(|call| call.count).sum();
    let of_memory = audit.events - audit.file_calls();
    let calls = all.saturating_sub(of_memory);
    let mut figures = vec![named(Quantity::AllCalls, "file calls", calls as f64).extra(gaps.join("\n"))];
    figures.extend(audit.savings.as_ref().map(|savings| {
        Figure {
            ends: savings.low_ns.zip(savings.high_ns),
            ..named(Quantity::AvoidableTime, "avoidable time", savings.total_ns)
                .extra(format!("{} calls, {} without a price", savings.calls, savings.calls_without_price))
        }
    }));
    let live = || audit.findings.iter().filter(|finding| finding.suppressed.is_none());
    for severity in SEVERITIES {
        let count = live().filter(|finding| finding.severity == severity).count();
        let word = words::severity(severity);
        let figure = named(Quantity::Findings, &format!("findings, {word}"), count as f64);
        figures.push(figure.label("severity", word));
    }
    figures.extend(live().map(|finding| {
        let program = finding.place.program.as_ref().map(|program| format!(", by {program}"));
        let what = format!("{} {}{}", finding.rule, finding.title, program.unwrap_or_default());
        with_place(named(Quantity::FindingCases, &what, finding.count as f64), finding)
    }));
    figures.extend(audit.budgets.iter().map(|outcome| {
        let value = f64::from(u8::from(outcome.verdict != BudgetVerdict::Met));
        let figure = named(Quantity::NotMet, &format!("budget {}", outcome.budget), value);
        let verdict = budgets::verdict(outcome);
        let figure = figure.label("gate", outcome.budget.clone()).label("verdict", verdict.to_lowercase());
        figure.extra(format!("{verdict}: {}", budgets::sentence(outcome)))
    }));
    let about = vec![
        ("fathom", audit.fathom_version.clone()),
        ("created", audit.created.clone().unwrap_or_default()),
        ("subject", subject.clone()),
        ("complete", is_whole.to_string()),
    ];
    Figures { about, figures }.written(form, "nothing that was audited")
}

fn with_place(figure: Figure, finding: &Finding) -> Figure {
    let severity = words::severity(finding.severity);
    let paths = finding.place.paths.as_ref().map(words::one_or_many_paths);
    let mut lines = vec![format!("{severity}, {}", words::place(finding))];
    lines.extend(words::whose(finding));
    lines.extend(words::brief_price(finding, " of its file calls"));
    lines.extend(paths);
    lines.push(finding.fix.clone());
    let figure = figure.label("rule", finding.rule.to_string()).label("pattern", finding.pattern.to_string());
    let figure = figure.label("severity", severity).label("title", finding.title.clone());
    figure.label("place", words::place(finding)).extra(lines.join("\n"))
}
