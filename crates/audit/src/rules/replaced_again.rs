//! R77: a file replaced by a new one, or emptied and written anew, again and again, which nothing reads
//! between.

use crate::cases::{Cases, Scene};
use crate::claims::{Claim, Claims};
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::{Moment, When};
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::rules::rewritten_in_place::is_log_or_lock;
use crate::world::{PlaceId, World};
use fathom_events::{DescriptorKind, FileAction};

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(77),
    name: "replaced-unread",
    needs: "paths of open, writes and rename",
    guards: &[READ_BETWEEN, SYNCED, LOCK_FILE, PUT_ASIDE, OTHER, SERVES, MEASURES, RARE, FEW],
    begin: |guards| {
        Box::new(ReplacedAgain {
            guards,
            drafts: Recent::default(),
            files: Recent::default(),
            rewritten: Recent::default(),
            cases: Cases::default(),
            in_place: Cases::default(),
        })
    },
};

const READ_BETWEEN: Guard = Guard {
    name: "read-between",
    spares: "a traced program opens the file to read it, or another one than saves it asks for it",
};
const SYNCED: Guard = Guard { name: "synced", spares: "each is synced first: it is to survive a crash" };
const LOCK_FILE: Guard = Guard {
    name: "lock-file",
    spares: "the new file is a lock as well (`index.lock`, made with O_EXCL): others wait for it",
};
const PUT_ASIDE: Guard = Guard {
    name: "put-aside",
    spares: "an older file is put aside, as a log or a backup (log.1, notes.bak)",
};
const SERVES: Guard =
    Guard { name: "serves", spares: "the process has a socket: who is answered may rely on what was saved" };
const OTHER: Guard = Guard {
    name: "other-process",
    spares: "each process writes it once, as the output of a command that a shell runs: what is there is its last output",
};
const MEASURES: Guard = Guard { name: "measures", spares: "the program measures how files are written" };
const RARE: Guard =
    Guard { name: "rare", spares: "more than a second passed between two: it is saved from time to time" };
const FEW: Guard = Guard { name: "few", spares: "fewer than 16 were replaced unread" };

/// From so many on it is a habit.
const HABIT: u64 = 16;
/// A second, in ns.
const GAP_NS: u64 = 1_000_000_000;

const WORDS: Words = Words::cost(
    "a file is replaced by a new one (temporary file, rename) again and again, and nothing in the run reads it between",
    "save it from time to time and at the end: what the next one replaces unread was written for nothing",
    "a program outside the run watches the file, or the work must go on from its last step after a crash",
)
.perhaps();

const IN_PLACE: Words = Words::cost(
    "a file is emptied and written anew again and again, and nothing in the run reads it between",
    "write it when what it holds changes, or from time to time and at the end: what is overwritten unread was written for nothing",
    "a program outside the run watches the file, or it is there for what comes after a crash",
)
.perhaps();

#[derive(Debug)]
struct ReplacedAgain {
    guards: Guards,
    /// New files that may be renamed into place.
    drafts: Recent<PlaceId, Draft>,
    /// Files that new ones were renamed to.
    files: Recent<PlaceId, Replaced>,
    /// Files that were emptied and written anew.
    rewritten: Recent<PlaceId, Replaced>,
    cases: Cases,
    in_place: Cases,
}

/// A file that was made, or emptied and written.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Debug)]
struct Draft {
    process: u32,
    when: When,
    calls: Claims,
    is_read: bool,
    is_written: bool,
    is_synced: bool,
    is_exclusive: bool,
}

#[derive(Debug, Default)]
struct Replaced {
    /// What is there now, unread, and who put it there.
    unread: Option<Unread>,
    count: u64,
    calls: Claims,
    scene: Option<Scene>,
    serves: bool,
}

#[derive(Debug)]
struct Unread {
    calls: Claims,
    when: When,
    process: u32,
}

impl Rule for ReplacedAgain {
    fn interest(&self) -> Interest {
        const OF_OPEN: [Kind; 6] = [Kind::Write, Kind::Close, Kind::Sync, Kind::Read, Kind::Map, Kind::Copy];
        Interest::by_path().if_ok().or(Interest::in_calls(&OF_OPEN).if_ok())
    }

    fn wakes_at(&self) -> Interest {
        Interest::in_calls(&[Kind::Open]).if_ok()
    }

