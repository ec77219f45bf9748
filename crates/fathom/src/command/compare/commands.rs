//! `fathom compare --commands`: two commands counted and timed in turns, the
//! result written and judged. Several are measured by the same code (`bench/commands.rs`).

use super::{exit_of, text_options};
use crate::arguments::{Compare, FormatWriter};
use crate::command::Hinted;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::redaction::{Audience, Redaction};
use crate::{interrupt, output, record_file};
use anyhow::Context;
use fathom_collect::{NoiseSnapshot, environment, noise_between};
use fathom_lab::{CommandError, CommandPlan, CommandWords, Signals, host_warnings, measure_commands};
use fathom_model::{
    COMMAND_COMPARISON_VERSION, CommandComparison, CommandComparisonKind, CommandSetting, Reading, StopReason,
};
use fathom_report::{commands_figures, commands_table, ranked_table, render_commands, render_ranked};
use fathom_stats::{compare_commands, rank_commands};
use std::time::Duration;

/// Time for the timed runs when nobody said how long.
pub(in crate::command) const TIME_S: f64 = 10.0;

/// Measures, writes and judges two commands.
pub(super) fn run(compare: &Compare) -> anyhow::Result<Exit> {
    record_file::check_place(compare.measuring.output.as_deref())?;
    let record = measure(&plan_of(compare)?)?;
    keep(compare, &Redaction::new(compare.measuring.redaction, Audience::Own).apply(record)?)
}

/// Runs what is planned; the record of it.
pub(in crate::command) fn measure(plan: &CommandPlan) -> anyhow::Result<CommandComparison> {
    let stop = interrupt::flag()?;
    let number = interrupt::number()?;
    let created = jiff::Timestamp::now().round(jiff::Unit::Second)?.to_string();
    let environment = environment();
    let mut progress = Progress::new();
    let before = NoiseSnapshot::take();
    progress.begin(&before);
    let signals = Signals { stop: &stop, number: &number };
    let measured = measure_commands(plan, signals, &mut progress);
    progress.finish();
    let measured = measured.map_err(|error| explained(error, plan))?;
    let noise = noise_between(&before, &NoiseSnapshot::take());
    let mut commands = measured.commands.into_iter();
    let (Some(old), Some(new)) = (commands.next(), commands.next()) else {
        anyhow::bail!("two commands are compared at least");
    };
    let mut warnings = host_warnings(&environment);
    warnings.extend(fathom_lab::variables_warning(&environment, &[]));
    warnings.extend(fathom_lab::noise_warnings(&noise));
    warnings.extend(measured.warnings);
    let stopped = &measured.stop;
    Ok(CommandComparison {
        kind: CommandComparisonKind::CommandComparison,
        schema_version: COMMAND_COMPARISON_VERSION,
        fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
        created,
        command: std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect(),
        seed: plan.seed.to_string(),
        complete: !matches!(stopped, StopReason::Interrupted | StopReason::Failed(_)),
        environment,
        noise: Reading::Value(noise),
        directory: std::env::current_dir().into(),
        setting: plan.setting.clone(),
        ranks: measured.ranks,
        old,
        new,
        further: commands.collect(),
        floor: measured.floor,
        validity: measured.validity,
        blocks: measured.blocks,
        stop: measured.stop,
        warnings,
    })
}

/// Judges and prints what was measured of two commands.
pub(super) fn finish(compare: &Compare, measured: &CommandComparison) -> anyhow::Result<Exit> {
    if !measured.further.is_empty() || measured.ranks.is_some() {
        return finish_several(compare, measured);
    }
    let found = compare_commands(measured, &compare.fail_on);
    let text = match compare.format.writer() {
        FormatWriter::Json => output::pretty_json(&found)?,
        FormatWriter::Table(form) => commands_table(&found, form)?,
        FormatWriter::Figures(_) if found.is_empty() => return Ok(Exit::NothingRan),
        FormatWriter::Figures(form) => commands_figures(&found, form)?,
        FormatWriter::Text => render_commands(measured, &found, &text_options()),
    };
    output::data(&text)?;
    Ok(if found.is_empty() { Exit::NothingRan } else { exit_of(found.verdict()) })
}

