//! What a comparison compares: its heading, the setting its variants share,
//! what they differ in, and what was asked for and not measured.

use crate::label::{Difference, access_word, alignment_word, buffer_word, differences, place_name};
use crate::page::{Ink, Page};
use crate::quantity::{bytes, things};
use fathom_model::{Comparison, Operation, Record, Unmeasured, Variant};

/// The label, and the setting of the baseline.
pub(super) fn heading(page: &mut Page, record: &Record, comparison: &Comparison) {
    page.paragraph(0, Ink::Heading, &comparison.label);
    if let Some(variant) = comparison.variants.get(comparison.baseline) {
        page.paragraph(2, Ink::Plain, &setting(record, variant));
    }
}

/// The setting of the first of many comparisons.
pub(super) fn first(page: &mut Page, record: &Record, comparison: &Comparison, place: &str) {
    if let Some(variant) = comparison.variants.get(comparison.baseline) {
        page.paragraph(2, Ink::Plain, &format!("{} (at {place})", setting(record, variant)));
    }
}

/// The parameters that differ beside the method, each with its values.
pub(super) fn differing(page: &mut Page, record: &Record, comparison: &Comparison, labels: &[String]) {
    for difference in differences(record, comparison) {
        let mut text = format!("differs beside the method: {}", difference.name);
        if !difference.values.is_empty() {
            text = format!("{text} ({})", values(&difference, labels));
        }
        page.hanging("  ", 4, Ink::Plain, &text);
    }
}

/// What was asked for and not measured, and why.
pub(super) fn unmeasured(page: &mut Page, unmeasured: &[Unmeasured]) {
    if unmeasured.is_empty() {
        return;
    }
    page.blank();
    page.paragraph(0, Ink::Plain, "not measured");
    for each in unmeasured {
        let scope = each.scope.as_ref().map(|scope| format!(" on {scope}")).unwrap_or_default();
        page.hanging("  ", 4, Ink::Plain, &format!("{}{scope}: {}", each.method, each.reason));
    }
}

fn setting(record: &Record, variant: &Variant) -> String {
    let parameters = &variant.parameters;
    let data = &parameters.data;
    let mut facts = vec![
        format!("{}: {}", variant.operation, variant.operation.sentence()),
        format!(
            "{} of {} ({}) on {}",
            things(u64::from(data.files), "file"),
            bytes(data.size_bytes),
            data.content,
            place_name(record, variant.place),
        ),
    ];
    if variant.operation.takes_block() {
        facts.push(format!("blocks of {}", bytes(parameters.block_bytes)));
    }
    if variant.operation == Operation::ReadBlock {
        facts.push(format!("{}, {}", access_word(parameters.access), alignment_word(parameters.alignment)));
    }
    if variant.operation.delivers_data() {
        facts.push(format!("buffer {}", buffer_word(parameters.buffer)));
    }
    facts.join("; ")
}

/// Each value with the variants that have it.
fn values(difference: &Difference, labels: &[String]) -> String {
    let mut groups: Vec<(&String, Vec<&str>)> = Vec::new();
    for (value, label) in difference.values.iter().zip(labels) {
        match groups.iter_mut().find(|(known, _)| *known == value) {
            Some((_, members)) => members.push(label),
            None => groups.push((value, vec![label])),
        }
    }
    let texts: Vec<_> =
        groups.iter().map(|(value, members)| format!("{value}: {}", members.join(", "))).collect();
    texts.join("; ")
}
