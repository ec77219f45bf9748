//! R21: every name of a directory looked up right after it was listed.

use crate::call_key::{Amount, CallKey};
use crate::cases::Cases;
use crate::cases::Scene;
use crate::finding::RuleId;
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::{FileAction, FileKind};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(21),
    name: "stat-after-readdir",
    needs: "getdents with its entries or bytes, paths of stat",
    guards: &[PART, FEW, LINKS],
    begin: |guards| Box::new(StatAfterList { guards, listed: Recent::default(), cases: Cases::default() }),
};

const PART: Guard = Guard { name: "part", spares: "only some of the names were looked up" };
const FEW: Guard = Guard { name: "few", spares: "a handful of names" };
const LINKS: Guard =
    Guard { name: "links", spares: "the names are links: d_type does not tell what they lead to" };

/// From this many names on it is worth a word.
const HABIT: usize = 16;
/// The share of names that is all of them.
const ALL: f64 = 0.8;
/// What an entry takes where their number is not told.
const ENTRY_BYTES: u64 = 32;

const WORDS: Words = Words::cost(
    "nearly every name of a directory was looked up right after it was listed",
    "take the kind from d_type; where sizes or times are needed, ask relative to the directory (fstatat), not by the whole path",
    "sizes, times or owners may be what is wanted; some file systems tell no d_type",
);

#[derive(Debug)]
struct StatAfterList {
    guards: Guards,
    listed: Recent<(u32, PlaceId), Listing>,
    cases: Cases,
}

#[derive(Debug, Default)]
struct Listing {
    entries: u64,
    names: BTreeSet<PlaceId>,
    links: usize,
    calls: BTreeMap<CallKey, Amount>,
    scene: Option<Scene>,
}

impl Rule for StatAfterList {
    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::List { entries, .. } if moment.bytes > 0 && moment.is_judged() => {
                let Some(place) = moment.file.and_then(|file| file.place) else { return };
                let listing = self.listed.entry((moment.thread(), place));
                listing.entries += entries.map_or(moment.bytes / ENTRY_BYTES, u64::from);
            }
            FileAction::Stat { .. } if moment.is_ok() => {
                let Some(place) = moment.judged_place() else { return };
                let Some(parent) = moment.world.places.parent(place) else { return };
                let Some(listing) = self.listed.get_mut(&(moment.thread(), parent)) else { return };
                if !listing.names.insert(place) {
                    return;
                }
                let kind = moment.facts().and_then(|facts| facts.kind);
                listing.links += usize::from(kind == Some(FileKind::Link));
                listing.calls.entry(moment.key).or_default().calls += 1;
                if listing.scene.is_none() {
                    listing.scene = Some(Scene::at(moment, Some(parent)));
                }
            }
            _ => {}
        }
    }

    fn finish(&mut self, world: &World) {
        let mut listed: Vec<_> = self.listed.iter().collect();
        listed.sort_by_key(|(key, _)| **key);
        for (_, listing) in listed {
            let Some(scene) = &listing.scene else { continue };
            // "." and ".." are entries that nobody asks for.
            let share = listing.names.len() as f64 / listing.entries.saturating_sub(2).max(1) as f64;
            if !self.guards.spare(PART, share < ALL)
                && !self.guards.spare(FEW, listing.names.len() < HABIT)
                && !self.guards.spare(LINKS, listing.links * 2 > listing.names.len())
            {
                let calls: Vec<_> = listing.calls.iter().map(|(key, amount)| (*key, *amount)).collect();
                self.cases.add_scene(scene, listing.names.len() as u64, &calls, world);
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    fn list(script: &mut Script, entries: u32, kind: FileKind, asked: u32) {
        let directory = script.open("/data", READ | crate::open_flags::DIRECTORY);
        let action = FileAction::List { descriptor: directory, entries: Some(entries + 2) };
        script.call("getdents64", action, fathom_events::CallOutcome::Value(i64::from(entries) * 32));
        script.close(directory);
        (0..asked).for_each(|file| script.stat_as(&format!("/data/{file}"), kind, 10));
    }
    crate::trio::Trio {
        rule: 21,
        waste: |script| list(script, 40, FileKind::Regular, 40),
        count: 40,
        fixed: |script| list(script, 40, FileKind::Regular, 0),
        look_alikes: &[
            ("part", |script| list(script, 40, FileKind::Regular, 20)),
            ("few", |script| list(script, 5, FileKind::Regular, 5)),
            ("links", |script| list(script, 40, FileKind::Link, 40)),
        ],
    }
};
