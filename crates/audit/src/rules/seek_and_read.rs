//! R34: moving the position for one read or write, instead of giving the offset with it;
//! and two threads that do so on one open file.

use crate::cases::{Cases, Scene};
use crate::claims::{Claim, Claims};
use crate::finding::{RuleId, Severity};
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, World};
use fathom_events::{FileAction, Whence};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(34),
    name: "lseek-then-read",
    needs: "lseek, read and write",
    guards: &[POSITION_USED, FEW, FOR_OTHERS],
    begin: |guards| {
        Box::new(SeekAndRead {
            guards,
            files: Recent::default(),
            pairs: Cases::default(),
            races: Cases::default(),
        })
    },
};

const POSITION_USED: Guard =
    Guard { name: "position-used", spares: "reading goes on from there: the position is needed" };
const FEW: Guard = Guard { name: "few", spares: "a handful of moves in one file is no habit" };

const FOR_OTHERS: Guard = Guard {
    name: "for-others",
    spares: "a standard stream, or a file that other processes have too: the position tells them where to go on",
};

/// From this many pairs in one open file on it is a habit.
const HABIT: usize = 4;

const PAIRS: Words = Words::cost(
    "lseek() before each read() or write(): pread() or pwrite() does both",
    "give the offset with the call: pread, pwrite, FileExt::read_at, FileChannel.read(buffer, position)",
    "the position may be used afterwards by calls that were not seen",
);

const RACES: Words = Words::danger(
    Severity::High,
    "threads share a file offset: one called lseek() between another's lseek() and its read() or write()",
    "use pread and pwrite, or give each thread an open file of its own",
    "a lock around both calls would have kept them apart: then they could not interleave as they did here",
);

#[derive(Debug)]
struct SeekAndRead {
    guards: Guards,
    files: Recent<FileNumber, Moves>,
    pairs: Cases,
    races: Cases,
}

#[derive(Debug, Default)]
struct Moves {
    /// A move that waits for its read: by which thread, and the call.
    waiting: Option<(u32, Claim)>,
    /// A thread whose move another undid before its read. Threads that hand a file on in turn,
    /// as a runtime's do, never read there.
    undone: Option<u32>,
    /// A move with its read, of which the next call shows whether the position is used.
    pair: Option<Claim>,
    pairs: Vec<Claim>,
    scene: Option<Scene>,
    is_standard_stream: bool,
}

impl Moves {
    /// A thread moves the position: another's move that waits is undone. True when its own was.
    fn overtake(&mut self, thread: u32) -> bool {
        let was_undone = self.undone.take_if(|undone| *undone == thread).is_some();
        if let Some((other, _)) = self.waiting.take_if(|(other, _)| *other != thread) {
            self.undone = Some(other);
        }
        was_undone
    }
}

impl Rule for SeekAndRead {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Seek, Kind::Read, Kind::Write]).and_ends()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        if let Some(file) = moment.plain_file() {
            self.look(moment, file.number, file.position);
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
        vec![(&PAIRS, &self.pairs), (&RACES, &self.races)]
    }
}

impl SeekAndRead {
    fn look(&mut self, moment: &Moment<'_>, file: FileNumber, position: Option<u64>) {
        let thread = moment.thread();
        match moment.action() {
            FileAction::Seek { descriptor, whence: Whence::Start | Whence::Current, .. }
                if moment.is_ok() =>
            {
                let asks =
                    matches!(moment.action(), FileAction::Seek { offset: 0, whence: Whence::Current, .. });
                if asks {
                    return;
                }
                let moves = self.files.entry(file);
                moves.overtake(thread);
                moves.pairs.extend(moves.pair.take());
                // To go where it is already is another rule's.
                let goes = position.is_none() || position != moment.value();
                moves.waiting = goes.then(|| (thread, moment.claim()));
                moves.is_standard_stream |= (0..=2).contains(descriptor);
            }
            FileAction::Read { offset: None, .. } | FileAction::Write { offset: None, .. } => {
                let Some(moves) = self.files.get_mut(&file) else { return };
                let used = moves.pair.take();
                if let Some(used) = used.filter(|_| !self.guards.spare(POSITION_USED, true)) {
                    moves.pairs.push(used);
                }
                if moves.overtake(thread) {
                    self.races.add(moment, &[]);
                }
                moves.pair = moves.waiting.take().map(|(_, call)| call);
                if moves.pairs.len() >= 2 && moves.scene.is_none() {
                    moves.scene = Some(Scene::of(moment));
                }
            }
            _ => {}
        }
    }

