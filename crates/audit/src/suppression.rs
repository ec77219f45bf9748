//! What somebody decided to live with: findings of a rule, everywhere or at some places. They
//! are kept and counted apart, with the reason.

use crate::cases::{Case, Group};
use crate::finding::{Frame, RuleId, Suppression};
use crate::glob::Glob;
use crate::world::{PlaceId, World};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

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

    fn is_of(&self, rule: RuleId, on_path: bool, program: Option<&str>, frames: &[Frame]) -> bool {
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

    /// The first decision that a group of cases falls under.
    fn of(&self, rule: RuleId, group: &Group, program: Option<&str>, frames: &[Frame]) -> Option<usize> {
        let sets = self.sets.borrow();
        let set = group.tolerated_set.checked_sub(1).map_or(&[][..], |set| &sets.sets[set as usize]);
        (0..self.all.len())
            .find(|number| self.all[*number].is_of(rule, set.contains(number), program, frames))
    }

    /// Groups that fall under the same decision, or under none, become one.
    pub(crate) fn sort<'a>(
        &self,
        rule: RuleId,
        cases: BTreeMap<Group, Case>,
        frames: impl Fn(Option<u32>) -> &'a [Frame],
        world: &World,
    ) -> BTreeMap<(Group, Option<usize>), Case> {
        let mut sorted: BTreeMap<(Group, Option<usize>), Case> = BTreeMap::new();
        for (group, case) in cases {
            let program = group.program.map(|program| world.places.path(program));
            let decided = self.of(rule, &group, program, frames(group.stack));
            let key = (Group { tolerated_set: 0, ..group }, decided);
            match sorted.get_mut(&key) {
                Some(known) => known.join(&case, world),
                None => {
                    sorted.insert(key, case);
                }
            }
        }
        sorted
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auditor::Auditor;
    use crate::fact::FactKind;
    use crate::finding::Finding;
    use crate::rule::Guards;
    use crate::script::{READ, Script};

    /// Looks before it opens, in two directories.
    fn findings(tolerances: Vec<Tolerance>) -> (Vec<Finding>, Vec<String>) {
        let mut script = Script::new();
        script.load("/usr/bin/reader");
        for number in 0..10 {
            for directory in ["/srv/app/data", "/srv/app/other", "/srv/app/more"] {
                let path = format!("{directory}/{number}.json");
                script.stat(&path, 40);
                let descriptor = script.open(&path, READ);
                script.read(descriptor, 4096, 40);
                script.close(descriptor);
            }
        }
        script.exit();
        let auditor = Auditor::with_guards(Guards::default()).starting_in("/srv/app");
        let mut auditor = auditor.with_tolerances(tolerances);
        for event in &script.events {
            auditor.observe(event, &script.paths);
        }
        let audit = auditor.finish();
        let about =
            audit.about.into_iter().filter(|fact| fact.kind == FactKind::Unused).map(|fact| fact.text);
        (audit.findings.into_iter().filter(|finding| finding.rule == RuleId(13)).collect(), about.collect())
    }

    fn tolerance() -> Tolerance {
        Tolerance::new(RuleId(13), "measured", ".fathom.toml", ".fathom.toml:3")
    }

    fn told(findings: &[Finding]) -> Vec<(u64, bool)> {
        findings.iter().map(|finding| (finding.count, finding.suppressed.is_some())).collect()
    }

    #[test]
    fn a_rule_is_tolerated_everywhere_or_at_some_paths() {
        assert_eq!(told(&findings(vec![]).0), [(30, false)]);
        let (everywhere, unused) = findings(vec![tolerance()]);
        assert_eq!((told(&everywhere), unused), (vec![(30, true)], vec![]));
        assert!(!everywhere[0].matters() && everywhere[0].suppressed.as_ref().unwrap().reason == "measured");
        let (mut split, _) = findings(vec![tolerance().on_paths("data/*.json").unwrap()]);
        split.sort_by_key(|finding| finding.count);
        assert_eq!(told(&split), [(10, true), (20, false)], "what is left is one finding");
        let paths = split[0].place.paths.as_ref().unwrap();
        assert_eq!((paths.count, paths.pattern().as_str()), (10, "/srv/app/data/*.json"), "{split:?}");
        let (mut one, _) = findings(vec![tolerance().on_paths("data/7.json").unwrap()]);
        one.sort_by_key(|finding| finding.count);
        assert_eq!(told(&one), [(1, true), (29, false)]);
        let both = vec![tolerance().on_paths("data/*").unwrap(), tolerance().on_paths("other/*").unwrap()];
        let mut counts = told(&findings(both).0);
        counts.sort_unstable();
        assert_eq!(counts, [(10, false), (10, true), (10, true)], "each has its reason");
    }

    #[test]
    fn programs_and_functions_are_asked_for_too_and_what_is_unused_is_told() {
        let of = |tolerance: Result<Tolerance, String>| findings(vec![tolerance.unwrap()]);
        assert_eq!(told(&of(tolerance().by_programs("reader")).0), [(30, true)]);
        assert_eq!(told(&of(tolerance().by_programs("/usr/bin/*")).0), [(30, true)]);
        let (live, unused) = of(tolerance().by_programs("writer"));
        assert_eq!(told(&live), [(30, false)]);
        assert_eq!(unused, [".fathom.toml:3: nothing of R13 was found there: remove it, or mend it"]);
        assert_eq!(told(&of(tolerance().in_functions("load*")).0), [(30, false)], "no stack says so");
    }

    #[test]
    fn a_function_is_one_of_the_stacks() {
        let frame = |name: &str| Frame {
            function: Some(name.to_owned()),
            file: None,
            line: None,
            module: None,
            address: None,
            owner: crate::finding::Owner::Yours,
        };
        let frames = [frame("config::load"), frame("main")];
        let one = tolerance().in_functions("config::*").unwrap();
        assert!(one.is_of(RuleId(13), false, None, &frames) && !one.is_of(RuleId(3), false, None, &frames));
        assert!(!one.is_of(RuleId(13), false, None, &frames[1..]));
    }
}
