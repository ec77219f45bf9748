//! R08: flags of a descriptor set by fcntl right after the call that made it.

use crate::cases::Cases;
use crate::claims::Claim;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{Deed, FileNumber};
use fathom_events::{ControlCommand, FileAction, FileKind, OpenFlags};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(8),
    name: "fcntl-fix-up",
    needs: "fcntl with its command",
    guards: &[TAKES_AWAY, LATER, INHERITED],
    begin: |guards| Box::new(FlagsSetLate { guards, asked: Recent::default(), cases: Cases::default() }),
};

const TAKES_AWAY: Guard = Guard {
    name: "takes-away",
    spares: "it takes a flag away: no call makes a descriptor and takes flags away",
};
const LATER: Guard =
    Guard { name: "later", spares: "the descriptor was used in between: it changes its mind" };
const INHERITED: Guard =
    Guard { name: "inherited", spares: "somebody else made it: its flags are not known" };

/// `O_NONBLOCK`.
const NON_BLOCKING: u32 = 0x800;
/// `O_NOATIME`.
const NO_ACCESS_TIME: u32 = 0x4_0000;
/// What open can set and `F_SETFL` as well.
const SETTABLE: u32 = open_flags::APPEND | NON_BLOCKING | open_flags::DIRECT | NO_ACCESS_TIME;

const WORDS: Words = Words::cost(
    "fcntl() sets a flag that the call before could have set",
    "give it with that call: O_CLOEXEC, O_APPEND, O_NONBLOCK, pipe2, dup3, accept4, SOCK_CLOEXEC, F_DUPFD_CLOEXEC",
    "kernels before 2.6.27 lack some of these flags",
);

#[derive(Debug)]
struct FlagsSetLate {
    guards: Guards,
    asked: Recent<FileNumber, Vec<Claim>>,
    cases: Cases,
}

impl Rule for FlagsSetLate {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Control])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let FileAction::Control { command, .. } = moment.action() else { return };
        let Some(file) = moment.file.filter(|_| !moment.is_loaders && moment.is_ok()) else { return };
        let is_late = !matches!(file.last.deed, Deed::Made | Deed::Control);
        match command {
            ControlCommand::GetDescriptorFlags | ControlCommand::GetStatusFlags
                if file.was_last(Deed::Made) || self.asked.get(&file.number).is_some() =>
            {
                self.asked.entry(file.number).push(moment.claim());
            }
            ControlCommand::SetDescriptorFlags { .. } | ControlCommand::SetStatusFlags(_) => {
                let mut calls = self.asked.remove(&file.number).unwrap_or_default();
                if self.guards.spare(LATER, is_late && !file.is_inherited)
                    || self.guards.spare(INHERITED, file.is_inherited)
                    || self.guards.spare(TAKES_AWAY, takes_away(*command, file.flags))
                {
                    return;
                }
                calls.push(moment.claim());
                if file.kind == Some(FileKind::Directory) {
                    // fdopendir does it, whatever flags the descriptor has.
                    self.cases.claim_libcs(moment, 1, &calls.into_iter().collect());
                } else {
                    self.cases.claim(moment, &calls);
                }
            }
            _ => {}
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

/// True where the descriptor gets no flag that it had not when it was made.
fn takes_away(command: ControlCommand, made_with: OpenFlags) -> bool {
    match command {
        ControlCommand::SetDescriptorFlags { close_on_exec } => !close_on_exec,
        ControlCommand::SetStatusFlags(flags) => flags.0 & (NON_BLOCKING | SETTABLE & !made_with.0) == 0,
        _ => false,
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, WRITE};
    const MARK: ControlCommand = ControlCommand::SetDescriptorFlags { close_on_exec: true };
    crate::trio::Trio {
        rule: 8,
        waste: |script| {
            let file = script.open("/data/a", 0);
            script.control(file, ControlCommand::GetDescriptorFlags);
            script.start_thread(101);
            script.act_as(100, 101);
            script.control(file, MARK);
            let other = script.open("/data/fifo", 0);
            script.control(other, ControlCommand::GetStatusFlags);
            script.control(other, ControlCommand::SetStatusFlags(OpenFlags(NON_BLOCKING)));
            let log = script.open("/data/log", WRITE);
            script.control(log, ControlCommand::GetStatusFlags);
            script.control(log, ControlCommand::SetStatusFlags(OpenFlags(WRITE | open_flags::APPEND)));
        },
        count: 3,
        fixed: |script| {
            script.open("/data/a", READ);
            script.open("/data/fifo", READ | NON_BLOCKING);
        },
        look_alikes: &[
            ("takes-away", |script| {
                let file = script.open("/data/a", READ);
                script.control(file, ControlCommand::SetDescriptorFlags { close_on_exec: false });
            }),
            ("takes-away", |script| {
                let log = script.open("/data/log", WRITE | open_flags::APPEND | NON_BLOCKING);
                script.control(log, ControlCommand::SetStatusFlags(OpenFlags(WRITE | open_flags::APPEND)));
            }),
            ("later", |script| {
                let file = script.open("/data/a", 0);
                script.read(file, 10, 10);
                script.control(file, MARK);
            }),
            ("inherited", |script| {
                script.control(0, ControlCommand::GetStatusFlags);
                script.control(0, ControlCommand::SetStatusFlags(OpenFlags(NON_BLOCKING)));
            }),
        ],
    }
};
