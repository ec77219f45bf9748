//! A list of facts, and the color of a tone: what blocks and cards have in common.

use super::prose::prose;
use crate::document::{Fact, Tone};
use maud::{Markup, html};

/// The class that repeats in color what the words say.
pub(super) fn tone_class(tone: Tone) -> Option<&'static str> {
    match tone {
        Tone::Plain => None,
        Tone::Good => Some("good"),
        Tone::Bad => Some("bad"),
        Tone::Faint => Some("faint"),
        Tone::Strong => Some("strong"),
    }
}

pub(super) fn fact_list(facts: &[Fact]) -> Markup {
    html! {
        dl.facts {
            @for fact in facts {
                div {
                    dt { (fact.label) }
                    dd { (prose(&fact.prose)) }
                }
            }
        }
    }
}
