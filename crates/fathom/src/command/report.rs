//! `fathom report`: records and audits as a page, or as Markdown.

use crate::arguments::{Report, ReportForm};
use crate::collection_files::{self, Collected};
use crate::command::Hinted;
use crate::exit::Exit;
use crate::output;
use crate::record_file::{self, Kept};
use crate::redaction::{Audience, Redaction};
use anyhow::Context;
use fathom_model::Record;
use fathom_report::{AuditSource, RecordPart, ReportSource, Survey, report_html, report_markdown};
use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// With more experiments of records a page is a survey: each has up to some 110 kB of memory and 16 kB of page.
const EACH_MAX: usize = 200;

/// Does what the command line asks for.
pub(crate) fn run(words: &Report) -> anyhow::Result<Exit> {
    if words.output.is_none() && words.format == ReportForm::Html && std::io::stdout().is_terminal() {
        return Err(Hinted::error(
            "a page is not written to a terminal",
            "name a file: `-o report.html`, or ask for `--format md`",
        ));
    }
    let named = if words.last { vec![record_file::named_or_last(None)?] } else { words.records.clone() };
    if let Some(path) = &words.output {
        record_file::check_writable(path)?;
        for record in named.iter().chain(&words.before) {
            refuse_the_record(path, record)?;
        }
    }
    let mut redaction = Redaction::new(words.redaction, Audience::Public);
    let names = short_names(named.iter().chain(&words.before));
    let names: Vec<_> = names.into_iter().map(|name| redaction.apply_to_name(name)).collect();
    let (mut records, mut audits) = (Vec::new(), Vec::new());
    for (path, name) in named.iter().zip(&names) {
        match record_file::read_any(path)? {
            Kept::Audit(audit) => audits.push((name, redaction.apply(*audit)?)),
            Kept::Record(record) => records.push((name, redaction.apply(*record)?)),
            // Its error says what else to do with it.
            Kept::Commands(_) => records.push((name, record_file::read(path)?)),
        }
    }
    let kept = match words.from.as_deref().map(|from| collected(from, words, &mut redaction)).transpose()? {
        None => Vec::new(),
        Some(Collected::Records((kept, notes))) => {
            say_all(&notes);
            kept
        }
        Some(Collected::Survey(survey, notes)) => {
            say_all(&notes);
            return survey_page(words, &survey);
        }
    };
    let (kept_names, kept): (Vec<String>, Vec<Record>) = kept.into_iter().unzip();
    for (name, record) in kept_names.iter().zip(kept) {
        records.push((name, redaction.apply(record)?));
    }
    let before = words.before.as_ref().map(|path| redaction.apply(record_file::read(path)?)).transpose()?;
    if before.is_some() && records.is_empty() {
        return Err(Hinted::error("there is no record for --before to stand beside", "name one before it"));
    }
    let sources: Vec<ReportSource<'_>> =
        records.iter().map(|(name, record)| ReportSource { name, record }).collect();
    let judged: Vec<AuditSource<'_>> =
        audits.iter().map(|(name, audit)| AuditSource { name, audit }).collect();
    let before = before
        .as_ref()
        .zip(names.last().or(kept_names.last()))
        .map(|(record, name)| ReportSource { name, record });
    let text = match words.format {
        ReportForm::Html => report_html(&sources, before, &judged)?,
        ReportForm::Md => report_markdown(&sources, before, &judged),
    };
    write(words, &text)?;
    let measured = records.iter().any(|(_, record)| !record.experiments.is_empty());
    Ok(if measured || !audits.is_empty() { Exit::Done } else { Exit::NothingRan })
}

fn say_all(notes: &[String]) {
    for note in notes {
        output::note(&format!("note: {note}"));
    }
}

fn write(words: &Report, text: &str) -> anyhow::Result<()> {
    match &words.output {
        None => output::data(text)?,
        Some(path) => {
            record_file::put(text.as_bytes(), path)
                .with_context(|| format!("failed to write {}", path.display()))?;
            output::note(&format!("report: {}", path.display()));
        }
    }
    Ok(())
}

/// The records of a collection, or a survey of more than a page can hold.
fn collected(from: &str, words: &Report, redaction: &mut Redaction) -> anyhow::Result<Collected> {
    // Who publishes a page names no host; which records are of one host is still to be seen.
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut look = |survey: &mut Survey, part: RecordPart| {
        let host = part.record.environment.host.value().cloned().unwrap_or_else(|| "unknown".to_owned());
        let count = numbers.len() + 1;
        let number = *numbers.entry(host).or_insert(count);
        let record = redaction.apply(part.record)?;
        let host = record.environment.host.value().cloned().unwrap_or_else(|| format!("host {number}"));
        survey.add(&part.id, &host, &record);
        Ok(())
    };
    let most = if words.each { usize::MAX } else { EACH_MAX };
    collection_files::records(from, most, &mut look)
}

/// A row for each measurement, where there are too many records for a section of each.
fn survey_page(words: &Report, survey: &Survey) -> anyhow::Result<Exit> {
    if !words.records.is_empty() || words.before.is_some() {
        return Err(Hinted::error(
            format!("--from: {} records are surveyed, beside which no record can be named", survey.records()),
            "--each gives every record its section",
        ));
    }
    output::note(&format!(
        "note: {} records have a row for each measurement; --each gives every record its section",
        survey.records()
    ));
    let text = match words.format {
        ReportForm::Html => survey.html(),
        ReportForm::Md => survey.markdown(),
    };
    write(words, &text)?;
    Ok(Exit::Done)
}

/// The names of the files; the paths as they were given where two files have one name.
fn short_names<'a>(paths: impl Iterator<Item = &'a PathBuf>) -> Vec<String> {
    let paths: Vec<&PathBuf> = paths.collect();
    let short: Vec<String> = paths
        .iter()
        .map(|path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned())
        .collect();
    if short.iter().collect::<BTreeSet<_>>().len() == short.len() {
        return short;
    }
    paths.iter().map(|path| path.display().to_string()).collect()
}

/// A record is measured once; a report can be made again.
fn refuse_the_record(path: &Path, record: &Path) -> anyhow::Result<()> {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    if real(path).is_none() || real(path) != real(record) {
        return Ok(());
    }
    Err(Hinted::error(format!("{} is the record itself", path.display()), "name another file with -o"))
}
