//! Whether a run stayed within its budgets, in words: what was measured beside the limit,
//! and of those that were not met the calls that make it.

use crate::page::{Ink, Page};
use crate::quantity::{bytes, grouped, number, short_time, things};
use fathom_audit::{Audit, BudgetCalls, BudgetOutcome, BudgetVerdict, Frame, Owner};
use fathom_model::Reading;

/// Columns of the verdict before a budget.
const VERDICT: usize = 11;

/// The section of a terminal's page; nothing where there are no budgets.
pub(super) fn section(page: &mut Page, audit: &Audit) {
    if audit.budgets.is_empty() {
        return;
    }
    page.blank();
    page.paragraph(0, Ink::Heading, "Budgets");
    page.blank();
    for outcome in &audit.budgets {
        line(page, outcome, outcome.calls.len());
    }
}

/// A budget, with so many of the calls that make most of it.
pub(super) fn line(page: &mut Page, outcome: &BudgetOutcome, calls: usize) {
    let ink = if outcome.verdict == BudgetVerdict::Met { Ink::Plain } else { Ink::Bad };
    page.hanging(&format!("{:VERDICT$}", verdict(outcome)), VERDICT, ink, &sentence(outcome));
    for calls in outcome.calls.iter().take(calls) {
        page.hanging(&" ".repeat(VERDICT), VERDICT + 4, Ink::Plain, &who(outcome, calls));
    }
}

/// A line for each budget that was not met, or of which that is not known, for forms that have
/// findings alone.
pub fn unmet_budgets(audit: &Audit) -> Vec<String> {
    let unmet = audit.budgets.iter().filter(|outcome| outcome.verdict != BudgetVerdict::Met);
    unmet
        .map(|outcome| format!("budget {}: {}", verdict(outcome).to_lowercase(), sentence(outcome)))
        .collect()
}

/// `met`, `NOT MET` or `NOT KNOWN`.
pub(crate) fn verdict(outcome: &BudgetOutcome) -> &'static str {
    match outcome.verdict {
        BudgetVerdict::Met => "met",
        BudgetVerdict::NotMet => "NOT MET",
        BudgetVerdict::NotKnown => "NOT KNOWN",
    }
}

/// `newfstatat <= 1 per open(*.json): 2 on average (60 for 30, 30 paths)`, with the difference and
/// where it was written where it was not met.
pub(crate) fn sentence(outcome: &BudgetOutcome) -> String {
    let measured = match &outcome.measured {
        Reading::Value(measured) => *measured,
        Reading::Unavailable(reason) => {
            return format!("{}: {reason}{}", outcome.budget, written_at(outcome));
        }
    };
    let paths = outcome.paths.filter(|&paths| paths > 1).map(|paths| things(paths, "path"));
    let divided = match (outcome.total, outcome.divided_by) {
        (Some(total), Some(by)) => {
            let paths = paths.map_or(String::new(), |paths| format!(", {paths}"));
            format!(" on average ({} for {}{paths})", amount(outcome, total as f64), grouped(by))
        }
        _ => paths.map_or(String::new(), |paths| format!(" on {paths}")),
    };
    let difference = measured - outcome.limit;
    if let Some(reason) = &outcome.not_known {
        let measured = amount(outcome, measured);
        let place = written_at(outcome);
        return format!("{}: at least {measured}{divided}; {reason}{place}", outcome.budget);
    }
    let difference = if outcome.verdict == BudgetVerdict::Met || difference == 0.0 {
        String::new()
    } else if difference > 0.0 {
        format!(", {} more than the limit", amount(outcome, difference))
    } else {
        format!(", {} less than the limit", amount(outcome, -difference))
    };
    format!("{}: {}{divided}{difference}{}", outcome.budget, amount(outcome, measured), written_at(outcome))
}

/// ` [.fathom.toml:12]`, of what was not met: there it is changed.
fn written_at(outcome: &BudgetOutcome) -> String {
    let unmet = outcome.verdict != BudgetVerdict::Met;
    outcome.written_at.as_ref().filter(|_| unmet).map_or(String::new(), |place| format!(" [{place}]"))
}

/// `30 newfstatat=ENOENT /data/x, in load (app.c:12)`; `, 20 of them in` where the others may be from elsewhere.
pub(crate) fn who(outcome: &BudgetOutcome, calls: &BudgetCalls) -> String {
    let errno = calls.errno.as_ref().map(|errno| format!("={errno}")).unwrap_or_default();
    let path = calls.path.as_ref().map(|path| format!(" {path}")).unwrap_or_default();
    let yours = calls.frames.iter().find(|frame| frame.owner == Owner::Yours);
    let here = calls.here.map(|here| format!("{} of them ", amount(outcome, here as f64)));
    let here = here.unwrap_or_default();
    let place = yours.and_then(frame).map(|frame| format!(", {here}in {frame}")).unwrap_or_default();
    format!("{} {}{errno}{path}{place}", amount(outcome, calls.amount as f64), calls.call)
}

