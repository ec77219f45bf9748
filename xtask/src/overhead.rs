//! `cargo xtask overhead`: what each collector costs the program it looks at, and
//! the programs it does not. This file owns the order of things; the arms, the
//! worker they are tried on and the document have files of their own.

mod arm;
mod audit;
mod document;
mod hook;
mod judging;
mod readings;
mod start;
mod trial;
mod worker;

use crate::calibrate::{note, programs};
use anyhow::Context;
use document::Findings;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;
use worker::Program;

/// Measures, prints the tables and puts them into docs/OVERHEAD.md.
pub(crate) fn run(arguments: &crate::Overhead) -> anyhow::Result<()> {
    if arguments.start {
        let fathom = arguments.fathom.clone().map_or_else(programs::build_fathom, Ok)?;
        let table = start::measure(
            &std::path::absolute(fathom)?,
            arguments.before.as_deref().map(std::path::absolute).transpose()?.as_deref(),
            arguments.forks,
        )?;
        writeln!(std::io::stdout(), "{table}")?;
        return Ok(());
    }
    if arguments.hook {
        let fathom = arguments.fathom.clone().map_or_else(programs::build_fathom, Ok)?;
        let place = worker::Place::make(&arguments.dir.clone().unwrap_or_else(hook::in_memory))?;
        let table = hook::measure(&std::path::absolute(fathom)?, &place, arguments.forks)?;
        writeln!(std::io::stdout(), "{table}")?;
        if !arguments.dry_run {
            document::write_part("hook", &table)?;
        }
        return Ok(());
    }
    if arguments.judging {
        // Processes alone are timed: whatever build this is.
        let fathom = arguments.fathom.clone().map_or_else(programs::build_fathom, Ok)?;
        let place = worker::Place::make(arguments.dir.as_deref().unwrap_or(Path::new(".")))?;
        let judge = arguments.judge.clone().map_or_else(programs::build_judge, Ok)?;
        let (fathom, judge) = (std::path::absolute(fathom)?, std::path::absolute(judge)?);
        let table = judging::measure(&fathom, &judge, &place, arguments.forks)?;
        writeln!(std::io::stdout(), "{table}")?;
        if !arguments.dry_run {
            document::write_part("judging", &table)?;
        }
        return Ok(());
    }
    anyhow::ensure!(
        !cfg!(debug_assertions),
        "this is a debug build: run `cargo run --release -p xtask -- overhead`"
    );
    let program = match &arguments.fathom {
        Some(fathom) => Program::find(fathom)?,
        None => Program::find(&programs::build_fathom()?)?,
    };
    if arguments.audit {
        let place = worker::Place::make(arguments.dir.as_deref().unwrap_or(Path::new(".")))?;
        let table = audit::measure(&program, &place, arguments.forks)?;
        writeln!(std::io::stdout(), "{table}")?;
        return Ok(());
    }
    let begun = Instant::now();
    let environment = fathom_collect::environment();
    let before = fathom_collect::NoiseSnapshot::take();
    let place = worker::Place::make(arguments.dir.as_deref().unwrap_or(Path::new(".")))?;
    let mut trials = trial::Trials::new(&program, &place);
    for fork in 0..arguments.forks {
        note(&format!("fork {} of {}", fork + 1, arguments.forks));
        trials.fork(fork)?;
    }
    let readings = readings::measure(&place, arguments.forks)?;
    let findings = Findings {
        prices: seconds_of_prices(&program.fathom, &place),
        noise: fathom_collect::noise_between(&before, &fathom_collect::NoiseSnapshot::take()),
        trials: trials.finish(),
        seconds: begun.elapsed().as_secs_f64(),
        created: jiff::Timestamp::now().round(jiff::Unit::Second)?.to_string(),
        file_system: place.file_system(),
        environment,
        readings,
    };
    let text = document::text(&findings);
    writeln!(std::io::stdout(), "{text}")?;
    if !arguments.dry_run {
        document::write(&text)?;
    }
    Ok(())
}

/// How long `fathom prices` takes, in seconds, or why it gave nothing.
fn seconds_of_prices(fathom: &Path, place: &worker::Place) -> Result<f64, String> {
    let kept = tempfile::tempdir().map_err(|error| error.to_string())?;
    let begun = Instant::now();
    let output = Command::new(fathom)
        .args(["prices", "--dir"])
        .arg(place.directory())
        .env("XDG_DATA_HOME", kept.path())
        .stdin(Stdio::null())
        .output()
        .context("failed to start fathom");
    match output {
        Ok(output) if output.status.success() => Ok(begun.elapsed().as_secs_f64()),
        Ok(output) => Err(worker::last_line(&output.stderr)),
        Err(error) => Err(format!("{error:#}")),
    }
}
