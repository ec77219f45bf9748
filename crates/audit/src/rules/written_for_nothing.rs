//! R45: a file was made, written and removed, and nobody read it.

use crate::cases::Cases;
use crate::claims::Claims;
use crate::finding::RuleId;
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::PlaceId;
use fathom_events::FileAction;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(45),
    name: "write-then-unlink",
    needs: "paths of open and unlink, reads and maps",
    guards: &[LOCK_OR_PROBE, SAFEGUARD, READ, STILL_OPEN, MOVED, KEPT],
    begin: |guards| Box::new(WrittenForNothing { guards, made: Recent::default(), cases: Cases::default() }),
};

const LOCK_OR_PROBE: Guard = Guard {
    name: "lock-or-probe",
    spares: "a lock, a number of a process, or a few bytes to try whether writing works",
};
const SAFEGUARD: Guard = Guard {
    name: "safeguard",
    spares: "a swap file, a log, or a file that was synced: it is there for a crash, or for who looks on",
};
const READ: Guard = Guard { name: "read", spares: "a traced program read it, mapped it or ran it" };
const STILL_OPEN: Guard =
    Guard { name: "still-open", spares: "its name goes and the file stays: a temporary file without a name" };
const MOVED: Guard = Guard { name: "moved", spares: "it has another name by now, or had before" };
const KEPT: Guard = Guard { name: "kept", spares: "it was there before: what is removed is older" };

/// What a probe writes, at most.
const PROBE_BYTES: u64 = 64;

const WORDS: Words = Words::cost(
    "file created, written and deleted, read by no traced program",
    "do without the file, or pass it by a pipe or memfd_create",
    "a program outside the trace may have read it between",
);

#[derive(Debug)]
struct WrittenForNothing {
    guards: Guards,
    made: Recent<PlaceId, Made>,
    cases: Cases,
}

#[derive(Debug, Default)]
struct Made {
    bytes: u64,
    is_kept: bool,
    is_read: bool,
    is_moved: bool,
    calls: Claims,
}

impl Rule for WrittenForNothing {
    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Open { flags, .. } if moment.is_ok() => {
                let Some(file) = moment.plain_file() else { return };
                let Some(place) = file.place else { return };
                let creates = crate::open_flags::has(*flags, crate::open_flags::CREATE);
                if creates && self.made.get(&place).is_none() {
                    // What was emptied is gone, whether it was there or not.
                    let is_empty = crate::open_flags::has(*flags, crate::open_flags::TRUNCATE);
                    let is_kept = !file.is_new && !is_empty;
                    self.made.insert(place, Made { is_kept, ..Made::default() });
                }
                self.count(moment, place);
            }
            FileAction::Write { .. } if moment.is_ok() => {
                let Some(place) = moment.plain_file().and_then(|file| file.place) else { return };
                if let Some(made) = self.made.get_mut(&place) {
                    made.bytes += moment.bytes;
                    made.calls.push(moment.claim());
                }
            }
            FileAction::Copy { to, .. } if moment.is_ok() => {
                let target = moment.world.descriptor(moment.thread(), moment.process(), *to);
                let place =
                    target.and_then(|entry| moment.world.file(entry.file)).and_then(|file| file.place);
                if let Some(made) = place.and_then(|place| self.made.get_mut(&place)) {
                    made.bytes += moment.bytes;
                }
                self.is_read(moment);
            }
            FileAction::Read { .. } if moment.bytes > 0 => self.is_read(moment),
            FileAction::Map { descriptor: Some(_), .. } | FileAction::Execute { .. } if moment.is_ok() => {
                self.is_read(moment);
            }
            FileAction::Rename { .. } | FileAction::Link { .. } if moment.is_ok() => {
                for place in [moment.place, moment.other_place].into_iter().flatten() {
                    self.made.entry(place).is_moved = true;
                }
            }
            FileAction::Close { .. } => {
                if let Some(place) = moment.file.and_then(|file| file.place) {
                    self.count(moment, place);
                }
            }
            FileAction::Remove { directory: false, .. } if moment.is_ok() => self.removed(moment),
            _ => {}
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

impl WrittenForNothing {
    fn count(&mut self, moment: &Moment<'_>, place: PlaceId) {
        if let Some(made) = self.made.get_mut(&place) {
            made.calls.push(moment.claim());
        }
    }

    fn is_read(&mut self, moment: &Moment<'_>) {
        if let Some(made) = moment.any_place().and_then(|place| self.made.get_mut(&place)) {
            made.is_read = true;
        }
    }

    fn removed(&mut self, moment: &Moment<'_>) {
        let Some(place) = moment.judged_place() else { return };
        let Some(mut made) = self.made.remove(&place).filter(|made| made.bytes > 0) else { return };
        let name = moment.world.places.name(place);
        if self.guards.spare(READ, made.is_read)
            || self.guards.spare(LOCK_OR_PROBE, made.bytes <= PROBE_BYTES || is_lock(name))
            || self
                .guards
                .spare(SAFEGUARD, is_safeguard(name) || moment.world.places.get(place).synced_at > 0)
            || self.guards.spare(MOVED, made.is_moved)
            || self.guards.spare(KEPT, made.is_kept)
            || self.guards.spare(STILL_OPEN, is_open(moment, place))
        {
            return;
        }
        made.calls.push(moment.claim());
        self.cases.claim_at(moment, moment.any_place(), 1, &made.calls);
    }
}

fn is_open(moment: &Moment<'_>, place: PlaceId) -> bool {
    let mut open = moment.world.living().flat_map(|process| moment.world.descriptors(process));
    open.any(|(_, _, file)| file.place == Some(place))
}

fn is_lock(name: &str) -> bool {
    const WORDS: [&str; 6] = ["lock", "pid", "lck", "LOCK", "journal", "wal"];
    name.split(['.', '-', '_']).any(|part| WORDS.contains(&part))
}

/// Editors' swap and backup files, logs.
fn is_safeguard(name: &str) -> bool {
    const WORDS: [&str; 6] = ["swp", "swo", "swx", "swpx", "log", "bak"];
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
        },
        count: 6,
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
            ("still-open", |script| {
                let file = script.open("/data/spool", NEW);
                script.write(file, 5000);
                script.remove("/data/spool");
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
