//! R28: many small reads, one after the other.

use crate::cases::{Cases, Scene};
use crate::claims::Claims;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::transfers::Transfers;
use crate::world::{FileNumber, OpenFile, World};
use fathom_events::{FileAction, FileKind};
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(28),
    name: "tiny-reads",
    needs: "sizes and results of reads",
    guards: &[ONE_BYTE_OF_PIPE, LITTLE_CAME, SCATTERED, DIRECT, DEVICE, STREAM],
    begin: |guards| {
        let (files, several) = (Recent::default(), BTreeMap::new());
        Box::new(TinyReads { guards, files, several, cases: Cases::default() })
    },
};

const ONE_BYTE_OF_PIPE: Guard = Guard {
    name: "one-byte-of-pipe",
    spares: "a shell may not take more from a pipe than its line: the rest is another's",
};
const LITTLE_CAME: Guard =
    Guard { name: "little-came", spares: "it asked for much; the writer gave little at a time" };
const SCATTERED: Guard =
    Guard { name: "scattered", spares: "the reads lie apart: a larger one would bring what is not wanted" };
const DIRECT: Guard = Guard { name: "direct", spares: "O_DIRECT: sizes are the program's own business" };
const DEVICE: Guard = Guard { name: "device", spares: "a device gives what it has" };
const STREAM: Guard = Guard {
    name: "stream",
    spares: "nobody told what it is, and it gave less than was asked for before it gave more: no regular file does",
};

/// From this many reads on it is a habit.
const HABIT: u64 = 64;
/// Small files are a habit from so many on, each read in so many pieces, with `HABIT` reads of all of them.
const FILES: u64 = 4;
const PIECES: u64 = 8;
/// The median of a tiny read's size, at most.
const TINY_BYTES: u64 = 512;
/// What a buffer reads at once.
const BUFFER_BYTES: u64 = 64 * 1024;

const WORDS: Words = Words::cost(
    "sequential read() in many small pieces",
    "read through a buffer (BufReader, BufferedInputStream, setvbuf): 64 KiB at once",
    "the program may have to see each piece before it decides to read the next; a path that nobody asked for its kind may lead to a pipe or a device",
);

#[derive(Debug)]
struct TinyReads {
    guards: Guards,
    files: Recent<FileNumber, Reads>,
    /// By process, files with too few reads to be a habit by themselves.
    several: BTreeMap<u32, SmallFiles>,
    cases: Cases,
}

/// Small files that were read in pieces, until it is known whether they are a habit.
#[derive(Debug, Default)]
struct SmallFiles {
    files: u64,
    reads: u64,
    kept: Vec<(Scene, u64, Claims)>,
}

#[expect(clippy::struct_excessive_bools, reason = "they are facts that do not depend on each other")]
#[derive(Debug, Default)]
struct Reads {
    process: u32,
    /// Where a small file was seen to be read in pieces.
    small_scene: Option<Scene>,
    is_regular: bool,
    all: Transfers,
    tiny_asked: u64,
    tiny_came: u64,
    is_one_byte_of_pipe: bool,
    is_direct: bool,
    is_device: bool,
    is_stream: bool,
}

