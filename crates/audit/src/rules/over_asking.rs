//! R12: more asked of a network file system than is needed.

use crate::cases::{Cases, Scene};
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::FileAction;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(12),
    name: "over-asking-statx",
    needs: "the mask of statx, and what is mounted where (a log of strace's does not tell)",
    guards: &[LOCAL, NARROW, FEW, ASKS_SPACE],
    begin: |guards| {
        Box::new(OverAsking {
            guards,
            asked: BTreeMap::new(),
            points: BTreeMap::new(),
            all: Cases::default(),
            mounts: Cases::default(),
        })
    },
};

const LOCAL: Guard =
    Guard { name: "local", spares: "a file system of this machine tells all of it for the same price" };
const NARROW: Guard = Guard { name: "narrow", spares: "it asks for some of the facts, not for all" };
const FEW: Guard = Guard { name: "few", spares: "a handful of questions" };
const ASKS_SPACE: Guard = Guard {
    name: "asks-space",
    spares: "it asks the file systems themselves, as df does: then their mount points are its subject",
};

/// `STATX_BASIC_STATS`: everything that stat tells.
const EVERYTHING: u32 = 0x7ff;
/// From this many questions on it is a habit.
const HABIT: u64 = 8;

const ALL: Words = Words::cost(
    "stat() of all attributes on a network file system: times and size need its server",
    "ask statx for what is needed alone (STATX_TYPE, STATX_MODE), with AT_STATX_DONT_SYNC where an answer from the cache will do",
    "all of the facts may be needed; whether AT_STATX_DONT_SYNC was given is not seen",
);

const POINTS: Words = Words::cost(
    "stat() of many mount points, network file systems among them: each may wait for its server",
    "look up the mount point that is needed alone, with AT_STATX_DONT_SYNC or AT_NO_AUTOMOUNT",
    "the program may need to know of each",
);

#[derive(Debug)]
struct OverAsking {
    guards: Guards,
    /// By process: questions for everything, and where.
    asked: BTreeMap<u32, BTreeMap<PlaceId, (Scene, u64)>>,
    points: BTreeMap<u32, Points>,
    all: Cases,
    mounts: Cases,
}

#[derive(Debug, Default)]
struct Points {
    seen: BTreeSet<PlaceId>,
    remote: Vec<Scene>,
    asks_space: bool,
}

impl Rule for OverAsking {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Stat, Kind::StatOpen]).if_ok().and(&[Kind::StatFileSystem])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let Some(place) = moment.any_place().filter(|_| moment.is_judged()) else { return };
        match moment.action() {
            FileAction::Stat { mask, .. } if moment.is_ok() => {
                let places = &moment.world.places;
                let is_point = places.is_mount_point(place);
                // Whether it is local is told by words, and most looks are not of such a kind.
                let Some(mount) = places.mount(place).filter(|_| is_point || *mask != 0) else { return };
                let is_local = self.guards.spare(LOCAL, !mount.is_network());
                if is_point {
                    let points = self.points.entry(moment.process()).or_default();
                    if points.seen.insert(place) && !is_local {
                        points.remote.push(Scene::of(moment));
                    }
                }
                let is_narrow = mask & EVERYTHING != EVERYTHING;
                if *mask != 0 && !is_local && !self.guards.spare(NARROW, is_narrow) {
                    let parent = places.parent(place).unwrap_or(place);
                    let asked = self.asked.entry(moment.process()).or_default();
                    asked.entry(parent).or_insert_with(|| (Scene::of(moment), 0)).1 += 1;
                }
            }
            FileAction::StatFileSystem { .. } => {
                self.points.entry(moment.process()).or_default().asks_space = true;
            }
            _ => {}
        }
    }

    fn finish(&mut self, world: &World) {
        for asked in std::mem::take(&mut self.asked).into_values() {
            let count: u64 = asked.values().map(|(_, count)| count).sum();
            if self.guards.spare(FEW, count < HABIT) {
                continue;
            }
            for (scene, count) in asked.into_values() {
                self.all.add_scene(&scene, count, &[], world);
            }
        }
        for points in std::mem::take(&mut self.points).into_values() {
            let is_many = points.seen.len() as u64 >= HABIT;
            if is_many && !self.guards.spare(ASKS_SPACE, points.asks_space) {
                for scene in points.remote {
                    self.mounts.add_scene(&scene, 1, &[], world);
                }
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&ALL, &self.all), (&POINTS, &self.mounts)]
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::Script;
    use fathom_events::FileKind;
    fn ask(script: &mut Script, mask: u32, times: u64) {
        for file in 0..times {
            let path = format!("/net/{file}");
            let facts = Some(Box::new(script.facts(&path, FileKind::Regular, 10)));
            let target = script.target(&path);
            script.works("statx", FileAction::Stat { target, facts, mask });
        }
    }
    fn visit_mounts(script: &mut Script) {
        script.mount("/net", "nfs4", "rw");
        (0..9).for_each(|disk| script.mount(&format!("/mnt/{disk}"), "ext4", "rw"));
        (0..9).for_each(|disk| script.stat_as(&format!("/mnt/{disk}"), FileKind::Directory, 4096));
        script.stat_as("/net", FileKind::Directory, 4096);
    }
    crate::trio::Trio {
        rule: 12,
        waste: |script| {
            visit_mounts(script);
            ask(script, 0xfff, 11);
        },
        count: 11 + 1,
        fixed: |script| {
            script.mount("/net", "nfs4", "rw");
            ask(script, 1, 11);
        },
        look_alikes: &[
            ("local", |script| {
                script.mount("/net", "ext4", "rw");
                ask(script, 0xfff, 11);
            }),
            ("narrow", |script| {
                script.mount("/net", "nfs4", "rw");
                ask(script, 0x3, 11);
            }),
            ("few", |script| {
                script.mount("/net", "nfs4", "rw");
                ask(script, 0xfff, 3);
            }),
            ("asks-space", |script| {
                visit_mounts(script);
                let target = script.target("/net");
                script.works("statfs", FileAction::StatFileSystem { target });
            }),
            ("", |script| ask(script, 0xfff, 100)),
        ],
    }
};
