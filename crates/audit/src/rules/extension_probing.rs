//! R19: a name tried with one ending after the other until one is there.

use crate::call_key::ENOENT;
use crate::cases::{Cases, Scene};
use crate::claims::{Claim, Claims};
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::{Moment, When};
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::FileAction;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeMap;
use std::hash::BuildHasher;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(19),
    name: "extension-probing",
    needs: "paths and errnos of open, stat and access",
    guards: &[FEW_NAMES, MADE, LONG_AGO],
    begin: |guards| {
        Box::new(ExtensionProbing {
            guards,
            tries: Recent::default(),
            last_try: Recent::default(),
            found: BTreeMap::new(),
            cases: Cases::default(),
        })
    },
};

const FEW_NAMES: Guard = Guard { name: "few-names", spares: "a handful of names" };
const MADE: Guard = Guard { name: "made", spares: "it looked for a name that is free, and made the file" };
const LONG_AGO: Guard = Guard { name: "long-ago", spares: "the tries lie far apart: they are no search" };

/// With fewer tries in vain the right ending came early.
const TRIES: usize = 2;
/// From this many names on it is a habit.
const HABIT: u64 = 8;
/// Tries of one name that are kept.
const KEPT: usize = 32;

const WORDS: Words = Words::cost(
    "file name extensions tried one after the other",
    "try the likely ending first, write the ending where the name is written, or list the directory once",
    "the order of the endings may decide which of several files is meant",
);

#[derive(Debug)]
struct ExtensionProbing {
    guards: Guards,
    /// By thread, directory and the name without its ending.
    tries: Recent<(u32, PlaceId, u64), Tries>,
    /// The last try in vain of each thread.
    last_try: Recent<u32, When>,
    found: BTreeMap<u32, Found>,
    cases: Cases,
}

#[derive(Debug, Default)]
struct Tries {
    when: When,
    /// Those that the runtime made by itself.
    by_runtime: usize,
    names: Vec<(PlaceId, Claim)>,
}

#[derive(Debug, Default)]
struct Found {
    names: u64,
    /// By directory, and whether the runtime tried.
    directories: BTreeMap<(PlaceId, bool), Tried>,
}

/// Tries in vain in one directory.
#[derive(Debug, Default)]
struct Tried {
    count: u64,
    calls: Claims,
    scene: Option<Scene>,
}

