//! Files of a collection on disk: added, never written again, and found by a pattern.

use crate::command::Hinted;
use crate::output_file::OutputFile;
use anyhow::Context;
use fathom_lab::limited_read::ReadLimit;
use fathom_model::Record;
use fathom_report::{DataFile, RecordPart, Survey, join_record_parts, read_record_parts, require_parquet};
use globset::GlobBuilder;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Adds a file; false where it is there already.
pub(crate) fn add(folder: &Path, file: &DataFile) -> anyhow::Result<bool> {
    let path = folder.join(&file.path);
    if path.exists() {
        return Ok(false);
    }
    let failed = || format!("failed to write {}", path.display());
    fs::create_dir_all(path.parent().unwrap_or(folder)).with_context(failed)?;
    let mut out = OutputFile::begin(&path).with_context(failed)?;
    out.write_all(&file.bytes).with_context(failed)?;
    out.commit().with_context(failed)?;
    Ok(true)
}

/// Records with their names, and sentences about those that are not whole.
type Found = (Vec<(String, Record)>, Vec<String>);

/// What a pattern names: so many records that each can be held, or a look at all of them.
pub(crate) enum Collected {
    Records(Found),
    Survey(Box<Survey>, Vec<String>),
}

/// The records of all files that a pattern names, each with its name, oldest first, and sentences about
/// those that are not whole. Of a folder all Parquet files below it are meant. Beyond `most_parts` experiments
/// of records `look` is shown each part once, and none is held.
pub(crate) fn records(
    pattern: &str,
    most_parts: usize,
    look: &mut dyn FnMut(&mut Survey, RecordPart) -> anyhow::Result<()>,
) -> anyhow::Result<Collected> {
    require_parquet()?;
    let paths = matching(pattern)?;
    if paths.is_empty() {
        return Err(Hinted::error(
            format!("--from: no file is named like {pattern}"),
            "`fathom export RECORD --format parquet --into DIR` writes them: --from 'DIR/records/**/*.parquet'",
        ));
    }
    let limit = ReadLimit::from_environment();
    let (mut parts, mut others): (Vec<RecordPart>, usize) = (Vec::new(), 0);
    let mut survey: Option<Box<Survey>> = None;
    for path in &paths {
        let failed = || format!("failed to read {}", path.display());
        let bytes = limit.read(path).with_context(failed)?;
        match read_record_parts(bytes).map_err(anyhow::Error::msg).with_context(failed)? {
            Some(found) => parts.extend(found),
            None => others += 1,
        }
        if parts.len() > most_parts || survey.is_some() {
            let survey = survey.get_or_insert_default();
            parts.drain(..).try_for_each(|part| look(survey, part)).with_context(failed)?;
        }
    }
    if parts.is_empty() && survey.is_none() {
        return Err(Hinted::error(
            format!("--from: of the table `records` is none of the files named like {pattern}"),
            "a collection has records below DIR/records: --from 'DIR/records/**/*.parquet'",
        ));
    }
    let (mut records, mut notes) = (Vec::new(), Vec::new());
    if others > 0 {
        notes.push(format!("files of other tables, passed over: {others}"));
    }
    if let Some(survey) = survey {
        return Ok(Collected::Survey(survey, notes));
    }
    for (name, record, missing) in join_record_parts(parts) {
        if missing > 0 {
            let found = record.experiments.len();
            notes.push(format!(
                "{name}: {missing} of its {} experiments are not among these files",
                found + missing
            ));
        }
        records.push((name, record));
    }
    Ok(Collected::Records((records, notes)))
}

/// Files below the part of a pattern that has no wildcard, sorted.
fn matching(pattern: &str) -> anyhow::Result<Vec<PathBuf>> {
    let whole = if Path::new(pattern).is_dir() {
        format!("{}/**/*.parquet", pattern.trim_end_matches('/'))
    } else {
        pattern.to_owned()
    };
    let glob = GlobBuilder::new(&whole).literal_separator(true).build();
    let glob =
        glob.map_err(|error| Hinted::error(format!("--from: {error}"), "such as 'records/**/*.parquet'"))?;
    let matcher = glob.compile_matcher();
    let fixed: PathBuf = (Path::new(&whole).components())
        .take_while(|part| !part.as_os_str().to_string_lossy().contains(['*', '?', '[', '{', '\\']))
        .collect();
    let mut found = Vec::new();
    let mut ahead = vec![if fixed.as_os_str().is_empty() { PathBuf::from(".") } else { fixed }];
    while let Some(path) = ahead.pop() {
        if path.is_dir() {
            let entries =
                fs::read_dir(&path).with_context(|| format!("failed to list {}", path.display()))?;
            for entry in entries {
                let entry = entry.with_context(|| format!("failed to list {}", path.display()))?.path();
                // A link to a folder may lead back here.
                if !(entry.is_symlink() && entry.is_dir()) {
                    ahead.push(entry);
                }
            }
        } else if matcher.is_match(path.strip_prefix("./").unwrap_or(&path)) && path.exists() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
