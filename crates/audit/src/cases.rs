//! Cases of one pattern gathered by program, owner and stack: each gathering is a finding.

use crate::call_key::{Amount, CallKey};
use crate::call_sites::CallSites;
use crate::finding::ExampleCall;
use crate::moment::Moment;
use crate::shared_path::SharedPath;
use crate::world::{OpenFile, PlaceId, World, is_of_libc};
use fathom_events::FileAction;
use fathom_model::CallCondition;
use std::collections::BTreeMap;

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
    /// Which decisions to live with it hold its paths, by the number of their set.
    pub(crate) tolerated_set: u32,
}

/// Where a case lies, kept until it is sure that it is one.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    group: Group,
    place: Option<PlaceId>,
    /// Further places that the scene stands for, where they were told.
    others: SharedPath,
    process: u32,
    example: Vec<ExampleCall>,
}

/// Cases of one group.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) count: u64,
    pub(crate) process: u32,
    pub(crate) example: Vec<ExampleCall>,
    pub(crate) paths: SharedPath,
    avoidable: BTreeMap<CallKey, Amount>,
    instead: BTreeMap<CallKey, Amount>,
}

/// Cases by group.
#[derive(Debug, Default)]
pub(crate) struct Cases {
    groups: BTreeMap<Group, Case>,
}

impl Scene {
    /// That of a call.
    pub(crate) fn of(moment: &Moment<'_>) -> Self {
        Self::at(moment, moment.any_place())
    }

    /// That of a call, about another place.
    pub(crate) fn at(moment: &Moment<'_>, place: Option<PlaceId>) -> Self {
        Self {
            group: group_of(moment, place),
            place,
            others: SharedPath::default(),
            process: moment.process(),
            example: moment.example(),
        }
    }

    /// That of an open file which this call ends: it lies where the file was opened.
    pub(crate) fn of_opened(moment: &Moment<'_>, file: &OpenFile) -> Self {
        let others: Vec<_> = file.place.into_iter().collect();
        let mut scene = Self::among(moment, file.place, &others);
        scene.group.stack = file.opened_stack.map(|stack| stack.0).or(scene.group.stack);
        scene
    }

    /// It stands for one more place.
    pub(crate) fn also_at(&mut self, place: Option<PlaceId>, world: &World) {
        if let Some(place) = place {
            self.others.add(place, world);
        }
    }

    /// That of a call about a place, shown with the calls on others before it.
    pub(crate) fn among(moment: &Moment<'_>, place: Option<PlaceId>, others: &[PlaceId]) -> Self {
        Self { example: moment.example_among(others), ..Self::at(moment, place) }
    }
}

impl Cases {
    /// Adds a case that ends with this call.
    pub(crate) fn add(&mut self, moment: &Moment<'_>, avoidable: &[(CallKey, Amount)]) {
        self.add_at(moment, moment.any_place(), 1, avoidable);
    }

    /// The same where the C library makes the calls by itself.
    pub(crate) fn add_libcs(&mut self, moment: &Moment<'_>, avoidable: &[(CallKey, Amount)]) {
        self.add_libcs_times(moment, 1, avoidable);
    }

    /// Several of those.
    pub(crate) fn add_libcs_times(
        &mut self,
        moment: &Moment<'_>,
        count: u64,
        avoidable: &[(CallKey, Amount)],
    ) {
        let place = moment.any_place();
        if !moment.world.tells_of(place) {
            return;
        }
        let group = Group { is_libcs: true, ..group_of(moment, place) };
        let case = self.groups.entry(group).or_insert_with(|| Case::new(moment.process(), moment.example()));
        case.add(count, place, avoidable, moment.world);
    }

    /// Adds cases about a place.
    pub(crate) fn add_at(
        &mut self,
        moment: &Moment<'_>,
        place: Option<PlaceId>,
        count: u64,
        avoidable: &[(CallKey, Amount)],
    ) {
        if !moment.world.tells_of(place) {
            return;
        }
        let group = Group { stack: case_stack(moment), ..group_of(moment, place) };
        let case = self.groups.entry(group).or_insert_with(|| Case::new(moment.process(), moment.example()));
        case.add(count, place, avoidable, moment.world);
    }

