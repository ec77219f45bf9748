//! R23: one unchanged file, opened and read or mapped again: by one process, or by one after the other.

use crate::cases::{Cases, Scene};
use crate::claims::Claims;
use crate::finding::RuleId;
use crate::habit::{Habits, Waiting};
use crate::interest::Interest;
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, OpenFile, PlaceId, World, is_of_libc};
use fathom_events::{FileAction, FileIdentity};
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(23),
    name: "reopen-storm",
    needs: "paths of open, reads and mmap",
    guards: &[CHANGED, REPLACED, OTHER_PART, MEASURES, FEW, BUSY, CODE],
    begin: |guards| {
        Box::new(Reopened {
            guards,
            open: Recent::default(),
            readings: BTreeMap::new(),
            first: Recent::default(),
            habits: Habits::default(),
            by_processes: Habits::default(),
            cases: Cases::default(),
            many: Cases::default(),
        })
    },
};

const CHANGED: Guard = Guard { name: "changed-between", spares: "a traced program wrote the file between" };
const REPLACED: Guard =
    Guard { name: "replaced", spares: "the path leads to another file by now: a log was rotated" };
const OTHER_PART: Guard = Guard { name: "other-part", spares: "each time another part of the file was read" };
const MEASURES: Guard = Guard { name: "measures", spares: "a benchmark reads the same file again by design" };
const FEW: Guard = Guard { name: "few", spares: "once again, and little" };
const BUSY: Guard = Guard {
    name: "busy",
    spares: "a process that reads more than two files was started for more than this one",
};
const CODE: Guard =
    Guard { name: "code", spares: "a script that is run, or what the C library reads by itself" };

/// `PROT_EXEC`.
const EXECUTE: u32 = 4;
/// The second reading in vain is a habit, of whichever file.
const HABIT: u64 = 2;
/// Or from this many bytes on.
const MUCH_BYTES: u64 = 64 * 1024;
/// A process that was started for a file reads no more files than these.
const READ_BY_ONE: usize = 2;
/// Files of one process that are remembered.
const FILES: usize = 4096;

const WORDS: Words = Words::cost(
    "unchanged file opened and read again",
    "keep what was read, or keep the file open and read it with pread; where a first look read only its beginning, read all of it then",
    "programs outside the trace may change the file, and reading may be meant to notice",
);

const MANY: Words = Words::cost(
    "unchanged file opened and read by one process after another",
    "read it once: keep it in a variable of the shell, ask one process all questions (awk), or hand on what was read",
    "processes that know nothing of each other may each need it",
);

#[derive(Debug)]
struct Reopened {
    guards: Guards,
    open: Recent<FileNumber, Reading>,
    /// What each process that lives has read, where nothing was written since.
    readings: BTreeMap<u32, BTreeMap<PlaceId, Reading>>,
    /// What was read by processes that are no more.
    first: Recent<PlaceId, Reading>,
    habits: Habits,
    by_processes: Habits,
    cases: Cases,
    many: Cases,
}

/// One open file and what was read from it.
#[expect(clippy::struct_excessive_bools, reason = "they are facts that do not depend on each other")]
#[derive(Debug)]
struct Reading {
    process: u32,
    place: PlaceId,
    opened_at: u64,
    identity: Option<FileIdentity>,
    /// All that is asked of it from the opening on.
    calls: Claims,
    /// Where its first byte lies and where its last.
    part: Option<(u64, u64)>,
    bytes: u64,
    /// The same of what was mapped.
    mapped: Option<(u64, u64, u64)>,
    /// Some of it was mapped as code: it is a library, which is loaded and not read.
    is_loaded: bool,
    /// The runtime opened it.
    is_runtimes: bool,
    is_code: bool,
    measures: bool,
}

