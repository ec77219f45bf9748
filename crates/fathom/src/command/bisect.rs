//! `fathom bisect`: which commit changed a count.

mod end;
mod ends;
mod ground;
mod measured;
mod put;
mod search;

use crate::arguments::Bisect as Words;
use crate::command::Hinted;
use crate::command::audit::Settings;
use crate::command::counted_run::Counting;
use crate::command::project_command::{ProjectCommand, commands_of};
use crate::command::repository::Repository;
use crate::command::stop::{Interrupted, Stop};
use crate::exit::Exit;
use crate::output;
use ends::Ends;
use fathom_audit::{BISECTION_VERSION, Bisection, BisectionKind, BisectionOutcome, PriceList as Priced};
use fathom_catalog::ProjectFile;
use ground::{Ground, Recipe};
use measured::Frontier;
use search::Search;
use std::path::PathBuf;
use std::time::Duration;

/// Does what the command line asks for.
pub(crate) fn run(words: &Words) -> anyhow::Result<Exit> {
    match searched(words) {
        Err(error) if error.is::<Interrupted>() => Ok(Exit::Interrupted),
        other => other,
    }
}

fn searched(words: &Words) -> anyhow::Result<Exit> {
    put::check(words)?;
    let (question, is_budget) = match (&words.metric, &words.assert) {
        (Some(metric), _) => (metric, false),
        (None, Some(budget)) => (budget, true),
        (None, None) => unreachable!("the command line asks for one of them"),
    };
    let settings = Settings::of_project(words.config.as_deref())?;
    let project = settings.project.as_ref();
    let command = command(words, project)?;
    let stop = Stop::listen()?;
    let limit = Duration::from_secs(words.limit.into());
    let created = jiff::Timestamp::now().to_string();
    let repository = Repository::here(&stop, limit)?;
    let ends = Ends::of(words, &repository, &stop, limit)?;
    output::note(&ends.sentence());
    let mut notes = Ends::notes(&repository, &stop, limit)?;
    let prices = Priced(&[]);
    let recipe = Recipe {
        build: build(words, project, limit),
        is_build_of_project: words.build.is_none(),
        keep_builds: words.keep_builds,
        command: &command,
        question,
        counting: Counting { settings: &settings, prices: &prices, stop: &stop, limit, stacks: words.stacks },
    };
    // The clone is removed when this is dropped, whatever happens.
    let folder = project.map(|(_, folder)| folder.as_path());
    let mut ground = Ground::new(&repository, folder, words.command.is_empty(), recipe)?;
    let (mut good, mut bad) = ends.measure(&mut ground)?;
    let frontier = Frontier::between(&good, &bad, is_budget);
    let mut steps = Vec::new();
    let outcome = match &frontier {
        Err(reason) => BisectionOutcome::NotFound(reason.clone()),
        Ok(frontier) => {
            let mut search = Search::new(&ends, &mut ground, frontier, &mut good, &mut bad);
            let outcome = search.run();
            if let Err(error) = &outcome
                && error.is::<Interrupted>()
            {
                output::note(&search.where_it_stood());
            }
            let (outcome, said) = outcome?;
            notes.extend(said);
            steps = std::mem::take(&mut search.steps);
            outcome
        }
    };
    notes.extend(good.notes(&ends.good.name));
    notes.extend(bad.notes(&ends.bad.name));
    notes.dedup();
    let bisection = Bisection {
        kind: BisectionKind::Bisection,
        schema_version: BISECTION_VERSION,
        fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
        created,
        question: question.text().to_owned(),
        is_budget,
        unit: good.unit.clone(),
        command: command.words.clone(),
        build: ground.recipe.build.as_ref().map(|(text, _)| text.clone()),
        capture: good.capture.clone(),
        good: ends.good.with(&good.values),
        bad: ends.bad.with(&bad.values),
        commits: ends.commits,
        steps_at_most: ends.steps_at_most(),
        runs_per_step: frontier.as_ref().map_or(0, |frontier| frontier.runs),
        steps,
        outcome,
        notes,
        redacted: None,
    };
    let bisection = ground.without_its_directory(&bisection)?;
    put::put(words, &bisection)?;
    Ok(match bisection.outcome {
        BisectionOutcome::Found(_) => Exit::Done,
        BisectionOutcome::Among(_) => Exit::Findings,
        BisectionOutcome::NotFound(_) => Exit::Inconclusive,
    })
}

/// The one that is run: after `--`, or of the project's file.
fn command(words: &Words, project: Option<&(ProjectFile, PathBuf)>) -> anyhow::Result<ProjectCommand> {
    let mut commands = commands_of(&words.command, project)?;
    if let Some(name) = &words.named {
        commands.retain(|command| &command.name == name);
    }
    let names: Vec<_> = commands.iter().map(|command| command.name.clone()).collect();
    let mut command = match (commands.pop(), names.len()) {
        (Some(only), 1) => only,
        (None, _) => {
            return Err(Hinted::error(
                match &words.named {
                    Some(name) => format!("there is no command `{name}` in .fathom.toml"),
                    None => "there is no command to run".to_owned(),
                },
                "name one after `--`, as in `fathom bisect --good v1 --metric openat -- ./app`",
            ));
        }
        (Some(_), _) => {
            return Err(Hinted::error(
                format!(".fathom.toml has {} commands: {}", names.len(), names.join(", ")),
                "--named NAME chooses one",
            ));
        }
    };
    if words.setup.is_some() {
        command.setup.clone_from(&words.setup);
    }
    Ok(command)
}

fn build(
    words: &Words,
    project: Option<&(ProjectFile, PathBuf)>,
    limit: Duration,
) -> Option<(String, Duration)> {
    let of_project = || {
        let build = project?.0.build.as_ref()?;
        Some((build.run.value.clone(), build.limit_s.map_or(limit, Duration::from_secs)))
    };
    words.build.clone().map(|build| (build, limit)).or_else(of_project)
}
