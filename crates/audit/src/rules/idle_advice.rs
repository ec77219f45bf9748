//! R42: advice on a file that does nothing, or that harms.

mod seen;

use crate::cases::{Cases, Scene};
use crate::claims::Claims;
use crate::finding::RuleId;
use crate::interest::Interest;
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, OpenFile, PlaceId, World};
use fathom_events::{Advice, FileAction, FileKind};
use seen::{Content, Ordered, Seen, has_nothing_to_read};
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(42),
    name: "fadvise-in-vain",
    needs: "fadvise64 with its arguments; what is mounted where, for file systems in memory",
    guards: &[FEW, ON_DISK, BEFORE, REAL_ADVICE, SYNCED, OWN, TO_END, NEWS, READ, ORDER, MEASURES],
    begin: |guards| {
        Box::new(IdleAdvice {
            guards,
            files: Recent::default(),
            places: Recent::default(),
            idle: BTreeMap::new(),
            idle_cases: Cases::default(),
            late: Cases::default(),
            none: Cases::default(),
            dirty: Cases::default(),
            shared: Cases::default(),
            endless: Cases::default(),
            unread: Cases::default(),
            disorder: Cases::default(),
            whole: BTreeMap::new(),
            whole_cases: Cases::default(),
        })
    },
};

const FEW: Guard =
    Guard { name: "few", spares: "a call or two in vain: finding out whether they help would cost more" };
const ON_DISK: Guard = Guard { name: "on-disk", spares: "the file system heeds advice" };
const BEFORE: Guard = Guard { name: "before", spares: "the advice came before the reading it is about" };
const REAL_ADVICE: Guard = Guard { name: "real-advice", spares: "the number is an advice that there is" };
const SYNCED: Guard =
    Guard { name: "synced", spares: "what was written had reached the device: the pages can go" };
const OWN: Guard = Guard { name: "own", spares: "no other traced program has the file open" };
const TO_END: Guard =
    Guard { name: "to-end", spares: "the length is 0, which means to the end, or a true one" };
const NEWS: Guard = Guard { name: "news", spares: "the open file was given other advice, or none, before" };
const READ: Guard = Guard { name: "read", spares: "a traced program read or wrote what is dropped" };
const ORDER: Guard = Guard { name: "order", spares: "the file is read as the advice says" };
const MEASURES: Guard =
    Guard { name: "measures", spares: "a benchmark drops what it did not read, to begin cold" };

/// From this many calls in vain on it is a habit.
const HABIT: u64 = 16;
/// Lengths from here on are meant as "all of it": `OFF_T_MAX` less a page.
const ENDLESS: u64 = i64::MAX as u64 - 4096;
/// So many reads after advice on their order show which it is.
const ORDERED_READS: u64 = 16;

const IDLE: Words = Words::cost(
    "posix_fadvise() without effect: on a pipe, on a file in memory, or said before of the same open file",
    "give advice only on files of a disk, once for each open file",
    "another kernel may heed it",
);

/// What it was to bring does not come: that is not in the price of the call.
const LATE: Words = Words::cost(
    "posix_fadvise() without effect: what it is about was read already, or cannot be read: a directory, an empty file, one open for writing alone",
    "give advice before the first read, on a file that has something to read",
    "the file may be read once more",
);

const NONE: Words = Words::cost(
    "posix_fadvise() with an invalid advice (EINVAL): advice is a number, not a set of bits",
    "make one call for each: SEQUENTIAL, then WILLNEED; their OR is another advice or none",
    "a kernel yet to come may know that number",
);

const DIRTY: Words = Words::cost(
    "POSIX_FADV_DONTNEED on pages not yet written out: they stay, and the call may wait for the device",
    "sync_file_range or fdatasync first, then POSIX_FADV_DONTNEED, or leave the pages alone",
    "writing back may be all that was wanted of the call",
);

