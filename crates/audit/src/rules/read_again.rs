//! R35: the same bytes of an open file, read again and again.

use crate::cases::{Cases, Scene};
use crate::claims::{Claim, Claims};
use crate::finding::RuleId;
use crate::habit::{Habits, Waiting};
use crate::interest::{Interest, Kind};
use crate::moment::{Moment, When};
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, World};
use fathom_events::{ControlCommand, FileAction, Whence};
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(35),
    name: "re-read-bytes",
    needs: "sizes, results and offsets of reads",
    guards: &[DIRECT, MEASURES, CHANGED, LOCKED, SEEKS_BACK, LONG_GAP, FEW],
    begin: |guards| {
        Box::new(ReadAgain {
            guards,
            files: Recent::default(),
            habits: Habits::default(),
            cases: Cases::default(),
        })
    },
};

const DIRECT: Guard = Guard {
    name: "direct",
    spares: "O_DIRECT: it means to read from the device, or keeps a cache of its own",
};
const MEASURES: Guard =
    Guard { name: "measures", spares: "a benchmark reads the same bytes again by design" };
const CHANGED: Guard = Guard { name: "changed-between", spares: "a traced program wrote the file between" };
const LOCKED: Guard = Guard {
    name: "locked",
    spares: "it took a lock between: others write the file, and it looks what they wrote",
};
const SEEKS_BACK: Guard = Guard {
    name: "seeks-back",
    spares: "a parser goes back within what it read last: its buffer was given up, not its plan",
};
const LONG_GAP: Guard = Guard { name: "long-gap", spares: "more than a second passed: it watches the file" };
const FEW: Guard =
    Guard { name: "few", spares: "less than 64 KiB and a handful of reads, in all files together" };

/// A second, in ns.
const GAP_NS: u64 = 1_000_000_000;
/// From this many bytes read again on it matters.
const MUCH_BYTES: u64 = 64 * 1024;
/// Or from this many reads in vain.
const HABIT: u64 = 3;
/// Of what was read, at least one of so many bytes is read again; a second pass makes it one of two.
const PART: u64 = 3;
/// Pieces that are kept of what was read; a file in more of them is read at random.
const PIECES: usize = 1024;

const WORDS: Words = Words::cost(
    "the same bytes of an open file read again, or a head before all of it",
    "keep what was read and go on from it, or map the file",
    "memory may be dearer than reading again; programs outside the trace may write the file between",
);

#[derive(Debug)]
struct ReadAgain {
    guards: Guards,
    files: Recent<FileNumber, Reads>,
    habits: Habits,
    cases: Cases,
}

#[expect(clippy::struct_excessive_bools, reason = "they are facts that do not depend on each other")]
#[derive(Debug, Default)]
struct Reads {
    /// Begin and end of what was read, apart from each other.
    pieces: BTreeMap<u64, u64>,
    is_scattered: bool,
    bytes: u64,
    new_bytes: u64,
    repeats: u64,
    /// Repeats after a step back into what was read last.
    back: u64,
    is_back: bool,
    last: (u64, u64),
    /// The first read, while it is the only one, and it began the file.
    head: Option<Claim>,
    /// The first read, when a longer one began there too.
    head_calls: Claims,
    when: When,
    is_direct: bool,
    measures: bool,
    calls: Claims,
    process: u32,
    scene: Option<Scene>,
}