impl Rule for Reopened {
    fn interest(&self) -> Interest {
        Interest::by_descriptor().and_ends()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let file = moment.plain_file().filter(|file| !open_flags::can_write(file.flags));
        match (moment.action(), file) {
            (FileAction::Open { .. }, Some(file)) if moment.is_ok() => self.opened(moment, file),
            (FileAction::Read { offset, .. }, Some(file)) if moment.is_ok() => {
                let Some(reading) = self.open.get_mut(&file.number) else { return };
                reading.identity = file.identity.or(reading.identity);
                reading.read(moment, offset.or(file.position));
            }
            (FileAction::Map { offset, bytes, protection, .. }, Some(file)) if moment.is_ok() => {
                let Some(reading) = self.open.get_mut(&file.number) else { return };
                reading.calls.push(moment.claim());
                reading.is_loaded |= protection & EXECUTE != 0;
                let end = offset.saturating_add(*bytes);
                let (first, last, sum) = reading.mapped.unwrap_or((*offset, end, 0));
                reading.mapped = Some((first.min(*offset), last.max(end), sum + bytes));
            }
            // What is asked of the open file is asked again with it.
            (_, Some(file)) => {
                if let Some(open) = self.open.get_mut(&file.number) {
                    open.calls.push(moment.claim());
                }
            }
            _ => {}
        }
        for file in moment.ended {
            if let Some(reading) = self.open.remove(file) {
                self.over(moment, *file, reading);
            }
        }
        if let FileAction::Exit { whole: true, .. } = moment.action() {
            self.exits(moment);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases), (&MANY, &self.many)]
    }
}

impl Reopened {
    fn opened(&mut self, moment: &Moment<'_>, file: &OpenFile) {
        let Some(place) = file.place else { return };
        let is_runtimes = file.is_runtimes || moment.is_on_trail || moment.is_runtimes(Some(place));
        let is_code = is_runtimes
            || is_of_libc(moment.world.places.path(place), moment.action())
            || is_script(moment, place);
        let reading = Reading {
            process: moment.process(),
            place,
            opened_at: file.opened_at,
            identity: file.identity,
            calls: [moment.claim()].into_iter().collect(),
            part: None,
            bytes: 0,
            mapped: None,
            is_loaded: false,
            is_runtimes,
            is_code,
            measures: moment.is_measurers(),
        };
        self.open.insert(file.number, reading);
    }

    /// Nothing leads to an open file any more.
    fn over(&mut self, moment: &Moment<'_>, file: FileNumber, mut reading: Reading) {
        if let Some((first, last, bytes)) = reading.mapped.filter(|_| !reading.is_loaded) {
            reading.add(first, last, bytes);
        }
        if reading.part.is_none() {
            return;
        }
        let known = self.readings.entry(reading.process).or_default();
        if known.len() >= FILES {
            known.clear();
        }
        let (process, place) = (reading.process, reading.place);
        let Some(before) = known.remove(&place) else {
            known.insert(place, reading);
            return;
        };
        let guards = self.guards;
        if !is_in_vain(&before, &reading, guards, moment.world) {
            known.insert(place, reading);
            return;
        }
        let (kept, vain) = sorted(before, reading);
        known.insert(place, kept);
        // How the runtime reads it then is another matter: a zip that the program opens by the JDK's reader.
        let scene = Scene::among(moment, Some(place), &[place]).kept_by_runtime(vain.is_runtimes);
        let vain = vain.at(scene.opened_with(moment.world.file(file)));
        let is_little = |times, bytes| guards.spare(FEW, times < HABIT && bytes < MUCH_BYTES);
        self.habits.add(process, vain, is_little, &mut self.cases, moment.world);
    }

