//! R55: a path that led to one file when it was checked, and to another when it was opened; or
//! that could, for root in a directory where all can write.

use crate::cases::{Cases, Scene};
use crate::finding::{RuleId, Severity};
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, PlaceId, World};
use fathom_events::{FileAction, FileIdentity, FileKind, Target};
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(55),
    name: "check-use-race",
    needs: "device and inode that stat and fstat told",
    guards: &[OWN_CHANGE, OF_LINK, NEW_FILE, NOT_ROOT, OWN_FILE, NO_FOLLOW, VERIFIED, NAMED],
    begin: |guards| {
        Box::new(CheckUseRace {
            guards,
            checked: Recent::default(),
            opened: Recent::default(),
            of_all: Recent::default(),
            exposed: BTreeMap::new(),
            could: Cases::default(),
            cases: Cases::default(),
        })
    },
};

const OWN_CHANGE: Guard =
    Guard { name: "own-change", spares: "a traced program put the other file there between" };
const OF_LINK: Guard =
    Guard { name: "of-the-link", spares: "the check was of a link, the opening of what it leads to" };

const NEW_FILE: Guard = Guard {
    name: "new-file",
    spares: "O_TMPFILE makes a new file in the directory that was checked, and opens that",
};

const NOT_ROOT: Guard =
    Guard { name: "not-root", spares: "not root, as far as is known: who leads it astray gains little" };
const OWN_FILE: Guard = Guard {
    name: "own-file",
    spares: "the file is root's own: in a sticky directory nobody else can replace it",
};
const NO_FOLLOW: Guard =
    Guard { name: "no-follow", spares: "O_NOFOLLOW or O_EXCL: it does not go where a planted link leads" };
const VERIFIED: Guard = Guard {
    name: "verified",
    spares: "the open file is asked what it is, which may be compared with what the check said",
};
const NAMED: Guard =
    Guard { name: "named", spares: "the command line names the path: root chose to trust it" };

const COULD: Words = Words::danger(
    Severity::High,
    "TOCTOU: root checked a path in a directory where all can write, then opened it by name: anyone can swap the file between",
    "open first, with O_NOFOLLOW, then ask the open file with fstat; for another user's rights open as that user (seteuid), access() does not do it",
    "fs.protected_symlinks and fs.protected_regular refuse some of this where they are set",
);

const WORDS: Words = Words::danger(
    Severity::High,
    "file replaced between its check and its open (TOCTOU)",
    "open first, then ask the open file with fstat; O_NOFOLLOW and openat2 (RESOLVE_BENEATH, RESOLVE_NO_SYMLINKS) keep others from leading it astray",
    "the program may compare both answers itself, and refuse",
);

/// Directories where all can write, on every machine.
const OF_ALL: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];
/// The permission of all others to write.
const OTHERS_WRITE: u16 = 0o002;

#[derive(Debug)]
struct CheckUseRace {
    guards: Guards,
    checked: Recent<(u32, PlaceId), Checked>,
    opened: Recent<FileNumber, Checked>,
    /// Directories where all can write, by what stat said of them.
    of_all: Recent<PlaceId, bool>,
    /// Opened after a check, where others could have come between.
    exposed: BTreeMap<FileNumber, Scene>,
    could: Cases,
    cases: Cases,
}

#[derive(Debug, Clone, Copy)]
struct Checked {
    /// What stat said; access says nothing of it.
    identity: Option<FileIdentity>,
    owner: Option<u32>,
    at: u64,
    is_link: bool,
}

impl Rule for CheckUseRace {
    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Stat { target: Target::Path { .. }, facts: Some(facts), .. } => {
                let Some(place) = moment.judged_place().filter(|_| moment.is_ok()) else { return };
                if let Some(permissions) = facts.permissions {
                    self.of_all.insert(place, permissions & OTHERS_WRITE != 0);
                }
                let is_link = facts.kind == Some(FileKind::Link);
                let (identity, owner, at) = (facts.identity, facts.owner, moment.when.number);
                self.checked.insert((moment.process(), place), Checked { identity, owner, at, is_link });
            }
            FileAction::Access { .. } if moment.is_ok() => {
                let Some(place) = moment.judged_place() else { return };
                let at = moment.when.number;
                let checked = Checked { identity: None, owner: None, at, is_link: false };
                self.checked.insert((moment.process(), place), checked);
            }
            FileAction::Open { flags, .. } if moment.is_ok() => {
                let (Some(place), Some(file)) = (moment.judged_place(), moment.file) else { return };
                let Some(checked) = self.checked.remove(&(moment.process(), place)) else { return };
                if self.is_exposed(moment, place, checked, flags.0) {
                    self.exposed.insert(file.number, Scene::of(moment));
                }
                if !self.guards.spare(NEW_FILE, open_flags::has(*flags, open_flags::TEMPORARY)) {
                    self.opened.insert(file.number, checked);
                }
            }
            FileAction::Stat { target: Target::Descriptor(_), facts: Some(facts), .. } => {
                let (Some(file), Some(identity)) = (moment.file, facts.identity) else { return };
                let Some(checked) = self.opened.remove(&file.number) else { return };
                let Some(was) = checked.identity else { return };
                if self.guards.spare(VERIFIED, true) {
                    self.exposed.remove(&file.number);
                }
                let is_own =
                    file.place.is_some_and(|place| !moment.world.places.has_content_of(place, checked.at));
                if identity != was
                    && !self.guards.spare(OWN_CHANGE, is_own)
                    && !self.guards.spare(OF_LINK, checked.is_link)
                {
                    self.cases.add(moment, &[]);
                }
            }
            _ => {}
        }
        for file in moment.ended {
            self.settle(*file, moment.world);
        }
    }

    fn finish(&mut self, world: &World) {
        for file in self.exposed.keys().copied().collect::<Vec<_>>() {
            self.settle(file, world);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases), (&COULD, &self.could)]
    }
}

