//! `fathom track report`: the history of what was kept.

use super::store::Store;
use crate::arguments::{TrackForm, TrackReport as Words};
use crate::command::Hinted;
use crate::command::repository::{Repository, git};
use crate::command::stop::Stop;
use crate::exit::Exit;
use crate::redaction::{Audience, Redaction};
use crate::{output, record_file};
use anyhow::Context;
use fathom_audit::TrackedRun;
use fathom_report::{
    Details, TextOptions, TrackReport, render_track_report, track_report, track_report_html,
    track_report_markdown,
};
use std::path::Path;
use std::time::Duration;

/// No call of git takes this long.
const LIMIT: Duration = Duration::from_mins(10);

/// Does what the command line asks for.
pub(super) fn report(words: &Words) -> anyhow::Result<Exit> {
    words.output.as_deref().map_or(Ok(()), record_file::check_folder)?;
    let stop = Stop::listen()?;
    let store = Store::of(&words.place, &stop)?;
    let Some(kept) = store.read()? else {
        return Err(Hinted::error(
            format!("nothing is kept in {} yet", store.described()),
            "`fathom track add` with the same --store or --branch keeps a run",
        ));
    };
    let mut notes = kept.notes;
    let order = order(words, &kept.runs, &mut notes, &stop)?;
    let report = track_report(&order, &kept.runs, &store.described(), notes);
    put(words, &report)?;
    Ok(if report.commits.is_empty() { Exit::NothingRan } else { Exit::Done })
}

/// Commits from the oldest: the first parents of a ref, or all that were run, by their dates.
fn order(
    words: &Words,
    runs: &[TrackedRun],
    notes: &mut Vec<String>,
    stop: &Stop,
) -> anyhow::Result<Vec<String>> {
    if !words.all {
        let commit = Repository::commit(&words.reference, stop, LIMIT);
        stop.check()?;
        match commit {
            Ok(Some(id)) => {
                let words = ["rev-list", "--first-parent", "--reverse", &id];
                let list = git(Path::new("."), &words, stop, LIMIT)?;
                return Ok(list.lines().map(str::to_owned).collect());
            }
            Ok(None) if words.reference != "HEAD" => {
                return Err(Hinted::error(
                    format!("`{}` is no commit here", words.reference),
                    "--all takes every commit that was run, by its date",
                ));
            }
            Ok(None) | Err(_) => {
                notes.push("there is no repository here: commits are in the order of their dates".to_owned());
            }
        }
    }
    let mut dated: Vec<(Option<jiff::Timestamp>, &str)> = runs
        .iter()
        .map(|run| (run.facts.commit.committed.parse().ok(), run.facts.commit.id.as_str()))
        .collect();
    dated.sort_unstable();
    dated.dedup();
    Ok(dated.into_iter().map(|(_, id)| id.to_owned()).collect())
}

fn put(words: &Words, report: &TrackReport) -> anyhow::Result<()> {
    let form = words.format.unwrap_or_else(|| of_ending(words.output.as_deref()));
    let is_public = matches!(form, TrackForm::Markdown | TrackForm::Html);
    let audience = if is_public { Audience::Public } else { Audience::Own };
    let report = Redaction::new(words.redaction, audience).apply(report.clone())?;
    let text = match form {
        TrackForm::Text => {
            let color = words.output.is_none() && output::color();
            let details = if words.full { Details::Full } else { Details::Brief };
            render_track_report(&report, &TextOptions { width: output::width(), color, details })
        }
        TrackForm::Markdown => track_report_markdown(&report),
        TrackForm::Html => track_report_html(&report)?,
        TrackForm::Json => output::pretty_json(&report)?,
    };
    match &words.output {
        None => output::data(&text),
        Some(path) => record_file::put(text.trim_end().as_bytes(), path)
            .with_context(|| format!("failed to write {}", path.display())),
    }
}

fn of_ending(path: Option<&Path>) -> TrackForm {
    match path.and_then(Path::extension).and_then(|ending| ending.to_str()) {
        Some("html" | "htm") => TrackForm::Html,
        Some("md") => TrackForm::Markdown,
        Some("json") => TrackForm::Json,
        _ => TrackForm::Text,
    }
}