    /// What a process read that was started for it is held against what others read before.
    fn exits(&mut self, moment: &Moment<'_>) {
        let Some(readings) = self.readings.remove(&moment.process()) else { return };
        let is_own = |reading: &&Reading| !reading.is_code;
        let files = readings.values().filter(is_own).count();
        if self.guards.spare(BUSY, files > READ_BY_ONE) {
            return;
        }
        for (place, reading) in readings {
            if self.guards.spare(CODE, reading.is_code) {
                continue;
            }
            let Some(before) = self.first.remove(&place) else {
                self.first.insert(place, reading);
                continue;
            };
            let guards = self.guards;
            if !is_in_vain(&before, &reading, guards, moment.world) {
                self.first.insert(place, reading);
                continue;
            }
            let (kept, vain) = sorted(before, reading);
            self.first.insert(place, kept);
            let vain = vain.at(Scene::among(moment, Some(place), &[place]));
            let is_little = |times, _| guards.spare(FEW, times < HABIT);
            self.by_processes.add(0, vain, is_little, &mut self.many, moment.world);
        }
    }
}

impl Reading {
    fn read(&mut self, moment: &Moment<'_>, begin: Option<u64>) {
        self.calls.push(moment.claim());
        match begin.filter(|_| moment.bytes > 0) {
            Some(begin) => self.add(begin, begin + moment.bytes, moment.bytes),
            None => self.bytes += moment.bytes,
        }
    }

    /// So many bytes between are at hand.
    fn add(&mut self, begin: u64, end: u64, bytes: u64) {
        self.bytes += bytes;
        let (first, last) = self.part.unwrap_or((begin, end));
        self.part = Some((first.min(begin), last.max(end)));
    }

    /// One that was in vain.
    fn at(self, scene: Scene) -> Waiting {
        Waiting { scene, count: 1, bytes: self.bytes, calls: self.calls }
    }

    /// True when all of another was read with it.
    fn holds(&self, other: &Self) -> bool {
        let is_whole = |one: &Self| one.part.is_some_and(|(first, last)| one.bytes >= last - first);
        let is_around =
            self.part.zip(other.part).is_some_and(|(own, part)| own.0 <= part.0 && own.1 >= part.1);
        let is_same = self.part == other.part && self.bytes == other.bytes;
        is_around && is_whole(self) || is_same
    }
}

/// True when one of two readings was enough.
fn is_in_vain(before: &Reading, now: &Reading, guards: Guards, world: &World) -> bool {
    let is_other = before.identity.zip(now.identity).is_some_and(|(before, now)| before != now);
    let is_changed = !world.places.has_content_of(now.place, before.opened_at);
    let is_new_part = !before.holds(now) && !now.holds(before);
    !guards.spare(CHANGED, is_changed)
        && !guards.spare(REPLACED, is_other)
        && !guards.spare(OTHER_PART, is_new_part)
        && !guards.spare(MEASURES, now.measures)
}

/// Of two readings the one to keep and the one in vain.
fn sorted(before: Reading, now: Reading) -> (Reading, Reading) {
    let (mut kept, vain) = if before.holds(&now) { (before, now) } else { (now, before) };
    kept.opened_at = kept.opened_at.min(vain.opened_at);
    (kept, vain)
}

