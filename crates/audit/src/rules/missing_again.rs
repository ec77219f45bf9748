//! R16: paths that are not there, looked for again and again.

use crate::call_key::ENOENT;
use crate::cases::{Cases, Scene};
use crate::claims::Claims;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::{Moment, When};
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World, is_of_libc};
use fathom_events::{FileAction, StackId};
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(16),
    name: "negative-lookup-storm",
    needs: "paths and errnos of open, stat and access",
    guards: &[APPEARED, WATCHES, FEW],
    begin: |guards| {
        Box::new(MissingAgain {
            guards,
            missing: Recent::default(),
            shares: BTreeMap::new(),
            again: Cases::default(),
            mostly: Cases::default(),
        })
    },
};

const APPEARED: Guard = Guard {
    name: "changed-between",
    spares: "something in that directory changed between: it may be there now",
};
const WATCHES: Guard = Guard { name: "long-gap", spares: "more than a second passed: it waits for the file" };
const FEW: Guard =
    Guard { name: "few-misses", spares: "most lookups find their file: some optional files are not there" };

/// A second, in ns.
const GAP_NS: u64 = 1_000_000_000;
/// The third look is a habit.
const HABIT: u64 = 3;
/// From this many misses on, their share is looked at.
const MANY: u64 = 100;

const AGAIN: Words = Words::cost(
    "repeated lookup of a path that does not exist",
    "remember that it is not there, for as long as nothing in its directory changes",
    "programs outside the trace may make the file, and the look may wait for it",
);

const MOSTLY: Words = Words::cost(
    "most path lookups fail (ENOENT)",
    "list the directory once and look in memory, or try the likely place first",
    "each path may have been worth a look; only their number speaks against it",
)
.general();

#[derive(Debug)]
struct MissingAgain {
    guards: Guards,
    missing: Recent<(u32, PlaceId), Miss>,
    shares: BTreeMap<Looker, Share>,
    again: Cases,
    mostly: Cases,
}

#[derive(Debug, Default)]
struct Miss {
    when: When,
    calls: Claims,
    count: u64,
}

#[derive(Debug, Default)]
struct Share {
    lookups: u64,
    misses: u64,
    first_misses: u64,
    by_kind: BTreeMap<MissKind, FirstMisses>,
}

/// A process, and whether its runtime looks: what that misses says nothing of the program's own looks.
type Looker = (u32, bool);

/// Who lives with the path, and whether the C library looks.
type MissKind = (u32, bool);

/// First misses of one kind: whose they are does not depend on where in the code they come from.
#[derive(Debug, Default)]
struct FirstMisses {
    scene: Option<Scene>,
    by_stack: BTreeMap<Option<StackId>, Misses>,
}

/// First misses of one place in the code.
#[derive(Debug, Default)]
struct Misses {
    calls: Claims,
    scene: Option<Scene>,
}

