//! `fathom compare`: two records beside each other; or two commands, drivers or
//! toolchains measured in turns, and what was written of them judged again.

mod builds;
pub(super) mod commands;

use crate::arguments::{Compare, FormatWriter};
use crate::command::Hinted;
use crate::exit::Exit;
use crate::output;
use crate::record_file::{self, Kept};
use fathom_report::{
    Details, TextOptions, record_comparison_figures, record_comparison_table, render_record_comparison,
};
use fathom_stats::{
    CompareOptions, GateMetric, GateVerdict, RecordComparison, compare_builds, compare_records,
};
use std::path::Path;

/// Compares, prints, and ends as the gates say.
pub(crate) fn run(compare: &Compare) -> anyhow::Result<Exit> {
    match compare.records.as_slice() {
        [old, new] => of_records(compare, old, new),
        [kept] => of_kept(compare, kept),
        _ => {
            refuse_ratio_gates(compare)?;
            if compare.commands.is_empty() { builds::run(compare) } else { commands::run(compare) }
        }
    }
}

fn of_records(compare: &Compare, old: &Path, new: &Path) -> anyhow::Result<Exit> {
    let records = (record_file::read(old)?, record_file::read(new)?);
    let names = [old, new].map(|path| path.display().to_string());
    let options = CompareOptions {
        names: [&names[0], &names[1]],
        across_machines: compare.across_machines,
        gates: &compare.fail_on,
    };
    finish(compare, &compare_records(&records.0, &records.1, options))
}

/// One record that holds both sides.
fn of_kept(compare: &Compare, path: &Path) -> anyhow::Result<Exit> {
    refuse_ratio_gates(compare)?;
    match record_file::read_any(path)? {
        Kept::Commands(measured) => commands::finish(compare, &measured),
        Kept::Audit(_) => Err(Hinted::error(
            format!("{} is an audit: it holds no times", path.display()),
            "`fathom show` prints it",
        )),
        Kept::Record(record) => {
            let name = path.display().to_string();
            let found = compare_builds(&record, &name, &compare.fail_on).map_err(|error| {
                Hinted::error(
                    format!("{name} {error}"),
                    "two records are compared by `fathom compare OLD NEW`; two builds are measured by \
                     --drivers or --toolchain",
                )
            })?;
            finish(compare, &found)
        }
    }
}

/// What is measured interleaved has no other baseline than the old side.
fn refuse_ratio_gates(compare: &Compare) -> anyhow::Result<()> {
    match compare.fail_on.iter().find(|gate| gate.metric == GateMetric::Ratio) {
        Some(gate) => Err(Hinted::error(
            format!(
                "--fail-on '{gate}': what is measured interleaved is paired already, there is no other baseline"
            ),
            "use `time > +2%`",
        )),
        None => Ok(()),
    }
}

/// Prints a comparison of records or builds.
fn finish(compare: &Compare, found: &RecordComparison) -> anyhow::Result<Exit> {
    let text = match compare.format.writer() {
        FormatWriter::Json => output::pretty_json(found)?,
        FormatWriter::Table(form) => record_comparison_table(found, form)?,
        // No figures where nothing was compared: the exit code says so.
        FormatWriter::Figures(_) if found.variants.is_empty() => return Ok(Exit::NothingRan),
        FormatWriter::Figures(form) => record_comparison_figures(found, form)?,
        FormatWriter::Text => render_record_comparison(found, &text_options()),
    };
    output::data(&text)?;
    Ok(if found.variants.is_empty() { Exit::NothingRan } else { exit_of(found.verdict()) })
}

fn text_options() -> TextOptions {
    TextOptions { width: output::width(), color: output::color(), details: Details::Brief }
}

fn exit_of(verdict: Option<GateVerdict>) -> Exit {
    match verdict {
        Some(GateVerdict::Fails) => Exit::Findings,
        Some(GateVerdict::Inconclusive) => Exit::Inconclusive,
        Some(GateVerdict::Holds) | None => Exit::Done,
    }
}
