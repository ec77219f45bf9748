//! R10: a file's permissions set to what making it gave it.

use crate::cases::Cases;
use crate::finding::RuleId;
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::PlaceId;
use fathom_events::FileAction;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(10),
    name: "mode-set-twice",
    needs: "the mode of open, chmod and fchmod; umask where the program sets it",
    guards: &[MASKED, EXISTED, SPECIAL],
    begin: |guards| Box::new(ModeSetTwice { guards, made: Recent::default(), cases: Cases::default() }),
};

const MASKED: Guard = Guard { name: "masked", spares: "umask took bits off that are wanted" };
const EXISTED: Guard =
    Guard { name: "existed", spares: "the file was there already, with permissions of its own" };
const SPECIAL: Guard =
    Guard { name: "special", spares: "set-user-ID, set-group-ID and sticky bits are for chmod alone" };

/// What most people's umask takes off.
const USUAL_MASK: u32 = 0o022;

const WORDS: Words = Words::cost(
    "chmod() of a new file to the mode that it has",
    "give the mode when the file is made, and skip chmod when fstat says it is so already",
    "the directory's default access list, or a umask that was set before the trace, may have changed them",
);

#[derive(Debug)]
struct ModeSetTwice {
    guards: Guards,
    made: Recent<PlaceId, Made>,
    cases: Cases,
}

#[derive(Debug)]
struct Made {
    mode: u32,
    is_new: bool,
}

impl Rule for ModeSetTwice {
    fn observe(&mut self, moment: &Moment<'_>) {
        if !moment.is_judged() || !moment.is_ok() {
            return;
        }
        let Some(place) = moment.any_place() else { return };
        match moment.action() {
            FileAction::Open { flags, mode, .. } if open_flags::has(*flags, open_flags::CREATE) => {
                let is_new = moment.file.is_some_and(|file| file.is_new);
                self.made.insert(place, Made { mode: *mode, is_new });
            }
            FileAction::ChangeMode { mode, .. } => {
                let Some(made) = self.made.remove(&place) else { return };
                let mask = moment
                    .world
                    .process(moment.process())
                    .and_then(|process| process.mask)
                    .unwrap_or(USUAL_MASK);
                let is_special = mode & 0o7000 != 0 || made.mode & 0o7000 != 0;
                if made.mode & 0o777 != 0
                    && !self.guards.spare(EXISTED, !made.is_new)
                    && !self.guards.spare(SPECIAL, is_special)
                    && !self.guards.spare(MASKED, mode & 0o777 != made.mode & 0o777 & !mask)
                {
                    self.cases.claim(moment, &[moment.claim()]);
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
    use crate::script::{CREATE, Script};
    const NEW: u32 = CREATE | open_flags::EXCLUSIVE;
    fn make(script: &mut Script, path: &str, flags: u32, mode: u32) {
        let file = script.open(path, flags);
        let target = fathom_events::Target::Descriptor(file);
        script.works("fchmod", FileAction::ChangeMode { target, mode });
        script.close(file);
    }
    crate::trio::Trio {
        rule: 10,
        waste: |script| (0..5).for_each(|file| make(script, &format!("/data/{file}"), NEW, 0o644)),
        count: 5,
        fixed: |script| {
            let file = script.open("/data/a", NEW);
            script.close(file);
        },
        look_alikes: &[
            ("masked", |script| make(script, "/data/a", NEW, 0o664)),
            ("existed", |script| {
                script.stat("/data/a", 10);
                make(script, "/data/a", CREATE, 0o644);
            }),
            ("special", |script| make(script, "/data/a", NEW, 0o4644)),
        ],
    }
};
