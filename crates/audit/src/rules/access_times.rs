//! R44: reading notes the time of each access, where the mount asks for it.

use crate::cases::{Cases, Scene};
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, World};
use fathom_events::FileAction;
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(44),
    name: "access-times",
    needs: "what is mounted where and how; the first access after a change, which relatime notes, is not seen",
    guards: &[RELATIVE, ASKS_NOT, IN_MEMORY, FEW],
    begin: |guards| {
        Box::new(AccessTimes {
            guards,
            read: Recent::default(),
            files: BTreeMap::new(),
            cases: Cases::default(),
        })
    },
};

const RELATIVE: Guard = Guard {
    name: "relative",
    spares: "the mount notes no access (noatime), or the first after a change alone (relatime)",
};
const ASKS_NOT: Guard = Guard { name: "asks-not", spares: "the file was opened with O_NOATIME" };
const IN_MEMORY: Guard = Guard { name: "in-memory", spares: "a file system in memory has no inode to write" };
const FEW: Guard = Guard { name: "few", spares: "some files: their inodes are written once, if at all" };

/// `O_NOATIME`.
const NO_ACCESS_TIME: u32 = 0x4_0000;
/// From this many files on it is worth a word.
const HABIT: u64 = 100;

const WORDS: Words = Words::cost(
    "many files read on a file system that updates access times at every read",
    "mount it with relatime or noatime, or open with O_NOATIME, which the owner of a file may",
    "something may rely on the times of access",
);

#[derive(Debug)]
struct AccessTimes {
    guards: Guards,
    read: Recent<FileNumber, ()>,
    files: BTreeMap<u32, (u64, Scene)>,
    cases: Cases,
}

impl Rule for AccessTimes {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Read]).if_ok()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.plain_file() else { return };
        let is_read = matches!(moment.action(), FileAction::Read { .. }) && moment.bytes > 0;
        let mount = file.place.filter(|_| is_read).and_then(|place| moment.world.places.mount(place));
        let Some(mount) = mount else { return };
        if self.read.get(&file.number).is_some()
            || self.guards.spare(RELATIVE, !mount.notes_every_access())
            || self.guards.spare(IN_MEMORY, mount.is_in_memory())
            || self.guards.spare(ASKS_NOT, open_flags::has(file.flags, NO_ACCESS_TIME))
        {
            return;
        }
        self.read.insert(file.number, ());
        self.files.entry(moment.process()).or_insert_with(|| (0, Scene::of(moment))).0 += 1;
    }

    fn finish(&mut self, world: &World) {
        for (count, scene) in std::mem::take(&mut self.files).into_values() {
            if !self.guards.spare(FEW, count < HABIT) {
                self.cases.add_scene(&scene, count, &[], world);
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    fn read_files(script: &mut Script, options: &str, flags: u32, times: usize) {
        read_files_of(script, "ext4", options, flags, times);
    }
    fn read_files_of(script: &mut Script, kind: &str, options: &str, flags: u32, times: usize) {
        script.mount("/data", kind, options);
        for file in 0..times {
            let file = script.open(&format!("/data/{file}"), flags);
            script.read(file, 4096, 100);
            script.close(file);
        }
    }
    crate::trio::Trio {
        rule: 44,
        waste: |script| read_files(script, "rw,nosuid", READ, 107),
        count: 107,
        fixed: |script| read_files(script, "rw,noatime", READ, 107),
        look_alikes: &[
            ("relative", |script| read_files(script, "rw,relatime", READ, 107)),
            ("in-memory", |script| read_files_of(script, "tmpfs", "rw", READ, 107)),
            ("asks-not", |script| read_files(script, "rw", READ | NO_ACCESS_TIME, 107)),
            ("few", |script| read_files(script, "rw", READ, 12)),
        ],
    }
};
