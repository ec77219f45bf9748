//! Names variants: the method, and what else sets a variant apart from the
//! others of its comparison.

use crate::quantity::bytes;
use crate::wrap::{elide, width};
use fathom_model::{
    Access, Alignment, BufferUse, Comparison, Place, PlaceFacts, Record, Setting, SettingKind, SettingValue,
    Variant,
};
use std::collections::BTreeSet;

/// One thing that variants can differ in, and its value for each variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
}

/// What the variants really differ in beside the method, and names the record
/// lists that are not known here (with no values).
pub(crate) fn differences(record: &Record, comparison: &Comparison) -> Vec<Difference> {
    differences_in(&record.places, comparison)
}

fn differences_in(places: &[PlaceFacts], comparison: &Comparison) -> Vec<Difference> {
    let difference = |name: &str, value: &dyn Fn(&Variant) -> String| Difference {
        name: name.to_owned(),
        values: comparison.variants.iter().map(value).collect(),
    };
    let aspects = ASPECTS.iter().map(|(name, value)| difference(name, &|variant| value(places, variant)));
    let settings = Setting::ALL.into_iter().map(|setting| {
        difference(setting.word(), &|variant| {
            setting_label(setting, &variant.parameters.settings.value(setting))
        })
    });
    let mut found: Vec<_> = aspects
        .chain(settings)
        .filter(|difference| difference.values.iter().collect::<BTreeSet<_>>().len() > 1)
        .collect();
    let is_known = |name: &str| {
        ASPECTS.iter().any(|(known, _)| *known == name)
            || Setting::ALL.iter().any(|known| known.word() == name)
    };
    for name in &comparison.differing_parameters {
        if !is_known(name) {
            found.push(Difference { name: name.clone(), values: Vec::new() });
        }
    }
    found
}

/// A setting's value in the words of a label: `4 threads`, `write 4 KiB`.
pub(crate) fn setting_label(setting: Setting, value: &SettingValue) -> String {
    match (setting.kind(), value) {
        (SettingKind::Size(_), SettingValue::Number(size)) => format!("{setting} {}", bytes(*size)),
        _ => setting.label(value),
    }
}

/// True when the variants are one method in several circumstances, which then
/// give them their names.
pub(crate) fn is_one_method(record: &Record, comparison: &Comparison) -> bool {
    is_one_method_in(&record.places, comparison)
}

fn is_one_method_in(places: &[PlaceFacts], comparison: &Comparison) -> bool {
    let mut methods = comparison.variants.iter().map(|variant| &variant.method);
    let first = methods.next();
    first.is_some_and(|first| methods.all(|method| method == first))
        && differences_in(places, comparison).iter().any(|difference| !difference.values.is_empty())
}

/// What sets a comparison apart from the experiment's others; its operation
/// where nothing does.
pub(crate) fn title(comparison: &Comparison) -> String {
    let label = comparison.label.trim().trim_end_matches(':');
    let operation = comparison.variants.get(comparison.baseline).map(|variant| variant.operation.word());
    if label.is_empty() { operation.unwrap_or("nothing").to_owned() } else { label.to_owned() }
}

/// The part of its experiment that a comparison belongs to, and the rest of its label.
pub(crate) fn part(comparison: &Comparison) -> (Option<&str>, &str) {
    match comparison.label.split_once(": ") {
        Some((part, rest)) => (Some(part), rest),
        None => (None, &comparison.label),
    }
}

/// One full name per variant: the method; methods that come twice carry what
/// differs, or their number where nothing does. Of one method alone only what
/// differs is a name.
pub(crate) fn labels(record: &Record, comparison: &Comparison) -> Vec<String> {
    labels_in(&record.places, comparison)
}

