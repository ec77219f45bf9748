//! R76: a lock given back and taken again for every small record.

use crate::cases::{Cases, Scene};
use crate::claims::{Claim, Claims};
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::{Moment, When};
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, PlaceId, World};
use fathom_events::{ControlCommand, DescriptorKind, FileAction};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(76),
    name: "lock-per-record",
    needs: "flock and the locks of fcntl, writes",
    guards: &[SHARED, SERVES, BETWEEN, SYNCED, RARE, LARGE, FEW],
    begin: |guards| {
        Box::new(LockPerRecord {
            guards,
            runs: FxHashMap::default(),
            lockers: Recent::default(),
            batches: BTreeMap::new(),
            cases: Cases::default(),
        })
    },
};

const SHARED: Guard = Guard {
    name: "shared",
    spares: "another process of the run locks the file too, or another thread that opened it for itself, or the lock was refused: they take turns",
};
const SERVES: Guard = Guard {
    name: "serves",
    spares: "the process has a socket: each record may answer a request, which no call on a file shows",
};
const BETWEEN: Guard = Guard {
    name: "between",
    spares: "the thread did something else between two records, as to read the next: others are not to wait for that",
};
const SYNCED: Guard =
    Guard { name: "synced", spares: "each record is synced under its lock: it is to last by itself" };
const RARE: Guard = Guard { name: "rare", spares: "more than a second passed between two records" };
const LARGE: Guard = Guard { name: "large", spares: "more than 4096 bytes are written under each lock" };
const FEW: Guard = Guard { name: "few", spares: "fewer than 16 records in succession" };

/// From so many locks on that were taken again at once it is a habit.
const HABIT: u64 = 16;
/// A small record, in bytes.
const SMALL: u64 = 4096;
/// A second, in ns.
const GAP_NS: u64 = 1_000_000_000;

const WORDS: Words = Words::cost(
    "a lock is given back and taken again at once, for every small record written",
    "take the lock once for a batch of records that are at hand, write them together, and give it back",
    "programs outside the run may wait for the lock, or what no call on a file shows (a request, a timer) comes between two records",
)
.perhaps();

#[derive(Debug)]
struct LockPerRecord {
    guards: Guards,
    /// By thread.
    runs: FxHashMap<u32, Run>,
    /// Who locks a file: one, or several.
    lockers: Recent<PlaceId, Locker>,
    /// By process and file.
    batches: BTreeMap<(u32, PlaceId), Batch>,
    cases: Cases,
}

#[derive(Debug)]
struct Locker {
    process: u32,
    thread: u32,
    file: FileNumber,
    is_shared: bool,
}

/// Records of one thread, one after the other.
#[derive(Debug)]
struct Run {
    place: PlaceId,
    /// Locks are taken and given back by calls that look alike: the first takes it.
    is_held: bool,
    writes: u64,
    bytes: u64,
    /// What gave the lock back last, where a small record was written under it.
    given_back: Option<(When, Claim)>,
    /// What gave it back before, and the call that took it again at once.
    again: Option<[Claim; 2]>,
}

/// Locks that were given back and taken again at once.
#[derive(Debug, Default)]
struct Batch {
    count: u64,
    calls: Claims,
    scene: Option<Scene>,
    serves: bool,
}

impl Rule for LockPerRecord {
    fn wakes_at(&self) -> Interest {
        Interest::in_calls(&[Kind::Lock, Kind::Control])
    }

