//! Warnings with their weight in words, and what to do about each.

use crate::page::{Ink, Page};
use fathom_model::{Severity, Warning};

/// The warnings, the gravest first.
pub(crate) fn render(page: &mut Page, indent: usize, warnings: &[Warning]) {
    if warnings.is_empty() {
        return;
    }
    page.blank();
    let mut sorted: Vec<_> = warnings.iter().collect();
    sorted.sort_by_key(|warning| std::cmp::Reverse(warning.severity));
    for warning in sorted {
        let (word, ink) = match warning.severity {
            Severity::Note => ("note", Ink::Plain),
            Severity::Warning => ("warning", Ink::Bad),
            Severity::Fault => ("FAULT", Ink::Bad),
        };
        page.paragraph(indent, ink, &format!("{word}: {} [{}]", warning.message, warning.code));
        if let Some(hint) = &warning.hint {
            page.paragraph(indent + 2, Ink::Plain, &format!("hint: {hint}"));
        }
    }
}
