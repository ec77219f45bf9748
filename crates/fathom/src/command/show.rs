//! `fathom show`: a record or an audit printed again.

use crate::arguments::{Format, Rendering, Show};
use crate::exit::Exit;
use crate::output;
use crate::record_file::{self, Kept};
use fathom_audit::Audit;
use fathom_model::{CommandComparison, Record};
use fathom_report::{Details, TextOptions, render_audit, render_commands, render_text};
use fathom_stats::compare_commands;

/// Prints a record.
pub(crate) fn run(show: &Show) -> anyhow::Result<Exit> {
    match record_file::read_any(&show.record)? {
        Kept::Record(record) => print(&record, show.rendering)?,
        Kept::Commands(measured) => print_commands(&measured, show.rendering)?,
        Kept::Audit(audit) => print_audit(&audit, show.rendering)?,
    }
    Ok(Exit::Done)
}

/// Prints a record as asked.
pub(crate) fn print(record: &Record, rendering: Rendering) -> anyhow::Result<()> {
    match rendering.format {
        Format::Json => output::data(&serde_json::to_string(record)?),
        Format::Text => output::data(&render_text(record, &text_options(rendering))),
    }
}

fn print_commands(measured: &CommandComparison, rendering: Rendering) -> anyhow::Result<()> {
    match rendering.format {
        Format::Json => output::data(&serde_json::to_string(measured)?),
        Format::Text => {
            let found = compare_commands(measured, &[]);
            output::data(&render_commands(measured, &found, &text_options(rendering)))
        }
    }
}

fn print_audit(audit: &Audit, rendering: Rendering) -> anyhow::Result<()> {
    match rendering.format {
        Format::Json => output::data(&serde_json::to_string(audit)?),
        Format::Text => output::data(&render_audit(audit, &text_options(rendering))),
    }
}

fn text_options(rendering: Rendering) -> TextOptions {
    let details = if rendering.full { Details::Full } else { Details::Brief };
    TextOptions { width: output::width(), color: output::color(), details }
}
