//! The machine, the places, the drivers, and what disturbed them.

use crate::Details;
use crate::document::context::Context;
use crate::document::experiment::capitalized;
use crate::document::{Block, Fact, Fold, Note, Prose, Span, Tone, said, trust};
use crate::page::Page;
use crate::text::{header, places};
use fathom_model::{Severity, Warning};

/// Facts that stand unfolded.
const FIRST: [&str; 5] = ["machine", "noise", "drivers", "places", "own files"];

/// What a reader has to know of the machine first; everything else is folded.
pub(crate) fn blocks(context: &Context<'_>) -> Vec<Block> {
    let record = context.record;
    let mut blocks = in_brief(context);
    let full = Page::collect(Details::Full, |page| {
        header::render(page, record);
        places::render(page, record);
    });
    let summary = "Every fact of the machine, the places and the drivers".into();
    blocks.push(Block::Fold(Fold { summary, open: false, blocks: said::blocks(context, full) }));
    blocks
}

/// The same of one record among others, behind its name.
pub(crate) fn fold(context: &Context<'_>, name: &str) -> Block {
    let trust = trust::sentence(&[context.record]);
    let mut summary = Prose::code(name);
    summary.0.push(Span::Plain(format!(": {trust}")));
    Block::Fold(Fold { summary, open: false, blocks: in_brief(context) })
}

fn in_brief(context: &Context<'_>) -> Vec<Block> {
    let record = context.record;
    let mut blocks = Vec::new();
    if !record.complete {
        let prose = "The run was interrupted or failed: what follows is the part that was measured.".into();
        blocks.push(Block::Note(Note { tone: Tone::Bad, word: "incomplete".to_owned(), prose }));
    }
    blocks.extend(warnings(context, &record.warnings));
    let brief = Page::collect(Details::Brief, |page| {
        header::render(page, record);
        places::render(page, record);
    });
    blocks.extend(said::blocks(context, brief).into_iter().map(telling));
    blocks
}

/// Of facts, those that a reader needs before the first figure; the others are folded.
fn telling(block: Block) -> Block {
    let Block::Facts(facts) = block else { return block };
    let mut label = String::new();
    let tells = |fact: &Fact| -> bool {
        if !fact.label.is_empty() {
            label.clone_from(&fact.label);
        }
        FIRST.contains(&label.as_str()) || (label == "tracers" && fact.prose.text().starts_with("OF OTHERS"))
    };
    Block::Facts(facts.into_iter().filter(tells).collect())
}

/// Warnings as notes, the gravest first.
pub(crate) fn warnings(context: &Context<'_>, warnings: &[Warning]) -> Vec<Block> {
    let mut sorted: Vec<_> = warnings.iter().collect();
    sorted.sort_by_key(|warning| std::cmp::Reverse(warning.severity));
    let note = |warning: &&Warning| {
        let (tone, word) = match warning.severity {
            Severity::Note => (Tone::Plain, "note"),
            Severity::Warning => (Tone::Bad, "warning"),
            Severity::Fault => (Tone::Bad, "fault"),
        };
        let hint = warning.hint.as_ref().map(|hint| format!(" {}.", capitalized(hint))).unwrap_or_default();
        let prose = context.prose(&format!("{}.{hint}", warning.message.trim_end_matches('.')));
        Block::Note(Note { tone, word: word.to_owned(), prose })
    };
    sorted.iter().map(note).collect()
}
