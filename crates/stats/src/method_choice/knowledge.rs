//! What no record measures: the usual way of each language, and what a method
//! brings with it. The data stand in `knowledge.toml`; here they are looked up.

use fathom_model::{MethodId, Operation};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

static KNOWLEDGE: LazyLock<Knowledge> = LazyLock::new(|| {
    toml::from_str(include_str!("knowledge.toml")).expect("a test of this file has parsed it")
});

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Knowledge {
    languages: Vec<Language>,
    properties: Vec<Property>,
}

/// A language as people ask for it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Language {
    /// The word of the command line.
    pub(super) word: String,
    /// Other words for it.
    #[serde(default)]
    also: Vec<String>,
    /// What it is called in tables.
    pub(super) title: String,
    /// The driver that performs its methods.
    pub(super) driver: String,
    /// Words in names of the driver's methods that it does not have.
    #[serde(default)]
    without: Vec<String>,
    /// What most programs write, by operation.
    usual: BTreeMap<Operation, String>,
}

/// What methods bring with them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Property {
    /// A stable word for machines.
    pub(super) code: String,
    #[serde(default)]
    holds: Vec<String>,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    operations: Vec<Operation>,
    #[serde(default)]
    from_bytes: u64,
    /// One sentence.
    pub(super) text: String,
}

impl Language {
    /// True when the driver's method can be written in the language.
    pub(super) fn has(&self, method: &str) -> bool {
        !self.without.iter().any(|word| method.contains(word.as_str()))
    }

    /// What most of its programs write.
    pub(super) fn usual(&self, operation: Operation) -> Option<&str> {
        self.usual.get(&operation).map(String::as_str)
    }

    fn answers_to(&self, word: &str) -> bool {
        self.word == word || self.also.iter().any(|other| other == word)
    }
}

/// Every word of a language that is known, the one for tables aside.
pub(super) fn language_words() -> Vec<&'static str> {
    KNOWLEDGE.languages.iter().map(|language| language.word.as_str()).collect()
}

/// The language's own word for any word or title of it, whatever its case.
pub(super) fn language_word(asked: &str) -> Option<&'static str> {
    let asked = asked.to_lowercase();
    let found = KNOWLEDGE.languages.iter().find(|language| language.answers_to(&asked));
    found.map(|language| language.word.as_str())
}

/// The languages whose methods a driver performs; `java@25` is Java.
pub(super) fn languages_of(driver: &str) -> impl Iterator<Item = &'static Language> {
    let name = driver.split('@').next().unwrap_or(driver).to_owned();
    KNOWLEDGE.languages.iter().filter(move |language| language.driver == name)
}

/// Where a language stands among all; those unknown stand last.
pub(super) fn place_among_languages(word: &str) -> usize {
    let position = KNOWLEDGE.languages.iter().position(|language| language.word == word);
    position.unwrap_or(KNOWLEDGE.languages.len())
}

/// What a method brings with it in an operation on files of this size.
pub(super) fn properties(
    method: &MethodId,
    operation: Operation,
    size_bytes: u64,
) -> impl Iterator<Item = &'static Property> + '_ {
    KNOWLEDGE.properties.iter().filter(move |property| {
        let named = property.names.contains(&method.name)
            || property.holds.iter().any(|word| method.name.contains(word.as_str()));
        let is_large = size_bytes >= property.from_bytes;
        named && is_large && (property.operations.is_empty() || property.operations.contains(&operation))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Names of a driver's methods and their operations, from its manifest.
    fn manifest(driver: &str) -> Vec<(String, Vec<String>)> {
        let path = format!("{}/../../drivers/{driver}/driver.toml", env!("CARGO_MANIFEST_DIR"));
        let manifest: toml::Table = fs::read_to_string(&path).unwrap().parse().unwrap();
        let methods = manifest["methods"].as_array().unwrap().iter().map(|method| {
            let operations = method["operations"].as_array().unwrap().iter();
            let operations = operations.map(|word| word.as_str().unwrap().to_owned()).collect();
            (method["name"].as_str().unwrap().to_owned(), operations)
        });
        methods.collect()
    }

    #[test]
    fn usual_ways_are_methods_of_their_drivers() {
        for language in &KNOWLEDGE.languages {
            let methods = manifest(&language.driver);
            for (operation, name) in &language.usual {
                let performs = |(method, operations): &(String, Vec<String>)| {
                    method == name && operations.iter().any(|word| word == operation.word())
                };
                assert!(methods.iter().any(performs), "{}: {operation} by {name}", language.word);
                assert!(language.has(name), "{}: {name}", language.word);
            }
        }
    }

    #[test]
    fn every_word_of_a_property_is_in_some_method() {
        let drivers = ["native", "cpp", "go", "java", "zig", "python", "node"];
        let all: Vec<_> = drivers.iter().flat_map(|driver| manifest(driver)).map(|(name, _)| name).collect();
        for word in KNOWLEDGE.properties.iter().flat_map(|property| &property.holds) {
            assert!(all.iter().any(|name| name.contains(word.as_str())), "{word}");
        }
        for property in &KNOWLEDGE.properties {
            for name in &property.names {
                assert!(all.contains(name), "{}: {name}", property.code);
            }
        }
    }

    #[test]
    fn c_has_none_of_rusts_methods_and_rust_has_all() {
        let named = |word: &str| KNOWLEDGE.languages.iter().find(|language| language.word == word).unwrap();
        assert!(named("c").has("pread") && !named("c").has("std::fs::read") && !named("c").has("File+read"));
        assert!(named("rust").has("pread") && named("rust").has("std::fs::read"));
        assert_eq!(language_word("Golang"), Some("go"));
        assert_eq!(language_word("JavaScript"), Some("node"));
        assert_eq!(language_word("cobol"), None);
        assert_eq!(
            languages_of("java@25").map(|language| language.title.as_str()).collect::<Vec<_>>(),
            ["Java"]
        );
        assert_eq!(languages_of("native").count(), 2);
    }

    #[test]
    fn a_property_belongs_to_its_operations() {
        let codes = |name: &str, operation| -> Vec<&str> {
            let method = MethodId::new("any", name);
            properties(&method, operation, 1 << 20).map(|property| property.code.as_str()).collect()
        };
        assert_eq!(codes("mmap", Operation::ReadWhole), ["mapping-truncated"]);
        assert_eq!(codes("mmap", Operation::WriteBlock), ["mapping-truncated"]);
        assert_eq!(codes("O_DIRECT+pread", Operation::ReadBlock), ["direct-alignment"]);
        assert_eq!(codes("open+rb+read", Operation::ReadWhole), ["whole-buffer"]);
        assert!(codes("open+rb+readinto", Operation::ReadWhole).is_empty());
        assert!(codes("pread", Operation::ReadBlock).is_empty());
        let small = MethodId::new("go", "os.ReadFile");
        assert_eq!(properties(&small, Operation::ReadWhole, 4096).count(), 0, "4 KiB are no burden");
    }
}
