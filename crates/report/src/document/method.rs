//! How it was measured, and what the words of the tables mean.

use crate::document::context::Context;
use crate::document::{Block, Item, Prose, Span, Tone, said};
use crate::text::legend;

/// What holds of every figure of Fathom's.
const PRINCIPLES: [&str; 6] = [
    "System calls are counted in a pass of their own, under a tracer: runs of n and of 2n operations, subtracted and divided. An integer comes out, or the fraction is real.",
    "Times are taken in another pass, with no tracer: all methods stand by as processes, and each block runs one batch of every method in random order. Ratios are paired inside the block, so that what the machine does to all of them cancels.",
    "The unit of inference is the fork, a fresh life of the driver processes, never the operation. Intervals are confidence sequences over forks: they hold whenever one stops.",
    "Cache states are checked before and after each sample: warm means that the kernel said that every page was there, cold that none was. A sample that fails the check is discarded and counted.",
    "Every answer is checked against the data: bytes and checksum have to be right, or it is an error and no result.",
    "The baseline runs twice in every block. When it differs from itself, the instrument is at fault and nothing is claimed.",
];

/// Principles, the words of the tables, and how each record was made.
pub(crate) fn blocks(contexts: &[Context<'_>]) -> Vec<Block> {
    let item = |text: &&str| Item { depth: 0, tone: Tone::Plain, prose: (*text).into() };
    let mut blocks = vec![Block::List(PRINCIPLES.iter().map(item).collect())];
    if let Some(context) = contexts.first() {
        blocks.extend(said::brief(context, |page| legend::columns(page, context.record)));
    }
    let made = contexts.iter().map(|context| Item { depth: 0, tone: Tone::Plain, prose: made(context) });
    blocks.push(Block::List(made.collect()));
    blocks
}

/// With which words, and from which seed.
fn made(context: &Context<'_>) -> Prose {
    let record = context.record;
    let words: Vec<_> = record.command.iter().map(String::as_str).collect();
    // Where the program lay tells nothing.
    let program = words.first().map_or("fathom", |path| path.rsplit('/').next().unwrap_or(path));
    let rest = words.get(1..).unwrap_or_default().join(" ");
    Prose(vec![
        Span::Code(format!("{program} {rest}").trim().to_owned()),
        Span::Plain(format!(", {}, Fathom {}, seed {}", record.created, record.fathom_version, record.seed)),
    ])
}
