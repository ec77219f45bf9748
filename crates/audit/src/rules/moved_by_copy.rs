//! R61: a rename failed because the target lies on another file system, and the file was written
//! there under its final name instead.

use crate::cases::{Cases, Scene};
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
    guards: &[GIVEN_UP, MOVED_ON, NAMED, SCRATCH],
    begin: |guards| {
        Box::new(MovedByCopy {
            guards,
            refused: Recent::default(),
            written: BTreeMap::new(),
            cases: Cases::default(),
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

/// `EXDEV`.
const OTHER_DEVICE: i32 = 18;
/// Copies of one trace that are followed.
const FOLLOWED: usize = 1024;

const WORDS: Words = Words::danger(
    Severity::Warn,
    "a rename to another file system failed (EXDEV) and the file was copied under its final name: a crash or a reader between finds a part",
    "make the temporary file in the directory of the target, so that rename works; or copy to a temporary name there, fsync it and rename that",
    "nobody may look at the target before the program ends",
);

#[derive(Debug)]
struct MovedByCopy {
    guards: Guards,
    /// By target: what could not be renamed to it.
    refused: Recent<PlaceId, PlaceId>,
    /// By target: what was written there.
    written: BTreeMap<PlaceId, Copied>,
    cases: Cases,
}

#[derive(Debug)]
struct Copied {
    from: PlaceId,
    is_source_gone: bool,
    scene: Scene,
}

impl Rule for MovedByCopy {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Rename, Kind::Open, Kind::Remove])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Rename { .. } if moment.errno() == Some(OTHER_DEVICE) => {
                if let (Some(from), Some(to)) = (moment.judged_place(), moment.other_place) {
                    self.refused.insert(to, from);
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
                let of_it = self.written.values_mut().filter(|copied| copied.from == place);
                of_it.for_each(|copied| copied.is_source_gone = true);
            }
            _ => {}
        }
    }

    fn finish(&mut self, world: &World) {
        for (to, copied) in std::mem::take(&mut self.written) {
            if !self.guards.spare(GIVEN_UP, !copied.is_source_gone)
                && !self.guards.spare(NAMED, world.is_named_by_user(to))
                && !self.guards.spare(SCRATCH, world.is_scratch(to))
            {
                self.cases.add_scene(&copied.scene, 1, &[], world);
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

impl MovedByCopy {
    fn opened(&mut self, moment: &Moment<'_>) {
        let Some(place) = moment.judged_place() else { return };
        let Some(from) = self.refused.remove(&place).filter(|_| self.written.len() < FOLLOWED) else {
            return;
        };
        let scene = Scene::among(moment, Some(place), &[from]);
        self.written.insert(place, Copied { from, is_source_gone: false, scene });
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
        },
        count: 2,
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
