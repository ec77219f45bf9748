//! `fathom what-if`: a program's calls on another file system, by arithmetic and by experiment; and what
//! chosen calls cost it, by experiment.

mod call_cost;
mod experiment;

pub(crate) use call_cost::{CALIBRATION_WORD, perform_calibration};

use super::audit::{End, Listener, Start, listen, listen_to_file};
use crate::arguments::{AsFileSystem, WhatIf as Words, WhatIfForm};
use crate::command::Hinted;
use crate::command::stop::Interrupted;
use crate::exit::Exit;
use crate::redaction::{Audience, Redactable, Redaction};
use crate::{output, record_file};
use anyhow::Context;
use experiment::Ended;
use fathom_audit::{
    CallCost, ChosenCalls, CostQuestion, TripCounter, TripEstimate, WHAT_IF_VERSION, WhatIf, WhatIfKind,
};
use fathom_events::{FileEvent, MountTable, PathTable, RunningProcess};
use fathom_lab::scratch::{Scratch, leftovers};
use fathom_report::{
    Details, TextOptions, call_cost_csv, call_cost_html, call_cost_markdown, render_call_cost,
    render_what_if, what_if_csv, what_if_html, what_if_markdown,
};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Does what the command line asks for.
pub(crate) fn run(words: &Words) -> anyhow::Result<Exit> {
    words.output.as_deref().map_or(Ok(()), record_file::check_folder)?;
    if words.source.stacks {
        return Err(Hinted::error(
            "the answer has no place for stacks",
            "`fathom audit --stacks` tells calls by the line of your code",
        ));
    }
    if let Some(asked) = asked_of_calls(words)? {
        let (cost, exit) = match call_cost::answered(words, &asked) {
            Err(error) if error.is::<Interrupted>() => return Ok(Exit::Interrupted),
            answered => answered?,
        };
        put(words, cost, call_cost_in)?;
        return Ok(exit);
    }
    if words.seed.is_some() && words.measure.is_none() {
        return Err(Hinted::error("without --measure nothing is in random order", "leave --seed out"));
    }
    let file_system = words.file_system.as_ref().context("nothing is asked")?;
    let over = directories(&words.over)?;
    let model = &file_system.model;
    // On the mount, another client asks: what it does is said by the same events.
    let models = [model.clone(), model.as_mounted()];
    let counters = models.map(|model| TripCounter::new(model, file_system.round_trip_ns, &over));
    let mut trips = Trips { counters: counters.into(), start: Start::default() };
    let end = match &words.from {
        Some(path) => listen_to_file(path, &mut trips)?,
        None => listen(&words.source, &mut trips)?,
    };
    let interrupted = end.interrupted;
    let ended = Ended { exit_code: end.exit_code, signal: end.signal };
    let (mut what_if, mounted) = answer(words, file_system, over, trips, end);
    if let Some(pairs) = words.measure.filter(|_| !interrupted && what_if.estimate.calls > 0) {
        match experiment::measured(words, file_system, pairs, ended, mounted.by_class) {
            Ok(measured) => what_if.experiment = Some(measured),
            Err(error) if error.is::<Interrupted>() => return Ok(Exit::Interrupted),
            Err(error) => return Err(error),
        }
    }
    let exit = exit_of(&what_if, interrupted);
    if exit == Exit::NothingRan {
        output::note("no call on a file below the directories was seen (name others with --over)");
    }
    put(words, what_if, what_if_in)?;
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

/// Counts round trips as events come: those of the file system, and those of a mount that imitates it.
struct Trips {
    counters: Vec<TripCounter>,
    start: Start,
}

impl Trips {
    fn tell(&mut self, fact: impl Fn(TripCounter) -> TripCounter) {
        self.counters = std::mem::take(&mut self.counters).into_iter().map(fact).collect();
    }
}

impl Listener for Trips {
    fn begin(&mut self, start: &Start) -> anyhow::Result<()> {
        if let Some(directory) = &start.directory {
            self.tell(|counter| counter.starting_in(directory));
        }
        if let Some(mounts) = &start.mounts {
            self.tell(|counter| counter.with_mounts(MountTable::parse(mounts)));
        }
        if let Some(running) = &start.running {
            self.tell(|counter| counter.meeting(running));
        }
        self.start = start.clone();
        Ok(())
    }

    fn meet(&mut self, running: &RunningProcess) {
        self.counters.iter_mut().for_each(|counter| counter.meet(running));
    }

    fn take(&mut self, event: FileEvent, paths: &PathTable) {
        self.counters.iter_mut().for_each(|counter| counter.take(&event, paths));
    }
}

/// The answer without an experiment, and what the model says of a mount.
fn answer(
    words: &Words,
    file_system: &AsFileSystem,
    over: Vec<String>,
    trips: Trips,
    end: End,
) -> (WhatIf, TripEstimate) {
    let Trips { counters, start } = trips;
    let mut estimates = counters.into_iter().map(TripCounter::finish);
    let (Some(estimate), Some(mounted)) = (estimates.next(), estimates.next()) else {
        unreachable!("there are two counters");
    };
    let kept = words.from.as_ref().map(|_| match &start.created {
        Some(created) => format!("a kept trace of {created}, by {}", start.capture),
        None => format!("a kept trace, by {}", start.capture),
    });
    let is_named = !over.is_empty();
    let what_if = WhatIf {
        kind: WhatIfKind::WhatIf,
        schema_version: WHAT_IF_VERSION,
        fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
        created: jiff::Timestamp::now().to_string(),
        subject: start.subject,
        command: start.command,
        capture: kept.unwrap_or_else(|| format!("calls seen by {}", start.capture)),
        file_system: file_system.model.clone(),
        round_trip_ns: file_system.round_trip_ns,
        directories: if is_named { over } else { start.directory.into_iter().collect() },
        estimate,
        experiment: None,
        gaps: end.gaps.into_iter().map(|gap| format!("{}: {}", gap.kind.word(), gap.text)).collect(),
        redacted: None,
    };
    (what_if, mounted)
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

/// What is asked about calls, where something is.
fn asked_of_calls(words: &Words) -> anyhow::Result<Option<call_cost::Asked>> {
    let (question, about, delay_ns) = match (&words.without, &words.twice, &words.slower) {
        (Some(calls), ..) => (CostQuestion::Without, calls, 0),
        (_, Some(calls), _) => (CostQuestion::Twice, calls, 0),
        (.., Some(slower)) => (CostQuestion::Slower, &slower.calls, slower.delay_ns),
        (None, None, None) => return Ok(None),
    };
    let about = ChosenCalls::parse(about).map_err(|problem| {
        Hinted::error(
            format!("`{about}` names no calls: {problem}"),
            "a rule as R15 (`fathom audit --rules`), or a pattern as `newfstatat(*.json) repeated` (docs/budgets.md)",
        )
    })?;
    Ok(Some(call_cost::Asked { question, about, delay: Duration::from_nanos(delay_ns), elide: words.elide }))
}

/// A directory for what the command writes. What a Fathom that was killed left of such is removed.
fn scratch() -> anyhow::Result<Scratch> {
    let folder = std::env::temp_dir();
    for removed in leftovers(&folder).with_context(|| format!("failed to look into {}", folder.display()))? {
        output::note(&format!("note: {removed}"));
    }
    Scratch::create(&folder).context("failed to make a directory for what the command writes")
}

fn put<T: Redactable>(
    words: &Words,
    document: T,
    form: fn(&T, &Words, &TextOptions) -> anyhow::Result<String>,
) -> anyhow::Result<()> {
    let audience = match words.format {
        WhatIfForm::Markdown | WhatIfForm::Html => Audience::Public,
        WhatIfForm::Text | WhatIfForm::Json | WhatIfForm::Csv => Audience::Own,
    };
    let document = Redaction::new(words.redaction, audience).apply(document)?;
    let color = words.output.is_none() && output::color();
    let details = if words.full { Details::Full } else { Details::Brief };
    let text = form(&document, words, &TextOptions { width: output::width(), color, details })?;
    match &words.output {
        None => output::data(&text),
        Some(path) => record_file::put(text.trim_end().as_bytes(), path)
            .with_context(|| format!("failed to write {}", path.display())),
    }
}

fn what_if_in(what_if: &WhatIf, words: &Words, options: &TextOptions) -> anyhow::Result<String> {
    Ok(match words.format {
        WhatIfForm::Text => render_what_if(what_if, options),
        WhatIfForm::Json => output::pretty_json(what_if)?,
        WhatIfForm::Csv => what_if_csv(what_if)?,
        WhatIfForm::Markdown => what_if_markdown(what_if),
        WhatIfForm::Html => what_if_html(what_if)?,
    })
}

fn call_cost_in(cost: &CallCost, words: &Words, options: &TextOptions) -> anyhow::Result<String> {
    Ok(match words.format {
        WhatIfForm::Text => render_call_cost(cost, options),
        WhatIfForm::Json => output::pretty_json(cost)?,
        WhatIfForm::Csv => call_cost_csv(cost)?,
        WhatIfForm::Markdown => call_cost_markdown(cost),
        WhatIfForm::Html => call_cost_html(cost)?,
    })
}
