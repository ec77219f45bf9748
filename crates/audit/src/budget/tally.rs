//! Counts what a budget is about, event by event, with the paths that make it.

use super::{Budget, BudgetError, Ending, NamedBy, Names, Selection, Subject, Unit};
use crate::budget_outcome::{BudgetCalls, BudgetOutcome, BudgetVerdict};
use crate::call_key::errno_name;
use crate::call_sites::CallSites;
use crate::glob::Glob;
use crate::moment::Moment;
use crate::world::{FileNumber, PlaceId, World};
use fathom_events::{CallName, CallOutcome, FileAction};
use fathom_model::Reading;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The loader maps a library within so many calls on it.
const CALLS_IN_DOUBT: usize = 8;

/// So many kinds of calls are told of a budget that was not met.
const TOLD: usize = 5;

/// What was counted for one budget so far.
#[derive(Debug)]
pub(crate) struct Tally {
    budget: Budget,
    amount: u64,
    units: u64,
    by_place: HashMap<Source, u64>,
    /// What was counted of open files that may yet turn out to be the loader's.
    in_doubt: HashMap<FileNumber, Vec<Counted>>,
    matched: Matched,
    matched_units: Matched,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Source {
    call: CallName,
    errno: Option<i32>,
    place: Option<PlaceId>,
    stack: Option<u32>,
}

/// What one call added.
#[derive(Debug, Default)]
struct Counted {
    units: u64,
    from: Option<(Source, u64)>,
}

/// Which places a pattern matches, each looked at once.
#[derive(Debug, Clone, Default)]
struct Matched(HashMap<PlaceId, bool>);

impl Tally {
    /// Of nothing yet.
    pub(crate) fn new(budget: Budget) -> Self {
        Self {
            budget,
            amount: 0,
            units: 0,
            by_place: HashMap::new(),
            in_doubt: HashMap::new(),
            matched: Matched::default(),
            matched_units: Matched::default(),
        }
    }

    /// Takes in the next call.
    pub(crate) fn observe(&mut self, moment: &Moment<'_>) {
        if !self.budget.includes_loader && self.is_loaders(moment) {
            return;
        }
        let mut counted = Counted::default();
        if let Some(Unit::Calls(selection)) = &self.budget.per {
            counted.units = u64::from(selection.selects(moment, &mut self.matched_units));
            self.units += counted.units;
        }
        let (selection, amount) = match &self.budget.subject {
            Subject::Calls(selection) => (selection, 1),
            Subject::Bytes { of, written: _ } => (of, moment.bytes),
            Subject::Findings(_) | Subject::Processes | Subject::Price => return,
        };
        if amount > 0 && selection.selects(moment, &mut self.matched) {
            self.amount += amount;
            let source = Source {
                call: moment.event.call,
                errno: moment.errno(),
                place: moment.any_place(),
                stack: moment.event.stack.map(|stack| stack.0),
            };
            *self.by_place.entry(source).or_default() += amount;
            counted.from = Some((source, amount));
        }
        self.keep_in_doubt(moment, counted);
    }

    /// True of the loader's calls. What was counted of a file before it turned out to be the
    /// loader's (`dlopen` opens a library and reads its header, then maps it) is taken back.
    fn is_loaders(&mut self, moment: &Moment<'_>) -> bool {
        let Some(file) = moment.file else { return moment.is_loaders };
        let in_doubt = if file.is_loaders { self.in_doubt.remove(&file.number) } else { None };
        for counted in in_doubt.into_iter().flatten() {
            self.units -= counted.units;
            let Some((source, amount)) = counted.from else { continue };
            self.amount -= amount;
            let left = self.by_place.get(&source).map_or(0, |known| known - amount);
            if left == 0 {
                self.by_place.remove(&source);
            } else {
                self.by_place.insert(source, left);
            }
        }
        moment.is_loaders || file.is_loaders
    }

    fn keep_in_doubt(&mut self, moment: &Moment<'_>, counted: Counted) {
        for ended in moment.ended {
            self.in_doubt.remove(ended);
        }
        let Some(file) = moment.file.filter(|file| !moment.ended.contains(&file.number)) else { return };
        let known = self.in_doubt.get(&file.number).map_or(0, Vec::len);
        let is_open = matches!(moment.action(), FileAction::Open { .. });
        if (is_open || (1..CALLS_IN_DOUBT).contains(&known)) && !self.budget.includes_loader {
            self.in_doubt.entry(file.number).or_default().push(counted);
        }
    }

    /// Whether the budget was met.
    pub(crate) fn outcome(&self, world: &World, sites: &mut CallSites<'_>) -> BudgetOutcome {
        if !matches!(self.budget.subject, Subject::Calls(_) | Subject::Bytes { .. }) {
            return self.budget.outcome(Reading::unavailable("it is held when findings have their prices"));
        }
        let divided_by = match &self.budget.per {
            None => None,
            Some(Unit::Process) => Some(world.processes_seen),
            Some(Unit::Calls(_)) => Some(self.units),
        };
        let measured = match divided_by {
            None => Reading::Value(self.amount as f64),
            Some(0) => Reading::unavailable("what it is counted per never happened"),
            Some(units) => Reading::Value(self.amount as f64 / units as f64),
        };
        let mut outcome = self.budget.outcome(measured);
        outcome.divided_by = divided_by;
        // Of calls without a path it would be said of too few paths.
        let paths: Option<HashSet<_>> = self.by_place.keys().map(|source| source.place).collect();
        outcome.paths = paths.map(|paths| paths.len() as u64);
        outcome.total = divided_by.map(|_| self.amount);
        let pattern = self.budget.pattern_to_match().filter(|_| self.amount == 0);
        let is_blank = |glob: &Glob| !world.places.has_path(|path| glob.matches(path, world.start_path()));
        if let Some(glob) = pattern.filter(|glob| outcome.verdict == BudgetVerdict::Met && is_blank(glob)) {
            outcome.verdict = BudgetVerdict::NotKnown;
            outcome.not_known = Some(format!(
                "no call named a path like `{}`: such a budget would be met for ever; `== 0` says that none is meant",
                glob.text()
            ));
        }
        if outcome.verdict != BudgetVerdict::Met {
            outcome.calls = self.calls(world, sites);
        }
        outcome
    }

