//! R55: a path that led to one file when it was checked, and to another when it was opened.

use crate::cases::Cases;
use crate::finding::RuleId;
use crate::finding::Severity;
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, PlaceId};
use fathom_events::{FileAction, FileIdentity, FileKind, Target};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(55),
    name: "check-use-race",
    needs: "device and inode that stat and fstat told",
    guards: &[OWN_CHANGE, OF_LINK],
    begin: |guards| {
        Box::new(CheckUseRace {
            guards,
            checked: Recent::default(),
            opened: Recent::default(),
            cases: Cases::default(),
        })
    },
};

const OWN_CHANGE: Guard =
    Guard { name: "own-change", spares: "a traced program put the other file there between" };
const OF_LINK: Guard =
    Guard { name: "of-the-link", spares: "the check was of a link, the opening of what it leads to" };

const WORDS: Words = Words::danger(
    Severity::High,
    "a path led to one file when it was checked and to another when it was opened: the check did not hold for what was used",
    "open first, then ask the open file with fstat; O_NOFOLLOW and openat2 (RESOLVE_BENEATH, RESOLVE_NO_SYMLINKS) keep others from leading it astray",
    "the program may compare both answers itself, and refuse",
);

#[derive(Debug)]
struct CheckUseRace {
    guards: Guards,
    checked: Recent<(u32, PlaceId), Checked>,
    opened: Recent<FileNumber, Checked>,
    cases: Cases,
}

#[derive(Debug, Clone, Copy)]
struct Checked {
    identity: FileIdentity,
    at: u64,
    is_link: bool,
}

impl Rule for CheckUseRace {
    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Stat { target: Target::Path { .. }, facts: Some(facts), .. } => {
                let (Some(place), Some(identity)) = (moment.judged_place(), facts.identity) else { return };
                let is_link = facts.kind == Some(FileKind::Link);
                self.checked
                    .insert((moment.process(), place), Checked { identity, at: moment.when.number, is_link });
            }
            FileAction::Open { .. } if moment.is_ok() => {
                let (Some(place), Some(file)) = (moment.judged_place(), moment.file) else { return };
                if let Some(checked) = self.checked.remove(&(moment.process(), place)) {
                    self.opened.insert(file.number, checked);
                }
            }
            FileAction::Stat { target: Target::Descriptor(_), facts: Some(facts), .. } => {
                let (Some(file), Some(identity)) = (moment.file, facts.identity) else { return };
                let Some(checked) = self.opened.remove(&file.number) else { return };
                let is_own =
                    file.place.is_some_and(|place| !moment.world.places.has_content_of(place, checked.at));
                if identity != checked.identity
                    && !self.guards.spare(OWN_CHANGE, is_own)
                    && !self.guards.spare(OF_LINK, checked.is_link)
                {
                    self.cases.add(moment, &[]);
                }
            }
            _ => {}
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
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
    crate::trio::Trio {
        rule: 55,
        waste: |script| {
            script.stat("/data/a", 100);
            let file = script.open("/data/a", READ);
            asked(script, file, 77);
            script.close(file);
        },
        count: 1,
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
        ],
    }
};