fn frame(frame: &Frame) -> Option<String> {
    let function = frame.function.as_ref()?;
    let place = match (&frame.file, frame.line) {
        (Some(file), Some(line)) => format!(" ({file}:{line})"),
        _ => String::new(),
    };
    Some(format!("{function}{place}"))
}

/// A number in the budget's unit.
fn amount(outcome: &BudgetOutcome, value: f64) -> String {
    match outcome.unit.as_str() {
        "ns" => short_time(value),
        "bytes" if value.fract() == 0.0 && value < 1e15 => {
            // Whole and small: exact as an integer.
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "whole, from 0 to 1e15"
            )]
            let whole = value.max(0.0) as u64;
            bytes(whole)
        }
        "bytes" => format!("{} B", number(value, 1)),
        _ if value.fract() == 0.0 => number(value, 0),
        _ => number(value, 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(measured: Reading<f64>, limit: f64) -> BudgetOutcome {
        let calls = BudgetCalls {
            call: "openat".to_owned(),
            errno: Some("ENOENT".to_owned()),
            path: Some("/data/x".to_owned()),
            amount: 40,
            here: None,
            stack: None,
            frames: Vec::new(),
        };
        BudgetOutcome {
            budget: "open failures < 50".to_owned(),
            written_at: None,
            unit: "calls".to_owned(),
            limit,
            verdict: match &measured {
                Reading::Value(measured) if *measured < limit => BudgetVerdict::Met,
                Reading::Value(_) => BudgetVerdict::NotMet,
                Reading::Unavailable(_) => BudgetVerdict::NotKnown,
            },
            not_known: None,
            paths: None,
            measured,
            total: None,
            divided_by: None,
            calls: vec![calls],
        }
    }

    #[test]
    fn a_budget_says_what_was_measured_and_the_difference() {
        let over = outcome(Reading::Value(76.0), 50.0);
        assert_eq!(sentence(&over), "open failures < 50: 76, 26 more than the limit");
        assert_eq!(who(&over, &over.calls[0]), "40 openat=ENOENT /data/x");
        assert_eq!(sentence(&outcome(Reading::Value(5.0), 50.0)), "open failures < 50: 5");
        let frame = Frame {
            function: Some("load".to_owned()),
            file: Some("app.py".to_owned()),
            line: Some(12),
            module: None,
            address: None,
            owner: Owner::Yours,
        };
        let mut placed = BudgetCalls { frames: vec![frame], ..over.calls[0].clone() };
        assert_eq!(who(&over, &placed), "40 openat=ENOENT /data/x, in load (app.py:12)");
        placed.here = Some(30);
        assert_eq!(who(&over, &placed), "40 openat=ENOENT /data/x, 30 of them in load (app.py:12)");
        let divided =
            BudgetOutcome { total: Some(60), divided_by: Some(24), ..outcome(Reading::Value(2.5), 3.0) };
        assert_eq!(sentence(&divided), "open failures < 50: 2.50 on average (60 for 24)");
        let many = BudgetOutcome {
            paths: Some(30),
            written_at: Some(".fathom.toml:3".to_owned()),
            ..outcome(Reading::Value(76.0), 50.0)
        };
        let words = "open failures < 50: 76 on 30 paths, 26 more than the limit [.fathom.toml:3]";
        assert_eq!(sentence(&many), words);
        let unknown = outcome(Reading::unavailable("there are no prices"), 1.0);
        assert_eq!(sentence(&unknown), "open failures < 50: there are no prices");
        assert_eq!(verdict(&unknown), "NOT KNOWN");
        let blind = BudgetOutcome {
            verdict: BudgetVerdict::NotKnown,
            not_known: Some("lost: 3 events".to_owned()),
            ..outcome(Reading::Value(5.0), 50.0)
        };
        assert_eq!(sentence(&blind), "open failures < 50: at least 5; lost: 3 events");
    }

    #[test]
    fn amounts_have_their_unit() {
        let of = |unit: &str| BudgetOutcome { unit: unit.to_owned(), ..outcome(Reading::Value(0.0), 1.0) };
        assert_eq!(amount(&of("bytes"), 4096.0), "4 KiB");
        assert_eq!(amount(&of("ns"), 5_200_000.0), "5.20 ms");
        assert_eq!(amount(&of("findings"), 3.0), "3");
    }
}
