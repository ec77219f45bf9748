//! R10: a file's permissions set to what making it gave it.

use crate::cases::{Cases, Scene};
use crate::claims::Claim;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::FileAction;
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(10),
    name: "mode-set-twice",
    needs: "the mode of open, chmod and fchmod; umask where the program sets it",
    guards: &[MASKED, EXISTED, SPECIAL],
    begin: |guards| {
        Box::new(ModeSetTwice {
            guards,
            made: Recent::default(),
            unsure: BTreeMap::new(),
            cases: Cases::default(),
        })
    },
};

const MASKED: Guard = Guard { name: "masked", spares: "umask took bits off that are wanted" };
const EXISTED: Guard = Guard {
    name: "existed",
    spares: "the file was there already, as far as can be told, with permissions of its own",
};
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
    /// Files that may have been there before: the file system is asked when all is done.
    unsure: BTreeMap<PlaceId, Vec<(Scene, Claim)>>,
    cases: Cases,
}

#[derive(Debug)]
struct Made {
    /// What the process that made it takes off.
    mask: u32,
    mode: u32,
    /// `None` where that is not known.
    is_new: Option<bool>,
}

impl Rule for ModeSetTwice {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Open, Kind::ChangeMode, Kind::Rename]).if_ok()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        if !moment.is_judged() || !moment.is_ok() {
            return;
        }
        let Some(place) = moment.any_place() else { return };
        match moment.action() {
            FileAction::Open { flags, mode, .. } if open_flags::has(*flags, open_flags::CREATE) => {
                let was_there = moment.world.places.get(place).exists == Some(true);
                let is_new = moment.file.is_some_and(|file| file.is_new);
                let is_new = if is_new || was_there { Some(is_new) } else { None };
                let mask = moment
                    .world
                    .process(moment.process())
                    .and_then(|process| process.mask)
                    .unwrap_or(USUAL_MASK);
                self.made.insert(place, Made { mask, mode: *mode, is_new });
            }
            FileAction::ChangeMode { mode, .. } => {
                let Some(made) = self.made.remove(&place) else { return };
                let is_special = mode & 0o7000 != 0 || made.mode & 0o7000 != 0;
                if matches!(made.mode & 0o777, 0)
                    || self.guards.spare(EXISTED, made.is_new == Some(false))
                    || self.guards.spare(SPECIAL, is_special)
                    || self.guards.spare(MASKED, mode & 0o777 != made.mode & 0o777 & !made.mask)
                {
                    return;
                }
                if made.is_new.is_none() {
                    let of_place = self.unsure.entry(place).or_default();
                    of_place.push((Scene::of(moment), moment.claim()));
                } else {
                    self.cases.claim(moment, &[moment.claim()]);
                }
            }
            FileAction::Rename { .. } => {
                let moved = self.unsure.remove(&place);
                if let (Some(moved), Some(to)) = (moved, moment.other_place) {
                    self.unsure.insert(to, moved);
                }
            }
            _ => {}
        }
    }

    fn finish(&mut self, world: &World) {
        for (place, unsure) in std::mem::take(&mut self.unsure) {
            let is_new = world.is_made_since_start(world.places.path(place)) == Some(true);
            // Made once, however often it was opened.
            for (scene, claim) in unsure.into_iter().take(1) {
                if !self.guards.spare(EXISTED, !is_new) {
                    self.cases.claim_scene(&scene, 1, &[claim].into_iter().collect(), world);
                }
            }
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
        waste: |script| {
            (0..5).for_each(|file| make(script, &format!("/data/{file}"), NEW, 0o644));
            // A script's umask counts, not that of chmod.
            script.works("umask", FileAction::Mask { mode: 0o077 });
            let file = script.open("/data/key", NEW);
            script.close(file);
            script.fork(200);
            script.act_as(200, 200);
            script.works("umask", FileAction::Mask { mode: 0 });
            let target = script.target("/data/key");
            script.works("fchmodat", FileAction::ChangeMode { target, mode: 0o600 });
        },
        count: 6,
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
            // Nobody can be asked.
            ("existed", |script| make(script, "/data/a", CREATE, 0o644)),
            ("special", |script| make(script, "/data/a", NEW, 0o4644)),
        ],
    }
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auditor::Auditor;
    use crate::script::{CREATE, Script};
    use crate::world::PathFacts;

    /// Files whose names end in `old` were there before the program was started.
    fn read_path(path: &str) -> Option<PathFacts> {
        let made_ns = Some(if path.ends_with("old") { 5 } else { 20 });
        (!path.ends_with("gone")).then_some(PathFacts { permissions: 0o644, made_ns })
    }

    fn found(name: &str) -> u64 {
        let mut script = Script::new();
        let file = script.open("/data/x.tmp", CREATE);
        let target = fathom_events::Target::Descriptor(file);
        script.works("fchmod", FileAction::ChangeMode { target, mode: 0o644 });
        script.close(file);
        script.rename("/data/x.tmp", name);
        let mut auditor = Auditor::new().started_at(10, read_path);
        script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
        let findings = auditor.finish().findings;
        findings.iter().filter(|finding| finding.rule == RuleId(10)).map(|finding| finding.count).sum()
    }

    #[test]
    fn a_live_file_tells_itself_whether_it_was_there_before() {
        assert_eq!(["/data/new", "/data/old", "/data/gone"].map(found), [1, 0, 0]);
    }
}