const SHARED: Words = Words::cost(
    "POSIX_FADV_DONTNEED on a file that another program has open: it reads from the device again",
    "drop only what this program alone brought in (mincore or cachestat before reading), or read with RWF_DONTCACHE",
    "the other program may be done with the file",
);

const ENDLESS_WORDS: Words = Words::cost(
    "posix_fadvise() with the largest length instead of 0",
    "give 0 for the length: it means to the end, whatever the size",
    "both reach to the end, but offset and length together may overflow",
)
.certain();

const UNREAD: Words = Words::cost(
    "POSIX_FADV_DONTNEED on what the program did not read: there is nothing of its own to drop, and other programs lose their cache",
    "drop only what this program brought in, after reading it, or do not drop",
    "the cache may be meant to be empty, for a measurement",
);

const DISORDER: Words = Words::cost(
    "a file read in another order than the advice said: SEQUENTIAL reads twice as far ahead what nobody wants, RANDOM reads nothing ahead",
    "give the advice that holds (POSIX_FADV_RANDOM for lookups), or none",
    "where the file is in memory already, the order costs nothing",
);

const WHOLE: Words = Words::cost(
    "posix_fadvise() on small files, each taken whole by the next read: there is nothing to read ahead",
    "drop the advice for files that one read takes; give WILLNEED well before the read, or not at all",
    "a larger file would profit",
);

#[derive(Debug)]
struct IdleAdvice {
    guards: Guards,
    files: Recent<FileNumber, Seen>,
    places: Recent<PlaceId, Content>,
    idle: BTreeMap<u32, Idle>,
    idle_cases: Cases,
    late: Cases,
    none: Cases,
    dirty: Cases,
    shared: Cases,
    endless: Cases,
    unread: Cases,
    disorder: Cases,
    /// By process: advice on files that the next read took whole.
    whole: BTreeMap<u32, Idle>,
    whole_cases: Cases,
}

#[derive(Debug, Default)]
struct Idle {
    count: u64,
    calls: Claims,
    scene: Option<Scene>,
}

impl Rule for IdleAdvice {
    fn interest(&self) -> Interest {
        Interest::by_descriptor().and_ends()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.file.filter(|_| !moment.is_loaders) else { return };
        if moment.is_ok() || matches!(moment.action(), FileAction::Advise { .. }) {
            self.follow(moment, file);
        }
        for file in moment.ended {
            let Some(seen) = self.files.remove(file) else { continue };
            if let Some(early) = seen.early.filter(|early| early.is_whole) {
                let whole = self.whole.entry(moment.process()).or_default();
                whole.count += early.calls.calls();
                whole.calls.join(&early.calls);
                whole.scene.get_or_insert(early.scene);
            }
            if let Some(order) = seen.order {
                self.ordered(&order, moment.world);
            }
        }
    }

