//! R05: asking for a position that is known.

use crate::cases::Cases;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::Deed;
use fathom_events::{FileAction, Whence};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(5),
    name: "lseek-tells-nothing",
    needs: "lseek, read and write with their results",
    guards: &[SHARED, APPENDED, NO_FILE, STANDARD],
    begin: |guards| Box::new(SeekTellsNothing { guards, cases: Cases::default() }),
};

const SHARED: Guard =
    Guard { name: "shared-position", spares: "another process has the same open file and may have moved it" };
const APPENDED: Guard =
    Guard { name: "appended", spares: "a write with O_APPEND goes to the end, wherever that is by then" };
const NO_FILE: Guard = Guard { name: "no-file", spares: "a device or a pipe: asking is how one finds out" };

const STANDARD: Guard = Guard {
    name: "standard",
    spares: "what a program is given as 0, 1 or 2 may be anything: the first question is fair",
};

const WORDS: Words = Words::cost(
    "redundant lseek(SEEK_CUR): the offset is already known",
    "keep the position: it is 0 after opening, and moves by what was read and written",
    "another program holds the same open file and moves its position",
);

#[derive(Debug)]
struct SeekTellsNothing {
    guards: Guards,
    cases: Cases,
}

impl Rule for SeekTellsNothing {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Seek])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let FileAction::Seek { descriptor, offset: 0, whence: Whence::Current } = moment.action() else {
            return;
        };
        let Some(file) = moment.file.filter(|file| moment.is_judged() && !file.is_inherited) else { return };
        if moment.is_ok()
            && file.position.is_some()
            && !self.guards.spare(SHARED, file.is_shared)
            && !self.guards.spare(APPENDED, file.is_appended)
            && !self.guards.spare(NO_FILE, !file.is_plain(false))
            && !self.guards.spare(STANDARD, (0..=2).contains(descriptor) && file.position == Some(0))
        {
            let signs = moment.world.signs(moment.process());
            let asks_what_is_left = signs.is_some_and(|signs| signs.asks_what_is_left)
                && file.was_last_by(Deed::Stat, moment.thread());
            self.cases.claim_by(moment, asks_what_is_left, &[moment.claim()]);
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
        rule: 5,
        waste: |script| {
            for _ in 0..3 {
                let file = script.open("/data/a", READ);
                script.seek(file, 0, Whence::Current, 0);
                script.read(file, 64, 64);
                script.seek(file, 0, Whence::Current, 64);
                script.close(file);
            }
        },
        count: 6,
        fixed: |script| {
            let file = script.open("/data/a", READ);
            script.read(file, 64, 64);
            script.close(file);
        },
        look_alikes: &[
            ("shared-position", |script| {
                let file = script.open("/data/a", READ);
                script.fork(200);
                script.seek(file, 0, Whence::Current, 0);
            }),
            ("appended", |script| {
                let file = script.open("/data/log", WRITE | crate::open_flags::APPEND);
                script.write(file, 10);
                script.seek(file, 0, Whence::Current, 1010);
            }),
            ("no-file", |script| {
                let file = script.open("/data/odd", READ);
                script.fstat_as(file, fathom_events::FileKind::Directory, 4096);
                script.seek(file, 0, Whence::Current, 0);
            }),
            ("standard", |script| {
                let file = script.open("/data/a", READ);
                script.duplicate(file, 0);
                script.close(file);
                script.seek(0, 0, Whence::Current, 0);
            }),
            ("", |script| script.seek(1, 0, Whence::Current, 512)),
        ],
    }
};
