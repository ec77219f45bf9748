//! R20: the same directories asked one by one whether they are links.

use crate::call_key::EINVAL;
use crate::cases::Cases;
use crate::claims::{Claim, Claims};
use crate::finding::RuleId;
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::PlaceId;
use fathom_events::{FileAction, FileKind, Target};
use rustc_hash::FxHashMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(20),
    name: "realpath-storm",
    needs: "paths of lstat and readlink",
    guards: &[CHANGED, NO_WALK],
    begin: |guards| {
        Box::new(RealPaths {
            guards,
            steps: Recent::default(),
            last: FxHashMap::default(),
            cases: Cases::default(),
        })
    },
};

const CHANGED: Guard = Guard {
    name: "changed-between",
    spares: "something beside the directory changed: it may be a link by now",
};
const NO_WALK: Guard =
    Guard { name: "no-walk", spares: "one directory is asked for its own sake, not on the way to another" };

/// The eighth time is a habit.
const HABIT: usize = 8;

const WORDS: Words = Words::cost(
    "realpath() of the same directories again and again",
    "keep the real paths of directories, or let the kernel walk: open with O_PATH and read /proc/self/fd, openat2",
    "another program may put a link there meanwhile",
);

#[derive(Debug)]
struct RealPaths {
    guards: Guards,
    steps: Recent<(u32, PlaceId), Step>,
    /// Where each thread's walk is, and the call that brought it there.
    last: FxHashMap<u32, (PlaceId, Claim)>,
    cases: Cases,
}

#[derive(Debug, Default)]
struct Step {
    at: u64,
    count: usize,
    calls: Claims,
}

impl Rule for RealPaths {
    fn observe(&mut self, moment: &Moment<'_>) {
        let thread = moment.thread();
        let is_step = match moment.action() {
            FileAction::ReadLink { .. } => moment.errno() == Some(EINVAL),
            FileAction::Stat { target: Target::Path { follow: false, .. }, .. } => moment.is_ok(),
            _ => false,
        };
        let Some(place) = moment.judged_place().filter(|_| is_step) else {
            self.last.remove(&thread);
            return;
        };
        let before = self.last.insert(thread, (place, moment.claim()));
        let Some((parent, call)) = before else {
            if !self.guards.spare(NO_WALK, true)
                && moment.facts().is_none_or(|facts| facts.kind != Some(FileKind::Regular))
            {
                self.step(moment, place, moment.claim());
            }
            return;
        };
        // The step before was one of a walk when this one lies below it.
        if moment.world.places.parent(place) == Some(parent) {
            self.step(moment, parent, call);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

impl RealPaths {
    fn step(&mut self, moment: &Moment<'_>, place: PlaceId, call: Claim) {
        let step = self.steps.entry((moment.process(), place));
        let is_changed = step.count > 0 && !moment.world.places.is_unchanged_since(place, step.at);
        if self.guards.spare(CHANGED, is_changed) {
            *step = Step::default();
        }
        step.count += 1;
        step.at = moment.when.number;
        if step.count > 1 {
            step.calls.push(call);
        }
        if step.count >= HABIT {
            let calls = std::mem::take(&mut step.calls);
            self.cases.claim_at(moment, Some(place), calls.calls(), &calls);
        }
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, Script};
    fn link_question(script: &mut Script, path: &str) {
        let target = script.target(path);
        script.fails("readlink", FileAction::ReadLink { target, to: None }, 22);
    }
    fn real_path(script: &mut Script, file: usize) {
        for path in ["/srv", "/srv/app", "/srv/app/lib"] {
            link_question(script, path);
        }
        link_question(script, &format!("/srv/app/lib/{file}"));
        script.stat(&format!("/srv/app/lib/{file}"), 10);
    }
    crate::trio::Trio {
        rule: 20,
        waste: |script| (0..12).for_each(|file| real_path(script, file)),
        count: 33,
        fixed: |script| real_path(script, 0),
        look_alikes: &[
            ("changed-between", |script| {
                for file in 0..12 {
                    real_path(script, file);
                    for path in ["/srv/x", "/srv/app/x", "/srv/app/lib/x", "/x"] {
                        let made =
                            script.open(&format!("{path}{file}"), CREATE | crate::open_flags::EXCLUSIVE);
                        script.close(made);
                    }
                }
            }),
            ("no-walk", |script| {
                for _ in 0..12 {
                    link_question(script, "/srv/current");
                    script.stat("/srv/app", 10);
                }
            }),
        ],
    }
};