impl CheckUseRace {
    fn settle(&mut self, file: FileNumber, world: &World) {
        if let Some(scene) = self.exposed.remove(&file) {
            self.could.add_scene(&scene, 1, &[], world);
        }
    }

    /// True where somebody else can put another file in the place of the one that was checked.
    fn is_exposed(&self, moment: &Moment<'_>, place: PlaceId, checked: Checked, flags: u32) -> bool {
        let (world, places) = (moment.world, &moment.world.places);
        let Some(parent) = places.parent(place) else { return false };
        let is_of_all = self.of_all.get(&parent).copied();
        let is_own =
            checked.owner.is_some_and(|owner| Some(owner) == world.user()) || places.get(place).is_made;
        let is_odd = flags & (open_flags::DIRECTORY | open_flags::PATH_ONLY) != 0;
        let stays = flags & (open_flags::NO_FOLLOW | open_flags::EXCLUSIVE) != 0;
        is_of_all.unwrap_or_else(|| OF_ALL.contains(&places.path(parent)))
            && !is_odd
            && !self.guards.spare(NOT_ROOT, !world.is_of_root())
            && !self.guards.spare(OWN_FILE, is_own)
            && !self.guards.spare(NO_FOLLOW, stays)
            && !self.guards.spare(NAMED, world.is_named_by_user(place))
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    fn asked(script: &mut Script, descriptor: i32, inode: u64) {
        let mut facts = script.facts("/data/a", FileKind::Regular, 100);
        facts.identity = Some(FileIdentity { device: 1, inode });
        let target = Target::Descriptor(descriptor);
        script.works("fstat", FileAction::Stat { target, facts: Some(Box::new(facts)), mask: 0 });
    }
    fn look(script: &mut Script, path: &str, facts: fathom_events::FileFacts) {
        let target = script.target(path);
        script.works("newfstatat", FileAction::Stat { target, facts: Some(Box::new(facts)), mask: 0 });
    }
    /// Root asks whether it may read a path, and opens it.
    fn check(script: &mut Script, path: &str, flags: u32) -> i32 {
        script.start_by(0);
        script.access(path);
        script.open(path, flags)
    }
    crate::trio::Trio {
        rule: 55,
        waste: |script| {
            script.stat("/data/a", 100);
            let file = script.open("/data/a", READ);
            asked(script, file, 77);
            script.close(file);
            script.start_by(0);
            script.access("/tmp/job");
            let file = script.open("/tmp/job", READ);
            script.close(file);
            let mut facts = script.facts("/srv/spool", FileKind::Directory, 4096);
            facts.permissions = Some(0o1777);
            look(script, "/srv/spool", facts);
            script.access("/srv/spool/job");
            script.open("/srv/spool/job", READ);
        },
        count: 3,
        fixed: |script| {
            script.stat("/data/a", 100);
            let file = script.open("/data/a", READ);
            script.fstat(file, 100);
            script.close(file);
        },
        look_alikes: &[
            ("own-change", |script| {
                script.stat("/data/a", 100);
                script.rename("/data/a.new", "/data/a");
                let file = script.open("/data/a", READ);
                asked(script, file, 77);
            }),
            ("of-the-link", |script| {
                script.stat_as("/data/a", FileKind::Link, 10);
                let file = script.open("/data/a", READ);
                asked(script, file, 77);
            }),
            ("not-root", |script| {
                check(script, "/tmp/job", READ);
                script.start_by(1000);
            }),
            ("own-file", |script| {
                script.start_by(0);
                let mut facts = script.facts("/tmp/job", FileKind::Regular, 100);
                facts.owner = Some(0);
                look(script, "/tmp/job", facts);
                script.open("/tmp/job", READ);
            }),
            ("no-follow", |script| {
                check(script, "/tmp/job", READ | open_flags::NO_FOLLOW);
            }),
            ("verified", |script| {
                script.start_by(0);
                script.stat("/tmp/job", 100);
                let file = script.open("/tmp/job", READ);
                script.fstat(file, 100);
            }),
            ("named", |script| {
                script.start_with(&["cat", "/tmp/job"]);
                check(script, "/tmp/job", READ);
            }),
            ("", |script| {
                check(script, "/tmp/own/job", READ);
            }),
            ("new-file", |script| {
                script.stat_as("/data", FileKind::Directory, 4096);
                let file = script.open("/data", crate::script::BOTH | open_flags::TEMPORARY);
                asked(script, file, 77);
            }),
        ],
    }
};
