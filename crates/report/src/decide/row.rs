//! One cell in the words of a table: shared by text and Markdown.

use crate::columns::Cell as TableCell;
use crate::quantity::{NONE, bytes, number, short_time, things};
use crate::written::short_ratio;
use fathom_stats::{Certainty, DecisionCell, DecisionConditions, RivalStanding};

/// Stands where the usual way is what is advised.
pub(crate) const IS_USUAL: &str = "=";

/// What a cell's advice is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Figure {
    /// Margin over the next.
    Next,
    /// Over the usual way.
    Usual,
    /// What is saved per operation.
    Saving,
    /// How sure it is.
    Sure,
}

impl Figure {
    pub(crate) const ALL: [Self; 4] = [Self::Next, Self::Usual, Self::Saving, Self::Sure];

    pub(crate) fn heading(self) -> &'static str {
        match self {
            Self::Next => "next",
            Self::Usual => "usual",
            Self::Saving => "saves/op",
            Self::Sure => "sure",
        }
    }

    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Self::Next => "time of the nearest method that is shown to be slower, over the fastest's",
            Self::Usual => {
                "time of the language's usual way over that of the method to use; = where it is the one to use"
            }
            Self::Saving => "what leaving the usual way saves per operation",
            Self::Sure => "whether every other method is shown to be slower",
        }
    }
}

/// A cell.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) language: String,
    pub(crate) size: String,
    pub(crate) cache: String,
    /// In the order of `Figure::ALL`.
    figures: [TableCell; 4],
    /// The method; in parentheses what led, where nothing is decided.
    pub(crate) method: String,
}

impl Row {
    pub(crate) fn of(cell: &DecisionCell) -> Self {
        let name = &cell.chosen().name;
        let method = if cell.advised.is_some() { name.clone() } else { format!("({name})") };
        let sure = match cell.certainty {
            Certainty::Tied => format!("tied {}", cell.tied().count() + 1),
            other => sure(other).to_owned(),
        };
        Self {
            language: cell.conditions.title.clone(),
            size: size(&cell.conditions),
            cache: cache(&cell.conditions),
            figures: [next(cell), usual(cell), saving(cell), sure.into()],
            method,
        }
    }

    pub(crate) fn figure(&self, figure: Figure) -> &TableCell {
        &self.figures[figure as usize]
    }
}

/// What a group of rows has in common: `whole files, ext4 at /`.
pub(crate) fn heading(of: &DecisionConditions) -> String {
    let operation = of.operation.word();
    let mut parts = vec![format!("{}: {operation}", of.pattern)];
    if of.files > 1 {
        parts.push(things(u64::from(of.files), "file"));
    }
    parts.push(of.place.clone());
    parts.extend(of.circumstances.iter().cloned());
    parts.join(" · ")
}

/// The conditions in a few words: `Go, 4 KiB, warm`.
pub(crate) fn label(of: &DecisionConditions) -> String {
    let size = size(of);
    let parts = [of.title.clone(), if size == NONE { of.pattern.to_string() } else { size }, cache(of)];
    parts.into_iter().filter(|part| part != NONE).collect::<Vec<_>>().join(", ")
}

/// How sure an advice is, in a word.
fn sure(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Decided => "yes",
        Certainty::Tied => "tied",
        Certainty::TooFewForks => "few forks",
        Certainty::StateUnproven => "unproven",
        Certainty::Contradicted => "contradicted",
        Certainty::Fault => "A/A fault",
    }
}

fn size(of: &DecisionConditions) -> String {
    match (of.size_bytes, of.block_bytes) {
        (Some(size), Some(block)) => format!("{}/{}", bytes(block), bytes(size)),
        (Some(size), None) => bytes(size),
        (None, _) => NONE.to_owned(),
    }
}

fn cache(of: &DecisionConditions) -> String {
    of.cache.map_or_else(|| NONE.to_owned(), |cache| cache.to_string())
}

/// The nearest rival that is shown to be slower, over the fastest.
fn next(cell: &DecisionCell) -> TableCell {
    let slower = cell.rivals.iter().find(|rival| rival.standing == RivalStanding::Slower);
    let ratio = slower.filter(|_| cell.advised.is_some()).and_then(|rival| rival.ratio.as_ref());
    ratio.map_or_else(none, |ratio| TableCell::figure(short_ratio(ratio).value, ratio.value))
}

fn usual(cell: &DecisionCell) -> TableCell {
    let Some(usual) = cell.usual.as_ref().filter(|_| cell.advised.is_some()) else { return none() };
    match &usual.ratio {
        Some(ratio) => TableCell::figure(short_ratio(ratio).value, ratio.value),
        None => IS_USUAL.to_owned().into(),
    }
}

fn saving(cell: &DecisionCell) -> TableCell {
    let Some(usual) = cell.usual.as_ref().filter(|_| cell.advised.is_some()) else { return none() };
    match &usual.saving_ns {
        Some(saving) => TableCell::figure(short_time(saving.value), saving.value),
        None => TableCell::figure(number(0.0, 0), 0.0),
    }
}

fn none() -> TableCell {
    NONE.to_owned().into()
}