    /// Those that make the most of it, each with the place in the code that most of them come from: which
    /// they are must not depend on which calls have a stack.
    fn calls(&self, world: &World, sites: &mut CallSites<'_>) -> Vec<BudgetCalls> {
        // The first stack of a site stands for it: which one must not depend on a hash.
        let mut stacks: Vec<_> = self.by_place.iter().collect();
        stacks.sort_unstable();
        let mut sums: BTreeMap<Source, u64> = BTreeMap::new();
        for (source, amount) in &stacks {
            *sums.entry(Source { stack: None, ..**source }).or_default() += **amount;
        }
        let mut sums: Vec<_> = sums.into_iter().collect();
        sums.sort_by_key(|(_, amount)| Reverse(*amount));
        sums.truncate(TOLD);
        let told = sums.into_iter().map(|(source, amount)| {
            let mut by_site: BTreeMap<u32, u64> = BTreeMap::new();
            for (of_stack, amount) in &stacks {
                if let Some(stack) = of_stack.stack.filter(|_| Source { stack: None, ..**of_stack } == source)
                    && let Some(site) = sites.site(stack)
                {
                    *by_site.entry(site).or_default() += **amount;
                }
            }
            let most = by_site.into_iter().max_by_key(|(site, amount)| (*amount, Reverse(*site)));
            let stack = most.map(|(site, _)| site);
            BudgetCalls {
                call: source.call.to_owned(),
                errno: source.errno.map(errno_name),
                path: source.place.map(|place| world.places.path(place).to_owned()),
                amount,
                here: most.map(|(_, here)| here).filter(|here| *here < amount),
                stack,
                frames: sites.frames(stack).to_vec(),
            }
        });
        told.collect()
    }
}

/// Calls as a budget names them: `newfstatat(*.json)`, `open(*.conf) failures`.
#[derive(Debug, Clone)]
pub(crate) struct CallPattern {
    selection: Selection,
    includes_loader: bool,
    matched: Matched,
}

impl CallPattern {
    /// Reads one.
    pub(crate) fn parse(text: &str) -> Result<Self, BudgetError> {
        let Budget { subject, per, includes_loader, .. } = Budget::parse_metric(text)?;
        match (subject, per) {
            (Subject::Calls(selection), None) => {
                Ok(Self { selection, includes_loader, matched: Matched::default() })
            }
            _ => Err(BudgetError::new(
                text,
                0..text.len(),
                "calls are asked about, as `newfstatat(*.json)`",
                None,
            )),
        }
    }

    /// Patterns of paths are seen from this directory too.
    pub(crate) fn see_from(&mut self, directory: &str) {
        if let Some(path) = &mut self.selection.path {
            path.see_from(directory);
        }
    }

    pub(crate) fn selects(&mut self, moment: &Moment<'_>) -> bool {
        let is_loaders = moment.is_loaders || moment.file.is_some_and(|file| file.is_loaders);
        (self.includes_loader || !is_loaders) && self.selection.selects(moment, &mut self.matched)
    }
}

impl Selection {
    fn selects(&self, moment: &Moment<'_>, matched: &mut Matched) -> bool {
        let is_named = match &self.calls {
            Names::All => true,
            // What goes through a ring is the call that it stands for: `io_uring:openat`.
            Names::These(names) => names.contains(&moment.event.call.rsplit(':').next().unwrap_or_default()),
        };
        let ends_so = match (self.ending, moment.event.outcome) {
            (Ending::Any, _) => true,
            (Ending::Succeeded, outcome) => outcome.value().is_some(),
            (Ending::Failed(asked), CallOutcome::Failed(errno)) => asked.is_none_or(|asked| asked == errno),
            (Ending::Failed(_), _) => false,
        };
        let is_named_so = match self.named_by {
            None => true,
            Some(NamedBy::Path) => moment.place.is_some(),
            Some(NamedBy::Descriptor) => moment.place.is_none() && moment.file.is_some(),
        };
        is_named
            && ends_so
            && is_named_so
            && self.path.as_ref().is_none_or(|path| matched.is_match(path, moment))
    }
}

impl Matched {
    fn is_match(&mut self, glob: &Glob, moment: &Moment<'_>) -> bool {
        let mut is_one = |place: Option<PlaceId>| {
            let Some(place) = place else { return false };
            *self
                .0
                .entry(place)
                .or_insert_with(|| glob.matches(moment.world.places.path(place), moment.world.start_path()))
        };
        is_one(moment.any_place()) || is_one(moment.other_place)
    }
}
