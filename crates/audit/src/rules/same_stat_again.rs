//! R15: the same lookup of a path with the same answer.

use crate::cases::Cases;
use crate::finding::RuleId;
use crate::moment::{Moment, When};
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::PlaceId;
use fathom_events::{FileAction, FileFacts, Target};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(15),
    name: "same-stat-again",
    needs: "paths of stat and access",
    guards: &[CHANGED, DIFFERS, POLLS],
    begin: |guards| Box::new(SameStatAgain { guards, answers: Recent::default(), cases: Cases::default() }),
};

const CHANGED: Guard = Guard {
    name: "changed-between",
    spares: "a traced program changed the file or something beside it between",
};
const DIFFERS: Guard = Guard { name: "answer-differs", spares: "the second answer was news" };
const POLLS: Guard = Guard { name: "long-gap", spares: "more than a second passed: it watches the file" };

/// A second, in ns.
const GAP_NS: u64 = 1_000_000_000;

const WORDS: Words = Words::cost(
    "a path was looked up again, with the same question and the same answer",
    "pass the first answer along, or keep it for as long as the work on the file lasts",
    "programs outside the trace may change the file, and the look may be meant to notice",
);

#[derive(Debug)]
struct SameStatAgain {
    guards: Guards,
    answers: Recent<(u32, PlaceId, Question), (When, Option<FileFacts>)>,
    cases: Cases,
}

/// What was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Question {
    Stat { follow: bool },
    Access { mode: u32 },
}

impl Rule for SameStatAgain {
    fn observe(&mut self, moment: &Moment<'_>) {
        let question = match moment.action() {
            FileAction::Stat { target: Target::Path { follow, .. }, .. } => {
                Question::Stat { follow: *follow }
            }
            FileAction::Access { mode, .. } => Question::Access { mode: *mode },
            _ => return,
        };
        let Some(place) = moment.judged_place().filter(|_| moment.is_ok()) else { return };
        let key = (moment.process(), place, question);
        let facts = moment.facts().copied();
        if let Some((when, before)) = self.answers.get(&key)
            && !self.guards.spare(CHANGED, !moment.world.places.is_unchanged_since(place, when.number))
            && !self.guards.spare(DIFFERS, *before != facts)
            && !self.guards.spare(POLLS, when.is_apart(moment.when, GAP_NS))
        {
            self.cases.add(moment, &[moment.avoidable()]);
        }
        self.answers.insert(key, (moment.when, facts));
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::CREATE;
    crate::trio::Trio {
        rule: 15,
        waste: |script| {
            for _ in 0..8 {
                script.stat("/data/config", 100);
            }
            script.access("/data/config");
            script.access("/data/config");
        },
        count: 8,
        fixed: |script| {
            script.stat("/data/config", 100);
            script.access("/data/config");
        },
        look_alikes: &[
            ("changed-between", |script| {
                script.stat("/data/config", 100);
                script.open("/data/new", CREATE | crate::open_flags::EXCLUSIVE);
                script.stat("/data/config", 100);
            }),
            ("answer-differs", |script| {
                script.stat("/data/config", 100);
                script.stat("/data/config", 101);
            }),
            ("long-gap", |script| {
                script.stat("/data/config", 100);
                script.wait_ms(1_500);
                script.stat("/data/config", 100);
            }),
            ("", |script| {
                script.stat("/data/config", 100);
                script.fork(200);
                script.act_as(200, 200);
                script.stat("/data/config", 100);
            }),
        ],
    }
};
