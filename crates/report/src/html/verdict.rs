//! A claim as it was published, and what became of it.

use super::blocks::{block, tone_class};
use super::meanings::Meanings;
use super::prose::prose;
use crate::document::{Block, VerdictCard};
use maud::{Markup, html};

/// A card; its checks and evidence are behind a summary.
pub(super) fn verdict(card: &VerdictCard, meanings: &Meanings) -> Markup {
    let sentence = format!("{}-sentence", card.id);
    html! {
        article.verdict.(tone_class(card.tone).unwrap_or("plain")) id=(card.id) aria-labelledby=(sentence) {
            p.badge { (card.verdict) }
            blockquote id=(sentence) { p { (card.sentence) } }
            p.source { "— " (card.source) }
            dl.beside {
                @if let Some(reported) = &card.reported {
                    div { dt { "reported" } dd { (reported) } }
                }
                div {
                    dt { "found here" }
                    @for found in &card.found { dd { (prose(found)) } }
                }
            }
            (evidence(&card.blocks, meanings))
        }
    }
}

fn evidence(blocks: &[Block], meanings: &Meanings) -> Markup {
    let mut meanings = meanings.clone();
    let folded_already = blocks.iter().all(|part| matches!(part, Block::Fold(_)));
    html! {
        @if folded_already {
            @for part in blocks { (block(part, &mut meanings)) }
        } @else {
            details.fold {
                summary { "Checks and evidence" }
                div.folded {
                    @for part in blocks { (block(part, &mut meanings)) }
                }
            }
        }
    }
}
