//! Records on disk: where they go, written whole or not at all, read with words
//! for what is wrong.

use crate::hinted::Hinted;
use crate::output;
use crate::output_file::{OutputFile, folder_of, is_special};
pub(crate) use crate::record_folder::default_folder;
use anyhow::{Context, bail};
use fathom_audit::{AUDIT_VERSION, Audit};
use fathom_catalog::complete_older_claims;
use fathom_lab::limited_read::ReadLimit;
use fathom_model::{COMMAND_COMPARISON_VERSION, CommandComparison, Record, SCHEMA_VERSION};
use fathom_report::{embedded_records, expand, is_compressed};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What a record of two commands calls itself.
const COMMANDS: &str = "command-comparison";
/// What an audit calls itself.
const AUDIT: &str = "audit";

/// The record that was named, else the newest of those that nobody named a file for.
pub(crate) fn named_or_last(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(named) = named {
        return Ok(named.to_owned());
    }
    let folder = default_folder()?;
    let records = fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let newest = records
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .max_by_key(|path| path.metadata().and_then(|facts| facts.modified()).ok());
    newest.ok_or_else(|| {
        Hinted::error(
            format!("there is no record in {}", folder.display()),
            "`fathom bench` without -o writes one there; else name the file",
        )
    })
}

/// The path of a record that the user did not name: `TIME-NAME.json`.
pub(crate) fn default_path(record: &Record) -> anyhow::Result<PathBuf> {
    let names: Vec<&str> = record.experiments.iter().map(|experiment| experiment.name.as_str()).collect();
    let names = if names.is_empty() { "nothing".to_owned() } else { names.join("+") };
    let names: String = names.chars().take(60).map(|c| if c == '/' { '-' } else { c }).collect();
    default_path_of(&record.created, &names)
}

/// The path of what was begun at `created` and is called `name`.
pub(crate) fn default_path_of(created: &str, name: &str) -> anyhow::Result<PathBuf> {
    let time = created.replace([':', '-'], "");
    Ok(default_folder()?.join(format!("{time}-{name}.json")))
}

/// Makes sure, before anything is measured, that a record can be written at `path`, or where
/// records go that have none.
pub(crate) fn check_place(path: Option<&Path>) -> anyhow::Result<()> {
    let hint = |error: anyhow::Error| Hinted::error(format!("{error:#}"), "name a file with -o FILE");
    match path {
        Some(path) => check_writable(path),
        None => default_folder().and_then(|folder| check_writable(&folder.join("record.json"))).map_err(hint),
    }
}

/// The same of a path that was given.
pub(crate) fn check_writable(path: &Path) -> anyhow::Result<()> {
    let folder = folder_of(path);
    fs::create_dir_all(folder).with_context(|| format!("failed to make {}", folder.display()))?;
    check_folder(path)
}

/// The same of a file whose folder has to be there.
pub(crate) fn check_folder(path: &Path) -> anyhow::Result<()> {
    let folder = folder_of(path);
    if path.is_dir() {
        bail!("failed to write {}: it is a directory", path.display());
    }
    if !folder.is_dir() {
        bail!("failed to write {}: there is no directory {}", path.display(), folder.display());
    }
    if is_special(path) {
        // Opened now, a pipe would tell its reader that all was said already.
        return Ok(());
    }
    // Without a name where the file system can: one that cannot be removed again would stay.
    tempfile::tempfile_in(folder)
        .with_context(|| format!("failed to write a file in {}", folder.display()))?;
    Ok(())
}

/// Writes the record. When the disk refuses, the record goes to the directory
/// for temporary files instead, and the error says so: nothing measured is lost.
pub(crate) fn write(record: &impl Serialize, path: &Path) -> anyhow::Result<()> {
    let text = output::json(record)?.into_bytes();
    let made = fs::create_dir_all(folder_of(path)).map_err(anyhow::Error::from);
    let Err(first) = made.and_then(|()| put(&text, path)) else { return Ok(()) };
    match keep_elsewhere(&text) {
        Ok(refuge) => Err(Hinted::error(
            format!("failed to write the record to {}: {first:#}", path.display()),
            format!("it was kept in {} instead", refuge.display()),
        )),
        Err(_) => Err(first.context(format!("failed to write the record to {}", path.display()))),
    }
}

/// Writes text and a newline to a file, which appears whole or not at all, in a folder that
/// is there; what is no regular file is written into.
pub(crate) fn put(text: &[u8], path: &Path) -> anyhow::Result<()> {
    let mut file = OutputFile::begin(path)?;
    file.write_all(text)?;
    file.write_all(b"\n")?;
    Ok(file.commit()?)
}

/// A file that measuring wrote.
pub(crate) enum Kept {
    /// Of experiments.
    Record(Box<Record>),
    /// Of two commands.
    Commands(Box<CommandComparison>),
    /// Of what a program wastes.
    Audit(Box<Audit>),
}

/// Reads a record of experiments.
pub(crate) fn read(path: &Path) -> anyhow::Result<Record> {
    match read_any(path)? {
        Kept::Record(record) => Ok(*record),
        Kept::Commands(_) => Err(Hinted::error(
            format!("{} is a record of commands, not of experiments", path.display()),
            "`fathom show` prints it, and `fathom compare FILE` judges it",
        )),
        Kept::Audit(_) => Err(Hinted::error(
            format!("{} is an audit, not a record of experiments", path.display()),
            "`fathom show` prints it, and `fathom report FILE` makes a page of it",
        )),
    }
}

