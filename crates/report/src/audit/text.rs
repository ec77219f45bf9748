//! What an audit found, as a good linter says it: dangers first, then costs, the dearest
//! first, each with an example, its price and what to do; then what is not yours to mend.

use super::{Group, GroupKind, groups, trifles, words};
use crate::TextOptions;
use crate::page::{Ink, Page};
use crate::quantity::things;
use fathom_audit::{Audit, Finding, Frame, Owner, RuleId, Severity};
use std::collections::HashSet;

/// Columns before what belongs to a finding.
const INDENT: usize = 4;
/// Frames of a stack in brief, the user's own first.
const FRAMES: usize = 4;

/// What was said of a rule already.
type Said<'a> = HashSet<(RuleId, &'a str)>;

/// Renders an audit for a terminal. Pure.
pub fn render_audit(audit: &Audit, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    for fact in &audit.about {
        page.fact(&fact.label, &fact.text);
    }
    for gap in &audit.gaps {
        page.fact(gap.kind.word(), &gap.text);
    }
    let mut said = HashSet::new();
    let trifles = trifles(audit).filter(|_| page.is_full());
    for group in groups(audit).into_iter().chain(trifles) {
        page.blank();
        page.paragraph(0, Ink::Heading, group.kind.heading());
        let whole = is_whole(&page, &group);
        for &finding in &group.findings {
            page.blank();
            match group.kind {
                GroupKind::Suppressed => suppressed(&mut page, finding),
                _ => self::finding(&mut page, audit, finding, whole, &mut said),
            }
        }
        if !whole {
            page.blank();
            page.paragraph(0, Ink::Faint, "Examples, doubts and references of these: --full");
        }
    }
    super::budgets::section(&mut page, audit);
    page.blank();
    page.paragraph(0, Ink::Heading, &words::tally_and_extent(audit));
    if let Some(savings) = words::savings(audit) {
        page.paragraph(0, Ink::Plain, &savings);
    }
    page.finish()
}

/// What is not the user's own is told in brief.
fn is_whole(page: &Page, group: &Group<'_>) -> bool {
    page.is_full() || group.kind != GroupKind::NotYours
}

fn finding<'a>(page: &mut Page, audit: &Audit, finding: &'a Finding, whole: bool, said: &mut Said<'a>) {
    head(page, finding);
    let mut facts = vec![words::frequency(finding)];
    facts.extend(words::price(audit, finding));
    facts.extend(words::owner(finding.owner).map(str::to_owned));
    page.tokens(&" ".repeat(INDENT), INDENT, &facts, "; ");
    place(page, finding);
    if whole {
        for (number, call) in finding.example.iter().enumerate() {
            page.tokens(&format!("    {}. ", number + 1), 7, std::slice::from_ref(&call.text), " ");
        }
    }
    if !said.insert((finding.rule, &finding.fix)) {
        page.paragraph(INDENT, Ink::Faint, "fix: as above");
        return;
    }
    page.hanging("    fix: ", 9, Ink::Plain, &finding.fix);
    if !whole {
        return;
    }
    if let Some((label, doubt)) = words::doubt(finding) {
        page.hanging(&format!("    {label}: "), label.len() + 6, Ink::Plain, doubt);
    }
    if !finding.references.is_empty() {
        page.hanging("    see: ", 9, Ink::Faint, &finding.references.join(", "));
    }
}

fn head(page: &mut Page, finding: &Finding) {
    let severity = words::severity(finding.severity);
    let words = format!("{severity}: {}", finding.title);
    page.hanging(&format!("{} ", finding.rule), INDENT, ink(finding.severity), &words);
}

fn place(page: &mut Page, finding: &Finding) {
    let place = &finding.place;
    let mut facts: Vec<String> = place.paths.iter().cloned().collect();
    facts.extend(place.program.as_ref().map(|program| format!("by {program}")));
    if page.is_full() {
        facts.push(format!("first in process {}", place.process));
    }
    let lead = if place.paths.is_some() { "    at " } else { "    " };
    page.tokens(lead, 7, &facts, ", ");
    if let Some(concentration) = words::concentration(finding) {
        page.hanging("    ", 7, Ink::Plain, &concentration);
    }
    let frames: Vec<_> = if page.is_full() {
        place.frames.iter().map(words::frame).collect()
    } else {
        brief_frames(&place.frames)
    };
    if !frames.is_empty() {
        page.tokens("    in ", 7, &frames, ", from ");
    }
}

