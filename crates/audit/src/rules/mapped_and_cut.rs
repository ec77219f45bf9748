//! R39: a file is mapped that others may cut: touching what is gone kills the program.

use crate::cases::{Cases, Scene};
use crate::finding::{RuleId, Severity};
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::PlaceId;
use fathom_events::FileAction;
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(39),
    name: "mmap-of-truncatable-file",
    needs: "mmap and munmap with addresses, ftruncate, flags of open",
    guards: &[GROWS, UNMAPPED, CODE, OWN_LOG, WRITER],
    begin: |guards| {
        Box::new(MappedAndCut {
            guards,
            maps: Recent::default(),
            mapped: BTreeMap::new(),
            cut: Cases::default(),
            logs: Cases::default(),
        })
    },
};

const GROWS: Guard =
    Guard { name: "grows", spares: "the file was made longer, or was not longer than it is afterwards" };
const UNMAPPED: Guard = Guard { name: "unmapped", spares: "the mapping was gone when the file was cut" };
const CODE: Guard = Guard { name: "code", spares: "a program or a library: it is replaced, not cut" };
const OWN_LOG: Guard =
    Guard { name: "own-log", spares: "the program writes that log itself: it knows when it is cut" };

const WRITER: Guard = Guard {
    name: "writer",
    spares: "the process that writes the file through the mapping cuts it itself: it knows where it ends",
};

/// `PROT_WRITE` and `PROT_EXEC`, `MAP_SHARED`.
const WRITE: u32 = 2;
const EXECUTE: u32 = 4;
const SHARED: u32 = 1;

const CUT: Words = Words::danger(
    Severity::Warn,
    "mapped file truncated: touching the lost pages kills the program (SIGBUS)",
    "read the file instead of mapping it, replace files by rename instead of cutting them, or handle SIGBUS",
    "the program may not touch the mapping any more, or handle the signal",
);

const LOGS: Words = Words::danger(
    Severity::Info,
    "log file mapped that another program may truncate: touching lost pages kills the program (SIGBUS)",
    "read logs instead of mapping them",
    "logs that are rotated by renaming alone are never cut",
);

#[derive(Debug)]
struct MappedAndCut {
    guards: Guards,
    /// By process and address.
    maps: Recent<(u32, u64), Mapping>,
    /// By place: which of them are there.
    mapped: BTreeMap<PlaceId, Vec<(u32, u64)>>,
    cut: Cases,
    logs: Cases,
}

#[derive(Debug)]
struct Mapping {
    place: PlaceId,
    /// Where in the file it ends.
    end: u64,
    is_writer: bool,
    is_told: bool,
}

impl Rule for MappedAndCut {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Map, Kind::Unmap, Kind::Execute, Kind::Truncate, Kind::Open]).if_ok()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Map { descriptor: Some(_), offset, bytes, protection, flags } if moment.is_ok() => {
                let is_code = protection & EXECUTE != 0;
                if !self.guards.spare(CODE, is_code) {
                    let is_writer = protection & WRITE != 0 && flags & SHARED != 0;
                    self.map(moment, offset.saturating_add(*bytes), is_writer);
                }
            }
            FileAction::Unmap { address, .. } if moment.is_ok() => {
                let key = (moment.process(), *address);
                if self.guards.spare(UNMAPPED, true) {
                    self.forget(key);
                }
            }
            FileAction::Execute { .. } if moment.is_ok() => {
                let own = self.mapped.values().flatten().filter(|(process, _)| *process == moment.process());
                for key in own.copied().collect::<Vec<_>>() {
                    self.forget(key);
                }
            }
            FileAction::Truncate { bytes, .. } if moment.is_ok() => self.cut(moment, *bytes),
            FileAction::Open { flags, .. }
                if moment.is_ok() && open_flags::has(*flags, open_flags::TRUNCATE) =>
            {
                self.cut(moment, 0);
            }
            _ => {}
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&CUT, &self.cut), (&LOGS, &self.logs)]
    }
}