    fn remembers(&self) -> bool {
        !self.drafts.is_empty() || !self.files.is_empty()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        if !moment.is_ok() {
            return;
        }
        let of_file = moment.file.and_then(|file| file.place);
        match moment.action() {
            FileAction::Open { flags, .. } => self.opened(moment, *flags),
            FileAction::Write { .. } | FileAction::Close { .. } => {
                if let Some(draft) = of_file.and_then(|place| self.drafts.get_mut(&place)) {
                    draft.is_written |= matches!(moment.action(), FileAction::Write { .. });
                    draft.calls.push(moment.claim());
                }
            }
            FileAction::Sync { .. } => {
                if let Some(draft) = of_file.and_then(|place| self.drafts.get_mut(&place)) {
                    draft.is_synced = true;
                }
            }
            FileAction::Rename { .. } => self.renamed(moment),
            FileAction::Stat { .. } | FileAction::Access { .. } => {
                if let Some(place) = moment.place {
                    self.asked(moment.process(), place);
                }
            }
            // Read, mapped, copied, run, linked, removed, or what else names it.
            _ => [of_file, moment.place].into_iter().flatten().for_each(|place| self.read(place)),
        }
    }

    fn finish(&mut self, world: &World) {
        for (files, cases) in [(&mut self.files, &mut self.cases), (&mut self.rewritten, &mut self.in_place)]
        {
            for place in files.keys() {
                let Some(file) = files.remove(&place) else { continue };
                let Some(scene) = &file.scene else { continue };
                if !self.guards.spare(FEW, file.count < HABIT) && !self.guards.spare(SERVES, file.serves) {
                    cases.claim_scene(scene, file.count, &file.calls, world);
                }
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases), (&IN_PLACE, &self.in_place)]
    }
}

impl ReplacedAgain {
    fn opened(&mut self, moment: &Moment<'_>, flags: fathom_events::OpenFlags) {
        let Some(place) = moment.judged_place() else { return };
        let is_new = moment.file.is_some_and(|file| file.is_new);
        let empties = open_flags::has(flags, open_flags::TRUNCATE);
        if !open_flags::can_write(flags) || !(is_new || empties) {
            if open_flags::can_read(flags) {
                self.read(place);
            }
            return;
        }
        if let Some(before) = self.drafts.remove(&place).filter(|_| empties && !is_new) {
            self.emptied(moment, place, &before);
        }
        let is_exclusive = open_flags::has(flags, open_flags::EXCLUSIVE);
        let (process, when, mut calls) = (moment.process(), moment.when, Claims::default());
        calls.push(moment.claim());
        let (is_read, is_written, is_synced) = (false, false, false);
        let draft = Draft { process, when, calls, is_read, is_written, is_synced, is_exclusive };
        self.drafts.insert(place, draft);
    }

    /// What was written under that name is overwritten.
    fn emptied(&mut self, moment: &Moment<'_>, place: PlaceId, before: &Draft) {
        let is_log = is_log_or_lock(moment.world.places.name(place));
        if !before.is_written
            || self.guards.spare(READ_BETWEEN, before.is_read)
            || self.guards.spare(SYNCED, before.is_synced)
            || self.guards.spare(PUT_ASIDE, is_log)
            || self.guards.spare(OTHER, before.process != moment.process())
            || self.guards.spare(MEASURES, moment.is_measurers())
            || self.guards.spare(RARE, before.when.is_apart(moment.when, GAP_NS))
        {
            return;
        }
        self.rewritten.entry(place).add(moment, &before.calls, &[place]);
    }

    /// Somebody asked for a file: another one than writes it may wait for it to change.
    fn asked(&mut self, process: u32, place: PlaceId) {
        let unread = self.files.get(&place).and_then(|file| file.unread.as_ref());
        let writer = unread.map(|unread| unread.process);
        if writer
            .or(self.drafts.get(&place).map(|draft| draft.process))
            .is_some_and(|writer| writer != process)
        {
            self.read(place);
        }
    }

    fn read(&mut self, place: PlaceId) {
        if let Some(draft) = self.drafts.get_mut(&place) {
            draft.is_read = true;
        }
        if let Some(file) = self.files.get_mut(&place)
            && self.guards.spare(READ_BETWEEN, true)
        {
            file.unread = None;
        }
    }

    fn renamed(&mut self, moment: &Moment<'_>) {
        let (Some(from), Some(to)) = (moment.judged_place(), moment.other_place) else { return };
        self.read(from);
        self.drafts.remove(&to);
        let draft = self.drafts.remove(&from).filter(|draft| draft.is_written);
        let places = &moment.world.places;
        let (old_name, new_name) = (places.name(from), places.name(to));
        let is_log = is_log_or_lock(new_name) || new_name.starts_with(old_name);
        let draft = draft.filter(|draft| {
            !self.guards.spare(SYNCED, draft.is_synced)
                && !self.guards.spare(LOCK_FILE, draft.is_exclusive && is_log_or_lock(old_name))
                && !self.guards.spare(PUT_ASIDE, is_log)
        });
        let Some(mut draft) = draft else {
            if let Some(file) = self.files.get_mut(&to) {
                file.unread = None;
            }
            return;
        };
        draft.calls.push(Claim { place: Some(to), ..moment.claim() });
        let file = self.files.entry(to);
        let unread = file.unread.take();
        let is_soon = |unread: &Unread| !self.guards.spare(RARE, unread.when.is_apart(moment.when, GAP_NS));
        if let Some(unread) = unread.filter(is_soon) {
            file.add(moment, &unread.calls, &[to, from]);
        }
        let (when, process) = (moment.when, moment.process());
        file.unread = Some(Unread { calls: draft.calls, when, process });
    }
}

