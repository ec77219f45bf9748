//! R14: a path is looked up although opening it has just told.

use crate::call_key::ENOENT;
use crate::cases::Cases;
use crate::finding::RuleId;
use crate::moment::{Moment, When};
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, PlaceId};
use fathom_events::{FileAction, Target};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(14),
    name: "open-then-stat",
    needs: "paths of open and stat",
    guards: &[CHANGED, CLOSED, OF_LINK],
    begin: |guards| Box::new(OpenThenStat { guards, opened: Recent::default(), cases: Cases::default() }),
};

const CHANGED: Guard =
    Guard { name: "changed-between", spares: "the file or its directory was changed between" };
const CLOSED: Guard =
    Guard { name: "closed", spares: "the file was closed: there is nothing left to ask with fstat" };
const OF_LINK: Guard =
    Guard { name: "of-the-link", spares: "it asks for the link itself, not for what it leads to" };

const WORDS: Words = Words::cost(
    "redundant stat() of a path right after open() of it",
    "ask the open file with fstat, or take the errno of the open for an answer",
    "the program may want to see whether the path leads to another file by now",
);

#[derive(Debug)]
struct OpenThenStat {
    guards: Guards,
    opened: Recent<(u32, PlaceId), Opened>,
    cases: Cases,
}

#[derive(Debug)]
struct Opened {
    when: When,
    file: Option<FileNumber>,
}

impl Rule for OpenThenStat {
    fn observe(&mut self, moment: &Moment<'_>) {
        let Some(place) = moment.judged_place() else { return };
        let key = (moment.thread(), place);
        match moment.action() {
            FileAction::Open { .. } if moment.is_ok() || moment.errno() == Some(ENOENT) => {
                let file = moment.file.map(|file| file.number).filter(|_| moment.is_ok());
                self.opened.insert(key, Opened { when: moment.when, file });
            }
            FileAction::Stat { target, .. } => {
                let Some(opened) = self.opened.get(&key) else { return };
                let agrees = match opened.file {
                    Some(_) => moment.is_ok(),
                    None => moment.errno() == Some(ENOENT),
                };
                let is_closed = opened.file.is_some_and(|file| moment.world.file(file).is_none());
                let is_changed = !moment.world.places.is_unchanged_since(place, opened.when.number);
                if agrees
                    && opened.when.is_near(moment.when)
                    && !self.guards.spare(CHANGED, is_changed)
                    && !self.guards.spare(CLOSED, is_closed)
                    && !self.guards.spare(OF_LINK, matches!(target, Target::Path { follow: false, .. }))
                {
                    self.cases.claim(moment, &[moment.claim()]);
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
    use crate::script::{READ, WRITE};
    crate::trio::Trio {
        rule: 14,
        waste: |script| {
            for _ in 0..5 {
                let file = script.open("/data/a", READ);
                script.stat("/data/a", 100);
                script.close(file);
                script.open_fails("/data/none", READ, 2);
                script.stat_fails("/data/none");
            }
        },
        count: 10,
        fixed: |script| {
            let file = script.open("/data/a", READ);
            script.fstat(file, 100);
            script.close(file);
            script.open_fails("/data/none", READ, 2);
        },
        look_alikes: &[
            ("changed-between", |script| {
                let file = script.open("/data/a", WRITE);
                script.write(file, 10);
                script.stat("/data/a", 110);
            }),
            ("closed", |script| {
                let file = script.open("/data/a", READ);
                script.close(file);
                script.stat("/data/a", 100);
            }),
            ("of-the-link", |script| {
                script.open("/data/a", READ);
                let Target::Path { directory, path, .. } = script.target("/data/a") else { return };
                let target = Target::Path { directory, path, follow: false };
                script.works("lstat", FileAction::Stat { target, facts: None, mask: 0 });
            }),
        ],
    }
};
