//! R21: every name of a directory looked up right after it was listed.

use crate::call_key::{Amount, CallKey};
use crate::cases::Cases;
use crate::cases::Scene;
use crate::claims::Claims;
use crate::finding::RuleId;
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::{FileAction, FileKind, Target};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(21),
    name: "stat-after-readdir",
    needs: "getdents with its entries or bytes, paths of stat",
    guards: &[PART, FEW, LINKS, RELATIVE, CHOSEN],
    begin: |guards| {
        Box::new(StatAfterList {
            guards,
            listed: Recent::default(),
            kinds: Cases::default(),
            paths: Cases::default(),
        })
    },
};

const PART: Guard = Guard { name: "part", spares: "only some of the names were looked up" };
const FEW: Guard = Guard { name: "few", spares: "a handful of names" };
const LINKS: Guard = Guard {
    name: "links",
    spares: "as many names as are links, of which d_type does not tell what they lead to, or have no d_type",
};
const RELATIVE: Guard = Guard {
    name: "relative",
    spares: "it asks for more than the kind and relative to the directory: sizes and times cost no less",
};

const CHOSEN: Guard = Guard {
    name: "chosen",
    spares: "it chose facts by statx's mask that the listing does not tell: a long listing needs them",
};

/// From this many names on, in all directories together, it is worth a word.
const HABIT: u64 = 16;
/// The share of names that is all of them.
const ALL: f64 = 0.8;
/// What an entry takes where their number is not told.
const ENTRY_BYTES: u64 = 32;

/// `STATX_TYPE` and `STATX_MODE`; the kind is in both.
const KIND: u32 = 3;
/// `STATX_BASIC_STATS`: what a program asks for that did not choose.
const EVERYTHING: u32 = 0x7ff;

const KINDS: Words = Words::cost(
    "stat() of nearly every entry after readdir(): d_type tells the kind",
    "take the kind from d_type, which the listing told",
    "permissions may be what is wanted; where the source of events does not tell d_type, the names may be links",
);

const PATHS: Words = Words::cost(
    "stat() by full path of nearly every entry after readdir()",
    "take the kind from d_type; where sizes or times are needed, ask relative to the directory (fstatat): that saves the way to it",
    "sizes, times or owners may be what is wanted: then the price is that of the longer way, as shown",
);

#[derive(Debug)]
struct StatAfterList {
    guards: Guards,
    listed: Recent<(u32, PlaceId), Listing>,
    kinds: Cases,
    paths: Cases,
}

#[derive(Debug, Default)]
struct Listing {
    entries: u64,
    /// Entries whose kind the listing left open.
    undecided: usize,
    names: BTreeSet<PlaceId>,
    /// Names that turned out to be links.
    links: usize,
    /// How many were asked for their kind alone.
    kinds: usize,
    /// How many were asked for facts that were chosen, more than the kind.
    chosen: usize,
    /// How many were asked by a path, not relative to an open directory.
    by_path: usize,
    calls: Claims,
    scene: Option<Scene>,
}

impl Rule for StatAfterList {
    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::List { entries, undecided, .. } if moment.bytes > 0 && moment.is_judged() => {
                let Some(place) = moment.file.and_then(|file| file.place) else { return };
                let listing = self.listed.entry((moment.thread(), place));
                listing.entries += entries.map_or(moment.bytes / ENTRY_BYTES, u64::from);
                listing.undecided += undecided.map_or(0, |undecided| undecided as usize);
            }
            FileAction::Stat { target: Target::Path { directory, .. }, mask, .. } if moment.is_ok() => {
                let Some(place) = moment.judged_place() else { return };
                let Some(parent) = moment.world.places.parent(place) else { return };
                let Some(listing) = self.listed.get_mut(&(moment.thread(), parent)) else { return };
                if !listing.names.insert(place) {
                    return;
                }
                let kind = moment.facts().and_then(|facts| facts.kind);
                listing.kinds += usize::from(*mask != 0 && mask & !KIND == 0);
                let is_more = mask & EVERYTHING != 0 && mask & EVERYTHING & !KIND != 0;
                listing.chosen += usize::from(is_more && mask & EVERYTHING != EVERYTHING);
                listing.by_path += usize::from(*directory == Target::CURRENT_DIRECTORY);
                listing.links += usize::from(kind == Some(FileKind::Link));
                listing.calls.push(moment.claim());
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
        // A tree has many small directories: they are a habit together.
        let mut threads: BTreeMap<(u32, bool), Vec<Asked<'_>>> = BTreeMap::new();
        for ((thread, _), listing) in listed {
            if let Some(asked) = self.asked(listing) {
                threads.entry((*thread, asked.is_by_path)).or_default().push(asked);
            }
        }
        for ((_, is_by_path), asked) in threads {
            let answered: u64 = asked.iter().map(|asked| asked.calls.calls()).sum();
            if self.guards.spare(FEW, answered < HABIT) {
                continue;
            }
            for Asked { scene, calls, .. } in asked {
                if is_by_path {
                    self.paths.claim_scene(scene, calls.calls(), &calls, world);
                    self.paths.replace(scene, &shorter(&calls));
                } else {
                    self.kinds.claim_scene(scene, calls.calls(), &calls, world);
                }
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&KINDS, &self.kinds), (&PATHS, &self.paths)]
    }
}

/// What was asked needlessly of the names of one directory.
struct Asked<'a> {
    scene: &'a Scene,
    calls: Claims,
    /// By the whole path, for more than the kind.
    is_by_path: bool,
}

