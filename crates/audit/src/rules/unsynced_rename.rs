//! R48: a new file put in the place of an old one before it has reached the device.

use crate::cases::Cases;
use crate::finding::RuleId;
use crate::finding::Severity;
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::FileAction;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(48),
    name: "rename-without-fsync",
    needs: "writes, fsync and rename",
    guards: &[SYNCED, NOTHING_THERE, SCRATCH],
    begin: |guards| Box::new(UnsyncedRename { guards, written: Recent::default(), cases: Cases::default() }),
};

const SYNCED: Guard =
    Guard { name: "synced", spares: "it was made to reach the device after the last write" };
const NOTHING_THERE: Guard = Guard {
    name: "nothing-there",
    spares: "nothing is replaced: what was there stays if the new one is lost",
};
const SCRATCH: Guard =
    Guard { name: "scratch", spares: "temporary and built files are made again after a crash" };

const WORDS: Words = Words::danger(
    Severity::Warn,
    "a file was replaced by a new one that had not been made to reach the device: after a crash it may be empty",
    "fsync the new file before the rename, and its directory after it",
    "ext4 with auto_da_alloc and btrfs write the data out at such a rename by themselves",
);

#[derive(Debug)]
struct UnsyncedRename {
    guards: Guards,
    /// The last write to each place, by the number of its event.
    written: Recent<PlaceId, u64>,
    cases: Cases,
}

impl Rule for UnsyncedRename {
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
            FileAction::Rename { .. } if moment.is_ok() => self.renamed(moment),
            _ => {}
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

impl UnsyncedRename {
    fn renamed(&mut self, moment: &Moment<'_>) {
        let (Some(from), Some(to)) = (moment.judged_place(), moment.other_place) else { return };
        let places = &moment.world.places;
        if from != to
            && let Some(written) = self.written.remove(&from)
            && !self.guards.spare(SYNCED, places.get(from).synced_at > written)
            && !self.guards.spare(NOTHING_THERE, places.get(to).exists != Some(true))
            && !self.guards.spare(SCRATCH, is_scratch(moment.world, to))
        {
            self.cases.add_at(moment, Some(to), 1, &[]);
        }
    }
}

/// Where a whole project lies says nothing of its files: names of folders count below the
/// directory in which the program was started.
fn is_scratch(world: &World, place: PlaceId) -> bool {
    const TEMPORARY: [&str; 3] = ["/tmp/", "/var/tmp/", "/dev/shm/"];
    const BUILT: [&str; 5] = ["/target/", "/build/", "/.cache/", "/node_modules/", "/__pycache__/"];
    let starts_there = |folder: &str| world.start_path() == Some(folder.trim_end_matches('/'));
    let (path, from_start) = (world.places.path(place), world.path_from_start(place));
    TEMPORARY
        .iter()
        .any(|folder| from_start.starts_with(folder) || (starts_there(folder) && path.starts_with(folder)))
        || BUILT.iter().any(|folder| from_start.contains(folder))
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
        },
        count: 4,
        fixed: |script| (0..3).for_each(|_| replace(script, "/data/app.json", true, true)),
        look_alikes: &[
            ("synced", |script| replace(script, "/data/state", true, true)),
            ("nothing-there", |script| replace(script, "/data/first", false, false)),
            ("scratch", |script| replace(script, "/data/target/out", true, false)),
            ("scratch", |script| replace(script, "/tmp/state", true, false)),
        ],
    }
};

#[cfg(test)]
mod tests {
    use crate::auditor::Auditor;
    use crate::script::Script;

    #[test]
    fn where_a_project_lies_makes_its_files_no_scratch() {
        let found = |start: &str| {
            let mut script = Script::new();
            super::TRIO.look_alikes.iter().for_each(|(_, program)| program(&mut script));
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
