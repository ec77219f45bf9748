//! Cases of one pattern gathered by program, owner and stack: each gathering is a finding.

mod scene;
mod shares;
#[cfg(test)]
mod tests;

pub(crate) use scene::Scene;
pub(crate) use shares::{Share, shares};

use crate::call_key::{Amount, CallKey};
use crate::call_sites::CallSites;
use crate::claims::{Claim, Claims, conditions, sum_up};
use crate::finding::{ExampleCall, PathCount};
use crate::hits::Hits;
use crate::moment::Moment;
use crate::shared_path::SharedPath;
use crate::world::{PlaceId, World, is_of_libc};
use fathom_events::FileAction;
use fathom_model::CountedCalls;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// What cases are gathered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Group {
    pub(crate) program: Option<PlaceId>,
    pub(crate) runtime: Option<usize>,
    pub(crate) is_libcs: bool,
    pub(crate) is_loaders: bool,
    /// The runtime makes the call by itself, by signs that it is known by.
    pub(crate) is_runtimes: bool,
    pub(crate) stack: Option<u32>,
    /// Of calls without a stack, where others have one: what they are about, as far as that is told apart.
    pub(crate) about: Option<PlaceId>,
    /// Which decisions to live with it hold its paths, by the number of their set.
    pub(crate) tolerated_set: u32,
}

/// Cases of one group.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) count: u64,
    pub(crate) process: u32,
    pub(crate) example: Vec<ExampleCall>,
    pub(crate) paths: SharedPath,
    hits: Hits,
    /// Where the example is from.
    example_at: Option<PlaceId>,
    pub(crate) claims: Claims,
    instead: BTreeMap<CallKey, Amount>,
    /// Of some of its calls no stack was taken: they are told where the others came from.
    pub(crate) is_sampled: bool,
}

/// Cases by group.
#[derive(Debug, Default)]
pub(crate) struct Cases {
    groups: BTreeMap<Group, Case>,
    /// Some calls have a stack.
    has_stacks: bool,
}

/// Calls without a stack are told apart by what they are about while there are so few groups.
const TOLD_APART: usize = 512;

impl Cases {
    /// Adds a case that ends with this call.
    pub(crate) fn claim(&mut self, moment: &Moment<'_>, calls: &[Claim]) {
        self.claim_at(moment, moment.any_place(), 1, &calls.iter().copied().collect());
    }

    /// Adds one that is the runtime's where that is known of the call, or of its like.
    pub(crate) fn claim_by(&mut self, moment: &Moment<'_>, is_runtimes: bool, calls: &[Claim]) {
        let place = moment.any_place();
        if moment.world.tells_of(place) {
            let own = group_of(moment, place);
            let is_runtimes = is_runtimes || own.is_runtimes;
            let group = Group { stack: case_stack(moment), is_runtimes, ..own };
            self.add_to(group, moment, place, 1, &calls.iter().copied().collect());
        }
    }

    /// Adds cases about a place.
    pub(crate) fn claim_at(
        &mut self,
        moment: &Moment<'_>,
        place: Option<PlaceId>,
        count: u64,
        calls: &Claims,
    ) {
        if moment.world.tells_of(place) {
            let group = Group { stack: case_stack(moment), ..group_of(moment, place) };
            self.add_to(group, moment, place, count, calls);
        }
    }

    /// Adds cases about a place that a call of the same thread ended, which did not take part in
    /// them: `stack` is that of those that did, and where they led tells whose they are.
    pub(crate) fn claim_ended(
        &mut self,
        moment: &Moment<'_>,
        (place, led_to): (PlaceId, PlaceId),
        stack: Option<u32>,
        calls: &Claims,
    ) {
        if !moment.world.tells_of(Some(place)) {
            return;
        }
        let is_runtimes = moment.world.owns_as_runtime(moment.process(), led_to);
        let group = Group { is_runtimes, stack, ..group_of(moment, Some(place)) };
        let case = self.case(group, Some(place), moment.process());
        case.count += calls.calls();
        case.add_path(calls.calls(), Some(place), moment.world);
        case.hits.add(place, calls.calls());
        case.claims.join(&calls.about(Some(place)));
        if case.is_best_shown_at(Some(place)) {
            case.process = moment.process();
            case.example = moment.history.example_before(moment, place);
        }
    }

    /// Adds cases of calls that the C library makes by itself.
    pub(crate) fn claim_libcs(&mut self, moment: &Moment<'_>, count: u64, calls: &Claims) {
        let place = moment.any_place();
        if moment.world.tells_of(place) {
            let group = Group { is_libcs: true, ..group_of(moment, place) };
            self.add_to(group, moment, place, count, calls);
        }
    }

