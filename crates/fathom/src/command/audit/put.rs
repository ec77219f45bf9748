//! An audit, written in the form that was asked for.

use crate::arguments::{Audit as Words, Format};
use crate::{output, record_file};
use anyhow::Context;
use fathom_audit::Audit;
use fathom_report::{Details, TextOptions, render_audit};

/// Writes it to where the words say.
pub(super) fn put(words: &Words, audit: &Audit) -> anyhow::Result<()> {
    let text = match words.format {
        Format::Json => serde_json::to_string_pretty(audit)?,
        Format::Text => {
            let color = words.output.is_none() && output::color();
            let options = TextOptions { width: output::width(), color, details: Details::Brief };
            render_audit(audit, &options)
        }
    };
    match &words.output {
        None => output::data(&text),
        Some(path) => record_file::put(text.trim_end().as_bytes(), path)
            .with_context(|| format!("failed to write {}", path.display())),
    }
}
