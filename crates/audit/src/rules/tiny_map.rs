//! R37: a small file mapped to be read and unmapped again.

use crate::cases::Cases;
use crate::cases::Scene;
use crate::claims::Claim;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use fathom_events::FileAction;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(37),
    name: "mmap-of-tiny-file",
    needs: "mmap with its address, munmap",
    guards: &[EXECUTABLE, SHARED_MEMORY, LARGE],
    begin: |guards| Box::new(TinyMap { guards, maps: Recent::default(), cases: Cases::default() }),
};

const EXECUTABLE: Guard = Guard { name: "executable", spares: "code must be mapped to run" };
const SHARED_MEMORY: Guard =
    Guard { name: "shared-memory", spares: "it is written through the mapping: processes talk by it" };
const LARGE: Guard = Guard { name: "large", spares: "a large mapping saves a copy" };

/// `PROT_EXEC`, `PROT_WRITE` and `MAP_SHARED`.
const EXECUTE: u32 = 4;
const WRITE: u32 = 2;
const SHARED: u32 = 1;
/// Below this a copy is cheaper than a mapping.
const TINY_BYTES: u64 = 16 * 1024;

const WORDS: Words = Words::cost(
    "small file mapped and unmapped: read() is cheaper",
    "read small files; map from some hundred KiB on, or where a file is read again and again",
    "the mapping may be handed to code that needs one",
);

#[derive(Debug)]
struct TinyMap {
    guards: Guards,
    maps: Recent<(u32, i64), Mapping>,
    cases: Cases,
}

#[derive(Debug)]
struct Mapping {
    scene: Scene,
    call: Claim,
}

impl Rule for TinyMap {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Map, Kind::Unmap])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Map { descriptor: Some(_), bytes, protection, flags, .. } => {
                let Some(address) = moment.event.outcome.value().filter(|_| moment.plain_file().is_some())
                else {
                    return;
                };
                let is_talk = flags & SHARED != 0 && protection & WRITE != 0;
                if self.guards.spare(EXECUTABLE, protection & EXECUTE != 0)
                    || self.guards.spare(SHARED_MEMORY, is_talk)
                    || self.guards.spare(LARGE, *bytes > TINY_BYTES)
                {
                    return;
                }
                let mapping = Mapping { scene: Scene::of(moment), call: moment.claim() };
                self.maps.insert((moment.process(), address), mapping);
            }
            FileAction::Unmap { address, .. } if moment.is_ok() => {
                let key = i64::try_from(*address).map(|address| (moment.process(), address));
                if let Some(mapping) = key.ok().and_then(|key| self.maps.remove(&key)) {
                    let calls = [mapping.call, moment.claim()].into_iter().collect();
                    self.cases.claim_scene(&mapping.scene, 1, &calls, moment.world);
                }
            }
            _ => {}
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{BOTH, READ, Script};
    use fathom_events::CallOutcome;
    fn map(script: &mut Script, open: u32, bytes: u64, protection: u32, flags: u32) {
        let file = script.open("/data/index", open);
        script.fstat(file, bytes);
        let action = FileAction::Map { descriptor: Some(file), offset: 0, bytes, protection, flags };
        script.call("mmap", action, CallOutcome::Value(0x7f12_0000_0000));
        script.close(file);
        script.works("munmap", FileAction::Unmap { address: 0x7f12_0000_0000, bytes });
    }
    crate::trio::Trio {
        rule: 37,
        waste: |script| (0..8).for_each(|_| map(script, READ, 4096, 1, 2)),
        count: 8,
        fixed: |script| {
            let file = script.open("/data/index", READ);
            script.read(file, 4096, 4000);
            script.close(file);
        },
        look_alikes: &[
            ("executable", |script| map(script, READ, 4096, 5, 2)),
            ("shared-memory", |script| map(script, BOTH, 4096, 3, 1)),
            ("large", |script| map(script, READ, 1 << 22, 1, 2)),
        ],
    }
};