    /// Adds cases of a scene that was kept.
    pub(crate) fn claim_scene(&mut self, scene: &Scene, count: u64, calls: &Claims, world: &World) {
        if !world.tells_of(scene.place) {
            return;
        }
        let case = self.case(scene.group, scene.place, scene.process);
        case.count += count;
        let places = calls.by_place();
        let is_elsewhere = |place: &PlaceId| {
            Some(*place) != scene.place
                && !scene.place.is_some_and(|scene| world.places.is_below(*place, world.places.path(scene)))
        };
        if scene.others.is_empty() && places.keys().any(is_elsewhere) {
            // Those that the calls are about: the scene's own may be only the last of them.
            for place in places.keys() {
                case.paths.add(*place, world);
            }
        } else if scene.others.is_empty() {
            case.add_path(count, scene.place, world);
        } else {
            case.paths.join(&scene.others, world);
        }
        case.hits.add_shares(count, scene.place, calls);
        case.claims.join(calls);
        if case.is_best_shown_at(scene.place) {
            case.process = scene.process;
            case.example.clone_from(&scene.example);
        }
    }

    /// Adds a case that ends with this call and accuses none, or calls that are not known by
    /// their numbers.
    pub(crate) fn add(&mut self, moment: &Moment<'_>, avoidable: &[(CallKey, Amount)]) {
        self.add_at(moment, moment.any_place(), 1, avoidable);
    }

    /// The same about a place, several times.
    pub(crate) fn add_at(
        &mut self,
        moment: &Moment<'_>,
        place: Option<PlaceId>,
        count: u64,
        avoidable: &[(CallKey, Amount)],
    ) {
        self.claim_at(moment, place, count, &unknown(avoidable));
    }

    /// The same of a scene that was kept.
    pub(crate) fn add_scene(
        &mut self,
        scene: &Scene,
        count: u64,
        avoidable: &[(CallKey, Amount)],
        world: &World,
    ) {
        self.claim_scene(scene, count, &unknown(avoidable), world);
    }

    /// The case of a group that is about a place.
    fn case(&mut self, group: Group, place: Option<PlaceId>, process: u32) -> &mut Case {
        self.has_stacks |= group.stack.is_some();
        let apart = Group { about: place, ..group };
        let is_apart = self.has_stacks
            && group.stack.is_none()
            && (self.groups.len() < TOLD_APART || self.groups.contains_key(&apart));
        self.groups.entry(if is_apart { apart } else { group }).or_insert_with(|| Case::new(process))
    }

    fn add_to(
        &mut self,
        group: Group,
        moment: &Moment<'_>,
        place: Option<PlaceId>,
        count: u64,
        calls: &Claims,
    ) {
        let case = self.case(group, place, moment.process());
        case.count += count;
        case.add_path(count, place, moment.world);
        if let Some(place) = place {
            case.hits.add(place, count);
        }
        case.claims.join(&calls.about(place));
        if case.is_best_shown_at(place) {
            case.process = moment.process();
            case.example = moment.example();
        }
    }

    /// Says which calls have to be made in place of those that were counted for a scene.
    pub(crate) fn replace(&mut self, scene: &Scene, instead: &[(CallKey, Amount)]) {
        let apart = Group { about: scene.place, ..scene.group };
        let group = if self.groups.contains_key(&apart) { apart } else { scene.group };
        if let Some(case) = self.groups.get_mut(&group) {
            sum_up(&mut case.instead, instead.iter().copied());
        }
    }

    /// Every group with its cases; stacks of one call site are one. Those without a stack are told with the
    /// others where all of these, or all that are about the same paths, come from one site.
    pub(crate) fn by_site(&self, sites: &mut CallSites<'_>, world: &World) -> BTreeMap<Group, Case> {
        let mut by_site: BTreeMap<Group, Case> = BTreeMap::new();
        let (stackless, others): (Vec<_>, Vec<_>) =
            self.groups.iter().partition(|(group, _)| group.stack.is_none());
        for (group, case) in others {
            let group = Group { stack: group.stack.and_then(|stack| sites.site(stack)), ..*group };
            add(&mut by_site, group, case, world);
        }
        // Before any of them is added: what is known of one must not depend on another.
        let homes: Vec<Group> = stackless.iter().map(|(group, case)| home(&by_site, group, case)).collect();
        for (home, (_, case)) in homes.into_iter().zip(stackless) {
            let known = add(&mut by_site, home, case, world);
            known.is_sampled |= home.stack.is_some();
        }
        by_site
    }
}

fn add<'a>(by_site: &'a mut BTreeMap<Group, Case>, group: Group, case: &Case, world: &World) -> &'a mut Case {
    match by_site.entry(group) {
        Entry::Occupied(known) => {
            let known = known.into_mut();
            known.join(case, world);
            known
        }
        Entry::Vacant(new) => new.insert(case.clone()),
    }
}

/// With which of the cases that have a site those of a group without a stack are told: the only ones, or the
/// only ones that are about the same paths.
fn home(by_site: &BTreeMap<Group, Case>, group: &Group, case: &Case) -> Group {
    let unknown = Group { about: None, ..*group };
    let alike = || by_site.iter().filter(|(other, _)| Group { stack: None, ..**other } == unknown);
    let mut same = alike().filter(|(_, other)| other.hits.has_common(&case.hits));
    let (mut all, mut same) = (alike(), (same.next(), same.next()));
    let only = match (all.next(), all.next()) {
        (Some((only, _)), None) => Some(*only),
        _ => same.0.take().filter(|_| same.1.is_none()).map(|(only, _)| *only),
    };
    only.unwrap_or(unknown)
}