/// True of a program's text, as far as its interpreter or its name tell.
fn is_script(moment: &Moment<'_>, place: PlaceId) -> bool {
    const SHELLS: [&str; 6] = ["sh", "bash", "dash", "zsh", "ksh", "busybox"];
    const ENDINGS: [&str; 10] = [".sh", ".pl", ".pm", ".py", ".rb", ".awk", ".js", ".mjs", ".lua", ".php"];
    let places = &moment.world.places;
    let program = moment.world.process(moment.process()).and_then(|process| process.program);
    let is_shell = program.is_some_and(|program| SHELLS.contains(&places.name(program)));
    let is_first = is_shell && moment.world.has_executed(moment.process());
    is_first || ENDINGS.iter().any(|ending| places.path(place).ends_with(ending))
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script, WRITE};
    fn read_file(script: &mut Script, path: &str) {
        let file = script.open(path, READ);
        script.read(file, 4096, 100);
        script.close(file);
    }
    fn read_part(script: &mut Script, path: &str, bytes: i64) {
        let file = script.open(path, READ);
        script.read(file, 8192, bytes);
        script.close(file);
    }
    fn map_file(script: &mut Script, path: &str) {
        let file = script.open(path, READ);
        let protection = 1;
        let action =
            FileAction::Map { descriptor: Some(file), offset: 0, bytes: 65_536, protection, flags: 2 };
        script.call("mmap", action, fathom_events::CallOutcome::Value(1 << 40));
        script.close(file);
    }
    fn run_each(script: &mut Script, times: u32, child: fn(&mut Script)) {
        for number in 0..times {
            script.fork(200 + number);
            script.act_as(200 + number, 200 + number);
            child(script);
            script.exit();
            script.act_as(100, 100);
        }
    }
    crate::trio::Trio {
        rule: 23,
        waste: |script| {
            (0..9).for_each(|_| read_file(script, "/etc/table"));
            (0..5).for_each(|_| map_file(script, "/data/catalogue"));
            // Of each file a head and then all, or all twice.
            for number in 0..4 {
                read_part(script, &format!("/data/{number}"), 16);
                read_part(script, &format!("/data/{number}"), 900);
            }
            // By a shell's redirection: the other number is taken back when it is over.
            for _ in 0..4 {
                let file = script.open("/data/answer", READ);
                script.duplicate(file, 0);
                script.close(file);
                script.read(0, 1, 1);
                script.read(0, 1, 0);
                script.duplicate(9, 0);
            }
            run_each(script, 6, |script| {
                script.execute("/bin/cat");
                read_file(script, "/data/settings");
            });
        },
        count: 8 + 4 + 4 + 3 + 5,
        fixed: |script| {
            read_file(script, "/etc/table");
            read_file(script, "/etc/other");
        },
        look_alikes: &[
            // The head of a library is looked at, and then it is loaded.
            ("", |script| {
                for library in ["/opt/app/a.so", "/opt/app/b.so", "/opt/app/c.so"] {
                    let file = script.open(library, READ);
                    script.read(file, 64, 64);
                    script.close(file);
                    let file = script.open(library, READ);
                    for protection in [1, 5, 1] {
                        let (offset, bytes) = (0, 65_536);
                        let action =
                            FileAction::Map { descriptor: Some(file), offset, bytes, protection, flags: 2 };
                        script.call("mmap", action, fathom_events::CallOutcome::Value(1 << 40));
                    }
                    script.close(file);
                }
            }),
            ("measures", |script| {
                script.load("/usr/bin/fio");
                (0..9).for_each(|_| read_file(script, "/data/measured"));
            }),
            ("changed-between", |script| {
                for _ in 0..5 {
                    read_file(script, "/data/state");
                    let file = script.open("/data/state", WRITE);
                    script.write(file, 100);
                    script.close(file);
                }
            }),
            ("replaced", |script| {
                for inode in 0..5 {
                    let file = script.open("/data/log", READ);
                    let mut facts = script.facts("/data/log", fathom_events::FileKind::Regular, 100);
                    facts.identity = Some(FileIdentity { device: 1, inode });
                    let target = fathom_events::Target::Descriptor(file);
                    script.works("fstat", FileAction::Stat { target, facts: Some(Box::new(facts)), mask: 0 });
                    script.read(file, 4096, 100);
                    script.close(file);
                }
            }),
            ("other-part", |script| {
                for part in 0..5 {
                    let file = script.open("/data/table", READ);
                    script.read_at(file, 100, 100, part * 100);
                    script.close(file);
                }
            }),
            ("few", |script| {
                read_file(script, "/etc/table");
                read_file(script, "/etc/table");
            }),
            // What it reads is what runs, which is not read for its words.
            ("code", |script| {
                run_each(script, 5, |script| {
                    script.execute("/bin/sh");
                    read_file(script, "/data/tool.sh");
                });
            }),
            ("busy", |script| {
                run_each(script, 5, |script| {
                    script.execute("/usr/bin/cc");
                    (0..4).for_each(|number| read_file(script, &format!("/data/{number}.h")));
                });
            }),
            ("", |script| (0..5).for_each(|_| read_file(script, "/proc/self/mountinfo"))),
        ],
    }
};