impl Replaced {
    /// One more, by a call about the first of these places.
    fn add(&mut self, moment: &Moment<'_>, calls: &Claims, places: &[PlaceId]) {
        self.count += 1;
        self.calls.join(calls);
        // The habit shows better in the middle, and by then it is known whom the process serves.
        if self.scene.is_none() || self.count == HABIT {
            self.scene = Some(Scene::among(moment, places.first().copied(), places));
            let mut open = moment.world.descriptors(moment.process());
            self.serves = open.any(|(_, _, file)| file.descriptor_kind == Some(DescriptorKind::Socket));
        }
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, READ, Script, TRUNCATE};
    const NEW: u32 = CREATE | open_flags::EXCLUSIVE;
    fn write(script: &mut Script, path: &str) {
        let file = script.open(path, TRUNCATE);
        script.write(file, 60);
        script.close(file);
    }
    fn save(script: &mut Script, flags: u32, new: &str, path: &str) {
        let file = script.open(new, flags);
        script.write(file, 300);
        script.close(file);
        script.rename(new, path);
    }
    crate::trio::Trio {
        rule: 77,
        waste: |script| {
            (0..21).for_each(|_| save(script, TRUNCATE, "/data/state.tmp", "/data/state"));
            // Under another temporary name each time; it is read at the end.
            (0..18).for_each(|number| save(script, NEW, &format!("/data/.{number}"), "/data/offsets"));
            let file = script.open("/data/offsets", READ);
            script.read(file, 4096, 300);
            script.close(file);
            // In place.
            (0..20).for_each(|_| write(script, "/data/status"));
        },
        count: 20 + 17 + 19,
        fixed: |script| save(script, TRUNCATE, "/data/state.tmp", "/data/state"),
        look_alikes: &[
            ("read-between", |script| {
                for _ in 0..21 {
                    save(script, TRUNCATE, "/data/state.tmp", "/data/state");
                    let file = script.open("/data/state", READ);
                    script.read(file, 4096, 300);
                    script.close(file);
                }
            }),
            // Another process looks whether there is a new one.
            ("read-between", |script| {
                for _ in 0..21 {
                    save(script, TRUNCATE, "/data/state.tmp", "/data/state");
                    script.act_as(200, 200);
                    script.stat("/data/state", 300);
                    script.act_as(100, 100);
                }
            }),
            ("synced", |script| {
                for _ in 0..21 {
                    let file = script.open("/data/state.tmp", TRUNCATE);
                    script.write(file, 300);
                    script.sync(file);
                    script.close(file);
                    script.rename("/data/state.tmp", "/data/state");
                }
            }),
            ("lock-file", |script| {
                (0..21).for_each(|_| save(script, NEW, "/data/index.lock", "/data/index"));
            }),
            ("put-aside", |script| {
                (0..21).for_each(|_| save(script, TRUNCATE, "/data/trace", "/data/trace.1"));
            }),
            ("serves", |script| {
                let (kind, made) = (DescriptorKind::Socket, [Some(40), None]);
                script.works("socket", FileAction::MakeDescriptors { kind, made, close_on_exec: true });
                (0..21).for_each(|_| save(script, TRUNCATE, "/data/state.tmp", "/data/state"));
            }),
            ("read-between", |script| {
                for _ in 0..20 {
                    write(script, "/data/status");
                    let file = script.open("/data/status", READ);
                    script.read(file, 4096, 60);
                    script.close(file);
                }
            }),
            ("other-process", |script| {
                for process in 0..20 {
                    script.act_as(200 + process, 200 + process);
                    write(script, "/data/out");
                }
            }),
            ("measures", |script| {
                script.load("/usr/bin/fio");
                (0..20).for_each(|_| write(script, "/data/status"));
            }),
            ("rare", |script| {
                for _ in 0..21 {
                    save(script, TRUNCATE, "/data/state.tmp", "/data/state");
                    script.wait_ms(2_000);
                }
            }),
            ("few", |script| {
                (0..9).for_each(|_| save(script, TRUNCATE, "/data/state.tmp", "/data/state"));
            }),
            // Another file each time.
            ("", |script| {
                for number in 0..21 {
                    save(script, TRUNCATE, "/data/new", &format!("/data/{number}"));
                }
            }),
        ],
    }
};
