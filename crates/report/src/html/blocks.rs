//! The simple blocks: words, lists, facts, notes, aligned lines, folds; and who
//! draws the others.

use super::figure::figure;
use super::prose::prose;
use super::recipe::recipes;
use super::table::table;
use super::verdict::verdict;
use crate::document::{Block, Fact, Fold, Item, Note, Tone};
use maud::{Markup, html};

/// A block, whatever it is.
pub(super) fn block(block: &Block) -> Markup {
    match block {
        Block::Prose(words) => html! { p { (prose(words)) } },
        Block::List(items) => list(items),
        Block::Facts(facts) => fact_list(facts),
        Block::Table(rows) => table(rows),
        Block::Figure(picture) => figure(picture),
        Block::Recipes(strips) => recipes(strips),
        Block::Verdict(card) => verdict(card),
        Block::Note(words) => note(words),
        Block::Aligned(lines) => aligned(lines),
        Block::Fold(inside) => fold(inside),
    }
}

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

/// Items as deep as the first, each with the deeper ones that follow it.
fn list(items: &[Item]) -> Markup {
    let depth = items.first().map_or(0, |item| item.depth);
    let starts: Vec<_> = (0..items.len()).filter(|&index| items[index].depth <= depth).collect();
    let ends = starts.iter().skip(1).copied().chain([items.len()]);
    html! {
        ul {
            @for (start, end) in starts.iter().copied().zip(ends) {
                li class=[tone_class(items[start].tone)] {
                    (prose(&items[start].prose))
                    @if end > start + 1 {
                        (list(&items[start + 1..end]))
                    }
                }
            }
        }
    }
}

fn fact_list(facts: &[Fact]) -> Markup {
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

fn note(words: &Note) -> Markup {
    html! {
        p.note.(tone_class(words.tone).unwrap_or("plain")) {
            strong.word { (words.word) }
            " "
            (prose(&words.prose))
        }
    }
}

fn aligned(lines: &str) -> Markup {
    html! {
        div.scroll tabindex="0" role="group" aria-label="Aligned lines" {
            pre { (lines) }
        }
    }
}

fn fold(inside: &Fold) -> Markup {
    html! {
        details.fold open[inside.open] {
            summary { (prose(&inside.summary)) }
            div.folded {
                @for part in &inside.blocks {
                    (block(part))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Prose;

    fn item(depth: usize, text: &str) -> Item {
        Item { depth, tone: Tone::Plain, prose: Prose::from(text) }
    }

    #[test]
    fn deeper_items_stand_inside_the_one_before() {
        let items = [item(0, "a"), item(1, "b"), item(2, "c"), item(1, "d"), item(0, "e")];
        let expected = "<ul><li>a<ul><li>b<ul><li>c</li></ul></li><li>d</li></ul></li><li>e</li></ul>";
        assert_eq!(list(&items).into_string(), expected);
        // Depths may be left out: those of one depth stand beside each other all the same.
        let jumps = [item(2, "a"), item(2, "b"), item(5, "c"), item(6, "d"), item(5, "e"), item(0, "f")];
        let expected =
            "<ul><li>a</li><li>b<ul><li>c<ul><li>d</li></ul></li><li>e</li></ul></li><li>f</li></ul>";
        assert_eq!(list(&jumps).into_string(), expected);
    }

    #[test]
    fn blocks_in_a_fold_are_there_whether_it_is_open_or_not() {
        let inside = Fold {
            summary: Prose::from("why"),
            open: false,
            blocks: vec![Block::Aligned("a < b".to_owned())],
        };
        let closed = fold(&inside).into_string();
        assert!(closed.contains("<pre>a &lt; b</pre>") && !closed.contains(" open"));
        assert!(fold(&Fold { open: true, ..inside }).into_string().contains("<details class=\"fold\" open>"));
    }
}
