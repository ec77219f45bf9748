//! R75: names removed that are not there.

use crate::call_key::ENOENT;
use crate::cases::{Cases, Scene};
use crate::claims::{Claim, Claims};
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::{Moment, When};
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::FileAction;
use rustc_hash::FxHashMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(75),
    name: "remove-of-missing",
    needs: "paths and errnos of unlink and rmdir",
    guards: &[MADE_BETWEEN, LONG_GAP, MADE_NEXT, NAMED, FOUND, FEW],
    begin: |guards| {
        Box::new(RemovedMissing {
            guards,
            missing: Recent::default(),
            directories: Recent::default(),
            again: Cases::default(),
            mostly: Cases::default(),
        })
    },
};

const MADE_BETWEEN: Guard = Guard {
    name: "made-between",
    spares: "something was made or removed under that name between: it may have been there again",
};
const LONG_GAP: Guard =
    Guard { name: "long-gap", spares: "more than a second passed: it sees to what others leave there" };
const MADE_NEXT: Guard = Guard {
    name: "made-next",
    spares: "the file is made under that name afterwards: the name is to be free, whatever was there",
};
const NAMED: Guard =
    Guard { name: "named", spares: "the command line names what is to be removed, or `rm` was told to" };
const FOUND: Guard =
    Guard { name: "found", spares: "a quarter of the removals there or more find their file" };
const FEW: Guard = Guard { name: "few", spares: "fewer than 64 names in one directory" };

/// The third removal of what is gone is a habit.
const HABIT: u64 = 3;
/// So many different names of one directory that are missing.
const MANY: u64 = 64;
/// One in so many removals that finds its file is as many as are spared.
const FOUND_SHARE: u64 = 4;
/// A second, in ns.
const GAP_NS: u64 = 1_000_000_000;

const AGAIN: Words = Words::cost(
    "unlink() of a path that an earlier unlink() found missing",
    "remember what was made, and remove only that; a name that is gone stays gone until somebody makes it",
    "programs outside the trace may make the file between",
);

const MOSTLY: Words = Words::cost(
    "most files to be removed from a directory do not exist (ENOENT)",
    "list the directory once and remove what is there, or keep a record of what was made",
    "the directory may hold so many other files that to list it costs more, or others may make files there meanwhile",
)
.perhaps();

#[derive(Debug)]
struct RemovedMissing {
    guards: Guards,
    /// By process and name.
    missing: Recent<(u32, PlaceId), Miss>,
    /// By process and directory.
    directories: Recent<(u32, PlaceId), Directory>,
    again: Cases,
    mostly: Cases,
}

#[derive(Debug, Default)]
struct Miss {
    when: When,
    count: u64,
    calls: Claims,
}

/// What was removed, or was to be, of one directory.
#[derive(Debug, Default)]
struct Directory {
    found: u64,
    /// The first miss of each name that was not made afterwards.
    missing: FxHashMap<PlaceId, Claim>,
    scene: Option<Scene>,
}

impl Rule for RemovedMissing {
    fn interest(&self) -> Interest {
        Interest::by_path().if_ok().or(Interest::in_calls(&[Kind::Remove]))
    }

    fn wakes_at(&self) -> Interest {
        Interest::in_calls(&[Kind::Remove])
    }

    fn remembers(&self) -> bool {
        !self.directories.is_empty()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        if matches!(moment.action(), FileAction::Remove { .. }) {
            self.removed(moment);
        } else if moment.is_ok() {
            for place in [moment.place, moment.other_place].into_iter().flatten() {
                self.is_there(moment, place);
            }
        }
    }

    fn finish(&mut self, world: &World) {
        for key in self.directories.keys() {
            let Some(directory) = self.directories.remove(&key) else { continue };
            let Some(scene) = &directory.scene else { continue };
            let missing = directory.missing.len() as u64;
            let all = directory.found + missing;
            if missing == 0
                || self.guards.spare(FEW, missing < MANY)
                || self.guards.spare(FOUND, directory.found * FOUND_SHARE >= all)
            {
                continue;
            }
            let mut calls: Vec<_> = directory.missing.into_values().collect();
            calls.sort_unstable_by_key(|call| call.number);
            self.mostly.claim_scene(scene, missing, &calls.into_iter().collect(), world);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&AGAIN, &self.again), (&MOSTLY, &self.mostly)]
    }
}

impl RemovedMissing {
    /// Something lies under a name: it was made, by a call that is seen or by another (`bind`).
    fn is_there(&mut self, moment: &Moment<'_>, place: PlaceId) {
        let Some(directory) = moment.world.places.parent(place) else { return };
        if self.guards.spare(MADE_NEXT, true)
            && let Some(directory) = self.directories.get_mut(&(moment.process(), directory))
        {
            directory.missing.remove(&place);
        }
    }

