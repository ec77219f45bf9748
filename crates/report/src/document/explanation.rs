//! What explains one comparison, in the order in which one understands it: what each
//! method asks of the kernel, where its time goes, what the kernel counted meanwhile,
//! where it was found running, and how far processes lie apart; and, for the result itself,
//! how single operations lie and how a long run went on. Each only where the record has it.

mod arguments;
mod breakdown;
mod call_kinds;
mod counters;
mod distribution;
mod flame;
mod forks;
mod profile;
mod recipes;
mod sentences;
mod timeline;
mod waste;

use crate::document::context::Context;
use crate::document::{Block, Item, Tone};
use fathom_model::Comparison;

/// The blocks; none where nothing but times is known. Ids of figures begin with the
/// context's own.
pub(crate) fn blocks(context: &Context<'_>, comparison: &Comparison, labels: &[String]) -> Vec<Block> {
    let parts =
        [recipes::blocks, equal_calls, breakdown::blocks, counters::blocks, profile::blocks, forks::blocks];
    parts.into_iter().flat_map(|part| part(context, comparison, labels)).collect()
}

/// What else was counted of functions that take unequal times by equal calls.
fn equal_calls(context: &Context<'_>, comparison: &Comparison, labels: &[String]) -> Vec<Block> {
    let sentences = crate::equal_calls::sentences(comparison, labels);
    if sentences.is_empty() {
        return Vec::new();
    }
    let item = |text: &String| Item { depth: 0, tone: Tone::Plain, prose: context.prose(text) };
    let items = Block::List(sentences.iter().map(item).collect());
    vec![Block::Prose("Unequal times by the same calls:".into()), items]
}

/// How a long run went on: for an entry that asks for it, the result itself.
pub(crate) fn course(context: &Context<'_>, comparison: &Comparison, labels: &[String]) -> Vec<Block> {
    timeline::blocks(context, comparison, labels)
}

/// How the times of single operations lie, where they were taken.
pub(crate) fn spread(context: &Context<'_>, comparison: &Comparison, labels: &[String]) -> Vec<Block> {
    distribution::blocks(context, comparison, labels)
}

#[cfg(test)]
mod tests;
