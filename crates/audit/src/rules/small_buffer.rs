//! R30: a large file read from end to end through a small buffer.

use crate::cases::Cases;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::transfers::Transfers;
use crate::world::{FileNumber, World};
use fathom_events::FileAction;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(30),
    name: "small-buffer",
    needs: "sizes, results and offsets of reads",
    guards: &[SCATTERED, DIRECT, SMALL_FILE],
    begin: |guards| Box::new(SmallBuffer { guards, files: Recent::default(), cases: Cases::default() }),
};

const SCATTERED: Guard =
    Guard { name: "scattered", spares: "the reads lie apart: a larger one would bring what is not wanted" };
const DIRECT: Guard = Guard { name: "direct", spares: "O_DIRECT: sizes are the program's own business" };
const SMALL_FILE: Guard =
    Guard { name: "small-file", spares: "there is too little to read for it to matter" };

/// A small buffer; what is smaller still is another rule's.
const BUFFER_BYTES: std::ops::RangeInclusive<u64> = 513..=16 * 1024;
/// From this many bytes on it matters.
const LARGE_BYTES: u64 = 1 << 20;
/// The read that is shown.
const HABIT: u64 = 8;
/// What is better.
const BETTER_BYTES: u64 = 128 * 1024;

const WORDS: Words = Words::cost(
    "large file read through a small buffer",
    "read 64 to 256 KiB at once",
    "a program that computes long on each piece gains little: look at the share",
);

#[derive(Debug)]
struct SmallBuffer {
    guards: Guards,
    files: Recent<FileNumber, Reads>,
    cases: Cases,
}

#[derive(Debug, Default)]
struct Reads {
    all: Transfers,
    small: u64,
    is_direct: bool,
}

impl Rule for SmallBuffer {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Read]).and_ends()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        if let (FileAction::Read { bytes, offset, .. }, Some(file)) = (moment.action(), moment.plain_file())
            && moment.bytes > 0
        {
            let reads = self.files.entry(file.number);
            reads.all.add(moment, *offset, HABIT);
            reads.is_direct |= open_flags::has(file.flags, open_flags::DIRECT);
            if BUFFER_BYTES.contains(bytes) {
                reads.small += 1;
                reads.all.count_call(moment);
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

impl SmallBuffer {
    fn settle(&mut self, file: FileNumber, world: &World) {
        let Some(reads) = self.files.remove(&file) else { return };
        let all = &reads.all;
        let Some(scene) = all.scene.as_ref().filter(|_| reads.small * 2 > all.count) else { return };
        if self.guards.spare(SCATTERED, all.apart * 8 > all.count)
            || self.guards.spare(DIRECT, reads.is_direct)
            || self.guards.spare(SMALL_FILE, all.bytes < LARGE_BYTES)
        {
            return;
        }
        // A larger buffer makes one call of several.
        let mean = all.bytes / all.count.max(1);
        let needed = (all.calls.calls() * mean).div_ceil(BETTER_BYTES);
        self.cases.claim_scene(scene, reads.small, &all.calls.less(needed), world);
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    fn read_all(script: &mut Script, flags: u32, bytes: u64, times: u64) {
        let file = script.open("/data/large", flags);
        (0..times).for_each(|_| script.read(file, bytes, i64::try_from(bytes).unwrap()));
        script.close(file);
    }
    crate::trio::Trio {
        rule: 30,
        waste: |script| read_all(script, READ, 4096, 512),
        count: 512,
        fixed: |script| read_all(script, READ, 131_072, 16),
        look_alikes: &[
            ("scattered", |script| {
                let file = script.open("/data/large", READ);
                (0..512).for_each(|row| script.read_at(file, 4096, 4096, row * 7919 % 4096 * 4096));
                script.close(file);
            }),
            ("direct", |script| read_all(script, READ | open_flags::DIRECT, 4096, 512)),
            ("small-file", |script| read_all(script, READ, 4096, 20)),
        ],
    }
};
