//! R22: names looked for in vain in directories whose names the program reads anyway.

use crate::call_key::ENOENT;
use crate::cases::{Cases, Scene};
use crate::claims::{Claim, Claims};
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::{Moment, When};
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::FileAction;
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(22),
    name: "probe-what-readdir-knows",
    needs: "paths of open, stat and access, and getdents",
    guards: &[FEW, CHANGED, LONG_AGO],
    begin: |guards| {
        Box::new(ProbedAndListed {
            guards,
            listed: Recent::default(),
            probes: Recent::default(),
            names: BTreeMap::new(),
            cases: Cases::default(),
        })
    },
};

const FEW: Guard = Guard { name: "few", spares: "a name or two in a few directories" };
const CHANGED: Guard = Guard {
    name: "changed-between",
    spares: "something in the directory changed between: what was listed does not tell",
};
const LONG_AGO: Guard =
    Guard { name: "long-ago", spares: "the listing and the look lie more than a second apart" };

/// A second, in ns.
const GAP_NS: u64 = 1_000_000_000;
/// From this many directories on a name is looked for by habit.
const HABIT: u64 = 8;
/// Probes of one directory that are kept until it is listed.
const KEPT: usize = 16;

const WORDS: Words = Words::cost(
    "lookup of missing names in directories that are listed anyway",
    "list the directory first and look for the name among its entries",
    "the name may be needed before the listing, or by code that knows nothing of it",
);

#[derive(Debug)]
struct ProbedAndListed {
    guards: Guards,
    listed: Recent<(u32, PlaceId), When>,
    /// Probes of directories that are not listed yet.
    probes: Recent<(u32, PlaceId), Vec<Probe>>,
    /// By process and name.
    names: BTreeMap<(u32, String), Name>,
    cases: Cases,
}

#[derive(Debug)]
struct Probe {
    when: When,
    place: PlaceId,
    call: Claim,
}

#[derive(Debug, Default)]
struct Name {
    directories: u64,
    calls: Claims,
    scene: Option<Scene>,
}

impl Rule for ProbedAndListed {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Open, Kind::Stat, Kind::Access]).unless_ok().and(&[Kind::List])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::List { .. } if moment.bytes > 0 && moment.is_judged() => {
                let Some(place) = moment.file.and_then(|file| file.place) else { return };
                let key = (moment.process(), place);
                self.listed.insert(key, moment.when);
                for probe in self.probes.remove(&key).into_iter().flatten() {
                    self.know(moment, probe.when, moment.when, &probe);
                }
            }
            FileAction::Open { .. } | FileAction::Stat { .. } | FileAction::Access { .. } => {
                let Some(place) = moment.judged_place().filter(|_| moment.errno() == Some(ENOENT)) else {
                    return;
                };
                let Some(parent) = moment.world.places.parent(place) else { return };
                let key = (moment.process(), parent);
                let probe = Probe { when: moment.when, place, call: moment.claim() };
                if let Some(listed) = self.listed.get(&key).copied() {
                    self.know(moment, listed, moment.when, &probe);
                } else {
                    let probes = self.probes.entry(key);
                    if probes.len() < KEPT && probes.iter().all(|other| other.place != place) {
                        probes.push(probe);
                    }
                }
            }
            _ => {}
        }
    }

    fn finish(&mut self, world: &World) {
        for name in std::mem::take(&mut self.names).into_values() {
            if let Some(scene) = name.scene.filter(|_| !self.guards.spare(FEW, name.directories < HABIT)) {
                self.cases.claim_scene(&scene, name.directories, &name.calls, world);
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

impl ProbedAndListed {
    /// A look in vain of which a listing would have told.
    fn know(&mut self, moment: &Moment<'_>, first: When, second: When, probe: &Probe) {
        let places = &moment.world.places;
        let parent = places.parent(probe.place);
        let is_changed = parent.is_some_and(|parent| places.get(parent).inside_changed_at > first.number);
        if self.guards.spare(CHANGED, is_changed)
            || self.guards.spare(LONG_AGO, first.is_apart(second, GAP_NS))
        {
            return;
        }
        let key = (moment.process(), places.name(probe.place).to_owned());
        let name = self.names.entry(key).or_default();
        name.directories += 1;
        name.calls.push(probe.call);
        let scene = name.scene.get_or_insert_with(|| Scene::among(moment, Some(probe.place), &[probe.place]));
        scene.also_at(Some(probe.place), moment.world);
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, READ, Script};
    use fathom_events::CallOutcome;
    fn list(script: &mut Script, directory: &str) {
        let descriptor = script.open(directory, READ | crate::open_flags::DIRECTORY);
        let action = FileAction::List { descriptor, entries: Some(5), undecided: Some(0) };
        script.call("getdents64", action, CallOutcome::Value(160));
        script.close(descriptor);
    }
    crate::trio::Trio {
        rule: 22,
        waste: |script| {
            for folder in 0..10 {
                script.open_fails(&format!("/src/{folder}/.gitignore"), READ, 2);
                list(script, &format!("/src/{folder}"));
                script.stat_fails(&format!("/src/{folder}/.ignore"));
            }
        },
        count: 20,
        fixed: |script| (0..10).for_each(|folder| list(script, &format!("/src/{folder}"))),
        look_alikes: &[
            ("few", |script| {
                for folder in 0..3 {
                    script.stat_fails(&format!("/src/{folder}/.gitignore"));
                    list(script, &format!("/src/{folder}"));
                }
            }),
            ("changed-between", |script| {
                for folder in 0..10 {
                    list(script, &format!("/src/{folder}"));
                    let path = format!("/src/{folder}/new");
                    let made = script.open(&path, CREATE | crate::open_flags::EXCLUSIVE);
                    script.close(made);
                    script.stat_fails(&format!("/src/{folder}/.ignore"));
                }
            }),
            ("long-ago", |script| {
                (0..10).for_each(|folder| list(script, &format!("/src/{folder}")));
                script.wait_ms(2_000);
                (0..10).for_each(|folder| script.stat_fails(&format!("/src/{folder}/.ignore")));
            }),
            ("", |script| {
                (0..10).for_each(|folder| script.stat_fails(&format!("/src/{folder}/.gitignore")));
            }),
        ],
    }
};

#[cfg(test)]
mod tests {
    use crate::finding::RuleId;
    use crate::rule::Guards;
    use crate::script::Script;

    #[test]
    fn every_path_that_was_looked_for_is_counted() {
        let mut script = Script::new();
        (super::TRIO.waste)(&mut script);
        let found = script.findings_of(RuleId(22), Guards::default());
        let counted = found.iter().filter_map(|finding| Some(finding.place.paths.as_ref()?.count));
        assert_eq!(counted.sum::<u64>(), 20, "{found:?}");
    }
}
