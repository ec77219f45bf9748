//! R09: regular files given to epoll, which refuses them.

use crate::call_key::EPERM;
use crate::cases::Cases;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use fathom_events::FileAction;
use std::collections::BTreeSet;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(9),
    name: "epoll-on-regular",
    needs: "epoll_ctl with its errno",
    guards: &[PROBE],
    begin: |guards| Box::new(WatchOfFile { guards, probed: BTreeSet::new(), cases: Cases::default() }),
};

const PROBE: Guard = Guard { name: "probe", spares: "one refusal for each program is how it finds out" };

const WORDS: Words = Words::cost(
    "regular file registered with epoll, which refuses it (EPERM)",
    "do not register regular files: they are always ready",
    "a file of another kind may be refused for another reason",
);

#[derive(Debug)]
struct WatchOfFile {
    guards: Guards,
    probed: BTreeSet<u32>,
    cases: Cases,
}

impl Rule for WatchOfFile {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Watch, Kind::Exit])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Watch { add: true, .. } if moment.errno() == Some(EPERM) => {
                let is_first = self.probed.insert(moment.process());
                if !self.guards.spare(PROBE, is_first) {
                    self.cases.claim(moment, &[moment.claim()]);
                }
            }
            FileAction::Exit { whole: true, .. } => drop(self.probed.remove(&moment.process())),
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
    fn watched(script: &mut Script, files: usize) {
        for _ in 0..files {
            let descriptor = script.open("/data/a", READ);
            script.fails("epoll_ctl", FileAction::Watch { descriptor, add: true }, 1);
            script.read(descriptor, 10, 10);
            script.close(descriptor);
        }
    }
    crate::trio::Trio {
        rule: 9,
        waste: |script| watched(script, 11),
        count: 10,
        fixed: |script| {
            let file = script.open("/data/a", READ);
            script.read(file, 10, 10);
            script.close(file);
        },
        look_alikes: &[("probe", |script| watched(script, 1))],
    }
};
