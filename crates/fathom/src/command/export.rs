//! `fathom export`: a record, or a file of events, in a form that other tools read.

mod collection;
mod events;

use crate::arguments::{Export, ExportForm};
use crate::command::Hinted;
use crate::exit::Exit;
use crate::output_file::{OutputFile, folder_of};
use crate::redaction::{Audience, Redaction};
use crate::{output, record_file};
use anyhow::Context;
use fathom_model::Record;
use fathom_report::{ExportError, ExportFormat, Exported, export, require_parquet};
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::Path;

/// Does what the command line asks for.
pub(crate) fn run(words: &Export) -> anyhow::Result<Exit> {
    if words.format == ExportForm::Parquet {
        require_parquet()?;
    }
    if let Some(folder) = &words.into {
        return collection::run(words, folder);
    }
    let shown = words.record.display();
    let format = match (format_of(words.format), events::are_in(&words.record)) {
        (_, true) => return events::run(words),
        (Some(format), false) => format,
        (None, false) => {
            let message = format!("{shown} is no file of events, and this is a form of events");
            return Err(Hinted::error(message, "`fathom trace -o app.events -- COMMAND` writes one"));
        }
    };
    let audience = if words.format == ExportForm::Markdown { Audience::Public } else { Audience::Own };
    let record = Redaction::new(words.redaction, audience).apply(record_file::read(&words.record)?)?;
    let exported = export(&record, format).map_err(|error| match error {
        ExportError::Nothing(_) => Hinted::error(
            format!("{shown} cannot be exported in this form: {error}"),
            "`fathom show` prints all that it holds",
        ),
        other => anyhow::Error::new(other).context(format!("failed to export {shown}")),
    })?;
    tell(&record);
    match (&words.output, &exported) {
        (None, Exported::Text(text)) => output::data(text)?,
        (None, Exported::Binary(bytes)) => {
            refuse_a_terminal(&std::io::stdout())?;
            output::binary(bytes)?;
        }
        (Some(path), _) => {
            refuse_the_record(path, &words.record)?;
            write(&exported, path).with_context(|| format!("failed to write {}", path.display()))?;
        }
    }
    Ok(Exit::Done)
}

/// The form of a record; `None` of those that are of events alone.
fn format_of(form: ExportForm) -> Option<ExportFormat> {
    Some(match form {
        ExportForm::Benchfmt => ExportFormat::Benchfmt,
        ExportForm::Csv => ExportFormat::Csv,
        ExportForm::Markdown => ExportFormat::Markdown,
        ExportForm::GithubActionBenchmark => ExportFormat::GithubActionBenchmark,
        ExportForm::OpenMetrics => ExportFormat::OpenMetrics,
        ExportForm::Bencher => ExportFormat::Bencher,
        ExportForm::Hyperfine => ExportFormat::Hyperfine,
        ExportForm::Junit => ExportFormat::Junit,
        ExportForm::Parquet => ExportFormat::Parquet,
        ExportForm::Perfetto | ExportForm::Chrome | ExportForm::Speedscope | ExportForm::Strace => {
            return None;
        }
    })
}

/// What not every form can say, for the person who waits.
fn tell(record: &Record) {
    if !record.complete {
        output::note("note: the record is incomplete: the run was interrupted or failed");
    }
    for experiment in &record.experiments {
        let faulty = experiment
            .comparisons
            .iter()
            .filter(|comparison| comparison.control.value().is_some_and(|control| control.instrument_fault));
        for comparison in faulty {
            output::note(&format!(
                "note: {}, {}: the A/A control is at fault; its ratios are not to be used",
                experiment.name, comparison.label
            ));
        }
        if !experiment.outcomes.is_empty() {
            output::note(&format!("note: {}: what happened in a scenario is not exported", experiment.name));
        }
    }
}

/// A record is measured once; an export can be made again.
fn refuse_the_record(path: &Path, record: &Path) -> anyhow::Result<()> {
    let is_same = fs::canonicalize(path).is_ok_and(|path| fs::canonicalize(record).is_ok_and(|r| r == path));
    if !is_same {
        return Ok(());
    }
    let message = format!("{} is the record itself", path.display());
    Err(Hinted::error(message, "name another file with -o"))
}

/// Bytes that are no text garble a terminal, or steer it.
fn refuse_a_terminal(out: &impl IsTerminal) -> anyhow::Result<()> {
    if !out.is_terminal() {
        return Ok(());
    }
    let message = "this form is not text, and is not written to a terminal";
    Err(Hinted::error(message.to_owned(), "name a file with -o, or pipe it on"))
}

/// A file whole or not at all; into a pipe or a device as it is.
fn write(exported: &Exported, path: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder_of(path))?;
    let mut file = OutputFile::begin(path)?;
    if let (Exported::Binary(_), Some(special)) = (exported, file.special()) {
        refuse_a_terminal(special)?;
    }
    file.write_all(exported.as_bytes())?;
    Ok(file.commit()?)
}
