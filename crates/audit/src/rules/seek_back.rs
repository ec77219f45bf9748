//! R36: more read than was wanted, and the position set back by half of it or more.

use crate::cases::{Cases, Scene};
use crate::claims::{Claim, Claims};
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, World};
use fathom_events::{FileAction, Whence};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(36),
    name: "over-read-then-seek-back",
    needs: "lseek and read with their results",
    guards: &[FEW, INHERITED, LITTLE],
    begin: |guards| Box::new(SeekBack { guards, files: Recent::default(), cases: Cases::default() }),
};

const FEW: Guard = Guard { name: "few", spares: "a step or two back in one file" };
const INHERITED: Guard = Guard {
    name: "inherited",
    spares: "the position is shared with whoever gave the file: what was not used is given back",
};
const LITTLE: Guard =
    Guard { name: "little", spares: "less than half of what was read is given up, or it goes back further" };

/// From this many steps back in one open file on it is a habit.
const HABIT: u64 = 4;

const WORDS: Words = Words::cost(
    "read ahead, then lseek() back by half of it or more and read again",
    "read pieces of the size that is used (setvbuf), or keep the rest: a stream that seeks gives up its buffer",
    "the next read may have begun elsewhere for good reason",
);

#[derive(Debug)]
struct SeekBack {
    guards: Guards,
    files: Recent<FileNumber, Steps>,
    cases: Cases,
}

#[derive(Debug, Default)]
struct Steps {
    /// Begin and end of the last read, where nothing came after it.
    last: Option<(u64, u64)>,
    /// A step back behind which nothing was read or written yet, and to where.
    step: Option<(u64, Claim, Option<Scene>)>,
    count: u64,
    calls: Claims,
    is_inherited: bool,
    scene: Option<Scene>,
}

impl Rule for SeekBack {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Read, Kind::Seek, Kind::Write]).and_ends()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        if let Some(file) = moment.plain_file() {
            match moment.action() {
                FileAction::Read { offset: None, .. } if moment.bytes > 0 => {
                    let end = file.position.map(|begin| begin + moment.bytes);
                    let steps = self.files.entry(file.number);
                    steps.last = file.position.zip(end);
                    steps.is_inherited |= file.is_inherited || file.is_shared;
                    // Who writes there next read all that it wanted.
                    if let Some((_, call, scene)) = steps.step.take() {
                        steps.count += 1;
                        steps.calls.push(call);
                        steps.scene = steps.scene.take().or(scene);
                    }
                }
                FileAction::Seek { whence: Whence::Start | Whence::Current, .. } if moment.is_ok() => {
                    let Some(steps) = self.files.get_mut(&file.number) else { return };
                    // A shell asks once more where it stands.
                    steps.step = steps.step.take().filter(|(to, ..)| moment.value() == Some(*to));
                    let Some((begin, end)) = steps.last.take() else { return };
                    let to = moment.value().unwrap_or(end);
                    let is_back = to < end && to >= begin;
                    let is_little = (end - to.min(end)) * 2 < end - begin;
                    if to < end && !self.guards.spare(LITTLE, !is_back || is_little) {
                        let scene = steps.scene.is_none().then(|| Scene::of(moment));
                        steps.step = Some((to, moment.claim(), scene));
                    }
                }
                FileAction::Write { .. } => {
                    if let Some(steps) = self.files.get_mut(&file.number) {
                        (steps.last, steps.step) = (None, None);
                    }
                }
                _ => {}
            }
        }
        for file in moment.ended {
            self.settle(*file, moment.world);
        }
    }

    fn finish(&mut self, world: &World) {
        for file in self.files.keys() {
            self.settle(file, world);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

impl SeekBack {
    fn settle(&mut self, file: FileNumber, world: &World) {
        let Some(steps) = self.files.remove(&file) else { return };
        let Some(scene) = &steps.scene else { return };
        if !self.guards.spare(FEW, steps.count < HABIT) && !self.guards.spare(INHERITED, steps.is_inherited) {
            self.cases.claim_scene(scene, steps.count, &steps.calls, world);
        }
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{BOTH, READ, Script};
    fn step_back(script: &mut Script, file: i32, times: i64, used: i64) {
        for record in 0..times {
            script.read(file, 4096, 4096);
            script.seek(file, used - 4096, Whence::Current, (record + 1) * used);
            script.seek(file, 0, Whence::Current, (record + 1) * used);
        }
    }
    crate::trio::Trio {
        rule: 36,
        waste: |script| {
            let file = script.open("/data/records", READ);
            step_back(script, file, 9, 100);
            script.read(file, 4096, 4096);
            script.close(file);
        },
        count: 9,
        fixed: |script| {
            let file = script.open("/data/records", READ);
            (0..9).for_each(|_| script.read(file, 100, 100));
            script.close(file);
        },
        look_alikes: &[
            ("few", |script| {
                let file = script.open("/data/records", READ);
                step_back(script, file, 2, 100);
                script.close(file);
            }),
            // It writes where it read: others wrote it between.
            ("", |script| {
                let file = script.open("/data/counter", BOTH);
                for _ in 0..9 {
                    script.seek(file, 0, Whence::Start, 0);
                    script.read(file, 32, 3);
                    script.seek(file, 0, Whence::Start, 0);
                    script.write(file, 3);
                }
                script.close(file);
            }),
            ("inherited", |script| {
                script.seek(0, 0, Whence::Current, 0);
                script.fstat(0, 100_000);
                step_back(script, 0, 9, 100);
            }),
            ("little", |script| {
                let file = script.open("/data/records", READ);
                step_back(script, file, 9, 4000);
                script.close(file);
            }),
        ],
    }
};
