//! R45: a file was made, written and removed, or emptied again, and nobody read it.
//!
//! A file that stays is somebody's, however often it was written anew: a status, a checkpoint. What
//! ends empty or without a name was for the program alone.

use crate::cases::{Cases, Scene};
use crate::claims::Claims;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, PlaceId, World};
use fathom_events::{FileAction, Target};
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(45),
    name: "write-then-unlink",
    needs: "paths of open and unlink, reads and maps",
    guards: &[LOCK_OR_PROBE, SAFEGUARD, READ, MOVED, KEPT],
    begin: |guards| {
        Box::new(WrittenForNothing {
            guards,
            made: Recent::default(),
            nameless: BTreeMap::new(),
            removed: Cases::default(),
            emptied: Cases::default(),
        })
    },
};

const LOCK_OR_PROBE: Guard = Guard {
    name: "lock-or-probe",
    spares: "a lock, a number of a process, or a few bytes to try whether writing works",
};
const SAFEGUARD: Guard = Guard {
    name: "safeguard",
    spares: "a swap file, a journal, a log, or a file that was synced: it is there for a crash, or for who looks on",
};
const READ: Guard = Guard { name: "read", spares: "a traced program read it, mapped it or ran it" };
const MOVED: Guard = Guard { name: "moved", spares: "it has another name by now, or had before" };
const KEPT: Guard = Guard {
    name: "kept",
    spares: "it was there before and what is removed is older, or what was written last stays",
};

/// What a probe writes, at most.
const PROBE_BYTES: u64 = 64;

const REMOVED: Words = Words::cost(
    "file created, written and deleted, read by no traced program",
    "do without the file, or pass it by a pipe or memfd_create",
    "a program outside the trace may have read it between",
);

const EMPTIED: Words = Words::cost(
    "data written and truncated away, read by no traced program",
    "do without the file, or keep in memory what is thrown away",
    "a program outside the trace may have read it between",
);

#[derive(Debug)]
struct WrittenForNothing {
    guards: Guards,
    made: Recent<PlaceId, Made>,
    /// Open files whose name went, or that never had one.
    nameless: BTreeMap<FileNumber, Nameless>,
    removed: Cases,
    emptied: Cases,
}

#[derive(Debug, Default)]
struct Made {
    bytes: u64,
    is_kept: bool,
    is_read: bool,
    is_moved: bool,
    calls: Claims,
    /// How often what was written was thrown away unread, with the calls for it.
    emptied: u64,
    emptied_calls: Claims,
    scene: Option<Scene>,
}

/// A file that ends with its descriptor.
#[derive(Debug)]
struct Nameless {
    made: Made,
    /// The name that it had.
    place: Option<PlaceId>,
    scene: Scene,
}

