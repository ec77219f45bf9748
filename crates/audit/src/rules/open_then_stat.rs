//! R14: a path is looked up although the file that it leads to is open, or opening it has just told
//! that there is none.

use crate::call_key::ENOENT;
use crate::cases::Cases;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::{Moment, When};
use crate::own_questions::{AskedBy, OwnQuestions};
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, PlaceId};
use fathom_events::{FileAction, Target};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(14),
    name: "open-then-stat",
    needs: "paths of open and stat",
    guards: &[CHANGED, CLOSED, OF_LINK, COMPARED],
    begin: |guards| {
        Box::new(OpenThenStat {
            guards,
            opened: Recent::default(),
            renamed: Recent::default(),
            questions: OwnQuestions::default(),
            cases: Cases::default(),
        })
    },
};

const CHANGED: Guard = Guard {
    name: "changed-between",
    spares: "the path leads to another file by now, or to one where there was none",
};
const CLOSED: Guard =
    Guard { name: "closed", spares: "the file was closed: there is nothing left to ask with fstat" };
const OF_LINK: Guard =
    Guard { name: "of-the-link", spares: "it asks for the link itself, not for what it leads to" };
const COMPARED: Guard = Guard {
    name: "compared",
    spares: "it asked the open file too: it looks whether the path still leads to that file",
};

const WORDS: Words = Words::cost(
    "redundant stat() of a path right after open() of it",
    "ask the open file with fstat, or take the errno of the open for an answer",
    "the program may want to see whether the path leads to another file by now",
);

/// So many calls after the last one on a file it is still worked on.
const WORK_CALLS: u64 = 16;

#[derive(Debug)]
struct OpenThenStat {
    guards: Guards,
    opened: Recent<(u32, PlaceId), Opened>,
    /// When a name went or came.
    renamed: Recent<PlaceId, u64>,
    questions: OwnQuestions,
    cases: Cases,
}

#[derive(Debug)]
struct Opened {
    when: When,
    file: Option<FileNumber>,
}

impl Rule for OpenThenStat {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[
            Kind::Open,
            Kind::Stat,
            Kind::StatOpen,
            Kind::Access,
            Kind::Read,
            Kind::Write,
            Kind::Rename,
            Kind::Link,
            Kind::Remove,
            Kind::SymbolicLink,
        ])
        .but_first_looks()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        self.questions.observe(moment);
        match moment.action() {
            FileAction::Rename { .. }
            | FileAction::Link { .. }
            | FileAction::Remove { .. }
            | FileAction::SymbolicLink { .. }
                if moment.is_ok() =>
            {
                for place in [moment.place, moment.other_place].into_iter().flatten() {
                    self.renamed.insert(place, moment.when.number);
                }
            }
            FileAction::Open { .. } if moment.is_ok() || moment.errno() == Some(ENOENT) => {
                let Some(place) = moment.judged_place() else { return };
                let file = moment.file.map(|file| file.number).filter(|_| moment.is_ok());
                self.opened.insert((moment.process(), place), Opened { when: moment.when, file });
            }
            FileAction::Stat { target: Target::Path { follow, .. }, .. } => self.looked_up(moment, *follow),
            // Whether it is there at all.
            FileAction::Access { mode: 0, .. } => self.looked_up(moment, true),
            _ => {}
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

impl OpenThenStat {
    fn looked_up(&mut self, moment: &Moment<'_>, follow: bool) {
        if moment.is_first_naming {
            return;
        }
        let Some(place) = moment.judged_place() else { return };
        let Some(opened) = self.opened.get(&(moment.process(), place)) else { return };
        let agrees = match opened.file {
            Some(_) => moment.is_ok(),
            None => moment.errno() == Some(ENOENT),
        };
        let is_closed = opened.file.is_some_and(|file| moment.world.file(file).is_none());
        let is_compared = opened.file.and_then(|file| self.questions.asked(file)) == Some(AskedBy::Program);
        // It works on the file still, or has just opened it.
        let last = opened.file.and_then(|file| moment.world.file(file)).map(|file| file.last.number);
        let is_at_work = last.is_some_and(|last| moment.when.number - last <= WORK_CALLS);
        if agrees
            && (is_at_work || opened.when.is_near(moment.when))
            && !self.guards.spare(CHANGED, self.is_changed(moment, place, opened))
            && !self.guards.spare(CLOSED, is_closed)
            && !self.guards.spare(OF_LINK, !follow)
            && !self.guards.spare(COMPARED, is_compared)
        {
            self.cases.claim(moment, &[moment.claim()]);
        }
    }

    /// True where the answer may be another one than fstat's: what is written changes both.
    fn is_changed(&self, moment: &Moment<'_>, place: PlaceId, opened: &Opened) -> bool {
        let places = &moment.world.places;
        let since = opened.when.number;
        match opened.file {
            Some(_) => {
                places.has_moved_since(since) || self.renamed.get(&place).is_some_and(|at| *at > since)
            }
            None => !places.is_unchanged_since(place, since),
        }
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
            // However long it read.
            let file = script.open("/data/long", READ);
            for _ in 0..100 {
                script.read(file, 64, 64);
            }
            script.stat("/data/long", 6400);
            script.close(file);
            // What was written fstat tells too.
            let file = script.open("/data/out", WRITE);
            script.write(file, 10);
            script.stat("/data/out", 110);
            script.close(file);
        },
        count: 12,
        fixed: |script| {
            let file = script.open("/data/a", READ);
            script.fstat(file, 100);
            script.close(file);
            script.open_fails("/data/none", READ, 2);
        },
        look_alikes: &[
            ("changed-between", |script| {
                script.open("/data/a", READ);
                script.rename("/data/a.new", "/data/a");
                script.stat("/data/a", 110);
            }),
            ("changed-between", |script| {
                script.open_fails("/data/none", READ, 2);
                script.fork(200);
                script.act_as(200, 200);
                script.open("/data/none", crate::script::CREATE | crate::open_flags::EXCLUSIVE);
                script.act_as(100, 100);
                script.stat_fails("/data/none");
            }),
            // It may have been replaced meanwhile.
            ("", |script| {
                script.open("/data/state", READ);
                (0..70).for_each(|file| script.stat(&format!("/data/{file}"), 10));
                script.stat("/data/state", 100);
            }),
            ("compared", |script| {
                let file = script.open("/data/log", READ);
                script.fstat(file, 100);
                script.read(file, 64, 64);
                script.stat("/data/log", 100);
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
