//! R48: a new file put in the place of an old one before it has reached the device.

use crate::cases::Cases;
use crate::finding::RuleId;
use crate::finding::Severity;
use crate::moment::Moment;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use fathom_events::FileAction;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(48),
    name: "rename-without-fsync",
    needs: "writes, fsync and rename",
    guards: &[SYNCED, NOTHING_THERE, SCRATCH],
    begin: |guards| Box::new(UnsyncedRename { guards, cases: Cases::default() }),
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
    cases: Cases,
}

impl Rule for UnsyncedRename {
    fn observe(&mut self, moment: &Moment<'_>) {
        let FileAction::Rename { .. } = moment.action() else { return };
        let (Some(from), Some(to)) = (moment.judged_place().filter(|_| moment.is_ok()), moment.other_place)
        else {
            return;
        };
        let places = &moment.world.places;
        let new = places.get(from);
        let is_written = new.is_made && new.changed_at > 0 && new.changed_at != u64::MAX;
        if from != to
            && is_written
            && !self.guards.spare(SYNCED, new.synced_at > new.changed_at)
            && !self.guards.spare(NOTHING_THERE, places.get(to).exists != Some(true))
            && !self.guards.spare(SCRATCH, is_scratch(places.path(to)))
        {
            self.cases.add_at(moment, Some(to), 1, &[]);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

fn is_scratch(path: &str) -> bool {
    const FOLDERS: [&str; 8] = [
        "/tmp/",
        "/var/tmp/",
        "/dev/shm/",
        "/target/",
        "/build/",
        "/.cache/",
        "/node_modules/",
        "/__pycache__/",
    ];
    FOLDERS.iter().any(|folder| path.contains(folder))
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
        waste: |script| (0..3).for_each(|_| replace(script, "/data/app.json", true, false)),
        count: 3,
        fixed: |script| (0..3).for_each(|_| replace(script, "/data/app.json", true, true)),
        look_alikes: &[
            ("synced", |script| replace(script, "/data/state", true, true)),
            ("nothing-there", |script| replace(script, "/data/first", false, false)),
            ("scratch", |script| replace(script, "/data/target/out", true, false)),
        ],
    }
};
