//! `fathom bench --commands`: several whole commands, each against the first.

mod parameters;

use super::ranks::launcher_by;
use crate::arguments::BenchGate as Gate;
use crate::arguments::{Bench, Format};
use crate::command::compare::commands::{TIME_S, ended_early, floor_of, measure, words_of};
use crate::command::{Hinted, show};
use crate::exit::Exit;
use crate::methods::prepare_drivers;
use crate::progress::Progress;
use crate::redaction::{Audience, Redaction};
use crate::{interrupt, output, record_file};
use fathom_lab::{CommandPlan, CommandWords, StartPlan};
use fathom_model::{CommandComparison, CommandSetting};
use fathom_report::render_ranked;
use fathom_stats::{CommandsRanked, OutputVerdict, rank_commands};
use std::time::Duration;

/// Runs of each before the first that counts, when nobody says how many.
const WARM_UP_RUNS: u32 = 1;

/// Measures, writes and prints the commands, and ends as the gates say.
pub(super) fn run(bench: &Bench) -> anyhow::Result<Exit> {
    if bench.fail_on.iter().any(|gate| *gate != Gate::Answers) {
        return Err(Hinted::error(
            "--fail-on: of commands there is `answers` alone, which fails where outputs or ends differ",
            "calls and times of two commands: fathom compare --commands 'A' 'B' --fail-on 'calls > +0'",
        ));
    }
    record_file::check_place(bench.output.as_deref())?;
    let record = measure(&plan_of(bench)?)?;
    let record = Redaction::new(bench.redaction, Audience::Own).apply(record)?;
    let path = match &bench.output {
        Some(path) => path.clone(),
        None => record_file::default_path_of(&record.created, "commands")?,
    };
    let written = record_file::write(&record, &path);
    let found = rank_commands(&record);
    match bench.rendering.format {
        Format::Json => output::data(&output::json(&record)?)?,
        Format::Text => {
            let options = show::text_options(bench.rendering);
            output::data(&render_ranked(&record, &found, &options))?;
        }
    }
    written?;
    output::note(&format!("record: {}", path.display()));
    if let Some(exit) = ended_early(&record)? {
        return Ok(exit);
    }
    let exit = if found.is_empty() { Exit::NothingRan } else { Exit::Done };
    Ok(if exit == Exit::Done && !bench.fail_on.is_empty() { judge(&found, &record) } else { exit })
}

/// The gate `answers`: a difference before what is not known.
fn judge(found: &CommandsRanked, record: &CommandComparison) -> Exit {
    let (mut unknown, mut differing) = (None, None);
    for (command, (_, measured)) in found.commands.iter().zip(record.commands()) {
        match &command.output {
            OutputVerdict::Same => {}
            OutputVerdict::Differs(how) => {
                differing.get_or_insert(format!("`{}` {how}", measured.text));
            }
            OutputVerdict::Unknown(why) => {
                unknown.get_or_insert(format!("`{}`: {why}", measured.text));
            }
        }
    }
    let (word, words, exit) = match (differing, unknown) {
        (Some(words), _) => ("FAILED", words, Exit::Findings),
        (None, Some(words)) => ("not known", words, Exit::Inconclusive),
        (None, None) => ("held", "all outputs are the same".to_owned(), Exit::Done),
    };
    output::note(&format!("gate {word}: {words}"));
    exit
}

/// The ranks that start commands at once, where some are asked for, and what starts them.
fn starts_of(bench: &Bench) -> anyhow::Result<Option<StartPlan>> {
    let Some(ranks) = bench.ranks.ranks else { return Ok(None) };
    if bench.commands.pin {
        return Err(Hinted::error(
            "--pin: ranks on one CPU would wait for each other",
            "leave --pin out, or --ranks",
        ));
    }
    let Some(text) = &bench.ranks.launcher else { return Ok(Some(StartPlan { ranks, driver: None })) };
    let launcher = launcher_by(bench, ranks, text)?;
    let stop = interrupt::flag()?;
    let mut progress = Progress::new();
    let drivers = prepare_drivers(&[], (Vec::new(), Some(&launcher)), &mut progress, &stop)?;
    progress.finish();
    let driver = drivers.driver("mpi").map_err(|reason| {
        let hint = "without --launcher Fathom itself starts the commands, on this machine";
        Hinted::error(format!("--launcher: no mpi driver: {reason}"), hint)
    })?;
    Ok(Some(StartPlan { ranks, driver: Some(driver.clone()) }))
}

fn plan_of(bench: &Bench) -> anyhow::Result<CommandPlan> {
    let form = &bench.commands;
    let texts = parameters::expanded(form)?;
    let starts = starts_of(bench)?;
    let least = if starts.as_ref().is_some_and(|starts| starts.ranks > 1) { 1 } else { 2 };
    if texts.len() < least {
        return Err(Hinted::error(
            "--commands: one command has nothing to be compared with",
            "name two at least, or a parameter: --commands 'cat -n {file}' --parameter file=a.txt,b.txt; `fathom count` counts one",
        ));
    }
    let setting = CommandSetting {
        shell: form.shell,
        prepare: form.prepare.clone(),
        warm_up_runs: form.warm_up.unwrap_or(WARM_UP_RUNS),
        pinned: form.pin,
        ignore_failure: form.ignore_failure,
        output_shown: false,
    };
    let mut commands = texts.iter().map(|text| words_of(text, form.shell)).collect::<Result<Vec<_>, _>>()?;
    if let Some(starts) = &starts {
        for command in &mut commands {
            command.starts = starts.ranks;
        }
        // One command has itself, started alone, to be compared with.
        if let [only] = commands.as_slice() {
            let alone = CommandWords { starts: 1, ..only.clone() };
            commands.insert(0, alone);
        }
    }
    Ok(CommandPlan {
        commands,
        compares_output: !form.ignore_output,
        floor: floor_of(form.shell),
        setting,
        starts,
        time: Duration::from_secs_f64(bench.time.unwrap_or(TIME_S)),
        precision: bench.precision / 100.0,
        counts_only: bench.counts_only,
        seed: bench.seed.unwrap_or_else(fathom_lab::draw_seed),
    })
}