/// The first frames that are yours. Without any, the first of a runtime's: it tells what was
/// called at least.
fn brief_frames(frames: &[Frame]) -> Vec<String> {
    let of = |owner: Owner| frames.iter().filter(move |frame| frame.owner == owner);
    let count = of(Owner::Yours).count();
    let mut shown: Vec<_> = of(Owner::Yours).take(FRAMES).map(words::frame).collect();
    if shown.is_empty() {
        let first = of(Owner::Runtime).find(|frame| frame.function.is_some()).or(frames.first());
        shown.extend(first.map(words::frame));
    } else if count > FRAMES {
        shown.push(things((count - FRAMES) as u64, "further frame"));
    }
    shown
}

/// In a line or two: somebody knows it already.
fn suppressed(page: &mut Page, finding: &Finding) {
    head(page, finding);
    if let Some(suppression) = &finding.suppressed {
        let mut facts = vec![words::frequency(finding)];
        facts.extend(finding.place.paths.iter().map(|paths| format!("at {paths}")));
        page.tokens(&" ".repeat(INDENT), INDENT, &facts, ", ");
        let because = format!("{} ({})", suppression.reason, suppression.file);
        page.hanging("    because: ", 13, Ink::Plain, &because);
    }
}

fn ink(severity: Severity) -> Ink {
    match severity {
        Severity::High | Severity::Warn => Ink::Bad,
        Severity::Info => Ink::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Details;
    use crate::audit::tests::sample;
    use crate::wrap::width;
    use fathom_model::Reading;

    fn shown(audit: &Audit, options: TextOptions) -> String {
        render_audit(audit, &options)
    }

    #[test]
    fn an_audit_reads_as_recorded() {
        insta::assert_snapshot!("audit-text", shown(&sample(), TextOptions::default()));
        let full = TextOptions { details: Details::Full, width: 120, ..TextOptions::default() };
        insta::assert_snapshot!("audit-text-full", shown(&sample(), full));
    }

    #[test]
    fn no_line_is_wider_than_the_terminal_and_color_adds_nothing_but_itself() {
        for columns in [60, 80, 120] {
            let options = TextOptions { width: columns, ..TextOptions::default() };
            let plain = shown(&sample(), options);
            let widest = plain.lines().map(width).max();
            assert!(widest <= Some(columns.max(80)), "{widest:?} of {columns}:\n{plain}");
            let colored = shown(&sample(), TextOptions { color: true, ..options });
            assert!(colored.contains('\u{1b}') && !plain.contains('\u{1b}'));
            assert_eq!(console_free(&colored), plain);
        }
    }

    #[test]
    fn what_is_about_no_path_is_told_by_its_program_alone() {
        let mut audit = sample();
        audit.findings.truncate(1);
        audit.findings[0].place.paths = None;
        audit.findings[0].place.program = Some("/usr/bin/one".to_owned());
        let text = shown(&audit, TextOptions::default());
        assert!(text.contains("\n    by /usr/bin/one") && !text.contains("at by"), "{text}");
    }

    #[test]
    fn that_there_are_no_prices_is_said_once() {
        let mut audit = sample();
        audit.call_prices_ns.clear();
        for finding in &mut audit.findings {
            finding.price = Reading::unavailable("no prices were given");
        }
        assert!(!shown(&audit, TextOptions::default()).contains("no prices were given"));
    }

    /// The text without escapes.
    fn console_free(text: &str) -> String {
        let mut plain = String::new();
        for (number, piece) in text.split('\u{1b}').enumerate() {
            let end = if number == 0 { 0 } else { piece.find('m').map_or(0, |end| end + 1) };
            plain.push_str(&piece[end..]);
        }
        plain
    }
}
