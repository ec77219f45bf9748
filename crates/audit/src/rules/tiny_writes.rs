//! R29: many small writes, one after the other.

use crate::cases::Cases;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::transfers::Transfers;
use crate::world::{FileNumber, OpenFile, World};
use fathom_events::{FileAction, FileKind};
use rustc_hash::FxHashMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(29),
    name: "tiny-writes",
    needs: "sizes and results of writes",
    guards: &[TERMINAL, APPENDS, ANSWERS, SYNCED, SCATTERED],
    begin: |guards| {
        Box::new(TinyWrites {
            guards,
            files: Recent::default(),
            heard: FxHashMap::default(),
            cases: Cases::default(),
        })
    },
};

const TERMINAL: Guard = Guard { name: "terminal", spares: "a person reads along" };
const APPENDS: Guard =
    Guard { name: "appends", spares: "a log with O_APPEND: each line goes out whole, whoever else writes" };
const ANSWERS: Guard =
    Guard { name: "answers", spares: "it hears from a peer between: each piece is an answer" };
const SYNCED: Guard = Guard { name: "synced", spares: "each piece is made to last before the next" };
const SCATTERED: Guard =
    Guard { name: "scattered", spares: "the pieces lie apart: one write cannot hold them" };

/// From this many writes on it is a habit.
const HABIT: u64 = 64;
/// The median of a tiny write's size, at most.
const TINY_BYTES: u64 = 512;
/// What a buffer writes at once.
const BUFFER_BYTES: u64 = 64 * 1024;

const WORDS: Words = Words::cost(
    "write() in many small pieces",
    "write through a buffer (BufWriter, BufferedOutputStream, setvbuf): 1 B costs about as much as 4 KiB",
    "a reader may wait for each piece, or the pieces may have to be there if the program dies; a path that nobody asked for its kind may lead to a pipe or a device",
);

#[derive(Debug)]
struct TinyWrites {
    guards: Guards,
    files: Recent<FileNumber, Writes>,
    /// The last event in which a process read from a pipe or a socket.
    heard: FxHashMap<u32, u64>,
    cases: Cases,
}

#[derive(Debug, Default)]
struct Writes {
    all: Transfers,
    tiny: u64,
    answers: u64,
    syncs: u64,
    last: u64,
    is_terminal: bool,
    is_appending: bool,
    /// Opened with `O_DSYNC` or `O_SYNC`: small writes through it are R69's.
    is_synced: bool,
}

impl Rule for TinyWrites {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Write, Kind::Read, Kind::Sync]).and_ends()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        match (moment.action(), moment.file) {
            (FileAction::Write { offset, .. }, Some(file))
                if moment.bytes > 0 && is_writable(moment, file) =>
            {
                let heard = self.heard.get(&moment.process()).copied().unwrap_or(0);
                self.files.entry(file.number).add(moment, file, *offset, heard);
            }
            (FileAction::Read { .. }, Some(file))
                if file.is_stream || matches!(file.kind, Some(FileKind::Pipe | FileKind::Socket)) =>
            {
                self.heard.insert(moment.process(), moment.when.number);
            }
            (FileAction::Sync { .. }, Some(file)) => {
                self.files.get_mut(&file.number).into_iter().for_each(|writes| writes.syncs += 1);
            }
            (FileAction::Exit { whole: true, .. }, _) => drop(self.heard.remove(&moment.process())),
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

impl TinyWrites {
    fn settle(&mut self, file: FileNumber, world: &World) {
        let Some(writes) = self.files.remove(&file) else { return };
        let all = &writes.all;
        let Some(scene) = all.scene.as_ref().filter(|_| writes.tiny * 2 > all.count) else { return };
        let often = |part: u64| part * 4 > all.count;
        let spared = self.guards.spare(TERMINAL, writes.is_terminal)
            || self.guards.spare(APPENDS, writes.is_appending)
            || self.guards.spare(ANSWERS, often(writes.answers))
            || self.guards.spare(SYNCED, writes.is_synced || often(writes.syncs))
            || self.guards.spare(SCATTERED, often(all.apart));
        if !spared {
            let needed = all.bytes.div_ceil(BUFFER_BYTES);
            self.cases.claim_scene(scene, all.count, &all.calls.less(needed), world);
        }
    }
}

impl Writes {
    fn add(&mut self, moment: &Moment<'_>, file: &OpenFile, offset: Option<u64>, heard: u64) {
        self.all.add(moment, offset, HABIT);
        self.all.count_call(moment);
        self.tiny += u64::from(moment.bytes <= TINY_BYTES);
        self.answers += u64::from(heard > self.last && self.last > 0);
        self.last = moment.when.number;
        self.is_terminal |= file.kind == Some(FileKind::Character);
        self.is_appending |= open_flags::has(file.flags, open_flags::APPEND);
        self.is_synced |= open_flags::has(file.flags, open_flags::DATA_SYNC);
    }
}

/// A file, a pipe, or a terminal; nothing whose kind nobody told.
fn is_writable(moment: &Moment<'_>, file: &OpenFile) -> bool {
    match file.kind {
        Some(FileKind::Pipe) => !moment.is_loaders,
        Some(FileKind::Character) => {
            file.place.is_none_or(|place| moment.world.places.path(place) != "/dev/null")
        }
        _ => moment.plain_file().is_some(),
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{BOTH, TRUNCATE, WRITE};
    use fathom_events::{CallOutcome, DescriptorKind};
    crate::trio::Trio {
        rule: 29,
        waste: |script| {
            let file = script.open("/data/out", TRUNCATE);
            (0..77).for_each(|_| script.write(file, 1));
            script.close(file);
        },
        count: 77,
        fixed: |script| {
            let file = script.open("/data/out", TRUNCATE);
            script.write(file, 77);
            script.close(file);
        },
        look_alikes: &[
            ("terminal", |script| {
                script.fstat_as(1, FileKind::Character, 0);
                (0..77).for_each(|_| script.write(1, 80));
            }),
            ("appends", |script| {
                let file = script.open("/data/log", WRITE | open_flags::APPEND);
                (0..77).for_each(|_| script.write(file, 80));
            }),
            ("answers", |script| {
                let made = [Some(40), Some(41)];
                let kind = DescriptorKind::Pipe;
                script.works("pipe2", FileAction::MakeDescriptors { kind, made, close_on_exec: true });
                for _ in 0..77 {
                    script.read(40, 4096, 10);
                    script.write(41, 10);
                }
            }),
            ("answers", |script| {
                let file = script.open("/data/fifo", crate::script::READ);
                let answers = script.open("/data/answers", WRITE);
                for _ in 0..77 {
                    script.read(file, 4096, 10);
                    script.write(answers, 10);
                }
            }),
            ("synced", |script| {
                let file = script.open("/data/journal", TRUNCATE);
                for _ in 0..77 {
                    script.write(file, 100);
                    script.sync(file);
                }
            }),
            ("synced", |script| {
                let file = script.open("/data/journal", TRUNCATE | open_flags::DATA_SYNC);
                (0..77).for_each(|_| script.write(file, 100));
            }),
            ("scattered", |script| {
                let file = script.open("/data/table", BOTH);
                for row in 0..77 {
                    let offset = Some(row * 7919 % 1000 * 4096);
                    let action = FileAction::Write { descriptor: file, bytes: 16, offset, pieces: 1 };
                    script.call("pwrite64", action, CallOutcome::Value(16));
                }
            }),
        ],
    }
};
