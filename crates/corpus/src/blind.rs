//! The sets of `tests/corpus-blind`, `-third`, `-fourth`, `-fifth`, `-sixth`, `-seventh`, `-eighth`, `-ninth`, `-tenth`, `-eleventh` and `-twelfth`, whose authors saw no rule: their
//! programs, which rules may rightly report which waste, and how what is found is judged. The
//! README of each has its form.

mod run;
mod score;

pub(crate) use run::plain;
pub use run::{BlindRun, Found, ToolRun, Watched};
pub use score::{Agreement, Counts};

use crate::case::CorpusError;
use crate::language::Language;
use fathom_audit::RuleId;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The programs of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BlindPart {
    /// With the waste.
    Waste,
    /// The same work without it.
    Clean,
    /// Looks like a waste and is none.
    Innocent,
    /// An installed program.
    Tool,
}

impl BlindPart {
    /// Its name: that of the file, without the ending.
    pub fn name(self) -> &'static str {
        match self {
            Self::Waste => "waste",
            Self::Clean => "clean",
            Self::Innocent => "innocent",
            Self::Tool => "tool",
        }
    }
}

/// What `case.toml` says, as far as it is used.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct BlindCase {
    /// The name of the folder: `04-colour-log`.
    #[serde(skip)]
    pub name: String,
    /// The folder.
    #[serde(skip)]
    pub folder: PathBuf,
    /// The number of its waste; `None` of an innocent one.
    pub waste: Option<u32>,
    /// The number of the waste that an innocent one looks like.
    pub looks_like: Option<u32>,
    /// What is wasted; innocent ones may leave it out.
    #[serde(default)]
    pub words: String,
    /// The language of its programs.
    pub language: Language,
    /// What strace counted.
    pub seen: String,
    /// How it is built and run, where its author says so; otherwise as its language is.
    #[serde(flatten)]
    pub own: Option<OwnCommand>,
}

/// Commands of a program's author, for `sh -c` in its folder.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct OwnCommand {
    /// The name that the source has there.
    pub file: String,
    /// Makes data and program; may be empty.
    pub build: String,
    /// Runs it.
    pub run: String,
}

impl OwnCommand {
    /// For `sh -c`: the folder as an earlier run left it, a minute old, and the data made anew. It
    /// is what the author's folder was at first contact: a program that replaces its output finds one.
    pub fn prepare(&self) -> String {
        let Self { build, run, .. } = self;
        let build = if build.is_empty() { ":" } else { build };
        format!(
            "set -e; {{ {build}; }} 2>&1; {{ {run}; }} > /dev/null 2>&1; \
             find . -exec touch -d '1 minute ago' {{}} +; {{ {build}; }} 2>&1"
        )
    }
}

impl BlindCase {
    /// The number of the waste that it has or looks like.
    pub fn number(&self) -> u32 {
        self.waste.or(self.looks_like).unwrap_or_default()
    }

    /// The name of the source of one of its programs; `None` where there is none. Authors named bash
    /// scripts either way.
    pub fn source(&self, part: BlindPart) -> Option<String> {
        let own = (self.language == Language::Bash).then_some("bash");
        let endings = own.into_iter().chain([self.language.ending()]);
        let mut names = endings.map(|ending| format!("{}.{ending}", part.name()));
        names.find(|name| self.folder.join(name).is_file())
    }

    /// Its programs.
    pub fn parts(&self) -> &'static [BlindPart] {
        if self.waste.is_some() { &[BlindPart::Waste, BlindPart::Clean] } else { &[BlindPart::Innocent] }
    }
}

/// A waste of the list, and the rules that may rightly report it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waste {
    /// Its number.
    pub number: u32,
    /// What it is.
    pub words: String,
    /// Rules of which a sentence names it.
    pub rules: Vec<RuleId>,
    /// It is not about files below the working directory.
    #[serde(default)]
    pub everywhere: bool,
}

/// A command line of an installed program.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// A name for it.
    pub name: String,
    /// The folder of its set, in which its setup finds `tools.py` as `$CORPUS/tools.py`.
    #[serde(skip)]
    pub corpus: PathBuf,
    /// What makes its data, for `sh -c`.
    pub setup: String,
    /// The program and its words; a line of text is one for `sh -c`.
    #[serde(deserialize_with = "command_words")]
    pub command: Vec<String>,
}

/// A list of words, or a line for a shell.
fn command_words<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Words(Vec<String>),
        Line(String),
    }
    Ok(match Written::deserialize(from)? {
        Written::Words(words) => words,
        Written::Line(line) => vec!["sh".to_owned(), "-c".to_owned(), line],
    })
}

/// What a person said of the findings of one rule in one program.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judged {
    /// The case or the tool.
    pub case: String,
    /// Which of its programs.
    pub part: BlindPart,
    /// The rule.
    pub rule: RuleId,
    /// The program does what the finding says, and would be better without it.
    pub right: bool,
    /// Why, in one phrase.
    pub reason: String,
}

/// What was judged, by program and rule.
pub type Judgement = BTreeMap<(String, BlindPart, RuleId), Judged>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List<T> {
    #[serde(default = "Vec::new", alias = "waste", alias = "tool", alias = "judged")]
    all: Vec<T>,
}

