//! `fathom track add`: the project's commands are run, and what they counted is kept under the commit.

use super::counted::{Counted, classes, facts};
use super::kept::Kept;
use super::sources::{from_file, named};
use super::store::Store;
use super::timing::Timings;
use crate::arguments::TrackAdd as Words;
use crate::command::Hinted;
use crate::command::audit::Settings;
use crate::command::counted_run::{CountedRun, Counting, Tried};
use crate::command::project_command::{ProjectCommand, commands_of};
use crate::command::repository::{Repository, heard, without_git_variables};
use crate::command::stop::{Interrupted, Stop};
use crate::exit::Exit;
use crate::output;
use crate::redaction::{Audience, Redaction};
use anyhow::Context;
use fathom_audit::{
    PathClasses, PriceList as Priced, TrackedCommand, TrackedCount, TrackedRun, TrackedTime, is_varying,
    tracked_counts,
};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// Counted runs of a command: at first, and where they differ or are not as the last time.
const RUNS: u32 = 3;
const RUNS_OF_DIFFERENT: u32 = 5;

/// Does what the command line asks for.
pub(super) fn add(words: &Words) -> anyhow::Result<Exit> {
    let stop = Stop::listen()?;
    let limit = Duration::from_secs(words.limit.into());
    let store = Store::of(&words.place, &stop)?;
    let settings = Settings::of_project(words.config.as_deref())?;
    let (run, is_whole) = if let Some(path) = &words.from {
        (from_file(words, path, &settings, &stop, limit)?, true)
    } else {
        let last = store.read()?.unwrap_or_default();
        live(words, &settings, &last, &stop, limit)?
    };
    let run = Redaction::new(words.redaction, Audience::Own).apply(run)?;
    store.add(&run)?;
    output::data(&sentence(&run, &store))?;
    Ok(if is_whole { Exit::Done } else { Exit::Inconclusive })
}

fn sentence(run: &TrackedRun, store: &Store<'_>) -> String {
    let plural = |count: usize, one: &str, many: &str| {
        if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
    };
    let facts = &run.facts;
    let mut text = format!(
        "kept {} in {}: {}, {}, {}",
        facts.commit.short(),
        store.described(),
        plural(facts.commands.len(), "command", "commands"),
        plural(run.counts.len(), "class of calls", "classes of calls"),
        plural(run.times.len(), "time", "times"),
    );
    if facts.has_changes {
        text += "\nnote: the work tree has changes that are not committed; reports leave this run out";
    }
    text
}

/// Runs the commands here. False where one did not start, or part of it was not seen.
fn live(
    words: &Words,
    settings: &Settings,
    kept: &Kept,
    stop: &Stop,
    limit: Duration,
) -> anyhow::Result<(TrackedRun, bool)> {
    let mut commands = commands_of(&words.command, settings.project.as_ref())?;
    if commands.is_empty() {
        return Err(Hinted::error(
            "there is no command to run",
            "name one after `--`, or in .fathom.toml: [[command]] with `name` and `run` (docs/tracking.md)",
        ));
    }
    if let (Some(name), [command]) = (&words.name, commands.as_mut_slice()) {
        command.name.clone_from(name);
    } else if words.name.is_some() {
        return Err(Hinted::error(
            "--name names one command, and there are several",
            "name them in .fathom.toml",
        ));
    }
    let repository = Repository::here(stop, limit)?;
    let id = Repository::commit("HEAD", stop, limit)?
        .ok_or_else(|| Hinted::error("there is no commit here yet", "counts are kept under a commit"))?;
    let mut facts = facts(&id, stop, limit)?;
    facts.has_changes = repository.changed_files(stop, limit)? > 0;
    let here = std::env::current_dir().context("failed to find the current directory")?;
    let directory = match &settings.project {
        Some((_, folder)) if words.command.is_empty() => folder.clone(),
        _ => here,
    };
    let prices = Priced(&[]);
    let ground = Ground {
        directory,
        top: repository.top.clone(),
        counting: Counting { settings, prices: &prices, stop, limit, stacks: false },
    };
    let mut run = TrackedRun { facts, counts: Vec::new(), times: Vec::new(), is_damaged: false };
    let mut is_whole = true;
    for command in &commands {
        let last = last_of(kept, &command.name);
        let counted = ground.count(command, last.as_ref())?;
        is_whole &= counted.facts.is_complete;
        run.counts.extend(counted.counts);
        if let Some(times) = words.times.filter(|_| counted.facts.runs > 0) {
            run.times.extend(ground.time(command, times)?);
        }
        run.facts.commands.push(counted.facts);
    }
    // What was checked out may have been changed while it ran.
    let now = Repository::commit("HEAD", stop, limit)?;
    if now.as_deref() != Some(id.as_str()) {
        return Err(Hinted::error(
            "another commit was checked out while the commands ran: nothing is kept",
            "`fathom track add` again, with the work tree left alone meanwhile",
        ));
    }
    Ok((run, is_whole))
}

