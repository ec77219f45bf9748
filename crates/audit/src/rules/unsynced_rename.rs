//! R48: a new file put in the place of an old one before it has reached the device; fsync of another
//! file than the one that is renamed; and of the directory that it came to, but not of itself.

use crate::cases::{Cases, Scene};
use crate::finding::{RuleId, Severity};
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, reaches_device};
use fathom_events::FileAction;
use std::collections::HashMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(48),
    name: "rename-without-fsync",
    needs: "writes, fsync and rename; what is mounted where",
    guards: &[SYNCED, NOTHING_THERE, SCRATCH, OTHER_DIRTY],
    begin: |guards| {
        Box::new(UnsyncedRename {
            guards,
            written: Recent::default(),
            all_synced_at: 0,
            clean_syncs: HashMap::new(),
            named: Recent::default(),
            cases: Cases::default(),
            flushed: Cases::default(),
            other_synced: Cases::default(),
            name_synced: Cases::default(),
        })
    },
};

const SYNCED: Guard =
    Guard { name: "synced", spares: "it was made to reach the device after the last write" };
const NOTHING_THERE: Guard = Guard {
    name: "nothing-there",
    spares: "nothing is replaced: what was there stays if the new one is lost",
};
const SCRATCH: Guard = Guard {
    name: "scratch",
    spares: "temporary and built files, and files in memory, are made again after a crash",
};
const OTHER_DIRTY: Guard = Guard {
    name: "other-dirty",
    spares: "the other file that was synced had something to be synced, or may be the same one",
};

const FIX: &str = "fsync the new file before the rename, and its directory after it";

const WORDS: Words = Words::danger(
    Severity::Warn,
    "rename() over a file without fsync() of the new one: after a crash it may be empty",
    FIX,
    "ext4 with auto_da_alloc and btrfs write the data out at such a rename by themselves",
);

const FLUSHED: Words = Words::danger(
    Severity::Info,
    "a file was replaced by a new one without fsync; this file system writes the data out at the rename, others may leave an empty file after a crash",
    FIX,
    "the program may run on this file system alone",
);

const OTHER_SYNCED: Words = Words::danger(
    Severity::High,
    "fsync of the wrong file: a file with nothing to sync was synced, and the new one that was then renamed was not",
    "fsync the descriptor that the new file was written through, before the rename",
    "the other path may lead to the same file by a link",
);

const NAME_SYNCED: Words = Words::danger(
    Severity::Warn,
    "a new file was renamed into place and its directory synced, but never the file: after a crash the name is there and its content may not be",
    "fsync the new file before the rename; the directory after it, as is done",
    "the content may be made again after a crash, or be known by a checksum to be incomplete",
);

/// Names that a directory got since it was synced, at most.
const NAMED: usize = 256;

#[derive(Debug)]
struct UnsyncedRename {
    guards: Guards,
    /// The last write to each place, by the number of its event.
    written: Recent<PlaceId, u64>,
    /// When everything was made to reach the device.
    all_synced_at: u64,
    /// By process: the last fsync of a file that had nothing to be synced.
    clean_syncs: HashMap<u32, (PlaceId, u64)>,
    /// By directory: what came there by a new name, with the last write to it, which was not synced.
    named: Recent<PlaceId, Vec<(PlaceId, u64)>>,
    cases: Cases,
    flushed: Cases,
    other_synced: Cases,
    name_synced: Cases,
}

impl Rule for UnsyncedRename {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Write, Kind::Copy, Kind::Sync, Kind::Rename, Kind::Exit])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Write { .. } if moment.bytes > 0 => {
                if let Some(place) = moment.plain_file().and_then(|file| file.place) {
                    self.written.insert(place, moment.when.number);
                }
            }
            FileAction::Copy { to, .. } if moment.is_ok() => {
                let entry = moment.world.descriptor(moment.thread(), moment.process(), *to);
                let file = entry.and_then(|entry| moment.world.file(entry.file));
                if let Some(place) = file.and_then(|file| file.place) {
                    self.written.insert(place, moment.when.number);
                }
            }
            FileAction::Sync { descriptor, .. } if moment.is_ok() && reaches_device(moment.event.call) => {
                if descriptor.is_none() || moment.event.call == "syncfs" {
                    self.all_synced_at = moment.when.number;
                } else {
                    self.synced(moment);
                }
            }
            FileAction::Rename { .. } if moment.is_ok() => self.renamed(moment),
            FileAction::Exit { whole: true, .. } => drop(self.clean_syncs.remove(&moment.process())),
            _ => {}
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![
            (&WORDS, &self.cases),
            (&FLUSHED, &self.flushed),
            (&OTHER_SYNCED, &self.other_synced),
            (&NAME_SYNCED, &self.name_synced),
        ]
    }
}

