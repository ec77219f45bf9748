//! What an audit found, as a good linter says it: in summary, or in full, dangers first, then
//! costs, most expensive first, each with an example, its price and what to do; then what is
//! not yours to mend.

mod brief;

use super::{GroupKind, groups, trifles, words};
use crate::options::{Details, TextOptions};
use crate::page::{Ink, Page};
use fathom_audit::{Audit, FactKind, Finding, Owner, RuleId, Severity};
use std::collections::HashSet;

/// Columns before what belongs to a finding.
const INDENT: usize = 4;

/// What was said of a rule already.
type Said<'a> = HashSet<(RuleId, &'a str)>;

/// Renders an audit for a terminal: its summary, or all of it. Pure.
pub fn render_audit(audit: &Audit, options: &TextOptions) -> String {
    match options.details {
        Details::Brief => brief::render(audit, options),
        Details::Full => whole(audit, options),
    }
}

fn whole(audit: &Audit, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    let (subject, others): (Vec<_>, Vec<_>) =
        audit.about.iter().partition(|fact| fact.kind == FactKind::Subject);
    for fact in subject {
        page.fact(fact.kind.word(), &fact.text);
    }
    page.fact("watched", &words::watched(audit));
    for fact in others {
        page.fact(fact.kind.word(), &fact.text);
    }
    for gap in &audit.gaps {
        page.fact(gap.kind.word(), &gap.text);
    }
    let mut said = HashSet::new();
    for group in groups(audit).into_iter().chain(trifles(audit)) {
        page.blank();
        page.paragraph(0, Ink::Heading, group.kind.heading());
        for &finding in &group.findings {
            page.blank();
            match group.kind {
                GroupKind::Suppressed => suppressed(&mut page, finding),
                _ => self::finding(&mut page, audit, finding, &mut said),
            }
        }
    }
    super::budgets::section(&mut page, audit);
    page.blank();
    page.paragraph(0, Ink::Heading, &words::tally(audit));
    if let Some(savings) = words::savings(audit) {
        page.paragraph(0, Ink::Plain, &savings);
        if let Some(gain) = words::what_all_would_gain(audit) {
            page.paragraph(0, Ink::Plain, &gain);
        }
    }
    page.finish()
}

fn finding<'a>(page: &mut Page, audit: &Audit, finding: &'a Finding, said: &mut Said<'a>) {
    head(page, finding);
    let mut facts = vec![words::frequency(finding)];
    facts.extend(words::price(audit, finding));
    facts.extend(words::not_in_sum(finding));
    facts.extend(words::whose(finding));
    page.tokens(&" ".repeat(INDENT), INDENT, &facts, "; ");
    place(page, finding);
    for (number, call) in finding.example.iter().enumerate() {
        page.tokens(&format!("    {}. ", number + 1), 7, std::slice::from_ref(&call.text), " ");
    }
    if !said.insert((finding.rule, &finding.fix)) {
        page.paragraph(INDENT, Ink::Faint, "fix: as above");
        return;
    }
    page.hanging("    fix: ", 9, Ink::Plain, &finding.fix);
    if let Some(next) = words::what_it_would_gain(audit, finding) {
        page.hanging("    gain: ", 10, Ink::Faint, &next);
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
    let mut facts: Vec<String> = place.paths.iter().map(words::paths).collect();
    facts.extend(place.program.as_ref().map(|program| format!("by {program}")));
    facts.push(format!("first in process {}", place.process));
    let lead = if place.paths.is_some() { "    at " } else { "    " };
    page.tokens(lead, 7, &facts, ", ");
    if let Some(concentration) = words::concentration(finding) {
        page.hanging("    ", 7, Ink::Plain, &concentration);
    }
    let frames: Vec<_> = place.frames.iter().map(words::frame).collect();
    if !frames.is_empty() {
        page.tokens("    in ", 7, &frames, ", from ");
    }
    if place.is_sampled {
        page.hanging("    ", 7, Ink::Plain, words::SAMPLED);
    }
}

/// `in load (src/main.rs:12)`, `at 120 *.json paths below /data`, `by indexer`.
fn places(finding: &Finding) -> Vec<String> {
    let place = &finding.place;
    let name = |program: &String| program.rsplit('/').next().unwrap_or(program).to_owned();
    // Without one that is yours, a runtime's tells what was called at least.
    let of_runtime =
        || place.frames.iter().find(|frame| frame.owner == Owner::Runtime && frame.function.is_some());
    let frame = place.first_of_yours().or_else(of_runtime).or(place.frames.first());
    let facts = [
        frame.map(|frame| {
            let sampled = if place.is_sampled { " by some of the calls" } else { "" };
            format!("in {}{sampled}", words::frame(frame))
        }),
        place.paths.as_ref().map(|paths| format!("at {}", words::one_or_many_paths(paths))),
        place.program.as_ref().map(|program| format!("by {}", name(program))),
    ];
    facts.into_iter().flatten().collect()
}

