//! What the text says in words, as a list: for sections whose aligned lines are
//! tables or pictures here.

use crate::document::context::Context;
use crate::document::{Block, Item, Prose, said};
use crate::options::Details;
use crate::page::{Page, Piece, Words};

/// The sentences that `render` writes, one an item, without its aligned lines.
pub(super) fn sentences(
    context: &Context<'_>,
    details: Details,
    render: impl FnOnce(&mut Page),
) -> Option<Block> {
    let items = items(context, details, render);
    (!items.is_empty()).then_some(Block::List(items))
}

/// The first sentence, which says what the lines below it are, to be their caption; and
/// the others.
pub(super) fn headed(
    context: &Context<'_>,
    details: Details,
    render: impl FnOnce(&mut Page),
) -> (Prose, Option<Block>) {
    let mut items = items(context, details, render);
    if items.is_empty() {
        return (Prose::default(), None);
    }
    let heading = items.remove(0).prose.capitalized();
    let least = items.iter().map(|item| item.depth).min().unwrap_or(0);
    for item in &mut items {
        item.depth -= least;
    }
    (heading, (!items.is_empty()).then_some(Block::List(items)))
}

/// The least indented stand outermost.
fn items(context: &Context<'_>, details: Details, render: impl FnOnce(&mut Page)) -> Vec<Item> {
    let pieces = Page::collect(details, render);
    let words: Vec<_> = pieces
        .iter()
        .filter_map(|piece| if let Piece::Words(words) = piece { Some(words) } else { None })
        .collect();
    let least = words.iter().map(|words| words.depth()).min().unwrap_or(0);
    let item = |words: &&Words| Item {
        depth: (words.depth() - least) / 2,
        tone: said::tone(words.ink),
        prose: context.prose(format!("{} {}", words.label(), words.text()).trim()),
    };
    words.iter().map(item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Ink;
    use crate::palette::Palette;
    use fathom_testkit::complete;

    #[test]
    fn words_become_items_and_lines_are_left_out() {
        let record = complete();
        let palette = Palette::of(&[&record]);
        let context = Context::of(&record, &palette, "r");
        let render = |page: &mut Page| {
            page.paragraph(2, Ink::Plain, "what it is");
            page.row("a  1", "", Ink::Plain);
            page.hanging("    go:os.Open: ", 6, Ink::Bad, "not as predicted");
        };
        let block = sentences(&context, Details::Brief, render);
        let Some(Block::List(items)) = block else { panic!("{block:?}") };
        let told: Vec<_> = items.iter().map(|item| (item.depth, item.prose.text())).collect();
        let expected = [(0, "what it is".to_owned()), (2, "go:os.Open: not as predicted".to_owned())];
        assert_eq!(told, expected);
        assert_eq!(sentences(&context, Details::Brief, |page| page.row("a", "", Ink::Plain)), None);
        let (heading, Some(Block::List(rest))) = headed(&context, Details::Brief, render) else { panic!() };
        assert_eq!((heading.text().as_str(), rest.len(), rest[0].depth), ("What it is", 1, 0));
    }
}
