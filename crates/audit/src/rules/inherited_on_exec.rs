//! R52: a file that a program opened for itself is open in the program that it executes.

use crate::cases::Cases;
use crate::finding::{RuleId, Severity};
use crate::moment::Moment;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use fathom_events::FileAction;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(52),
    name: "missing-cloexec",
    needs: "fork and execve, flags of open",
    guards: &[STANDARD, PASSED, LOADERS],
    begin: |guards| Box::new(InheritedOnExec { guards, cases: Cases::default() }),
};

const STANDARD: Guard = Guard { name: "standard", spares: "0, 1 and 2 are there to be inherited" };
const PASSED: Guard = Guard {
    name: "passed",
    spares: "it was put at that number on purpose, or its close-on-exec was taken away",
};
const LOADERS: Guard = Guard { name: "loaders", spares: "the dynamic loader's files are not the program's" };

const WORDS: Words = Words::danger(
    Severity::Warn,
    "a file that was opened without O_CLOEXEC was inherited by another program",
    "open it with O_CLOEXEC (fopen \"re\"); a child keeps a file, a lock or a deleted file's space alive, and can read it",
    "it may be passed on purpose, by its number",
);

#[derive(Debug)]
struct InheritedOnExec {
    guards: Guards,
    cases: Cases,
}

impl Rule for InheritedOnExec {
    fn observe(&mut self, moment: &Moment<'_>) {
        let executing = match moment.action() {
            FileAction::Execute { .. } if moment.is_ok() => moment.process(),
            // A child runs, and may execute, before its fork returns in the parent.
            FileAction::Fork { is_thread: false, .. } => {
                let child = moment.value().and_then(|child| u32::try_from(child).ok());
                let Some(child) = child.filter(|child| moment.world.has_executed(*child)) else { return };
                child
            }
            _ => return,
        };
        for (number, entry, file) in moment.world.descriptors(executing) {
            let is_own = executing != moment.process() && file.opened_by == executing;
            let is_named = file.place.is_some() && !file.is_inherited && !is_own;
            if entry.close_on_exec
                || !is_named
                || self.guards.spare(STANDARD, (0..=2).contains(&number))
                || self.guards.spare(PASSED, entry.is_placed)
                || self.guards.spare(LOADERS, file.is_loaders)
            {
                continue;
            }
            self.cases.add_at(moment, file.place, 1, &[]);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    fn run(script: &mut Script) {
        script.fork(200);
        script.act_as(200, 200);
        script.execute("/bin/true");
    }
    crate::trio::Trio {
        rule: 52,
        waste: |script| {
            script.open("/data/secret", 0);
            script.open("/data/marked", READ);
            run(script);
        },
        count: 1,
        fixed: |script| {
            script.open("/data/secret", READ);
            let marked = script.open("/data/marked", 0);
            script.works("ioctl", FileAction::DeviceControl { descriptor: marked, request: 0x5451 });
            run(script);
        },
        look_alikes: &[
            ("standard", |script| {
                let file = script.open("/data/input", READ);
                script.fork(200);
                script.act_as(200, 200);
                let action = FileAction::Duplicate { descriptor: file, to: None, close_on_exec: false };
                script.call("dup", action, fathom_events::CallOutcome::Value(0));
                script.execute("/bin/true");
            }),
            ("passed", |script| {
                let file = script.open("/data/input", READ);
                script.fork(200);
                script.act_as(200, 200);
                script.duplicate(file, 9);
                script.execute("/bin/true");
            }),
            ("loaders", |script| {
                script.execute("/bin/app");
                script.open("/lib/libz.so.1", 0);
                script.execute("/bin/true");
            }),
        ],
    }
};
