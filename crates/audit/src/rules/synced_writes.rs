//! R69: small writes through `O_SYNC` or `O_DSYNC`, each of which waits for the device.

use crate::cases::Cases;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::{Moment, When};
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::transfers::Transfers;
use crate::world::{FileNumber, World};
use fathom_events::{FileAction, FileKind};
use rustc_hash::FxHashMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(69),
    name: "small-synced-writes",
    needs: "flags of open, sizes of writes",
    guards: &[ACKNOWLEDGED, SCATTERED, LARGE, SLOW, FEW],
    begin: |guards| {
        Box::new(SyncedWrites {
            guards,
            files: Recent::default(),
            talked: FxHashMap::default(),
            cases: Cases::default(),
        })
    },
};

const ACKNOWLEDGED: Guard = Guard {
    name: "acknowledged",
    spares: "the process talks to a peer or a person between the writes: each record may be promised to last",
};
const SCATTERED: Guard = Guard {
    name: "scattered",
    spares: "the writes are not adjacent: a database may depend on the order in which they reach the device",
};
const LARGE: Guard = Guard {
    name: "large",
    spares: "most of the writes are larger than a page: moving the data is what costs",
};
const SLOW: Guard = Guard { name: "slow", spares: "less than five writes in a second" };
const FEW: Guard = Guard { name: "few", spares: "less than 16 writes" };

/// From this many writes on it is a habit.
const HABIT: u64 = 16;
/// The write that is shown.
const SHOWN: u64 = 4;
/// A small write's size, at most.
const SMALL_BYTES: u64 = 4096;
/// What a buffer writes at once.
const BUFFER_BYTES: u64 = 64 * 1024;
/// Five in a second: the ns between two.
const APART_NS: u64 = 200_000_000;

const WORDS: Words = Words::cost(
    "small writes with O_SYNC or O_DSYNC, each of which waits for the device",
    "gather the records and write them in one call, or write without the flag and call fdatasync() once where the data has to last",
    "each record may be promised to last before the next is written; the wait is priced as an fdatasync of one dirty page",
);

#[derive(Debug)]
struct SyncedWrites {
    guards: Guards,
    files: Recent<FileNumber, Writes>,
    /// The last event in which a process talked to somebody.
    talked: FxHashMap<u32, u64>,
    cases: Cases,
}

#[derive(Debug, Default)]
struct Writes {
    all: Transfers,
    small: u64,
    acknowledged: u64,
    first: When,
    last: When,
}

impl Rule for SyncedWrites {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Write, Kind::Read]).and_ends()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        match (moment.action(), moment.file) {
            (FileAction::Write { offset, .. }, Some(file))
                if moment.bytes > 0
                    && open_flags::has(file.flags, open_flags::DATA_SYNC)
                    && moment.plain_file().is_some() =>
            {
                let talked = self.talked.get(&moment.process()).copied().unwrap_or(0);
                self.files.entry(file.number).add(moment, *offset, talked);
            }
            (FileAction::Read { .. } | FileAction::Write { .. }, Some(file))
                if file.is_stream
                    || !matches!(file.kind, None | Some(FileKind::Regular))
                    || file.place.is_none() =>
            {
                self.talked.insert(moment.process(), moment.when.number);
            }
            (FileAction::Exit { whole: true, .. }, _) => drop(self.talked.remove(&moment.process())),
            _ => {}
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

impl SyncedWrites {
    fn settle(&mut self, file: FileNumber, world: &World) {
        let Some(writes) = self.files.remove(&file) else { return };
        let all = &writes.all;
        let Some(scene) = &all.scene else { return };
        let often = |part: u64| part * 4 > all.count;
        let is_slow = writes.first.is_apart(writes.last, APART_NS * all.count.saturating_sub(1));
        let spared = self.guards.spare(FEW, all.count < HABIT)
            || self.guards.spare(LARGE, writes.small * 2 <= all.count)
            || self.guards.spare(SCATTERED, often(all.apart))
            || self.guards.spare(ACKNOWLEDGED, often(writes.acknowledged))
            || self.guards.spare(SLOW, is_slow);
        if !spared {
            let needed = all.bytes.div_ceil(BUFFER_BYTES);
            self.cases.claim_scene(scene, all.count, &all.calls.less(needed), world);
        }
    }
}

impl Writes {
    fn add(&mut self, moment: &Moment<'_>, offset: Option<u64>, talked: u64) {
        // Where the file is appended to, one write begins where the one before ended.
        let is_appended = moment.file.is_some_and(|file| open_flags::has(file.flags, open_flags::APPEND));
        self.acknowledged += u64::from(talked > self.last.number && self.all.count > 0);
        if self.all.count == 0 {
            self.first = moment.when;
        }
        self.last = moment.when;
        self.small += u64::from(moment.bytes <= SMALL_BYTES);
        let apart = self.all.apart;
        self.all.add(moment, offset, SHOWN);
        if is_appended {
            self.all.apart = apart;
        }
        self.all.count_call(moment);
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script, TRUNCATE, WRITE};
    use fathom_events::CallOutcome;
    const SYNCED: u32 = TRUNCATE | open_flags::DATA_SYNC;
    fn write_all(script: &mut Script, count: usize, bytes: u64) {
        let file = script.open("/data/out", SYNCED);
        (0..count).for_each(|_| script.write(file, bytes));
        script.close(file);
    }
    crate::trio::Trio {
        rule: 69,
        waste: |script| {
            write_all(script, 40, 100);
            let log = script.open("/data/log", WRITE | open_flags::APPEND | 0x10_1000);
            (0..17).for_each(|_| script.write(log, 100));
            script.close(log);
        },
        count: 57,
        fixed: |script| write_all(script, 1, 4000),
        look_alikes: &[
            ("acknowledged", |script| {
                script.fstat_as(1, FileKind::Pipe, 0);
                let file = script.open("/data/out", SYNCED);
                for _ in 0..40 {
                    script.write(file, 100);
                    script.write(1, 3);
                }
            }),
            ("scattered", |script| {
                let file = script.open("/data/table", SYNCED);
                for row in 0..40 {
                    let offset = Some(row * 7919 % 1000 * 4096);
                    let action = FileAction::Write { descriptor: file, bytes: 16, offset, pieces: 1 };
                    script.call("pwrite64", action, CallOutcome::Value(16));
                }
            }),
            ("large", |script| write_all(script, 40, 1 << 20)),
            ("slow", |script| {
                let file = script.open("/data/out", SYNCED);
                for _ in 0..40 {
                    script.write(file, 100);
                    script.wait_ms(500);
                }
                script.close(file);
            }),
            ("few", |script| write_all(script, 9, 100)),
            ("", |script| {
                let file = script.open("/data/out", TRUNCATE);
                (0..40).for_each(|_| script.write(file, 100));
                let other = script.open("/data/in", READ);
                (0..40).for_each(|_| script.read(other, 100, 100));
            }),
        ],
    }
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Severity;
    use crate::script::Script;

    #[test]
    fn a_write_that_waits_weighs_as_much_as_a_sync() {
        let mut script = Script::new();
        (TRIO.waste)(&mut script);
        let found = script.findings_of(RuleId(69), Guards::default());
        assert_eq!(found.iter().map(|one| one.severity).collect::<Vec<_>>(), [Severity::High]);
        assert!(found[0].avoidable.iter().all(|call| call.flags == "O_DSYNC"), "{found:#?}");
    }
}
