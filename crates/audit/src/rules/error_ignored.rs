//! R50: a write or an fsync failed, and the program ended as if it had not.

use crate::call_key::{EAGAIN, EBADF, EINTR, EINVAL};
use crate::cases::Cases;
use crate::cases::Scene;
use crate::finding::RuleId;
use crate::finding::Severity;
use crate::moment::Moment;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::FileNumber;
use fathom_events::FileAction;
use std::collections::HashMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(50),
    name: "error-ignored",
    needs: "errnos of write, fsync and close, and the program's exit code",
    guards: &[AGAIN, TOLD, EXIT_CODE, RETRIED],
    begin: |guards| Box::new(ErrorIgnored { guards, pending: HashMap::new(), cases: Cases::default() }),
};

const AGAIN: Guard =
    Guard { name: "again", spares: "the errno says to try again, or that the file cannot be synced at all" };
const TOLD: Guard =
    Guard { name: "told", spares: "the program said something on its standard error afterwards" };
const EXIT_CODE: Guard =
    Guard { name: "exit-code", spares: "the program's exit code tells that something went wrong" };
const RETRIED: Guard = Guard { name: "retried", spares: "the same call on the same file worked afterwards" };

/// `EPIPE`: the reader went away, which ends most programs.
const EPIPE: i32 = 32;
/// Failures that are kept of one process.
const KEPT: usize = 64;

const WORDS: Words = Words::danger(
    Severity::High,
    "a write, an fsync or a close failed, and the program ended as if it had not",
    "look at what write, fsync and close return (flush and close explicitly: destructors swallow errors), say so and fail",
    "the program may have told somebody by other means than its standard error",
);

#[derive(Debug)]
struct ErrorIgnored {
    guards: Guards,
    pending: HashMap<u32, Vec<(Option<FileNumber>, Scene)>>,
    cases: Cases,
}

impl Rule for ErrorIgnored {
    fn observe(&mut self, moment: &Moment<'_>) {
        let process = moment.process();
        let file = moment.file.map(|file| file.number);
        match moment.action() {
            FileAction::Write { descriptor: 2, .. } if moment.is_ok() && self.guards.spare(TOLD, true) => {
                self.pending.remove(&process);
            }
            FileAction::Write { .. } | FileAction::Sync { .. } | FileAction::Close { .. } => {
                match moment.errno() {
                    Some(EBADF | EPIPE) => {}
                    Some(errno) => {
                        let is_again = matches!(errno, EINTR | EAGAIN | EINVAL);
                        let pending = self.pending.entry(process).or_default();
                        if !self.guards.spare(AGAIN, is_again) && pending.len() < KEPT {
                            pending.push((file, Scene::of(moment)));
                        }
                    }
                    None if moment.is_ok() && !matches!(moment.action(), FileAction::Close { .. }) => {
                        if let Some(pending) = self.pending.get_mut(&process)
                            && self.guards.spare(RETRIED, true)
                        {
                            pending.retain(|(failed, _)| *failed != file);
                        }
                    }
                    None => {}
                }
            }
            FileAction::Exit { code, whole: true } => {
                let pending = self.pending.remove(&process).unwrap_or_default();
                if !self.guards.spare(EXIT_CODE, *code != Some(0)) {
                    for (_, scene) in pending {
                        self.cases.add_scene(&scene, 1, &[], moment.world);
                    }
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
    use crate::script::{Script, TRUNCATE};
    use fathom_events::CallOutcome;
    fn fail(script: &mut Script, errno: i32) -> i32 {
        let file = script.open("/data/out", TRUNCATE);
        let action = FileAction::Write { descriptor: file, bytes: 4096, offset: None, pieces: 1 };
        script.fails("write", action, errno);
        file
    }
    fn exit(script: &mut Script, code: i32) {
        script.call(
            "exit_group",
            FileAction::Exit { code: Some(code), whole: true },
            CallOutcome::Unfinished,
        );
    }
    crate::trio::Trio {
        rule: 50,
        waste: |script| {
            let file = fail(script, 28);
            script.fails("fsync", FileAction::Sync { descriptor: Some(file), data_only: false }, 5);
            exit(script, 0);
        },
        count: 2,
        fixed: |script| {
            fail(script, 28);
            script.write(2, 40);
            exit(script, 1);
        },
        look_alikes: &[
            ("again", |script| {
                fail(script, 11);
                exit(script, 0);
            }),
            ("told", |script| {
                fail(script, 28);
                script.write(2, 40);
                exit(script, 0);
            }),
            ("exit-code", |script| {
                fail(script, 28);
                exit(script, 1);
            }),
            ("retried", |script| {
                let file = fail(script, 28);
                script.write(file, 4096);
                exit(script, 0);
            }),
        ],
    }
};
