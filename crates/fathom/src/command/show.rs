//! `fathom show`: a record printed again.

use crate::arguments::{Format, Rendering, Show};
use crate::exit::Exit;
use crate::{output, record_file};
use fathom_model::Record;
use fathom_report::{Details, TextOptions, render_text};

/// Prints a record.
pub(crate) fn run(show: &Show) -> anyhow::Result<Exit> {
    let record = record_file::read(&show.record)?;
    print(&record, show.rendering)?;
    Ok(Exit::Done)
}

/// Prints a record as asked.
pub(crate) fn print(record: &Record, rendering: Rendering) -> anyhow::Result<()> {
    match rendering.format {
        Format::Json => output::data(&serde_json::to_string(record)?),
        Format::Text => {
            let details = if rendering.full { Details::Full } else { Details::Brief };
            let options = TextOptions { width: output::width(), color: output::color(), details };
            output::data(&render_text(record, &options))
        }
    }
}
