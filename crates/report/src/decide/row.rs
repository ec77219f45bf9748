//! One cell in the words of a table: shared by text and Markdown.

use crate::quantity::{NONE, bytes, number, short_time, things};
use crate::written::short_ratio;
use fathom_stats::{Certainty, DecisionCell, DecisionConditions, RivalStanding};

/// Stands where the usual way is what is advised.
pub(crate) const IS_USUAL: &str = "=";

/// The headings, in the order of `Row::figures`.
pub(crate) const HEADINGS: [&str; 4] = ["next", "usual", "saves/op", "sure"];

/// A cell.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) language: String,
    pub(crate) size: String,
    pub(crate) cache: String,
    /// Margin over the next, over the usual way, what is saved per operation, how sure it is.
    pub(crate) figures: [String; 4],
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
            figures: [next(cell), usual(cell), saving(cell), sure],
            method,
        }
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
fn next(cell: &DecisionCell) -> String {
    let slower = cell.rivals.iter().find(|rival| rival.standing == RivalStanding::Slower);
    let ratio = slower.filter(|_| cell.advised.is_some()).and_then(|rival| rival.ratio.as_ref());
    ratio.map_or_else(|| NONE.to_owned(), |ratio| short_ratio(ratio).value)
}

fn usual(cell: &DecisionCell) -> String {
    let Some(usual) = cell.usual.as_ref().filter(|_| cell.advised.is_some()) else { return NONE.to_owned() };
    usual.ratio.as_ref().map_or_else(|| IS_USUAL.to_owned(), |ratio| short_ratio(ratio).value)
}

fn saving(cell: &DecisionCell) -> String {
    let Some(usual) = cell.usual.as_ref().filter(|_| cell.advised.is_some()) else { return NONE.to_owned() };
    match &usual.saving_ns {
        Some(saving) => short_time(saving.value),
        None => number(0.0, 0),
    }
}
