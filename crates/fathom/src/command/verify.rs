//! `fathom verify`: the claims of entries, or of write-ups, become plans, the lab measures
//! until each verdict is sure, and the record is judged. With `--from` records that are
//! there are judged.

mod selection;

use crate::arguments::{Verify, VerifyFormat};
use crate::command::stop::own_driver;
use crate::exit::Exit;
use crate::redaction::{Audience, Redaction};
use crate::until_sure::{ALPHA, measure_until_sure};
use crate::{methods, mounts, output, record_file};
use fathom_catalog::{Entry, Plan, Request, parse_place, plan_claims};
use fathom_claims::{Judgement, Verdict, judge};
use fathom_lab::{Driver, FreshMounts};
use fathom_model::{Claim, Place, Record, StatementVerdict};
use fathom_report::{
    Details, TableForm, TextOptions, VerifiedWriteUps, render_verdicts, render_write_ups, verdicts_as_junit,
    verdicts_table, write_ups_as_junit, write_ups_table,
};
use selection::Selection;

/// Checks the claims that the command line names.
pub(crate) fn run(verify: &Verify) -> anyhow::Result<Exit> {
    let selection = Selection::new(verify)?;
    if !verify.from.is_empty() {
        let records =
            verify.from.iter().map(|path| record_file::read(path)).collect::<Result<Vec<_>, _>>()?;
        return finish(verify, &selection, &records.iter().collect::<Vec<_>>(), false);
    }
    record_file::check_place(verify.until_sure.output.as_deref())?;
    let own: Vec<Driver> =
        verify.until_sure.driver.iter().map(|program| own_driver(program)).collect::<Result<_, _>>()?;
    // Before any thread is started, since a mount namespace is a thread's.
    let mounts = mounts::make(&verify.until_sure.machine, verify.dir.first())?;
    for warning in mounts.iter().flat_map(mounts::warnings) {
        output::note(&format!("note: {}", warning.message));
    }
    let plans = plans_of(verify, &selection, &own, mounts.as_ref())?;
    if plans.is_empty() {
        return finish(verify, &selection, &[], false);
    }
    let (record, interrupted) = measure_until_sure(plans, own, &verify.until_sure)?;
    let record = Redaction::new(verify.until_sure.redaction, Audience::Own).apply(record)?;
    let path = match &verify.until_sure.output {
        Some(path) => path.clone(),
        None => record_file::default_path(&record)?,
    };
    let written = record_file::write(&record, &path);
    let exit = finish(verify, &selection, &[&record], interrupted)?;
    written?;
    output::note(&format!("record: {}", path.display()));
    Ok(exit)
}

fn plans_of(
    verify: &Verify,
    selection: &Selection,
    own: &[Driver],
    mounts: Option<&FreshMounts>,
) -> anyhow::Result<Vec<Plan>> {
    let patterns = selection.entries.iter().flat_map(Entry::method_patterns);
    let of_claims: Vec<String> =
        selection.entries.iter().flat_map(Entry::claims).flat_map(Claim::methods).collect();
    let registry = methods::registry(patterns.chain(of_claims.iter().map(String::as_str)), own)?;
    let mut places: Vec<Place> = verify.dir.iter().map(|word| parse_place(word)).collect();
    if places.is_empty() && mounts.is_some() {
        // What is asked for with --mount stands beside the usual two.
        places.extend([".", "/dev/shm"].map(parse_place));
    }
    places.extend(mounts.iter().flat_map(|mounts| mounts.places()));
    let request = Request { quick: verify.quick, places, ..Request::default() };
    let mut plans = Vec::new();
    for entry in &selection.entries {
        plans.push(plan_claims(entry, &selection.names_in(entry), &request, &registry)?);
    }
    Ok(plans)
}

/// Judges, prints, and ends as the verdicts say.
fn finish(
    verify: &Verify,
    selection: &Selection,
    records: &[&Record],
    interrupted: bool,
) -> anyhow::Result<Exit> {
    let judgement = judge(&selection.claims(), records, ALPHA);
    let exit = if verify.of.is_empty() {
        print_claims(verify, &judgement)?;
        exit_of(&judgement)
    } else {
        let in_part = !verify.claim.is_empty() || !verify.what.is_empty();
        let verified = VerifiedWriteUps::new(&selection.write_ups, judgement, in_part);
        print_write_ups(verify, &verified)?;
        exit_of_write_ups(&verified)
    };
    if records.iter().any(|record| !record.complete) && !interrupted {
        output::note("note: a record is incomplete: what it lacks is untestable here");
    }
    Ok(if interrupted { Exit::Interrupted } else { exit })
}

fn print_claims(verify: &Verify, judgement: &Judgement) -> anyhow::Result<()> {
    output::data(&match verify.until_sure.format {
        VerifyFormat::Json => output::pretty_json(judgement)?,
        VerifyFormat::Junit => verdicts_as_junit(judgement, verify.until_sure.strict)?,
        VerifyFormat::Markdown => verdicts_table(judgement, TableForm::Markdown)?,
        VerifyFormat::Csv => verdicts_table(judgement, TableForm::Csv)?,
        VerifyFormat::Text => render_verdicts(judgement, &text_options(verify)),
    })?;
    Ok(())
}

fn print_write_ups(verify: &Verify, verified: &VerifiedWriteUps) -> anyhow::Result<()> {
    output::data(&match verify.until_sure.format {
        VerifyFormat::Json => output::pretty_json(verified)?,
        VerifyFormat::Junit => write_ups_as_junit(verified, verify.until_sure.strict)?,
        VerifyFormat::Markdown => write_ups_table(verified, TableForm::Markdown)?,
        VerifyFormat::Csv => write_ups_table(verified, TableForm::Csv)?,
        VerifyFormat::Text => render_write_ups(verified, verify.evidence, &text_options(verify)),
    })?;
    Ok(())
}

fn text_options(verify: &Verify) -> TextOptions {
    let details = if verify.full || verify.evidence { Details::Full } else { Details::Brief };
    TextOptions { width: output::width(), color: output::color(), details }
}

/// How verdicts on statements end a run. What was not run leaves it open.
fn exit_of_write_ups(verified: &VerifiedWriteUps) -> Exit {
    if verified.has(StatementVerdict::Refuted) || verified.has(StatementVerdict::Confounded) {
        Exit::Findings
    } else if verified.has(StatementVerdict::Inconclusive) {
        Exit::Inconclusive
    } else if !verified.has(StatementVerdict::Supported) {
        Exit::NothingRan
    } else if verified.has(StatementVerdict::NotRun) {
        Exit::Inconclusive
    } else {
        Exit::Done
    }
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
