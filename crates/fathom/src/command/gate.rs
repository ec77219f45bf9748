//! `fathom gate`: a project's operations against the budgets it gives them.

use super::verify::exit_of;
use crate::arguments::{Gate, VerifyFormat};
use crate::command::Hinted;
use crate::command::stop::own_driver;
use crate::exit::Exit;
use crate::redaction::{Audience, Redaction};
use crate::until_sure::{ALPHA, measure_until_sure};
use crate::{methods, output, record_file};
use anyhow::Context;
use fathom_catalog::{Budgets, Request, parse_place, plan_claims};
use fathom_claims::judge;
use fathom_lab::Driver;
use fathom_lab::limited_read::read_text;
use fathom_model::{Claim, Metric, Subject};
use fathom_report::{Details, TableForm, TextOptions, render_budgets, verdicts_as_junit, verdicts_table};
use fathom_trace::Call;
use std::path::{Path, PathBuf};

/// Measures what the budgets speak of, prints, and ends as they say.
pub(crate) fn run(gate: &Gate) -> anyhow::Result<Exit> {
    let file = gate.budgets.display().to_string();
    let text = read_text(&gate.budgets).map_err(|error| {
        Hinted::error(
            format!("failed to read {file}: {error}"),
            "`fathom gate --help` shows what a file of budgets holds",
        )
    })?;
    let budgets = Budgets::parse(&file, &text)?;
    check_calls(&budgets)?;
    if let Some(path) = &gate.until_sure.output {
        record_file::check_writable(path)?;
    }
    let own = drivers(gate, &budgets)?;
    let of_claims: Vec<String> = budgets.entry.claims().flat_map(Claim::methods).collect();
    let registry = methods::registry(of_claims.iter().map(String::as_str), &own)?;
    let request = Request { places: vec![parse_place(&gate.dir)], ..Request::default() };
    let plan = plan_claims(&budgets.entry, &[], &request, &registry)?;
    let (record, interrupted) = measure_until_sure(vec![plan], own, &gate.until_sure)?;
    let record = Redaction::new(gate.until_sure.redaction, Audience::Own).apply(record)?;
    let written = gate.until_sure.output.as_ref().map(|path| record_file::write(&record, path));
    let claims: Vec<(&str, &Claim)> = budgets.entry.claims().map(|claim| ("budgets", claim)).collect();
    let judgement = judge(&claims, &[&record], ALPHA);
    match gate.until_sure.format {
        VerifyFormat::Json => output::data(&output::pretty_json(&judgement)?)?,
        VerifyFormat::Junit => output::data(&verdicts_as_junit(&judgement, gate.until_sure.strict)?)?,
        VerifyFormat::Markdown => output::data(&verdicts_table(&judgement, TableForm::Markdown)?)?,
        VerifyFormat::Csv => output::data(&verdicts_table(&judgement, TableForm::Csv)?)?,
        VerifyFormat::Text => {
            let options =
                TextOptions { width: output::width(), color: output::color(), details: Details::Brief };
            output::data(&render_budgets(&judgement, &options))?;
        }
    }
    written.transpose()?;
    Ok(if interrupted { Exit::Interrupted } else { exit_of(&judgement) })
}

/// A misspelt call is never made, and its budget would always hold.
fn check_calls(budgets: &Budgets) -> anyhow::Result<()> {
    for claim in budgets.entry.claims() {
        for check in &claim.checks {
            let Subject::Variants { metric: Metric::Call(name), .. } = &check.subject else { continue };
            let call = name.split_once('=').map_or(name.as_str(), |(call, _)| call);
            if Call::named(call).is_none() {
                return Err(Hinted::error(
                    format!("budget {}: no system call `{call}`", claim.name),
                    "names are the kernel's: openat, newfstatat, pread64",
                ));
            }
        }
    }
    Ok(())
}

/// The drivers of the command line and of the file; paths of the file begin where it lies.
fn drivers(gate: &Gate, budgets: &Budgets) -> anyhow::Result<Vec<Driver>> {
    let folder = gate.budgets.parent().unwrap_or(Path::new(""));
    let of_file = budgets.drivers.iter().map(|path| folder.join(path));
    let programs: Vec<PathBuf> = gate.until_sure.driver.iter().cloned().chain(of_file).collect();
    programs
        .iter()
        .map(|program| own_driver(program).with_context(|| format!("failed to use {}", program.display())))
        .collect()
}
