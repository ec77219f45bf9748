//! `fathom export --into`: a record, a file of events, or a kept run, as files of a collection.

use super::{events, tell};
use crate::arguments::{Export, ExportForm};
use crate::collection_files::add;
use crate::command::Hinted;
use crate::exit::Exit;
use crate::redaction::{Audience, Redaction};
use crate::{output, record_file};
use fathom_report::{DataFile, read_tracked_run, record_files, tracked_run_files};
use std::fs;
use std::path::Path;

/// Adds what there is and says where.
pub(super) fn run(words: &Export, folder: &Path) -> anyhow::Result<Exit> {
    if words.format != ExportForm::Parquet {
        return Err(Hinted::error(
            "--into: a collection is of Parquet files",
            "fathom export RECORD --format parquet --into DIR",
        ));
    }
    if events::are_in(&words.record) {
        let Some((path, is_new)) = events::add(words, folder)? else {
            output::note(&format!("no events in {}: nothing is written", words.record.display()));
            return Ok(Exit::NothingRan);
        };
        say(folder, &path, is_new);
        return Ok(if is_new { Exit::Done } else { Exit::NothingRan });
    }
    let mut added = 0;
    for file in files(words)? {
        let is_new = add(folder, &file)?;
        added += usize::from(is_new);
        say(folder, &file.path, is_new);
    }
    Ok(if added > 0 { Exit::Done } else { Exit::NothingRan })
}

fn files(words: &Export) -> anyhow::Result<Vec<DataFile>> {
    let mut redaction = Redaction::new(words.redaction, Audience::Own);
    let is_kept_run = words.record.extension().is_some_and(|ending| ending == "jsonl");
    if is_kept_run {
        let text = fs::read_to_string(&words.record)
            .map_err(|error| anyhow::anyhow!("failed to read {}: {error}", words.record.display()))?;
        let (run, problems) = read_tracked_run(&text)?;
        if let Some(problem) = problems.first() {
            return Err(Hinted::error(
                format!("{}: {problem}", words.record.display()),
                "what cannot be read of a kept run is not known, and is no row of a collection",
            ));
        }
        return Ok(tracked_run_files(&redaction.apply(run)?, words.host.as_deref())?);
    }
    let record = redaction.apply(record_file::read(&words.record)?)?;
    tell(&record);
    Ok(record_files(&record, words.host.as_deref())?)
}

fn say(folder: &Path, path: &str, is_new: bool) {
    let shown = folder.join(path);
    let what = if is_new { "added" } else { "there already, left as it is" };
    output::note(&format!("{what}: {}", shown.display()));
}
