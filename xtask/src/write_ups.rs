//! `cargo xtask write-ups`: the pages of docs/write-ups and the tables of docs/verdicts.md,
//! made from the catalog and the kept record of `fathom verify`.

mod pages;
mod verdicts;

use anyhow::Context;
use fathom_catalog::{Entry, SHIPPED, WRITE_UPS, WriteUpFile};
use fathom_claims::judge;
use fathom_model::{Claim, Record, WriteUp};
use fathom_report::VerifiedWriteUps;
use std::path::{Path, PathBuf};

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs");
/// What `fathom verify` left: of every entry with pairs of variants, and of those that are about file
/// systems on fresh ones (`--mount`).
const RECORDS: [&str; 2] = ["experiments/records/verify.json", "experiments/records/verify-mounts.json"];
const VERDICTS: &str = "verdicts.md";
/// The error of any wrong verdict: that of `fathom verify`.
const ALPHA: f64 = 0.05;

/// Writes every page.
pub(crate) fn write() -> anyhow::Result<()> {
    let verified = verified()?;
    std::fs::create_dir_all(Path::new(DOCS).join("write-ups"))?;
    for (path, text) in pages::all(&verified) {
        put(&path, &text)?;
    }
    put(Path::new(VERDICTS), &verdicts::renewed(&read(VERDICTS)?, &verified)?)
}

fn read(name: &str) -> anyhow::Result<String> {
    let path = Path::new(DOCS).join(name);
    std::fs::read_to_string(&path).with_context(|| format!("failed to read {}", path.display()))
}

fn put(name: &Path, text: &str) -> anyhow::Result<()> {
    let path: PathBuf = Path::new(DOCS).join(name);
    std::fs::write(&path, text).with_context(|| format!("failed to write {}", path.display()))
}

/// Every document by the kept record; all claims of the catalog are one family, as
/// `fathom verify` judges them.
fn verified() -> anyhow::Result<VerifiedWriteUps> {
    let entries = SHIPPED.iter().map(|file| Entry::parse(file.file, file.text));
    let entries = entries.collect::<Result<Vec<_>, _>>()?;
    let write_ups = WRITE_UPS.iter().map(|file| Ok(WriteUpFile::parse(file.file, file.text)?.write_up));
    let write_ups: Vec<WriteUp> = write_ups.collect::<anyhow::Result<_>>()?;
    let claims: Vec<(&str, &Claim)> =
        entries.iter().flat_map(|entry| entry.claims().map(|claim| (entry.name.as_str(), claim))).collect();
    let records = records(&entries)?;
    Ok(VerifiedWriteUps::new(&write_ups, judge(&claims, &records.iter().collect::<Vec<_>>(), ALPHA), false))
}

/// What `fathom verify` left, and of scenarios, whose claims need no pairs, the entries' own.
fn records(entries: &[Entry]) -> anyhow::Result<Vec<Record>> {
    let scenarios = entries.iter().filter(|entry| entry.scenario().is_some());
    let names = scenarios.map(|entry| format!("experiments/records/{}.json", entry.name));
    let names = RECORDS.into_iter().map(str::to_owned).chain(names);
    names.map(|name| Ok(serde_json::from_str(&read(&name)?)?)).collect()
}

/// A row of a table.
fn row(cells: impl IntoIterator<Item = String>) -> String {
    let cells: Vec<String> = cells.into_iter().collect();
    format!("| {} |", cells.join(" | "))
}

/// A table with this heading.
fn table(heading: &[&str], rows: impl IntoIterator<Item = String>) -> String {
    let mut lines = vec![row(heading.iter().map(|&word| word.to_owned()))];
    lines.push(format!("|{}", "---|".repeat(heading.len())));
    lines.extend(rows);
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_written_pages_are_those_of_the_catalog_and_the_record() {
        let verified = verified().unwrap();
        let pages = pages::all(&verified);
        for (path, text) in &pages {
            let written = std::fs::read_to_string(Path::new(DOCS).join(path)).unwrap_or_default();
            assert!(
                written == *text,
                "docs/{} is stale: run `cargo run -p xtask -- write-ups`",
                path.display()
            );
        }
        let page = read(VERDICTS).unwrap();
        let renewed = verdicts::renewed(&page, &verified).unwrap();
        assert!(page == renewed, "docs/verdicts.md is stale: run `cargo run -p xtask -- write-ups`");
        let made: BTreeSet<PathBuf> = pages.into_iter().map(|(path, _)| path).collect();
        let folder = std::fs::read_dir(Path::new(DOCS).join("write-ups")).unwrap();
        let written: BTreeSet<PathBuf> =
            folder.map(|entry| Path::new("write-ups").join(entry.unwrap().file_name())).collect();
        assert_eq!(written, made);
    }

    #[test]
    fn every_statement_stands_on_its_page_in_its_order() {
        let verified = verified().unwrap();
        let pages = pages::all(&verified);
        for write_up in &verified.write_ups {
            let (_, text) =
                pages.iter().find(|(path, _)| path.file_stem().unwrap() == write_up.name.as_str()).unwrap();
            let mut rest = text.as_str();
            for statement in &write_up.statements {
                let says = crate::reference::prose(&statement.says);
                let (_, after) = rest.split_once(&says).unwrap_or_else(|| {
                    panic!("{}: {} is not in its place", write_up.name, statement.id);
                });
                rest = after;
            }
        }
    }
}
