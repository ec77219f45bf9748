//! Files of write-ups: one TOML file, one published document, read strictly. Whether
//! the claims that its statements refer to exist is checked beside the experiments.

use crate::entry::Entry;
use crate::error::{CatalogError, Located, Problem};
use crate::suggestion::nearest;
use crate::toml_reader::{Item, Source, TableReader};
use crate::words::{Word, read_word};
use fathom_model::{ClaimPath, Statement, StatementKind, StatementVerdict, WriteUp};
use std::collections::BTreeMap;

/// A write-up, and where its references to claims stand.
#[derive(Debug, Clone, PartialEq)]
pub struct WriteUpFile {
    /// The document.
    pub write_up: WriteUp,
    references: Vec<Located<ClaimPath>>,
}

impl Word for StatementKind {
    const KIND: &'static str = "kind of statement";
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::Statement, "statement"),
        (Self::Figure, "figure"),
        (Self::Table, "table"),
        (Self::Listing, "listing"),
        (Self::Recommendation, "recommendation"),
        (Self::Picture, "picture"),
    ];
}

impl WriteUpFile {
    /// Reads a write-up; `file` names it in errors.
    pub fn parse(file: &str, text: &str) -> Result<Self, CatalogError> {
        Source { file, text }.read(read_write_up)
    }

    /// Every claim that is referred to has to be one of these experiments'.
    pub fn check_claims(&self, entries: &[Entry]) -> Result<(), CatalogError> {
        for reference in &self.references {
            let ClaimPath { experiment, claim } = &reference.value;
            let entry = entries.iter().find(|entry| entry.name == *experiment);
            let claims: Vec<&str> =
                entry.iter().flat_map(|entry| entry.claims()).map(|claim| claim.name.as_str()).collect();
            if !claims.contains(&claim.as_str()) {
                let hint = hint_for_claim(&reference.value, entries, &claims);
                return Err(reference.error(Problem::UnknownClaim(reference.value.clone()), Some(hint)));
            }
        }
        Ok(())
    }
}

/// The nearest claim of the experiment, where that exists; else the nearest experiment.
fn hint_for_claim(path: &ClaimPath, entries: &[Entry], claims: &[&str]) -> String {
    let ClaimPath { experiment, claim } = path;
    if entries.iter().any(|entry| entry.name == *experiment) {
        return match nearest(claim, claims.iter().copied()) {
            Some(word) => format!("did you mean `{experiment}/{word}`?"),
            None => format!("`fathom list claims` shows those of {experiment}"),
        };
    }
    match nearest(experiment, entries.iter().map(|entry| entry.name.as_str())) {
        Some(word) => format!("did you mean `{word}/{claim}`?"),
        None => "`fathom list claims` shows every claim".to_owned(),
    }
}

fn read_write_up(top: &TableReader<'_>) -> Result<WriteUpFile, CatalogError> {
    let name = read_name(top, "name", "a write-up")?.value;
    let title = top.require("title")?.text()?.value;
    let author = top.require("author")?.text()?.value;
    let (date, hardware) = (optional(top, "date")?, optional(top, "hardware")?);
    let mut references = Vec::new();
    let mut statements: Vec<Statement> = Vec::new();
    for item in top.take("statements").map(|item| item.list()).transpose()?.unwrap_or_default() {
        let (id, statement) = item.table(|table| read_statement(table, &mut references))?;
        if statements.iter().any(|known| known.id == statement.id) {
            return Err(id.error(Problem::Repeated("statement", id.value.clone()), None));
        }
        statements.push(statement);
    }
    Ok(WriteUpFile { write_up: WriteUp { name, title, author, date, hardware, statements }, references })
}

fn optional(table: &TableReader<'_>, key: &'static str) -> Result<Option<String>, CatalogError> {
    table.take(key).map(|item| item.text().map(|text| text.value)).transpose()
}

fn read_name(
    table: &TableReader<'_>,
    key: &'static str,
    of: &'static str,
) -> Result<Located<String>, CatalogError> {
    let name = table.require(key)?.text()?;
    if !name.value.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') {
        let hint = "use lower-case letters, digits and `-`".to_owned();
        return Err(name.error(Problem::BadName(name.value.clone(), of), Some(hint)));
    }
    Ok(name)
}

fn read_statement(
    table: &TableReader<'_>,
    references: &mut Vec<Located<ClaimPath>>,
) -> Result<(Located<String>, Statement), CatalogError> {
    let id = read_name(table, "id", "a statement")?;
    let kind = read_word(&table.require("kind")?.text()?)?.value;
    let section = table.require("section")?.text()?.value;
    let says = table.require("says")?.text()?.value;
    let how = optional(table, "how")?;
    let untestable = optional(table, "untestable")?;
    let claims = match table.take("claims") {
        Some(item) if untestable.is_some() => {
            let problem = Problem::Exclusive("claims", "untestable");
            return Err(CatalogError::new(&item.origin(), problem, None));
        }
        Some(item) => read_references(&item)?,
        None if untestable.is_some() => Vec::new(),
        None => {
            let hint = "name the `claims` that test it, or say why it is `untestable`".to_owned();
            return Err(id.error(Problem::MissingKey("claims".to_owned()), Some(hint)));
        }
    };
    let why = match table.take("why") {
        Some(item) if untestable.is_some() => {
            let problem = Problem::Exclusive("why", "untestable");
            return Err(CatalogError::new(&item.origin(), problem, None));
        }
        Some(item) => item.table(read_why)?,
        None => BTreeMap::new(),
    };
    let names = claims.iter().map(|claim| claim.value.clone()).collect();
    references.extend(claims);
    let statement =
        Statement { id: id.value.clone(), kind, section, says, how, claims: names, untestable, why };
    Ok((id, statement))
}

