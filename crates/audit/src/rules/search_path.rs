//! R17: names looked for in one directory after the other.

use crate::call_key::ENOENT;
use crate::cases::{Cases, Scene};
use crate::claims::{Claim, Claims};
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::FileAction;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeMap;
use std::hash::BuildHasher;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(17),
    name: "search-path-storm",
    needs: "paths and errnos of open, stat and access",
    guards: &[FEW_NAMES, NEAR, APART, NO_LIST],
    begin: |guards| {
        Box::new(SearchPath {
            guards,
            searches: Recent::default(),
            last_miss: Recent::default(),
            found: BTreeMap::new(),
            cases: Cases::default(),
        })
    },
};

const FEW_NAMES: Guard =
    Guard { name: "few-names", spares: "a shell looks for a program or two along its PATH" };
const NEAR: Guard = Guard { name: "near", spares: "what it looks for lies in the first directories" };

const APART: Guard =
    Guard { name: "apart", spares: "the looks lie apart: each directory was looked at for its own sake" };

const NO_LIST: Guard = Guard {
    name: "no-list",
    spares: "each name was looked for in directories of its own: there is no list of directories",
};

/// One look follows another of the same search within so many calls of the thread.
const NEXT_CALLS: u64 = 8;
/// A search is long when it looked in this many directories.
const LONG: u64 = 3;
/// Long searches for this many names are a habit.
const HABIT: u64 = 8;

const WORDS: Words = Words::cost(
    "search path: most of its directories are tried in vain",
    "put the directory that holds them first, shorten the list, or keep an index (RUNPATH, ld.so.cache, bootsnap, a hash of commands)",
    "the order of the list may decide which of several files of one name is meant",
);

#[derive(Debug)]
struct SearchPath {
    guards: Guards,
    searches: Recent<(u32, u64), Search>,
    /// By thread, which of its calls was its last miss.
    last_miss: Recent<u32, u64>,
    found: BTreeMap<ListKey, Found>,
    cases: Cases,
}

/// The process, whether it is its loader, and the first two directories of the list.
type ListKey = (u32, bool, Option<(PlaceId, PlaceId)>);

#[derive(Debug, Default)]
struct Search {
    last_call: u64,
    misses: Vec<Claim>,
}

#[derive(Debug, Default)]
struct Found {
    names: u64,
    ranks: u64,
    calls: Claims,
    scene: Option<Scene>,
}

impl Rule for SearchPath {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Open, Kind::Stat, Kind::Access])
    }

    fn wakes_at(&self) -> Interest {
        self.interest().unless_ok()
    }

    fn remembers(&self) -> bool {
        !self.searches.is_empty()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let is_lookup = matches!(
            moment.action(),
            FileAction::Open { .. } | FileAction::Stat { .. } | FileAction::Access { .. }
        );
        let Some(place) = moment.place.filter(|_| is_lookup) else { return };
        let call = u64::from(moment.when.thread_call);
        if moment.errno() != Some(ENOENT) && self.guards.spare(APART, self.is_apart(moment.thread(), call)) {
            return;
        }
        let key = (moment.thread(), name_number(moment.world.places.name(place)));
        if moment.errno() == Some(ENOENT) {
            self.last_miss.insert(moment.thread(), call);
            let search = self.searches.entry(key);
            let is_apart = call.saturating_sub(search.last_call) > NEXT_CALLS;
            if self.guards.spare(APART, !search.misses.is_empty() && is_apart) {
                search.misses.clear();
            }
            search.last_call = call;
            if search.misses.len() < 64 {
                search.misses.push(moment.claim());
            }
            return;
        }
        let Some(search) = self.searches.remove(&key).filter(|_| moment.is_ok()) else { return };
        let is_apart = call.saturating_sub(search.last_call) > NEXT_CALLS;
        if self.guards.spare(APART, is_apart) {
            return;
        }
        let Some(list) = list_of(moment, &search) else { return };
        let list = self.guards.spare(NO_LIST, true).then_some(list);
        let misses = search.misses.len() as u64;
        let found = self.found.entry((moment.process(), moment.is_loaders, list)).or_default();
        found.ranks += misses + 1;
        found.names += 1;
        search.misses.into_iter().for_each(|call| found.calls.push(call));
        if misses + 1 >= LONG && found.scene.is_none() {
            found.scene = Some(Scene::of(moment));
        }
    }

    fn finish(&mut self, world: &World) {
        for found in std::mem::take(&mut self.found).into_values() {
            let Some(scene) = &found.scene else { continue };
            let is_near = found.ranks < LONG * found.names;
            if !self.guards.spare(FEW_NAMES, found.names < HABIT) && !self.guards.spare(NEAR, is_near) {
                self.cases.claim_scene(scene, found.calls.calls(), &found.calls, world);
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

impl SearchPath {
    /// True where no miss of this thread is near: what is there now was not searched for.
    fn is_apart(&self, thread: u32, call: u64) -> bool {
        self.last_miss.get(&thread).is_none_or(|at| call.saturating_sub(*at) > NEXT_CALLS)
    }
}

/// The first two directories that a name was looked for in.
fn list_of(moment: &Moment<'_>, search: &Search) -> Option<(PlaceId, PlaceId)> {
    let mut places = search.misses.iter().filter_map(|call| call.place).chain(moment.place);
    let mut directory = || moment.world.places.parent(places.next()?);
    Some((directory()?, directory()?)).filter(|(first, second)| first != second)
}

/// Names are many, and only their being the same matters.
fn name_number(name: &str) -> u64 {
    FxBuildHasher.hash_one(name)
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    fn search(script: &mut Script, name: &str, misses: usize) {
        for directory in 0..misses {
            script.open_fails(&format!("/lib/{directory}/{name}"), READ, 2);
        }
        let file = script.open(&format!("/lib/{misses}/{name}"), READ);
        script.close(file);
    }
    crate::trio::Trio {
        rule: 17,
        waste: |script| (0..10).for_each(|name| search(script, &format!("m{name}"), 6)),
        count: 60,
        fixed: |script| (0..10).for_each(|name| search(script, &format!("m{name}"), 0)),
        look_alikes: &[
            ("apart", |script| {
                for name in 0..10 {
                    for directory in 0..6 {
                        script.stat_fails(&format!("/src/{directory}/{name}.settings"));
                        (0..9).for_each(|file| script.stat(&format!("/src/{directory}/{file}"), 10));
                    }
                    script.stat(&format!("/src/6/{name}.settings"), 10);
                }
            }),
            // A settings file looked for from each project upward.
            ("no-list", |script| {
                for project in 0..10 {
                    for directory in ["a/b/c", "a/b", "a", "."] {
                        script.stat_fails(&format!("/src/{project}/{directory}/.settings"));
                    }
                    script.stat("/src/.settings", 10);
                }
            }),
            ("few-names", |script| search(script, "ls", 6)),
            ("near", |script| {
                (0..20).for_each(|name| search(script, &format!("m{name}"), 1));
                search(script, "far", 5);
            }),
        ],
    }
};
