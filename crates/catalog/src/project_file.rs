//! A project's own file, `.fathom.toml`: which rules it is audited by, the budgets it is held
//! to, and what it lives with, each with its reason. Read strictly; what rules, budgets and
//! patterns there are is not known here, so each text keeps its place.

use crate::error::{CatalogError, Located, Problem};
use crate::toml_reader::{Source, TableReader};

/// What a project file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProjectFile {
    /// Only these rules.
    pub only: Vec<Located<String>>,
    /// All but these.
    pub ignore: Vec<Located<String>>,
    /// Budgets.
    pub assert: Vec<Located<String>>,
    /// What it lives with.
    pub suppress: Vec<SuppressEntry>,
    /// Commands that `fathom ci` runs on both sides of a change.
    pub commands: Vec<CommandEntry>,
    /// What is run in each checkout before.
    pub build: Option<BuildEntry>,
}

/// A command that is run on both sides of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandEntry {
    /// What it is called.
    pub name: Located<String>,
    /// A shell's words, run before each run.
    pub setup: Option<Located<String>>,
    /// The command: its words as a shell splits them, without a shell.
    pub run: Located<String>,
    /// At least so many runs of each side.
    pub repeat: Option<u64>,
    /// Budgets of this command alone.
    pub assert: Vec<Located<String>>,
    /// What of its calls counts.
    pub counts: CountsEntry,
}

/// What of a command's calls counts; everything where nothing is said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CountsEntry {
    /// Only on what lies below these directories.
    pub under: Vec<Located<String>>,
    /// Only these calls and families.
    pub only: Vec<Located<String>>,
    /// Nothing on paths of these patterns.
    pub exclude: Vec<Located<String>>,
}

/// What is run in each checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildEntry {
    /// A shell's words.
    pub run: Located<String>,
    /// It is stopped after so many seconds.
    pub limit_s: Option<u64>,
}

/// One thing that a project lives with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuppressEntry {
    /// The rule.
    pub rule: Located<String>,
    /// Only on paths of this pattern.
    pub path: Option<Located<String>>,
    /// Only by programs of this pattern.
    pub program: Option<Located<String>>,
    /// Only below functions of this pattern.
    pub function: Option<Located<String>>,
    /// Why.
    pub reason: String,
}

impl ProjectFile {
    /// Reads a project file; `file` names it in errors.
    pub fn parse(file: &str, text: &str) -> Result<Self, CatalogError> {
        Source { file, text }.read(|top| {
            let audit =
                top.take("audit").map_or_else(|| Ok(Self::default()), |audit| audit.table(read_audit))?;
            let commands = match top.take("command") {
                Some(item) => {
                    item.list()?.iter().map(|item| item.table(read_command)).collect::<Result<_, _>>()?
                }
                None => Vec::new(),
            };
            let build = top.take("build").map(|item| item.table(read_build)).transpose()?;
            Ok(Self { commands, build, ..audit })
        })
    }
}

fn read_audit(table: &TableReader<'_>) -> Result<ProjectFile, CatalogError> {
    let texts = |key| table.take(key).map_or(Ok(Vec::new()), |item| item.texts());
    let (only, ignore, assert) = (texts("only")?, texts("ignore")?, texts("assert")?);
    let suppress = match table.take("suppress") {
        Some(item) => item.list()?.iter().map(|item| item.table(read_suppress)).collect::<Result<_, _>>()?,
        None => Vec::new(),
    };
    Ok(ProjectFile { only, ignore, assert, suppress, ..ProjectFile::default() })
}

fn read_command(table: &TableReader<'_>) -> Result<CommandEntry, CatalogError> {
    const MOST_RUNS: u64 = 100;
    let texts = |key| table.take(key).map_or(Ok(Vec::new()), |item| item.texts());
    let repeat = table.take("repeat").map(|item| item.whole_number(1, MOST_RUNS)).transpose()?;
    Ok(CommandEntry {
        name: table.require("name")?.text()?,
        setup: table.take("setup").map(|item| item.text()).transpose()?,
        run: table.require("run")?.text()?,
        repeat: repeat.map(|repeat| repeat.value),
        assert: texts("assert")?,
        counts: table.take("counts").map(|item| item.table(read_counts)).transpose()?.unwrap_or_default(),
    })
}

