//! The comparison of two records, or of two builds in one, as text: what differs
//! around the results first, then counts, which are exact, then times, then the gates.

mod design;
pub(crate) mod gates;
mod table;
#[cfg(test)]
mod tests;
pub(crate) mod variants;

pub use table::{commands_table, record_comparison_table};

use crate::options::TextOptions;
use crate::page::{Ink, Page};
use crate::quantity::things;
use fathom_stats::{
    ConditionDifference, ConditionWeight, RecordComparison, RecordName, Unmatched, VariantName,
};

/// Renders a comparison of two records for a terminal. Pure.
pub fn render_record_comparison(comparison: &RecordComparison, options: &TextOptions) -> String {
    let mut page = Page::new(options);
    around(&mut page, comparison);
    variants::render(&mut page, comparison);
    let [only_old, only_new] = design::alone(comparison.design);
    alone(&mut page, only_old, &comparison.only_old);
    alone(&mut page, only_new, &comparison.only_new);
    if !comparison.unmeasured.is_empty() {
        page.blank();
    }
    for item in &comparison.unmeasured {
        let scope = item.scope.as_ref().map(|scope| format!(" on {scope}")).unwrap_or_default();
        page.hanging("not measured ", 13, Ink::Plain, &format!("{}{scope}: {}", item.method, item.reason));
    }
    gates::render(&mut page, comparison);
    page.finish()
}

/// The two sides, and what differs around their results.
pub(crate) fn around(page: &mut Page, comparison: &RecordComparison) {
    page.fact("old", &side(&comparison.old));
    page.fact("new", &side(&comparison.new));
    if let Some(how) = design::measured(comparison.design) {
        page.fact("measured", how);
    }
    conditions(page, comparison);
}

/// A variant in one phrase: `go:os.Open (open-go, 1 GiB · warm)`.
pub(crate) fn in_words(name: &VariantName) -> String {
    format!("{} ({}, {})", method_in_words(name), name.experiment, name.label)
}

/// The method, and what sets it apart from others of its comparison.
pub(crate) fn method_in_words(name: &VariantName) -> String {
    name.parameters.iter().fold(name.method.to_string(), |words, word| words + " " + word)
}

fn side(record: &RecordName) -> String {
    let complete = if record.complete { "" } else { ", INCOMPLETE" };
    let RecordName { name, created, fathom_version, .. } = record;
    format!("{name}: {created}, Fathom {fathom_version}{complete}")
}

fn conditions(page: &mut Page, comparison: &RecordComparison) {
    let differences = &comparison.conditions;
    let [state, run, same] = design::conditions(comparison.design);
    let told = [
        (ConditionWeight::Machine, "Another machine:", Ink::Bad),
        (ConditionWeight::State, state, Ink::Heading),
        (ConditionWeight::Run, run, Ink::Plain),
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
        page.paragraph(0, Ink::Plain, same);
    }
}

fn alone(page: &mut Page, (heading, tail): (&str, &str), variants: &[Unmatched]) {
    if variants.is_empty() {
        return;
    }
    page.blank();
    let count = things(variants.len() as u64, "variant");
    page.paragraph(0, Ink::Heading, &format!("{heading} {count}, {tail}"));
    for variant in variants {
        let reason = variant.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        page.hanging("    ", 6, Ink::Plain, &format!("{}{reason}", in_words(&variant.name)));
    }
}
