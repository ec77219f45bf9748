//! R49: a file renamed to the name it has.

use crate::cases::Cases;
use crate::finding::{RuleId, Severity};
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use fathom_events::FileAction;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(49),
    name: "rename-to-itself",
    needs: "paths of rename",
    guards: &[FAILED],
    begin: |guards| Box::new(RenamedToItself { guards, cases: Cases::default() }),
};

const FAILED: Guard = Guard { name: "failed", spares: "the rename failed: nothing was taken for done" };

const WORDS: Words = Words::danger(
    Severity::High,
    "rename() of a file to its own name, which does nothing",
    "look at how the temporary name is made: what should have been put in place was not",
    "paths are compared by their words: a symbolic link between may lead elsewhere",
);

#[derive(Debug)]
struct RenamedToItself {
    guards: Guards,
    cases: Cases,
}

impl Rule for RenamedToItself {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Rename])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let FileAction::Rename { .. } = moment.action() else { return };
        if moment.place.is_some()
            && moment.place == moment.other_place
            && !self.guards.spare(FAILED, moment.errno().is_some())
        {
            self.cases.claim(moment, &[moment.claim()]);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = crate::trio::Trio {
    rule: 49,
    waste: |script| {
        script.rename("/data/a", "/data/a");
        script.rename("/data/b", "/data/sub/../b");
    },
    count: 2,
    fixed: |script| script.rename("/data/a.new", "/data/a"),
    look_alikes: &[
        ("failed", |script| {
            let action =
                FileAction::Rename { from: script.target("/data/a"), to: script.target("/data/a"), flags: 1 };
            script.fails("renameat2", action, 17);
        }),
        ("", |script| script.rename("/data/a", "/srv/a")),
    ],
};
