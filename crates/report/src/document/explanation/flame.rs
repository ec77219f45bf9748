//! Flame graphs of a comparison: as many as a page can carry.

use crate::chart::Chart;
use crate::document::context::Context;
use crate::document::{Block, Figure, Fold, Prose, Span};
use crate::flame_graph::still;
use crate::quantity::grouped;
use fathom_model::{Comparison, Profile};

/// Bytes of all pictures of one comparison; the first two are drawn in any case.
const BYTES_MAX: usize = 90_000;
const DRAWN_MIN: usize = 2;

/// A fold for each, the fastest and the slowest first as they differ most; and a
/// sentence on those that are left out. `profiles` are in the order of time.
pub(super) fn blocks(
    context: &Context<'_>,
    comparison: &Comparison,
    labels: &[String],
    profiles: &[(usize, &Profile)],
) -> Vec<Block> {
    let mut order: Vec<_> = profiles.iter().filter(|(_, profile)| !profile.stacks.is_empty()).collect();
    if order.len() > 2 {
        let slowest = order.remove(order.len() - 1);
        order.insert(1, slowest);
    }
    let (mut blocks, mut used) = (Vec::new(), 0);
    let mut left_out = Vec::new();
    for &&(index, profile) in &order {
        let label = &labels[index];
        match still(label, profile) {
            Ok(svg) if blocks.len() < DRAWN_MIN || used + svg.len() <= BYTES_MAX => {
                used += svg.len();
                let figure = figure(context, label, index, profile, svg);
                let summary = Prose(vec![Span::Plain("Flame graph of ".into()), Span::Code(label.clone())]);
                blocks.push(Block::Fold(Fold { summary, open: false, blocks: vec![Block::Figure(figure)] }));
            }
            Ok(_) => left_out.push(label.clone()),
            Err(error) => blocks.push(Block::Prose(context.prose(&error.to_string()))),
        }
    }
    if !left_out.is_empty() {
        let text = format!(
            "Left out for their size: the flame graphs of {}. `fathom flame-graph` draws all of a record.",
            left_out.join(", ")
        );
        blocks.push(Block::Prose(context.prose(&text)));
    }
    debug_assert!(order.iter().all(|(index, _)| *index < comparison.variants.len()));
    blocks
}

fn figure(context: &Context<'_>, label: &str, index: usize, profile: &Profile, svg: String) -> Figure {
    let caption = format!(
        "{label}: {} samples while it ran; the wider a frame, the more of them had it in the stack, callers below. \
         The kernel's frames are darker",
        grouped(profile.samples)
    );
    let description = format!(
        "The stacks of {label}, {} different ones; the table has the functions that were most often on top.",
        grouped(profile.stacks.len() as u64)
    );
    Figure {
        id: format!("{}-flame-{index}", context.id),
        caption: context.prose(&caption),
        description,
        chart: Chart::Flame(svg),
    }
}
