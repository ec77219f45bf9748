//! R04: a file that was told to be no terminal is asked whether it is one; or the same open file is
//! asked again.

use crate::call_key::{ENOTTY, TERMINAL_SETTINGS};
use crate::cases::Cases;
use crate::claims::Claim;
use crate::family::is_shell;
use crate::finding::RuleId;
use crate::first_look::{FirstLook, Question};
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, PlaceId, World};
use fathom_events::{FileAction, FileKind};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(4),
    name: "isatty-on-regular",
    needs: "ioctl, and the kind that fstat told",
    guards: &[DEVICE, OTHERS],
    begin: |guards| {
        Box::new(TerminalQuestion {
            guards,
            told: Recent::default(),
            answered: Recent::default(),
            cases: Cases::default(),
            again: Cases::default(),
        })
    },
};

const DEVICE: Guard =
    Guard { name: "character-device", spares: "a terminal is a character device: the question is open" };

const OTHERS: Guard =
    Guard { name: "others", spares: "another process was told what it is, this one was not" };

const WORDS: Words = Words::cost(
    "isatty() on a regular file (fstat already said so)",
    "look at st_mode: what is no character device is no terminal",
    "a terminal is always a character device",
)
.certain();

const AGAIN: Words = Words::cost(
    "isatty() of the same open file again: it was no terminal before",
    "ask once where it is opened, and keep the answer beside the file",
    "an open file never becomes a terminal",
)
.certain();

#[derive(Debug)]
struct TerminalQuestion {
    guards: Guards,
    /// Who was told what a file is.
    told: Recent<(u32, Subject), ()>,
    /// Which open files said by themselves that they are no terminals, and to whom.
    answered: Recent<(u32, FileNumber), ()>,
    cases: Cases,
    again: Cases,
}

/// By what a file was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Subject {
    Open(FileNumber),
    Path(PlaceId),
}

impl Rule for TerminalQuestion {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Stat, Kind::StatOpen, Kind::DeviceControl]).but_first_looks()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let process = moment.process();
        if let FileAction::Stat { .. } = moment.action()
            && moment.is_ok()
            && !moment.is_first_look
        {
            let subject =
                moment.file.map(|file| Subject::Open(file.number)).or(moment.place.map(Subject::Path));
            if let Some(subject) = subject {
                self.told.insert((process, subject), ());
            }
        }
        let FileAction::DeviceControl { request: TERMINAL_SETTINGS, .. } = moment.action() else { return };
        let subjects = moment.file.into_iter().flat_map(|file| {
            let of_path = file.place.map(Subject::Path);
            of_path.into_iter().chain([Subject::Open(file.number)])
        });
        let is_told = subjects.into_iter().any(|subject| self.told.get(&(process, subject)).is_some());
        let file = moment.file.filter(|_| !moment.is_loaders && moment.errno() == Some(ENOTTY));
        let Some(file) = file else { return };
        let is_device = file.kind == Some(FileKind::Character);
        if file.kind.is_some() && is_told && !self.guards.spare(DEVICE, is_device) {
            self.cases.claim(moment, &[moment.claim()]);
        } else if self.answered.get(&(process, file.number)).is_some()
            && moment.plain_file().is_some_and(|file| !file.is_inherited)
            // Its `read` asks each time, and other rules say so.
            && !is_shell(process, moment.world)
        {
            self.again.claim(moment, &[moment.claim()]);
        } else if file.kind.is_some() && !self.guards.spare(OTHERS, true) {
            self.cases.claim(moment, &[moment.claim()]);
        }
        self.answered.insert((process, file.number), ());
    }

    fn recalls(&self) -> Interest {
        Interest::in_calls(&[Kind::DeviceControl])
    }

    fn recall(&mut self, look: &FirstLook, _call: Claim, _world: &World) {
        if look.is_ok && matches!(look.question, Question::Stat { .. }) {
            self.told.insert((look.process, Subject::Path(look.place)), ());
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases), (&AGAIN, &self.again)]
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::READ;
    crate::trio::Trio {
        rule: 4,
        waste: |script| {
            for _ in 0..5 {
                let file = script.open("/data/a", READ);
                script.fstat(file, 100);
                script.is_terminal(file);
                script.close(file);
            }
            // A writer of lines asks before each whether to colour it, and nobody told what it is.
            let file = script.open("/data/log", crate::script::TRUNCATE);
            for _ in 0..4 {
                script.is_terminal(file);
                script.write(file, 10);
            }
        },
        count: 8,
        fixed: |script| {
            let file = script.open("/data/a", READ);
            script.fstat(file, 100);
            script.close(file);
        },
        look_alikes: &[
            ("character-device", |script| {
                let file = script.open("/data/odd", READ);
                script.fstat_as(file, FileKind::Character, 0);
                script.is_terminal(file);
            }),
            ("others", |script| {
                let file = script.open("/data/a.gz", READ);
                script.fstat(file, 100);
                script.fork(200);
                script.act_as(200, 200);
                script.is_terminal(file);
            }),
            ("", |script| {
                script.execute("/bin/bash");
                let file = script.open("/data/lines", READ);
                (0..4).for_each(|_| script.is_terminal(file));
            }),
            ("", |script| {
                let file = script.open("/data/unknown", READ);
                script.is_terminal(file);
                let file = script.open("/data/unknown", READ);
                script.is_terminal(file);
            }),
        ],
    }
};
