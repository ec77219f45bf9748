//! R61: a rename failed because the target lies on another file system, and the file was written
//! there under its final name instead.

use crate::cases::{Cases, Scene};
use crate::claims::{Claim, Claims};
use crate::finding::{RuleId, Severity};
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::FileAction;
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(61),
    name: "moved-by-copy",
    needs: "paths and errnos of rename, open and unlink",
    guards: &[GIVEN_UP, MOVED_ON, NAMED, SCRATCH, FEW],
    begin: |guards| {
        Box::new(MovedByCopy {
            guards,
            refused: Recent::default(),
            written: BTreeMap::new(),
            moved: BTreeMap::new(),
            cases: Cases::default(),
            again: Cases::default(),
        })
    },
};

const GIVEN_UP: Guard =
    Guard { name: "given-up", spares: "the old file stays: it was copied, and not moved" };
const MOVED_ON: Guard =
    Guard { name: "moved-on", spares: "the copy is renamed or removed afterwards: it was not the target" };
const NAMED: Guard = Guard {
    name: "named",
    spares: "the command line names the target: it was asked to move it there, as `mv` is",
};
const SCRATCH: Guard =
    Guard { name: "scratch", spares: "temporary and built files are made again after a crash" };

const FEW: Guard =
    Guard { name: "few", spares: "a file or two: trying is how one learns that a rename does not do it" };

/// `EXDEV`.
const OTHER_DEVICE: i32 = 18;
/// From this many files on between the same two directories it could know.
const HABIT: usize = 3;
/// Copies of one trace that are followed.
const FOLLOWED: usize = 1024;

const WORDS: Words = Words::danger(
    Severity::Warn,
    "a rename to another file system failed (EXDEV) and the file was copied under its final name: a crash or a reader between finds a part",
    "make the temporary file in the directory of the target, so that rename works; or copy to a temporary name there, fsync it and rename that",
    "nobody may look at the target before the program ends",
);

/// Where the copy itself is no danger: the target is temporary, or in memory.
const AGAIN: Words = Words::cost(
    "rename() to another file system fails (EXDEV) for file after file, and each is copied",
    "make the files on the file system of the target, so that rename works; or compare st_dev of the two directories once, and copy without trying",
    "elsewhere both directories may lie on one file system",
);

#[derive(Debug)]
struct MovedByCopy {
    guards: Guards,
    /// By target: what could not be renamed to it.
    refused: Recent<PlaceId, (PlaceId, Claim)>,
    /// By target: what was written there.
    written: BTreeMap<PlaceId, Copied>,
    /// By process, and by the directories that files were moved from and to.
    moved: BTreeMap<(u32, Option<PlaceId>, Option<PlaceId>), Vec<Moved>>,
    cases: Cases,
    again: Cases,
}

/// A file that was copied after its rename had failed, and removed.
#[derive(Debug)]
struct Moved {
    to: PlaceId,
    refused: Claim,
    scene: Scene,
}

#[derive(Debug)]
struct Copied {
    from: PlaceId,
    refused: Claim,
    is_source_gone: bool,
    scene: Scene,
}

impl Rule for MovedByCopy {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Open, Kind::Remove]).if_ok().and(&[Kind::Rename])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Rename { .. } if moment.errno() == Some(OTHER_DEVICE) => {
                if let (Some(from), Some(to)) = (moment.judged_place(), moment.other_place) {
                    self.refused.insert(to, (from, moment.claim()));
                }
            }
            FileAction::Open { flags, .. } if moment.is_ok() && open_flags::can_write(*flags) => {
                self.opened(moment);
            }
            FileAction::Rename { .. } if moment.is_ok() => {
                for place in [moment.place, moment.other_place].into_iter().flatten() {
                    self.refused.remove(&place);
                    if self.guards.spare(MOVED_ON, true) {
                        self.written.remove(&place);
                    }
                }
            }
            FileAction::Remove { .. } if moment.is_ok() => {
                let Some(place) = moment.place else { return };
                if self.guards.spare(MOVED_ON, true) {
                    self.written.remove(&place);
                }
                self.removed(moment, place);
            }
            _ => {}
        }
    }

    fn finish(&mut self, world: &World) {
        let mut told = Vec::new();
        for (to, copied) in std::mem::take(&mut self.written) {
            if !self.guards.spare(GIVEN_UP, !copied.is_source_gone)
                && !self.guards.spare(NAMED, world.is_named_by_user(to))
                && !self.guards.spare(SCRATCH, world.is_scratch(to))
            {
                self.cases.add_scene(&copied.scene, 1, &[], world);
                told.push(to);
            }
        }
        for mut moved in std::mem::take(&mut self.moved).into_values() {
            moved.retain(|one| !told.contains(&one.to));
            let is_named = moved.first().is_some_and(|one| world.is_named_by_user(one.to));
            if self.guards.spare(FEW, moved.len() < HABIT) || self.guards.spare(NAMED, is_named) {
                continue;
            }
            let Some(first) = moved.first() else { continue };
            let calls: Claims = moved.iter().map(|one| one.refused).collect();
            self.again.claim_scene(&first.scene, calls.calls(), &calls, world);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases), (&AGAIN, &self.again)]
    }
}

