//! R54: a descriptor closed twice.

use crate::call_key::EBADF;
use crate::cases::Cases;
use crate::finding::{RuleId, Severity};
use crate::moment::Moment;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use fathom_events::FileAction;
use std::collections::HashMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(54),
    name: "double-close",
    needs: "close with its errno",
    guards: &[STORM, NEVER_OPEN],
    begin: |guards| Box::new(DoubleClose { guards, last: HashMap::new(), cases: Cases::default() }),
};

const STORM: Guard = Guard { name: "storm", spares: "it closes every number in turn, open or not" };
const NEVER_OPEN: Guard =
    Guard { name: "never-open", spares: "the program did not close that number before" };

const WORDS: Words = Words::danger(
    Severity::High,
    "a descriptor was closed a second time: with threads, that closes somebody else's file",
    "let one owner close it, and forget its number when it is closed",
    "none where every call of the process was seen",
);

#[derive(Debug)]
struct DoubleClose {
    guards: Guards,
    /// The number that each thread tried to close last, with nothing between.
    last: HashMap<u32, i32>,
    cases: Cases,
}

impl Rule for DoubleClose {
    fn observe(&mut self, moment: &Moment<'_>) {
        let FileAction::Close { descriptor } = moment.action() else {
            self.last.remove(&moment.thread());
            return;
        };
        let before = self.last.insert(moment.thread(), *descriptor);
        let is_storm = before.is_some_and(|before| (descriptor - before).abs() == 1);
        let was_open = moment.world.has_closed(moment.thread(), moment.process(), *descriptor);
        if moment.errno() == Some(EBADF)
            && *descriptor >= 0
            && !self.guards.spare(STORM, is_storm)
            && !self.guards.spare(NEVER_OPEN, !was_open)
        {
            self.cases.add(moment, &[moment.avoidable()]);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::READ;
    crate::trio::Trio {
        rule: 54,
        waste: |script| {
            for _ in 0..3 {
                let file = script.open("/data/a", READ);
                script.close(file);
                script.close_fails(file);
            }
        },
        count: 3,
        fixed: |script| {
            let file = script.open("/data/a", READ);
            script.close(file);
        },
        look_alikes: &[
            ("storm", |script| {
                let files = [script.open("/data/a", READ), script.open("/data/b", READ)];
                for file in files {
                    script.close(file);
                }
                script.stat("/data/a", 10);
                script.close_fails(2);
                script.close_fails(3);
                script.close_fails(4);
            }),
            ("never-open", |script| script.close_fails(77)),
        ],
    }
};