impl Rule for WrittenForNothing {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[
            Kind::Open,
            Kind::Write,
            Kind::Copy,
            Kind::Truncate,
            Kind::Read,
            Kind::Map,
            Kind::Rename,
            Kind::Link,
            Kind::Remove,
        ])
        .if_ok()
        .and_ends()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Open { flags, .. } if moment.is_ok() => self.opened(moment, flags.0),
            FileAction::Write { .. } if moment.is_ok() => {
                if let Some(made) = moment.plain_file().and_then(|_| self.made_of(moment)) {
                    made.bytes += moment.bytes;
                    made.calls.push(moment.claim());
                }
            }
            FileAction::Copy { to, .. } if moment.is_ok() => {
                self.is_read(moment);
                let target = moment.world.descriptor(moment.thread(), moment.process(), *to);
                let Some(file) = target.map(|entry| entry.file) else { return };
                let place = moment.world.file(file).and_then(|file| file.place);
                if let Some(made) = self.made_at(Some(file), place) {
                    made.bytes += moment.bytes;
                }
            }
            FileAction::Truncate { bytes: 0, .. } if moment.is_ok() => self.was_emptied(moment),
            FileAction::Read { .. } if moment.bytes > 0 => self.is_read(moment),
            FileAction::Map { descriptor: Some(_), .. } | FileAction::Execute { .. } if moment.is_ok() => {
                self.is_read(moment);
            }
            FileAction::Rename { .. } | FileAction::Link { .. } if moment.is_ok() => self.renamed(moment),
            FileAction::Close { .. } => {
                if let Some(made) = self.made_of(moment) {
                    made.calls.push(moment.claim());
                }
            }
            FileAction::Remove { directory: false, .. } if moment.is_ok() => self.was_removed(moment),
            _ => {}
        }
        for file in moment.ended {
            if let Some(Nameless { made, scene, .. }) = self.nameless.remove(file)
                && self.is_for_nothing(&made)
            {
                self.removed.claim_scene(&scene, 1, &made.calls, moment.world);
            }
        }
    }

    fn finish(&mut self, world: &World) {
        for place in self.made.keys() {
            let Some(made) = self.made.remove(&place) else { continue };
            self.settle_emptied(place, &made, world);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&REMOVED, &self.removed), (&EMPTIED, &self.emptied)]
    }
}

impl WrittenForNothing {
    /// What is known of a file, by the open file where it has no name, else by its place.
    fn made_at(&mut self, file: Option<FileNumber>, place: Option<PlaceId>) -> Option<&mut Made> {
        if let Some(nameless) = file.filter(|file| self.nameless.contains_key(file)) {
            return self.nameless.get_mut(&nameless).map(|nameless| &mut nameless.made);
        }
        self.made.get_mut(&place?)
    }

    fn made_of(&mut self, moment: &Moment<'_>) -> Option<&mut Made> {
        self.made_at(moment.file.map(|file| file.number), moment.any_place())
    }

    fn opened(&mut self, moment: &Moment<'_>, flags: u32) {
        let Some(file) = moment.plain_file() else { return };
        if flags & open_flags::TEMPORARY == open_flags::TEMPORARY {
            let nameless = Nameless { made: Made::default(), place: None, scene: Scene::of(moment) };
            self.nameless.insert(file.number, nameless);
        }
        let Some(place) = file.place else { return };
        let is_emptied = flags & open_flags::TRUNCATE != 0;
        let creates = flags & open_flags::CREATE != 0;
        if is_emptied {
            self.was_emptied(moment);
        }
        if creates && self.made.get(&place).is_none() {
            // What was emptied is gone, whether it was there or not.
            let is_kept = !file.is_new && !is_emptied;
            self.made.insert(place, Made { is_kept, ..Made::default() });
        }
        if let Some(made) = self.made_of(moment) {
            made.calls.push(moment.claim());
        }
    }

    fn is_read(&mut self, moment: &Moment<'_>) {
        if let Some(made) = self.made_of(moment) {
            made.is_read = true;
        }
        // It may be open twice.
        if let Some(place) = moment.any_place() {
            let of_place = self.nameless.values_mut().filter(|nameless| nameless.place == Some(place));
            of_place.for_each(|nameless| nameless.made.is_read = true);
        }
    }

    /// What was written is thrown away.
    fn was_emptied(&mut self, moment: &Moment<'_>) {
        let Some(made) = self.made_of(moment) else { return };
        made.calls.push(moment.claim());
        if made.bytes > PROBE_BYTES {
            made.emptied += 1;
            made.emptied_calls = made.calls.clone();
            made.scene = Some(Scene::of(moment));
        }
        made.bytes = 0;
    }

