//! R27: the current directory asked for again.

use crate::cases::Cases;
use crate::claims::Claims;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use fathom_events::FileAction;
use std::collections::HashMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(27),
    name: "getcwd-repeated",
    needs: "getcwd, chdir, rename",
    guards: &[MOVED, FEW],
    begin: |guards| Box::new(DirectoryAskedAgain { guards, asked: HashMap::new(), cases: Cases::default() }),
};

const MOVED: Guard =
    Guard { name: "moved", spares: "the program went elsewhere, or something was renamed, between" };
const FEW: Guard = Guard { name: "few", spares: "several parts of a program may each ask once" };

/// The fourth question is a habit.
const HABIT: usize = 4;

const WORDS: Words = Words::cost(
    "repeated getcwd(), directory unchanged",
    "keep the answer until the program changes its directory",
    "another program may rename a directory above meanwhile",
);

#[derive(Debug)]
struct DirectoryAskedAgain {
    guards: Guards,
    asked: HashMap<u32, (usize, Claims)>,
    cases: Cases,
}

impl Rule for DirectoryAskedAgain {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[
            Kind::CurrentDirectory,
            Kind::ChangeDirectory,
            Kind::ChangeRoot,
            Kind::Rename,
            Kind::Execute,
            Kind::Exit,
        ])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::CurrentDirectory { .. } if moment.is_ok() => {
                let (count, calls) = self.asked.entry(moment.process()).or_default();
                *count += 1;
                if *count > 1 {
                    calls.push(moment.claim());
                }
                if !self.guards.spare(FEW, *count < HABIT) && calls.calls() > 0 {
                    let process = moment.world.process(moment.process());
                    let place = process.map(|process| process.directory);
                    let calls = std::mem::take(calls);
                    self.cases.claim_at(moment, place, calls.calls(), &calls);
                }
            }
            FileAction::ChangeDirectory { .. }
            | FileAction::ChangeRoot { .. }
            | FileAction::Rename { .. }
                if self.guards.spare(MOVED, true) =>
            {
                self.asked.remove(&moment.process());
            }
            FileAction::Exit { whole: true, .. } | FileAction::Execute { .. } => {
                self.asked.remove(&moment.process());
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
    use crate::script::Script;
    fn ask(script: &mut Script) {
        script.works("getcwd", FileAction::CurrentDirectory { path: None });
    }
    crate::trio::Trio {
        rule: 27,
        waste: |script| (0..20).for_each(|_| ask(script)),
        count: 19,
        fixed: |script| ask(script),
        look_alikes: &[
            ("moved", |script| {
                for step in 0..20 {
                    let target = script.target(&format!("/data/{step}"));
                    script.works("chdir", FileAction::ChangeDirectory { target });
                    ask(script);
                }
            }),
            ("few", |script| (0..3).for_each(|_| ask(script))),
        ],
    }
};