impl Rule for ReadAgain {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Read, Kind::Seek, Kind::Control, Kind::Lock]).and_ends()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        if let Some(file) = moment.plain_file() {
            match moment.action() {
                FileAction::Read { offset, .. } if moment.bytes > 0 => {
                    let Some(begin) = offset.or(file.position) else { return };
                    let reads = self.files.entry(file.number);
                    let is_changed = file
                        .place
                        .is_some_and(|place| !moment.world.places.has_content_of(place, reads.when.number));
                    let is_later = reads.when.is_apart(moment.when, GAP_NS);
                    let is_first = reads.when.number == 0;
                    if !is_first
                        && (self.guards.spare(CHANGED, is_changed) || self.guards.spare(LONG_GAP, is_later))
                    {
                        reads.pieces.clear();
                    }
                    reads.is_direct |= open_flags::has(file.flags, open_flags::DIRECT);
                    reads.measures |= moment.is_measurers();
                    reads.add(moment, begin);
                }
                FileAction::Seek { whence: Whence::Start | Whence::Current, .. } => {
                    let Some(reads) = self.files.get_mut(&file.number) else { return };
                    let (begin, end) = reads.last;
                    // Back to the very beginning is no step of a parser.
                    let is_step = |to: u64| to > 0 && (begin..end).contains(&to);
                    reads.is_back = moment.value().is_some_and(is_step);
                }
                FileAction::Control { command: ControlCommand::Lock, .. } | FileAction::Lock { .. } => {
                    let Some(reads) = self.files.get_mut(&file.number) else { return };
                    if self.guards.spare(LOCKED, true) {
                        reads.pieces.clear();
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

impl ReadAgain {
    fn settle(&mut self, file: FileNumber, world: &World) {
        let Some(reads) = self.files.remove(&file) else { return };
        let again = reads.bytes - reads.new_bytes;
        // A head that was read before all of it: little, and a call in vain all the same.
        let is_much = again * PART >= reads.bytes || reads.head_calls.calls() > 0;
        let Some(scene) = reads.scene.filter(|_| is_much) else { return };
        if reads.is_scattered
            || self.guards.spare(DIRECT, reads.is_direct)
            || self.guards.spare(MEASURES, reads.measures)
            || self.guards.spare(SEEKS_BACK, reads.back * 2 > reads.repeats)
        {
            return;
        }
        let mut calls = reads.head_calls;
        calls.join(&reads.calls);
        let guards = self.guards;
        let is_little = |reads, bytes| guards.spare(FEW, bytes < MUCH_BYTES && reads < HABIT);
        let again = Waiting { scene, count: calls.calls(), bytes: again, calls };
        self.habits.add(reads.process, again, is_little, &mut self.cases, world);
    }
}

impl Reads {
    fn add(&mut self, moment: &Moment<'_>, begin: u64) {
        let end = begin + moment.bytes;
        let new = self.cover(begin, end);
        let head = self.head.take();
        if let Some(head) = head.filter(|_| begin <= self.last.0 && end > self.last.1) {
            self.head_calls.push(head);
            self.show(moment);
        }
        self.head = (self.bytes == 0).then(|| moment.claim());
        self.bytes += moment.bytes;
        self.new_bytes += new;
        if new == 0 {
            self.repeats += 1;
            self.back += u64::from(self.is_back);
            self.calls.push(moment.claim());
            self.show(moment);
        }
        (self.last, self.when, self.is_back) = ((begin, end), moment.when, false);
    }

    fn show(&mut self, moment: &Moment<'_>) {
        self.process = moment.process();
        self.scene.get_or_insert_with(|| Scene::of(moment));
    }

    /// Takes a piece in; tells how much of it is new.
    fn cover(&mut self, begin: u64, end: u64) -> u64 {
        let (mut from, mut to, mut known) = (begin, end, 0);
        let touching: Vec<(u64, u64)> = self
            .pieces
            .range(..=end)
            .rev()
            .take_while(|(_, piece_end)| **piece_end >= begin)
            .map(|(begin, end)| (*begin, *end))
            .collect();
        for (piece, piece_end) in touching {
            known += piece_end.min(end).saturating_sub(piece.max(begin));
            (from, to) = (from.min(piece), to.max(piece_end));
            self.pieces.remove(&piece);
        }
        if self.pieces.len() >= PIECES {
            self.is_scattered = true;
            self.pieces.clear();
        }
        self.pieces.insert(from, to);
        (end - begin).saturating_sub(known)
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    use fathom_events::CallOutcome;
    fn head_again(script: &mut Script, flags: u32, between: fn(&mut Script, i32)) {
        let file = script.open("/data/table", flags);
        for _ in 0..21 {
            script.read_at(file, 4096, 4096, 0);
            between(script, file);
        }
        script.close(file);
    }
    crate::trio::Trio {
        rule: 35,
        waste: |script| {
            head_again(script, READ, |_, _| {});
            let file = script.open("/data/large", READ);
            for pass in 0..4 {
                script.seek(file, 0, Whence::Start, 0);
                (0..4).for_each(|_| script.read(file, 131_072, 131_072));
                let _ = pass;
            }
            script.close(file);
            // Twice each, little and whole; and a head before the whole.
            for number in 0..3 {
                let file = script.open(&format!("/data/small/{number}"), READ);
                script.read(file, 8192, 900);
                script.seek(file, 0, Whence::Start, 0);
                script.read(file, 8192, 900);
                script.close(file);
                let file = script.open(&format!("/data/marked/{number}"), READ);
                script.read(file, 16, 16);
                script.seek(file, 0, Whence::Start, 0);
                script.read(file, 8192, 8192);
                script.close(file);
            }
        },
        count: 20 + 12 + 3 + 3,
        fixed: |script| {
            let file = script.open("/data/table", READ);
            (0..21).for_each(|block| script.read_at(file, 4096, 4096, block * 4096));
            script.close(file);
        },
        look_alikes: &[
            ("direct", |script| head_again(script, READ | open_flags::DIRECT, |_, _| {})),
            ("measures", |script| {
                script.load("/usr/bin/fio");
                head_again(script, READ, |_, _| {});
            }),
            ("changed-between", |script| {
                head_again(script, READ, |script, _| {
                    let writer = script.open("/data/table", crate::script::WRITE);
                    script.write(writer, 10);
                    script.close(writer);
                });
            }),
            ("locked", |script| {
                head_again(script, READ, |script, file| script.control(file, ControlCommand::Lock));
            }),
            ("seeks-back", |script| {
                let file = script.open("/data/records", READ);
                for record in 0..20_u64 {
                    let at = i64::try_from(record * 100).unwrap();
                    script.seek(file, at, Whence::Start, at);
                    script.read(file, 4096, 4096);
                    script.seek(file, at, Whence::Start, at);
                    script.read(file, 4000, 4000);
                }
            }),
            ("long-gap", |script| head_again(script, READ, |script, _| script.wait_ms(1_500))),
            ("few", |script| {
                let file = script.open("/data/table", READ);
                (0..3).for_each(|_| script.read_at(file, 4096, 4096, 0));
                script.close(file);
            }),
            ("", |script| {
                let file = script.open("/data/table", READ);
                for row in 0..3000_u64 {
                    let offset = Some(row * 7919 % 4096 * 8192);
                    let action = FileAction::Read { descriptor: file, bytes: 100, offset, pieces: 1 };
                    script.call("pread64", action, CallOutcome::Value(100));
                }
            }),
        ],
    }
};

#[cfg(test)]
mod tests {
    use super::Reads;

    #[test]
    fn what_is_new_is_what_no_piece_covers() {
        let mut reads = Reads::default();
        assert_eq!(reads.cover(0, 10), 10);
        assert_eq!(reads.cover(20, 30), 10);
        assert_eq!(reads.cover(5, 25), 10);
        assert_eq!(reads.cover(0, 30), 0);
        assert_eq!(reads.pieces.into_iter().collect::<Vec<_>>(), [(0, 30)]);
    }
}
