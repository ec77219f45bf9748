//! `cargo xtask calibrate`: the instrument checked against itself and against
//! things whose cost is known some other way. This file owns the order of the
//! checks and what becomes of their findings; each check has a file of its own.

mod bare_loop;
mod data_set_speed;
mod document;
pub(crate) mod false_alarms;
pub(crate) mod figures;
mod finding;
mod fio;
mod injected;
pub(crate) mod programs;
mod same;
pub(crate) mod session;
mod share;

use crate::Calibrate;
use anyhow::Context;
use clap::ValueEnum;
use finding::{Finding, Outcome, table};
use session::Session;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// The section of docs/METHODOLOGY.md.
const SECTION: &str = "calibration";

/// The user interrupted it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// A check of the instrument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Check {
    /// One method under two names
    Same,
    /// Known costs put into an operation
    Injected,
    /// Times against those of a bare C loop
    BareLoop,
    /// Times against those of fio
    Fio,
    /// The speed of making data sets against dd
    DataSetSpeed,
}

/// How much of everything.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Effort {
    /// Sessions of the A/A and injection checks.
    sittings: u32,
    /// Rounds of the alternating checks.
    rounds: u32,
    /// Seconds of a session of the injection checks.
    injected_s: f64,
    data_bytes: u64,
    data_rounds: u32,
}

impl Effort {
    fn of(arguments: &Calibrate) -> Self {
        let full = Self { sittings: 40, rounds: 12, injected_s: 3.0, data_bytes: 1 << 30, data_rounds: 10 };
        let quick = Self { sittings: 8, rounds: 6, injected_s: 1.5, data_bytes: 256 << 20, data_rounds: 5 };
        let effort = if arguments.quick { quick } else { full };
        Self { sittings: arguments.sittings.unwrap_or(effort.sittings), ..effort }
    }
}

/// Runs the checks, prints the table and keeps what it rests on.
pub(crate) fn run(arguments: &Calibrate) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(!cfg!(debug_assertions), "this is a debug build: run `cargo xtask calibrate`");
    let begun = Instant::now();
    let effort = Effort::of(arguments);
    let out = out_directory(arguments.out.as_deref(), SECTION)?;
    let mut session = Session::begin(&out, &arguments.dir)?;
    let findings = all_findings(&mut session, effort, &arguments.only)?;
    let quick = "A quick run (`--quick`), for orientation only";
    let kind = if arguments.quick { quick } else { "A full run" };
    let heading = document::heading(kind, session.records(), begun.elapsed());
    let text = format!("{heading}\n\n{}", table(&findings));
    std::fs::write(out.join("calibration.md"), &text).context("failed to write the table")?;
    writeln!(std::io::stdout(), "{text}")?;
    note(&format!("raw records: {}", out.display()));
    if arguments.write {
        document::write(SECTION, &text)?;
    }
    Ok(exit_code_of(&findings.iter().map(|finding| finding.outcome).collect::<Vec<_>>()))
}

fn all_findings(session: &mut Session, effort: Effort, only: &[Check]) -> anyhow::Result<Vec<Finding>> {
    let wanted = |check| only.is_empty() || only.contains(&check);
    let mut findings = Vec::new();
    if wanted(Check::Same) {
        findings.extend(same::check(session, effort.sittings)?);
    }
    let same_records = session.records().len();
    if wanted(Check::Injected) {
        findings.extend(injected::check(session, effort.sittings, effort.injected_s)?);
    }
    if wanted(Check::BareLoop) {
        findings.extend(bare_loop::check(session, effort.rounds)?);
    }
    if wanted(Check::Fio) {
        findings.push(fio::check(session, effort.rounds)?);
    }
    findings.extend(same::check_controls(&session.records()[same_records..]));
    if wanted(Check::DataSetSpeed) {
        findings.extend(data_set_speed::check(session, effort.data_bytes, effort.data_rounds)?);
    }
    Ok(findings)
}

fn exit_code_of(outcomes: &[Outcome]) -> ExitCode {
    let any = |outcome| outcomes.contains(&outcome);
    ExitCode::from(if any(Outcome::Failed) {
        1
    } else if any(Outcome::Undecided) {
        3
    } else {
        0
    })
}

/// The directory for raw records: the caller's, or a new one beside the build.
/// One with something in it is refused, so that no two runs are mixed.
fn out_directory(given: Option<&Path>, name: &str) -> anyhow::Result<PathBuf> {
    let out = if let Some(out) = given {
        out.to_owned()
    } else {
        let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
        let time = jiff::Timestamp::now().round(jiff::Unit::Second)?.to_string().replace([':', '-'], "");
        Path::new(&target).join(format!("{name}-{time}"))
    };
    std::fs::create_dir_all(&out).with_context(|| format!("failed to make {}", out.display()))?;
    let mut entries = std::fs::read_dir(&out)?;
    anyhow::ensure!(entries.next().is_none(), "{} is not empty", out.display());
    Ok(out)
}

/// A line for the person who waits.
pub(crate) fn note(line: &str) {
    // Nobody is left to be told that standard error is closed.
    let _ = writeln!(std::io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_weighs_more_than_what_is_undecided() {
        let code = |outcomes: &[Outcome]| format!("{:?}", exit_code_of(outcomes));
        let is = |number: u8| format!("{:?}", ExitCode::from(number));
        assert_eq!(code(&[Outcome::Passed, Outcome::Reported]), is(0));
        assert_eq!(code(&[Outcome::Undecided, Outcome::Failed]), is(1));
        assert_eq!(code(&[Outcome::Passed, Outcome::Undecided]), is(3));
    }

    #[test]
    fn a_directory_with_something_in_it_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        out_directory(Some(&folder.path().join("new/one")), "x").unwrap();
        std::fs::write(folder.path().join("old.json"), "{}").unwrap();
        assert!(out_directory(Some(folder.path()), "x").is_err());
    }
}