    fn settle(&mut self, file: FileNumber, world: &World) {
        let Some(mut moves) = self.files.remove(&file) else { return };
        moves.pairs.extend(moves.pair.take());
        let is_others = world.file(file).is_some_and(|file| file.is_shared || file.is_inherited);
        if moves.pairs.is_empty()
            || self.guards.spare(FEW, moves.pairs.len() < HABIT)
            || self.guards.spare(FOR_OTHERS, is_others || moves.is_standard_stream)
        {
            return;
        }
        if let Some(scene) = moves.scene {
            let pairs: Claims = moves.pairs.into_iter().collect();
            self.pairs.claim_scene(&scene, pairs.calls(), &pairs, world);
        }
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    fn give_back(script: &mut Script, file: i32) {
        for line in 1..8 {
            script.read(file, 128, 128);
            script.seek(file, line * 20 - 128 - (line - 1) * 20, Whence::Current, line * 20);
        }
    }
    crate::trio::Trio {
        rule: 34,
        waste: |script| {
            let file = script.open("/data/table", READ);
            for row in [5, 3, 9, 1, 8, 2, 7] {
                script.seek(file, row * 4096, Whence::Start, row * 4096);
                script.read(file, 100, 100);
            }
            script.close(file);
        },
        count: 7,
        fixed: |script| {
            let file = script.open("/data/table", READ);
            for row in [5, 3, 9, 1, 8, 2, 7] {
                script.read_at(file, 100, 100, row * 4096);
            }
            script.close(file);
        },
        look_alikes: &[
            ("position-used", |script| {
                let file = script.open("/data/table", READ);
                for part in [5, 3, 9, 1, 8, 2, 7] {
                    script.seek(file, part * 65_536, Whence::Start, part * 65_536);
                    script.read(file, 4096, 4096);
                    script.read(file, 4096, 4096);
                }
                script.close(file);
            }),
            // A shell takes its line and gives the rest back.
            ("for-others", |script| {
                let file = script.open("/data/list", READ);
                script.duplicate(file, 0);
                script.close(file);
                give_back(script, 0);
            }),
            ("for-others", |script| {
                let file = script.open("/data/list", READ);
                give_back(script, file);
                script.fork(200);
            }),
            ("few", |script| {
                let file = script.open("/data/table", READ);
                for part in [5, 3, 9] {
                    script.seek(file, part * 65_536, Whence::Start, part * 65_536);
                    script.read(file, 4096, 4096);
                }
                script.close(file);
            }),
        ],
    }
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::{READ, Script};

    #[test]
    fn threads_that_interleave_on_one_position_are_a_race() {
        let mut script = Script::new();
        let file = script.open("/data/table", READ);
        script.seek(file, 4096, Whence::Start, 4096);
        script.act_as(100, 101);
        script.seek(file, 8192, Whence::Start, 8192);
        script.read(file, 100, 100);
        script.act_as(100, 100);
        script.read(file, 100, 100);
        let findings = script.findings(Guards::default());
        let race = findings.iter().find(|finding| finding.rule == RuleId(34)).expect("a race");
        assert_eq!((race.count, race.severity), (1, Severity::High));
    }

    #[test]
    fn threads_that_take_turns_are_no_race() {
        let mut script = Script::new();
        let file = script.open("/data/table", READ);
        for (mover, reader) in [(101, 102), (102, 103), (103, 103), (101, 103)] {
            script.act_as(100, mover);
            script.seek(file, 4096, Whence::Start, 4096);
            script.act_as(100, reader);
            script.read(file, 100, 100);
        }
        let findings = script.findings(Guards::default());
        assert!(findings.iter().all(|finding| finding.severity == Severity::Info), "{findings:#?}");
    }
}