    fn remembers(&self) -> bool {
        !self.runs.is_empty()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Lock { .. } | FileAction::Control { command: ControlCommand::Lock, .. } => {
                self.locked(moment);
            }
            FileAction::Write { .. } => {
                if let Some(run) = self.runs.get_mut(&moment.thread()) {
                    run.writes += 1;
                    run.bytes += moment.bytes;
                }
            }
            FileAction::Sync { .. } if !self.guards.spare(SYNCED, true) => {}
            // What a library does to write: where is the end, how long is it?
            FileAction::Seek { .. }
            | FileAction::Stat { target: fathom_events::Target::Descriptor(_), .. }
                if self.runs.get(&moment.thread()).is_some_and(|run| run.is_held) => {}
            _ if self.guards.spare(BETWEEN, true) => drop(self.runs.remove(&moment.thread())),
            _ => {}
        }
    }

    fn finish(&mut self, world: &World) {
        for ((_, place), batch) in std::mem::take(&mut self.batches) {
            let Some(scene) = &batch.scene else { continue };
            let is_shared = self.lockers.get(&place).is_some_and(|locker| locker.is_shared);
            if !self.guards.spare(FEW, batch.count < HABIT)
                && !self.guards.spare(SHARED, is_shared)
                && !self.guards.spare(SERVES, batch.serves)
            {
                self.cases.claim_scene(scene, batch.count, &batch.calls, world);
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

impl LockPerRecord {
    fn locked(&mut self, moment: &Moment<'_>) {
        let thread = moment.thread();
        let Some((file, place)) = moment.plain_file().and_then(|file| Some((file.number, file.place?)))
        else {
            self.runs.remove(&thread);
            return;
        };
        let process = moment.process();
        let is_shared = !moment.is_ok();
        match self.lockers.get_mut(&place) {
            Some(locker) => {
                // A lock keeps nobody out who has the same open file: goroutines come by in any thread.
                let is_apart = locker.thread != thread && locker.file != file;
                locker.is_shared |= locker.process != process || is_apart || is_shared;
            }
            None => self.lockers.insert(place, Locker { process, thread, file, is_shared }),
        }
        let new = || Run { place, is_held: false, writes: 0, bytes: 0, given_back: None, again: None };
        let run = self.runs.entry(thread).or_insert_with(new);
        if run.place != place {
            *run = new();
        }
        if run.is_held {
            let is_record = run.writes > 0 && !self.guards.spare(LARGE, run.bytes > SMALL);
            run.is_held = false;
            run.given_back = is_record.then(|| (moment.when, moment.claim()));
            if let Some(again) = run.again.take().filter(|_| is_record) {
                self.batches.entry((moment.process(), place)).or_default().add(moment, again);
            }
        } else {
            // What is written without the lock does not need it.
            let is_at_once = |(when, _): &(When, Claim)| {
                run.writes == 0 && !self.guards.spare(RARE, when.is_apart(moment.when, GAP_NS))
            };
            let given_back = run.given_back.take().filter(is_at_once);
            run.again = given_back.map(|(_, given_back)| [given_back, moment.claim()]);
            run.is_held = true;
        }
        (run.writes, run.bytes) = (0, 0);
    }
}

impl Batch {
    fn add(&mut self, moment: &Moment<'_>, again: [Claim; 2]) {
        self.count += 1;
        for call in again {
            self.calls.push(call);
        }
        // A habit shows better in the middle, and by then it is known whom the process serves.
        if self.scene.is_none() || self.count == HABIT {
            self.scene = Some(Scene::of_program(moment));
            let mut files = moment.world.descriptors(moment.process());
            self.serves = files.any(|(_, _, file)| file.descriptor_kind == Some(DescriptorKind::Socket));
        }
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::open_flags::APPEND;
    use crate::script::{CREATE, READ, Script};
    fn lock(script: &mut Script, descriptor: i32) {
        script.works("flock", FileAction::Lock { descriptor });
    }
    fn record(script: &mut Script, file: i32, bytes: u64) {
        lock(script, file);
        script.write(file, bytes);
        lock(script, file);
    }
    crate::trio::Trio {
        rule: 76,
        waste: |script| {
            let journal = script.open("/data/journal", CREATE | APPEND);
            (0..21).for_each(|_| record(script, journal, 40));
            script.close(journal);
            // The lock is a file of its own, and a library looks for the end.
            script.act_as(200, 200);
            let (guard, table) = (script.open("/data/lock", CREATE), script.open("/data/table", CREATE));
            for row in 0..31 {
                // The scheduler of a runtime goes on in another thread.
                script.act_as(200, if row < 20 { 200 } else { 201 });
                script.control(guard, ControlCommand::Lock);
                script.seek(table, 0, fathom_events::Whence::End, row * 10);
                script.write(table, 10);
                script.control(guard, ControlCommand::Lock);
            }
        },
        count: 20 + 19 + 10,
        fixed: |script| {
            let journal = script.open("/data/journal", CREATE | APPEND);
            lock(script, journal);
            script.write(journal, 21 * 40);
            lock(script, journal);
        },
        look_alikes: &[
            ("shared", |script| {
                let journal = script.open("/data/journal", CREATE | APPEND);
                (0..21).for_each(|_| record(script, journal, 40));
                script.act_as(200, 200);
                let journal = script.open("/data/journal", CREATE | APPEND);
                record(script, journal, 40);
            }),
            // Somebody who is not seen has the lock.
            ("shared", |script| {
                let journal = script.open("/data/journal", CREATE | APPEND);
                script.fails("flock", FileAction::Lock { descriptor: journal }, 11);
                (0..21).for_each(|_| record(script, journal, 40));
            }),
            ("serves", |script| {
                let (kind, made) = (DescriptorKind::Socket, [Some(40), None]);
                script.works("socket", FileAction::MakeDescriptors { kind, made, close_on_exec: true });
                let journal = script.open("/data/journal", CREATE | APPEND);
                (0..21).for_each(|_| record(script, journal, 40));
            }),
            ("between", |script| {
                let input = script.open("/data/input", READ);
                let journal = script.open("/data/journal", CREATE | APPEND);
                for _ in 0..21 {
                    script.read(input, 100, 40);
                    record(script, journal, 40);
                }
            }),
            ("synced", |script| {
                let journal = script.open("/data/journal", CREATE | APPEND);
                for _ in 0..21 {
                    lock(script, journal);
                    script.write(journal, 40);
                    script.sync(journal);
                    lock(script, journal);
                }
            }),
            ("rare", |script| {
                let journal = script.open("/data/journal", CREATE | APPEND);
                for _ in 0..21 {
                    record(script, journal, 40);
                    script.wait_ms(1_500);
                }
            }),
            ("large", |script| {
                let journal = script.open("/data/journal", CREATE | APPEND);
                (0..21).for_each(|_| record(script, journal, 65_536));
            }),
            ("few", |script| {
                let journal = script.open("/data/journal", CREATE | APPEND);
                (0..10).for_each(|_| record(script, journal, 40));
            }),
            // It waits until nobody works, and writes without the lock.
            ("", |script| {
                let journal = script.open("/data/journal", CREATE | APPEND);
                for _ in 0..21 {
                    lock(script, journal);
                    lock(script, journal);
                    script.write(journal, 40);
                }
            }),
            // A data base locks by several steps.
            ("", |script| {
                let base = script.open("/data/base", CREATE);
                for _ in 0..21 {
                    (0..3).for_each(|_| script.control(base, ControlCommand::Lock));
                    script.write(base, 40);
                    (0..2).for_each(|_| script.control(base, ControlCommand::Lock));
                }
            }),
        ],
    }
};
