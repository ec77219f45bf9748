//! The machine, the places, the drivers, and what disturbed them.

use crate::document::context::Context;
use crate::document::{Block, Fact, Fold, Note, Prose, Span, Tone, said, trust};
use crate::label::title;
use crate::quantity::things;
use crate::text::{header, places};
use crate::wrap::shorten;
use fathom_model::{Comparison, ExperimentRecord, Severity, Warning};

/// Letters of the gravest warning that stand in the line over all.
const SUMMARY_LETTERS: usize = 70;

/// Facts that stand unfolded.
const FIRST: [&str; 5] = ["machine", "noise", "drivers", "places", "own files"];

/// What a reader has to know of the machine first; everything else is folded.
pub(crate) fn blocks(context: &Context<'_>) -> Vec<Block> {
    let record = context.record;
    let mut blocks = in_brief(context);
    let full = said::full(context, |page| {
        header::render(page, record);
        places::render(page, record);
    });
    let summary = "Every fact of the machine, the places and the drivers".into();
    blocks.push(Block::Fold(Fold { summary, open: false, blocks: full }));
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
    blocks.extend(warnings(context));
    let brief = said::brief(context, |page| {
        header::render(page, record);
        places::render(page, record);
    });
    blocks.extend(brief.into_iter().map(|block| telling(context, block)));
    blocks
}

/// Of facts, those that a reader needs before the first figure; the others are folded.
fn telling(context: &Context<'_>, block: Block) -> Block {
    let Block::Facts(facts) = block else { return block };
    let has_tracers =
        context.record.environment.foreign_tracers.value().is_some_and(|tracers| !tracers.is_empty());
    let mut label = String::new();
    let tells = |fact: &Fact| -> bool {
        if !fact.label.is_empty() {
            label.clone_from(&fact.label);
        }
        FIRST.contains(&label.as_str()) || (label == "tracers" && has_tracers)
    };
    Block::Facts(facts.into_iter().filter(tells).collect())
}

/// Every warning of the run and of its comparisons behind one line, the gravest first; open where
/// one is a fault.
fn warnings(context: &Context<'_>) -> Option<Block> {
    let experiments = || context.record.experiments.iter();
    let of_parts =
        experiments().flat_map(|experiment| experiment.comparisons.iter().map(move |c| (experiment, c)));
    let is_alone = experiments().map(|experiment| experiment.comparisons.len()).sum::<usize>() == 1;
    let named = |(experiment, comparison): (&ExperimentRecord, &Comparison)| {
        if is_alone { String::new() } else { format!("{}, {}: ", experiment.name, title(comparison)) }
    };
    let mut all: Vec<(String, &Warning)> =
        context.record.warnings.iter().map(|warning| (String::new(), warning)).collect();
    all.extend(of_parts.flat_map(|part| part.1.warnings.iter().map(move |warning| (named(part), warning))));
    all.sort_by_key(|(_, warning)| std::cmp::Reverse(warning.severity));
    let (_, gravest) = all.first()?;
    let count = |severity, noun: &str| {
        let number = all.iter().filter(|(_, warning)| warning.severity == severity).count() as u64;
        (number > 0).then(|| things(number, noun))
    };
    let counts = [(Severity::Fault, "fault"), (Severity::Warning, "warning"), (Severity::Note, "note")];
    let counts: Vec<String> =
        counts.into_iter().filter_map(|(severity, noun)| count(severity, noun)).collect();
    let first = shorten(&gravest.message, SUMMARY_LETTERS);
    let summary = context.prose(&format!("{}: {first}", counts.join(", ")));
    let open = gravest.severity == Severity::Fault;
    let blocks = all.iter().map(|(of, warning)| note(context, of, warning)).collect();
    Some(Block::Fold(Fold { summary, open, blocks }))
}

fn note(context: &Context<'_>, of: &str, warning: &Warning) -> Block {
    let (tone, word) = match warning.severity {
        Severity::Note => (Tone::Plain, "note"),
        Severity::Warning => (Tone::Bad, "warning"),
        Severity::Fault => (Tone::Bad, "fault"),
    };
    let mut prose = context.prose(&format!("{of}{}.", warning.message.trim_end_matches('.')));
    if let Some(hint) = &warning.hint {
        prose.0.push(Span::Plain(" ".to_owned()));
        prose.0.extend(context.prose(&format!("{hint}.")).capitalized().0);
    }
    Block::Note(Note { tone, word: word.to_owned(), prose })
}