/// Reads whatever measuring wrote.
pub(crate) fn read_any(path: &Path) -> anyhow::Result<Kept> {
    let limit = ReadLimit::from_environment();
    let failed = || format!("failed to read {}", path.display());
    let text = unpacked(limit.read(path).with_context(failed)?, path, limit)?;
    limit.check_values(&text).with_context(failed)?;
    let head: Head = serde_json::from_slice(&text).map_err(|error| {
        Hinted::error(
            format!("{} is not a Fathom record: {error}", path.display()),
            "records are the JSON files that `fathom bench` writes, audits those of `fathom audit --format json`",
        )
    })?;
    let ours = match head.kind.as_str() {
        COMMANDS => COMMAND_COMPARISON_VERSION,
        AUDIT => AUDIT_VERSION,
        _ => SCHEMA_VERSION,
    };
    match head.schema_version.as_u64() {
        Some(version) if version == u64::from(ours) => {}
        // Of two commands, whose outputs were not compared.
        Some(1) if head.kind == COMMANDS => {}
        Some(version) => {
            bail!("{} has schema version {version}, this Fathom reads version {ours}", path.display())
        }
        None => {
            return Err(Hinted::error(
                format!("{} is not a Fathom record: it has no schema_version", path.display()),
                "records are the JSON files that `fathom bench` writes, audits those of `fathom audit --format json`",
            ));
        }
    }
    let failed = || format!("failed to read the record {}", path.display());
    Ok(match head.kind.as_str() {
        COMMANDS => Kept::Commands(serde_json::from_slice(&text).with_context(failed)?),
        AUDIT => Kept::Audit(serde_json::from_slice(&text).with_context(failed)?),
        _ => {
            let mut record: Box<Record> = serde_json::from_slice(&text).with_context(failed)?;
            for experiment in &mut record.experiments {
                complete_older_claims(&experiment.name, &mut experiment.claims);
            }
            Kept::Record(record)
        }
    })
}

/// What says how the rest is to be read.
#[derive(Debug, Deserialize)]
struct Head {
    #[serde(default, deserialize_with = "text_or_nothing")]
    kind: String,
    #[serde(default)]
    schema_version: Value,
}

/// A kind that is no text is none of ours.
fn text_or_nothing<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Value::deserialize(from).map(|value| value.as_str().unwrap_or_default().to_owned())
}

/// The record in a file that holds it as it is, compressed by xz, or inside a report.
fn unpacked(bytes: Vec<u8>, path: &Path, limit: ReadLimit) -> anyhow::Result<Vec<u8>> {
    let failed = || format!("failed to unpack {}", path.display());
    let expand = |packed: &[u8]| {
        expand(packed, limit.bytes()).map_err(|error| limit.explained(error)).with_context(failed)
    };
    if is_compressed(&bytes) {
        return expand(&bytes);
    }
    if !bytes.starts_with(b"<!DOCTYPE html>") {
        return Ok(bytes);
    }
    let page = String::from_utf8_lossy(&bytes);
    let mut inside = embedded_records(&page);
    let first = inside.next();
    match (first, inside.count()) {
        (Some(only), 0) => expand(&only.with_context(failed)?),
        (None, _) => Err(Hinted::error(
            format!("{} is a page without a record inside", path.display()),
            "pages of `fathom report` hold theirs",
        )),
        (Some(_), others) => Err(Hinted::error(
            format!("{} holds {} records", path.display(), others + 1),
            "save the one that is meant from the page's end, under Raw data",
        )),
    }
}

/// A new file in the directory for temporary files, whatever else lies there.
fn keep_elsewhere(text: &[u8]) -> anyhow::Result<PathBuf> {
    let mut file = tempfile::Builder::new().prefix("fathom-record-").suffix(".json").tempfile()?;
    file.write_all(text)?;
    file.write_all(b"\n")?;
    Ok(file.into_temp_path().keep()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foreign_file_is_named_and_explained() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.json");
        for (text, words) in [
            ("hello", "is not a Fathom record"),
            ("{\"a\": 1}", "has no schema_version"),
            ("{\"schema_version\": 999}", "has schema version 999"),
            ("{\"schema_version\": 1}", "missing field"),
        ] {
            fs::write(&path, text).unwrap();
            let error = format!("{:#}", read(&path).unwrap_err());
            assert!(error.contains(words) && error.contains("x.json"), "{error}");
        }
    }

    #[test]
    fn a_file_is_replaced_whole_and_what_is_special_is_written_into() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a"), folder.path().join("link"));
        fs::write(&path, "a longer text than the next").unwrap();
        let reader = fs::File::open(&path).unwrap();
        put(b"new", &path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new\n");
        assert!(std::io::read_to_string(reader).unwrap().starts_with("a longer"), "not written over");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        put(b"through", &link).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "through\n");
        put(b"nowhere", Path::new("/dev/null")).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left beside");
        let missing = folder.path().join("missing/a");
        assert!(check_folder(&missing).is_err() && put(b"x", &missing).is_err());
        assert!(!folder.path().join("missing").exists());
    }

    #[test]
    fn a_directory_is_no_place_for_a_record() {
        let folder = tempfile::tempdir().unwrap();
        assert!(check_writable(folder.path()).is_err());
        assert!(check_writable(&folder.path().join("new/record.json")).is_ok());
    }
}
