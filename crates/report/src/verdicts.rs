//! Verdicts on claims as text: the tally first, then each claim with what was
//! reported, what was found, and what stands behind it.

mod budgets;
mod found;
mod junit;
mod rows;
mod table;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod words;

use crate::label::place_letter;
use crate::options::{Details, TextOptions};
use crate::page::{Ink, Page};
use crate::quantity::{number, per_operation, things};
pub use budgets::render_budgets;
use fathom_claims::{Instance, JudgedCheck, JudgedClaim, Judgement, Verdict};
pub(crate) use found::found_here;
pub use found::found_of_claim;
pub use junit::verdicts_as_junit;
pub(crate) use rows::table as rows_table;
pub use rows::verdicts_table;
use words::{check_in_words, effect_in_words, region_in_words};

/// More effects of one check than these are told with the evidence.
const EFFECTS_MAX: usize = 4;

/// More claims than these stand in a table, unless everything is asked for.
const WHOLE_MAX: usize = 3;

/// Every verdict, in the order of the tally.
const VERDICTS: [Verdict; 5] =
    [Verdict::Supported, Verdict::Refuted, Verdict::Confounded, Verdict::Inconclusive, Verdict::Untestable];

/// Renders the verdicts for a terminal: a table of many in brief, else each with what stands behind
/// it. Pure.
pub fn render_verdicts(judgement: &Judgement, options: &TextOptions) -> String {
    if options.details == Details::Brief && judgement.claims.len() > WHOLE_MAX {
        return table::render(judgement, options);
    }
    let mut page = Page::new(options);
    let mut experiment = None;
    for claim in &judgement.claims {
        if experiment != Some(&claim.experiment) {
            page.blank();
            page.paragraph(0, Ink::Heading, &claim.experiment);
            experiment = Some(&claim.experiment);
        }
        page.blank();
        render_claim(&mut page, claim);
    }
    page.blank();
    sum(&mut page, judgement);
    page.finish()
}

/// How many verdicts there are of each kind, and how far they hold.
fn sum(page: &mut Page, judgement: &Judgement) {
    page.paragraph(0, Ink::Heading, &tally(&judgement.claims));
    if judgement.shared_among > 0 {
        let shared = format!(
            "All verdicts hold together with {} %: the error is shared among {} that are a matter of chance. \
             They speak of this machine and this session.",
            number(judgement.confidence * 100.0, 0),
            things(judgement.shared_among, "comparison")
        );
        page.paragraph(0, Ink::Plain, &shared);
    }
}