/// The same before there is a record.
pub(crate) fn labels_in(places: &[PlaceFacts], comparison: &Comparison) -> Vec<String> {
    let methods: Vec<_> = comparison.variants.iter().map(|variant| variant.method.to_string()).collect();
    let different = differences_in(places, comparison);
    let one_method = is_one_method_in(places, comparison);
    let label = |(index, method): (usize, &String)| {
        if one_method {
            let values = different.iter().filter_map(|difference| difference.values.get(index));
            return values.map(String::as_str).collect::<Vec<_>>().join(" ");
        }
        if methods.iter().filter(|other| *other == method).count() == 1 {
            return method.clone();
        }
        let values = different.iter().filter_map(|difference| difference.values.get(index));
        values.fold(method.clone(), |label, value| format!("{label} {value}"))
    };
    let labels: Vec<_> = methods.iter().enumerate().map(label).collect();
    let numbered = |(index, label): (usize, &String)| match labels[..index]
        .iter()
        .filter(|other| *other == label)
        .count()
    {
        0 => label.clone(),
        before => format!("{label} ({})", before + 1),
    };
    labels.iter().enumerate().map(numbered).collect()
}

/// The comparisons' own labels without the parts that all of them have:
/// `12 B · warm` and `1 KiB · warm` become `12 B` and `1 KiB`.
pub(crate) fn short(comparisons: &[&Comparison]) -> Vec<String> {
    let one_part = comparisons.windows(2).all(|pair| part(pair[0]).0 == part(pair[1]).0);
    let own =
        |comparison: &&Comparison| if one_part { part(comparison).1.to_owned() } else { title(comparison) };
    let own: Vec<String> = comparisons.iter().map(own).collect();
    let parts: Vec<Vec<&str>> = own.iter().map(|label| label.split(" · ").collect()).collect();
    let shared = |part: &str| parts.iter().all(|parts| parts.contains(&part));
    let short = |(parts, whole): (&Vec<&str>, &&Comparison)| {
        let own: Vec<_> = parts.iter().copied().filter(|part| !shared(part)).collect();
        if own.is_empty() { title(whole) } else { own.join(" · ") }
    };
    parts.iter().zip(comparisons).map(short).collect()
}

/// The labels cut to `room` columns, or `None` when two would look the same.
pub(crate) fn elided(labels: &[String], room: usize) -> Option<Vec<String>> {
    let short: Vec<_> = labels.iter().map(|label| elide(label, room)).collect();
    let distinct = |labels: &[String]| labels.iter().collect::<BTreeSet<_>>().len();
    (distinct(&short) == distinct(labels)).then_some(short)
}

/// Columns of the widest label.
pub(crate) fn widest(labels: &[String]) -> usize {
    labels.iter().map(|label| width(label)).max().unwrap_or(0)
}

/// The letter that stands for a place in this record: `A`, `B`, … `P27`.
pub(crate) fn place_letter(index: usize) -> String {
    match u8::try_from(index) {
        Ok(small @ 0..26) => char::from(b'A' + small).to_string(),
        _ => format!("P{}", index + 1),
    }
}

/// A place in a few words: `ext4 (A)`.
pub(crate) fn place_name(record: &Record, index: usize) -> String {
    place_name_in(&record.places, index)
}

fn place_name_in(places: &[PlaceFacts], index: usize) -> String {
    let name = match places.get(index) {
        Some(PlaceFacts { place: Place::Memfd, .. }) => "memfd",
        Some(place) => place.file_system.as_str(),
        None => "unknown place",
    };
    format!("{name} ({})", place_letter(index))
}

type Aspect = (&'static str, fn(&[PlaceFacts], &Variant) -> String);

const ASPECTS: &[Aspect] = &[
    ("operation", |_, variant| variant.operation.to_string()),
    ("place", |places, variant| place_name_in(places, variant.place)),
    ("cache", |_, variant| variant.cache.to_string()),
    ("files", |_, variant| variant.parameters.data.files.to_string()),
    ("size", |_, variant| bytes(variant.parameters.data.size_bytes)),
    ("content", |_, variant| variant.parameters.data.content.to_string()),
    ("block", |_, variant| bytes(variant.parameters.block_bytes)),
    ("access", |_, variant| access_word(variant.parameters.access).to_owned()),
    ("alignment", |_, variant| alignment_word(variant.parameters.alignment).to_owned()),
    ("buffer", |_, variant| buffer_word(variant.parameters.buffer).to_owned()),
];

pub(crate) fn access_word(access: Access) -> &'static str {
    match access {
        Access::Random => "random",
        Access::Sequential => "sequential",
    }
}

pub(crate) fn alignment_word(alignment: Alignment) -> &'static str {
    match alignment {
        Alignment::Aligned => "aligned",
        Alignment::Unaligned => "unaligned",
    }
}

