//! R18: files looked for in a directory that is known not to be there.

use crate::call_key::ENOENT;
use crate::cases::Cases;
use crate::cases::Scene;
use crate::claims::Claims;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::FileAction;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(18),
    name: "missing-parent",
    needs: "paths and errnos of open, stat and access",
    guards: &[MADE_LATER, FEW],
    begin: |guards| Box::new(MissingParent { guards, absent: Recent::default(), cases: Cases::default() }),
};

const MADE_LATER: Guard = Guard { name: "made-later", spares: "the program makes the directory afterwards" };
const FEW: Guard = Guard { name: "few", spares: "three names in a missing directory are no habit" };

/// The fourth look is a habit.
const HABIT: u64 = 4;

const WORDS: Words = Words::cost(
    "lookups below a directory that does not exist",
    "remember the highest directory that is missing, and look for nothing below it",
    "another program may make the directory meanwhile",
);

#[derive(Debug)]
struct MissingParent {
    guards: Guards,
    absent: Recent<(u32, PlaceId), Absent>,
    cases: Cases,
}

#[derive(Debug, Default)]
struct Absent {
    calls: Claims,
    count: u64,
    scene: Option<Scene>,
}

impl Rule for MissingParent {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Open, Kind::Stat, Kind::Access]).unless_ok()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let is_lookup = matches!(
            moment.action(),
            FileAction::Open { .. } | FileAction::Stat { .. } | FileAction::Access { .. }
        );
        let Some(place) = moment.judged_place().filter(|_| is_lookup && moment.errno() == Some(ENOENT))
        else {
            return;
        };
        let places = &moment.world.places;
        let mut above = std::iter::successors(places.parent(place), |place| places.parent(*place));
        let Some(missing) = above.find(|place| places.get(*place).exists == Some(false)) else { return };
        let absent = self.absent.entry((moment.process(), missing));
        absent.count += 1;
        absent.calls.push(moment.claim());
        if absent.count == 2 {
            absent.scene = Some(Scene::of(moment));
        }
    }

    fn finish(&mut self, world: &World) {
        let mut absent: Vec<_> = self.absent.iter().collect();
        absent.sort_by_key(|(key, _)| **key);
        for ((_, place), absent) in absent {
            let Some(scene) = &absent.scene else { continue };
            if !self.guards.spare(MADE_LATER, world.places.get(*place).exists == Some(true))
                && !self.guards.spare(FEW, absent.count < HABIT)
            {
                self.cases.claim_scene(scene, absent.count, &absent.calls, world);
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::Script;
    fn look(script: &mut Script, names: usize) {
        script.stat_fails("/data/modules");
        (0..names).for_each(|name| script.stat_fails(&format!("/data/modules/m{name}/index")));
    }
    crate::trio::Trio {
        rule: 18,
        waste: |script| look(script, 10),
        count: 10,
        fixed: |script| script.stat_fails("/data/modules"),
        look_alikes: &[
            ("made-later", |script| {
                look(script, 10);
                let target = script.target("/data/modules");
                script.works("mkdir", FileAction::MakeDirectory { target, mode: 0o755 });
            }),
            ("few", |script| look(script, 3)),
        ],
    }
};