impl Rule for TinyReads {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Read]).and_ends()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        if let (FileAction::Read { bytes, offset, .. }, Some(file)) = (moment.action(), moment.file)
            && !moment.is_loaders
            && !file.is_loaders
            && moment.is_ok()
            && moment.bytes > 0
            && is_readable(moment, file)
        {
            self.files.entry(file.number).add(moment, file, *bytes, *offset);
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

impl TinyReads {
    fn settle(&mut self, file: FileNumber, world: &World) {
        let Some(reads) = self.files.remove(&file) else { return };
        let all = &reads.all;
        let of_small = reads.small_scene.as_ref().filter(|_| reads.is_regular);
        let scene = all.scene.as_ref().or(of_small).filter(|_| reads.tiny_came * 2 > all.count);
        let Some(scene) = scene else { return };
        let spared = self.guards.spare(LITTLE_CAME, reads.tiny_asked * 2 <= all.count)
            || self.guards.spare(SCATTERED, all.apart * 4 > all.count)
            || self.guards.spare(ONE_BYTE_OF_PIPE, reads.is_one_byte_of_pipe)
            || self.guards.spare(DIRECT, reads.is_direct)
            || self.guards.spare(DEVICE, reads.is_device)
            || self.guards.spare(STREAM, reads.is_stream);
        if !spared {
            let calls = all.calls.less(all.bytes.div_ceil(BUFFER_BYTES));
            if all.scene.is_some() {
                self.cases.claim_scene(scene, all.count, &calls, world);
            } else {
                self.small(reads.process, (scene.clone(), all.count, calls), world);
            }
        }
    }
}

impl TinyReads {
    /// One more small file that was read in pieces.
    fn small(&mut self, process: u32, case: (Scene, u64, Claims), world: &World) {
        let several = self.several.entry(process).or_default();
        several.files += 1;
        several.reads += case.1;
        several.kept.push(case);
        if several.files >= FILES && several.reads >= HABIT {
            for (scene, count, calls) in several.kept.drain(..) {
                self.cases.claim_scene(&scene, count, &calls, world);
            }
        }
    }
}

impl Reads {
    fn add(&mut self, moment: &Moment<'_>, file: &OpenFile, asked: u64, offset: Option<u64>) {
        self.all.add(moment, offset, HABIT);
        self.all.count_call(moment);
        self.process = moment.process();
        self.is_regular = moment.plain_file().is_some();
        if self.all.count == PIECES {
            self.small_scene = Some(Scene::of(moment));
        }
        self.tiny_asked += u64::from(asked <= TINY_BYTES);
        self.tiny_came += u64::from(moment.bytes <= TINY_BYTES);
        self.is_one_byte_of_pipe |= file.kind == Some(FileKind::Pipe) && asked == 1;
        self.is_direct |= open_flags::has(file.flags, open_flags::DIRECT);
        self.is_stream |= file.is_stream && file.kind.is_none();
        self.is_device |= file.kind == Some(FileKind::Character);
    }
}

/// A file, a pipe, or a device that is not excluded for other reasons.
fn is_readable(moment: &Moment<'_>, file: &OpenFile) -> bool {
    match file.kind {
        Some(FileKind::Pipe) => true,
        Some(FileKind::Character) => file.place.is_some(),
        None if file.is_stream => file.place.is_some() && moment.is_judged(),
        _ => moment.plain_file().is_some(),
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    use fathom_events::DescriptorKind;
    fn pipe(script: &mut Script) {
        let made = [Some(40), Some(41)];
        script.works(
            "pipe2",
            FileAction::MakeDescriptors { kind: DescriptorKind::Pipe, made, close_on_exec: true },
        );
    }
    crate::trio::Trio {
        rule: 28,
        waste: |script| {
            let file = script.open("/data/a", READ);
            (0..100).for_each(|_| script.read(file, 4, 4));
            script.close(file);
            // The same of many small files.
            for number in 0..10 {
                let file = script.open(&format!("/data/small{number}"), READ);
                (0..9).for_each(|_| script.read(file, 1, 1));
                script.read(file, 1, 0);
                script.close(file);
            }
        },
        count: 190,
        fixed: |script| {
            let file = script.open("/data/a", READ);
            script.read(file, 65_536, 400);
            script.close(file);
        },
        look_alikes: &[
            // A small file, and headers of many.
            ("", |script| {
                let file = script.open("/data/small", READ);
                (0..60).for_each(|_| script.read(file, 1, 1));
                script.close(file);
                for number in 0..100 {
                    let file = script.open(&format!("/data/object{number}"), READ);
                    (0..3).for_each(|_| script.read(file, 16, 16));
                    script.close(file);
                }
            }),
            // What the kernel makes up, and lines of pipes.
            ("", |script| {
                for number in 0..30 {
                    let file = script.open(&format!("/proc/{number}/stat"), READ);
                    (0..9).for_each(|_| script.read(file, 1, 1));
                    script.close(file);
                    pipe(script);
                    (0..9).for_each(|_| script.read(40, 4, 4));
                    script.close(40);
                    script.close(41);
                }
            }),
            ("one-byte-of-pipe", |script| {
                pipe(script);
                (0..100).for_each(|_| script.read(40, 1, 1));
                script.close(40);
            }),
            ("little-came", |script| {
                pipe(script);
                (0..100).for_each(|_| script.read(40, 65_536, 12));
                script.close(40);
            }),
            ("scattered", |script| {
                let file = script.open("/data/table", READ);
                (0..100).for_each(|row| script.read_at(file, 16, 16, row * 7919 % 1000 * 4096));
                script.close(file);
            }),
            ("direct", |script| {
                let file = script.open("/data/a", READ | open_flags::DIRECT);
                (0..100).for_each(|_| script.read(file, 512, 512));
                script.close(file);
            }),
            ("stream", |script| {
                let file = script.open("/data/fifo", READ);
                (0..100).for_each(|_| script.read(file, 512, 30));
                script.close(file);
            }),
            ("device", |script| {
                let file = script.open("/dev/input/mouse", READ);
                script.fstat_as(file, FileKind::Character, 0);
                (0..100).for_each(|_| script.read(file, 24, 24));
                script.close(file);
            }),
        ],
    }
};
