//! An audit, written in the form that was asked for.

use crate::arguments::{Audit as Words, AuditForm};
use crate::command::Hinted;
use crate::redaction::{Audience, Redaction};
use crate::{output, record_file};
use anyhow::Context;
use fathom_audit::Audit;
use fathom_report::{
    AuditSource, Details, FigureForm, TextOptions, audit_csv, audit_figures, audit_markdown, audit_sarif,
    call_tree_csv, latencies_csv, render_audit, render_audit_lines, render_call_tree, report_html,
    unmet_budgets,
};
use std::io::IsTerminal;

/// What an audit is called inside its page.
const NAME_INSIDE: &str = "audit.json";

/// Makes sure, before anything is watched, that the form can go where the words say.
pub(super) fn check(words: &Words) -> anyhow::Result<()> {
    let has_tree = matches!(
        words.format,
        AuditForm::Text | AuditForm::Json | AuditForm::Csv | AuditForm::Html | AuditForm::Markdown
    );
    if words.tree && !has_tree {
        return Err(Hinted::error(
            "this form has no place for the tree",
            "`--tree` goes with `--format text`, `json`, `csv`, `html` or `markdown`",
        ));
    }
    match &words.output {
        Some(path) => record_file::check_folder(path),
        None if words.format == AuditForm::Html && std::io::stdout().is_terminal() => {
            Err(Hinted::error("a page is not written to a terminal", "name a file: `-o audit.html`"))
        }
        None => Ok(()),
    }
}

/// Writes it to where the words say.
pub(super) fn put(words: &Words, audit: Audit) -> anyhow::Result<()> {
    let audit = &redacted(words, audit)?;
    let text = match words.format {
        AuditForm::Json => output::pretty_json(audit)?,
        AuditForm::Text if words.tree => render_call_tree(audit, &text_options(words)),
        AuditForm::Text => render_audit(audit, &text_options(words)),
        AuditForm::Short => render_audit_lines(audit),
        AuditForm::Sarif => audit_sarif(audit, text_options(words).details)?,
        AuditForm::Markdown => audit_markdown(audit),
        AuditForm::Csv if words.tree => call_tree_csv(audit)?,
        AuditForm::Csv if words.waits => latencies_csv(audit)?,
        AuditForm::Csv => audit_csv(audit)?,
        AuditForm::GithubActionBenchmark => audit_figures(audit, FigureForm::GithubActionBenchmark)?,
        AuditForm::OpenMetrics => audit_figures(audit, FigureForm::OpenMetrics)?,
        AuditForm::Html => report_html(&[], None, &[AuditSource { name: NAME_INSIDE, audit }])?,
    };
    if matches!(words.format, AuditForm::Short | AuditForm::Sarif) {
        // These forms have findings alone.
        for line in unmet_budgets(audit) {
            output::note(&line);
        }
    }
    match &words.output {
        None if text.is_empty() => Ok(()),
        None => output::data(&text),
        Some(path) => record_file::put(text.trim_end().as_bytes(), path)
            .with_context(|| format!("failed to write {}", path.display())),
    }
}

/// The audit as it may be written. Hosts of code find files by their paths below the directory in
/// which the command was started.
fn redacted(words: &Words, audit: Audit) -> anyhow::Result<Audit> {
    let audience = match words.format {
        AuditForm::Sarif
        | AuditForm::Markdown
        | AuditForm::Html
        | AuditForm::GithubActionBenchmark
        | AuditForm::OpenMetrics => Audience::Public,
        AuditForm::Text | AuditForm::Short | AuditForm::Json | AuditForm::Csv => Audience::Own,
    };
    let directory = audit.command.as_ref().map(|command| command.directory.clone());
    let directory = directory.filter(|_| words.format == AuditForm::Sarif);
    let redaction = Redaction::new(words.redaction, audience);
    redaction.keeping_names_below(directory.as_deref()).apply(audit)
}

/// How text is set.
pub(super) fn text_options(words: &Words) -> TextOptions {
    let color = words.output.is_none() && output::color();
    let details = if words.full { Details::Full } else { Details::Brief };
    TextOptions { width: output::width(), color, details }
}
