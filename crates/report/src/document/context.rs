//! What the parts of a report know of the whole: the record, how its methods
//! look, and which words are names.

use crate::document::Prose;
use crate::palette::Palette;
use fathom_model::{Comparison, MethodId, Record};
use std::collections::BTreeSet;

/// From so many timed variants on, a picture tells more than its table.
pub(super) const PICTURE_FROM: usize = 3;

/// A record on its way into a report.
#[derive(Debug, Clone)]
pub(crate) struct Context<'a> {
    pub(crate) record: &'a Record,
    pub(crate) palette: &'a Palette,
    /// Words that are set as names.
    pub(crate) names: Vec<String>,
    /// True where the report is of several experiments.
    pub(crate) is_one_of_many: bool,
    /// True where the report has so many comparisons that each has to be brief.
    pub(crate) is_long: bool,
    /// Begins the id of everything that is made of this part; unique in the report.
    pub(crate) id: String,
}

impl<'a> Context<'a> {
    /// The whole of a record; `id` is its own among those of the report.
    pub(crate) fn of(record: &'a Record, palette: &'a Palette, id: &str) -> Self {
        let comparisons = record.experiments.iter().flat_map(|experiment| &experiment.comparisons);
        let names: BTreeSet<_> = comparisons
            .flat_map(|comparison| &comparison.variants)
            .map(|variant| variant.method.to_string())
            .collect();
        Self {
            record,
            palette,
            names: names.into_iter().collect(),
            is_one_of_many: false,
            is_long: false,
            id: id.to_owned(),
        }
    }

    /// A part of it.
    pub(crate) fn part(&self, name: &str) -> Self {
        Self { id: format!("{}-{}", self.id, slug(name)), ..self.clone() }
    }

    /// Words with the names in them set as such.
    pub(crate) fn prose(&self, text: &str) -> Prose {
        Prose::naming(text, &self.names)
    }

    /// The method of a variant.
    pub(crate) fn method(comparison: &Comparison, index: usize) -> &MethodId {
        &comparison.variants[index].method
    }
}

/// Letters, digits and dashes of a name, for an id.
pub(crate) fn slug(name: &str) -> String {
    let dashed: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    let words: Vec<_> = dashed.split('-').filter(|word| !word.is_empty()).collect();
    if words.is_empty() { "part".to_owned() } else { words.join("-") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_made_of_plain_letters() {
        assert_eq!(slug("128 B · warm: ext4 (A)"), "128-b-warm-ext4-a");
        assert_eq!(slug("µ"), "part");
    }
}
