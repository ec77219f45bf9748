//! R20: the same directories asked one by one whether they are links.

use crate::call_key::EINVAL;
use crate::cases::Cases;
use crate::claims::{Claim, Claims};
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::PlaceId;
use fathom_events::{FileAction, Target};
use rustc_hash::FxHashMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(20),
    name: "realpath-storm",
    needs: "paths of lstat and readlink",
    guards: &[CHANGED, NO_WALK],
    begin: |guards| {
        let steps = Steps { guards, known: Recent::default(), cases: Cases::default() };
        Box::new(RealPaths { walks: FxHashMap::default(), steps })
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
    /// The walk of each thread, as far as it got.
    walks: FxHashMap<u32, Walk>,
    steps: Steps,
}

/// What walks were made of.
#[derive(Debug)]
struct Steps {
    guards: Guards,
    known: Recent<(u32, PlaceId), Step>,
    cases: Cases,
}

/// Directories asked one below the other, each by a call.
#[derive(Debug, Default)]
struct Walk {
    steps: Vec<(PlaceId, Claim)>,
    stack: Option<u32>,
}

#[derive(Debug, Default)]
struct Step {
    at: u64,
    count: usize,
    calls: Claims,
}

impl Rule for RealPaths {
    fn wakes_at(&self) -> Interest {
        Interest::in_calls(&[Kind::Stat]).if_ok().or(Interest::in_calls(&[Kind::ReadLink]).unless_ok())
    }

    fn remembers(&self) -> bool {
        !self.walks.is_empty()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let thread = moment.thread();
        let is_step = match moment.action() {
            FileAction::ReadLink { .. } => moment.errno() == Some(EINVAL),
            FileAction::Stat { target: Target::Path { follow: false, .. }, .. } => moment.is_ok(),
            _ => false,
        };
        let Some(place) = moment.judged_place().filter(|_| is_step) else {
            if let Some(walk) = self.walks.remove(&thread) {
                self.steps.walked(moment, &walk);
            }
            return;
        };
        let walk = self.walks.entry(thread).or_default();
        let above = walk.steps.last().map(|(above, _)| *above);
        if above.is_none() || moment.world.places.parent(place) != above {
            self.steps.walked(moment, walk);
            // Most walks are of one step: the room for it is used again.
            walk.steps.clear();
            walk.stack = None;
        }
        walk.stack = walk.stack.or(moment.event.stack.map(|stack| stack.0));
        walk.steps.push((place, moment.claim()));
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.steps.cases)]
    }
}

impl Steps {
    /// A walk is over: what it led to was asked for its own sake, the directories above were not.
    fn walked(&mut self, moment: &Moment<'_>, walk: &Walk) {
        let Some(((led_to, last), above)) = walk.steps.split_last() else { return };
        for (place, call) in above {
            self.step(moment, (*place, *led_to), walk.stack, *call);
        }
        if above.is_empty() && !self.guards.spare(NO_WALK, true) {
            self.step(moment, (*led_to, *led_to), walk.stack, *last);
        }
    }

    fn step(
        &mut self,
        moment: &Moment<'_>,
        (place, led_to): (PlaceId, PlaceId),
        stack: Option<u32>,
        call: Claim,
    ) {
        let step = self.known.entry((moment.process(), place));
        let is_changed = step.count > 0 && !moment.world.places.is_unchanged_since(place, step.at);
        if self.guards.spare(CHANGED, is_changed) {
            *step = Step::default();
        }
        step.count += 1;
        step.at = call.number;
        if step.count > 1 {
            step.calls.push(call);
        }
        if step.count >= HABIT {
            let calls = std::mem::take(&mut step.calls);
            self.cases.claim_ended(moment, (place, led_to), stack, &calls);
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

#[cfg(test)]
mod tests {
    use crate::finding::Owner;
    use crate::rule::Guards;
    use crate::script::Script;
    use fathom_events::FileAction;

    /// Owner and count of walks to files below a directory, by Ruby.
    fn walks_of_ruby(directories: &[&str]) -> Vec<(Owner, u64)> {
        let mut script = Script::new();
        script.load("/usr/bin/ruby3.1");
        for file in 0..20 {
            for directory in directories {
                let below = format!("{directory}/{file}");
                for (end, _) in below.match_indices('/').skip(1).chain([(below.len(), "")]) {
                    let target = script.target(&below[..end]);
                    script.fails("readlink", FileAction::ReadLink { target, to: None }, 22);
                }
                script.stat(&format!("{below}/x"), 10);
            }
        }
        let found = script.findings(Guards::default());
        let of_rule = found.iter().filter(|finding| finding.rule.0 == 20);
        let mut told: Vec<_> = of_rule.map(|finding| (finding.owner, finding.count)).collect();
        told.sort_unstable();
        told
    }

    #[test]
    fn whose_a_walk_is_follows_from_where_it_leads() {
        assert_eq!(walks_of_ruby(&["/usr/lib/ruby"]), [(Owner::Runtime, 57)], "/usr and /usr/lib too");
        assert_eq!(walks_of_ruby(&["/usr/share/doc"]), [(Owner::Yours, 57)]);
    }
}
