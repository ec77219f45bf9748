//! What a section of the text says, as blocks of a report: the sentences are
//! written once, for the terminal, and stand here in another form.

use crate::document::context::Context;
use crate::document::{Block, Fact, Item, Tone};
use crate::options::Details;
use crate::page::{Ink, Page, Piece};
use crate::visible::visible;

/// What `render` says in brief.
pub(crate) fn brief(context: &Context<'_>, render: impl FnOnce(&mut Page)) -> Vec<Block> {
    blocks(context, Page::collect(Details::Brief, render))
}

/// What `render` says in full.
pub(crate) fn full(context: &Context<'_>, render: impl FnOnce(&mut Page)) -> Vec<Block> {
    blocks(context, Page::collect(Details::Full, render))
}

/// Labelled words become facts, other words a list, and aligned lines stay so.
fn blocks(context: &Context<'_>, said: Vec<Piece>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut last_label = String::new();
    let push_line = |blocks: &mut Vec<Block>, line: &str| match blocks.last_mut() {
        Some(Block::Aligned(lines)) => {
            lines.push('\n');
            lines.push_str(line);
        }
        _ => blocks.push(Block::Aligned(line.to_owned())),
    };
    for each in said {
        match each {
            Piece::Words(words) if is_fact(&words.label(), &last_label) => {
                let label = words.label();
                if !label.is_empty() {
                    last_label.clone_from(&label);
                }
                let fact = Fact { label, prose: context.prose(&words.text()) };
                match blocks.last_mut() {
                    Some(Block::Facts(facts)) => facts.push(fact),
                    _ => blocks.push(Block::Facts(vec![fact])),
                }
            }
            Piece::Words(words) => {
                last_label.clear();
                let prose = context.prose(&words.text());
                let item = Item { depth: words.depth() / 2, tone: tone(words.ink), prose };
                match blocks.last_mut() {
                    Some(Block::List(items)) => items.push(item),
                    _ => blocks.push(Block::List(vec![item])),
                }
            }
            Piece::Row(runs) => {
                last_label.clear();
                let line: String = runs.iter().map(|(text, _)| visible(text)).collect();
                push_line(&mut blocks, line.trim_end());
            }
            Piece::LaidOut(line) => push_line(&mut blocks, &line),
            Piece::Blank => last_label.clear(),
        }
    }
    blocks
}

/// A label, or a further fact under the same one.
fn is_fact(label: &str, last_label: &str) -> bool {
    !label.is_empty() || !last_label.is_empty()
}

/// What an ink repeats.
pub(crate) fn tone(ink: Ink) -> Tone {
    match ink {
        Ink::Plain => Tone::Plain,
        Ink::Heading => Tone::Strong,
        Ink::Good => Tone::Good,
        Ink::Bad => Tone::Bad,
        Ink::Faint => Tone::Faint,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::Palette;
    use fathom_testkit::complete;

    #[test]
    fn facts_sentences_and_lines_keep_their_form() {
        let record = complete();
        let palette = Palette::of(&[&record]);
        let context = Context::of(&record, &palette, "r");
        let blocks = brief(&context, |page| {
            page.fact("kernel", "6.18");
            page.fact("", "and more");
            page.blank();
            page.paragraph(2, Ink::Bad, "go:os.Open is slower");
            page.row("a  1", "", Ink::Plain);
            page.row("b  2", "", Ink::Plain);
        });
        let [Block::Facts(facts), Block::List(items), Block::Aligned(lines)] = blocks.as_slice() else {
            panic!("{blocks:?}")
        };
        assert_eq!(facts.len(), 2);
        assert_eq!((items[0].depth, items[0].tone), (1, Tone::Bad));
        assert_eq!(items[0].prose.0.len(), 2, "the method is a name");
        assert_eq!(lines, "a  1\nb  2");
    }
}
