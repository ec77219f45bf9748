//! What is asked, and which cells a question speaks of.

use super::cell::DecisionCell;
use super::conditions::{DecisionConditions, Pattern};
use super::knowledge::{language_word, language_words};
use super::matrix::DecisionMatrix;
use fathom_model::CacheState;
use serde::Serialize;
use std::collections::BTreeSet;

/// What is asked; `None` leaves it open.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DecisionQuestion {
    /// Bytes of each file.
    pub size_bytes: Option<u64>,
    /// How many files, or blocks of them.
    pub count: Option<u64>,
    /// The pattern.
    pub pattern: Option<Pattern>,
    /// The page cache's state.
    pub cache: Option<CacheState>,
    /// The language, by any word for it, or a driver.
    pub language: Option<String>,
    /// The place: the first word of a place in the matrix (`ext4`, `memfd`), or all of it.
    pub place: Option<String>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecisionError {
    /// Nobody knows the language.
    #[error("unknown language `{0}`")]
    UnknownLanguage(String),
    /// No cell fits.
    #[error("{0}")]
    NotMeasured(String),
}

impl DecisionQuestion {
    /// True when nothing is asked: the matrix is the answer.
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }

    /// The cells that the question speaks of, whatever their size.
    pub(super) fn cells<'a>(
        &self,
        matrix: &'a DecisionMatrix,
    ) -> Result<Vec<&'a DecisionCell>, DecisionError> {
        let language = self.language.as_deref().map(|asked| word_of(asked, matrix)).transpose()?;
        let mut left: Vec<&DecisionCell> = matrix.cells.iter().collect();
        if left.is_empty() {
            let text = "the records hold no two methods of a language that were timed side by side";
            return Err(DecisionError::NotMeasured(text.to_owned()));
        }
        // One condition after the other, so that the first that nothing meets can be named.
        let filters: [(Option<String>, Filter<'_>); 4] = [
            (language.clone(), Box::new(move |of| Some(&of.language) == language.as_ref())),
            (
                self.pattern.map(|pattern| format!("pattern {pattern}")),
                Box::new(|of| Some(of.pattern) == self.pattern),
            ),
            (
                self.cache.map(|cache| format!("cache {cache}")),
                Box::new(|of| of.cache.is_none() || of.cache == self.cache),
            ),
            (self.place.clone(), Box::new(|of| self.place.as_ref().is_some_and(|place| is_at(of, place)))),
        ];
        let mut met: Vec<String> = Vec::new();
        for (asked, holds) in filters {
            let Some(asked) = asked else { continue };
            let had = std::mem::take(&mut left);
            left = had.iter().copied().filter(|cell| holds(&cell.conditions)).collect();
            if left.is_empty() {
                return Err(DecisionError::NotMeasured(nothing(&asked, &met, &had)));
            }
            met.push(asked);
        }
        Ok(left)
    }
}

type Filter<'a> = Box<dyn Fn(&DecisionConditions) -> bool + 'a>;

/// What of a dimension was measured, where nothing is as asked.
fn nothing(asked: &str, met: &[String], had: &[&DecisionCell]) -> String {
    let set = |of: fn(&DecisionConditions) -> String| {
        let words: BTreeSet<String> = had.iter().map(|cell| of(&cell.conditions)).collect();
        words.into_iter().collect::<Vec<_>>().join(", ")
    };
    let measured = if asked.starts_with("pattern ") {
        set(|of| of.pattern.to_string())
    } else if asked.starts_with("cache ") {
        set(|of| of.cache.map_or_else(|| "none".to_owned(), |cache| cache.to_string()))
    } else if met.is_empty() {
        set(|of| of.language.clone())
    } else {
        set(|of| of.place.clone())
    };
    let of = if met.is_empty() { String::new() } else { format!(" of {}", met.join(", ")) };
    format!("no record has {asked}{of}: measured is {measured}")
}

/// The language's word: of what is known, or of what the records hold.
fn word_of(asked: &str, matrix: &DecisionMatrix) -> Result<String, DecisionError> {
    if let Some(word) = language_word(asked) {
        return Ok(word.to_owned());
    }
    let mut held = matrix.cells.iter().map(|cell| &cell.conditions.language);
    let own = held.find(|language| language.eq_ignore_ascii_case(asked));
    own.cloned().ok_or_else(|| DecisionError::UnknownLanguage(asked.to_owned()))
}

fn is_at(conditions: &DecisionConditions, asked: &str) -> bool {
    conditions.place == asked || conditions.place.split(' ').next() == Some(asked)
}

/// Every word that a language can be asked for by, the records' own included.
pub fn languages_to_ask_for(matrix: &DecisionMatrix) -> Vec<String> {
    let own = matrix.cells.iter().map(|cell| cell.conditions.language.clone());
    let mut words: Vec<String> = language_words().into_iter().map(str::to_owned).collect();
    for word in own {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}