    fn removed(&mut self, moment: &Moment<'_>) {
        let Some(place) = moment.judged_place() else { return };
        let Some(directory) = moment.world.places.parent(place) else { return };
        let key = (moment.process(), directory);
        if moment.is_ok() {
            self.directories.entry(key).found += 1;
            self.is_there(moment, place);
            return;
        }
        if moment.errno() != Some(ENOENT) || self.guards.spare(NAMED, is_told_to(moment, place)) {
            return;
        }
        let miss = self.missing.entry((moment.process(), place));
        let is_made = miss.count > 0 && !moment.world.places.has_content_of(place, miss.when.number);
        if self.guards.spare(MADE_BETWEEN, is_made)
            || self.guards.spare(LONG_GAP, miss.when.is_apart(moment.when, GAP_NS))
        {
            *miss = Miss::default();
        }
        (miss.when, miss.count) = (moment.when, miss.count + 1);
        if miss.count > 1 {
            miss.calls.push(moment.claim());
            if miss.count >= HABIT {
                let calls = std::mem::take(&mut miss.calls);
                self.again.claim_at(moment, Some(place), calls.calls(), &calls);
            }
            return;
        }
        let of_directory = self.directories.entry(key);
        of_directory.missing.entry(place).or_insert_with(|| moment.claim());
        // The habit shows better in the middle.
        if of_directory.scene.is_none() || of_directory.missing.len() as u64 == MANY {
            of_directory.scene = Some(Scene::of(moment));
        }
    }
}

/// True where who started the program said what is to be removed.
fn is_told_to(moment: &Moment<'_>, place: PlaceId) -> bool {
    const REMOVERS: [&str; 3] = ["rm", "rmdir", "unlink"];
    let program = moment.world.process(moment.process()).and_then(|process| process.program);
    program.is_some_and(|program| REMOVERS.contains(&moment.world.places.name(program)))
        || moment.world.is_named_by_user(place)
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, READ, Script};
    const NEW: u32 = CREATE | crate::open_flags::EXCLUSIVE;
    fn miss(script: &mut Script, path: &str) {
        let target = script.target(path);
        script.fails("unlink", FileAction::Remove { target, directory: false }, 2);
    }
    fn miss_all(script: &mut Script, directory: &str, count: usize) {
        (0..count).for_each(|file| miss(script, &format!("{directory}/{file}.html")));
    }
    crate::trio::Trio {
        rule: 75,
        waste: |script| {
            // One name again and again, also after it was there and was removed.
            (0..5).for_each(|_| miss(script, "/data/session"));
            let made = script.open("/data/session", NEW);
            script.close(made);
            script.remove("/data/session");
            (0..4).for_each(|_| miss(script, "/data/session"));
            // Many names of one directory, few of which are there.
            (0..10).for_each(|file| script.remove(&format!("/cache/{file}.gz")));
            miss_all(script, "/cache", 90);
        },
        count: 4 + 3 + 90,
        fixed: |script| {
            script.open("/cache", READ | crate::open_flags::DIRECTORY);
            (0..10).for_each(|file| script.remove(&format!("/cache/{file}.gz")));
        },
        look_alikes: &[
            ("made-between", |script| {
                for _ in 0..6 {
                    miss(script, "/data/new");
                    let made = script.open("/data/new", NEW);
                    script.close(made);
                    script.rename("/data/new", "/data/now");
                }
            }),
            ("long-gap", |script| {
                for _ in 0..5 {
                    miss(script, "/data/session");
                    script.wait_ms(1_500);
                }
            }),
            ("made-next", |script| {
                for file in 0..80 {
                    let path = format!("/data/{file}.o");
                    miss(script, &path);
                    let made = script.open(&path, NEW);
                    script.close(made);
                }
            }),
            // Sockets: what makes them is no call on a file.
            ("made-next", |script| {
                for file in 0..80 {
                    let path = format!("/run/app/{file}.sock");
                    miss(script, &path);
                    script.stat(&path, 0);
                }
            }),
            ("named", |script| {
                script.start_with(&["rm", "-f", "/data/a"]);
                (0..5).for_each(|_| miss(script, "/data/a"));
            }),
            ("named", |script| {
                script.load("/usr/bin/rm");
                miss_all(script, "/src", 90);
            }),
            ("found", |script| {
                (0..30).for_each(|file| script.remove(&format!("/cache/{file}.gz")));
                miss_all(script, "/cache", 90);
            }),
            ("few", |script| miss_all(script, "/cache", 60)),
            // A name in each of many directories: to list them all is no saving.
            ("", |script| (0..200).for_each(|folder| miss(script, &format!("/data/{folder}/lock")))),
            // Each process for itself.
            ("", |script| {
                for process in 0..5 {
                    script.act_as(200 + process, 200 + process);
                    miss(script, "/data/lock");
                }
            }),
        ],
    }
};
