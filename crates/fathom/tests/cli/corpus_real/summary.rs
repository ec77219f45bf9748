//! The form of a golden summary: a command, the version it was taken with, and how often
//! each rule found something, with what a reader of the example thought of it.

use fathom_audit::{Audit, Owner, RuleId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// What a judgement begins with.
pub(crate) const JUDGEMENTS: [&str; 3] = ["true: ", "arguable: ", "false: "];

/// A file of `tests/corpus/real`.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Summary {
    /// The program and its words, as a shell would split them.
    pub(crate) command: String,
    /// What tells its version, and is skipped for another one.
    pub(crate) version_command: String,
    /// The first line it prints.
    #[serde(default)]
    pub(crate) version: String,
    /// A file that setup made, as standard input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) input: Option<String>,
    /// Run with `sh` in the working directory before it, and not watched.
    pub(crate) setup: String,
    /// Variables beyond those that all have.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) environment: BTreeMap<String, String>,
    /// What is found.
    #[serde(default)]
    pub(crate) findings: Vec<Found>,
}

/// The findings of one rule in one program.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Found {
    pub(crate) rule: RuleId,
    /// The name of the program: a command may run others.
    pub(crate) program: String,
    pub(crate) owner: Owner,
    /// How often it counts; at least, where there is a `most`.
    pub(crate) count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) most: Option<u64>,
    /// Why it is not the same in every run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) varies: Option<String>,
    /// What a person thought who read the example: `true: …`, `arguable: …`, `false: …`.
    pub(crate) judgement: String,
}

/// A rule, the program's name, whose code it is.
pub(crate) type Key = (RuleId, String, Owner);

impl Found {
    pub(crate) fn key(&self) -> Key {
        (self.rule, self.program.clone(), self.owner)
    }

    fn holds(&self, count: u64) -> bool {
        (self.count..=self.most.unwrap_or(self.count)).contains(&count)
    }
}

impl Summary {
    /// What is found now and was not, or the other way, in words.
    pub(crate) fn differences(&self, now: &BTreeMap<Key, u64>) -> Vec<String> {
        let named = |key: &Key| format!("{} in {} ({:?})", key.0, key.1, key.2);
        let kept: BTreeMap<Key, &Found> = self.findings.iter().map(|found| (found.key(), found)).collect();
        let gone = self.findings.iter().filter(|found| !found.holds(0) && !now.contains_key(&found.key()));
        let mut words: Vec<_> =
            gone.map(|found| format!("{}: {} times, now never", named(&found.key()), found.count)).collect();
        for (key, count) in now {
            match kept.get(key) {
                None => words.push(format!("{}: never, now {count} times", named(key))),
                Some(found) if !found.holds(*count) => {
                    let most = found.most.map(|most| format!(" to {most}")).unwrap_or_default();
                    words.push(format!("{}: {}{most} times, now {count}", named(key), found.count));
                }
                Some(_) => {}
            }
        }
        words
    }

    /// This summary with what is found now. What was judged stays judged; what is new has to be.
    pub(crate) fn renewed(&self, now: &BTreeMap<Key, u64>, version: &str) -> Self {
        let kept: BTreeMap<Key, &Found> = self.findings.iter().map(|found| (found.key(), found)).collect();
        let findings = now.iter().map(|(key, &count)| match kept.get(key) {
            Some(found) if found.most.is_some() => Found {
                count: found.count.min(count),
                most: found.most.map(|most| most.max(count)),
                ..(*found).clone()
            },
            Some(found) => Found { count, ..(*found).clone() },
            None => Found {
                rule: key.0,
                program: key.1.clone(),
                owner: key.2,
                count,
                most: None,
                varies: None,
                judgement: "to be read".to_owned(),
            },
        });
        Self { version: version.to_owned(), findings: findings.collect(), ..self.clone() }
    }
}

/// How often each rule found something, by program and owner.
pub(crate) fn counted(audit: &Audit) -> BTreeMap<Key, u64> {
    let mut counts = BTreeMap::new();
    for finding in audit.findings_and_trifles() {
        let program = finding.place.program.as_deref().unwrap_or("?");
        let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy().into_owned();
        *counts.entry((finding.rule, name, finding.owner)).or_default() += finding.count;
    }
    counts
}
