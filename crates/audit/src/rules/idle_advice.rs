//! R42: advice on a file that does nothing, or that harms.

use crate::cases::{Cases, Scene};
use crate::claims::Claims;
use crate::finding::RuleId;
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, World};
use fathom_events::{Advice, FileAction, FileKind};
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(42),
    name: "fadvise-in-vain",
    needs: "fadvise64 with its arguments; what is mounted where, for file systems in memory",
    guards: &[FEW, ON_DISK, BEFORE, REAL_ADVICE, SYNCED, OWN, TO_END],
    begin: |guards| {
        Box::new(IdleAdvice {
            guards,
            files: Recent::default(),
            idle: BTreeMap::new(),
            idle_cases: Cases::default(),
            none: Cases::default(),
            dirty: Cases::default(),
            shared: Cases::default(),
            endless: Cases::default(),
        })
    },
};

const FEW: Guard =
    Guard { name: "few", spares: "a call or two in vain: asking which file system it is would cost more" };
const ON_DISK: Guard = Guard { name: "on-disk", spares: "the file system heeds advice" };
const BEFORE: Guard = Guard { name: "before", spares: "the advice came before the reading it is about" };
const REAL_ADVICE: Guard = Guard { name: "real-advice", spares: "the number is an advice that there is" };
const SYNCED: Guard =
    Guard { name: "synced", spares: "what was written had reached the device: the pages can go" };
const OWN: Guard = Guard { name: "own", spares: "no other traced program has the file open" };
const TO_END: Guard =
    Guard { name: "to-end", spares: "the length is 0, which means to the end, or a true one" };

/// From this many calls in vain on it is a habit.
const HABIT: u64 = 16;
/// Lengths from here on are meant as "all of it": `OFF_T_MAX` less a page.
const ENDLESS: u64 = i64::MAX as u64 - 4096;

const IDLE: Words = Words::cost(
    "posix_fadvise() without effect: on a pipe, on a file in memory, or after the file was read",
    "give advice before the first read and only on files of a disk; once per file",
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

#[derive(Debug)]
struct IdleAdvice {
    guards: Guards,
    files: Recent<FileNumber, Seen>,
    idle: BTreeMap<u32, Idle>,
    idle_cases: Cases,
    none: Cases,
    dirty: Cases,
    shared: Cases,
    endless: Cases,
}

#[derive(Debug, Default)]
struct Seen {
    /// True when a read met the end.
    is_read: bool,
    is_dirty: bool,
}

#[derive(Debug, Default)]
struct Idle {
    count: u64,
    calls: Claims,
    scene: Option<Scene>,
}

impl Rule for IdleAdvice {
    fn observe(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.file.filter(|_| !moment.is_loaders) else { return };
        match moment.action() {
            FileAction::Read { bytes, .. } if moment.is_ok() => {
                let seen = self.files.entry(file.number);
                seen.is_read |= moment.bytes == 0 && *bytes > 0;
            }
            FileAction::Write { .. } if moment.is_ok() => {
                self.files.entry(file.number).is_dirty = true;
            }
            FileAction::Sync { .. } if moment.is_ok() => {
                let seen = self.files.entry(file.number);
                seen.is_dirty &= !self.guards.spare(SYNCED, true);
            }
            FileAction::Seek { .. } => {
                self.files.get_mut(&file.number).into_iter().for_each(|seen| seen.is_read = false);
            }
            FileAction::Advise { advice, bytes, .. } => self.advised(moment, *advice, *bytes),
            _ => {}
        }
        for file in moment.ended {
            self.files.remove(file);
        }
    }

    fn finish(&mut self, world: &World) {
        for idle in std::mem::take(&mut self.idle).into_values() {
            let Some(scene) = &idle.scene else { continue };
            if !self.guards.spare(FEW, idle.count < HABIT) {
                self.idle_cases.claim_scene(scene, idle.count, &idle.calls, world);
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![
            (&IDLE, &self.idle_cases),
            (&NONE, &self.none),
            (&DIRTY, &self.dirty),
            (&SHARED, &self.shared),
            (&ENDLESS_WORDS, &self.endless),
        ]
    }
}

impl IdleAdvice {
    fn advised(&mut self, moment: &Moment<'_>, advice: Advice, bytes: u64) {
        let Some(file) = moment.file else { return };
        let is_real = !matches!(advice, Advice::Other(_));
        if !self.guards.spare(REAL_ADVICE, is_real) && !moment.is_ok() {
            self.none.claim(moment, &[moment.claim()]);
            return;
        }
        let seen = self.files.entry(file.number);
        let drops = advice == Advice::DontNeed;
        let mount = file.place.and_then(|place| moment.world.places.mount(place));
        let is_pipe = matches!(file.kind, Some(FileKind::Pipe | FileKind::Socket));
        let is_nowhere = is_pipe || mount.is_some_and(fathom_events::Mount::is_in_memory);
        let is_before = drops || !seen.is_read;
        // Either is reason enough: each guard spares the other reason's absence.
        let in_vain = !is_nowhere && !self.guards.spare(BEFORE, is_before)
            || is_before && !self.guards.spare(ON_DISK, !is_nowhere)
            || is_nowhere && !is_before;
        if in_vain {
            let idle = self.idle.entry(moment.process()).or_default();
            idle.count += 1;
            idle.calls.push(moment.claim());
            idle.scene.get_or_insert_with(|| Scene::of(moment));
            return;
        }
        if !moment.is_ok() || moment.plain_file().is_none() {
            return;
        }
        if drops && seen.is_dirty {
            self.dirty.claim(moment, &[moment.claim()]);
        } else if drops && !self.guards.spare(OWN, !is_open_elsewhere(moment)) {
            self.shared.add(moment, &[]);
        }
        if !self.guards.spare(TO_END, bytes < ENDLESS) {
            self.endless.add(moment, &[]);
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
    fn read_files(script: &mut Script, folder: &str, times: usize, is_late: bool) {
        for file in 0..times {
            let file = script.open(&format!("{folder}/{file}"), READ);
            if !is_late {
                advise(script, file, Advice::Sequential, 0);
            }
            script.read(file, 4096, 100);
            script.read(file, 4096, 0);
            if is_late {
                advise(script, file, Advice::WillNeed, 0);
            }
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
            advise(script, file, Advice::DontNeed, 0);
        },
        count: 37 + 1 + 1 + 1 + 1,
        fixed: |script| {
            read_files(script, "/data", 20, false);
            write_and_drop(script, true);
        },
        look_alikes: &[
            ("few", |script| {
                script.mount("/shm", "tmpfs", "rw");
                read_files(script, "/shm", 3, false);
            }),
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
            ("own", |script| {
                let file = script.open("/data/shared", READ);
                advise(script, file, Advice::DontNeed, 0);
            }),
            ("to-end", |script| {
                let file = script.open("/data/a", READ);
                advise(script, file, Advice::Sequential, 1 << 20);
            }),
        ],
    }
};
