//! R54: a descriptor closed twice.

use crate::call_key::{Amount, CallKey, EBADF};
use crate::cases::{Cases, Scene};
use crate::finding::{RuleId, Severity};
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::World;
use fathom_events::FileAction;
use rustc_hash::FxHashMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(54),
    name: "double-close",
    needs: "close with its errno",
    guards: &[STORM, NEVER_OPEN],
    begin: |guards| {
        Box::new(DoubleClose {
            guards,
            runs: FxHashMap::default(),
            cases: Cases::default(),
            harmless: Cases::default(),
        })
    },
};

const STORM: Guard = Guard { name: "storm", spares: "it closes every number in turn, open or not" };
const NEVER_OPEN: Guard =
    Guard { name: "never-open", spares: "the program did not close that number before" };

const WORDS: Words = Words::danger(
    Severity::High,
    "double close() of a descriptor, with threads or an open in between: it can close another file",
    "let one owner close it, and forget its number when it is closed",
    "a call that opened it again was not seen",
);

/// Without evidence of harm it is a call too many.
const HARMLESS: Words = Words::cost(
    "double close() of a descriptor (EBADF), nothing opened in between",
    "let one owner close it, and forget its number when it is closed",
    "a call that opened it again was not seen",
);

/// Neighbouring numbers closed in a row, from this many on, are a storm.
const STORM_CLOSES: u64 = 3;

#[derive(Debug)]
struct DoubleClose {
    guards: Guards,
    /// What each thread closes at the moment, number by number.
    runs: FxHashMap<u32, Run>,
    cases: Cases,
    harmless: Cases,
}

/// Closes of one thread with nothing between, each of a neighbour of the one before.
#[derive(Debug)]
struct Run {
    last: i32,
    count: u64,
    /// Those that may be second ones: a storm is known as one by its third.
    doubtful: Vec<Second>,
}

/// A close of a number that was closed before.
#[derive(Debug)]
struct Second {
    scene: Scene,
    avoidable: (CallKey, Amount),
    may_harm: bool,
}

impl Rule for DoubleClose {
    fn wakes_at(&self) -> Interest {
        Interest::in_calls(&[Kind::Close])
    }

    fn remembers(&self) -> bool {
        !self.runs.is_empty()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let thread = moment.thread();
        let number = match moment.action() {
            FileAction::Close { descriptor } => Some(*descriptor),
            _ => None,
        };
        if number.is_none() && self.runs.is_empty() {
            return;
        }
        let goes_on = |run: &Run| number.is_some_and(|number| (number - run.last).abs() == 1);
        if !self.runs.get(&thread).is_some_and(goes_on)
            && let Some(run) = self.runs.remove(&thread)
        {
            self.settle(&run, moment.world);
        }
        let Some(number) = number else { return };
        let run =
            self.runs.entry(thread).or_insert_with(|| Run { last: number, count: 0, doubtful: Vec::new() });
        run.last = number;
        run.count += 1;
        let was_open = moment.world.has_closed(thread, moment.process(), number);
        let is_doubtful = moment.errno() == Some(EBADF) && number >= 0;
        if is_doubtful
            && !self.guards.spare(NEVER_OPEN, !was_open)
            && !self.guards.spare(STORM, run.count >= STORM_CLOSES)
        {
            let may_harm = moment.world.second_close_may_harm(thread, moment.process(), number);
            run.doubtful.push(Second { scene: Scene::of(moment), avoidable: moment.avoidable(), may_harm });
        }
    }

    fn finish(&mut self, world: &World) {
        let mut runs: Vec<_> = std::mem::take(&mut self.runs).into_iter().collect();
        runs.sort_by_key(|(thread, _)| *thread);
        for (_, run) in runs {
            self.settle(&run, world);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases), (&HARMLESS, &self.harmless)]
    }
}

impl DoubleClose {
    fn settle(&mut self, run: &Run, world: &World) {
        if !self.guards.spare(STORM, run.count >= STORM_CLOSES) {
            for Second { scene, avoidable, may_harm } in &run.doubtful {
                let cases = if *may_harm { &mut self.cases } else { &mut self.harmless };
                cases.add_scene(scene, 1, &[*avoidable], world);
            }
        }
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::READ;
    crate::trio::Trio {
        rule: 54,
        waste: |script| {
            for _ in 0..3 {
                let file = script.open("/data/a", READ);
                script.close(file);
                script.close_fails(file);
            }
            let ends = [script.open("/data/a", READ), script.open("/data/b", READ)];
            for end in ends {
                script.close(end);
            }
            script.stat("/data/a", 10);
            for end in ends {
                script.close_fails(end);
            }
        },
        count: 5,
        fixed: |script| {
            let file = script.open("/data/a", READ);
            script.close(file);
        },
        look_alikes: &[
            ("storm", |script| {
                let files = [script.open("/data/a", READ), script.open("/data/b", READ)];
                for file in files {
                    script.close(file);
                }
                script.stat("/data/a", 10);
                script.close_fails(2);
                script.close_fails(3);
                script.close_fails(4);
            }),
            ("never-open", |script| script.close_fails(77)),
        ],
    }
};

#[cfg(test)]
mod tests {
    use crate::finding::{FindingClass, RuleId};
    use crate::rule::Guards;
    use crate::script::{READ, Script};

    fn class(program: impl FnOnce(&mut Script)) -> FindingClass {
        let mut script = Script::new();
        program(&mut script);
        let mut findings = script.findings(Guards::default());
        findings.retain(|finding| finding.rule == RuleId(54));
        assert_eq!(findings.len(), 1, "{findings:#?}");
        findings[0].class
    }

    #[test]
    fn a_double_close_is_a_danger_only_with_evidence_of_harm() {
        let alone = class(|script| {
            let file = script.open("/data/a", READ);
            script.close(file);
            script.stat("/data/b", 10);
            script.close_fails(file);
        });
        assert_eq!(alone, FindingClass::Cost, "as a shell does with its pipes");
        let placed = class(|script| {
            let [file, other] = [script.open("/data/a", READ), script.open("/data/b", READ)];
            script.close(file);
            script.duplicate(other, 1);
            script.close_fails(file);
        });
        assert_eq!(placed, FindingClass::Cost, "dup2 takes the number it is given, as a shell's child does");
        let opened = class(|script| {
            let [file, other] = [script.open("/data/a", READ), script.open("/data/b", READ)];
            script.close(file);
            let action =
                fathom_events::FileAction::Duplicate { descriptor: other, to: None, close_on_exec: false };
            script.call("dup", action, fathom_events::CallOutcome::Value(i64::from(other) + 5));
            script.close_fails(file);
        });
        assert_eq!(opened, FindingClass::Correctness);
        let threads = class(|script| {
            let file = script.open("/data/a", READ);
            script.start_thread(77);
            script.close(file);
            script.close_fails(file);
        });
        assert_eq!(threads, FindingClass::Correctness);
    }
}