impl Rule for MissingAgain {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Open, Kind::Stat, Kind::Access])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let is_lookup = matches!(
            moment.action(),
            FileAction::Open { .. } | FileAction::Stat { .. } | FileAction::Access { .. }
        );
        let Some(place) = moment.judged_place().filter(|_| is_lookup) else { return };
        let looker = (moment.process(), moment.is_runtimes(Some(place)));
        let share = self.shares.entry(looker).or_default();
        share.lookups += 1;
        if moment.errno() != Some(ENOENT) {
            return;
        }
        share.misses += 1;
        let miss = self.missing.entry((moment.process(), place));
        let is_new = !moment.world.places.is_unchanged_since(place, miss.when.number);
        if self.guards.spare(APPEARED, miss.count > 0 && is_new)
            || self.guards.spare(WATCHES, miss.when.is_apart(moment.when, GAP_NS))
        {
            *miss = Miss::default();
        }
        (miss.when, miss.count) = (moment.when, miss.count + 1);
        if miss.count > 1 {
            miss.calls.push(moment.claim());
        } else {
            share.first_misses += 1;
            let tolerated = moment.world.tolerated_set(Some(place));
            let is_libcs = is_of_libc(moment.world.places.path(place), moment.action());
            let of_kind = share.by_kind.entry((tolerated, is_libcs)).or_default();
            let misses = of_kind.by_stack.entry(moment.event.stack).or_default();
            misses.calls.push(moment.claim());
            // A habit shows better in the middle, but a place in the code may be met once.
            let is_middle = share.misses == MANY;
            if misses.scene.is_none() || is_middle {
                let scene = Scene::of(moment);
                if of_kind.scene.is_none() || is_middle {
                    of_kind.scene = Some(scene.clone());
                }
                misses.scene = Some(scene);
            }
        }
        if miss.count >= HABIT {
            let calls = std::mem::take(&mut miss.calls);
            self.again.claim_at(moment, Some(place), calls.calls(), &calls);
        }
    }

    fn finish(&mut self, world: &World) {
        for share in self.shares.values() {
            let is_few = share.misses * 2 <= share.lookups;
            if share.first_misses < MANY || self.guards.spare(FEW, is_few) {
                continue;
            }
            for FirstMisses { scene: of_kind, by_stack } in share.by_kind.values() {
                for Misses { calls, scene } in by_stack.values() {
                    let Some(scene) = scene else { continue };
                    let scene = scene.clone().owned_as(of_kind.as_ref());
                    self.mostly.claim_scene(&scene, calls.calls(), calls, world);
                }
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&AGAIN, &self.again), (&MOSTLY, &self.mostly)]
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, READ};
    crate::trio::Trio {
        rule: 16,
        waste: |script| {
            for _ in 0..12 {
                script.stat_fails("/data/.config");
            }
            (0..150).for_each(|file| script.open_fails(&format!("/lib/{file}"), READ, 2));
        },
        count: 11 + 151,
        fixed: |script| script.stat_fails("/data/.config"),
        look_alikes: &[
            ("changed-between", |script| {
                for file in 0..5 {
                    script.stat_fails("/data/lock");
                    let made = script.open(&format!("/data/{file}"), CREATE | crate::open_flags::EXCLUSIVE);
                    script.close(made);
                }
            }),
            ("long-gap", |script| {
                for _ in 0..5 {
                    script.stat_fails("/data/lock");
                    script.wait_ms(1_500);
                }
            }),
            ("few-misses", |script| {
                (0..150).for_each(|file| script.stat_fails(&format!("/data/{file}.opt")));
                (0..200).for_each(|file| script.stat(&format!("/data/{file}"), 10));
            }),
        ],
    }
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auditor::Auditor;
    use crate::finding::{Finding, Frame, Owner};
    use crate::script::{READ, Script};

    #[test]
    fn misses_are_told_by_the_place_in_the_code_that_they_come_from() {
        let mut script = Script::new();
        for name in 0..150_u32 {
            script.stat_fails(&format!("/data/{name}"));
            script.events.last_mut().unwrap().stack = Some(StackId(name % 3));
        }
        let mut auditor = Auditor::new();
        script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
        let frames = |line: u32| {
            let (function, module) = (Some("look".to_owned()), Some("/srv/program".to_owned()));
            let (file, line) = (Some("look.c".to_owned()), Some(line + 1));
            vec![Frame { function, file, line, module, address: None, owner: Owner::Yours }]
        };
        let findings = auditor.finish_with_stacks(&mut |stack| frames(stack)).findings;
        let mostly = findings.iter().filter(|finding| finding.rule == FACTS.id);
        let line = |finding: &Finding| finding.place.frames.first().and_then(|frame| frame.line);
        let mut told: Vec<_> = mostly.map(|finding| (line(finding), finding.count)).collect();
        told.sort_unstable();
        assert_eq!(told, [(Some(1), 50), (Some(2), 50), (Some(3), 50)]);
    }

    /// Whose the misses are that are told of a program which has so many of its own.
    fn beside_those_of_a_runtime(own: u32) -> Vec<(Owner, u64)> {
        let mut script = Script::new();
        script.load("/usr/bin/perl");
        let main = script.open("/srv/app/main.pl", READ);
        script.read(main, 8192, 100);
        for name in 0..400 {
            script.stat_fails(&format!("/srv/app/lib/M{name}.pmc"));
        }
        for name in 0..own {
            script.stat_fails(&format!("/data/{name}.json"));
        }
        let findings = script.findings_of(FACTS.id, Guards::default());
        let mut told: Vec<_> = findings.iter().map(|finding| (finding.owner, finding.count)).collect();
        told.sort_unstable();
        told
    }

    #[test]
    fn what_a_runtime_looks_for_is_no_habit_of_its_program() {
        assert_eq!(beside_those_of_a_runtime(150), [(Owner::Yours, 150), (Owner::Runtime, 400)]);
        assert_eq!(beside_those_of_a_runtime(80), [(Owner::Runtime, 400)], "80 are no habit");
    }

    /// Whose 400 misses below a runtime's folder are, in a program of another name that makes such a call before.
    fn below(folder: &str, before: impl Fn(&mut Script)) -> Vec<Owner> {
        let mut script = Script::new();
        script.load("/usr/bin/tool");
        let main = script.open("/usr/bin/tool", READ);
        script.read(main, 8192, 100);
        before(&mut script);
        (0..400).for_each(|name| script.stat_fails(&format!("{folder}/M{name}")));
        script.findings_of(FACTS.id, Guards::default()).iter().map(|finding| finding.owner).collect()
    }

    #[test]
    fn a_script_that_is_executed_by_its_name_is_known_by_what_its_runtime_looks_for() {
        let looks =
            |folder, missing: &'static str| below(folder, move |script| script.open_fails(missing, READ, 2));
        let stats = |folder, missing: &'static str| below(folder, move |script| script.stat_fails(missing));
        assert_eq!(stats("/etc/perl", "/etc/perl/strict.pmc"), [Owner::Runtime]);
        assert_eq!(looks("/usr/lib/python3.11", "/usr/bin/pyvenv.cfg"), [Owner::Runtime]);
        assert_eq!(looks("/usr/lib/python3.11", "/usr/bin/pybuilddir.txt"), [Owner::Runtime]);
        assert_eq!(stats("/usr/lib/ruby/3.1.0", "/data/enumerator.so"), [Owner::Runtime]);
        assert_eq!(looks("/usr/lib/php/20220829", "/usr/bin/php-cli.ini"), [Owner::Runtime]);
    }

    #[test]
    fn who_searches_the_folders_of_a_runtime_is_none() {
        for (folder, module) in [
            ("/etc/perl", "/usr/share/perl/5.36.0/Carp.pm"),
            ("/usr/lib/python3.11", "/usr/lib/python3.11/os.py"),
            ("/usr/lib/python3.11", "/venv/pyvenv.cfg"),
            ("/usr/lib/ruby/3.1.0", "/usr/lib/ruby/3.1.0/set.rb"),
            ("/usr/lib/php/20220829", "/etc/php/8.2/cli/php.ini"),
            ("/usr/share/tcltk", "/usr/lib/libtcl8.6.so"),
        ] {
            let reads = |script: &mut Script| {
                let module = script.open(module, READ);
                script.read(module, 8192, 100);
            };
            assert_eq!(below(folder, reads), [Owner::Yours], "{module}");
        }
        let maps = |script: &mut Script| {
            let library = script.open("/usr/lib/libtcl8.6.so", READ);
            script.map_as_code(library);
        };
        assert_eq!(below("/usr/share/tcltk", maps), [Owner::Runtime]);
    }
}
