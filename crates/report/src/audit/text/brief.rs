//! The summary of an audit: what was watched, the best things to do, and where the rest is.
//! However much was found, it fits on a screen.

use super::{ink, places};
use crate::audit::{GroupKind, budgets, groups, words};
use crate::options::TextOptions;
use crate::page::{Ink, Page};
use crate::quantity::grouped;
use crate::wrap::{fit, shorten, width};
use fathom_audit::{Audit, BudgetOutcome, BudgetVerdict, FactKind, Finding, FindingClass, RuleId};
use std::collections::HashSet;

/// Lines of a summary.
const LINES: usize = 25;
/// Of those, at most: of what was watched, of budgets.
const LINES_OF_FACTS: usize = 9;
const LINES_OF_BUDGETS: usize = 5;
/// The empty line and the two of where the rest is.
const LINES_OF_REST: usize = 3;
/// Findings that it shows.
const FINDINGS: usize = 5;
/// From so many calls on, and from this part of all (one in …) on, a runtime's waste is shown.
const MANY_OF_OTHERS: u64 = 200;
const PART_OF_OTHERS: u64 = 4;
/// Columns before what belongs to a finding.
const INDENT: usize = 4;

/// The summary. Pure.
pub(super) fn render(audit: &Audit, options: &TextOptions) -> String {
    let part = |write: &dyn Fn(&mut Page)| {
        let mut part = Page::new(options);
        write(&mut part);
        part
    };
    let mut page = Page::new(options);
    page.append(&part(&|part| facts(part, audit)), LINES_OF_FACTS);
    page.blank();
    // What is negligible, or a runtime's, saves nothing that its user could do.
    let savings = words::brief_savings(audit).filter(|_| of_yours(audit).next().is_some());
    let savings = savings.map(|savings| format!("; {savings}")).unwrap_or_default();
    page.paragraph(0, Ink::Heading, &format!("{}{savings}", words::to_mend(audit)));
    page.blank();
    let budgets = part(&|part| budget_lines(part, audit));
    let of_budgets = budgets.line_count().min(LINES_OF_BUDGETS);
    let room = LINES.saturating_sub(LINES_OF_REST + of_budgets + usize::from(of_budgets > 0));
    let shown = best(&mut page, audit, options, room);
    let others = [false, true].map(|is_short| part(&|part| most_of_others(part, audit, is_short)));
    let is_in = |block: &&Page| page.line_count() + block.line_count() < room;
    if let Some(block) = others.iter().find(is_in) {
        page.append(block, room);
    }
    page.blank();
    page.append(&budgets, LINES_OF_BUDGETS);
    rest(&mut page, audit, shown);
    page.finish()
}

/// What was watched, first what says how far the rest holds.
fn facts(page: &mut Page, audit: &Audit) {
    if let Some(subject) = audit.fact(FactKind::Subject) {
        page.line("audit", subject);
    }
    page.fact("watched", &words::briefly_watched(audit));
    let of = |kind| audit.about.iter().filter(move |fact| fact.kind == kind);
    of(FactKind::Ended).for_each(|fact| page.fact(fact.kind.word(), &fact.text));
    for gap in &audit.gaps {
        page.fact(gap.kind.word(), &gap.text);
    }
    let is_unpriced = !words::has_prices(audit) && !audit.findings.is_empty();
    let prices = is_unpriced.then_some(FactKind::Prices);
    let others = [
        FactKind::Container,
        FactKind::Layers,
        FactKind::Under,
        FactKind::Window,
        FactKind::Waited,
        FactKind::Latency,
        FactKind::Kept,
        FactKind::Variables,
        FactKind::Redacted,
    ];
    let hints = [FactKind::Unused, FactKind::Shim, FactKind::Starts, FactKind::Stacks, FactKind::Faster];
    for kind in others.into_iter().chain(prices).chain(hints) {
        of(kind).for_each(|fact| page.fact(kind.word(), &fact.text));
    }
}