impl Case {
    fn new(process: u32) -> Self {
        Self {
            count: 0,
            process,
            example: Vec::new(),
            paths: SharedPath::default(),
            hits: Hits::default(),
            example_at: None,
            claims: Claims::default(),
            instead: BTreeMap::new(),
            is_sampled: false,
        }
    }

    fn add_path(&mut self, count: u64, place: Option<PlaceId>, world: &World) {
        if let Some(place) = place {
            self.paths.add(place, world);
            if count > 1 {
                self.paths.stand_for_several();
            }
        }
    }

    /// True where an example of that place is to be taken: it is the first, or more occurred
    /// there than where the one at hand is from.
    fn is_best_shown_at(&mut self, place: Option<PlaceId>) -> bool {
        let is_better = self.hits.at(place) > self.hits.at(self.example_at) && place != self.example_at;
        let is_best = self.example.is_empty() || is_better;
        if is_best {
            self.example_at = place;
        }
        is_best
    }

    /// Takes in the cases of another group, and its example where more occurred there, or as
    /// much and earlier.
    pub(crate) fn join(&mut self, other: &Self, world: &World) {
        self.count += other.count;
        self.paths.join(&other.paths, world);
        self.hits.join(&other.hits);
        let number = |case: &Self| case.example.last().map_or(u64::MAX, |call| call.number);
        let rank = |case: &Self| (Reverse(self.hits.at(case.example_at)), number(case));
        if rank(other) < rank(self) {
            self.process = other.process;
            self.example_at = other.example_at;
            self.example.clone_from(&other.example);
        }
        self.is_sampled |= other.is_sampled;
        self.claims.join(&other.claims);
        sum_up(&mut self.instead, other.instead.iter().map(|(key, amount)| (*key, *amount)));
    }

    /// What is left of it with its share of the calls that are not another finding's; `None` where nothing is.
    pub(crate) fn left_with(mut self, share: Share, world: &World) -> Option<Self> {
        let Share { claims, count, instead } = share;
        let left = claims.calls();
        if left == 0 && count == 0 {
            return None;
        }
        (self.count, self.instead) = (count, instead);
        if left == self.claims.calls() {
            self.claims = claims;
            return Some(self);
        }
        let (known, still) = (self.claims.by_place(), claims.by_place());
        self.hits.limit(|place| known.contains_key(&place).then(|| still.get(&place).copied().unwrap_or(0)));
        // Calls that went to other findings take their paths along.
        self.paths =
            self.paths.less(|place| !known.contains_key(&place) || still.contains_key(&place), world);
        if self.paths.is_empty() {
            for place in still.keys() {
                self.paths.add(*place, world);
            }
        }
        if still.values().sum::<u64>() == left && still.keys().all(|place| self.paths.holds(*place)) {
            self.paths.stand_for_themselves();
        }
        self.claims = claims;
        Some(self)
    }

    /// The calls that can be spared.
    pub(crate) fn avoidable(&self) -> Vec<CountedCalls> {
        self.claims.conditions()
    }

    /// The calls that are made in their place.
    pub(crate) fn instead(&self) -> Vec<CountedCalls> {
        conditions(&self.instead)
    }

    /// How many calls those are.
    pub(crate) fn instead_calls(&self) -> u64 {
        self.instead.values().map(|amount| amount.calls).sum()
    }

    /// The path with the most cases.
    pub(crate) fn most_at(&self, world: &World) -> Option<PathCount> {
        let (place, count) = self.hits.most()?;
        Some(PathCount { path: world.places.path(place).to_owned(), count })
    }

    /// The directories or packages with the most.
    pub(crate) fn directories(&self, world: &World) -> Vec<PathCount> {
        self.hits.directories(world)
    }
}

/// Calls of which only their number is known.
fn unknown(calls: &[(CallKey, Amount)]) -> Claims {
    let mut claims = Claims::default();
    for (key, amount) in calls {
        claims.push_unknown(*key, *amount);
    }
    claims
}

fn group_of(moment: &Moment<'_>, place: Option<PlaceId>) -> Group {
    let process = moment.world.process(moment.process());
    Group {
        program: process.and_then(|process| process.program),
        runtime: process.and_then(|process| process.runtime),
        is_libcs: place.is_some_and(|place| is_of_libc(moment.world.places.path(place), moment.action())),
        is_loaders: moment.is_loaders,
        is_runtimes: moment.is_runtimes(place),
        stack: moment.event.stack.map(|stack| stack.0),
        about: None,
        tolerated_set: moment.world.tolerated_set(place),
    }
}

/// Where a case comes from: one that is known when its file is closed, from where that was opened.
fn case_stack(moment: &Moment<'_>) -> Option<u32> {
    let opened = moment.file.and_then(|file| file.opened_stack);
    let is_end = moment.is_ok() && matches!(moment.action(), FileAction::Close { .. });
    let stack = if is_end { opened.or(moment.event.stack) } else { moment.event.stack.or(opened) };
    stack.map(|stack| stack.0)
}