impl MovedByCopy {
    fn opened(&mut self, moment: &Moment<'_>) {
        let Some(place) = moment.judged_place() else { return };
        let known = self.refused.remove(&place).filter(|_| self.written.len() < FOLLOWED);
        let Some((from, refused)) = known else { return };
        let scene = Scene::among(moment, Some(place), &[from]);
        self.written.insert(place, Copied { from, refused, is_source_gone: false, scene });
    }

    /// What was copied is removed: it was moved.
    fn removed(&mut self, moment: &Moment<'_>, from: PlaceId) {
        let places = &moment.world.places;
        for (to, copied) in self.written.iter_mut().filter(|(_, copied)| copied.from == from) {
            copied.is_source_gone = true;
            let between = (moment.process(), places.parent(from), places.parent(*to));
            let scene = Scene::among(moment, Some(*to), &[from]);
            self.moved.entry(between).or_default().push(Moved { to: *to, refused: copied.refused, scene });
        }
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, Script, TRUNCATE};
    fn is_refused(script: &mut Script, from: &str, to: &str) {
        let action = FileAction::Rename { from: script.target(from), to: script.target(to), flags: 0 };
        script.fails("rename", action, OTHER_DEVICE);
    }
    fn write(script: &mut Script, path: &str, flags: u32) {
        let file = script.open(path, flags);
        script.write(file, 100);
        script.close(file);
    }
    fn move_by_copy(script: &mut Script, from: &str, to: &str) {
        write(script, from, CREATE);
        is_refused(script, from, to);
        write(script, to, TRUNCATE);
        script.remove(from);
    }
    crate::trio::Trio {
        rule: 61,
        waste: |script| {
            move_by_copy(script, "/tmp/a.new", "/data/a");
            move_by_copy(script, "/tmp/b.new", "/data/b");
            // To where a half of a file is no danger, but the rename is in vain.
            for page in ["1", "2", "3", "4"] {
                move_by_copy(script, &format!("/srv/{page}"), &format!("/data/target/{page}"));
            }
        },
        count: 6,
        fixed: |script| {
            write(script, "/data/a.new", CREATE);
            script.rename("/data/a.new", "/data/a");
        },
        look_alikes: &[
            ("given-up", |script| {
                is_refused(script, "/srv/a", "/data/a");
                write(script, "/data/a", TRUNCATE);
            }),
            ("moved-on", |script| {
                is_refused(script, "/srv/a", "/data/a.half");
                write(script, "/data/a.half", CREATE);
                script.remove("/srv/a");
                script.rename("/data/a.half", "/data/a");
            }),
            ("named", |script| {
                script.start_with(&["mv", "/srv/a", "/data"]);
                move_by_copy(script, "/srv/a", "/data/a");
            }),
            ("scratch", |script| move_by_copy(script, "/srv/a", "/data/target/a")),
            ("few", |script| {
                move_by_copy(script, "/srv/a", "/data/target/a");
                move_by_copy(script, "/srv/b", "/data/target/b");
            }),
            ("", |script| {
                // To another name on the target's file system, and renamed there.
                is_refused(script, "/srv/a", "/data/a");
                write(script, "/data/.a.tmp", CREATE);
                script.rename("/data/.a.tmp", "/data/a");
                script.remove("/srv/a");
            }),
        ],
    }
};
