//! The file of a kept run: a line of JSON for what it is, for each count and each time, and for its end.

use crate::visible::visible_json;
use fathom_audit::{TRACKED_RUN_VERSION, TrackedEnd, TrackedLine, TrackedRun};

/// The run as the text of its file. Pure.
///
/// # Errors
///
/// Those of writing JSON.
pub fn tracked_run_lines(run: &TrackedRun) -> serde_json::Result<String> {
    let counts = run.counts.iter().cloned().map(TrackedLine::Count);
    let times = run.times.iter().cloned().map(TrackedLine::Time);
    let end = TrackedLine::End(TrackedEnd { lines: (run.counts.len() + run.times.len()) as u64 });
    let mut text = String::new();
    let first = TrackedLine::Run(Box::new(run.facts.clone()));
    for line in std::iter::once(first).chain(counts).chain(times).chain([end]) {
        text += &visible_json(&serde_json::to_string(&line)?);
        text.push('\n');
    }
    Ok(text)
}

/// Why a file is no run that can be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TrackedRunError {
    /// Its first line is not that of a run.
    #[error("it is no run of `fathom track`: {0}")]
    Foreign(String),
    /// A newer Fathom wrote it.
    #[error("it has schema version {found}, this Fathom reads version {TRACKED_RUN_VERSION}")]
    Version {
        /// The version.
        found: u32,
    },
}

/// Reads the text of a file, with a sentence for each line that is lost. Pure.
///
/// # Errors
///
/// Those of its first line: without it nothing is known of the rest.
pub fn read_tracked_run(text: &str) -> Result<(TrackedRun, Vec<String>), TrackedRunError> {
    let mut lines = text.lines().enumerate();
    let first = lines.next().map_or("", |(_, line)| line);
    let facts = match serde_json::from_str(first) {
        Ok(TrackedLine::Run(facts)) => *facts,
        Ok(_) => return Err(TrackedRunError::Foreign("its first line is another one's".to_owned())),
        Err(error) => return Err(TrackedRunError::Foreign(error.to_string())),
    };
    if facts.schema_version != TRACKED_RUN_VERSION {
        return Err(TrackedRunError::Version { found: facts.schema_version });
    }
    let mut run = TrackedRun { facts, counts: Vec::new(), times: Vec::new(), is_damaged: false };
    let mut damage = Vec::new();
    let mut end = None;
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str(line) {
            Ok(TrackedLine::Count(count)) => run.counts.push(count),
            Ok(TrackedLine::Time(time)) => run.times.push(time),
            Ok(TrackedLine::End(found)) => end = Some(found),
            Ok(TrackedLine::Run(_)) => damage.push(format!("line {} is of another run", number + 1)),
            Err(error) => damage.push(format!("line {} is damaged: {error}", number + 1)),
        }
    }
    let whole = (run.counts.len() + run.times.len()) as u64;
    match end {
        None => damage.push("its end is missing".to_owned()),
        Some(end) if end.lines != whole => {
            damage.push(format!("{whole} of its {} lines can be read", end.lines));
        }
        Some(_) => {}
    }
    run.is_damaged = !damage.is_empty();
    Ok((run, damage))
}
