//! What answers do not say: each caveat once, with the cells it is of.

use super::row::label;
use crate::page::{Ink, Page};
use fathom_stats::{Caveat, DecisionCell};

/// More places than these are counted.
const LISTED: usize = 3;
/// Of more cells than these, caveats of one kind are told by their first.
const TOLD_IN_FULL: usize = 2;

/// A caveat and the places it is of.
#[derive(Debug)]
pub(super) struct Told<'a> {
    pub(super) caveat: &'a Caveat,
    pub(super) places: Vec<String>,
    /// How many others of the same kind it stands for.
    pub(super) alike: usize,
}

/// Writes the caveats of cells and of answers, and what is never advised.
pub(crate) fn render<'a>(
    page: &mut Page,
    cells: &[&'a DecisionCell],
    of_answers: impl Iterator<Item = (&'a Caveat, String)>,
    all: usize,
) {
    page.blank();
    for told in gather(cells, of_answers) {
        page.hanging("  caveat: ", 10, Ink::Plain, &in_words(&told, all));
    }
    for line in excluded(cells) {
        page.hanging("  never:  ", 10, Ink::Bad, &line);
    }
}

/// The caveats, those of answers first.
pub(super) fn gather<'a>(
    cells: &[&'a DecisionCell],
    of_answers: impl Iterator<Item = (&'a Caveat, String)>,
) -> Vec<Told<'a>> {
    let of_cells =
        cells.iter().flat_map(|cell| cell.caveats.iter().map(|caveat| (caveat, label(&cell.conditions))));
    let by_code = cells.len() > TOLD_IN_FULL;
    let mut all: Vec<Told<'a>> = Vec::new();
    for (caveat, place) in of_answers.chain(of_cells) {
        let is_same =
            |told: &&mut Told<'_>| told.caveat == caveat || (by_code && told.caveat.code == caveat.code);
        match all.iter_mut().find(is_same) {
            Some(told) => {
                told.alike += usize::from(told.caveat != caveat);
                if !told.places.contains(&place) {
                    told.places.push(place);
                }
            }
            None => all.push(Told { caveat, places: vec![place], alike: 0 }),
        }
    }
    all
}

/// The caveat, where, and its code.
pub(super) fn in_words(told: &Told<'_>, all: usize) -> String {
    let Told { caveat, places, alike } = told;
    let alike = if *alike > 0 { "; others alike" } else { "" };
    let places = match places.len() {
        every if every >= all => String::new(),
        few if few <= LISTED => format!(" ({}{alike})", places.join("; ")),
        many => format!(" ({many} of {all}{alike})"),
    };
    format!("{}{places} [{}]", caveat.text, caveat.code)
}

/// Methods that are never advised, each once.
pub(super) fn excluded(cells: &[&DecisionCell]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for excluded in cells.iter().flat_map(|cell| &cell.excluded) {
        let line = format!("{}: {}", excluded.method, excluded.reason);
        if !found.contains(&line) {
            found.push(line);
        }
    }
    found
}
