//! A search, written in the form that was asked for.

use crate::arguments::{Bisect as Words, BisectForm};
use crate::redaction::{Audience, Redaction};
use crate::{output, record_file};
use anyhow::Context;
use fathom_audit::Bisection;
use fathom_report::{Details, TextOptions, bisection_markdown, render_bisection};

/// Makes sure, before anything runs, that the form can go where the words say.
pub(super) fn check(words: &Words) -> anyhow::Result<()> {
    words.output.as_deref().map_or(Ok(()), record_file::check_folder)
}

/// Writes it.
pub(super) fn put(words: &Words, bisection: &Bisection) -> anyhow::Result<()> {
    let audience = if words.format == BisectForm::Markdown { Audience::Public } else { Audience::Own };
    let bisection = Redaction::new(words.redaction, audience).apply(bisection.clone())?;
    let text = match words.format {
        BisectForm::Text => {
            let color = words.output.is_none() && output::color();
            let details = if words.full { Details::Full } else { Details::Brief };
            render_bisection(&bisection, &TextOptions { width: output::width(), color, details })
        }
        BisectForm::Markdown => bisection_markdown(&bisection),
        BisectForm::Json => output::pretty_json(&bisection)?,
    };
    match &words.output {
        None => output::data(&text),
        Some(path) => record_file::put(text.trim_end().as_bytes(), path)
            .with_context(|| format!("failed to write {}", path.display())),
    }
}