/// As many of the best things to do as there is room for: in three lines each, and whole where lines
/// are left, the best first. Returns how many.
fn best(page: &mut Page, audit: &Audit, options: &TextOptions, room: usize) -> usize {
    let blocks = |is_short: bool| {
        let mut said = HashSet::new();
        let block = |finding| {
            let mut block = Page::new(options);
            self::finding(&mut block, finding, is_short, &mut said);
            block
        };
        of_yours(audit).take(FINDINGS).map(block).collect::<Vec<_>>()
    };
    let left = room.saturating_sub(page.line_count());
    let (whole, short) = (blocks(false), blocks(true));
    let mut spare = left;
    let fits = |block: &&Page| {
        let is_in = spare >= block.line_count();
        spare = spare.saturating_sub(block.line_count());
        is_in
    };
    // The first is shown even where it is cut.
    let shown = short.iter().take_while(fits).count().max(short.len().min(1));
    let mut spare = left.saturating_sub(short[..shown].iter().map(Page::line_count).sum());
    for (short, whole) in short.iter().zip(&whole).take(shown) {
        let further = whole.line_count().saturating_sub(short.line_count());
        let is_whole = short.is_cut() && further <= spare;
        spare -= if is_whole { further } else { 0 };
        let block = if is_whole { whole } else { short };
        let left = room.saturating_sub(page.line_count());
        page.append(block, left.max(1));
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

/// What a runtime or a library wastes, where it makes a good part of all calls: a setting or another way
/// to use it may spare them.
fn most_of_others(page: &mut Page, audit: &Audit, is_short: bool) {
    let groups = groups(audit);
    let not_yours = groups.iter().filter(|group| group.kind == GroupKind::NotYours);
    let largest = not_yours.flat_map(|group| group.findings.iter().copied()).max_by_key(|found| found.count);
    let Some(largest) = largest.filter(|found| {
        found.class == FindingClass::Cost
            && found.count >= MANY_OF_OTHERS
            && found.count.saturating_mul(PART_OF_OTHERS) >= audit.file_calls()
    }) else {
        return;
    };
    page.blank();
    let (of, all) = (grouped(largest.count), grouped(audit.file_calls()));
    page.paragraph(0, Ink::Plain, &format!("Not of its own code, but {of} of {all} file calls:"));
    finding(page, largest, is_short, &mut HashSet::new());
}

/// What happens, how often and what it costs; where; what to do.
fn finding<'a>(page: &mut Page, finding: &'a Finding, is_short: bool, said: &mut HashSet<(RuleId, &'a str)>) {
    let mut facts = vec![words::times(finding)];
    facts.extend(words::brief_price(finding, ""));
    facts.extend(words::not_in_sum(finding));
    // A danger is told whoever wrote the code.
    facts.extend(words::whose(finding));
    let severity = words::severity(finding.severity);
    let sentence = format!("{} {severity}: {}", finding.rule, finding.title);
    let told = facts.join(", ");
    let mut places = places(finding);
    places.extend(words::concentrations(finding));
    let fix = said.insert((finding.rule, &finding.fix)).then(|| format!("fix: {}", finding.fix));
    if !is_short {
        // A figure keeps its unit.
        let words = format!("{sentence}:");
        let tokens = words.split_whitespace().map(str::to_owned).chain([told]).collect();
        page.unbroken(INDENT, ink(finding.severity), tokens);
        page.tokens(&" ".repeat(INDENT), INDENT, &places, ", ");
        if let Some(fix) = fix {
            page.hanging(&" ".repeat(INDENT), INDENT + 5, Ink::Plain, &fix);
        }
        return;
    }
    // What is cut is the sentence, not the number.
    let sentence = shorten(&sentence, page.width().saturating_sub(width(&told) + 2));
    page.row("", &format!("{sentence}: {told}"), ink(finding.severity));
    let room = page.width() - INDENT;
    let places = Some(fit(&places, ", ", room)).filter(|line| !line.is_empty());
    for line in places.into_iter().chain(fix.map(|fix| shorten(&fix, room))) {
        page.row(&" ".repeat(INDENT), &line, Ink::Plain);
    }
}

/// Those that were not met first, each with the calls that make most of it.
fn budget_lines(page: &mut Page, audit: &Audit) {
    let is_met = |outcome: &&BudgetOutcome| outcome.verdict == BudgetVerdict::Met;
    let unmet = audit.budgets.iter().filter(|outcome| !is_met(outcome));
    unmet.for_each(|outcome| budgets::line(page, outcome, 1));
    audit.budgets.iter().filter(is_met).for_each(|outcome| budgets::line(page, outcome, 0));
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
