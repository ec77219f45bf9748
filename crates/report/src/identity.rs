//! The name of a variant outside its record: made of its own facts alone, so
//! that it is the same in every record that has the variant.

use crate::label::{access_word, alignment_word, buffer_word, part};
use crate::quantity::bytes;
use fathom_model::{Access, Alignment, BufferUse, Comparison, ExperimentRecord, Operation, Record, Variant};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Keys and values that tell a variant from all others of its record.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Identity {
    operation: &'static str,
    pairs: Vec<(&'static str, String)>,
}

impl Identity {
    /// For people and dashboards: `open-go go:os.Open open-close ext4 1MiB warm`. What is as usual (one
    /// file, random content, the current directory) goes without saying, so that the name is short and
    /// the same in every record.
    pub(crate) fn name(&self) -> String {
        let mut words: Vec<String> = Vec::new();
        for (key, value) in &self.pairs {
            let value = encoded(value, false);
            match (*key, value.as_str()) {
                ("place", ".") | ("files", "1") | ("content", "random") => {}
                ("place", _) => {
                    let file_system = words.pop().unwrap_or_default();
                    words.push(format!("{file_system}:{value}"));
                }
                ("experiment" | "method" | "operation" | "fs" | "size" | "cache", _) => words.push(value),
                _ => words.push(format!("{key}={value}")),
            }
        }
        words.join(" ")
    }

    /// Every fact with its key: `experiment=open-go method=go:os.Open … cache=warm`.
    pub(crate) fn facts(&self) -> String {
        let fact = |(key, value): &(&str, String)| format!("{key}={}", encoded(value, false));
        self.pairs.iter().map(fact).collect::<Vec<_>>().join(" ")
    }

    /// The facts, each by its key.
    pub(crate) fn pairs(&self) -> &[(&'static str, String)] {
        &self.pairs
    }

    /// For benchstat: `BenchmarkOpenClose/experiment=open-go/…/cache=warm`. An arm
    /// that is not the variant's own follows the method, so that no choice of
    /// rows mixes the two.
    pub(super) fn go_name(&self, arm: Option<&str>) -> String {
        let mut name = String::from("Benchmark");
        for word in self.operation.split('-') {
            let (first, rest) = word.split_at(1);
            name.push_str(&first.to_uppercase());
            name.push_str(rest);
        }
        for (key, value) in &self.pairs {
            match (*key, arm) {
                // It is in the name already.
                ("operation", _) => {}
                ("method", Some(arm)) => push(&mut name, key, &format!("{value},{arm}")),
                // The last is the cache state: no value's `-8` is taken for a number of CPUs.
                _ => push(&mut name, key, value),
            }
        }
        name
    }
}

/// The identities of a comparison's variants in order; `seen` keeps those of the whole record.
pub(crate) fn identities(
    record: &Record,
    experiment: &ExperimentRecord,
    comparison: &Comparison,
    seen: &mut BTreeMap<Identity, u32>,
) -> Vec<Identity> {
    let identity = |variant: &Variant| {
        let mut identity = of(record, experiment, comparison, variant);
        let times = seen.entry(identity.clone()).or_insert(0);
        *times += 1;
        if *times > 1 {
            let before_cache = identity.pairs.len() - 1;
            identity.pairs.insert(before_cache, ("nth", times.to_string()));
        }
        identity
    };
    comparison.variants.iter().map(identity).collect()
}

fn of(
    record: &Record,
    experiment: &ExperimentRecord,
    comparison: &Comparison,
    variant: &Variant,
) -> Identity {
    let operation = variant.operation.word();
    let parameters = &variant.parameters;
    let mut pairs = vec![("experiment", experiment.name.clone())];
    if let (Some(part), _) = part(comparison) {
        pairs.push(("part", part.to_owned()));
    }
    pairs.extend([("method", variant.method.to_string()), ("operation", operation.to_owned())]);
    if variant.operation != Operation::Null {
        if let Some(place) = record.places.get(variant.place) {
            pairs.extend([("fs", place.file_system.clone()), ("place", place.place.to_string())]);
        }
        let data = &parameters.data;
        let size = bytes(data.size_bytes).replace(' ', "");
        pairs.extend([
            ("files", data.files.to_string()),
            ("size", size),
            ("content", data.content.to_string()),
        ]);
        if variant.operation.takes_block() || variant.operation.delivers_data() {
            pairs.push(("block", bytes(parameters.block_bytes).replace(' ', "")));
        }
    }
    // What is as usual goes without saying, as in a record's settings.
    if parameters.access != Access::Random {
        pairs.push(("access", access_word(parameters.access).to_owned()));
    }
    if parameters.alignment != Alignment::Aligned {
        pairs.push(("alignment", alignment_word(parameters.alignment).to_owned()));
    }
    if parameters.buffer != BufferUse::Reused {
        pairs.push(("buffer", buffer_word(parameters.buffer).to_owned()));
    }
    pairs.extend(parameters.settings.iter().map(|(setting, value)| (setting.word(), value.to_string())));
    pairs.push(("cache", variant.cache.to_string()));
    Identity { operation, pairs }
}

fn push(name: &mut String, key: &str, value: &str) {
    name.push('/');
    name.push_str(key);
    name.push('=');
    name.push_str(&encoded(value, true));
}

/// The text without what would end it: blanks and `%`, and `/` in a path of keys, as `%XX`.
pub(super) fn encoded(text: &str, in_path: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let ends = character.is_whitespace() || character.is_control() || character == '%';
        if ends || (in_path && character == '/') {
            let mut buffer = [0; 4];
            for byte in character.encode_utf8(&mut buffer).bytes() {
                let _infallible = write!(out, "%{byte:02X}");
            }
        } else {
            out.push(character);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::{Setting, SettingValue};
    use fathom_testkit::{all, complete};
    use std::collections::BTreeSet;

    fn names(record: &Record) -> Vec<(String, String)> {
        let mut seen = BTreeMap::new();
        let mut names = Vec::new();
        for experiment in &record.experiments {
            for comparison in &experiment.comparisons {
                let identities = identities(record, experiment, comparison, &mut seen);
                names.extend(identities.iter().map(|each| (each.name(), each.go_name(None))));
            }
        }
        names
    }

    #[test]
    fn names_are_unique_in_every_record() {
        for (record_name, record) in all() {
            let names = names(&record);
            let plain: BTreeSet<_> = names.iter().map(|(plain, _)| plain).collect();
            let go: BTreeSet<_> = names.iter().map(|(_, go)| go).collect();
            assert_eq!((plain.len(), go.len()), (names.len(), names.len()), "{record_name}");
        }
    }

    #[test]
    fn a_name_does_not_depend_on_what_stands_beside() {
        let mut record = complete();
        let before = names(&record)[1].clone();
        record.experiments.truncate(1);
        record.experiments[0].comparisons[0].variants.swap(0, 1);
        assert_eq!(names(&record)[0], before);
        assert_eq!(before.0, "open-go go:os.Open open-close ext4:/var/tmp 1GiB warm");
        assert!(before.1.starts_with(
            "BenchmarkOpenClose/experiment=open-go/method=go:os.Open/fs=ext4/place=%2Fvar%2Ftmp/"
        ));
    }

    #[test]
    fn the_same_twice_is_numbered_and_blanks_are_encoded() {
        let mut record = complete();
        let variants = &mut record.experiments[0].comparisons[0].variants;
        let text = SettingValue::from("A=1 B=50%/x");
        variants[0].parameters.settings.set(Setting::Environment, text);
        variants[1] = variants[0].clone();
        let names = names(&record);
        assert!(names[0].0.ends_with("environment=A=1%20B=50%25/x warm"), "{names:?}");
        assert!(names[1].1.ends_with("environment=A=1%20B=50%25%2Fx/nth=2/cache=warm"), "{names:?}");
    }
}
