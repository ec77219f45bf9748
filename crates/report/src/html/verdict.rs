//! A claim as it was published, and what became of it.

use super::facts::tone_class;
use super::prose::prose;
use crate::document::VerdictCard;
use maud::{Markup, html};

/// A card, at its end its checks and evidence as they are drawn already.
pub(super) fn verdict(card: &VerdictCard, evidence: &Markup) -> Markup {
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
            (evidence)
        }
    }
}
