//! What paths have in common: the directory that all lie below, the ending that all have,
//! and how many they are.

use crate::path_set::PathSet;
use crate::world::{PlaceId, World};
use std::collections::BTreeSet;

/// So many paths are told apart; beyond, their number is not known.
const COUNTED: usize = 4096;

/// What paths have in common.
#[derive(Debug, Clone, Default)]
pub(crate) struct SharedPath {
    first: Option<PlaceId>,
    /// The places, the first `COUNTED` of them.
    places: BTreeSet<PlaceId>,
    /// True when one path stood for several cases: how many paths there are is not known.
    stands_for_several: bool,
    /// Directory and ending that all have, once there are two.
    shared: Option<(String, String)>,
}

impl SharedPath {
    /// Takes in one more.
    pub(crate) fn add(&mut self, place: PlaceId, world: &World) {
        let Some(first) = self.first else {
            self.first = Some(place);
            return;
        };
        let is_full = self.places.len() >= COUNTED;
        if first == place || (if is_full { self.places.contains(&place) } else { !self.places.insert(place) })
        {
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

    /// True where none was taken in.
    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// Says that a path that was taken in stands for several cases.
    pub(crate) fn stand_for_several(&mut self) {
        self.stands_for_several = true;
    }

    /// Says that each path that was taken in stands for itself: there are no others.
    pub(crate) fn stand_for_themselves(&mut self) {
        self.stands_for_several = false;
    }

    /// True of a path that was taken in, as far as paths are told apart.
    pub(crate) fn holds(&self, place: PlaceId) -> bool {
        self.first == Some(place) || self.places.contains(&place)
    }

    /// Those that are to stay; the same where not all are known one by one.
    #[must_use]
    pub(crate) fn less(&self, stays: impl Fn(PlaceId) -> bool, world: &World) -> Self {
        if self.places.len() >= COUNTED {
            return self.clone();
        }
        let mut left = Self { stands_for_several: self.stands_for_several, ..Self::default() };
        let all = self.first.iter().chain(&self.places).filter(|place| stays(**place));
        all.for_each(|place| left.add(*place, world));
        left
    }

    /// Takes in those of another.
    pub(crate) fn join(&mut self, other: &Self, world: &World) {
        self.stands_for_several |= other.stands_for_several;
        let Some(first) = other.first else { return };
        self.add(first, world);
        for place in &other.places {
            self.add(*place, world);
        }
        let Some((directory, ending)) = &other.shared else { return };
        if let Some(shared) = &mut self.shared {
            shared.0 = common_directory(&shared.0, directory);
            if shared.1 != *ending {
                shared.1.clear();
            }
        }
    }

    /// As a finding tells them; `None` where none was taken in.
    pub(crate) fn set(&self, world: &World) -> Option<PathSet> {
        let first = PathSet::of_path(world.places.path(self.first?));
        let Some((directory, ending)) = &self.shared else { return Some(first) };
        let directory = if directory.len() > 1 { directory.trim_end_matches('/') } else { directory };
        Some(PathSet {
            count: self.places.len() as u64 + 1,
            is_lower_bound: self.stands_for_several || self.places.len() >= COUNTED,
            directory: (!directory.is_empty()).then(|| directory.to_owned()),
            extension: (!ending.is_empty()).then(|| ending.clone()),
            ..first
        })
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
