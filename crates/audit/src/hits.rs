//! How often something occurred at each path: the path with the most, and the directories or
//! packages that hold most of it.

use crate::claims::Claims;
use crate::finding::PathCount;
use crate::world::{PlaceId, World};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// So many directories are told.
const TOLD: usize = 3;
/// Directories in which package managers keep packages.
const PACKAGES: [&str; 5] = ["node_modules", "site-packages", "dist-packages", "gems", "vendor"];

/// How often something occurred at each path.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hits(BTreeMap<PlaceId, u64>);

impl Hits {
    /// So many more at a place.
    pub(crate) fn add(&mut self, place: PlaceId, count: u64) {
        *self.0.entry(place).or_default() += count;
    }

    /// So many cases, shared out to the places that their calls are about; to one place where
    /// they accuse none.
    pub(crate) fn add_shares(&mut self, count: u64, place: Option<PlaceId>, calls: &Claims) {
        let all = calls.calls();
        if let (0, Some(place)) = (all, place) {
            self.add(place, count);
        }
        for (place, of_place) in calls.by_place() {
            // In 128 bits: the product of two counts goes beyond 64.
            let share = (u128::from(of_place) * u128::from(count)).div_ceil(u128::from(all));
            self.add(place, u64::try_from(share).unwrap_or(of_place));
        }
    }

    /// True where something occurred at a path in both.
    pub(crate) fn has_common(&self, other: &Self) -> bool {
        let (few, many) = if self.0.len() < other.0.len() { (self, other) } else { (other, self) };
        few.0.keys().any(|place| many.0.contains_key(place))
    }

    /// Those of another too.
    pub(crate) fn join(&mut self, other: &Self) {
        for (place, count) in &other.0 {
            self.add(*place, *count);
        }
    }

    /// How often it occurred at a place.
    pub(crate) fn at(&self, place: Option<PlaceId>) -> u64 {
        place.and_then(|place| self.0.get(&place)).copied().unwrap_or(0)
    }

    /// At no place more often than that.
    pub(crate) fn limit(&mut self, most: impl Fn(PlaceId) -> Option<u64>) {
        for (place, count) in &mut self.0 {
            *count = most(*place).map_or(*count, |most| most.min(*count));
        }
        self.0.retain(|_, count| *count > 0);
    }

    /// The place with the most; of several the one that was named first.
    pub(crate) fn most(&self) -> Option<(PlaceId, u64)> {
        let most = self.0.iter().max_by_key(|(place, count)| (**count, Reverse(**place)));
        most.map(|(place, count)| (*place, *count))
    }

    /// The directories or packages with the most, where there are several. They are those that
    /// lie directly in the directory that all paths have in common.
    pub(crate) fn directories(&self, world: &World) -> Vec<PathCount> {
        let mut paths = self.0.iter().map(|(place, count)| (world.places.path(*place), *count));
        let Some((first, _)) = paths.next() else { return Vec::new() };
        let common = paths.fold(parent(first), |common, (path, _)| common_directory(common, path));
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for (place, count) in &self.0 {
            *counts.entry(group(world.places.path(*place), common.len())).or_default() += count;
        }
        if counts.len() < 2 {
            return Vec::new();
        }
        let mut told: Vec<_> = counts.into_iter().collect();
        told.sort_by_key(|(path, count)| (Reverse(*count), *path));
        let told = told.into_iter().take(TOLD);
        told.map(|(path, count)| PathCount { path: path.to_owned(), count }).collect()
    }
}

/// The directory of a path, with the `/` at its end.
fn parent(path: &str) -> &str {
    path.rfind('/').map_or("", |cut| &path[..=cut])
}

fn common_directory<'a>(directory: &'a str, path: &str) -> &'a str {
    let same = directory.bytes().zip(path.bytes()).take_while(|(one, other)| one == other).count();
    let cut = directory.as_bytes()[..same].iter().rposition(|byte| *byte == b'/');
    cut.map_or("", |cut| &directory[..=cut])
}

/// The package of a path, where it lies in one; else the directory directly in the common one,
/// whose length with its `/` is given, or that itself.
fn group(path: &str, common: usize) -> &str {
    if let Some(end) = package_end(path) {
        return &path[..end];
    }
    let below = path.get(common..).unwrap_or("");
    match below.find('/') {
        Some(cut) => &path[..common + cut],
        None if common > 1 => &path[..common - 1],
        None => &path[..common],
    }
}

/// Where the name of the innermost package ends.
fn package_end(path: &str) -> Option<usize> {
    let mut end = None;
    let mut at = 0;
    let mut words = path.split('/').peekable();
    while let Some(word) = words.next() {
        at += word.len() + 1;
        if PACKAGES.contains(&word) {
            let Some(name) = words.next() else { break };
            at += name.len() + 1;
            end = Some(at - 1);
            // `@scope/name` of npm is one name.
            if let Some(rest) = words.next_if(|_| name.starts_with('@')) {
                at += rest.len() + 1;
                end = Some(at - 1);
            }
        }
    }
    // What lies directly among packages is in none.
    end.filter(|end| *end < path.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directories(paths: &[(&str, u64)]) -> Vec<(String, u64)> {
        let mut world = World::default();
        let mut hits = Hits::default();
        for (path, count) in paths {
            let place = world.places.number(path);
            hits.add(place, *count);
        }
        hits.directories(&world).into_iter().map(|told| (told.path, told.count)).collect()
    }

    #[test]
    fn directories_lie_directly_in_what_all_have_in_common() {
        let paths = [("/data/a/1", 2), ("/data/a/x/2", 3), ("/data/b/1", 7), ("/data/c", 1)];
        let told = directories(&paths);
        assert_eq!(told, [("/data/b".into(), 7), ("/data/a".into(), 5), ("/data".into(), 1)]);
    }

    #[test]
    fn one_directory_is_none_worth_telling() {
        assert_eq!(directories(&[("/data/1", 2), ("/data/2", 3)]), []);
        assert_eq!(directories(&[("/data/1", 2)]), []);
        assert_eq!(directories(&[]), []);
    }

    #[test]
    fn packages_are_told_by_their_names() {
        let root = "/srv/app/node_modules";
        let paths = [
            (format!("{root}/jsdom/lib/a.js"), 20),
            (format!("{root}/jsdom/node_modules/ws/index.js"), 4),
            (format!("{root}/@babel/core/lib/x.js"), 9),
            (format!("{root}/.package-lock.json"), 1),
            ("/srv/app/src/main.js".to_owned(), 3),
        ];
        let paths: Vec<_> = paths.iter().map(|(path, count)| (path.as_str(), *count)).collect();
        let told = directories(&paths);
        assert_eq!(
            told,
            [
                (format!("{root}/jsdom"), 20),
                (format!("{root}/@babel/core"), 9),
                (format!("{root}/jsdom/node_modules/ws"), 4)
            ]
        );
    }

    #[test]
    fn the_most_is_limited_by_what_is_left() {
        let mut world = World::default();
        let [a, b] = ["/a", "/b"].map(|path| world.places.number(path));
        let mut hits = Hits::default();
        for (place, count) in [(a, 5), (b, 2), (b, 1)] {
            hits.add(place, count);
        }
        assert_eq!(hits.most(), Some((a, 5)));
        hits.limit(|place| (place == a).then_some(1));
        assert_eq!((hits.most(), hits.at(Some(a))), (Some((b, 3)), 1));
    }
}