    fn finish(&mut self, world: &World) {
        let all = [(&mut self.idle, &mut self.idle_cases), (&mut self.whole, &mut self.whole_cases)];
        for (by_process, cases) in all {
            for idle in std::mem::take(by_process).into_values() {
                let Some(scene) = &idle.scene else { continue };
                if !self.guards.spare(FEW, idle.count < HABIT) {
                    cases.claim_scene(scene, idle.count, &idle.calls, world);
                }
            }
        }
        for file in self.files.keys() {
            if let Some(order) = self.files.remove(&file).and_then(|seen| seen.order) {
                self.ordered(&order, world);
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![
            (&IDLE, &self.idle_cases),
            (&LATE, &self.late),
            (&NONE, &self.none),
            (&DIRTY, &self.dirty),
            (&SHARED, &self.shared),
            (&ENDLESS_WORDS, &self.endless),
            (&UNREAD, &self.unread),
            (&DISORDER, &self.disorder),
            (&WHOLE, &self.whole_cases),
        ]
    }
}

impl IdleAdvice {
    fn follow(&mut self, moment: &Moment<'_>, file: &OpenFile) {
        let seen = self.files.entry(file.number);
        let mut nobody = Content::default();
        let content = file.place.map_or(&mut nobody, |place| self.places.entry(place));
        match moment.action() {
            FileAction::Read { bytes, offset, .. } => {
                content.is_read |= moment.bytes > 0;
                seen.read_early(moment, *bytes, offset.or(file.position));
                seen.read(moment.bytes, *bytes, offset.or(file.position));
            }
            FileAction::Map { .. } | FileAction::Copy { .. } => {
                content.is_read = true;
                seen.early = None;
            }
            FileAction::Write { .. } => (content.is_written, content.is_dirty) = (true, true),
            FileAction::Sync { .. } => content.is_dirty &= !self.guards.spare(SYNCED, true),
            FileAction::Seek { .. } => seen.is_at_end = false,
            FileAction::List { .. } => {
                if let Some((scene, count)) = seen.unclear.take() {
                    self.late.add_scene(&scene, count, &[], moment.world);
                }
            }
            FileAction::Advise { advice, offset, bytes, .. } => {
                self.advised(moment, *advice, *offset, *bytes);
            }
            _ => {}
        }
    }

    fn advised(&mut self, moment: &Moment<'_>, advice: Advice, offset: u64, bytes: u64) {
        let Some(file) = moment.file else { return };
        let is_real = !matches!(advice, Advice::Other(_));
        if !self.guards.spare(REAL_ADVICE, is_real) && !moment.is_ok() {
            self.none.claim(moment, &[moment.claim()]);
            return;
        }
        let drops = advice == Advice::DontNeed;
        let mount = file.place.and_then(|place| moment.world.places.mount(place));
        let is_pipe = matches!(file.kind, Some(FileKind::Pipe | FileKind::Socket));
        let is_nowhere = is_pipe || mount.is_some_and(fathom_events::Mount::is_in_memory);
        if !self.guards.spare(ON_DISK, !is_nowhere) {
            // Which file system it is the program does not know.
            let idle = self.idle.entry(moment.process()).or_default();
            idle.count += 1;
            idle.calls.push(moment.claim());
            idle.scene.get_or_insert_with(|| Scene::of(moment));
            return;
        }
        if !moment.is_ok() || !moment.is_judged() {
            return;
        }
        let seen = self.files.entry(file.number);
        let is_ordering = matches!(advice, Advice::Sequential | Advice::Random);
        let is_known = seen.order.as_ref().is_some_and(|order| order.advice == advice);
        let is_before = drops || !seen.has_read(file, advice, offset, bytes);
        let is_repeated = !self.guards.spare(NEWS, !is_known);
        let is_late = !self.guards.spare(BEFORE, is_before);
        if is_late || has_nothing_to_read(moment, file, is_ordering) {
            self.late.add(moment, &[]);
            return;
        }
        if is_repeated {
            self.idle_cases.claim(moment, &[moment.claim()]);
            return;
        }
        let mut before = None;
        if is_ordering || advice == Advice::Normal {
            let scene = Scene::of(moment);
            before = seen.order.replace(Ordered { advice, reads: 0, apart: 0, next: None, scene });
        }
        if file.kind.is_none() {
            seen.unclear.get_or_insert_with(|| (Scene::of(moment), 0)).1 += 1;
        }
        if let Some(before) = before {
            self.ordered(&before, moment.world);
        }
        if moment.plain_file().is_none() {
            return;
        }
        if is_ordering && advice != Advice::Random || advice == Advice::WillNeed {
            self.files.entry(file.number).advised_early(moment);
        }
        if drops {
            self.dropped(moment, file);
        }
        if !self.guards.spare(TO_END, bytes < ENDLESS) {
            self.endless.add(moment, &[]);
        }
    }

    fn dropped(&mut self, moment: &Moment<'_>, file: &OpenFile) {
        let Some(content) = file.place.map(|place| self.places.entry(place)) else { return };
        let is_used = content.is_read || content.is_written;
        if content.is_dirty {
            self.dirty.add(moment, &[]);
        } else if !self.guards.spare(READ, is_used) && !self.guards.spare(MEASURES, moment.is_measurers()) {
            self.unread.add(moment, &[]);
        } else if !self.guards.spare(OWN, !is_open_elsewhere(moment)) {
            self.shared.add(moment, &[]);
        }
    }

    /// No reads come any more of which advice told the order.
    fn ordered(&mut self, order: &Ordered, world: &World) {
        let is_as_told = match order.advice {
            Advice::Sequential => order.apart * 4 < order.reads * 3,
            Advice::Random => order.apart * 4 > order.reads,
            _ => true,
        };
        if order.reads >= ORDERED_READS && !self.guards.spare(ORDER, is_as_told) {
            self.disorder.add_scene(&order.scene, 1, &[], world);
        }
    }
}

/// True when another traced process has a file of the same place open.
fn is_open_elsewhere(moment: &Moment<'_>) -> bool {
    let Some(file) = moment.file.filter(|file| file.place.is_some()) else { return false };
    let others = moment.world.living().filter(|process| *process != moment.process());
    let mut open = others.flat_map(|process| moment.world.descriptors(process));
    open.any(|(_, _, other)| other.place == file.place && other.number != file.number)
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, READ, Script};
    fn advise(script: &mut Script, descriptor: i32, advice: Advice, bytes: u64) {
        script.works("fadvise64", FileAction::Advise { descriptor, offset: 0, bytes, advice });
    }
    fn read_in_order(script: &mut Script, advice: Advice, next: fn(u64) -> u64) {
        let file = script.open("/data/table", READ);
        advise(script, file, advice, 0);
        (0..20).for_each(|read| script.read_at(file, 4096, 4096, next(read) * 4096));
        script.close(file);
    }
    fn drop_unread(script: &mut Script, is_read: bool) {
        let file = script.open("/data/cold", READ);
        if is_read {
            script.read(file, 4096, 4096);
        }
        advise(script, file, Advice::DontNeed, 0);
        script.close(file);
    }
    fn read_files(script: &mut Script, folder: &str, times: usize, is_late: bool) {
        for file in 0..times {
            let file = script.open(&format!("{folder}/{file}"), READ);
            if !is_late {
                advise(script, file, Advice::Sequential, 0);
            }
            script.read(file, 4096, 4096);
            script.read(file, 4096, 100);
            if is_late {
                advise(script, file, Advice::WillNeed, 0);
            }
            script.close(file);
        }
    }
    fn read_small(script: &mut Script, files: usize) {
        for file in 0..files {
            let file = script.open(&format!("/data/small/{file}"), READ);
            advise(script, file, Advice::Sequential, 0);
            advise(script, file, Advice::WillNeed, 0);
            // As an interpreter does.
            script.is_terminal(file);
            script.fstat(file, 100);
            script.seek(file, 0, fathom_events::Whence::Current, 0);
            script.read(file, 511, 100);
            script.close(file);
        }
    }
    /// A read of the exact size takes the file, whose end no read meets.
    fn read_exactly(script: &mut Script, files: usize) {
        for file in 0..files {
            let file = script.open(&format!("/data/notes/{file}"), READ);
            script.fstat(file, 100);
            advise(script, file, Advice::WillNeed, 100);
            script.read(file, 100, 100);
            script.close(file);
        }
    }
    fn write_and_drop(script: &mut Script, is_synced: bool) {
        let file = script.open("/data/out", CREATE);
        script.write(file, 4096);
        if is_synced {
            script.sync(file);
        }
        advise(script, file, Advice::DontNeed, 0);
        script.close(file);
    }
    crate::trio::Trio {
        rule: 42,
        waste: |script| {
            script.mount("/shm", "tmpfs", "rw");
            read_files(script, "/shm", 20, false);
            read_files(script, "/data", 17, true);
            write_and_drop(script, false);
            let file = script.open("/data/a", READ);
            let advice = Advice::Other(7);
            let action = FileAction::Advise { descriptor: file, offset: 0, bytes: 0, advice };
            script.fails("fadvise64", action, crate::call_key::EINVAL);
            advise(script, file, Advice::Sequential, i64::MAX.unsigned_abs());
            script.close(file);
            script.fork(200);
            script.act_as(200, 200);
            script.open("/data/shared", READ);
            script.act_as(100, 100);
            let file = script.open("/data/shared", READ);
            script.read(file, 4096, 4096);
            advise(script, file, Advice::DontNeed, 0);
            drop_unread(script, false);
            read_in_order(script, Advice::Sequential, |read| read * 7 % 20);
            read_in_order(script, Advice::Random, |read| read);
            // Of a directory, an empty file, one that is only written, and what was said before.
            let folder = script.open("/data/folder", READ);
            advise(script, folder, Advice::WillNeed, 0);
            let action = FileAction::List { descriptor: folder, entries: Some(5), undecided: Some(0) };
            script.call("getdents64", action, fathom_events::CallOutcome::Value(160));
            let empty = script.open("/data/empty", READ);
            script.fstat(empty, 0);
            advise(script, empty, Advice::WillNeed, 0);
            let out = script.open("/data/written", CREATE);
            advise(script, out, Advice::Sequential, 0);
            let file = script.open("/data/again", READ);
            (0..3).for_each(|_| advise(script, file, Advice::Sequential, 0));
            // Of files that one read takes.
            read_small(script, 10);
            script.act_as(700, 700);
            read_exactly(script, 16);
        },
        count: 20 + 37 + 1 + 1 + 1 + 1 + 1 + 2 + 3 + 2 + 16,
        fixed: |script| {
            read_files(script, "/data", 20, false);
            write_and_drop(script, true);
        },
        look_alikes: &[
            ("few", |script| {
                script.mount("/shm", "tmpfs", "rw");
                read_files(script, "/shm", 3, false);
            }),
            ("few", |script| read_small(script, 4)),
            ("on-disk", |script| {
                script.mount("/data", "ext4", "rw");
                read_files(script, "/data", 20, false);
            }),
            ("before", |script| read_files(script, "/data", 20, false)),
            ("real-advice", |script| {
                let file = script.open("/data/a", READ);
                let action =
                    FileAction::Advise { descriptor: file, offset: 0, bytes: 0, advice: Advice::WillNeed };
                script.fails("fadvise64", action, 9);
            }),
            ("synced", |script| write_and_drop(script, true)),
            ("news", |script| {
                let file = script.open("/data/a", READ);
                advise(script, file, Advice::Sequential, 0);
                advise(script, file, Advice::WillNeed, 0);
                advise(script, file, Advice::Random, 0);
                advise(script, file, Advice::Sequential, 0);
            }),
            ("read", |script| drop_unread(script, true)),
            ("measures", |script| {
                script.load("/usr/bin/fio");
                drop_unread(script, false);
            }),
            ("order", |script| read_in_order(script, Advice::Sequential, |read| read)),
            ("order", |script| read_in_order(script, Advice::Random, |read| read * 7 % 20)),
            // What is read between two reads elsewhere is not read yet.
            ("before", |script| {
                let file = script.open("/data/a", READ);
                script.read_at(file, 4096, 4096, 0);
                script.read_at(file, 4096, 4096, 1 << 20);
                let action = FileAction::Advise {
                    descriptor: file,
                    offset: 4096,
                    bytes: 8192,
                    advice: Advice::WillNeed,
                };
                script.works("fadvise64", action);
            }),
            ("own", |script| {
                let file = script.open("/data/shared", READ);
                script.read(file, 4096, 4096);
                advise(script, file, Advice::DontNeed, 0);
            }),
            ("to-end", |script| {
                let file = script.open("/data/a", READ);
                advise(script, file, Advice::Sequential, 1 << 20);
            }),
        ],
    }
};
