//! R03: the same question about an open file, asked twice.

use crate::cases::Cases;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::{Moment, When};
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::FileNumber;
use fathom_events::{ControlCommand, FileAction, FileFacts, Target};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(3),
    name: "repeated-fstat",
    needs: "fstat",
    guards: &[CHANGED, LONG_GAP, TAIL, LOCKED, SHARED, DIFFERS],
    begin: |guards| Box::new(RepeatedStat { guards, last: Recent::default(), cases: Cases::default() }),
};

const CHANGED: Guard = Guard {
    name: "changed-between",
    spares: "the program changed the file between the two, so that the answer may differ",
};
const LONG_GAP: Guard = Guard { name: "long-gap", spares: "more than a second passed: it watches the file" };
const TAIL: Guard = Guard {
    name: "tail-like",
    spares: "it read all of the file between: it waits for it to grow, or asks whether it changed meanwhile",
};
const LOCKED: Guard =
    Guard { name: "locked", spares: "it took a lock between: it looks what others wrote until then" };
const SHARED: Guard =
    Guard { name: "shared-file", spares: "another process has the same open file, or gave it" };
const DIFFERS: Guard =
    Guard { name: "answer-differs", spares: "somebody else changed the file: the second answer was news" };

const WORDS: Words = Words::cost(
    "repeated fstat() of an open file, result unchanged",
    "keep the first answer and pass it along",
    "a writer outside the traced programs could have changed the file, and the program may mean to notice",
);

/// A second, in ns.
const GAP_NS: u64 = 1_000_000_000;

#[derive(Debug)]
struct RepeatedStat {
    guards: Guards,
    last: Recent<FileNumber, Seen>,
    cases: Cases,
}

#[derive(Debug)]
struct Seen {
    when: When,
    facts: FileFacts,
    read_bytes: u64,
    has_met_end: bool,
    is_written: bool,
    is_locked: bool,
}

impl Seen {
    fn has_read_all(&self) -> bool {
        self.facts.size_bytes.is_some_and(|size| size > 0 && self.read_bytes >= size)
    }
}

impl Rule for RepeatedStat {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[
            Kind::StatOpen,
            Kind::Read,
            Kind::Write,
            Kind::Truncate,
            Kind::Allocate,
            Kind::Lock,
            Kind::Control,
            Kind::Close,
        ])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.plain_file() else { return };
        match moment.action() {
            FileAction::Stat { target: Target::Descriptor(_), facts: Some(facts), .. } if moment.is_ok() => {
                let seen = Seen {
                    when: moment.when,
                    facts: **facts,
                    read_bytes: 0,
                    has_met_end: false,
                    is_written: false,
                    is_locked: false,
                };
                if let Some(before) = self.last.remove(&file.number)
                    && !self.is_spared(moment, &before, facts)
                {
                    self.cases.claim(moment, &[moment.claim()]);
                }
                self.last.insert(file.number, seen);
            }
            FileAction::Read { .. } if moment.is_ok() => {
                if let Some(seen) = self.last.get_mut(&file.number) {
                    seen.read_bytes += moment.bytes;
                    seen.has_met_end |= moment.bytes == 0 || seen.has_read_all();
                }
            }
            FileAction::Write { .. } | FileAction::Truncate { .. } | FileAction::Allocate { .. } => {
                self.last.get_mut(&file.number).into_iter().for_each(|seen| seen.is_written = true);
            }
            FileAction::Lock { .. } | FileAction::Control { command: ControlCommand::Lock, .. } => {
                self.last.get_mut(&file.number).into_iter().for_each(|seen| seen.is_locked = true);
            }
            FileAction::Close { .. } => drop(self.last.remove(&file.number)),
            _ => {}
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

impl RepeatedStat {
    fn is_spared(&self, moment: &Moment<'_>, before: &Seen, facts: &FileFacts) -> bool {
        let Some(file) = moment.file else { return true };
        let is_unchanged =
            file.place.is_none_or(|place| moment.world.places.has_content_of(place, before.when.number));
        self.guards.spare(CHANGED, before.is_written || !is_unchanged)
            || self.guards.spare(LONG_GAP, before.when.is_apart(moment.when, GAP_NS))
            || self.guards.spare(TAIL, before.has_met_end)
            || self.guards.spare(LOCKED, before.is_locked)
            || self.guards.spare(SHARED, file.is_shared || file.is_inherited && file.place.is_none())
            || self.guards.spare(DIFFERS, before.facts != *facts)
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{BOTH, READ};
    crate::trio::Trio {
        rule: 3,
        waste: |script| {
            for _ in 0..7 {
                let file = script.open("/data/a", READ);
                script.fstat(file, 100);
                script.fstat(file, 100);
                script.read(file, 101, 100);
                script.fstat(file, 100);
                script.close(file);
            }
        },
        count: 7,
        fixed: |script| {
            let file = script.open("/data/a", READ);
            script.fstat(file, 100);
            script.read(file, 101, 100);
            script.close(file);
        },
        look_alikes: &[
            ("changed-between", |script| {
                let file = script.open("/data/a", BOTH);
                script.fstat(file, 0);
                script.truncate(file, 0);
                script.fstat(file, 0);
            }),
            ("long-gap", |script| {
                let file = script.open("/data/a", READ);
                script.fstat(file, 100);
                script.wait_ms(1_500);
                script.fstat(file, 100);
            }),
            ("tail-like", |script| {
                let file = script.open("/data/a", READ);
                script.fstat(file, 100);
                script.read(file, 4096, 0);
                script.fstat(file, 100);
            }),
            ("locked", |script| {
                let file = script.open("/data/base", BOTH);
                script.fstat(file, 100);
                script.control(file, ControlCommand::Lock);
                script.fstat(file, 100);
            }),
            ("shared-file", |script| {
                let file = script.open("/data/a", READ);
                script.fork(200);
                script.fstat(file, 100);
                script.fstat(file, 100);
            }),
            ("answer-differs", |script| {
                let file = script.open("/data/a", READ);
                script.fstat(file, 100);
                script.fstat(file, 120);
            }),
        ],
    }
};