pub(crate) fn buffer_word(buffer: BufferUse) -> &'static str {
    match buffer {
        BufferUse::Reused => "reused",
        BufferUse::Fresh => "fresh",
        BufferUse::Stack => "stack",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::{complete, long_names};

    #[test]
    fn a_method_that_comes_twice_carries_what_differs() {
        let record = long_names();
        let labels = labels(&record, &record.experiments[0].comparisons[0]);
        assert_eq!(labels[0], "native:open-read-close-fadvise-sequential 8096 B");
        assert_eq!(labels[1], "native:open-read-close-fadvise-random");
        assert_eq!(labels[2], "native:open-read-close-fadvise-sequential 512 B");
    }

    #[test]
    fn variants_that_differ_in_nothing_are_numbered() {
        let mut record = complete();
        let variants = &mut record.experiments[0].comparisons[0].variants;
        variants[1] = variants[0].clone();
        let labels = labels(&record, &record.experiments[0].comparisons[0]);
        assert_eq!(labels[..2], ["go:syscall.Open", "go:syscall.Open (2)"]);
    }

    #[test]
    fn differences_come_from_the_variants_and_unknown_names_are_kept() {
        let mut record = complete();
        assert_eq!(differences(&record, &record.experiments[0].comparisons[0]), []);
        let comparison = &mut record.experiments[0].comparisons[0];
        comparison.variants[1].parameters.buffer = BufferUse::Fresh;
        comparison.differing_parameters = vec!["advice".into(), "buffer".into()];
        let found = differences(&record, &record.experiments[0].comparisons[0]);
        assert_eq!(found.iter().map(|d| d.name.as_str()).collect::<Vec<_>>(), ["buffer", "advice"]);
        assert_eq!(found[0].values, ["reused", "fresh", "reused", "reused", "reused"]);
    }

    #[test]
    fn one_method_in_several_settings_is_named_by_them() {
        let mut record = complete();
        let comparison = &mut record.experiments[0].comparisons[0];
        let first = comparison.variants[0].clone();
        for (variant, threads) in comparison.variants.iter_mut().zip(1..) {
            *variant = first.clone();
            variant.parameters.settings.set(Setting::Threads, SettingValue::Number(threads));
        }
        comparison.differing_parameters = vec!["threads".into()];
        let comparison = &record.experiments[0].comparisons[0];
        assert!(is_one_method(&record, comparison));
        assert_eq!(labels(&record, comparison)[..2], ["1 thread", "2 threads"]);
        assert_eq!(differences(&record, comparison).len(), 1, "known by its word");
        assert_eq!(setting_label(Setting::Write, &SettingValue::Number(4096)), "write 4 KiB");
    }

    #[test]
    fn a_comparison_without_a_label_is_its_operation() {
        let mut comparison = complete().experiments.remove(0).comparisons.remove(0);
        comparison.label = String::new();
        assert_eq!(title(&comparison), "open-close");
        comparison.label = "deep: ".into();
        assert_eq!(title(&comparison), "deep");
        comparison.label = "deep: path of 4 · warm".into();
        assert_eq!(part(&comparison), (Some("deep"), "path of 4 · warm"));
    }

    #[test]
    fn short_labels_keep_what_sets_a_comparison_apart() {
        let named = |labels: &[&str]| {
            let comparison = complete().experiments.remove(0).comparisons.remove(0);
            let named = |label: &&str| Comparison { label: (*label).to_owned(), ..comparison.clone() };
            let named: Vec<_> = labels.iter().map(named).collect();
            short(&named.iter().collect::<Vec<_>>())
        };
        assert_eq!(named(&["12 B · warm", "1 KiB · warm"]), ["12 B", "1 KiB"]);
        assert_eq!(named(&["12 B · warm", "12 B · cold", "1 KiB · cold"])[1], "12 B · cold");
        assert_eq!(named(&["warm"]), ["warm"]);
    }

    #[test]
    fn labels_that_would_look_the_same_are_not_cut() {
        let labels = ["native:abcdefghij-1-klmnop".to_owned(), "native:abcdefghij-2-klmnop".to_owned()];
        assert_eq!(elided(&labels, 12), None);
        assert_eq!(elided(&labels, 26).unwrap(), labels);
    }
}