fn read_references(item: &Item<'_>) -> Result<Vec<Located<ClaimPath>>, CatalogError> {
    let mut claims: Vec<Located<ClaimPath>> = Vec::new();
    for text in item.texts()? {
        let path: ClaimPath =
            text.value.parse().map_err(|error| text.error(Problem::BadClaimPath(error), None))?;
        if claims.iter().any(|known| known.value == path) {
            return Err(text.error(Problem::Repeated("claim", text.value.clone()), None));
        }
        claims.push(Located::new(path, &text.origin));
    }
    Ok(claims)
}

/// Reasons for the verdicts that measuring can lead to.
fn read_why(table: &TableReader<'_>) -> Result<BTreeMap<StatementVerdict, String>, CatalogError> {
    let keys = [
        ("supported", StatementVerdict::Supported),
        ("refuted", StatementVerdict::Refuted),
        ("confounded", StatementVerdict::Confounded),
        ("inconclusive", StatementVerdict::Inconclusive),
    ];
    let mut why = BTreeMap::new();
    for (key, verdict) in keys {
        why.extend(optional(table, key)?.map(|reason| (verdict, reason)));
    }
    Ok(why)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"name = "a-post"
title = "On opening"
author = "somebody"

[[statements]]
id = "one-call"
kind = "statement"
section = "Opening"
says = "An open is one call."
how = "counted"
claims = ["mine/one-open", "mine/no-close"]
why = { refuted = "the runtime asks more" }

[[statements]]
id = "on-aix"
kind = "figure"
section = "Elsewhere"
says = "AIX does the same."
untestable = "AIX does not run here"
"#;

    const ENTRY: &str = r#"name = "mine"
title = "Mine"
question = "Why?"
source = "a test"
operation = "open-close"
methods = ["native:open"]
data = { size = "1 MiB" }
[[claims]]
name = "one-open"
sentence = "one"
untestable = "a test"
[[claims]]
name = "no-close"
sentence = "none"
untestable = "a test"
"#;

    /// Message and hint for the good file with one stretch replaced.
    fn broken(from: &str, to: &str) -> String {
        assert_eq!(GOOD.matches(from).count(), 1, "{from:?} stands once in the good file");
        let entries = [Entry::parse("mine.toml", ENTRY).unwrap()];
        let error = WriteUpFile::parse("post.toml", &GOOD.replace(from, to))
            .and_then(|file| file.check_claims(&entries))
            .expect_err("a mistake");
        format!("{error}; {}", error.hint().unwrap_or("-"))
    }

    #[test]
    fn a_write_up_is_read_in_its_order() {
        let file = WriteUpFile::parse("post.toml", GOOD).unwrap();
        file.check_claims(&[Entry::parse("mine.toml", ENTRY).unwrap()]).unwrap();
        let [one, two] = file.write_up.statements.as_slice() else { panic!("two statements") };
        assert_eq!((one.id.as_str(), one.kind, one.claims.len()), ("one-call", StatementKind::Statement, 2));
        assert_eq!(one.why[&StatementVerdict::Refuted], "the runtime asks more");
        assert_eq!(
            (two.kind, two.untestable.as_deref()),
            (StatementKind::Figure, Some("AIX does not run here"))
        );
    }

    #[test]
    fn a_write_up_without_statements_is_empty() {
        let header = "name = \"a\"\ntitle = \"b\"\nauthor = \"c\"\n";
        assert!(WriteUpFile::parse("post.toml", header).unwrap().write_up.statements.is_empty());
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (from, to, expected) in [
            (
                "kind = \"figure\"",
                "kind = \"figur\"",
                "post.toml:16: unknown kind of statement `figur`; did you mean `figure`?",
            ),
            ("id = \"on-aix\"", "id = \"one-call\"", "post.toml:15: statement `one-call` is listed twice; -"),
            (
                "untestable = \"AIX does not run here\"\n",
                "",
                "post.toml:15: missing key `claims`; name the `claims` that test it, or say why it is `untestable`",
            ),
            (
                "how = \"counted\"",
                "untestable = \"no\"",
                "post.toml:11: `claims` and `untestable` exclude each other; -",
            ),
            (
                "mine/one-open",
                "mine/one-opn",
                "post.toml:11: there is no claim `mine/one-opn`; did you mean `mine/one-open`?",
            ),
            (
                "mine/one-open",
                "min/one-open",
                "post.toml:11: there is no claim `min/one-open`; did you mean `mine/one-open`?",
            ),
            (
                "mine/one-open",
                "one-open",
                "post.toml:11: a claim is written `experiment/claim`, not `one-open`; -",
            ),
            ("mine/no-close", "mine/one-open", "post.toml:11: claim `mine/one-open` is listed twice; -"),
            ("{ refuted", "{ refutd", "post.toml:12: unknown key `refutd`; did you mean `refuted`?"),
            ("says = \"AIX", "say = \"AIX", "post.toml:18: unknown key `say`; did you mean `says`?"),
            (
                "name = \"a-post\"",
                "name = \"A post\"",
                "post.toml:1: `A post` is no name for a write-up; use lower-case letters, digits and `-`",
            ),
        ] {
            assert_eq!(broken(from, to), expected);
        }
    }
}
