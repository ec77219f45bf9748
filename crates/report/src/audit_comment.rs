//! An audit as Markdown for a comment on a change.

use crate::document::audit::{document, section_id};
use crate::document::{Block, Document, Section};
use crate::markdown::{self, Purpose};
use fathom_audit::Audit;

/// Hosts of code refuse comments of more than 65,536 characters.
const COMMENT_MAX_CHARS: usize = 60_000;
/// What can be done without, in the order in which it is left out.
const SPARED: [&str; 5] = ["calls", "not-yours", "suppressed", "costs", "dangers"];

/// A table of all findings, and each behind a fold, as far as a comment has room. Pure.
pub fn audit_markdown(audit: &Audit) -> String {
    within(document(audit), COMMENT_MAX_CHARS)
}

fn within(mut document: Document, chars_max: usize) -> String {
    let mut spared = Vec::new();
    let mut text = markdown::render(&document, Purpose::Comment);
    for name in SPARED {
        if text.chars().count() <= chars_max {
            break;
        }
        let id = section_id(name);
        let Some(at) = document.sections.iter().position(|section| section.id == id) else { continue };
        if spared.is_empty() {
            document.sections.push(Section { title: "Left out".to_owned(), ..Section::default() });
        }
        spared.push(document.sections.remove(at).title);
        let said =
            format!("A comment has no room for: {}. `--format html` has all of it.", spared.join("; "));
        if let Some(last) = document.sections.last_mut() {
            last.blocks = vec![Block::Prose(said.into())];
        }
        text = markdown::render(&document, Purpose::Comment);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::tests::sample;

    #[test]
    fn what_a_comment_has_no_room_for_is_named() {
        let whole = audit_markdown(&sample());
        assert!(!whole.contains("Left out") && whole.contains("#### All calls"), "{whole}");
        let chars = whole.chars().count();
        let shorter = within(document(&sample()), chars - 1);
        assert!(
            shorter.contains("no room for: All calls.") && !shorter.contains("#### All calls"),
            "{shorter}"
        );
        assert!(shorter.contains("#### Dangers"), "{shorter}");
        let least = within(document(&sample()), 0);
        assert!(!least.contains("<details>") && least.contains("| R54 a descriptor"), "{least}");
    }
}
