//! `fathom compare`: two records beside each other, nothing measured.

use crate::arguments::{Compare, CompareFormat};
use crate::exit::Exit;
use crate::{output, record_file};
use fathom_report::{Details, TextOptions, render_record_comparison};
use fathom_stats::{CompareOptions, GateVerdict, RecordComparison, compare_records};

/// Compares, prints, and ends as the gates say.
pub(crate) fn run(compare: &Compare) -> anyhow::Result<Exit> {
    let (old, new) = (record_file::read(&compare.old)?, record_file::read(&compare.new)?);
    let names = [&compare.old, &compare.new].map(|path| path.display().to_string());
    let options = CompareOptions {
        names: [&names[0], &names[1]],
        across_machines: compare.across_machines,
        gates: &compare.fail_on,
    };
    let found = compare_records(&old, &new, options);
    match compare.format {
        CompareFormat::Json => output::data(&serde_json::to_string_pretty(&found)?)?,
        CompareFormat::Text => {
            let options =
                TextOptions { width: output::width(), color: output::color(), details: Details::Brief };
            output::data(&render_record_comparison(&found, &options))?;
        }
    }
    Ok(exit(&found))
}

fn exit(found: &RecordComparison) -> Exit {
    if found.variants.is_empty() {
        return Exit::NothingRan;
    }
    match found.verdict() {
        Some(GateVerdict::Fails) => Exit::Findings,
        Some(GateVerdict::Inconclusive) => Exit::Inconclusive,
        Some(GateVerdict::Holds) | None => Exit::Done,
    }
}
