//! What somebody decided to live with, and which places fall under it.

use super::PlaceId;
use crate::finding::{Frame, RuleId, Suppression};
use crate::glob::Glob;
use std::cell::RefCell;
use std::collections::HashMap;

/// A decision to live with something.
#[derive(Debug, Clone, PartialEq)]
pub struct Tolerance {
    rule: RuleId,
    path: Option<Glob>,
    program: Option<Glob>,
    function: Option<Glob>,
    suppression: Suppression,
    at: String,
}

impl Tolerance {
    /// Of everything that a rule finds. `file` says so, at `at` (`.fathom.toml:12`).
    pub fn new(rule: RuleId, reason: &str, file: &str, at: &str) -> Self {
        let suppression = Suppression { reason: reason.to_owned(), file: file.to_owned() };
        Self { rule, path: None, program: None, function: None, suppression, at: at.to_owned() }
    }

    /// Only on paths of this pattern.
    pub fn on_paths(self, pattern: &str) -> Result<Self, String> {
        Ok(Self { path: Some(Glob::new(pattern)?), ..self })
    }

    /// Patterns of paths are seen from this directory too.
    #[must_use]
    pub fn seen_from(mut self, directory: &str) -> Self {
        if let Some(path) = &mut self.path {
            path.see_from(directory);
        }
        self
    }

    /// Only by programs of this pattern.
    pub fn by_programs(self, pattern: &str) -> Result<Self, String> {
        Ok(Self { program: Some(Glob::new(pattern)?), ..self })
    }

    /// Only below functions of this pattern, which stacks tell.
    pub fn in_functions(self, pattern: &str) -> Result<Self, String> {
        Ok(Self { function: Some(Glob::new(pattern)?), ..self })
    }

    pub(crate) fn is_of(&self, rule: RuleId, on_path: bool, program: Option<&str>, frames: &[Frame]) -> bool {
        let in_function = |glob: &Glob| {
            frames.iter().filter_map(|frame| frame.function.as_deref()).any(|name| glob.matches(name, None))
        };
        self.rule == rule
            && (self.path.is_none() || on_path)
            && self.program.as_ref().is_none_or(|glob| program.is_some_and(|name| glob.matches(name, None)))
            && self.function.as_ref().is_none_or(in_function)
    }
}

/// Every decision, with which of their paths a place is one of.
#[derive(Debug, Default)]
pub(crate) struct Tolerances {
    all: Vec<Tolerance>,
    sets: RefCell<Sets>,
}

/// Which decisions' paths hold a place: each set of them has a number, 0 is the empty one.
#[derive(Debug, Default)]
struct Sets {
    of_places: HashMap<PlaceId, u32>,
    sets: Vec<Vec<usize>>,
}

impl Tolerances {
    pub(crate) fn new(all: Vec<Tolerance>) -> Self {
        Self { all, sets: RefCell::default() }
    }

    /// The number of the set that a place belongs to.
    pub(crate) fn set_of(
        &self,
        place: Option<PlaceId>,
        path: impl FnOnce(PlaceId) -> String,
        start: Option<&str>,
    ) -> u32 {
        let Some(place) = place.filter(|_| self.all.iter().any(|one| one.path.is_some())) else { return 0 };
        let mut sets = self.sets.borrow_mut();
        if let Some(known) = sets.of_places.get(&place) {
            return *known;
        }
        let path = path(place);
        let holds = |one: &Tolerance| one.path.as_ref().is_some_and(|glob| glob.matches(&path, start));
        let set: Vec<usize> = (0..self.all.len()).filter(|number| holds(&self.all[*number])).collect();
        let number = sets.number(set);
        sets.of_places.insert(place, number);
        number
    }

    /// The first decision that cases fall under whose place is in this set.
    pub(crate) fn decision(
        &self,
        rule: RuleId,
        set: u32,
        program: Option<&str>,
        frames: &[Frame],
    ) -> Option<usize> {
        let sets = self.sets.borrow();
        let set = set.checked_sub(1).map_or(&[][..], |set| &sets.sets[set as usize]);
        (0..self.all.len())
            .find(|number| self.all[*number].is_of(rule, set.contains(number), program, frames))
    }

    /// The reason of one.
    pub(crate) fn suppression(&self, number: usize) -> Option<Suppression> {
        self.all.get(number).map(|one| one.suppression.clone())
    }

    /// Of those that nothing falls under, where they stand and of which rule they are.
    pub(crate) fn unused(&self, used: &[usize]) -> impl Iterator<Item = String> {
        let unused = self.all.iter().enumerate().filter(|(number, _)| !used.contains(number));
        unused.map(|(_, one)| {
            format!("{}: nothing of {} was found there: remove it, or mend it", one.at, one.rule)
        })
    }
}

impl Sets {
    fn number(&mut self, set: Vec<usize>) -> u32 {
        if set.is_empty() {
            return 0;
        }
        let at = self.sets.iter().position(|known| *known == set).unwrap_or_else(|| {
            self.sets.push(set);
            self.sets.len() - 1
        });
        u32::try_from(at + 1).unwrap_or(0)
    }
}