impl StatAfterList {
    /// `None` where the questions were needed.
    fn asked<'a>(&self, listing: &'a Listing) -> Option<Asked<'a>> {
        let scene = listing.scene.as_ref()?;
        let names = listing.names.len();
        let open = listing.undecided.max(listing.links).min(names);
        // Which of the names they are is not told: as many questions are needed.
        let open = if self.guards.spare(LINKS, open > 0) { open as u64 } else { 0 };
        let calls = listing.calls.less(open);
        // "." and ".." are entries that nobody asks for.
        let decided = listing.entries.saturating_sub(2 + open).max(1);
        let share = calls.calls() as f64 / decided as f64;
        if calls.calls() == 0 || self.guards.spare(PART, share < ALL) {
            return None;
        }
        let is_by_path = listing.kinds * 2 <= names;
        let is_needed = is_by_path
            && (self.guards.spare(RELATIVE, listing.by_path * 2 <= names)
                || self.guards.spare(CHOSEN, listing.chosen * 2 > names));
        (!is_needed).then_some(Asked { scene, calls, is_by_path })
    }
}

/// The same calls relative to the directory.
fn shorter(calls: &Claims) -> Vec<(CallKey, Amount)> {
    let sums = calls.sums();
    sums.iter().map(|(key, amount)| (key.with_fewer_components(u32::MAX), *amount)).collect()
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    fn list_as(script: &mut Script, path: &str, kind: FileKind, (entries, asked): (u32, u32)) {
        let directory = script.open(path, READ | crate::open_flags::DIRECTORY);
        let action =
            FileAction::List { descriptor: directory, entries: Some(entries + 2), undecided: Some(0) };
        script.call("getdents64", action, fathom_events::CallOutcome::Value(i64::from(entries) * 32));
        script.close(directory);
        (0..asked).for_each(|file| script.stat_as(&format!("{path}/{file}"), kind, 10));
    }
    fn list(script: &mut Script, entries: u32, kind: FileKind, asked: u32) {
        list_as(script, "/data", kind, (entries, asked));
    }
    /// One of many small directories.
    fn list_tree(script: &mut Script, path: &str, entries: u32, asked: u32) {
        list_as(script, path, FileKind::Regular, (entries, asked));
    }
    /// Lists a directory of which some entries are links, and asks for what each leads to.
    fn list_undecided(script: &mut Script, entries: u32, undecided: u32) {
        let directory = script.open("/lib", READ | crate::open_flags::DIRECTORY);
        let action = FileAction::List {
            descriptor: directory,
            entries: Some(entries + 2),
            undecided: Some(undecided),
        };
        script.call("getdents64", action, fathom_events::CallOutcome::Value(i64::from(entries) * 32));
        script.close(directory);
        (0..entries).for_each(|file| script.stat(&format!("/lib/{file}"), 10));
    }
    /// Lists a directory and asks for its names relative to it, with another facts' mask.
    fn ask(script: &mut Script, mask: u32, names: u32) {
        let directory = script.open("/srv", READ | crate::open_flags::DIRECTORY);
        let action = FileAction::List { descriptor: directory, entries: Some(names + 2), undecided: Some(0) };
        script.call("getdents64", action, fathom_events::CallOutcome::Value(i64::from(names) * 32));
        for name in 0..names {
            let facts = Some(Box::new(script.facts(&format!("/srv/{name}"), FileKind::Regular, 10)));
            let Target::Path { path, .. } = script.target(&name.to_string()) else { continue };
            let target = Target::Path { directory, path, follow: false };
            script.works("statx", FileAction::Stat { target, facts, mask });
        }
        script.close(directory);
    }
    crate::trio::Trio {
        rule: 21,
        waste: |script| {
            list(script, 40, FileKind::Regular, 40);
            list_undecided(script, 50, 20);
            ask(script, 3, 30);
            (0..9).for_each(|directory| list_tree(script, &format!("/tree/{directory}"), 4, 4));
        },
        count: 40 + 30 + 30 + 9 * 4,
        fixed: |script| list(script, 40, FileKind::Regular, 0),
        look_alikes: &[
            ("part", |script| list(script, 40, FileKind::Regular, 20)),
            ("few", |script| list(script, 5, FileKind::Regular, 5)),
            ("part", |script| {
                for directory in 0..20 {
                    list_tree(script, &format!("/tree/{directory}"), 4, 2);
                }
            }),
            ("chosen", |script| {
                let directory = script.open("/data", READ | crate::open_flags::DIRECTORY);
                let action =
                    FileAction::List { descriptor: directory, entries: Some(42), undecided: Some(0) };
                script.call("getdents64", action, fathom_events::CallOutcome::Value(1280));
                script.close(directory);
                for name in 0..40 {
                    let path = format!("/data/{name}");
                    let facts = Some(Box::new(script.facts(&path, FileKind::Regular, 10)));
                    let target = script.target(&path);
                    script.works("statx", FileAction::Stat { target, facts, mask: 0x25e });
                }
            }),
            ("relative", |script| ask(script, 0x7ff, 40)),
            ("links", |script| list(script, 40, FileKind::Link, 40)),
            // Each leads to a file, which only the question tells.
            ("links", |script| list_undecided(script, 40, 35)),
            ("links", |script| list_undecided(script, 40, 40)),
        ],
    }
};