/// Every case, by name.
pub fn blind_cases(corpus: &Path) -> Result<Vec<BlindCase>, CorpusError> {
    let foreign = |error| CorpusError::Io { path: corpus.to_owned(), error };
    let mut cases = Vec::new();
    for entry in fs::read_dir(corpus).map_err(foreign)? {
        let folder = entry.map_err(foreign)?.path();
        if folder.is_dir() {
            let mut case: BlindCase = read(&folder.join("case.toml"))?;
            case.name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if !case.name.starts_with(&format!("{:02}-", case.number())) {
                let reason = "the name of the folder begins with the number of the waste".to_owned();
                return Err(CorpusError::Form { path: folder, reason });
            }
            case.folder = folder;
            cases.push(case);
        }
    }
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(cases)
}

/// The wastes by their numbers.
pub fn wastes(corpus: &Path) -> Result<BTreeMap<u32, Waste>, CorpusError> {
    let list: List<Waste> = read(&corpus.join("rules.toml"))?;
    Ok(list.all.into_iter().map(|waste| (waste.number, waste)).collect())
}

/// The command lines of installed programs.
pub fn blind_tools(corpus: &Path) -> Result<Vec<Tool>, CorpusError> {
    let mut tools = read::<List<Tool>>(&corpus.join("tools.toml"))?.all;
    for tool in &mut tools {
        corpus.clone_into(&mut tool.corpus);
    }
    Ok(tools)
}

/// What was judged.
pub fn judgements(corpus: &Path) -> Result<Judgement, CorpusError> {
    let list: List<Judged> = read(&corpus.join("judged.toml"))?;
    let keyed = |judged: Judged| ((judged.case.clone(), judged.part, judged.rule), judged);
    Ok(list.all.into_iter().map(keyed).collect())
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T, CorpusError> {
    let text = fs::read_to_string(path).map_err(|error| CorpusError::Io { path: path.to_owned(), error })?;
    toml::from_str(&text)
        .map_err(|error| CorpusError::Form { path: path.to_owned(), reason: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corpora() -> [PathBuf; 11] {
        let sets = [
            "blind", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
            "twelfth",
        ];
        sets.map(|set| Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/corpus-{set}")))
    }

    #[test]
    fn every_program_has_a_waste_of_the_list_and_a_source() {
        for corpus in corpora() {
            check_sources(&corpus);
        }
    }

    fn check_sources(corpus: &Path) {
        let (cases, wastes) = (blind_cases(corpus).unwrap(), wastes(corpus).unwrap());
        assert!(cases.len() > 40 && wastes.len() > 40);
        for case in cases {
            assert!(wastes.contains_key(&case.number()), "{}", case.name);
            for part in case.parts() {
                assert!(case.source(*part).is_some(), "{}: {}", case.name, part.name());
            }
        }
    }

    #[test]
    fn what_was_judged_is_there() {
        for corpus in corpora() {
            check_judged(&corpus);
        }
    }

    fn check_judged(corpus: &Path) {
        let cases = blind_cases(corpus).unwrap().into_iter().flat_map(|case| {
            let parts = case.parts().iter();
            parts.map(|part| (case.name.clone(), *part)).collect::<Vec<_>>()
        });
        let tools = blind_tools(corpus).unwrap().into_iter().map(|tool| (tool.name, BlindPart::Tool));
        let programs: Vec<_> = cases.chain(tools).collect();
        for ((name, part, _), judged) in judgements(corpus).unwrap() {
            assert!(programs.contains(&(name.clone(), part)), "{name}: {part:?}");
            assert!(!judged.reason.is_empty(), "{name}");
        }
    }

    #[test]
    fn a_command_is_words_or_a_line_for_a_shell() {
        let read = |command: &str| {
            let text = format!("[[tool]]\nname = 'x'\nsetup = ''\ncommand = {command}");
            toml::from_str::<List<Tool>>(&text).unwrap().all[0].command.clone()
        };
        assert_eq!(read("['ls', '-l']"), ["ls", "-l"]);
        assert_eq!(read("'ls | wc'"), ["sh", "-c", "ls | wc"]);
    }

    #[test]
    fn an_own_command_is_prepared_by_a_run_between_two_builds() {
        let text = "waste = 4\nlanguage = 'c'\nseen = ''\nfile = 'x.c'\nbuild = 'echo b >> log'\nrun = 'echo r >> log'";
        let own = toml::from_str::<BlindCase>(text).unwrap().own.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut shell = std::process::Command::new("sh");
        assert!(shell.args(["-c", &own.prepare()]).current_dir(&folder).status().unwrap().success());
        assert_eq!(fs::read_to_string(folder.path().join("log")).unwrap(), "b\nr\nb\n");
    }

    #[test]
    fn a_folder_is_named_by_its_waste() {
        let corpus = tempfile::tempdir().unwrap();
        let folder = corpus.path().join("05-x");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("case.toml"), "waste = 4\nwords = 'x'\nlanguage = 'perl'\nseen = ''").unwrap();
        assert!(blind_cases(corpus.path()).unwrap_err().to_string().contains("number of the waste"));
    }
}
