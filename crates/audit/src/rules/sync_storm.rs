//! R46: fsync of what is on the device already; and, without a price, fsync after every record
//! of a bulk load. A commit that somebody waits for is neither.

use crate::cases::{Cases, Scene};
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::{Moment, When};
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{OpenFile, PlaceId, World, reaches_device};
use fathom_events::{FileAction, FileKind, Mount};
use std::collections::HashMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(46),
    name: "fsync-storm",
    needs: "writes and fsync; a clock for the rate",
    guards: &[FIRST, DIRTY, METADATA, SLOW, ANSWERED, IN_MEMORY],
    begin: |guards| {
        Box::new(SyncStorm {
            guards,
            files: Recent::default(),
            answered: HashMap::new(),
            clean: Cases::default(),
            each: Cases::default(),
        })
    },
};

const FIRST: Guard =
    Guard { name: "first", spares: "what was written before the trace, or by others, may still have to go" };
const DIRTY: Guard = Guard { name: "dirty", spares: "something was written since the last fsync" };
const METADATA: Guard = Guard {
    name: "metadata",
    spares: "fsync after fdatasync: the times and other metadata may still have to go",
};
const ANSWERED: Guard = Guard {
    name: "answered",
    spares: "it hears from somebody or answers between: each record is promised to last",
};
const IN_MEMORY: Guard =
    Guard { name: "in-memory", spares: "the file lies in memory: there is no device for it to reach" };
const SLOW: Guard = Guard { name: "slow", spares: "less than five in a second" };

/// From this many on their rate is looked at.
const HABIT: u64 = 20;
/// Five in a second: the ns between two.
const APART_NS: u64 = 200_000_000;

const CLEAN: Words = Words::cost(
    "fsync() with nothing written since the last one",
    "keep whether something was written, and skip fsync when nothing was; it costs hundreds of microseconds all the same",
    "another program may have written the same file",
);

/// Whether the records could share an fsync the trace does not show: so nothing is priced.
const EACH: Words = Words::cost(
    "perhaps too many fsyncs: one after every few writes, many times a second, and nobody was answered between",
    "if no single record is promised to last, fsync once after several (group commit); if each is, keep them",
    "each record has to last before the next is written",
);

#[derive(Debug)]
struct SyncStorm {
    guards: Guards,
    files: Recent<PlaceId, Syncs>,
    /// The last event in which a process read from or wrote to somebody else.
    answered: HashMap<u32, u64>,
    clean: Cases,
    each: Cases,
}

#[derive(Debug, Default)]
struct Syncs {
    count: u64,
    clean: u64,
    is_answered: bool,
    first: When,
    last: When,
    was_data_only: bool,
    scene: Option<Scene>,
}

impl Rule for SyncStorm {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Sync, Kind::Read, Kind::Write])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let data_only = match (moment.action(), moment.file) {
            (FileAction::Sync { descriptor: Some(_), data_only }, _) if reaches_device(moment.event.call) => {
                *data_only
            }
            (FileAction::Read { .. } | FileAction::Write { .. }, Some(file)) if is_peer(file) => {
                self.answered.insert(moment.process(), moment.when.number);
                return;
            }
            _ => return,
        };
        let Some(place) =
            moment.file.filter(|_| moment.is_judged() && moment.is_ok()).and_then(|file| file.place)
        else {
            return;
        };
        let is_in_memory = moment.world.places.mount(place).is_some_and(Mount::is_in_memory);
        if self.guards.spare(IN_MEMORY, is_in_memory) {
            return;
        }
        let at = moment.world.places.get(place);
        let syncs = self.files.entry(place);
        let is_first = at.synced_at == 0;
        let is_dirty = at.changed_at > at.synced_at || at.inside_changed_at > at.synced_at;
        if !self.guards.spare(FIRST, is_first && !is_dirty)
            && !self.guards.spare(DIRTY, is_dirty)
            && !self.guards.spare(METADATA, syncs.was_data_only && !data_only)
        {
            self.clean.claim(moment, &[moment.claim()]);
            syncs.clean += 1;
        }
        if syncs.count == 0 {
            syncs.first = moment.when;
        }
        let answered = self.answered.get(&moment.process()).copied().unwrap_or(0);
        syncs.is_answered |= syncs.count > 0 && answered > syncs.last.number;
        syncs.count += 1;
        syncs.last = moment.when;
        syncs.was_data_only = data_only;
        if syncs.count == HABIT {
            syncs.scene = Some(Scene::of(moment));
        }
    }

    fn finish(&mut self, world: &World) {
        let mut files: Vec<_> = self.files.iter().collect();
        files.sort_by_key(|(place, _)| **place);
        for (_, syncs) in files {
            let dirty = syncs.count - syncs.clean;
            let Some(scene) = &syncs.scene else { continue };
            let is_slow = syncs.first.is_apart(syncs.last, APART_NS * (syncs.count - 1));
            if dirty >= HABIT
                && !self.guards.spare(SLOW, is_slow)
                && !self.guards.spare(ANSWERED, syncs.is_answered)
            {
                self.each.add_scene(scene, dirty, &[], world);
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&CLEAN, &self.clean), (&EACH, &self.each)]
    }
}

/// True of a pipe, a socket, and of the standard streams wherever they lead.
fn is_peer(file: &OpenFile) -> bool {
    let is_odd = matches!(file.kind, Some(FileKind::Pipe | FileKind::Socket));
    is_odd || file.is_stream || file.is_inherited && file.place.is_none()
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script, TRUNCATE};
    fn records(script: &mut Script, count: usize, ms: u64) {
        let file = script.open("/data/journal", TRUNCATE);
        for _ in 0..count {
            script.write(file, 4096);
            script.sync(file);
            script.wait_ms(ms);
        }
        script.close(file);
    }
    crate::trio::Trio {
        rule: 46,
        waste: |script| {
            records(script, 25, 1);
            let file = script.open("/data/b", TRUNCATE);
            script.write(file, 10);
            (0..4).for_each(|_| script.sync(file));
        },
        count: 25 + 3,
        fixed: |script| {
            let file = script.open("/data/journal", TRUNCATE);
            (0..25).for_each(|_| script.write(file, 4096));
            script.sync(file);
            script.close(file);
        },
        look_alikes: &[
            ("first", |script| {
                let file = script.open("/data/old", READ);
                script.sync(file);
            }),
            ("dirty", |script| records(script, 3, 1)),
            ("in-memory", |script| {
                script.mount("/data", "tmpfs", "rw");
                records(script, 25, 1);
            }),
            ("metadata", |script| {
                let file = script.open("/data/b", TRUNCATE);
                script.write(file, 10);
                script.works("fdatasync", FileAction::Sync { descriptor: Some(file), data_only: true });
                script.sync(file);
            }),
            ("answered", |script| {
                let file = script.open("/data/journal", TRUNCATE);
                for _ in 0..25 {
                    script.write(file, 4096);
                    script.sync(file);
                    script.write(1, 3);
                }
            }),
            ("answered", |script| {
                let file = script.open("/data/journal", TRUNCATE);
                for record in 0..25 {
                    script.write(file, 4096);
                    script.sync(file);
                    if record == 12 {
                        script.write(1, 3);
                    }
                }
            }),
            ("", |script| {
                let file = script.open("/data/b", TRUNCATE);
                script.write(file, 10);
                script.works("sync_file_range", FileAction::Sync { descriptor: Some(file), data_only: true });
                script.sync(file);
            }),
            ("slow", |script| records(script, 25, 400)),
        ],
    }
};
