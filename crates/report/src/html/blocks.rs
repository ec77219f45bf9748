//! The simple blocks: words, lists, facts, notes, aligned lines, folds; and who
//! draws the others.

use super::facts::{fact_list, tone_class};
use super::figure::figure;
use super::finding::finding;
use super::meanings::Meanings;
use super::prose::prose;
use super::recipe::recipes;
use super::table::table;
use super::verdict::verdict;
use crate::document::{Block, Fold, Item, Note};
use maud::{Markup, html};

/// A block, whatever it is.
pub(super) fn block(block: &Block, meanings: &mut Meanings) -> Markup {
    match block {
        Block::Prose(words) => html! { p { (prose(words)) } },
        Block::List(items) => list(items),
        Block::Facts(facts) => fact_list(facts),
        Block::Table(rows) => table(rows, meanings),
        Block::Figure(picture) => figure(picture),
        Block::Recipes(strips) => recipes(strips),
        Block::Verdict(card) => verdict(card, &evidence(&card.blocks, meanings)),
        Block::Finding(card) => finding(card),
        Block::Note(words) => note(words),
        Block::Aligned(lines) => aligned(lines),
        Block::Fold(inside) => fold(inside, meanings),
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
        div.scroll tabindex="0" {
            pre { (lines) }
        }
    }
}

fn fold(inside: &Fold, meanings: &Meanings) -> Markup {
    let mut meanings = meanings.clone();
    html! {
        details.fold.reference[is_reference(inside)].notes[is_of_notes(inside)] open[inside.open] {
            summary { (prose(&inside.summary)) }
            div.folded {
                @for part in &inside.blocks {
                    (block(part, &mut meanings))
                }
            }
        }
    }
}

/// True of warnings and the like: their summary takes one line.
fn is_of_notes(inside: &Fold) -> bool {
    inside.blocks.iter().all(|part| matches!(part, Block::Note(_)))
}

/// True of what is there to be looked up, facts and listings alone: it is not printed
/// unless its reader unfolds it.
fn is_reference(inside: &Fold) -> bool {
    let lists = |part: &Block| matches!(part, Block::Aligned(_));
    let shows = |part: &Block| {
        matches!(
            part,
            Block::Table(_)
                | Block::Figure(_)
                | Block::Recipes(_)
                | Block::Verdict(_)
                | Block::Finding(_)
                | Block::Note(_)
        )
    };
    let facts_alone = inside.blocks.iter().all(|part| matches!(part, Block::Facts(_)));
    facts_alone || (inside.blocks.iter().any(lists) && !inside.blocks.iter().any(shows))
}

/// Checks and evidence of a verdict, behind a summary.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Fact, Prose, Tone};

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
        let closed = fold(&inside, &Meanings::default()).into_string();
        assert!(closed.contains("<pre>a &lt; b</pre>") && !closed.contains(" open"));
        assert!(closed.contains("<details class=\"fold reference\">"), "listings are not printed");
        let said = Fold { blocks: vec![Block::Prose(Prose::from("because"))], ..inside.clone() };
        assert!(!fold(&said, &Meanings::default()).into_string().contains("reference"));
        let facts = vec![Block::Facts(vec![Fact { label: "kernel".to_owned(), prose: Prose::from("6.18") }])];
        let reference = fold(&Fold { blocks: facts, ..inside.clone() }, &Meanings::default()).into_string();
        assert!(reference.contains("<details class=\"fold reference\">"), "{reference}");
        assert!(
            fold(&Fold { open: true, ..inside }, &Meanings::default())
                .into_string()
                .contains("<details class=\"fold reference\" open>")
        );
    }
}