impl UnsyncedRename {
    fn synced(&mut self, moment: &Moment<'_>) {
        let places = &moment.world.places;
        if let Some(directory) = moment.file.and_then(|file| file.place) {
            self.name_is_synced(moment, directory);
        }
        let Some(place) = moment.plain_file().and_then(|file| file.place) else { return };
        let at = places.get(place);
        if !places.is_directory(place) && !self.guards.spare(OTHER_DIRTY, at.changed_at > at.synced_at) {
            self.clean_syncs.insert(moment.process(), (place, moment.when.number));
        }
    }

    /// What came to a directory is made to last by name; its content may not be.
    fn name_is_synced(&mut self, moment: &Moment<'_>, directory: PlaceId) {
        let mut named = self.named.remove(&directory).unwrap_or_default();
        let places = &moment.world.places;
        let synced_at = |place| places.get(place).synced_at.max(self.all_synced_at);
        named.retain(|(place, written)| !self.guards.spare(SYNCED, synced_at(*place) > *written));
        let Some((first, _)) = named.first() else { return };
        let mut scene = Scene::among(moment, Some(*first), &[*first]);
        for (place, _) in &named {
            scene.also_at(Some(*place), moment.world);
        }
        self.name_synced.add_scene(&scene, named.len() as u64, &[], moment.world);
    }

    fn renamed(&mut self, moment: &Moment<'_>) {
        let (Some(from), Some(to)) = (moment.judged_place(), moment.other_place) else { return };
        let (world, places) = (moment.world, &moment.world.places);
        if from == to {
            return;
        }
        let Some(written) = self.written.remove(&from) else { return };
        let synced_at = places.get(from).synced_at.max(self.all_synced_at);
        let is_in_memory = places.mount(to).is_some_and(fathom_events::Mount::is_in_memory);
        if self.guards.spare(SYNCED, synced_at > written)
            || self.guards.spare(SCRATCH, world.is_scratch(to) || is_in_memory)
        {
            return;
        }
        let other = self.clean_syncs.get(&moment.process()).filter(|(_, at)| *at > written);
        let is_other = |place: PlaceId| {
            let is_perhaps_same = places.name(place) == places.name(from);
            place != from && !self.guards.spare(OTHER_DIRTY, is_perhaps_same)
        };
        if other.is_some_and(|(place, _)| is_other(*place)) {
            self.other_synced.add_at(moment, Some(to), 1, &[]);
        } else if !self.guards.spare(NOTHING_THERE, places.get(to).exists != Some(true)) {
            let cases = if world.flushes_at_rename(to) { &mut self.flushed } else { &mut self.cases };
            cases.add_at(moment, Some(to), 1, &[]);
        } else if let Some(directory) = places.parent(to) {
            let named = self.named.entry(directory);
            named.retain(|(place, _)| *place != to);
            if named.len() < NAMED {
                named.push((to, written));
            }
        }
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, READ, Script};
    fn replace(script: &mut Script, path: &str, is_there: bool, is_synced: bool) {
        if is_there {
            let file = script.open(path, READ);
            script.close(file);
        }
        let new = format!("{path}.new");
        let file = script.open(&new, CREATE | crate::open_flags::EXCLUSIVE);
        script.write(file, 100);
        if is_synced {
            script.sync(file);
        }
        script.close(file);
        script.rename(&new, path);
    }
    /// The old file is synced, which nobody wrote to, and not the new one.
    fn sync_other(script: &mut Script, path: &str, is_dirty: bool) {
        let old = script.open(path, crate::script::BOTH);
        let new = script.open(&format!("{path}.new"), CREATE | crate::open_flags::EXCLUSIVE);
        script.write(new, 100);
        if is_dirty {
            script.write(old, 10);
        }
        script.sync(old);
        script.close(new);
        script.rename(&format!("{path}.new"), &format!("{path}.1"));
        script.close(old);
    }
    crate::trio::Trio {
        rule: 48,
        waste: |script| {
            (0..3).for_each(|_| replace(script, "/data/app.json", true, false));
            // One that was left by a crash, perhaps, and is written anew.
            script.stat("/data/b", 10);
            let file = script.open("/data/b.new", crate::script::TRUNCATE);
            script.write(file, 100);
            script.close(file);
            script.rename("/data/b.new", "/data/b");
            sync_other(script, "/data/c", false);
            // A new name, whose directory is made to last and its content not.
            replace(script, "/data/new/page", false, false);
            let directory = script.open("/data/new", READ | crate::open_flags::DIRECTORY);
            script.sync(directory);
            script.sync(directory);
        },
        count: 6,
        fixed: |script| (0..3).for_each(|_| replace(script, "/data/app.json", true, true)),
        look_alikes: &[
            ("synced", |script| replace(script, "/data/state", true, true)),
            ("nothing-there", |script| replace(script, "/data/first", false, false)),
            // It is synced after it got its name, and then its directory.
            ("synced", |script| {
                replace(script, "/data/late", false, false);
                let file = script.open("/data/late", READ);
                script.sync(file);
                let directory = script.open("/data", READ | crate::open_flags::DIRECTORY);
                script.sync(directory);
            }),
            ("scratch", |script| replace(script, "/data/target/out", true, false)),
            ("scratch", |script| replace(script, "/tmp/state", true, false)),
            ("scratch", |script| {
                script.mount("/run", "tmpfs", "rw");
                replace(script, "/run/state", true, false);
            }),
            ("synced", |script| {
                let file = script.open("/data/state", READ);
                script.close(file);
                let file = script.open("/data/state.new", CREATE | crate::open_flags::EXCLUSIVE);
                script.write(file, 100);
                script.works("sync", FileAction::Sync { descriptor: None, data_only: false });
                script.rename("/data/state.new", "/data/state");
            }),
            ("other-dirty", |script| sync_other(script, "/data/c", true)),
            ("", |script| {
                let new = script.open("/data/c.new", CREATE | crate::open_flags::EXCLUSIVE);
                script.write(new, 100);
                let directory = script.open("/data", READ);
                script.sync(directory);
                script.rename("/data/c.new", "/data/c.1");
            }),
            ("other-dirty", |script| {
                let new = script.open("/data/c.new", CREATE | crate::open_flags::EXCLUSIVE);
                script.write(new, 100);
                let by_link = script.open("/link/c.new", READ);
                script.sync(by_link);
                script.rename("/data/c.new", "/data/c.1");
            }),
        ],
    }
};

