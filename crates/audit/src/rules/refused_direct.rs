//! R40: reads and writes with `O_DIRECT` that were refused because they are not aligned.

use crate::call_key::EINVAL;
use crate::cases::{Cases, Scene};
use crate::claims::Claims;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::World;
use fathom_events::FileAction;
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(40),
    name: "unaligned-direct",
    needs: "errnos of reads and writes; which writes of a part of a page made the kernel read is not seen",
    guards: &[PROBE, BUFFERED],
    begin: |guards| Box::new(RefusedDirect { guards, refused: BTreeMap::new(), cases: Cases::default() }),
};

const PROBE: Guard =
    Guard { name: "probe", spares: "a program learns the alignment by trying, once or twice" };
const BUFFERED: Guard = Guard {
    name: "buffered",
    spares: "without O_DIRECT nothing has to be aligned: the refusal has another reason",
};

/// From this many refusals on it is a habit.
const HABIT: u64 = 4;

const WORDS: Words = Words::cost(
    "read() or write() with O_DIRECT refused (EINVAL): offset, size or memory not aligned",
    "ask statx for STATX_DIOALIGN once and align offset, size and memory to it; read the odd end of a file without O_DIRECT",
    "the file system may refuse O_DIRECT for another reason",
);

#[derive(Debug)]
struct RefusedDirect {
    guards: Guards,
    refused: BTreeMap<u32, Refused>,
    cases: Cases,
}

#[derive(Debug, Default)]
struct Refused {
    count: u64,
    calls: Claims,
    scene: Option<Scene>,
}

impl Rule for RefusedDirect {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Read, Kind::Write]).unless_ok()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let is_transfer = matches!(moment.action(), FileAction::Read { .. } | FileAction::Write { .. });
        let Some(file) = moment.plain_file().filter(|_| is_transfer && moment.errno() == Some(EINVAL)) else {
            return;
        };
        if self.guards.spare(BUFFERED, !open_flags::has(file.flags, open_flags::DIRECT)) {
            return;
        }
        let refused = self.refused.entry(moment.process()).or_default();
        refused.count += 1;
        refused.calls.push(moment.claim());
        refused.scene.get_or_insert_with(|| Scene::of(moment));
    }

    fn finish(&mut self, world: &World) {
        for refused in std::mem::take(&mut self.refused).into_values() {
            let Some(scene) = &refused.scene else { continue };
            if !self.guards.spare(PROBE, refused.count < HABIT) {
                self.cases.claim_scene(scene, refused.count, &refused.calls, world);
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
    fn read_odd(script: &mut Script, flags: u32, times: u64) {
        let file = script.open("/data/a", flags);
        for record in 0..times {
            let action =
                FileAction::Read { descriptor: file, bytes: 100, offset: Some(record * 100), pieces: 1 };
            script.fails("pread64", action, EINVAL);
        }
        script.close(file);
    }
    crate::trio::Trio {
        rule: 40,
        waste: |script| read_odd(script, READ | open_flags::DIRECT, 7),
        count: 7,
        fixed: |script| {
            let file = script.open("/data/a", READ | open_flags::DIRECT);
            (0..7).for_each(|block| script.read_at(file, 4096, 4096, block * 4096));
            script.close(file);
        },
        look_alikes: &[
            ("probe", |script| read_odd(script, READ | open_flags::DIRECT, 1)),
            ("buffered", |script| read_odd(script, READ, 7)),
        ],
    }
};
