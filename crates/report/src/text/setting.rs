//! What a comparison compares: its heading, the setting its variants share,
//! what they differ in, and what was asked for and not measured.

use crate::label::{
    Difference, access_word, alignment_word, buffer_word, differences, is_one_method, place_name,
    setting_label, title,
};
use crate::page::{Ink, Page};
use crate::quantity::{bytes, things};
use fathom_model::{Comparison, Record, Setting, SettingKind, SettingValue, Unmeasured, Variant, WorksOn};

/// The label, and the setting of the baseline.
pub(crate) fn heading(page: &mut Page, record: &Record, comparison: &Comparison) {
    page.paragraph(0, Ink::Heading, &title(comparison));
    if let Some(variant) = comparison.variants.get(comparison.baseline) {
        page.paragraph(2, Ink::Plain, &sentence(record, &[comparison], variant));
    }
}

/// The setting of the first of many comparisons.
pub(crate) fn first(page: &mut Page, record: &Record, comparisons: &[&Comparison], place: &str) {
    let first = comparisons.first().and_then(|first| first.variants.get(first.baseline));
    if let Some(variant) = first {
        page.paragraph(2, Ink::Plain, &format!("{} (at {place})", sentence(record, comparisons, variant)));
    }
}

/// The parameters that differ beside the method, each with its values.
pub(crate) fn differing(page: &mut Page, record: &Record, comparison: &Comparison, labels: &[String]) {
    let different = differences(record, comparison);
    if is_one_method(record, comparison) {
        let names: Vec<_> = different.iter().map(|difference| difference.name.as_str()).collect();
        let method = comparison.variants.first().map(|variant| variant.method.to_string());
        let text = format!("all are {}; what differs: {}", method.unwrap_or_default(), names.join(", "));
        return page.hanging("  ", 4, Ink::Plain, &text);
    }
    for difference in different {
        let mut text = format!("differs beside the method: {}", difference.name);
        if !difference.values.is_empty() {
            text = format!("{text} ({})", values(&difference, labels));
        }
        page.hanging("  ", 4, Ink::Plain, &text);
    }
}

/// What was asked for and not measured, and why.
pub(crate) fn unmeasured(page: &mut Page, unmeasured: &[Unmeasured]) {
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

/// What an operation does, on what and where, in one sentence.
pub(crate) fn sentence(record: &Record, comparisons: &[&Comparison], variant: &Variant) -> String {
    let parameters = &variant.parameters;
    let mut facts = vec![
        format!("{}: {}", variant.operation, variant.operation.sentence()),
        format!("{} on {}", files(variant), place_name(record, variant.place)),
    ];
    if variant.operation.takes_block() {
        facts.push(format!("blocks of {}", bytes(parameters.block_bytes)));
    }
    if variant.operation.takes_offsets() {
        facts.push(format!("{}, {}", access_word(parameters.access), alignment_word(parameters.alignment)));
    }
    if variant.operation.delivers_data() {
        facts.push(format!("buffer {}", buffer_word(parameters.buffer)));
    }
    facts.extend(settings(comparisons, variant));
    facts.join("; ")
}

/// What an operation works on: the files that are there, or those it makes.
fn files(variant: &Variant) -> String {
    let data = &variant.parameters.data;
    match variant.operation.facts().works_on {
        WorksOn::OwnFiles if Setting::Existing.concerns(variant.operation) => "files of its own".to_owned(),
        WorksOn::OwnFiles if Setting::Nesting.concerns(variant.operation) => {
            "directories of its own".to_owned()
        }
        WorksOn::OwnFiles => format!("files of its own of {}", bytes(data.size_bytes)),
        WorksOn::OwnFile => {
            format!("a file of its own of {} ({})", bytes(data.size_bytes), data.content)
        }
        _ => format!(
            "{} of {} ({})",
            things(u64::from(data.files), "file"),
            bytes(data.size_bytes),
            data.content
        ),
    }
}

/// Settings that are not as usual, and those that tell what a writing
/// operation does; not what variants or comparisons differ in.
fn settings(comparisons: &[&Comparison], variant: &Variant) -> Vec<String> {
    let value = |variant: &Variant, setting| variant.parameters.settings.value(setting);
    let shared = |setting: Setting| {
        let mut all = comparisons.iter().flat_map(|comparison| &comparison.variants);
        all.all(|other| value(other, setting) == value(variant, setting))
    };
    let tells = |setting: Setting| {
        let always = matches!(
            setting,
            Setting::Existing | Setting::Write | Setting::Close | Setting::Sync | Setting::Algorithm
        );
        let is_set = value(variant, setting) != setting.default_value();
        shared(setting) && (is_set || (always && setting.concerns(variant.operation)))
    };
    let word = |setting| match value(variant, setting) {
        SettingValue::Number(operations) if setting == Setting::Operations => {
            format!("batches of {}", things(operations, "operation"))
        }
        SettingValue::Number(0) if matches!(setting.kind(), SettingKind::Size(_)) => {
            format!("{setting} nothing")
        }
        value => setting_label(setting, &value),
    };
    Setting::ALL.into_iter().filter(|setting| tells(*setting)).map(word).collect()
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
