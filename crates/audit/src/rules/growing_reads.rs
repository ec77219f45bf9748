//! R32: reads that grow with what was read until the file ends, or equal ones into memory that grows with
//! them, as if nobody could know how long it is.

use crate::call_key::Amount;
use crate::cases::{Cases, Scene};
use crate::claims::{Claim, Claims};
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, OpenFile};
use fathom_events::FileAction;
use rustc_hash::FxHashMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(32),
    name: "no-size-hint",
    needs: "sizes and results of reads, mmap and mremap",
    guards: &[UNKNOWN_SIZE, FILLED, LET_GO],
    begin: |guards| {
        Box::new(GrowingReads {
            guards,
            files: Recent::default(),
            reading: FxHashMap::default(),
            growing: Cases::default(),
            gathering: Cases::default(),
        })
    },
};

const UNKNOWN_SIZE: Guard =
    Guard { name: "unknown-size", spares: "pipes, sockets and what the kernel makes up have no size" };
const FILLED: Guard = Guard {
    name: "not-filled",
    spares: "the reads brought less than was asked for: they did not outgrow their memory",
};

const LET_GO: Guard = Guard {
    name: "let-go",
    spares: "no memory grew along that would hold what was read so far: it takes piece after piece",
};

/// This many growths show it, or pieces that were gathered.
const HABIT: usize = 3;
/// What is asked for is at least this part of what was read: the buffer grows by a factor.
const PART: u64 = 8;
/// How often the memory that gathers them grew, at least.
const GROWTHS: usize = 2;
/// By so much a growing memory is larger than what is in it, at most.
const ROOM: u64 = 4;

const GROWING: Words = Words::cost(
    "file read into a buffer that grows with it and is copied each time",
    "ask fstat for the size first, reserve as much, and read once",
    "the program may read from what has no size as well, by the same code",
);

const GATHERING: Words = Words::cost(
    "file read piece by piece into a buffer that grows and is moved each time",
    "ask fstat for the size first, reserve as much, and read once (Files.readAllBytes, fs::read, readFile do)",
    "the memory that grew beside the reads may hold something else of that size",
);

#[derive(Debug)]
struct GrowingReads {
    guards: Guards,
    files: Recent<FileNumber, Growth>,
    /// What each thread read from last.
    reading: FxHashMap<u32, FileNumber>,
    growing: Cases,
    gathering: Cases,
}

#[derive(Debug, Default)]
struct Growth {
    asked: u64,
    /// Reads that asked for more than the one before, which had filled its room.
    growths: usize,
    was_filled: bool,
    /// The most that was ever asked for.
    most_asked: u64,
    /// What was read since the first of `calls`.
    bytes: u64,
    /// Where the last read ended.
    end: Option<u64>,
    is_told: bool,
    calls: Vec<Claim>,
    gathered: Gathered,
}

/// Reads that were filled, one after the other, and memory that grew between them.
#[derive(Debug, Default)]
struct Gathered {
    bytes: u64,
    reads: usize,
    growths: usize,
    /// How much the memory held that grew last.
    room_bytes: u64,
    /// What had been read when it did.
    grown_at: u64,
    calls: Claims,
    scene: Option<Scene>,
}

impl Rule for GrowingReads {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Read, Kind::Map, Kind::Remap, Kind::Exit, Kind::Close])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Read { bytes, offset: None, .. } if moment.is_ok() => self.read(moment, *bytes),
            FileAction::Map { descriptor: None, bytes, .. } | FileAction::Remap { bytes }
                if moment.is_ok() =>
            {
                self.grow(moment.thread(), *bytes);
            }
            FileAction::Exit { .. } => drop(self.reading.remove(&moment.thread())),
            FileAction::Close { .. } => {
                if let Some(file) = moment.file {
                    self.files.remove(&file.number);
                }
            }
            _ => {}
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&GROWING, &self.growing), (&GATHERING, &self.gathering)]
    }
}

impl GrowingReads {
    fn read(&mut self, moment: &Moment<'_>, asked: u64) {
        let Some(file) = moment.file.filter(|file| !moment.is_loaders && !file.is_loaders) else { return };
        if self.guards.spare(UNKNOWN_SIZE, moment.plain_file().is_none()) {
            return;
        }
        let growth = self.files.entry(file.number);
        if moment.bytes < asked {
            let gathered = std::mem::take(&mut growth.gathered);
            self.settle(&gathered, moment);
        } else if !growth.is_told {
            growth.gathered.add(moment);
            self.reading.insert(moment.thread(), file.number);
        }
        if moment.bytes > 0 {
            self.grown(moment, file, asked);
        }
    }

    fn grown(&mut self, moment: &Moment<'_>, file: &OpenFile, asked: u64) {
        let begin = file.position;
        let growth = self.files.entry(file.number);
        let is_next = growth.end.is_some() && growth.end == begin;
        let keeps_pace = is_next && asked * PART >= growth.bytes && 2 * asked >= growth.asked;
        if growth.asked > 0 && (!keeps_pace || self.guards.spare(FILLED, !growth.was_filled)) {
            // The room of one buffer comes and goes with what is left in it: what was asked for once is no growth.
            (growth.growths, growth.bytes) = (0, 0);
            growth.calls.clear();
        } else if growth.asked > 0 && asked > growth.most_asked {
            growth.growths += 1;
        }
        growth.asked = asked;
        growth.most_asked = growth.most_asked.max(asked);
        growth.end = begin.map(|begin| begin + moment.bytes);
        growth.was_filled = moment.bytes >= asked;
        growth.bytes += moment.bytes;
        growth.calls.push(moment.claim());
        if growth.growths >= HABIT && !growth.is_told {
            growth.is_told = true;
            growth.gathered = Gathered::default();
            // The last read is the one that stays.
            let spared = growth.calls.len() - 1;
            self.growing.claim(moment, &growth.calls[..spared]);
        }
        if growth.is_told || growth.calls.len() > 64 {
            growth.calls.clear();
        }
    }

