//! R04: a file that was told to be no terminal is asked whether it is one.

use crate::call_key::{ENOTTY, TERMINAL_SETTINGS};
use crate::cases::Cases;
use crate::claims::Claim;
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
    begin: |guards| Box::new(TerminalQuestion { guards, told: Recent::default(), cases: Cases::default() }),
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

#[derive(Debug)]
struct TerminalQuestion {
    guards: Guards,
    /// Who was told what a file is.
    told: Recent<(u32, Subject), ()>,
    cases: Cases,
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
        let kind = moment.file.filter(|_| !moment.is_loaders).and_then(|file| file.kind);
        if let Some(kind) = kind
            && moment.errno() == Some(ENOTTY)
            && !self.guards.spare(OTHERS, !is_told)
            && !self.guards.spare(DEVICE, kind == FileKind::Character)
        {
            self.cases.claim(moment, &[moment.claim()]);
        }
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
        vec![(&WORDS, &self.cases)]
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
        },
        count: 5,
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
                let file = script.open("/data/unknown", READ);
                script.is_terminal(file);
            }),
        ],
    }
};
