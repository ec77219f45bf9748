//! R24: a directory made again and again although it is there.

use crate::call_key::EEXIST;
use crate::cases::{Cases, Scene};
use crate::claims::Claims;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::FileAction;
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(24),
    name: "mkdir-storm",
    needs: "paths and errnos of mkdir",
    guards: &[CHANGED, FEW],
    begin: |guards| {
        Box::new(DirectoryMadeAgain {
            guards,
            refused: Recent::default(),
            found: BTreeMap::new(),
            cases: Cases::default(),
        })
    },
};

const CHANGED: Guard = Guard {
    name: "removed-between",
    spares: "the directory was removed or renamed between, or made again: it may be a lock that others wait for",
};
const FEW: Guard = Guard { name: "few", spares: "asking a few times is how one makes sure" };

/// The fourth refusal of one process is a habit.
const HABIT: usize = 4;
/// So is the eighth of several processes: a script that runs `mkdir -p` for each file.
const HABIT_OF_SEVERAL: usize = 8;

const WORDS: Words = Words::cost(
    "repeated mkdir() of a directory that exists (EEXIST)",
    "remember the directories that were made; or make one only when creating a file in it fails with ENOENT",
    "another program may remove the directory meanwhile",
);

#[derive(Debug)]
struct DirectoryMadeAgain {
    guards: Guards,
    refused: Recent<PlaceId, Refused>,
    /// What was refused often, and was not made again so far.
    found: BTreeMap<PlaceId, (Scene, Claims)>,
    cases: Cases,
}

#[derive(Debug, Default)]
struct Refused {
    at: u64,
    count: usize,
    /// Who was refused last, and how often in a row.
    process: u32,
    of_process: usize,
    is_habit: bool,
    /// It was removed and made again.
    comes_and_goes: bool,
    calls: Claims,
}

impl Rule for DirectoryMadeAgain {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::MakeDirectory])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let FileAction::MakeDirectory { .. } = moment.action() else { return };
        if let Some(place) = moment.place.filter(|place| moment.is_ok() && self.refused.get(place).is_some())
            && self.guards.spare(CHANGED, true)
        {
            self.refused.entry(place).comes_and_goes = true;
            self.found.remove(&place);
        }
        let Some(place) = moment.judged_place().filter(|_| moment.errno() == Some(EEXIST)) else { return };
        let refused = self.refused.entry(place);
        let is_changed = refused.count > 0 && !moment.world.places.has_content_of(place, refused.at);
        if self.guards.spare(CHANGED, is_changed) {
            *refused = Refused { comes_and_goes: refused.comes_and_goes, ..Refused::default() };
        }
        refused.at = moment.when.number;
        refused.count += 1;
        if refused.process != moment.process() {
            (refused.process, refused.of_process) = (moment.process(), 0);
        }
        refused.of_process += 1;
        refused.is_habit |= refused.of_process >= HABIT || refused.count >= HABIT_OF_SEVERAL;
        refused.calls.push(moment.claim());
        if !self.guards.spare(FEW, !refused.is_habit) && !refused.comes_and_goes {
            let calls = std::mem::take(&mut refused.calls);
            let known = self.found.entry(place);
            let (_, known) = known.or_insert_with(|| (Scene::at(moment, Some(place)), Claims::default()));
            known.join(&calls);
        }
    }

    fn finish(&mut self, world: &World) {
        for (scene, calls) in std::mem::take(&mut self.found).into_values() {
            self.cases.claim_scene(&scene, calls.calls(), &calls, world);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::Script;
    fn refused(script: &mut Script) {
        refused_at(script, "/data/out");
    }
    fn refused_at(script: &mut Script, path: &str) {
        let target = script.target(path);
        script.fails("mkdir", FileAction::MakeDirectory { target, mode: 0o755 }, 17);
    }
    crate::trio::Trio {
        rule: 24,
        waste: |script| {
            (0..9).for_each(|_| refused(script));
            for process in 300..309 {
                script.act_as(process, process);
                refused_at(script, "/data/hosts");
            }
        },
        count: 18,
        fixed: |script| {
            let target = script.target("/data/out");
            script.works("mkdir", FileAction::MakeDirectory { target, mode: 0o755 });
        },
        look_alikes: &[
            ("removed-between", |script| {
                for _ in 0..9 {
                    refused(script);
                    let target = script.target("/data/out");
                    script.works("rmdir", FileAction::Remove { target, directory: true });
                    script.works("mkdir", FileAction::MakeDirectory { target, mode: 0o755 });
                }
            }),
            ("few", |script| (0..3).for_each(|_| refused(script))),
            // Process after process waits for it, one more than once.
            ("removed-between", |script| {
                for process in 300..320 {
                    script.act_as(process, process);
                    refused(script);
                }
                (0..6).for_each(|_| refused(script));
                let target = script.target("/data/out");
                script.works("rmdir", FileAction::Remove { target, directory: true });
                let target = script.target("/data/out");
                script.works("mkdir", FileAction::MakeDirectory { target, mode: 0o755 });
            }),
            ("few", |script| {
                for process in 300..306 {
                    script.act_as(process, process);
                    refused(script);
                }
            }),
        ],
    }
};
