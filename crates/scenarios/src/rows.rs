//! Outcomes as they come together: one row per case and setting, with what
//! happened or why it could not be tried.

use super::Interrupted;
use super::performer::Trouble;
use super::spread::{Spread, independent};
use fathom_lab::{Event, Observer};
use fathom_model::{Outcome, OutcomeCount, OutcomeFigure};

/// What happened in one row.
#[derive(Debug, Default)]
pub(super) struct Found {
    counts: Vec<OutcomeCount>,
    figures: Vec<OutcomeFigure>,
    meaning: String,
}

impl Found {
    /// Nothing yet but what it means, in one sentence.
    pub(super) fn meaning(text: impl Into<String>) -> Self {
        Self { meaning: text.into(), ..Self::default() }
    }

    /// With a thing that happened so often, 0 included.
    #[must_use]
    pub(super) fn count(mut self, what: impl Into<String>, n: u64) -> Self {
        self.counts.push(OutcomeCount { what: what.into(), n });
        self
    }

    /// With the things that happened.
    #[must_use]
    pub(super) fn counts<'a>(mut self, all: impl IntoIterator<Item = (&'a String, &'a u64)>) -> Self {
        let all = all.into_iter().map(|(what, &n)| OutcomeCount { what: what.clone(), n });
        self.counts.extend(all);
        self
    }

    /// With durations, if there were any.
    #[must_use]
    pub(super) fn figure(mut self, name: &str, spread: Option<Spread>) -> Self {
        self.figures.extend(spread.map(|spread| spread.figure(name)));
        self
    }
}

impl Found {
    /// With the figure of independent tries, if there were any.
    #[must_use]
    pub(super) fn tries(mut self, name: &str, unit: &str, values: &[f64]) -> Self {
        self.figures.extend(independent(name, unit, values));
        self
    }
}

/// The rows so far.
pub(super) struct Rows<'a> {
    outcomes: Vec<Outcome>,
    place: Option<usize>,
    observer: &'a mut dyn Observer,
}

impl<'a> Rows<'a> {
    /// No row yet.
    pub(super) fn new(observer: &'a mut dyn Observer) -> Self {
        Self { outcomes: Vec::new(), place: None, observer }
    }

    /// Rows from now on belong to this place.
    pub(super) fn at_place(&mut self, place: Option<usize>) {
        self.place = place;
    }

    /// Says that a row is being tried.
    pub(super) fn trying(&mut self, case: &str, setting: &str) {
        self.observer.event(&Event::Trying { case, setting });
    }

    /// Tries one row and adds it. Only an interrupt ends the scenario.
    pub(super) fn attempt(
        &mut self,
        case: &str,
        setting: &str,
        attempt: impl FnOnce() -> Result<Found, Trouble>,
    ) -> Result<(), Interrupted> {
        self.trying(case, setting);
        let found = attempt();
        self.add(case, setting, found)
    }

    /// Adds one row.
    pub(super) fn add(
        &mut self,
        case: &str,
        setting: &str,
        found: Result<Found, Trouble>,
    ) -> Result<(), Interrupted> {
        let (found, unavailable) = match found {
            Ok(found) => (found, None),
            Err(Trouble::Interrupted) => return Err(Interrupted),
            Err(trouble) => (Found::default(), Some(trouble.to_string())),
        };
        self.outcomes.push(Outcome {
            case: case.to_owned(),
            setting: setting.to_owned(),
            place: self.place,
            counts: found.counts,
            figures: found.figures,
            meaning: found.meaning,
            unavailable,
        });
        Ok(())
    }

    /// All rows.
    pub(super) fn into_outcomes(self) -> Vec<Outcome> {
        self.outcomes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_lab::Silent;

    #[test]
    fn what_fails_is_a_row_with_its_reason_and_an_interrupt_is_none() {
        let mut silent = Silent;
        let mut rows = Rows::new(&mut silent);
        rows.at_place(Some(1));
        rows.attempt("case", "a", || Ok(Found::meaning("it means").count("seen", 3))).unwrap();
        rows.attempt("case", "b", || Err(Trouble::Failed("no openat2".to_owned()))).unwrap();
        assert!(rows.attempt("case", "c", || Err(Trouble::Interrupted)).is_err());
        let outcomes = rows.into_outcomes();
        assert_eq!(outcomes.len(), 2);
        assert_eq!((outcomes[0].count("seen"), outcomes[0].place), (3, Some(1)));
        assert_eq!(outcomes[1].unavailable.as_deref(), Some("no openat2"));
    }
}