/// In a line or two: somebody knows it already.
fn suppressed(page: &mut Page, finding: &Finding) {
    head(page, finding);
    if let Some(suppression) = &finding.suppressed {
        let mut facts = vec![words::frequency(finding)];
        facts.extend(finding.place.paths.iter().map(|paths| format!("at {}", words::paths(paths))));
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
    fn what_a_library_wastes_is_shown_where_it_is_a_good_part_of_all() {
        let mut audit = sample();
        audit.findings.retain(|finding| {
            finding.owner_by_calls != Owner::Yours && finding.class == fathom_audit::FindingClass::Cost
        });
        let shown = |events, count| {
            let mut audit = audit.clone();
            audit.calls.clear();
            audit.events = events;
            audit.findings[0].count = count;
            shown(&audit, TextOptions::default())
        };
        let text = shown(1041, 898);
        assert!(text.contains("Nothing to mend"), "{text}");
        assert!(text.contains("Not of its own code, but 898 of 1,041 file calls:"), "{text}");
        assert!(text.lines().count() <= 25 && text.contains("fix: "), "{text}");
        assert!(!shown(100_000, 898).contains("Not of its own"), "a small part of all");
        assert!(!shown(400, 150).contains("Not of its own"), "few");
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
        let full = TextOptions { details: Details::Full, ..TextOptions::default() };
        let mut audit = sample();
        audit.findings.truncate(1);
        audit.findings[0].place.paths = None;
        audit.findings[0].place.program = Some("/usr/bin/one".to_owned());
        let text = shown(&audit, full);
        assert!(text.contains("\n    by /usr/bin/one") && !text.contains("at by"), "{text}");
        let brief = shown(&audit, TextOptions::default());
        assert!(brief.contains(", by one\n"), "{brief}");
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

    #[test]
    fn a_summary_fits_on_a_screen_however_much_was_found() {
        let mut audit = sample();
        audit.findings = (0..40).flat_map(|_| sample().findings).collect();
        audit.gaps = (0..9).flat_map(|_| sample().gaps).collect();
        audit.budgets = (0..9).flat_map(|_| sample().budgets).collect();
        for finding in &mut audit.findings {
            finding.fix = "words ".repeat(30);
        }
        let text = shown(&audit, TextOptions::default());
        assert!((12..=25).contains(&text.lines().count()), "{}:\n{text}", text.lines().count());
        let alike = sample();
        let own = alike.findings.iter().filter(|one| one.suppressed.is_none() && one.owner == Owner::Yours);
        let own = own.count() * 40;
        let heads = text.lines().filter(|line| line.starts_with('R')).count();
        assert!(text.contains(&format!("{} more to mend", own - heads)), "{text}");
        assert!(heads >= 1 && text.contains("--full"), "{text}");
    }

    #[test]
    fn the_best_finding_is_whole_where_lines_are_left() {
        let mut audit = sample();
        audit.gaps.clear();
        audit.about.truncate(2);
        audit.budgets.clear();
        let one = audit.findings[0].clone();
        audit.findings = (0..4).map(|_| one.clone()).collect();
        for (number, finding) in audit.findings.iter_mut().enumerate() {
            finding.fix = format!("{number} {}end", "words ".repeat(16));
        }
        let text = shown(&audit, TextOptions::default());
        assert!(text.lines().count() <= 25, "{text}");
        assert!(text.contains("fix: 0 words") && text.contains(" end\n"), "{text}");
        // And not at the cost of another finding.
        assert_eq!(text.lines().filter(|line| line.starts_with('R')).count(), 4, "{text}");
        assert!(text.contains("fix: 3 words") && text.contains("words …\n"), "{text}");
    }

    #[test]
    fn a_summary_of_a_clean_run_says_what_was_watched() {
        let mut audit = sample();
        audit.findings.clear();
        audit.gaps.clear();
        let text = shown(&audit, TextOptions::default());
        assert!(
            text.contains("watched   3 processes, 1,723 file calls, nothing lost, nothing unseen\n"),
            "{text}"
        );
        assert!(text.contains("\nNo findings\n"), "{text}");
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