    /// Memory of so many bytes is there, which may be to hold what this thread reads.
    fn grow(&mut self, thread: u32, bytes: u64) {
        let Some(file) = self.reading.get(&thread) else { return };
        let Some(Growth { gathered, asked, .. }) = self.files.get_mut(file) else { return };
        let is_new = gathered.bytes > gathered.grown_at && bytes > gathered.room_bytes;
        let fits = bytes >= gathered.bytes && bytes <= ROOM * (gathered.bytes + *asked);
        if is_new && !self.guards.spare(LET_GO, !fits) {
            gathered.growths += 1;
            gathered.grown_at = gathered.bytes;
            gathered.room_bytes = bytes;
        }
    }

    /// The file has ended.
    fn settle(&mut self, gathered: &Gathered, moment: &Moment<'_>) {
        let Gathered { bytes, reads, growths, room_bytes, ref calls, .. } = *gathered;
        let Some(scene) = gathered.scene.as_ref().filter(|_| reads >= HABIT) else { return };
        let is_let_go = growths < GROWTHS || room_bytes < bytes;
        let sums = calls.sums();
        let Some((key, _)) = sums.last_key_value().filter(|_| growths > 0) else { return };
        if !self.guards.spare(LET_GO, is_let_go) {
            self.gathering.claim_scene(scene, 1, calls, moment.world);
            self.gathering.replace(scene, &[(*key, Amount { calls: 1, bytes })]);
        }
    }
}

impl Gathered {
    fn add(&mut self, moment: &Moment<'_>) {
        self.bytes += moment.bytes;
        self.reads += 1;
        self.calls.push(moment.claim());
        if self.reads == HABIT {
            self.scene = Some(Scene::of(moment));
        }
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    use fathom_events::CallOutcome;
    fn grow(script: &mut Script, path: &str, is_filled: bool) {
        let file = script.open(path, READ);
        script.fstat(file, 992);
        for bytes in [32_u64, 64, 128, 256, 512] {
            script.read(file, bytes, if is_filled { i64::try_from(bytes).unwrap() } else { 10 });
        }
        script.close(file);
    }
    /// Reads pieces of 64 KiB to the end, with memory that grows by `room` after each.
    fn gather(script: &mut Script, path: &str, room: fn(u64) -> Option<u64>) {
        const PIECE: u64 = 65_536;
        let file = script.open(path, READ);
        for piece in 1..=8 {
            script.read(file, PIECE, 65_536);
            if let Some(bytes) = room(piece) {
                script.call("mremap", FileAction::Remap { bytes }, CallOutcome::Value(0x7f00_0000));
            }
        }
        script.read(file, PIECE, 0);
        script.close(file);
    }
    /// Twice what is there, whenever it is full.
    fn doubled(piece: u64) -> Option<u64> {
        piece.is_power_of_two().then_some(2 * piece * 65_536)
    }
    crate::trio::Trio {
        rule: 32,
        waste: |script| {
            (0..6).for_each(|_| grow(script, "/data/a", true));
            (0..4).for_each(|_| gather(script, "/data/b", doubled));
            // By a half, and by what an allocator rounds it to: what is asked for is what is new.
            for rooms in [[1024_u64, 512, 768, 1152, 1728, 2592], [512, 384, 512, 640, 1024, 1280]] {
                let file = script.open("/data/c", READ);
                for room in rooms {
                    script.read(file, room, i64::try_from(room).unwrap());
                }
                script.close(file);
            }
        },
        count: 6 + 4 + 2,
        fixed: |script| {
            let file = script.open("/data/a", READ);
            script.fstat(file, 992);
            script.read(file, 992, 992);
            script.close(file);
        },
        look_alikes: &[
            ("unknown-size", |script| grow(script, "/proc/self/maps", true)),
            ("not-filled", |script| grow(script, "/data/a", false)),
            ("unknown-size", |script| gather(script, "/proc/self/maps", doubled)),
            // Parses what it reads: what it keeps of it is smaller, or was there before.
            ("let-go", |script| gather(script, "/data/b", |piece| (piece == 3).then_some(135_168))),
            ("let-go", |script| gather(script, "/data/b", |_| Some(1 << 26))),
            ("", |script| gather(script, "/data/b", |_| None)),
            // Records all over the file, longer and longer.
            ("", |script| {
                let file = script.open("/data/c", READ);
                for (record, bytes) in [100_u64, 200, 300, 400, 500].into_iter().enumerate() {
                    let at = i64::try_from(record * 5_000).unwrap();
                    script.seek(file, at, fathom_events::Whence::Start, at);
                    script.read(file, bytes, i64::try_from(bytes).unwrap());
                }
                script.close(file);
            }),
            // One buffer, into which as much is read as has room beside the rest of a line.
            ("", |script| {
                let file = script.open("/data/log", READ);
                for rest in [0_u64, 70, 3, 90, 60, 40, 2, 80, 75, 30, 95, 50, 20, 1, 85, 9] {
                    script.read(file, 4096 - rest, i64::try_from(4096 - rest).unwrap());
                }
                script.close(file);
            }),
            // A head, then blocks: larger ones, but as large as it likes.
            ("", |script| {
                let file = script.open("/data/c", READ);
                for bytes in [16_u64, 4096, 4096, 4096, 8192, 8192] {
                    script.read(file, bytes, i64::try_from(bytes).unwrap());
                }
                script.close(file);
            }),
        ],
    }
};
