//! What `fathom track add --from` takes: a trace, a record, a comparison of two sides, a run that could not be kept.

use super::counted::{Counted, classes, facts};
use crate::arguments::TrackAdd as Words;
use crate::command::Hinted;
use crate::command::audit::Settings;
use crate::command::counted_run::Counting;
use crate::command::repository::Repository;
use crate::command::stop::Stop;
use crate::record_file::{Kept, read_any};
use anyhow::Context;
use fathom_audit::{
    CHANGE_REPORT_VERSION, ChangeReport, ChangeVerdict, CommandChange, PriceList as Priced, RunFacts,
    TrackedCommand, TrackedCount, TrackedRun, TrackedTime,
};
use fathom_events::is_trace_file;
use fathom_lab::limited_read::ReadLimit;
use fathom_model::{Reading, Record};
use fathom_report::read_tracked_run;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

/// The run that a file holds.
pub(super) fn from_file(
    words: &Words,
    path: &Path,
    settings: &Settings,
    stop: &Stop,
    limit: Duration,
) -> anyhow::Result<TrackedRun> {
    let failed = || format!("failed to read {}", path.display());
    let mut beginning = Vec::new();
    File::open(path).and_then(|file| file.take(64).read_to_end(&mut beginning)).with_context(failed)?;
    if is_trace_file(&beginning) {
        let mut run = empty(&commit(words, None, stop, limit)?, path, stop, limit)?;
        let prices = Priced(&[]);
        let counting = Counting { settings, prices: &prices, stop, limit, stacks: false };
        let counted = counting.kept(path, |directory| classes(directory.unwrap_or("/")), &[])?;
        let name = words.name.clone().unwrap_or_else(|| shell_words::join(&counted.command));
        if name.is_empty() {
            return Err(Hinted::error(
                format!("{} does not say which command it is of", path.display()),
                "--name NAME says what it is called in all runs",
            ));
        }
        let command = counted.command.clone();
        let counted = Counted::of(&name, &command, &[counted]);
        run.facts.commands.push(counted.facts);
        run.counts = counted.counts;
        return Ok(run);
    }
    let limit_of_read = ReadLimit::from_environment();
    let bytes = limit_of_read.read(path).with_context(failed)?;
    let text = String::from_utf8_lossy(&bytes);
    if text.starts_with("{\"kind\":\"run\"") {
        let (run, damage) = read_tracked_run(&text).with_context(failed)?;
        return match damage.first() {
            None => Ok(run),
            Some(damage) => Err(Hinted::error(
                format!("{} is damaged: {damage}", path.display()),
                "copy it again from where it was kept, or run the commands again",
            )),
        };
    }
    limit_of_read.check_values(&bytes).with_context(failed)?;
    if let Ok(report) = serde_json::from_slice::<ChangeReport>(&bytes) {
        if report.schema_version != CHANGE_REPORT_VERSION {
            anyhow::bail!("{} is of another version of `fathom ci`", path.display());
        }
        let id = commit(words, report.head.commit.as_deref(), stop, limit)?;
        let mut run = empty(&id, path, stop, limit)?;
        run.facts.commands = report.commands.iter().map(of_comparison).collect();
        return Ok(run);
    }
    match read_any(path)? {
        Kept::Record(record) => {
            let mut run = empty(&commit(words, None, stop, limit)?, path, stop, limit)?;
            of_record(&record, &mut run);
            if run.times.is_empty() {
                return Err(Hinted::error(
                    format!("{} holds no times", path.display()),
                    "a record of `fathom bench` without --counts-only has some",
                ));
            }
            Ok(run)
        }
        Kept::Commands(_) | Kept::Audit(_) => Err(Hinted::error(
            format!(
                "{} is neither a trace, nor a record of experiments, nor a comparison of `fathom ci`",
                path.display()
            ),
            "`fathom trace -o FILE -- COMMAND` keeps a trace",
        )),
    }
}

/// The counts of one command.
pub(super) fn named(counts: &[TrackedCount], name: &str) -> Vec<TrackedCount> {
    counts.iter().filter(|count| count.command == name).cloned().collect()
}

/// The commit that was named, else the one that the file names.
fn commit(words: &Words, named: Option<&str>, stop: &Stop, limit: Duration) -> anyhow::Result<String> {
    let Some(name) = words.commit.as_deref().or(named) else {
        return Err(Hinted::error("the file does not say which commit it is of", "--commit REF says it"));
    };
    Repository::commit(name, stop, limit)?.ok_or_else(|| {
        Hinted::error(format!("`{name}` is no commit here"), "`git rev-parse REF` says what a ref names")
    })
}

fn empty(id: &str, path: &Path, stop: &Stop, limit: Duration) -> anyhow::Result<TrackedRun> {
    let from = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let facts = RunFacts { from, ..facts(id, stop, limit)? };
    Ok(TrackedRun { facts, counts: Vec::new(), times: Vec::new(), is_damaged: false })
}

/// A comparison holds the classes that changed, and of all others the sum alone.
fn of_comparison(command: &CommandChange) -> TrackedCommand {
    // It says how both sides ended where that is not usual.
    let ended = command.notes.iter().find_map(|note| note.strip_prefix("both sides end with "));
    let is_known = command.runs > 0 && !matches!(command.verdict, ChangeVerdict::NotKnown(_));
    TrackedCommand {
        name: command.name.clone(),
        words: command.command.clone(),
        runs: if is_known { command.runs } else { 0 },
        calls: is_known.then_some(command.calls.head),
        is_complete: false,
        ended: ended.unwrap_or("exit 0").to_owned(),
        capture: command.capture.clone(),
        gaps: command.gaps.iter().filter(|gap| gap.side == "head").map(|gap| gap.text.clone()).collect(),
    }
}

/// Times of every variant, with their intervals.
fn of_record(record: &Record, run: &mut TrackedRun) {
    for experiment in &record.experiments {
        for comparison in &experiment.comparisons {
            for (variant, summary) in comparison.variants.iter().zip(&comparison.summaries) {
                let Reading::Value(summary) = summary else { continue };
                let time = &summary.time_ns;
                let (low_ns, high_ns) = time.interval().unwrap_or((time.value, time.value));
                let place = record.places.get(variant.place).map(|place| place.file_system.as_str());
                let metric = format!(
                    "{} by {}, {}, {}",
                    variant.operation.word(),
                    variant.method,
                    comparison.label,
                    place.unwrap_or("no file system")
                );
                run.times.push(TrackedTime {
                    command: experiment.name.clone(),
                    metric,
                    median_ns: time.value,
                    low_ns,
                    high_ns,
                    runs: time.forks,
                });
            }
        }
        run.facts.commands.push(TrackedCommand {
            name: experiment.name.clone(),
            words: record.command.clone(),
            runs: 0,
            calls: None,
            is_complete: false,
            ended: "a record of times".to_owned(),
            capture: None,
            gaps: Vec::new(),
        });
    }
}
