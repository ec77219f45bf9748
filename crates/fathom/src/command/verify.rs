//! `fathom verify`: the claims of entries become plans, the lab measures until
//! each verdict is sure, and the record is judged. With `--from` records that
//! are there are judged.

use super::bench::plans::entry_named;
use crate::arguments::{Verify, VerifyFormat};
use crate::command::Hinted;
use crate::exit::Exit;
use crate::until_sure::{ALPHA, measure_until_sure};
use crate::{methods, output, record_file};
use fathom_catalog::{Entry, Plan, Request, SHIPPED, nearest, parse_place, plan_claims};
use fathom_claims::{Judgement, Verdict, judge};
use fathom_lab::Driver;
use fathom_model::{Claim, Record};
use fathom_report::{Details, TextOptions, render_verdicts, verdicts_as_junit};

/// Checks the claims that the command line names.
pub(crate) fn run(verify: &Verify) -> anyhow::Result<Exit> {
    let entries = entries_of(verify)?;
    check_names(verify, &entries)?;
    if !verify.from.is_empty() {
        let records =
            verify.from.iter().map(|path| record_file::read(path)).collect::<Result<Vec<_>, _>>()?;
        return finish(verify, &entries, &records.iter().collect::<Vec<_>>(), false);
    }
    if let Some(path) = &verify.until_sure.output {
        record_file::check_writable(path)?;
    }
    let own: Vec<Driver> = verify
        .until_sure
        .driver
        .iter()
        .map(|program| Driver::from_program(program))
        .collect::<Result<_, _>>()?;
    let plans = plans_of(verify, &entries, &own)?;
    let (record, interrupted) = measure_until_sure(plans, own, &verify.until_sure)?;
    let path = match &verify.until_sure.output {
        Some(path) => path.clone(),
        None => record_file::default_path(&record)?,
    };
    let written = record_file::write(&record, &path);
    let exit = finish(verify, &entries, &[&record], interrupted)?;
    written?;
    output::note(&format!("record: {}", path.display()));
    Ok(exit)
}

/// The entries whose claims are meant: those named, else all that claim something.
fn entries_of(verify: &Verify) -> anyhow::Result<Vec<Entry>> {
    let names: Vec<String> = if verify.what.is_empty() {
        SHIPPED.iter().map(|file| file.name.to_owned()).collect()
    } else {
        verify.what.clone()
    };
    let mut entries = Vec::new();
    for name in names {
        let entry = entry_named(&name)?.ok_or_else(|| {
            let hint = match nearest(&name, SHIPPED.iter().map(|file| file.name)) {
                Some(word) => format!("did you mean `{word}`?"),
                None => {
                    "`fathom list entries` shows every entry; a file of your own ends in .toml".to_owned()
                }
            };
            Hinted::error(format!("there is no experiment `{name}`"), hint)
        })?;
        if entry.claims().next().is_some() {
            entries.push(entry);
        } else if !verify.what.is_empty() {
            output::note(&format!("note: {name} claims nothing"));
        }
    }
    Ok(entries)
}

/// A claim that is named has to exist.
fn check_names(verify: &Verify, entries: &[Entry]) -> anyhow::Result<()> {
    let known = || entries.iter().flat_map(Entry::claims).map(|claim| claim.name.as_str());
    for name in &verify.claim {
        if !known().any(|known| known == name) {
            let hint = match nearest(name, known()) {
                Some(word) => format!("did you mean `{word}`?"),
                None => "`fathom verify` prints the name of each claim in brackets".to_owned(),
            };
            return Err(Hinted::error(format!("there is no claim `{name}`"), hint));
        }
    }
    Ok(())
}

fn is_wanted(verify: &Verify, claim: &Claim) -> bool {
    verify.claim.is_empty() || verify.claim.contains(&claim.name)
}

fn plans_of(verify: &Verify, entries: &[Entry], own: &[Driver]) -> anyhow::Result<Vec<Plan>> {
    let patterns = entries.iter().flat_map(Entry::method_patterns);
    let of_claims: Vec<String> = entries.iter().flat_map(Entry::claims).flat_map(Claim::methods).collect();
    let registry = methods::registry(patterns.chain(of_claims.iter().map(String::as_str)), own)?;
    let request = Request {
        quick: verify.quick,
        places: verify.dir.iter().map(|word| parse_place(word)).collect(),
        ..Request::default()
    };
    let mut plans = Vec::new();
    for entry in entries {
        let plan = plan_claims(entry, &verify.claim, &request, &registry)?;
        if !plan.claims.is_empty() {
            plans.push(plan);
        }
    }
    Ok(plans)
}

/// Judges, prints, and ends as the verdicts say.
fn finish(
    verify: &Verify,
    entries: &[Entry],
    records: &[&Record],
    interrupted: bool,
) -> anyhow::Result<Exit> {
    let claims: Vec<(&str, &Claim)> = entries
        .iter()
        .flat_map(|entry| entry.claims().map(|claim| (entry.name.as_str(), claim)))
        .filter(|(_, claim)| is_wanted(verify, claim))
        .collect();
    let judgement = judge(&claims, records, ALPHA);
    match verify.until_sure.format {
        VerifyFormat::Json => output::data(&serde_json::to_string_pretty(&judgement)?)?,
        VerifyFormat::Junit => output::data(&verdicts_as_junit(&judgement, verify.until_sure.strict)?)?,
        VerifyFormat::Text => {
            let options =
                TextOptions { width: output::width(), color: output::color(), details: Details::Brief };
            output::data(&render_verdicts(&judgement, &options))?;
        }
    }
    if records.iter().any(|record| !record.complete) && !interrupted {
        output::note("note: a record is incomplete: what it lacks is untestable here");
    }
    Ok(if interrupted { Exit::Interrupted } else { exit_of(&judgement) })
}

/// How verdicts end a run.
pub(super) fn exit_of(judgement: &Judgement) -> Exit {
    let any = |verdict| judgement.claims.iter().any(|claim| claim.verdict == verdict);
    if any(Verdict::Refuted) || any(Verdict::Confounded) {
        Exit::Findings
    } else if any(Verdict::Inconclusive) {
        Exit::Inconclusive
    } else if any(Verdict::Supported) {
        Exit::Done
    } else {
        Exit::NothingRan
    }
}
