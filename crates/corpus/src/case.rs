//! A case: three programs and what the audit has to say of each. `tests/corpus/README.md`
//! has the form of its folder.

use crate::language::Language;
use fathom_audit::{Guard, RuleId, rule_facts};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The three programs of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// With the waste.
    Before,
    /// The same work without it.
    After,
    /// What a rule without guards would accuse.
    LookAlike,
}

impl Part {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Before, Self::After, Self::LookAlike];

    /// The name of its file, without the ending.
    pub fn stem(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
            Self::LookAlike => "look_alike",
        }
    }
}

/// What `case.toml` says.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseWords {
    /// The rule that it is about.
    pub rule: RuleId,
    /// The language of its programs.
    pub language: Language,
    /// Where somebody found the waste: `cpython#124922`.
    pub reference: String,
    /// What is wasted, in one line.
    pub summary: String,
    /// How often the rule counts in `before`.
    pub count: u64,
    /// The guard of the rule that spares the look-alike; `None` where the pattern itself does.
    pub guard: Option<String>,
    /// Other rules that rightly find something in `before`, with their counts.
    #[serde(default)]
    pub also: BTreeMap<RuleId, u64>,
    /// Other rules that rightly find something in `after` or in the look-alike, with the reason.
    #[serde(default)]
    pub allowed: BTreeMap<RuleId, String>,
    /// Versions of the language that behave so: `python>=3.11,python<3.15`.
    pub needs: Option<String>,
    /// The waste is about no file, or about files elsewhere: its rule, and it alone, is counted
    /// wherever it finds something.
    #[serde(default)]
    pub everywhere: bool,
}

/// A case in its folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The name of the folder: `R04-cpython-124922`.
    pub name: String,
    /// The folder.
    pub folder: PathBuf,
    /// What `case.toml` says.
    pub words: CaseWords,
}

/// A folder that is no case.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// It cannot be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// What.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// `case.toml` is not what it has to be.
    #[error("{}: {reason}", path.display())]
    Form {
        /// The folder or file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

impl Case {
    /// The source of one of its programs.
    pub fn source(&self, part: Part) -> PathBuf {
        self.folder.join(format!("{}.{}", part.stem(), self.words.language.ending()))
    }

    /// The guard that spares the look-alike; `None` where the pattern itself does.
    pub fn guard(&self) -> Result<Option<Guard>, CorpusError> {
        let Some(name) = &self.words.guard else { return Ok(None) };
        let facts = rule_facts().iter().find(|facts| facts.id == self.words.rule);
        let known = facts.and_then(|facts| facts.guards.iter().find(|guard| guard.name == name));
        let reason = || format!("{} has no guard `{name}`", self.words.rule);
        known
            .map(|guard| Some(*guard))
            .ok_or_else(|| CorpusError::Form { path: self.folder.clone(), reason: reason() })
    }

    /// What makes the data; it may be missing.
    pub fn setup(&self) -> PathBuf {
        self.folder.join("setup.sh")
    }
}

/// Every case below a folder, by name. Folders whose name does not begin as a rule's are
/// something else.
pub fn load(corpus: &Path) -> Result<Vec<Case>, CorpusError> {
    let foreign = |path: &Path| {
        let path = path.to_owned();
        move |error| CorpusError::Io { path, error }
    };
    let mut cases = Vec::new();
    for entry in fs::read_dir(corpus).map_err(foreign(corpus))? {
        let entry = entry.map_err(foreign(corpus))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_case =
            name.strip_prefix('R').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if !is_case {
            continue;
        }
        let path = entry.path().join("case.toml");
        let text = fs::read_to_string(&path).map_err(foreign(&path))?;
        cases.push(case(name, entry.path(), &text)?);
    }
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(cases)
}

fn case(name: String, folder: PathBuf, text: &str) -> Result<Case, CorpusError> {
    let wrong = |reason: String| CorpusError::Form { path: folder.join("case.toml"), reason };
    let words: CaseWords = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
    if !name.starts_with(&format!("{}-", words.rule)) {
        return Err(wrong(format!("the folder of a case of {} is called {}-…", words.rule, words.rule)));
    }
    if words.count == 0 || words.also.contains_key(&words.rule) || words.allowed.contains_key(&words.rule) {
        return Err(wrong("the rule has a count, and is not among `also` and `allowed`".to_owned()));
    }
    let case = Case { name, folder, words };
    match Part::ALL.map(|part| case.source(part)).into_iter().find(|source| !source.is_file()) {
        Some(missing) => Err(CorpusError::Form { path: missing, reason: "is missing".to_owned() }),
        None => Ok(case),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &str = "rule = 'R04'\nlanguage = 'python'\nreference = 'cpython#124922'\nsummary = 'asks'\n\
                         count = 20\n[also]\nR03 = 20\n";

    fn made(name: &str, text: &str, sources: &[&str]) -> Result<Vec<Case>, String> {
        let corpus = tempfile::tempdir().unwrap();
        let folder = corpus.path().join(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("case.toml"), text).unwrap();
        for source in sources {
            fs::write(folder.join(source), "").unwrap();
        }
        load(corpus.path()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_case_is_a_folder_with_three_programs() {
        let all = ["before.py", "after.py", "look_alike.py"];
        let cases = made("R04-cpython", WORDS, &all).unwrap();
        assert_eq!((cases[0].words.rule, cases[0].words.also[&RuleId(3)]), (RuleId(4), 20));
        assert_eq!(made("real", WORDS, &[]), Ok(Vec::new()));
        assert!(made("R04-cpython", WORDS, &all[..2]).unwrap_err().contains("look_alike.py: is missing"));
        assert!(made("R05-cpython", WORDS, &all).unwrap_err().contains("is called R04-"));
        assert!(made("R04-x", &format!("{WORDS}R04 = 1"), &all).is_err());
        assert!(made("R04-x", &format!("nonsense = 1\n{WORDS}"), &all).is_err());
    }
}
