//! R46: fsync of what is on the device already, and fsync after every record.

use crate::call_key::{Amount, CallKey};
use crate::cases::{Cases, Scene};
use crate::finding::RuleId;
use crate::moment::{Moment, When};
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::FileAction;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(46),
    name: "fsync-storm",
    needs: "writes and fsync; a clock for the rate",
    guards: &[FIRST, DIRTY, SLOW],
    begin: |guards| {
        Box::new(SyncStorm {
            guards,
            files: Recent::default(),
            clean: Cases::default(),
            each: Cases::default(),
        })
    },
};

const FIRST: Guard =
    Guard { name: "first", spares: "what was written before the trace, or by others, may still have to go" };
const DIRTY: Guard = Guard { name: "dirty", spares: "something was written since the last fsync" };
const SLOW: Guard = Guard { name: "slow", spares: "less than five in a second" };

/// From this many on their rate is looked at.
const HABIT: u64 = 20;
/// Five in a second: the ns between two.
const APART_NS: u64 = 200_000_000;

const CLEAN: Words = Words::cost(
    "fsync was asked for although nothing was written since the last one",
    "keep whether something was written, and skip fsync when nothing was; it costs hundreds of microseconds all the same",
    "another program may have written the same file",
);

const EACH: Words = Words::cost(
    "a file was made to reach the device after every few writes, many times a second",
    "if each record is promised to last, this is the price of the promise: gather several records for one fsync (group commit), and use fdatasync where the size stays; do not drop it",
    "a database must do this before it answers: then it is a contract, not a waste",
);

#[derive(Debug)]
struct SyncStorm {
    guards: Guards,
    files: Recent<PlaceId, Syncs>,
    clean: Cases,
    each: Cases,
}

#[derive(Debug, Default)]
struct Syncs {
    count: u64,
    clean: u64,
    first: When,
    last: When,
    key: Option<(CallKey, Amount)>,
    scene: Option<Scene>,
}

impl Rule for SyncStorm {
    fn observe(&mut self, moment: &Moment<'_>) {
        let FileAction::Sync { descriptor: Some(_), .. } = moment.action() else { return };
        let Some(place) =
            moment.file.filter(|_| moment.is_judged() && moment.is_ok()).and_then(|file| file.place)
        else {
            return;
        };
        let at = moment.world.places.get(place);
        let syncs = self.files.entry(place);
        let is_first = at.synced_at == 0;
        let is_dirty = at.changed_at > at.synced_at || at.inside_changed_at > at.synced_at;
        if !self.guards.spare(FIRST, is_first && !is_dirty) && !self.guards.spare(DIRTY, is_dirty) {
            self.clean.add(moment, &[moment.avoidable()]);
            syncs.clean += 1;
        }
        if syncs.count == 0 {
            syncs.first = moment.when;
        }
        syncs.count += 1;
        syncs.last = moment.when;
        syncs.key = Some(moment.avoidable());
        if syncs.count == HABIT {
            syncs.scene = Some(Scene::of(moment));
        }
    }

    fn finish(&mut self, world: &World) {
        let mut files: Vec<_> = self.files.iter().collect();
        files.sort_by_key(|(place, _)| **place);
        for (_, syncs) in files {
            let dirty = syncs.count - syncs.clean;
            let (Some(scene), Some((key, _))) = (&syncs.scene, syncs.key) else { continue };
            let is_slow = syncs.first.is_apart(syncs.last, APART_NS * (syncs.count - 1));
            if dirty >= HABIT && !self.guards.spare(SLOW, is_slow) {
                self.each.add_scene(scene, dirty, &[(key, Amount { calls: dirty - 1, bytes: 0 })], world);
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&CLEAN, &self.clean), (&EACH, &self.each)]
    }
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
            ("slow", |script| records(script, 25, 400)),
        ],
    }
};
