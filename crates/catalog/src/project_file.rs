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
        Source { file, text }.read(|top| match top.take("audit") {
            Some(audit) => audit.table(read_audit),
            None => Ok(Self::default()),
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
    Ok(ProjectFile { only, ignore, assert, suppress })
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
