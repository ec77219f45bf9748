//! Redaction: home directories, user names, host names and words that look like passwords, tokens
//! or keys are replaced by placeholders, in a whole document at once. The same secret has the same
//! placeholder everywhere. Whose names these are is given: nothing here asks the machine.

mod names;
mod secrets;
#[cfg(test)]
mod tests;

pub(crate) use names::without_home;

use names::Names;
use secrets::Secrets;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The code of the warning in a record that says what was replaced.
pub const REDACTED: &str = "redacted";

/// Strings under these keys are words of Fathom's own or names of methods: nobody's secrets.
const VOCABULARY: [&str; 11] = [
    "kind",
    "method",
    "driver",
    "name",
    "call",
    "code",
    "rule",
    "errno",
    "operation",
    "capture",
    "fathom_version",
];

/// The names that must not be published.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    /// Home directories of whoever runs Fathom, absolute.
    pub homes: Vec<String>,
    /// Names of that user.
    pub users: Vec<String>,
    /// Names of the machine.
    pub hosts: Vec<String>,
}

/// Replaces what must not be published.
#[derive(Debug)]
pub struct Redactor {
    names: Names,
    secrets: Secrets,
}

impl Redactor {
    /// One that knows these names.
    pub fn new(identity: Identity) -> Self {
        Self { names: Names::new(identity), secrets: Secrets::default() }
    }

    /// The same, but what a path holds behind this directory keeps its names: a host of code
    /// looks files up by it.
    #[must_use]
    pub fn keeping_names_below(mut self, directory: &str) -> Self {
        self.names.keep_below(directory);
        self
    }

    /// The value with every string redacted, and what was replaced in it, in words; `None` where
    /// nothing was.
    ///
    /// # Errors
    ///
    /// When the value is no longer of its type with placeholders in it.
    pub fn redact<T: Serialize + DeserializeOwned>(
        &mut self,
        value: &T,
    ) -> serde_json::Result<(T, Option<String>)> {
        let mut tree = serde_json::to_value(value)?;
        self.begin();
        self.learn(&tree);
        self.walk(&mut tree);
        Ok((serde_json::from_value(tree)?, self.summary()))
    }

    /// The same of a text.
    pub fn redact_text(&mut self, text: &str) -> (String, Option<String>) {
        self.begin();
        self.secrets.learn(text);
        (self.text(text), self.summary())
    }

    /// The text with what is known so far replaced, and secrets that it shows by itself.
    pub fn text(&mut self, text: &str) -> String {
        self.secrets.learn(text);
        self.names.replace(&self.secrets.replace(text))
    }

    /// The words of a command: an option may say that the next word is a secret.
    pub fn words(&mut self, words: &mut [String]) {
        self.secrets.learn_words(words);
        let secret = secrets::behind_options(words);
        for (at, word) in words.iter_mut().enumerate() {
            *word = if secret.contains(&at) { self.secrets.placeholder(word) } else { self.text(word) };
        }
    }

    fn begin(&mut self) {
        self.names.forget_uses();
        self.secrets.forget_uses();
    }

    fn summary(&self) -> Option<String> {
        let parts: Vec<_> = self.names.uses().into_iter().chain(self.secrets.uses()).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// Finds secrets everywhere before anything is replaced: one that an option shows in the
    /// command may stand alone in a path before it.
    fn learn(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.secrets.learn(text),
            Value::Array(items) => {
                self.secrets.learn_words(&strings(items));
                for item in items {
                    self.learn(item);
                }
            }
            Value::Object(fields) => {
                for (key, value) in fields {
                    match value {
                        Value::String(text) if secrets::is_key(key) => self.secrets.add(text),
                        _ => self.learn(value),
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn walk(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(items) if items.iter().all(Value::is_string) => {
                let mut words = strings(items);
                self.words(&mut words);
                *items = words.into_iter().map(Value::String).collect();
            }
            Value::Array(items) => {
                for item in items {
                    self.walk(item);
                }
            }
            Value::Object(fields) => {
                for (key, value) in fields {
                    self.field(key, value);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn field(&mut self, key: &str, value: &mut Value) {
        match value {
            Value::String(text) if secrets::is_key(key) => *text = self.secrets.placeholder(text),
            Value::String(_) if VOCABULARY.contains(&key) => {}
            // A word of Fathom's own, whatever a machine may be called.
            Value::String(text) if self.names.is_bare_word(text) => {}
            _ => self.walk(value),
        }
    }
}

fn strings(items: &[Value]) -> Vec<String> {
    items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}
