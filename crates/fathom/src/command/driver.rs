//! `fathom driver`: the conformance list, and where a driver's program is.

use crate::arguments::{Driver as DriverArguments, DriverCommand};
use crate::command::stop::own_driver;
use crate::exit::Exit;
use crate::interrupt;
use crate::methods::build_note;
use crate::output;
use anyhow::Context;
use fathom_lab::{
    BuildStep, BuildWatch, CheckOutcome as Outcome, Driver, SHIPPED, check_driver, shipped_manifests,
};
use fathom_model::Operation;
use std::io;
use std::path::Path;

/// Runs a subcommand of `fathom driver`.
pub(crate) fn run(arguments: &DriverArguments) -> anyhow::Result<Exit> {
    match &arguments.command {
        DriverCommand::Check { program, operation } => check(program, operation),
        DriverCommand::Path { name } => {
            let driver = shipped(name)?.with_context(|| format!("no driver `{name}` ships with Fathom"))?;
            output::data(&driver.facts.program)?;
            Ok(Exit::Done)
        }
    }
}

fn check(program: &Path, operations: &[Operation]) -> anyhow::Result<Exit> {
    let named = program.to_str().filter(|_| !program.exists()).map(shipped).transpose()?.flatten();
    let driver = match named {
        Some(driver) => driver,
        None => own_driver(program)?,
    };
    let facts = &driver.facts;
    output::data(&format!("{} driver: {}, {}", facts.driver, facts.language, facts.runtime))?;
    let mut broken = None;
    let stop = interrupt::flag()?;
    let checks = check_driver(&driver, operations, &stop, &mut |check| {
        let line = match &check.outcome {
            Outcome::Passed => format!("  ok       {}", check.name),
            Outcome::Failed(how) => format!("  FAILED   {}: {how}", check.name),
            Outcome::Skipped(reason) => format!("  skipped  {}: {reason}", check.name),
        };
        if let Err(error) = output::data(&line) {
            broken = Some(error);
        }
    });
    let checks = match checks {
        Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(Exit::Interrupted),
        checks => checks.context("failed to run the conformance list")?,
    };
    if let Some(error) = broken {
        return Err(error);
    }
    let count = |wanted: fn(&Outcome) -> bool| checks.iter().filter(|check| wanted(&check.outcome)).count();
    let failed = count(|outcome| matches!(outcome, Outcome::Failed(_)));
    let passed = count(|outcome| matches!(outcome, Outcome::Passed));
    let skipped = count(|outcome| matches!(outcome, Outcome::Skipped(_)));
    output::data(&format!("{passed} checks passed, {failed} failed, {skipped} skipped"))?;
    Ok(if failed == 0 { Exit::Done } else { Exit::Findings })
}

fn shipped(name: &str) -> anyhow::Result<Option<Driver>> {
    let manifests = shipped_manifests()?;
    let Some((source, manifest)) = SHIPPED.iter().zip(&manifests).find(|(source, _)| source.name == name)
    else {
        return Ok(None);
    };
    let mut tell = |step: BuildStep<'_>| output::note(&build_note(step));
    Ok(Some(Driver::shipped(source, manifest, &mut BuildWatch { tell: &mut tell, stop: None })?))
}
