//! `fathom compare --commands`: two commands counted and timed in turns, the
//! result written and judged.

use super::{exit_of, text_options};
use crate::arguments::{Compare, CompareFormat};
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
use fathom_report::{TableForm, commands_table, render_commands};
use fathom_stats::compare_commands;
use std::time::Duration;

/// Time for the timed runs when nobody said how long.
const TIME_S: f64 = 10.0;

/// Measures, writes and judges two commands.
pub(super) fn run(compare: &Compare) -> anyhow::Result<Exit> {
    let stop = interrupt::flag()?;
    let number = interrupt::number()?;
    record_file::check_place(compare.measuring.output.as_deref())?;
    let plan = plan_of(compare)?;
    let created = jiff::Timestamp::now().round(jiff::Unit::Second)?.to_string();
    let environment = environment();
    let mut progress = Progress::new();
    let before = NoiseSnapshot::take();
    progress.begin(&before);
    let signals = Signals { stop: &stop, number: &number };
    let measured = measure_commands(&plan, signals, &mut progress);
    progress.finish();
    let measured = measured.map_err(|error| explained(error, &plan))?;
    let noise = noise_between(&before, &NoiseSnapshot::take());
    let [old, new] = measured.commands;
    let mut warnings = host_warnings(&environment);
    warnings.extend(fathom_lab::variables_warning(&environment, &[]));
    warnings.extend(fathom_lab::noise_warnings(&noise));
    warnings.extend(measured.warnings);
    let stopped = &measured.stop;
    let record = CommandComparison {
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
        setting: plan.setting,
        old,
        new,
        floor: measured.floor,
        validity: measured.validity,
        blocks: measured.blocks,
        stop: measured.stop,
        warnings,
    };
    keep(compare, &Redaction::new(compare.measuring.redaction, Audience::Own).apply(record)?)
}

/// Judges and prints what was measured of two commands.
pub(super) fn finish(compare: &Compare, measured: &CommandComparison) -> anyhow::Result<Exit> {
    let found = compare_commands(measured, &compare.fail_on);
    match compare.format {
        CompareFormat::Json => output::data(&output::pretty_json(&found)?)?,
        CompareFormat::Markdown => output::data(&commands_table(&found, TableForm::Markdown)?)?,
        CompareFormat::Csv => output::data(&commands_table(&found, TableForm::Csv)?)?,
        CompareFormat::Text => output::data(&render_commands(measured, &found, &text_options()))?,
    }
    Ok(if found.is_empty() { Exit::NothingRan } else { exit_of(found.verdict()) })
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
    match &record.stop {
        StopReason::Interrupted => Ok(Exit::Interrupted),
        StopReason::Failed(reason) => Err(Hinted::error(
            reason.clone(),
            "what was measured until then is kept; --ignore-failure goes on when a command fails",
        )),
        _ => Ok(exit),
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
        commands: [words_of(old, form.shell)?, words_of(new, form.shell)?],
        floor: if form.shell { by_shell(":") } else { vec!["true".to_owned()] },
        setting,
        time: Duration::from_secs_f64(measuring.time.unwrap_or(TIME_S)),
        precision: measuring.precision / 100.0,
        counts_only: measuring.counts_only,
        seed: measuring.seed.unwrap_or_else(fathom_lab::draw_seed),
    })
}

fn words_of(text: &str, shell: bool) -> anyhow::Result<CommandWords> {
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
    Ok(CommandWords { text: text.to_owned(), words })
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
            "--show-output shows what it says; --ignore-failure goes on"
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
