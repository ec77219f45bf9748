//! `fathom what-if`: a program's calls on another file system, by arithmetic.

use super::audit::{End, Listener, Start, listen, listen_to_file};
use crate::arguments::{WhatIf as Words, WhatIfForm};
use crate::command::Hinted;
use crate::exit::Exit;
use crate::redaction::{Audience, Redaction};
use crate::{output, record_file};
use anyhow::Context;
use fathom_audit::{TripCounter, WHAT_IF_VERSION, WhatIf, WhatIfKind};
use fathom_events::{FileEvent, MountTable, PathTable};
use fathom_report::{Details, TextOptions, render_what_if, what_if_csv, what_if_markdown};
use std::path::{Path, PathBuf};

/// Does what the command line asks for.
pub(crate) fn run(words: &Words) -> anyhow::Result<Exit> {
    words.output.as_deref().map_or(Ok(()), record_file::check_folder)?;
    if words.source.stacks {
        return Err(Hinted::error(
            "the answer has no place for stacks",
            "`fathom audit --stacks` tells calls by the line of your code",
        ));
    }
    let over = directories(&words.over)?;
    let counter = TripCounter::new(words.file_system.model.clone(), words.file_system.round_trip_ns, &over);
    let mut trips = Trips { counter: Some(counter), start: Start::default() };
    let end = match &words.from {
        Some(path) => listen_to_file(path, &mut trips)?,
        None => listen(&words.source, &mut trips)?,
    };
    let interrupted = end.interrupted;
    let what_if = answer(words, over, trips, end);
    let exit = exit_of(&what_if, interrupted);
    if exit == Exit::NothingRan {
        output::note("no call on a file below the directories was seen (name others with --over)");
    }
    put(words, &what_if)?;
    Ok(exit)
}

/// Directories by the name that was given and by their real one, absolute: calls may use either.
fn directories(over: &[PathBuf]) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for directory in over {
        let absolute = std::path::absolute(directory)
            .with_context(|| format!("failed to find {}", directory.display()))?;
        // A trace may be of another machine, or of a time when the directory was there.
        let real = std::fs::canonicalize(directory).ok();
        names.extend([Some(absolute), real].into_iter().flatten());
    }
    let mut names: Vec<_> = names.iter().map(|name: &PathBuf| shown(name)).collect();
    names.dedup();
    Ok(names)
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Counts round trips as events come.
struct Trips {
    /// Always there, but while it is given what a run begins with.
    counter: Option<TripCounter>,
    start: Start,
}

impl Listener for Trips {
    fn begin(&mut self, start: &Start) -> anyhow::Result<()> {
        let mut counter = self.counter.take();
        if let Some(directory) = &start.directory {
            counter = counter.map(|counter| counter.starting_in(directory));
        }
        if let Some(mounts) = &start.mounts {
            counter = counter.map(|counter| counter.with_mounts(MountTable::parse(mounts)));
        }
        if let Some(running) = &start.running {
            counter = counter.map(|counter| counter.meeting(running));
        }
        self.counter = counter;
        self.start = start.clone();
        Ok(())
    }

    fn take(&mut self, event: FileEvent, paths: &PathTable) {
        if let Some(counter) = &mut self.counter {
            counter.take(&event, paths);
        }
    }
}

fn answer(words: &Words, over: Vec<String>, trips: Trips, end: End) -> WhatIf {
    let Trips { counter, start } = trips;
    let estimate = counter.expect("it is there between calls").finish();
    let kept = words.from.as_ref().map(|_| match &start.created {
        Some(created) => format!("a kept trace of {created}, by {}", start.capture),
        None => format!("a kept trace, by {}", start.capture),
    });
    let is_named = !over.is_empty();
    WhatIf {
        kind: WhatIfKind::WhatIf,
        schema_version: WHAT_IF_VERSION,
        fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
        created: jiff::Timestamp::now().to_string(),
        subject: start.subject,
        command: start.command,
        capture: kept.unwrap_or_else(|| format!("calls seen by {}", start.capture)),
        file_system: words.file_system.model.clone(),
        round_trip_ns: words.file_system.round_trip_ns,
        directories: if is_named { over } else { start.directory.into_iter().collect() },
        estimate,
        gaps: end.gaps.into_iter().map(|gap| format!("{}: {}", gap.kind.word(), gap.text)).collect(),
        redacted: None,
    }
}

fn exit_of(what_if: &WhatIf, interrupted: bool) -> Exit {
    if interrupted {
        Exit::Interrupted
    } else if what_if.is_partly_unknown() {
        Exit::Inconclusive
    } else if what_if.estimate.calls == 0 {
        Exit::NothingRan
    } else {
        Exit::Done
    }
}

fn put(words: &Words, what_if: &WhatIf) -> anyhow::Result<()> {
    let audience = if words.format == WhatIfForm::Markdown { Audience::Public } else { Audience::Own };
    let what_if = Redaction::new(words.redaction, audience).apply(what_if.clone())?;
    let text = match words.format {
        WhatIfForm::Text => {
            let color = words.output.is_none() && output::color();
            let details = if words.full { Details::Full } else { Details::Brief };
            render_what_if(&what_if, &TextOptions { width: output::width(), color, details })
        }
        WhatIfForm::Json => output::pretty_json(&what_if)?,
        WhatIfForm::Csv => what_if_csv(&what_if)?,
        WhatIfForm::Markdown => what_if_markdown(&what_if),
    };
    match &words.output {
        None => output::data(&text),
        Some(path) => record_file::put(text.trim_end().as_bytes(), path)
            .with_context(|| format!("failed to write {}", path.display())),
    }
}