    /// A name comes: the file is not for the program alone.
    fn renamed(&mut self, moment: &Moment<'_>) {
        for place in [moment.place, moment.other_place].into_iter().flatten() {
            self.made.entry(place).is_moved = true;
        }
        let by_descriptor = match moment.action() {
            FileAction::Link { from: Target::Descriptor(_), .. } => true,
            // `/proc/self/fd/3`: whose name that is, its number alone tells.
            FileAction::Link { .. } => {
                let places = &moment.world.places;
                moment.place.is_some_and(|place| places.is_below(place, "/proc"))
            }
            _ => false,
        };
        if by_descriptor {
            self.nameless.values_mut().for_each(|nameless| nameless.made.is_moved = true);
        }
    }

    fn was_removed(&mut self, moment: &Moment<'_>) {
        let Some(place) = moment.judged_place() else { return };
        let Some(mut made) = self.made.remove(&place) else { return };
        // Who removes it asked before, and nothing was in it but what was written here.
        let told_bytes = moment.world.places.get(place).size_bytes;
        made.is_kept &= made.bytes == 0 || told_bytes != Some(made.bytes);
        let name = moment.world.places.name(place);
        if self.is_safeguard(moment.world, place) || self.guards.spare(LOCK_OR_PROBE, is_lock(name)) {
            return;
        }
        made.calls.push(moment.claim());
        let scene = Scene::of(moment);
        if let Some(file) = open_file_at(moment, place) {
            self.nameless.insert(file, Nameless { made, place: Some(place), scene });
        } else if self.is_for_nothing(&made) {
            self.removed.claim_at(moment, moment.any_place(), 1, &made.calls);
        } else if made.bytes == 0 {
            self.settle_emptied(place, &made, moment.world);
        }
    }

    /// True of what was written, and is gone with the file.
    fn is_for_nothing(&self, made: &Made) -> bool {
        made.bytes > 0
            && !self.guards.spare(READ, made.is_read)
            && !self.guards.spare(LOCK_OR_PROBE, made.bytes <= PROBE_BYTES)
            && !self.guards.spare(MOVED, made.is_moved)
            && !self.guards.spare(KEPT, made.is_kept)
    }

    fn is_safeguard(&self, world: &World, place: PlaceId) -> bool {
        let is_synced = world.places.get(place).synced_at > 0;
        self.guards.spare(SAFEGUARD, is_safeguard(world.places.name(place)) || is_synced)
    }

    /// A file that was emptied before, and is empty at last.
    fn settle_emptied(&mut self, place: PlaceId, made: &Made, world: &World) {
        if let Some(scene) = &made.scene
            && !self.guards.spare(KEPT, made.bytes > 0)
            && !self.guards.spare(READ, made.is_read)
            && !self.guards.spare(MOVED, made.is_moved)
            && !self.guards.spare(LOCK_OR_PROBE, is_lock(world.places.name(place)))
            && !self.is_safeguard(world, place)
        {
            self.emptied.claim_scene(scene, made.emptied, &made.emptied_calls, world);
        }
    }
}

/// An open file that a name leads to.
fn open_file_at(moment: &Moment<'_>, place: PlaceId) -> Option<FileNumber> {
    let mut open = moment.world.living().flat_map(|process| moment.world.descriptors(process));
    open.find(|(_, _, file)| file.place == Some(place)).map(|(_, _, file)| file.number)
}

fn is_lock(name: &str) -> bool {
    const WORDS: [&str; 6] = ["lock", "pid", "lck", "LOCK", "journal", "wal"];
    name.split(['.', '-', '_']).any(|part| WORDS.contains(&part))
}