#[cfg(test)]
mod tests {
    use crate::auditor::Auditor;
    use crate::finding::Severity::{High, Info, Warn};
    use crate::script::Script;

    #[test]
    fn what_the_file_system_flushes_by_itself_fails_nothing() {
        let severities = |file_system: &str, options: &str| {
            let mut script = Script::new();
            script.mount("/data", file_system, options);
            (super::TRIO.waste)(&mut script);
            let mut found = script.findings(crate::rule::Guards::default());
            found.retain(|finding| finding.rule == super::FACTS.id);
            let mut told: Vec<_> = found.iter().map(|one| (one.severity, one.count)).collect();
            told.sort_unstable();
            told
        };
        let found = severities("ext4", "rw");
        assert_eq!(found, [(High, 1), (Warn, 1), (Info, 4)], "the wrong file stays one, and a new name");
        assert_eq!(severities("ext4", "rw,noauto_da_alloc"), [(High, 1), (Warn, 1), (Warn, 4)]);
        assert_eq!(severities("xfs", "rw"), [(High, 1), (Warn, 1), (Warn, 4)]);
    }

    #[test]
    fn where_a_project_lies_makes_its_files_no_scratch() {
        let found = |start: &str| {
            let mut script = Script::new();
            let scratch = super::TRIO.look_alikes.iter().filter(|(name, _)| *name == "scratch");
            scratch.take(2).for_each(|(_, program)| program(&mut script));
            let mut auditor = Auditor::new().starting_in(start);
            script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
            let findings = auditor.finish().findings;
            findings
                .iter()
                .filter(|finding| finding.rule == super::FACTS.id)
                .map(|one| one.count)
                .sum::<u64>()
        };
        assert_eq!((found("/home/someone"), found("/tmp")), (0, 0));
        // A project that lies where others build: what it writes is its own.
        assert_eq!(found("/data/target"), 1);
    }
}
