//! What an audit found at one place: how bad, what, how dear, the calls in order, what to do.

use super::facts::{fact_list, tone_class};
use super::prose::breakable;
use crate::document::FindingCard;
use maud::{Markup, html};

/// A card.
pub(super) fn finding(card: &FindingCard) -> Markup {
    let sentence = format!("{}-sentence", card.id);
    let tone = tone_class(card.tone).unwrap_or("plain");
    html! {
        article.finding.(tone) id=(card.id) aria-labelledby=(sentence) {
            p.marks {
                span.badge { (card.rule) " " (card.severity) }
                @for chip in &card.chips { " " span.chip { (chip) } }
            }
            p.sentence id=(sentence) { (card.sentence) }
            p.figures {
                @for (number, figure) in card.figures.iter().enumerate() {
                    @if number > 0 { "; " }
                    (figure)
                }
            }
            @if let Some(share) = card.share {
                // The words beside it say the same.
                div.share style={ "--bar:" (format!("{:.3}", share.clamp(0.0, 1.0))) } aria-hidden="true" {}
            }
            @if !card.example.is_empty() {
                details.fold open[card.open] {
                    summary { "An example, call by call" }
                    ol.calls {
                        @for call in &card.example { li { code { (call) } } }
                    }
                }
            }
            (fact_list(&card.facts))
            @if card.stack.len() > 1 {
                details.fold {
                    summary { "The stack, the innermost first" }
                    ol.calls {
                        @for frame in &card.stack { li { code { (breakable(frame)) } } }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Tone;

    #[test]
    fn calls_are_numbered_and_nothing_is_markup() {
        let card = FindingCard {
            id: "a-finding-1".to_owned(),
            rule: "R13".to_owned(),
            severity: "high".to_owned(),
            tone: Tone::Bad,
            chips: vec!["not yours: the runtime's".to_owned()],
            sentence: "a <b> sentence".to_owned(),
            figures: vec!["30 times".to_owned(), "1 µs".to_owned()],
            share: Some(0.25),
            facts: Vec::new(),
            example: vec!["stat(\"<a>\") = 0".to_owned()],
            stack: vec!["main".to_owned()],
            open: true,
        };
        let markup = finding(&card).into_string();
        for words in [
            "<span class=\"badge\">R13 high</span> <span class=\"chip\">not yours: the runtime's</span>",
            "a &lt;b&gt; sentence",
            "30 times; 1 µs",
            "--bar:0.250",
            "<details class=\"fold\" open>",
            "<ol class=\"calls\"><li><code>stat(&quot;&lt;a&gt;&quot;) = 0</code></li></ol>",
        ] {
            assert!(markup.contains(words), "{words}: {markup}");
        }
        assert!(!markup.contains("The stack"), "one frame is said among the facts");
    }
}
