//! `fathom count`: the calls of any command, exactly.

mod kernel;
mod notes;
mod pricing;

use crate::arguments::{By, Count, CountCapture, FormatWriter};
use crate::command::{Hinted, explained};
use crate::exit::Exit;
use crate::{interrupt, kept_prices, output, record_file};
use anyhow::Context;
use fathom_collect::{Machine, environment};
use fathom_model::{COMMAND_COUNT_VERSION, CommandCount, Environment, PriceList, Reading};
use fathom_report::{
    CountBy, Details, TextOptions, command_count_figures, command_count_table, render_command_count,
};
use fathom_trace::{CommandOptions, CountedCommand, count_command, hook_availability};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Runs the command, prints what it called, and ends as it ended.
pub(crate) fn run(arguments: &Count) -> anyhow::Result<Exit> {
    if let Some(path) = &arguments.output {
        record_file::check_folder(path)?;
    }
    if arguments.capture == CountCapture::Hook {
        hook_availability().map_err(|reason| {
            let message = format!("calls cannot be hooked: {reason}");
            Hinted::error(message, "leave out --capture: ptrace counts the same calls")
        })?;
    }
    let environment = environment();
    let prices = asked_prices(arguments, &environment)?;
    let (mut count, exit) = counted(arguments, environment)?;
    count.prices = prices.map(|(file, list)| pricing::priced(file, &list, &count.conditions));
    put(arguments, &count)?;
    Ok(exit)
}

fn counted(arguments: &Count, environment: Environment) -> anyhow::Result<(CommandCount, Exit)> {
    let (program, words) = arguments.command.split_first().context("no command was given")?;
    let signal = interrupt::number()?;
    let cpu = arguments.pin.then(|| u32::try_from(rustix::thread::sched_getcpu()).unwrap_or(0));
    let options = CommandOptions {
        cpu,
        time_limit: arguments.time_limit.map(Duration::from_secs_f64),
        signal: Some(&signal),
        at_exec: None,
        hook: arguments.capture == CountCapture::Hook,
    };
    let untraced = if arguments.why {
        let run = kernel::run_untraced(Command::new(program).args(words), &options).map_err(explained)?;
        // A signal that came meanwhile was that run's; there is no second one.
        let asked = signal.load(Ordering::SeqCst) != 0;
        match run {
            Ok(run) if asked => return Err(anyhow::anyhow!("interrupted: {}", run.status)),
            run => Some(run),
        }
    } else {
        None
    };
    let created = jiff::Timestamp::now().to_string();
    let begun = Instant::now();
    let counted = count_command(Command::new(program).args(words), &options).map_err(explained)?;
    let traced_seconds = begun.elapsed().as_secs_f64();
    let CountedCommand { status, cut, processes, conditions, hook } = counted;
    let mut warnings = notes::warnings(&processes);
    warnings.extend(fathom_lab::variables_warning(&environment, &[]));
    warnings.extend(untraced.as_ref().and_then(|run| notes::of_untraced(run, status)));
    let counters = untraced.and_then(Result::ok).map_or(Vec::new(), |run| run.counters);
    let count = CommandCount {
        schema_version: COMMAND_COUNT_VERSION,
        fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
        created,
        environment,
        command: arguments.command.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
        directory: std::env::current_dir().into(),
        cpu,
        traced_seconds,
        cut,
        exactness: notes::exactness(&counters, hook.as_ref()),
        processes,
        conditions,
        prices: Reading::unavailable("not looked for"),
        counters,
        warnings,
    };
    // As shells have it: what a signal killed has no code of its own.
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    Ok((count, Exit::OfCommand(u8::try_from(code & 0xff).unwrap_or(u8::MAX))))
}

/// The prices asked for, else those kept for the file system of the current directory.
fn asked_prices(
    arguments: &Count,
    environment: &Environment,
) -> anyhow::Result<Reading<(PathBuf, PriceList)>> {
    if arguments.capture == CountCapture::Hook {
        if arguments.prices.is_some() {
            return Err(Hinted::error("--capture hook gives no prices", "leave out --prices, or --capture"));
        }
        return Ok(Reading::unavailable("the hook does not look up what descriptors stand for"));
    }
    if arguments.no_prices {
        return Ok(Reading::unavailable("not asked for"));
    }
    kept_prices::asked_or_kept(arguments.prices.as_deref(), &Machine::from(environment))
}

/// Puts it where it was asked for. Nothing counted is lost: what cannot be
/// written to a file goes to standard error.
fn put(arguments: &Count, count: &CommandCount) -> anyhow::Result<()> {
    let by = match arguments.by {
        None => CountBy::Command,
        Some(By::Process) => CountBy::Process,
        Some(By::Thread) => CountBy::Thread,
    };
    let text = match arguments.format.writer() {
        FormatWriter::Json => output::json(count)?,
        FormatWriter::Table(form) => command_count_table(count, form)?,
        FormatWriter::Figures(form) => command_count_figures(count, form)?,
        FormatWriter::Text => {
            let color = arguments.output.is_none() && output::color();
            let options = TextOptions { width: output::width(), color, details: Details::Brief };
            render_command_count(count, by, &options)
        }
    };
    let text = text.trim_end();
    match &arguments.output {
        None => output::note(text),
        Some(path) => {
            if let Err(error) = record_file::put(text.as_bytes(), path) {
                output::note(text);
                return Err(error).with_context(|| format!("failed to write {}", path.display()));
            }
        }
    }
    Ok(())
}
