//! Ids are unique in a report: what is called the same is numbered.

use crate::document::{Block, Document, Section};
use std::collections::BTreeSet;

/// Numbers every id that was there before.
pub(crate) fn number_twins(document: &mut Document) {
    let mut known = BTreeSet::new();
    if let Some(lead) = &mut document.lead {
        take(&mut lead.id, &mut known);
    }
    for section in &mut document.sections {
        in_section(section, &mut known);
    }
}

fn in_section(section: &mut Section, known: &mut BTreeSet<String>) {
    take(&mut section.id, known);
    in_blocks(&mut section.blocks, known);
    for inner in &mut section.sections {
        in_section(inner, known);
    }
}

fn in_blocks(blocks: &mut [Block], known: &mut BTreeSet<String>) {
    for block in blocks {
        match block {
            Block::Figure(figure) => take(&mut figure.id, known),
            Block::Fold(fold) => in_blocks(&mut fold.blocks, known),
            Block::Verdict(card) => {
                take(&mut card.id, known);
                in_blocks(&mut card.blocks, known);
            }
            Block::Finding(card) => take(&mut card.id, known),
            Block::Prose(_)
            | Block::List(_)
            | Block::Facts(_)
            | Block::Table(_)
            | Block::Recipes(_)
            | Block::Note(_)
            | Block::Aligned(_) => {}
        }
    }
}

fn take(id: &mut String, known: &mut BTreeSet<String>) {
    let mut numbered = id.clone();
    let mut number = 1;
    while !known.insert(numbered.clone()) {
        number += 1;
        numbered = format!("{id}-{number}");
    }
    *id = numbered;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twins_are_numbered_and_the_first_keeps_its_name() {
        let section = |id: &str| Section { id: id.to_owned(), ..Section::default() };
        let mut document = Document {
            title: String::new(),
            subtitle: String::new(),
            answer: Vec::new(),
            lead: None,
            sections: vec![section("a"), section("a-2"), section("a"), section("b")],
        };
        number_twins(&mut document);
        let ids: Vec<_> = document.sections.iter().map(|section| section.id.as_str()).collect();
        assert_eq!(ids, ["a", "a-2", "a-3", "b"]);
    }
}