fn read_counts(table: &TableReader<'_>) -> Result<CountsEntry, CatalogError> {
    let texts = |key| table.take(key).map_or(Ok(Vec::new()), |item| item.texts());
    Ok(CountsEntry { under: texts("under")?, only: texts("only")?, exclude: texts("exclude")? })
}

fn read_build(table: &TableReader<'_>) -> Result<BuildEntry, CatalogError> {
    const MOST_S: u64 = 86_400;
    let limit = table.take("limit-s").map(|item| item.whole_number(1, MOST_S)).transpose()?;
    Ok(BuildEntry { run: table.require("run")?.text()?, limit_s: limit.map(|limit| limit.value) })
}

fn read_suppress(table: &TableReader<'_>) -> Result<SuppressEntry, CatalogError> {
    let rule = table.require("rule")?.text()?;
    let text = |key| table.take(key).map(|item| item.text()).transpose();
    let (path, program, function) = (text("path")?, text("program")?, text("function")?);
    let reason = table.require("reason").map_err(|error| match *error.problem {
        Problem::MissingKey(_) => {
            let hint = "say why it stays: reason = \"…\"; who comes later wants to know".to_owned();
            rule.error(Problem::MissingKey("reason".to_owned()), Some(hint))
        }
        _ => error,
    })?;
    Ok(SuppressEntry { rule, path, program, function, reason: reason.text()?.value })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"[audit]
ignore = ["R31"]
assert = ["open failures < 50"]

[[audit.suppress]]
rule = "R13"
path = "data/*.json"
reason = "the files may be pipes"
"#;

    fn error(text: &str) -> (String, String) {
        let error = ProjectFile::parse(".fathom.toml", text).unwrap_err();
        (error.to_string(), error.hint().unwrap_or_default().to_owned())
    }

    #[test]
    fn a_file_is_read_with_the_places_of_its_words() {
        let file = ProjectFile::parse(".fathom.toml", FILE).unwrap();
        assert_eq!((file.ignore[0].value.as_str(), file.assert.len(), file.only.len()), ("R31", 1, 0));
        let entry = &file.suppress[0];
        assert_eq!(entry.rule.origin.to_string(), ".fathom.toml:6: ");
        assert_eq!(
            (entry.path.as_ref().unwrap().value.as_str(), &*entry.reason),
            ("data/*.json", "the files may be pipes")
        );
        assert_eq!(ProjectFile::parse("x", "").unwrap(), ProjectFile::default());
    }

    #[test]
    fn commands_are_read_with_what_of_them_counts() {
        let text = "[build]\nrun = \"make\"\nlimit-s = 60\n[[command]]\nname = \"list\"\nrun = \"ls -l\"\n\
                    counts = { under = [\"data\"], only = [\"open\"] }\n";
        let file = ProjectFile::parse("x", text).unwrap();
        let command = &file.commands[0];
        assert_eq!((command.run.value.as_str(), command.counts.under[0].value.as_str()), ("ls -l", "data"));
        assert_eq!(file.build.unwrap().limit_s, Some(60));
        assert!(error(&text.replace("name =", "nam =")).0.contains(":5: unknown key `nam`"));
        assert!(error(&text.replace("under", "below")).0.contains("unknown key `below`"));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let without = error(&FILE.replace("reason = \"the files may be pipes\"\n", ""));
        assert_eq!(without.0, ".fathom.toml:6: missing key `reason`");
        assert!(without.1.contains("say why"), "{}", without.1);
        for (from, to, says, hint) in [
            (
                "reason = \"the files may be pipes\"",
                "reason = \" \"",
                ".fathom.toml:8: `reason` is empty",
                "",
            ),
            ("path =", "paths =", ".fathom.toml:7: unknown key `paths`", "did you mean `path`?"),
            ("reason =", "reasn =", ".fathom.toml:8: unknown key `reasn`", "did you mean `reason`?"),
            (
                "ignore = [\"R31\"]",
                "ignore = 31",
                ".fathom.toml:2: `ignore` takes a list, not a whole number",
                "",
            ),
            ("[audit]", "[audits]", ".fathom.toml:1: ", ""),
        ] {
            let found = error(&FILE.replacen(from, to, 1));
            assert!(found.0.contains(says) && found.1.contains(hint), "{found:?}");
        }
    }
}