/// Editors' swap and backup files, logs, what `SQLite` needs to take a statement back.
fn is_safeguard(name: &str) -> bool {
    const WORDS: [&str; 7] = ["swp", "swo", "swx", "swpx", "log", "bak", "etilqs"];
    let is_word = |part: &str| WORDS.contains(&part);
    name.ends_with('~') || name.starts_with(".#") || name.split(['.', '-', '_']).any(is_word)
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::open_flags;
    use crate::script::{CREATE, Script};
    const NEW: u32 = CREATE | open_flags::EXCLUSIVE;
    fn write_file(script: &mut Script, path: &str, flags: u32, bytes: u64) {
        let file = script.open(path, flags);
        script.write(file, bytes);
        script.close(file);
    }
    crate::trio::Trio {
        rule: 45,
        waste: |script| {
            for file in 0..5 {
                write_file(script, &format!("/data/{file}.tmp"), NEW, 5000);
                script.remove(&format!("/data/{file}.tmp"));
            }
            write_file(script, "/data/x.tmp", crate::script::TRUNCATE, 5000);
            script.remove("/data/x.tmp");
            // Its name goes first.
            let file = script.open("/data/spool", NEW);
            script.remove("/data/spool");
            script.write(file, 5000);
            script.close(file);
            let file = script.open("/data", crate::script::BOTH | open_flags::TEMPORARY);
            script.write(file, 5000);
            script.close(file);
            // Opened to append, whether it was there or not: who removes it learns that it was not.
            let file = script.open("/data/detail", CREATE | open_flags::APPEND);
            script.write(file, 5000);
            script.close(file);
            script.stat("/data/detail", 5000);
            script.remove("/data/detail");
            // Three times filled, and empty at last.
            let file = script.open("/data/scratch", NEW);
            for _ in 0..3 {
                script.write(file, 5000);
                script.truncate(file, 0);
            }
            script.close(file);
        },
        count: 6 + 2 + 1 + 3,
        fixed: |script| write_file(script, "/data/out", NEW, 5000),
        look_alikes: &[
            ("lock-or-probe", |script| {
                write_file(script, "/data/try", NEW, 4);
                script.remove("/data/try");
            }),
            ("safeguard", |script| {
                for name in [".notes.swp", "config.log", "notes~"] {
                    write_file(script, &format!("/data/{name}"), NEW, 5000);
                    script.remove(&format!("/data/{name}"));
                }
            }),
            ("safeguard", |script| {
                let file = script.open("/data/rescue", NEW);
                script.write(file, 5000);
                script.sync(file);
                script.close(file);
                script.remove("/data/rescue");
            }),
            ("read", |script| {
                write_file(script, "/data/x.s", NEW, 5000);
                let file = script.open("/data/x.s", crate::script::READ);
                script.read(file, 8192, 5000);
                script.close(file);
                script.remove("/data/x.s");
            }),
            ("read", |script| {
                let file = script.open("/data/spool", crate::script::BOTH | 0x40 | open_flags::EXCLUSIVE);
                script.write(file, 5000);
                script.remove("/data/spool");
                script.read_at(file, 5000, 5000, 0);
                script.close(file);
            }),
            ("moved", |script| {
                let file = script.open("/data", crate::script::BOTH | open_flags::TEMPORARY);
                script.write(file, 5000);
                let action = FileAction::Link {
                    from: script.target("/proc/self/fd/3"),
                    to: script.target("/data/table"),
                };
                script.works("linkat", action);
                script.close(file);
            }),
            // As bash passes a here-document.
            ("read", |script| {
                let file = script.open("/data/here", NEW);
                let reader = script.open("/data/here", crate::script::READ);
                script.write(file, 5000);
                script.remove("/data/here");
                script.read(reader, 5000, 5000);
                script.close(file);
                script.close(reader);
            }),
            // The last is for others to see.
            ("kept", |script| {
                let file = script.open("/data/status", NEW);
                for _ in 0..5 {
                    script.truncate(file, 0);
                    script.write(file, 200);
                }
                script.close(file);
            }),
            ("moved", |script| {
                write_file(script, "/data/a.new", NEW, 5000);
                let action =
                    FileAction::Link { from: script.target("/data/a.new"), to: script.target("/data/a") };
                script.works("link", action);
                script.remove("/data/a.new");
            }),
            ("kept", |script| {
                script.stat("/data/old", 900);
                write_file(script, "/data/old", CREATE, 5000);
                script.remove("/data/old");
            }),
        ],
    }
};