impl MappedAndCut {
    fn map(&mut self, moment: &Moment<'_>, end: u64, is_writer: bool) {
        let Some(file) = moment.plain_file() else { return };
        let (Some(place), Some(address)) = (file.place, moment.value()) else { return };
        // A mapping may be longer than the file.
        let end = file.size_bytes.map_or(end, |size| end.min(size));
        let key = (moment.process(), address);
        self.maps.insert(key, Mapping { place, end, is_writer, is_told: false });
        let mapped = self.mapped.entry(place).or_default();
        if !mapped.contains(&key) {
            mapped.push(key);
        }
        let places = &moment.world.places;
        let is_own = open_flags::can_write(file.flags) || places.get(place).is_made;
        if is_log(places.path(place)) && !self.guards.spare(OWN_LOG, is_own) {
            self.logs.add(moment, &[]);
        }
    }

    fn forget(&mut self, key: (u32, u64)) {
        let Some(mapping) = self.maps.remove(&key) else { return };
        if let Some(mapped) = self.mapped.get_mut(&mapping.place) {
            mapped.retain(|other| *other != key);
            if mapped.is_empty() {
                self.mapped.remove(&mapping.place);
            }
        }
    }

    fn cut(&mut self, moment: &Moment<'_>, bytes: u64) {
        let Some(place) = moment.any_place().filter(|_| moment.is_judged()) else { return };
        for key in self.mapped.get(&place).cloned().unwrap_or_default() {
            let is_there = moment.world.process(key.0).is_some();
            let Some(mapping) = self.maps.get_mut(&key).filter(|mapping| !mapping.is_told) else { continue };
            let is_own = mapping.is_writer && key.0 == moment.process();
            if is_there
                && !self.guards.spare(GROWS, bytes >= mapping.end)
                && !self.guards.spare(WRITER, is_own)
            {
                mapping.is_told = true;
                self.cut.add_scene(&Scene::at(moment, Some(place)), 1, &[], moment.world);
            }
        }
    }
}

fn is_log(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_among_logs = path.starts_with("/var/log/") && !path.starts_with("/var/log/journal/");
    is_among_logs || name.split('.').skip(1).any(|part| part == "log")
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{BOTH, READ, Script};
    use fathom_events::CallOutcome;
    fn map(script: &mut Script, path: &str, flags: u32, protection: u32) {
        let shared = if protection == 3 { 1 } else { 2 };
        let file = script.open(path, flags);
        script.fstat(file, 100_000);
        let action =
            FileAction::Map { descriptor: Some(file), offset: 0, bytes: 102_400, protection, flags: shared };
        script.call("mmap", action, CallOutcome::Value(0x7f12_0000_0000));
        script.close(file);
    }
    fn cut(script: &mut Script, path: &str, bytes: u64) {
        let file = script.open(path, BOTH);
        script.truncate(file, bytes);
        script.close(file);
    }
    crate::trio::Trio {
        rule: 39,
        waste: |script| {
            map(script, "/data/table", READ, 1);
            cut(script, "/data/table", 50_000);
            map(script, "/var/log/messages", READ, 1);
        },
        count: 2,
        fixed: |script| {
            let file = script.open("/data/table", READ);
            script.fstat(file, 100_000);
            script.read(file, 100_000, 100_000);
            script.close(file);
            cut(script, "/data/table", 50_000);
        },
        look_alikes: &[
            ("grows", |script| {
                map(script, "/data/table", READ, 1);
                cut(script, "/data/table", 200_000);
            }),
            ("unmapped", |script| {
                map(script, "/data/table", READ, 1);
                script.works("munmap", FileAction::Unmap { address: 0x7f12_0000_0000, bytes: 102_400 });
                cut(script, "/data/table", 0);
            }),
            ("code", |script| {
                map(script, "/data/plugin", READ, 5);
                cut(script, "/data/plugin", 0);
            }),
            ("own-log", |script| map(script, "/data/app.log", BOTH, 1)),
            ("writer", |script| {
                map(script, "/data/table", BOTH, 3);
                cut(script, "/data/table", 50_000);
            }),
            ("", |script| map(script, "/data/table", READ, 1)),
        ],
    }
};
