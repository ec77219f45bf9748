//! Budgets as text: a line for each limit, with what was found.

use super::words::{check_in_words, effect_in_words, region_in_words};
use crate::options::TextOptions;
use crate::page::{Ink, Page};
use crate::quantity::things;
use fathom_claims::{JudgedCheck, Judgement, Verdict};

/// Renders what became of a project's budgets. Pure.
pub fn render_budgets(judgement: &Judgement, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    for claim in &judgement.claims {
        page.blank();
        page.paragraph(0, Ink::Heading, &format!("{}: {}", claim.name, word(claim.verdict)));
        for check in &claim.checks {
            render(&mut page, check);
        }
    }
    page.blank();
    let count = |verdict| judgement.claims.iter().filter(|claim| claim.verdict == verdict).count();
    let counted = [Verdict::Supported, Verdict::Refuted, Verdict::Inconclusive, Verdict::Untestable]
        .map(|verdict| (count(verdict), word(verdict)));
    let told: Vec<String> =
        counted.into_iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    let all = things(judgement.claims.len() as u64, "budget");
    page.paragraph(0, Ink::Heading, &format!("{all}: {}", told.join(", ")));
    page.finish()
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Supported => "within",
        Verdict::Refuted | Verdict::Confounded => "EXCEEDED",
        Verdict::Inconclusive => "inconclusive",
        Verdict::Untestable => "not checked",
    }
}

fn render(page: &mut Page, check: &JudgedCheck) {
    let ink = match check.verdict {
        Verdict::Refuted | Verdict::Confounded => Ink::Bad,
        _ => Ink::Plain,
    };
    let limit = format!("{}: {}", check_in_words(&check.check), region_in_words(&check.check));
    if let Some(reason) = &check.untestable {
        page.hanging("  ", 4, ink, &format!("{limit}; not checked: {reason}"));
    }
    for instance in check.instances.iter().filter(|_| check.untestable.is_none()) {
        let found = instance.effect.as_ref().map_or_else(|| "nothing".to_owned(), effect_in_words);
        let mut told = vec![format!("found {found}: {}", word(instance.verdict))];
        told.extend(instance.doubts.iter().cloned());
        page.hanging("  ", 4, ink, &format!("{limit}; {}", told.join("; ")));
        let recipe: Vec<String> =
            instance.evidence.calls.iter().map(|call| format!("{} {}", call.call, call.of)).collect();
        if instance.verdict == Verdict::Refuted && instance.to.is_none() && !recipe.is_empty() {
            page.hanging("      ", 6, Ink::Faint, &format!("its calls: {}", recipe.join(", ")));
        }
    }
}
