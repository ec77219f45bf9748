//! The comparison of two records as text: what differs around the results first,
//! then counts, which are exact, then times of two sittings, then the gates.

mod gates;
#[cfg(test)]
mod tests;
mod variants;

use crate::TextOptions;
use crate::page::{Ink, Page};
use crate::quantity::things;
use fathom_stats::{
    ConditionDifference, ConditionWeight, RecordComparison, RecordName, Unmatched, VariantName,
};

/// Renders a comparison of two records for a terminal. Pure.
pub fn render_record_comparison(comparison: &RecordComparison, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    page.fact("old", &side(&comparison.old));
    page.fact("new", &side(&comparison.new));
    conditions(&mut page, &comparison.conditions);
    variants::render(&mut page, comparison);
    alone(&mut page, "Only in the old record:", &comparison.only_old);
    alone(&mut page, "Only in the new record:", &comparison.only_new);
    gates::render(&mut page, comparison);
    page.finish()
}

/// A variant in one phrase: `go:os.Open (open-go, 1 GiB · warm)`.
fn in_words(name: &VariantName) -> String {
    format!("{} ({}, {})", method_in_words(name), name.experiment, name.label)
}

/// The method, and what sets it apart from others of its comparison.
fn method_in_words(name: &VariantName) -> String {
    name.parameters.iter().fold(name.method.to_string(), |words, word| words + " " + word)
}

fn side(record: &RecordName) -> String {
    let complete = if record.complete { "" } else { ", INCOMPLETE" };
    let RecordName { name, created, fathom_version, .. } = record;
    format!("{name}: {created}, Fathom {fathom_version}{complete}")
}

fn conditions(page: &mut Page, differences: &[ConditionDifference]) {
    let told = [
        (ConditionWeight::Machine, "Another machine:", Ink::Bad),
        (ConditionWeight::State, "What differs beside the results, and may be the cause:", Ink::Heading),
        (ConditionWeight::Run, "From run to run:", Ink::Plain),
    ];
    for (weight, heading, ink) in told {
        let mut found = differences.iter().filter(|found| found.weight == weight).peekable();
        if found.peek().is_none() {
            continue;
        }
        page.blank();
        page.paragraph(0, ink, heading);
        for ConditionDifference { what, old, new, .. } in found {
            page.hanging("    ", 6, Ink::Plain, &format!("{what}: {old} → {new}"));
        }
    }
    if differences.iter().all(|found| found.weight == ConditionWeight::Run) {
        page.blank();
        page.paragraph(
            0,
            Ink::Plain,
            "Machine, programs and places are the same, as far as the records tell.",
        );
    }
}

fn alone(page: &mut Page, heading: &str, variants: &[Unmatched]) {
    if variants.is_empty() {
        return;
    }
    page.blank();
    let count = things(variants.len() as u64, "variant");
    page.paragraph(0, Ink::Heading, &format!("{heading} {count}, not judged by any gate"));
    for variant in variants {
        let reason = variant.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        page.hanging("    ", 6, Ink::Plain, &format!("{}{reason}", in_words(&variant.name)));
    }
}