/// Where commands run.
struct Ground<'a> {
    directory: PathBuf,
    top: PathBuf,
    counting: Counting<'a>,
}

impl Ground<'_> {
    /// Counts a command: more often where its runs differ, or are not as `last`.
    fn count(
        &self,
        command: &ProjectCommand,
        last: Option<&BTreeMap<String, (u64, u64)>>,
    ) -> anyhow::Result<Counted> {
        let mut runs: Vec<CountedRun> = Vec::new();
        let mut target = RUNS;
        // The first run makes things warm and counts for nothing.
        let mut number = 0;
        while number <= target {
            self.set_up(command)?;
            let tried = self.counting.run(
                &self.directory,
                &command.words,
                self.classes(),
                command.filter.clone(),
                &command.budgets,
            )?;
            match tried {
                Tried::Ran(_) if number == 0 => {}
                Tried::Ran(run) => runs.push(*run),
                Tried::DidNotStart(reason) => {
                    output::note(&format!("{}: {reason}", command.name));
                    return Ok(did_not_start(command, &reason));
                }
            }
            if number == target && target < RUNS_OF_DIFFERENT {
                let calls: Vec<_> = runs.iter().map(|run| run.calls.clone()).collect();
                let sums = sums(&tracked_counts(&command.name, &calls));
                if is_varying(&calls) || last.is_some_and(|last| *last != sums) {
                    target = RUNS_OF_DIFFERENT;
                }
            }
            number += 1;
        }
        Ok(Counted::of(&command.name, &command.words, &runs))
    }

    fn time(&self, command: &ProjectCommand, runs: u32) -> anyhow::Result<Vec<TrackedTime>> {
        let mut timings = Timings::default();
        for _ in 0..runs {
            self.set_up(command)?;
            timings.run(&self.directory, &command.words, self.counting.stop, self.counting.limit)?;
        }
        Ok(timings.times(&command.name))
    }

    fn set_up(&self, command: &ProjectCommand) -> anyhow::Result<()> {
        let Some(text) = &command.setup else { return Ok(()) };
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", text]).current_dir(&self.directory);
        without_git_variables(&mut shell);
        let what = format!("the setup of `{}`, `{text}`,", command.name);
        match heard(&mut shell, self.counting.stop, self.counting.limit) {
            Ok(said) if said.succeeded => Ok(()),
            Ok(said) => Err(Hinted::error(
                format!("{what} failed: {}\n{}", said.ended, said.tail()),
                "it is run by `sh -c` before each run, as .fathom.toml says",
            )),
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(Interrupted.into()),
            Err(error) => Err(anyhow::Error::new(error).context(format!("{what} failed"))),
        }
    }

    fn classes(&self) -> PathClasses {
        classes(&self.top.to_string_lossy())
    }
}

fn did_not_start(command: &ProjectCommand, reason: &str) -> Counted {
    Counted {
        facts: TrackedCommand {
            name: command.name.clone(),
            words: command.words.clone(),
            runs: 0,
            calls: None,
            is_complete: false,
            ended: reason.to_owned(),
            capture: None,
            gaps: Vec::new(),
        },
        counts: Vec::new(),
    }
}

/// The sums of the last kept run of a command, by call and outcome.
fn last_of(kept: &Kept, name: &str) -> Option<BTreeMap<String, (u64, u64)>> {
    let is_counted = |run: &&TrackedRun| {
        let mut commands = run.facts.commands.iter();
        !run.is_damaged && commands.any(|command| command.name == name && command.is_complete)
    };
    let last = kept.runs.iter().rev().find(is_counted)?;
    Some(sums(&named(&last.counts, name)))
}

fn sums(counts: &[TrackedCount]) -> BTreeMap<String, (u64, u64)> {
    let mut sums: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for count in counts {
        let key = format!("{} {:?} {:?}", count.class.call, count.class.outcome, count.class.owner);
        let sum = sums.entry(key).or_default();
        *sum = (sum.0 + count.low, sum.1 + count.high);
    }
    sums
}
