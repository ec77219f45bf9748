//! A comparison of two sides, written in the forms that were asked for.

use crate::arguments::{Ci as Words, CiForm};
use crate::redaction::{Audience, Redaction};
use crate::{output, record_file};
use anyhow::Context;
use fathom_audit::ChangeReport;
use fathom_report::{Details, TextOptions, change_csv, change_html, change_markdown, render_change_report};
use std::path::Path;

/// Makes sure, before anything runs, that every form can go where the words say.
pub(super) fn check(words: &Words) -> anyhow::Result<()> {
    let files = [&words.output, &words.markdown, &words.html];
    files.into_iter().flatten().try_for_each(|path| record_file::check_folder(path))
}

/// Writes all of them.
pub(super) fn put(words: &Words, report: &ChangeReport) -> anyhow::Result<()> {
    let for_audience = |audience| Redaction::new(words.redaction, audience).apply(report.clone());
    let public = for_audience(Audience::Public)?;
    if let Some(path) = &words.markdown {
        write(&change_markdown(&public), path)?;
    }
    if let Some(path) = &words.html {
        write(&change_html(&public)?, path)?;
    }
    let own = for_audience(Audience::Own)?;
    let text = match words.format {
        CiForm::Text => render_change_report(&own, &text_options(words)),
        CiForm::Markdown => change_markdown(&public),
        CiForm::Csv => change_csv(&own)?,
        CiForm::Json => output::pretty_json(&own)?,
    };
    match &words.output {
        None => output::data(&text),
        Some(path) => write(&text, path),
    }
}

fn write(text: &str, path: &Path) -> anyhow::Result<()> {
    record_file::put(text.trim_end().as_bytes(), path)
        .with_context(|| format!("failed to write {}", path.display()))
}

fn text_options(words: &Words) -> TextOptions {
    let color = words.output.is_none() && output::color();
    let details = if words.full { Details::Full } else { Details::Brief };
    TextOptions { width: output::width(), color, details }
}
