//! Cases of one pattern gathered by program, owner and stack: each gathering is a finding.

use crate::call_key::{Amount, CallKey};
use crate::finding::ExampleCall;
use crate::moment::Moment;
use crate::world::{PlaceId, World, is_of_libc};
use fathom_model::CallCondition;
use std::collections::BTreeMap;

/// What cases are gathered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Group {
    pub(crate) program: Option<PlaceId>,
    pub(crate) runtime: Option<usize>,
    pub(crate) is_libcs: bool,
    pub(crate) is_loaders: bool,
    pub(crate) stack: Option<u32>,
}

/// Where a case lies, kept until it is sure that it is one.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    group: Group,
    place: Option<PlaceId>,
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
}

/// Cases by group.
#[derive(Debug, Default)]
pub(crate) struct Cases {
    groups: BTreeMap<Group, Case>,
}

/// What paths have in common.
#[derive(Debug, Clone, Default)]
pub(crate) struct SharedPath {
    first: Option<PlaceId>,
    /// Directory and ending that all have, once there are two.
    shared: Option<(String, String)>,
}

impl Scene {
    /// That of a call.
    pub(crate) fn of(moment: &Moment<'_>) -> Self {
        Self::at(moment, moment.any_place())
    }

    /// That of a call, about another place.
    pub(crate) fn at(moment: &Moment<'_>, place: Option<PlaceId>) -> Self {
        Self { group: group_of(moment, place), place, process: moment.process(), example: moment.example() }
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
        let group = Group { is_libcs: true, ..group_of(moment, moment.any_place()) };
        let case = self.groups.entry(group).or_insert_with(|| Case::new(moment.process(), moment.example()));
        case.add(count, moment.any_place(), avoidable, moment.world);
    }

    /// Adds cases about a place.
    pub(crate) fn add_at(
        &mut self,
        moment: &Moment<'_>,
        place: Option<PlaceId>,
        count: u64,
        avoidable: &[(CallKey, Amount)],
    ) {
        let group = group_of(moment, place);
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
        let new = || Case::new(scene.process, scene.example.clone());
        self.groups.entry(scene.group).or_insert_with(new).add(count, scene.place, avoidable, world);
    }

    /// Every group with its cases.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Group, &Case)> {
        self.groups.iter()
    }
}

impl Case {
    fn new(process: u32, example: Vec<ExampleCall>) -> Self {
        Self { count: 0, process, example, paths: SharedPath::default(), avoidable: BTreeMap::new() }
    }

    fn add(&mut self, count: u64, place: Option<PlaceId>, avoidable: &[(CallKey, Amount)], world: &World) {
        self.count += count;
        if let Some(place) = place {
            self.paths.add(place, world);
        }
        for (key, amount) in avoidable {
            let sum = self.avoidable.entry(*key).or_default();
            sum.calls += amount.calls;
            sum.bytes += amount.bytes;
        }
    }

    /// The calls that can be spared.
    pub(crate) fn avoidable(&self) -> Vec<CallCondition> {
        let some = self.avoidable.iter().filter(|(_, amount)| amount.calls > 0);
        some.map(|(key, amount)| key.condition(*amount)).collect()
    }
}

impl SharedPath {
    fn add(&mut self, place: PlaceId, world: &World) {
        let Some(first) = self.first else {
            self.first = Some(place);
            return;
        };
        if first == place {
            return;
        }
        let path = world.places.path(place);
        match &mut self.shared {
            None => {
                let first = world.places.path(first);
                self.shared =
                    Some((common_directory(directory(first), path), common_ending(ending(first), path)));
            }
            Some((directory, ending)) => {
                if !path.starts_with(directory.as_str()) {
                    *directory = common_directory(directory, path);
                }
                if !path.ends_with(ending.as_str()) {
                    ending.clear();
                }
            }
        }
    }

    /// In words: one path, `/data/*.json`, or one path `and others`.
    pub(crate) fn words(&self, world: &World) -> Option<String> {
        match &self.shared {
            Some((directory, ending)) if directory.len() <= 1 && ending.is_empty() => {
                self.first.map(|first| format!("{} and others", world.places.path(first)))
            }
            Some((directory, ending)) => Some(format!("{directory}*{ending}")),
            None => self.first.map(|first| world.places.path(first).to_owned()),
        }
    }
}

fn group_of(moment: &Moment<'_>, place: Option<PlaceId>) -> Group {
    let process = moment.world.process(moment.process());
    Group {
        program: process.and_then(|process| process.program),
        runtime: process.and_then(|process| process.runtime),
        is_libcs: place.is_some_and(|place| is_of_libc(moment.world.places.path(place))),
        is_loaders: moment.is_loaders,
        stack: moment.event.stack.map(|stack| stack.0),
    }
}

/// With its `/` at the end.
fn directory(path: &str) -> &str {
    path.rfind('/').map_or("", |cut| &path[..=cut])
}

/// The ending of a name with its dot; empty where there is none.
fn ending(path: &str) -> &str {
    let name = &path[directory(path).len()..];
    name.rfind('.').filter(|dot| *dot > 0).map_or("", |dot| &name[dot..])
}

fn common_directory(directory: &str, path: &str) -> String {
    let same = directory.bytes().zip(path.bytes()).take_while(|(one, other)| one == other).count();
    let cut =
        directory.as_bytes()[..same].iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
    directory.get(..cut).unwrap_or("").to_owned()
}

fn common_ending(ending: &str, path: &str) -> String {
    if path.ends_with(ending) { ending.to_owned() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_by_what_they_share() {
        assert_eq!((directory("/a/b.json"), ending("/a/b.json"), ending("/a/.hidden")), ("/a/", ".json", ""));
        assert_eq!(common_directory("/data/in/", "/data/inner/x"), "/data/");
        assert_eq!(common_directory("/data/in/", "/srv/x"), "/");
        assert_eq!(common_ending(".json", "/x/y.toml"), "");
    }
}