    /// Adds cases of a scene that was kept.
    pub(crate) fn add_scene(
        &mut self,
        scene: &Scene,
        count: u64,
        avoidable: &[(CallKey, Amount)],
        world: &World,
    ) {
        if !world.tells_of(scene.place) {
            return;
        }
        let new = || Case::new(scene.process, scene.example.clone());
        let case = self.groups.entry(scene.group).or_insert_with(new);
        if scene.others.is_empty() {
            case.add(count, scene.place, avoidable, world);
        } else {
            case.add(1, scene.place, avoidable, world);
            case.paths.join(&scene.others, world);
            case.count += count - 1;
        }
    }

    /// Says which calls have to be made in place of those that were counted for a scene.
    pub(crate) fn replace(&mut self, scene: &Scene, instead: &[(CallKey, Amount)]) {
        if let Some(case) = self.groups.get_mut(&scene.group) {
            sum_up(&mut case.instead, instead.iter().map(|(key, amount)| (key, amount)));
        }
    }

    /// Every group with its cases; stacks of one call site are one.
    pub(crate) fn by_site(&self, sites: &mut CallSites<'_>, world: &World) -> BTreeMap<Group, Case> {
        let mut by_site: BTreeMap<Group, Case> = BTreeMap::new();
        for (group, case) in &self.groups {
            let group = Group { stack: group.stack.and_then(|stack| sites.site(stack)), ..*group };
            match by_site.get_mut(&group) {
                Some(known) => known.join(case, world),
                None => {
                    by_site.insert(group, case.clone());
                }
            }
        }
        by_site
    }
}

impl Case {
    fn new(process: u32, example: Vec<ExampleCall>) -> Self {
        Self {
            count: 0,
            process,
            example,
            paths: SharedPath::default(),
            avoidable: BTreeMap::new(),
            instead: BTreeMap::new(),
        }
    }

    fn add(&mut self, count: u64, place: Option<PlaceId>, avoidable: &[(CallKey, Amount)], world: &World) {
        self.count += count;
        if let Some(place) = place {
            self.paths.add(place, world);
            if count > 1 {
                self.paths.stand_for_several();
            }
        }
        sum_up(&mut self.avoidable, avoidable.iter().map(|(key, amount)| (key, amount)));
    }

    /// Takes in the cases of another group, and its example where that came earlier.
    pub(crate) fn join(&mut self, other: &Self, world: &World) {
        self.count += other.count;
        self.paths.join(&other.paths, world);
        let number = |case: &Self| case.example.last().map_or(u64::MAX, |call| call.number);
        if number(other) < number(self) {
            (self.process, self.example) = (other.process, other.example.clone());
        }
        sum_up(&mut self.avoidable, &other.avoidable);
        sum_up(&mut self.instead, &other.instead);
    }

    /// The calls that can be spared.
    pub(crate) fn avoidable(&self) -> Vec<CallCondition> {
        conditions(&self.avoidable)
    }

    /// The calls that are made in their place.
    pub(crate) fn instead(&self) -> Vec<CallCondition> {
        conditions(&self.instead)
    }
}

fn sum_up<'a>(
    sums: &mut BTreeMap<CallKey, Amount>,
    calls: impl IntoIterator<Item = (&'a CallKey, &'a Amount)>,
) {
    for (key, amount) in calls {
        let sum = sums.entry(*key).or_default();
        sum.calls += amount.calls;
        sum.bytes += amount.bytes;
    }
}

fn conditions(calls: &BTreeMap<CallKey, Amount>) -> Vec<CallCondition> {
    let some = calls.iter().filter(|(_, amount)| amount.calls > 0);
    some.map(|(key, amount)| key.condition(*amount)).collect()
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

#[cfg(test)]
mod tests {
    use crate::auditor::Auditor;
    use crate::finding::RuleId;
    use crate::script::{READ, Script};

    #[test]
    fn only_what_lies_below_the_named_directories_is_told() {
        let mut script = Script::new();
        for path in ["/data/a", "/data", "/database/a", "/srv/x"] {
            let file = script.open(path, READ);
            (0..3).for_each(|_| script.fstat(file, 100));
            script.close(file);
        }
        let count = |directories: &[&str]| {
            let new = Auditor::new();
            let mut auditor = directories.iter().fold(new, |auditor, name| auditor.telling_below(name));
            script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
            let findings = auditor.finish().findings;
            let again = findings.iter().filter(|finding| finding.rule == RuleId(3));
            again.map(|finding| finding.count).sum::<u64>()
        };
        assert_eq!([count(&[]), count(&["/data"]), count(&["/data/", "/srv"])], [8, 4, 6]);
    }
}
