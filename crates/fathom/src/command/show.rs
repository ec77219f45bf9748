//! `fathom show`: a record or an audit printed again.

use crate::arguments::{Format, Rendering, Show};
use crate::exit::Exit;
use crate::output;
use crate::record_file::{self, Kept};
use fathom_audit::Audit;
use fathom_model::{CommandComparison, Record};
use fathom_report::{
    Details, TextOptions, render_audit, render_brief, render_commands, render_ranked, render_text,
};
use fathom_stats::{compare_commands, rank_commands};

/// Prints a record.
pub(crate) fn run(show: &Show) -> anyhow::Result<Exit> {
    let path = record_file::named_or_last(show.record.as_deref())?;
    match record_file::read_any(&path)? {
        Kept::Record(record) => print(&record, show.rendering, show.brief)?,
        Kept::Commands(measured) => print_commands(&measured, show.rendering)?,
        Kept::Audit(audit) => print_audit(&audit, show.rendering)?,
    }
    Ok(Exit::Done)
}

/// Prints a record as asked, or the short answer alone.
pub(crate) fn print(record: &Record, rendering: Rendering, is_brief: bool) -> anyhow::Result<()> {
    match rendering.format {
        Format::Text if is_brief => output::data(render_brief(record, &text_options(rendering)).trim_end()),
        Format::Json => output::data(&output::json(record)?),
        Format::Text => output::data(&render_text(record, &text_options(rendering))),
    }
}

fn print_commands(measured: &CommandComparison, rendering: Rendering) -> anyhow::Result<()> {
    match rendering.format {
        Format::Json => output::data(&output::json(measured)?),
        Format::Text if !measured.further.is_empty() || measured.old.output.is_some() => {
            output::data(&render_ranked(measured, &rank_commands(measured), &text_options(rendering)))
        }
        Format::Text => {
            let found = compare_commands(measured, &[]);
            output::data(&render_commands(measured, &found, &text_options(rendering)))
        }
    }
}

fn print_audit(audit: &Audit, rendering: Rendering) -> anyhow::Result<()> {
    match rendering.format {
        Format::Json => output::data(&output::json(audit)?),
        Format::Text => output::data(&render_audit(audit, &text_options(rendering))),
    }
}

/// How text is printed.
pub(crate) fn text_options(rendering: Rendering) -> TextOptions {
    let details = if rendering.full { Details::Full } else { Details::Brief };
    TextOptions { width: output::width(), color: output::color(), details }
}
