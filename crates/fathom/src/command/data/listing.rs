//! `fathom data list`: the data sets that are there, and whether they are whole.

use super::{bar, show};
use crate::arguments::DataList;
use crate::exit::Exit;
use crate::{interrupt, output};
use anyhow::Context;
use fathom_catalog::format_size;
use fathom_lab::data_set::DataError;
use fathom_lab::kept_set::{self, KeptError, Manifest, State, Surveyed, in_words};
use fathom_model::Reading;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the check of a set's content found.
enum Checked {
    NotAsked,
    Right,
    Wrong(String),
    Impossible(String),
    Interrupted,
}

/// Lists the data sets of every directory asked for.
pub(super) fn run(list: &DataList) -> anyhow::Result<Exit> {
    let stop = interrupt::flag()?;
    let mut damaged = false;
    for dir in &list.dir {
        let found = kept_set::survey(dir)
            .with_context(|| format!("failed to look for data sets in {}", dir.display()))?;
        if found.is_empty() {
            output::data(&format!("no data set in {}", dir.display()))?;
        }
        for set in &found {
            // Residency was read by the survey: checking reads all of it into the cache.
            let checked = if list.check && set.state == State::Whole {
                check(dir, set, &stop)
            } else {
                Checked::NotAsked
            };
            damaged |= matches!(checked, Checked::Wrong(_)) || matches!(set.state, State::Damaged(_));
            output::data(&text_of(set, &checked))?;
            if stop.load(Ordering::Relaxed) {
                return Ok(Exit::Interrupted);
            }
        }
    }
    Ok(if damaged { Exit::Findings } else { Exit::Done })
}

fn check(dir: &Path, set: &Surveyed, stop: &AtomicBool) -> Checked {
    let bar = bar(&format!("checking {}", set.name));
    let result = kept_set::check_content(dir, &set.name, &mut show(&bar), stop);
    bar.finish_and_clear();
    match result {
        Ok(()) => Checked::Right,
        Err(error) if error.is_interruption() => Checked::Interrupted,
        Err(KeptError::Data(error @ (DataError::Differs { .. } | DataError::Refused { .. }))) => {
            Checked::Wrong(error.to_string())
        }
        Err(error) => Checked::Impossible(error.to_string()),
    }
}

fn text_of(set: &Surveyed, checked: &Checked) -> String {
    let mut lines = vec![format!("{} in {}", set.name, set.path.display())];
    if let Some(manifest) = &set.manifest {
        lines.push(format!("  {}", in_words(&manifest.data())));
        lines.push(format!("  {}", made(manifest)));
        lines.push(format!("  {}", cached(manifest, &set.cached_bytes)));
    }
    lines.extend(state(set, checked).into_iter().map(|line| format!("  {line}")));
    if !set.foreign.is_empty() {
        lines.push(format!("  not of the data set: {}", set.foreign.join(", ")));
    }
    lines.join("\n")
}

fn made(manifest: &Manifest) -> String {
    let block = format_size(manifest.block_bytes);
    let (age, version) = (age_of(manifest), &manifest.fathom_version);
    format!("made {age} by version {version}, in blocks of {block}, sync {}", manifest.sync)
}

fn age_of(manifest: &Manifest) -> String {
    let Ok(created) = manifest.created.parse::<jiff::Timestamp>() else {
        return "at a time that cannot be read".to_owned();
    };
    let seconds = jiff::Timestamp::now().duration_since(created).as_secs();
    match seconds {
        ..0 => format!("at {created}, which is yet to come"),
        0..120 => format!("{seconds} s ago"),
        120..7200 => format!("{} min ago", seconds / 60),
        7200..172_800 => format!("{} h ago", seconds / 3600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}

fn cached(manifest: &Manifest, cached_bytes: &Reading<u64>) -> String {
    let bytes = manifest.size_bytes.saturating_mul(manifest.files.into());
    match cached_bytes {
        Reading::Value(_) if bytes == 0 => "nothing of it can be in the page cache: it is empty".to_owned(),
        Reading::Value(cached) => {
            let share = *cached as f64 / bytes as f64 * 100.0;
            format!("{share:.1} % of its bytes are in the page cache")
        }
        Reading::Unavailable(reason) => format!("how much the page cache holds is not known: {reason}"),
    }
}

fn state(set: &Surveyed, checked: &Checked) -> Vec<String> {
    let damaged = |problems: &[String]| {
        let lines = problems.iter().map(|problem| format!("  {problem}"));
        std::iter::once("DAMAGED:".to_owned()).chain(lines).collect()
    };
    let whole = "whole: every file is there and has its size";
    match (&set.state, checked) {
        (State::Whole, Checked::NotAsked) => vec![whole.to_owned()],
        (State::Whole, Checked::Right) => vec!["whole: every byte is the one that was written".to_owned()],
        (State::Whole, Checked::Wrong(problem)) => damaged(std::slice::from_ref(problem)),
        (State::Whole, Checked::Impossible(reason)) => {
            vec![whole.to_owned(), format!("its content could not be checked: {reason}")]
        }
        (State::Whole, Checked::Interrupted) => {
            vec![whole.to_owned(), "interrupted while its content was checked".to_owned()]
        }
        (State::BeingMade, _) => vec!["unfinished: another process makes it now".to_owned()],
        (State::Unfinished, _) => vec![
            "UNFINISHED: whoever made it ended before it was done".to_owned(),
            format!("`fathom data remove {}` removes it", set.name),
        ],
        (State::Damaged(problems), _) => damaged(problems),
        (State::Unreadable(reason), _) => vec![format!("cannot be looked at: {reason}")],
    }
}
