//! R38: many small reads here and there in one file that would fit into memory.

use crate::cases::Cases;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::transfers::Transfers;
use crate::world::{FileNumber, World};
use fathom_events::{ControlCommand, FileAction};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(38),
    name: "scattered-small-reads",
    needs: "sizes and offsets of reads, and the file's size by a stat",
    guards: &[IN_ORDER, LARGE, CUT, NETWORK, DIRECT, MEASURES],
    begin: |guards| Box::new(ScatteredReads { guards, files: Recent::default(), cases: Cases::default() }),
};

const IN_ORDER: Guard = Guard {
    name: "in-order",
    spares: "the reads follow each other, with a gap of 4096 bytes at most, or begin again within the one before: a buffer is the cure",
};
const LARGE: Guard =
    Guard { name: "large", spares: "the file is large: mapping it costs address space and faults" };
const CUT: Guard = Guard {
    name: "truncatable",
    spares: "the file is written, locked, or a log: a mapping of a file that is cut kills the program (R39)",
};
const NETWORK: Guard = Guard {
    name: "network",
    spares: "a mapping of a network file system fails by a signal, not by an error",
};
const DIRECT: Guard = Guard { name: "direct", spares: "O_DIRECT: sizes are the program's own business" };
const MEASURES: Guard = Guard { name: "measures", spares: "a benchmark reads so by design" };

/// From this many small reads on it is a habit.
const HABIT: u64 = 32;
/// What a small read asks for, at most.
const SMALL_BYTES: u64 = 4096;
/// A file below this fits.
const LARGE_BYTES: u64 = 64 << 20;

const WORDS: Words = Words::cost(
    "file that fits into memory read in many small scattered pieces",
    "map the file, or read it whole once, and look things up in memory",
    "another program may cut the file: then a mapping kills the program where a read returns less",
);

#[derive(Debug)]
struct ScatteredReads {
    guards: Guards,
    files: Recent<FileNumber, Reads>,
    cases: Cases,
}

#[expect(clippy::struct_excessive_bools, reason = "they are facts that do not depend on each other")]
#[derive(Debug, Default)]
struct Reads {
    all: Transfers,
    small: u64,
    /// Begin and end of the last one.
    last: Option<(u64, u64)>,
    /// Those that begin within the one before (it read on and went back) or close behind it.
    near: u64,
    size_bytes: Option<u64>,
    may_be_cut: bool,
    is_remote: bool,
    is_direct: bool,
    measures: bool,
}

impl Rule for ScatteredReads {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Read, Kind::Control, Kind::Lock]).and_ends()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        if let Some(file) = moment.plain_file() {
            match moment.action() {
                FileAction::Read { bytes, offset, .. } if moment.bytes > 0 => {
                    let reads = self.files.entry(file.number);
                    reads.all.add(moment, *offset, HABIT);
                    let begin = offset.or(file.position);
                    let is_near = |(first, end): (u64, u64)| {
                        begin.is_some_and(|begin| first < begin && begin != end && begin <= end + SMALL_BYTES)
                    };
                    reads.near += u64::from(reads.last.is_some_and(is_near));
                    reads.last = begin.map(|begin| (begin, begin + moment.bytes));
                    if *bytes <= SMALL_BYTES {
                        reads.small += 1;
                        reads.all.count_call(moment);
                    }
                    let place = file.place.map(|place| (place, moment.world.places.get(place)));
                    reads.size_bytes = file.size_bytes.or(place.and_then(|(_, at)| at.size_bytes));
                    let mount = file.place.and_then(|place| moment.world.places.mount(place));
                    reads.is_remote |= mount.is_some_and(fathom_events::Mount::is_network);
                    let is_log = place.is_some_and(|(place, _)| is_log(moment.world.places.name(place)));
                    let is_written = place.is_some_and(|(_, at)| at.changed_at > file.opened_at);
                    reads.may_be_cut |= open_flags::can_write(file.flags) || is_log || is_written;
                    reads.is_direct |= open_flags::has(file.flags, open_flags::DIRECT);
                    reads.measures |= moment.is_measurers();
                }
                FileAction::Control { command: ControlCommand::Lock, .. } | FileAction::Lock { .. } => {
                    self.files.entry(file.number).may_be_cut = true;
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

impl ScatteredReads {
    fn settle(&mut self, file: FileNumber, world: &World) {
        let Some(reads) = self.files.remove(&file) else { return };
        let all = &reads.all;
        let (Some(scene), Some(size)) = (all.scene.as_ref(), reads.size_bytes) else { return };
        if reads.small < HABIT
            || self.guards.spare(IN_ORDER, all.apart.saturating_sub(reads.near) * 2 <= all.count)
            || self.guards.spare(LARGE, size >= LARGE_BYTES)
            || self.guards.spare(CUT, reads.may_be_cut)
            || self.guards.spare(NETWORK, reads.is_remote)
            || self.guards.spare(DIRECT, reads.is_direct)
            || self.guards.spare(MEASURES, reads.measures)
        {
            return;
        }
        self.cases.claim_scene(scene, reads.small, &all.calls.less(1), world);
    }
}

fn is_log(name: &str) -> bool {
    name.split(['.', '-', '_']).any(|part| part == "log")
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{BOTH, READ, Script};
    fn look_up(script: &mut Script, path: &str, flags: u32, size_bytes: u64) {
        let file = script.open(path, flags);
        script.fstat(file, size_bytes);
        (0..40).for_each(|row| script.read_at(file, 64, 64, row * 7919 % 1000 * 1000));
        script.close(file);
    }
    crate::trio::Trio {
        rule: 38,
        waste: |script| look_up(script, "/data/index", READ, 1 << 20),
        count: 40,
        fixed: |script| {
            let file = script.open("/data/index", READ);
            script.fstat(file, 1 << 20);
            script.read(file, 1 << 20, 1 << 20);
            script.close(file);
        },
        look_alikes: &[
            ("in-order", |script| {
                let file = script.open("/data/index", READ);
                script.fstat(file, 1 << 20);
                (0..40).for_each(|_| script.read(file, 64, 64));
                script.close(file);
                // The members of an archive, each behind its head.
                let file = script.open("/data/archive", READ);
                script.fstat(file, 1 << 20);
                (0..40).for_each(|member| script.read_at(file, 64, 64, member * 800));
                script.close(file);
                let file = script.open("/data/lines", READ);
                script.fstat(file, 1 << 20);
                (0..40).for_each(|line| script.read_at(file, 4096, 4096, line * 10));
                script.close(file);
            }),
            ("large", |script| look_up(script, "/data/index", READ, 1 << 30)),
            ("truncatable", |script| look_up(script, "/data/index", BOTH, 1 << 20)),
            ("network", |script| {
                script.mount("/net", "nfs4", "rw");
                look_up(script, "/net/index", READ, 1 << 20);
            }),
            ("direct", |script| look_up(script, "/data/index", READ | open_flags::DIRECT, 1 << 20)),
            ("measures", |script| {
                script.load("/usr/bin/fio");
                look_up(script, "/data/index", READ, 1 << 20);
            }),
        ],
    }
};
