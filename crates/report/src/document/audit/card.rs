//! A finding with everything that is known of it.

use super::{paths_in_face, tone};
use crate::audit::{GroupKind, words};
use crate::document::{Fact, FindingCard, Prose, Span};
use fathom_audit::{Audit, Finding};

/// Of all that is priced: a smaller share cannot be seen.
const SHARE_FROM: f64 = 0.005;

/// The card of a finding.
pub(super) fn card(audit: &Audit, finding: &Finding, id: String, group: GroupKind) -> FindingCard {
    let mut chips: Vec<String> = words::whose(finding).into_iter().collect();
    if finding.suppressed.is_some() {
        chips.push("suppressed".to_owned());
    }
    let mut figures = vec![words::frequency(finding)];
    figures.extend(words::price(audit, finding));
    FindingCard {
        id,
        rule: finding.rule.to_string(),
        severity: words::severity(finding.severity).to_owned(),
        tone: tone(finding.severity),
        chips,
        sentence: finding.title.clone(),
        figures,
        // A share that cannot be seen would be an empty bar.
        share: finding.price.value().and_then(|price| price.share).filter(|share| *share >= SHARE_FROM),
        facts: facts(finding),
        example: finding.example.iter().map(|call| call.text.clone()).collect(),
        stack: finding.place.frames.iter().map(words::frame).collect(),
        open: matches!(group, GroupKind::Dangers | GroupKind::Costs),
    }
}

/// Names with commas between them.
fn names(names: &[String]) -> Prose {
    let spans = names.iter().enumerate().flat_map(|(number, name)| {
        let comma = (number > 0).then(|| Span::Plain(", ".to_owned()));
        comma.into_iter().chain([Span::Code(name.clone())])
    });
    Prose(spans.collect())
}

fn facts(finding: &Finding) -> Vec<Fact> {
    let place = &finding.place;
    let mut facts = Vec::new();
    let mut add = |label: &str, prose: Prose| facts.push(Fact { label: label.to_owned(), prose });
    if let Some(suppression) = &finding.suppressed {
        add("suppressed", format!("{} ({})", suppression.reason, suppression.file).into());
    }
    if let Some(paths) = &place.paths {
        let mut prose = paths_in_face(paths);
        if paths.single().is_none() {
            prose.0.extend([Span::Plain(", first ".to_owned()), Span::Code(paths.first.clone())]);
        }
        add("at", prose);
    }
    if let Some(program) = &place.program {
        let process = format!(", first in process {}", place.process);
        add("by", Prose(vec![Span::Code(program.clone()), Span::Plain(process)]));
    }
    if let Some(frame) = place.first_of_yours() {
        let mut prose = Prose::code(&words::frame(frame));
        if place.is_sampled {
            prose.0.push(Span::Plain(format!(": {}", words::SAMPLED)));
        }
        add("in", prose);
    }
    add("fix", finding.fix.as_str().into());
    if let Some((label, doubt)) = words::doubt(finding) {
        add(label, doubt.into());
    }
    if !finding.references.is_empty() {
        add("see", names(&finding.references));
    }
    if let Some(price) = finding.price.value().filter(|price| !price.notes.is_empty()) {
        add("priced", price.notes.join("; ").into());
    }
    facts
}