/// `31 claims: 20 supported, 6 refuted, …`
pub(crate) fn tally<'a>(claims: impl IntoIterator<Item = &'a JudgedClaim>) -> String {
    let claims: Vec<_> = claims.into_iter().collect();
    let counted = VERDICTS.map(|verdict| {
        let n = claims.iter().filter(|claim| claim.verdict == verdict).count();
        (n > 0).then(|| format!("{n} {}", verdict.word()))
    });
    let all = things(claims.len() as u64, "claim");
    format!("{all}: {}", counted.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

pub(crate) fn ink(verdict: Verdict) -> Ink {
    match verdict {
        Verdict::Supported => Ink::Good,
        Verdict::Refuted | Verdict::Confounded => Ink::Bad,
        Verdict::Inconclusive | Verdict::Untestable => Ink::Plain,
    }
}

fn render_claim(page: &mut Page, claim: &JudgedClaim) {
    page.hanging("  ", 4, Ink::Heading, &format!("\"{}\"", claim.sentence));
    let reported =
        claim.reported.as_ref().map(|reported| format!("; reported: {reported}")).unwrap_or_default();
    page.hanging("    ", 6, Ink::Faint, &format!("{} [{}]{reported}", claim.source, claim.name));
    let verdict = claim.verdict.word().to_uppercase();
    page.hanging("    ", 6, ink(claim.verdict), &format!("{verdict}: {}", claim.because));
    render_checks(page, claim);
}

/// The checks of a claim with their instances, and the fair comparison.
pub(crate) fn render_checks(page: &mut Page, claim: &JudgedClaim) {
    for check in &claim.checks {
        render_check(page, "", check);
    }
    if let Some(fair) = &claim.fair {
        page.hanging(
            "    ",
            6,
            Ink::Plain,
            &format!("compared fairly ({}): {}", fair.because, fair.verdict.word()),
        );
        for check in &fair.checks {
            render_check(page, "fair: ", check);
        }
    }
}

/// What was found of a claim, check by check: the effects with their intervals, where they were found.
pub(crate) fn effects_of(claim: &JudgedClaim) -> Vec<String> {
    let fair =
        claim.fair.iter().flat_map(|fair| fair.checks.iter().map(|check| ("compared fairly, ", check)));
    let checks = claim.checks.iter().map(|check| ("", check)).chain(fair);
    let said = checks.filter_map(|(how, check)| {
        let effects: Vec<String> = check
            .instances
            .iter()
            .filter_map(|instance| {
                let place =
                    if instance.place.is_empty() { String::new() } else { format!(" in {}", instance.place) };
                Some(format!("{}{place}", effect_in_words(instance.effect.as_ref()?)))
            })
            .collect();
        let more = match effects.len().saturating_sub(EFFECTS_MAX) {
            0 => String::new(),
            more => format!("; {more} more"),
        };
        let told = effects.iter().take(EFFECTS_MAX).cloned().collect::<Vec<_>>().join("; ");
        let region = region_in_words(&check.check);
        (!told.is_empty())
            .then(|| format!("{how}{}: claimed {region}; {told}{more}", check_in_words(&check.check)))
    });
    said.collect()
}

fn render_check(page: &mut Page, prefix: &str, check: &JudgedCheck) {
    let region = region_in_words(&check.check);
    page.hanging("    ", 8, Ink::Plain, &format!("{prefix}{}: {region}", check_in_words(&check.check)));
    if let Some(reason) = &check.untestable {
        page.hanging("      ", 8, Ink::Plain, &format!("not tried: {reason}"));
        return;
    }
    let mut told: Option<(usize, &Instance)> = None;
    for (index, instance) in check.instances.iter().enumerate() {
        page.hanging("      ", 10, ink(instance.verdict), &instance_in_words(index, instance));
        let alike = |(_, known): &(usize, &Instance)| {
            let (one, two) = (&known.evidence, &instance.evidence);
            instance.of.is_some() && one.calls == two.calls && one.parameters == two.parameters
        };
        let same = told.filter(alike);
        render_evidence(page, instance, same);
        told = same.or(Some((index, instance)));
    }
}

/// `a. saved 41.2 % [40.1, 42.3] (12 forks), ext4 . : supported`
fn instance_in_words(index: usize, instance: &Instance) -> String {
    let found = match &instance.effect {
        Some(effect) => effect_in_words(effect),
        None => "nothing".to_owned(),
    };
    let place = if instance.place.is_empty() { String::new() } else { format!(", in {}", instance.place) };
    let verdict = instance.verdict.word();
    let mut words = vec![format!("{}. {found}{place}: {verdict}", place_letter(index))];
    words.extend(instance.doubts.iter().cloned());
    words.join("; ")
}

/// What stands behind an instance, less what it shares with one that was told before.
fn render_evidence(page: &mut Page, instance: &Instance, told: Option<(usize, &Instance)>) {
    let evidence = &instance.evidence;
    let mut parts = Vec::new();
    if let Some((before, _)) = told {
        parts.push(format!("calls as in {}", place_letter(before)));
    } else {
        parts.extend(calls_in_words(instance));
        parts.extend(evidence.parameters.iter().map(|parameter| format!("differs: {parameter}")));
    }
    parts.extend(evidence.answers.iter().cloned());
    parts.extend(evidence.cache.iter().cloned());
    if let Some((low, high)) = evidence.control.and_then(|control| control.interval()) {
        parts.push(format!("same beside itself {} to {}", number(low, 3), number(high, 3)));
    }
    parts.extend(evidence.said.iter().cloned());
    let conditions = conditions_of(instance);
    if !conditions.is_empty() && told.is_none_or(|(_, known)| conditions_of(known) != conditions) {
        parts.push(conditions.to_owned());
    }
    page.hanging("         ", 9, Ink::Faint, &parts.join("; "));
}

/// What sets the instance apart. Of a comparison, what stands before the colon is the claim's
/// own name, or a part's.
fn conditions_of(instance: &Instance) -> &str {
    let whole = instance.conditions.as_str();
    match whole.split_once(": ") {
        Some((_, rest)) if instance.of.is_some() => rest,
        _ => whole,
    }
}

/// `calls: fcntl 0 against 4, pread64 1 against 0`
fn calls_in_words(instance: &Instance) -> Option<String> {
    let calls = &instance.evidence.calls;
    let of = |call: &fathom_claims::CallsBeside| match call.to {
        Some(to) => {
            format!("{} {} against {}", call.call, per_operation(call.of, true), per_operation(to, true))
        }
        None => format!("{} {}", call.call, per_operation(call.of, true)),
    };
    match instance.to {
        Some(_) if calls.is_empty() => Some("the same calls".to_owned()),
        None if calls.is_empty() => None,
        _ => Some(format!("calls: {}", calls.iter().map(of).collect::<Vec<_>>().join(", "))),
    }
}
