//! R53: every possible descriptor closed, whether it is open or not.

use crate::call_key::EBADF;
use crate::cases::{Cases, Scene};
use crate::claims::Claims;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::World;
use fathom_events::{ControlCommand, FileAction};
use rustc_hash::FxHashMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(53),
    name: "close-storm",
    needs: "close with its errno",
    guards: &[OPEN],
    begin: |guards| Box::new(CloseStorm { guards, runs: FxHashMap::default(), cases: Cases::default() }),
};

const OPEN: Guard =
    Guard { name: "open", spares: "most of the descriptors were open: they had to be closed" };

/// From this many in a row on it is a storm.
const HABIT: u64 = 32;

const WORDS: Words = Words::cost(
    "close() of descriptor numbers one by one, most of them not open",
    "close_range(3, ~0U, 0) does it in one call, CLOSE_RANGE_CLOEXEC before an exec; else list /proc/self/fd",
    "kernels before 5.9 have no close_range",
);

#[derive(Debug)]
struct CloseStorm {
    guards: Guards,
    runs: FxHashMap<u32, Run>,
    cases: Cases,
}

/// Descriptors in a row, closed or marked by one thread.
#[derive(Debug)]
struct Run {
    last: i32,
    count: u64,
    not_open: u64,
    calls: Claims,
    scene: Option<Scene>,
}

impl Rule for CloseStorm {
    fn wakes_at(&self) -> Interest {
        Interest::in_calls(&[Kind::Close, Kind::Control])
    }

    fn remembers(&self) -> bool {
        !self.runs.is_empty()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let number = match moment.action() {
            FileAction::Close { descriptor } => Some(*descriptor),
            FileAction::Control { descriptor, command: ControlCommand::SetDescriptorFlags { .. } } => {
                Some(*descriptor)
            }
            _ => None,
        };
        let thread = moment.thread();
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
        let new = || Run { last: number, count: 0, not_open: 0, calls: Claims::default(), scene: None };
        let run = self.runs.entry(thread).or_insert_with(new);
        run.last = number;
        run.count += 1;
        run.not_open += u64::from(moment.errno() == Some(EBADF));
        if moment.errno() == Some(EBADF) {
            run.calls.push(moment.claim());
        }
        if run.count == HABIT {
            run.scene = Some(Scene::at(moment, None));
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
        vec![(&WORDS, &self.cases)]
    }
}

impl CloseStorm {
    fn settle(&mut self, run: &Run, world: &World) {
        let Some(scene) = &run.scene else { return };
        if !self.guards.spare(OPEN, run.not_open * 2 <= run.count) {
            self.cases.claim_scene(scene, run.count, &run.calls, world);
        }
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::READ;
    crate::trio::Trio {
        rule: 53,
        waste: |script| {
            let file = script.open("/data/a", READ);
            script.close(file);
            (4..1024).for_each(|number| script.close_fails(number));
            script.execute("/bin/true");
        },
        count: 1021,
        fixed: |script| {
            script.open("/data/a", READ);
            script
                .works("close_range", FileAction::CloseRange { first: 3, last: u32::MAX, mark_only: false });
            script.execute("/bin/true");
        },
        look_alikes: &[
            ("open", |script| {
                let files: Vec<_> = (0..50).map(|_| script.open("/data/a", READ)).collect();
                for file in files {
                    script.close(file);
                }
            }),
            ("", |script| (3..30).for_each(|number| script.close_fails(number))),
        ],
    }
};