impl Rule for ExtensionProbing {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Open, Kind::Stat, Kind::Access])
    }

    fn wakes_at(&self) -> Interest {
        self.interest().unless_ok()
    }

    fn remembers(&self) -> bool {
        !self.tries.is_empty()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let is_lookup = matches!(
            moment.action(),
            FileAction::Open { .. } | FileAction::Stat { .. } | FileAction::Access { .. }
        );
        let Some(place) = moment.judged_place().filter(|_| is_lookup) else { return };
        if moment.errno() != Some(ENOENT) && self.guards.spare(LONG_AGO, self.is_long_ago(moment)) {
            return;
        }
        let places = &moment.world.places;
        let Some(parent) = places.parent(place) else { return };
        let key = (moment.thread(), parent, number(stem(places.name(place))));
        if moment.errno() == Some(ENOENT) {
            self.last_try.insert(moment.thread(), moment.when);
            let tries = self.tries.entry(key);
            if self.guards.spare(LONG_AGO, !tries.names.is_empty() && !tries.when.is_near(moment.when)) {
                (tries.by_runtime, tries.names) = (0, Vec::new());
            }
            tries.when = moment.when;
            let is_new = tries.names.iter().all(|(tried, _)| *tried != place);
            if is_new && tries.names.len() < KEPT {
                tries.names.push((place, moment.claim()));
                tries.by_runtime += usize::from(moment.is_runtimes(Some(place)));
            }
            return;
        }
        if !moment.is_ok() {
            return;
        }
        let Some(mut tries) = self.tries.remove(&key) else { return };
        let name = places.name(place);
        tries.names.retain(|(tried, _)| !is_companion(places.name(*tried), name));
        if tries.names.len() < TRIES {
            return;
        }
        let is_same = tries.names.iter().any(|(tried, _)| *tried == place);
        let creates = matches!(moment.action(), FileAction::Open { flags, .. } if open_flags::has(*flags, open_flags::CREATE));
        if !is_same
            && !self.guards.spare(MADE, creates)
            && !self.guards.spare(LONG_AGO, !tries.when.is_near(moment.when))
        {
            self.found(moment, parent, &tries);
        }
    }

    fn finish(&mut self, world: &World) {
        for found in std::mem::take(&mut self.found).into_values() {
            if self.guards.spare(FEW_NAMES, found.names < HABIT) {
                continue;
            }
            for tried in found.directories.into_values() {
                if let Some(scene) = tried.scene {
                    self.cases.claim_scene(&scene, tried.count, &tried.calls, world);
                }
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

impl ExtensionProbing {
    /// True where no try of this thread is near: what is there now was not searched for.
    fn is_long_ago(&self, moment: &Moment<'_>) -> bool {
        self.last_try.get(&moment.thread()).is_none_or(|when| !when.is_near(moment.when))
    }

    fn found(&mut self, moment: &Moment<'_>, parent: PlaceId, tries: &Tries) {
        let found = self.found.entry(moment.process()).or_default();
        found.names += 1;
        let is_runtimes = tries.by_runtime >= tries.names.len();
        let tried = found.directories.entry((parent, is_runtimes)).or_default();
        tried.count += tries.names.len() as u64;
        tries.names.iter().for_each(|(_, call)| tried.calls.push(*call));
        if tried.scene.is_none() {
            let places: Vec<_> = tries.names.iter().map(|(place, _)| *place).collect();
            let scene = Scene::among(moment, moment.place, &places);
            tried.scene = Some(scene.asked_by_runtime(is_runtimes));
        }
    }
}

/// A name up to its first dot, but for one at its very beginning.
fn stem(name: &str) -> &str {
    let mut bytes = name.bytes();
    let begin = bytes.position(|byte| byte != b'.').map_or(name.len(), |at| at + 1);
    bytes.position(|byte| byte == b'.').map_or(name, |dot| &name[..begin + dot])
}

/// True of `data.db-journal` beside `data.db`: it is another file, not the same one elsewhere.
fn is_companion(name: &str, of: &str) -> bool {
    of.contains('.') && name.strip_prefix(of).is_some_and(|rest| rest.starts_with(['-', '~']))
}

/// Names are many, and only their being the same matters.
fn number(name: &str) -> u64 {
    FxBuildHasher.hash_one(name)
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, READ, Script};
    fn import(script: &mut Script, name: usize) {
        script.stat_fails(&format!("/lib/m{name}"));
        script.stat_fails(&format!("/lib/m{name}.so"));
        let file = script.open(&format!("/lib/m{name}.rb"), READ);
        script.close(file);
    }
    crate::trio::Trio {
        rule: 19,
        waste: |script| (0..9).for_each(|name| import(script, name)),
        count: 18,
        fixed: |script| {
            for name in 0..9 {
                let file = script.open(&format!("/lib/m{name}.rb"), READ);
                script.close(file);
            }
        },
        look_alikes: &[
            ("few-names", |script| (0..3).for_each(|name| import(script, name))),
            ("made", |script| {
                for name in 0..9 {
                    script.stat_fails(&format!("/out/m{name}.o"));
                    script.stat_fails(&format!("/out/m{name}.d"));
                    let file = script.open(&format!("/out/m{name}.tmp"), CREATE | open_flags::EXCLUSIVE);
                    script.close(file);
                }
            }),
            ("long-ago", |script| {
                for name in 0..9 {
                    script.stat_fails(&format!("/lib/m{name}"));
                    script.stat_fails(&format!("/lib/m{name}.so"));
                    (0..70).for_each(|_| script.is_terminal(1));
                    let file = script.open(&format!("/lib/m{name}.rb"), READ);
                    script.close(file);
                }
            }),
            ("", |script| {
                for name in 0..9 {
                    script.stat_fails(&format!("/lib/m{name}.db-journal"));
                    script.stat_fails(&format!("/lib/m{name}.db-wal"));
                    script.stat(&format!("/lib/m{name}.db"), 4096);
                }
            }),
            ("", |script| {
                for name in 0..9 {
                    let file = script.open(&format!("/lib/m{name}.rb"), READ);
                    script.close(file);
                    script.stat_fails(&format!("/lib/m{name}.map"));
                    script.stat_fails(&format!("/lib/m{name}.debug"));
                }
            }),
        ],
    }
};

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn a_stem_ends_at_the_first_dot_within() {
        assert_eq!([stem("a.b.so"), stem("a"), stem(".a.b"), stem("..")], ["a", "a", ".a", ".."]);
    }
}
