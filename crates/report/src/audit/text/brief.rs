//! The summary of an audit: what was watched, the best things to do, and where the rest is.
//! However much was found, it fits on a screen.

use super::{ink, places};
use crate::TextOptions;
use crate::audit::{GroupKind, budgets, groups, words};
use crate::page::{Ink, Page};
use crate::quantity::{grouped, things};
use crate::wrap::elide;
use fathom_audit::{Audit, BudgetVerdict, FactKind, Finding, RuleId};
use std::collections::HashSet;

/// Lines of a summary.
const LINES: usize = 25;
/// Of those, for two empty lines and two of where the rest is.
const LINES_OF_REST: usize = 4;
/// Findings that it shows.
const FINDINGS: usize = 5;
/// Gaps, budgets and unused suppressions that it shows, of each.
const OTHERS: usize = 3;
/// Columns before what belongs to a finding.
const INDENT: usize = 4;

/// The summary. Pure.
pub(super) fn render(audit: &Audit, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    watched(&mut page, audit);
    page.blank();
    page.paragraph(0, Ink::Heading, &words::to_mend(audit));
    if let Some(savings) = words::savings(audit) {
        page.paragraph(0, Ink::Plain, &savings);
    }
    let mut budgets = Page::new(options);
    unmet_budgets(&mut budgets, audit);
    let room = LINES.saturating_sub(LINES_OF_REST + budgets.line_count());
    page.blank();
    let shown = best(&mut page, audit, options, room);
    page.blank();
    page.append(&budgets);
    rest(&mut page, audit, shown);
    page.finish()
}

fn watched(page: &mut Page, audit: &Audit) {
    if let Some(subject) = audit.fact(FactKind::Subject) {
        page.line("audit", subject);
    }
    page.fact("watched", &words::watched(audit));
    let facts = |kind| audit.about.iter().filter(move |fact| fact.kind == kind);
    for fact in facts(FactKind::Under).chain(facts(FactKind::Ended)).chain(facts(FactKind::Window)) {
        page.line(fact.kind.word(), &fact.text);
    }
    if !words::has_prices(audit) && !audit.findings.is_empty() {
        facts(FactKind::Prices).for_each(|fact| page.fact(fact.kind.word(), &fact.text));
    }
    for gap in audit.gaps.iter().take(OTHERS) {
        page.fact(gap.kind.word(), &gap.text);
    }
    if audit.gaps.len() > OTHERS {
        page.fact("", &format!("and {} more: --full", audit.gaps.len() - OTHERS));
    }
    let hints = facts(FactKind::Stacks).chain(facts(FactKind::Unused));
    hints.take(OTHERS).for_each(|fact| page.line(fact.kind.word(), &fact.text));
}

/// As many of the best things to do as there is room for. Returns how many.
fn best(page: &mut Page, audit: &Audit, options: &TextOptions, room: usize) -> usize {
    let mut said = HashSet::new();
    let mut shown = 0;
    for finding in of_yours(audit).take(FINDINGS) {
        let mut block = Page::new(options);
        self::finding(&mut block, finding, &mut said);
        if shown > 0 && page.line_count() + block.line_count() > room {
            break;
        }
        page.append(&block);
        shown += 1;
    }
    shown
}

/// What its user can mend, the best first.
fn of_yours(audit: &Audit) -> impl Iterator<Item = &Finding> {
    let kinds = [GroupKind::Dangers, GroupKind::Costs];
    groups(audit)
        .into_iter()
        .filter(move |group| kinds.contains(&group.kind))
        .flat_map(|group| group.findings)
}

/// What happens, how often and what it costs; where; what to do.
fn finding<'a>(page: &mut Page, finding: &'a Finding, said: &mut HashSet<(RuleId, &'a str)>) {
    let mut facts = vec![words::times(finding)];
    facts.extend(words::brief_price(finding));
    let severity = words::severity(finding.severity);
    let head = format!("{severity}: {}: {}", finding.title, facts.join(", "));
    page.hanging(&format!("{} ", finding.rule), INDENT, ink(finding.severity), &head);
    let place = places(finding);
    if !place.is_empty() {
        let place = elide(&place, page.width() - INDENT);
        page.row(&" ".repeat(INDENT), &place, Ink::Plain);
    }
    if said.insert((finding.rule, &finding.fix)) {
        page.hanging("    fix: ", INDENT + 5, Ink::Plain, &finding.fix);
    }
}

fn unmet_budgets(page: &mut Page, audit: &Audit) {
    if audit.budgets.is_empty() {
        return;
    }
    let unmet = || audit.budgets.iter().filter(|outcome| outcome.verdict != BudgetVerdict::Met);
    for outcome in unmet().take(OTHERS) {
        let words = format!("budget {}: {}", budgets::verdict(outcome), budgets::sentence(outcome));
        page.hanging("", INDENT, Ink::Bad, &words);
    }
    let met = audit.budgets.len() - unmet().count();
    let more = unmet().count().saturating_sub(OTHERS);
    let more = (more > 0).then(|| format!("{more} more not met or not known"));
    let met = (met > 0).then(|| format!("{} met", things(met as u64, "budget")));
    let tally: Vec<_> = more.into_iter().chain(met).collect();
    if !tally.is_empty() {
        page.paragraph(0, Ink::Plain, &tally.join(", "));
    }
}

/// What the summary leaves out, and where it is.
fn rest(page: &mut Page, audit: &Audit, shown: usize) {
    let count = |kind| {
        groups(audit).iter().filter(|group| group.kind == kind).map(|group| group.findings.len()).sum()
    };
    let of_yours: usize = of_yours(audit).count();
    let not_yours: usize = count(GroupKind::NotYours);
    let suppressed: usize = count(GroupKind::Suppressed);
    let named = [
        (of_yours - shown, "more to mend"),
        (not_yours, "of the runtime or a library"),
        (suppressed, "suppressed"),
        (audit.trifles.len(), "negligible"),
    ];
    let counted: Vec<_> = named
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", grouped(*count as u64)))
        .collect();
    page.blank();
    let lead =
        if counted.is_empty() { String::new() } else { format!("Not shown: {}. ", counted.join(", ")) };
    page.paragraph(
        0,
        Ink::Faint,
        &format!("{lead}Calls, doubts and all the rest: --full, or --format html -o audit.html"),
    );
}