/// Prints what was measured of more than two.
fn finish_several(compare: &Compare, measured: &CommandComparison) -> anyhow::Result<Exit> {
    if let Some(gate) = compare.fail_on.first() {
        return Err(Hinted::error(
            format!(
                "--fail-on '{gate}' is about two commands, and the record has {}",
                measured.commands().count()
            ),
            "name the two: fathom compare --commands 'A' 'B'",
        ));
    }
    let found = rank_commands(measured);
    let text = match compare.format.writer() {
        FormatWriter::Json => output::pretty_json(&found)?,
        FormatWriter::Table(form) => ranked_table(&found, form)?,
        FormatWriter::Figures(_) => {
            return Err(Hinted::error(
                "this format is for two commands, and the record has more",
                "--format json, csv or markdown has all of them",
            ));
        }
        FormatWriter::Text => render_ranked(measured, &found, &text_options()),
    };
    output::data(&text)?;
    Ok(if found.is_empty() { Exit::NothingRan } else { Exit::Done })
}

/// Writes the record and prints it; nothing of it is lost when either fails.
fn keep(compare: &Compare, record: &CommandComparison) -> anyhow::Result<Exit> {
    let path = match &compare.measuring.output {
        Some(path) => path.clone(),
        None => record_file::default_path_of(&record.created, "commands")?,
    };
    let written = record_file::write(record, &path);
    let exit = finish(compare, record)?;
    written?;
    output::note(&format!("record: {}", path.display()));
    Ok(ended_early(record)?.unwrap_or(exit))
}

/// How a run ends that did not come to its own end.
pub(in crate::command) fn ended_early(record: &CommandComparison) -> anyhow::Result<Option<Exit>> {
    match &record.stop {
        StopReason::Interrupted => Ok(Some(Exit::Interrupted)),
        StopReason::Failed(reason) => Err(Hinted::error(
            reason.clone(),
            "what was measured until then is kept; --ignore-failure goes on when a command fails",
        )),
        _ => Ok(None),
    }
}

fn plan_of(compare: &Compare) -> anyhow::Result<CommandPlan> {
    let (form, measuring) = (&compare.commands_form, &compare.measuring);
    let [old, new] = compare.commands.as_slice() else { anyhow::bail!("--commands takes two commands") };
    let setting = CommandSetting {
        shell: form.shell,
        prepare: form.prepare.clone(),
        warm_up_runs: form.warm_up,
        pinned: form.pin,
        ignore_failure: form.ignore_failure,
        output_shown: form.show_output,
    };
    Ok(CommandPlan {
        commands: vec![words_of(old, form.shell)?, words_of(new, form.shell)?],
        compares_output: false,
        floor: floor_of(form.shell),
        setting,
        starts: None,
        time: Duration::from_secs_f64(measuring.time.unwrap_or(TIME_S)),
        precision: measuring.precision / 100.0,
        counts_only: measuring.counts_only,
        seed: measuring.seed.unwrap_or_else(fathom_lab::draw_seed),
    })
}

/// What stands for the start of a process.
pub(in crate::command) fn floor_of(shell: bool) -> Vec<String> {
    if shell { by_shell(":") } else { vec!["true".to_owned()] }
}

/// The words of a command as it was given.
pub(in crate::command) fn words_of(text: &str, shell: bool) -> anyhow::Result<CommandWords> {
    let words = if shell {
        by_shell(text)
    } else {
        shell_words::split(text).with_context(|| format!("--commands: `{text}` has no end of a quotation"))?
    };
    if words.is_empty() || text.trim().is_empty() {
        return Err(Hinted::error(
            "--commands: an empty command",
            "for one that does nothing there is `true`",
        ));
    }
    Ok(CommandWords { text: text.to_owned(), words, starts: 1 })
}

fn by_shell(text: &str) -> Vec<String> {
    ["/bin/sh", "-c", text].map(str::to_owned).to_vec()
}

fn explained(error: CommandError, plan: &CommandPlan) -> anyhow::Error {
    let hint = match &error {
        CommandError::Start { .. } if !plan.setting.shell => {
            "commands are run by their words, without a shell: --shell runs them by sh -c"
        }
        CommandError::Failed { .. } if !plan.setting.output_shown => {
            "run it by itself to see what it says; --ignore-failure goes on"
        }
        CommandError::Failed { .. } => "--ignore-failure goes on when a command fails",
        _ => return error.into(),
    };
    Hinted::error(error.to_string(), hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_would_and_nothing_is_expanded() {
        let words = |text| words_of(text, false).map(|command| command.words);
        assert_eq!(words("cat 'a b' \"c\\\"d\" $HOME *").unwrap(), ["cat", "a b", "c\"d", "$HOME", "*"]);
        assert_eq!(words_of("a | b", true).unwrap().words, ["/bin/sh", "-c", "a | b"]);
        assert!(words("cat 'a").is_err() && words(" ").is_err());
        assert!(words_of(" ", true).is_err());
    }
}
